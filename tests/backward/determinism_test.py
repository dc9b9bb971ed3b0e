"""The same inputs give the same bits, whatever else is different.

Stated here and tested: the gradients of a token's rows do not depend on the other tokens, nor on their number where
that is more than half the cores. Fewer tokens have their rows cut into segments, whose sums are added up in another
order: a last bit may differ there. The weight gradients depend on the number of tokens and cores alone. Nothing depends
on how many host threads there are.
"""

import os
import subprocess
import sys

import attnres
import numpy as np
import pytest
from attnres import _backward, _dtypes, _twin
from attnres.testing import bits, cases, inputs, runs

SHAPES = {
    "FULL_H": [(97, 3, 33), (1, 1, 4), (49, 8, 520)],
    "SPLIT_H": [(50, 1, 7730), (2, 4, 8192)],  # the second in segments
}
PER_TOKEN = ("partial_block", "block_res", "grad_hidden_states", "inv_norm", "probs")
ALL = [(path, shape) for path, shapes in SHAPES.items() for shape in shapes]


def shape_id(value):
    return "T{}-N{}-H{}".format(*value) if isinstance(value, tuple) else value


def assert_same(left, right):
    assert left.keys() == right.keys()
    for name in left:
        assert bits.same_bits(left[name], right[name]), name


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("path, shape", ALL, ids=shape_id)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_threads_and_repeats(path, shape, dtype, soc):
    given = inputs.make_inputs(*shape, dtype)
    wanted = runs.run_guarded(given, soc, threads=1)
    assert wanted.statistics.path == path
    for threads in (1, 2, 7):
        for _ in range(20):
            gradients, _ = _backward.run(given, soc=soc, threads=threads)
            assert_same(gradients._asdict(), wanted.outputs)


@pytest.mark.parametrize("soc", ("ascend910_93", "ascend950"))
@pytest.mark.parametrize("path, shape", ALL, ids=shape_id)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_workspace_contents(path, shape, dtype, soc):
    given = inputs.make_inputs(*shape, dtype)
    fills = (0x00, 0xFF, 0x7F, np.random.default_rng(inputs.SEED))
    first, *others = [runs.run_guarded(given, soc, workspace_fill=fill, threads=2) for fill in fills]
    assert first.statistics.path == path
    for other in others:
        assert_same(other.outputs, first.outputs)


def test_socs_of_one_arch_agree():
    given = inputs.make_inputs(49, 3, 1000, _dtypes.main_dtype("bfloat16"))
    assert_same(*(runs.run_guarded(given, soc).outputs for soc in ("ascend910b", "ascend910_93")))


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("blocks, hidden", [(4, 64), (0, 31), (8, 512), (40, 48)], ids=str)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_rows_do_not_depend_on_how_tokens_are_grouped(dtype, blocks, hidden, soc):
    """Few tokens go through the kernels one by one, many in batches; batches_test.py has more."""
    many = inputs.make_inputs(581, blocks, hidden, dtype)
    few = {name: value[:144] if name in PER_TOKEN else value for name, value in many.items()}
    grouped = attnres.block_attention_residuals_backward(**many, soc=soc)
    single = attnres.block_attention_residuals_backward(**few, soc=soc)
    assert bits.same_bits(np.ascontiguousarray(grouped.grad_partial_block[:144]), single.grad_partial_block)
    assert bits.same_bits(np.ascontiguousarray(grouped.grad_block_res[:144]), single.grad_block_res)


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_rows_do_not_depend_on_the_number_of_tokens(dtype, soc):
    """Across 2**16, where a 16-bit count would wrap."""
    longest = inputs.make_inputs(65537, 1, 8, dtype)
    results = []
    for tokens in (65535, 65536, 65537):
        given = {name: value[:tokens] if name in PER_TOKEN else value for name, value in longest.items()}
        results.append(attnres.block_attention_residuals_backward(**given, soc=soc))
    runs.assert_right(longest, results[-1]._asdict())
    for result in results[1:]:
        assert bits.same_bits(result.grad_partial_block[:65535], results[0].grad_partial_block)
        assert bits.same_bits(result.grad_block_res[:65535], results[0].grad_block_res)


CHILD = """
import sys; sys.path[:] = {path!r}
import hashlib, attnres
from attnres import _dtypes
from attnres.testing import inputs
total = hashlib.sha256()
for dtype in _dtypes.MAIN_DTYPES:
    for shape in {shapes!r}:
        given = inputs.make_inputs(*shape, dtype)
        for gradient in attnres.block_attention_residuals_backward(**given):
            total.update(gradient.tobytes())
print(total.hexdigest())
"""


def test_environment_threads_and_processes_agree():
    """ATTNRES_NUM_THREADS is the default number of threads; another process gives the same bits."""
    digests = set()
    for threads in ("1", "2", "7"):
        code = CHILD.format(path=sys.path, shapes=[shape for _, shape in ALL])
        environment = os.environ | {"ATTNRES_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code],
            env=environment, capture_output=True, text=True, timeout=300, check=True,
        )  # fmt: skip
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("soc", cases.ARCH_SOCS)
def test_the_kernel_that_ran_is_one_of_those_built(soc):
    given = inputs.make_inputs(1, 1, 8, _dtypes.main_dtype("float32"))
    _, statistics = _backward.run(given, soc=soc)
    assert statistics.isa in {kernel["isa"] for kernel in _twin.kernels(_backward.OPERATOR_NAME)}
