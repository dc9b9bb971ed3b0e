"""What JAX builds around the call: loops, recomputation, exported programs, several threads and devices."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import threading  # noqa: E402

import attnres.jax  # noqa: E402
import jax  # noqa: E402
import jax.export  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
from attnres import _checks, _dtypes  # noqa: E402
from attnres.testing import bits, inputs  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec  # noqa: E402

MIX = attnres.jax.block_attention_residuals
SOME_TOKENS = PartitionSpec("processes")
ALL = PartitionSpec()


def make(tokens=6):
    given = inputs.make_inputs(tokens, 3, 40, _dtypes.main_dtype("float32"))
    return tuple(jnp.asarray(given[name]) for name in _checks.FORWARD_INPUT_DIMENSIONS)


def total(*arrays):
    return jnp.sum(MIX(*arrays))


GRADIENTS = jax.grad(total, (0, 1, 2, 3))


def assert_same(left, right):
    for one, other in zip(left, right, strict=True):
        assert bits.same_bits(np.asarray(one), np.asarray(other))


def test_recomputation_gives_the_same_bits():
    arrays = make()
    assert_same(jax.jit(jax.grad(jax.checkpoint(total), (0, 1, 2, 3)))(*arrays), GRADIENTS(*arrays))


def test_a_scan_over_layers():
    partial_block, block_res, proj_weight, norm_weight = make()
    queries = jnp.stack([proj_weight[0], 2 * proj_weight[0], -proj_weight[0]])

    def layer(rows, query):
        return MIX(rows, block_res, query, norm_weight), None

    def scanned(queries):
        return jax.lax.scan(layer, partial_block, queries)[0]

    def unrolled(queries):
        rows = partial_block
        for query in queries:
            rows, _ = layer(rows, query)
        return rows

    assert_same([jax.jit(scanned)(queries)], [unrolled(queries)])
    assert_same(*([jax.grad(lambda q: jnp.sum(f(q)))(queries)] for f in (scanned, unrolled)))  # noqa: B023


@pytest.mark.parametrize("tokens", [1, 6])
def test_an_exported_program_has_a_symbol_for_tokens(tokens):
    arrays = make(tokens)
    (symbol,) = jax.export.symbolic_shape("T")
    shapes = (jax.ShapeDtypeStruct((symbol, *array.shape[1:]), array.dtype) for array in arrays[:2])
    allowed = [jax.export.DisabledSafetyCheck.custom_call("attnres_aclnn_call")]
    exported = jax.export.export(jax.jit(MIX), disabled_checks=allowed)(*shapes, *arrays[2:])
    assert_same([exported.call(*arrays)], [MIX(*arrays)])


def test_threads_share_a_program():
    arrays = make()
    program, expected = jax.jit(GRADIENTS), GRADIENTS(*arrays)
    wrong = []

    def work():
        for _ in range(30):
            try:
                assert_same(program(*arrays), expected)
            except Exception as error:  # a thread's own would be lost
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_arrays_on_two_devices():
    arrays = make()
    mesh = jax.sharding.Mesh(jax.devices(), ("processes",))
    placed = (*(jax.device_put(array, NamedSharding(mesh, SOME_TOKENS)) for array in arrays[:2]), *arrays[2:])
    assert_same([jax.jit(MIX)(*placed)], [MIX(*arrays)])


def test_gradients_of_tokens_on_two_devices():
    """Rows have the same bits. A weight's gradient is the sum of the devices': each is off by 3 u, two of a compensated
    sum (attnres._reference) and one of its product, and so is the one over all tokens; their sum is rounded again."""
    arrays = make()
    mesh = jax.sharding.Mesh(jax.devices(), ("processes",))
    specs = (SOME_TOKENS, SOME_TOKENS, ALL, ALL)

    def loss(*parts):
        return jax.lax.psum(total(*parts), "processes")

    whole = jax.shard_map(loss, mesh=mesh, in_specs=specs, out_specs=ALL)
    found = jax.jit(jax.grad(whole, (0, 1, 2, 3)))(*arrays)
    expected = GRADIENTS(*arrays)
    assert_same(found[:2], expected[:2])
    halves = [GRADIENTS(*(array[part] for array in arrays[:2]), *arrays[2:]) for part in (slice(3), slice(3, 6))]
    for index in (2, 3):
        sizes = sum(np.abs(np.asarray(half[index], np.float64)) for half in halves)
        difference = np.asarray(found[index], np.float64) - np.asarray(expected[index], np.float64)
        assert (np.abs(difference) <= 4 * 2.0**-24 * (sizes + np.abs(np.asarray(expected[index])))).all()
