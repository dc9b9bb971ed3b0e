"""The same inputs give the same bits, and a token's results depend on nothing but that token.

Not on the host threads, the other tokens, their number, the token's position, or the number of cores.
"""

import attnres
import numpy as np
import pytest
from attnres import _dtypes, _forward
from attnres.testing import bits, cases, forward, inputs

SHAPES = {
    "FULL_H": [(97, 3, 33), (1, 1, 4), (49, 8, 520), (700, 2, 16)],
    "SPLIT_H": [(50, 1, 40002), (2, 128, 4096)],
}
ALL = [(path, shape) for path, shapes in SHAPES.items() for shape in shapes]


def shape_id(value):
    return "T{}-N{}-H{}".format(*value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("path, shape", ALL, ids=shape_id)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_threads_and_repeats(path, shape, dtype, soc):
    given = inputs.make_inputs(*shape, dtype)
    wanted = forward.run_guarded(given, soc, threads=1)
    assert wanted.statistics.path == path
    for threads in (1, 2, 8):
        for _ in range(4):
            mixture, _ = _forward.run(forward.pick(given), soc=soc, threads=threads)
            for name, value in mixture._asdict().items():
                assert bits.same_bits(value, wanted.outputs[name]), name


@pytest.mark.parametrize("soc", forward.ARCH_SOCS)
@pytest.mark.parametrize("blocks, hidden", [(4, 64), (0, 31), (8, 512), (40, 48), (128, 2)], ids=str)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=cases.dtype_id)
def test_tokens_do_not_depend_on_each_other(dtype, blocks, hidden, soc):
    """Tokens of a long call, in batches on all cores, against calls of a few, in the opposite order, and of one."""
    many = forward.pick(inputs.make_inputs(1300, blocks, hidden, dtype))
    wanted = attnres.block_attention_residuals(**many, soc=soc)
    for tokens in (slice(0, 1), slice(1299, 1300), slice(7, 71), slice(1299, 600, -1), slice(3, 1200, 5)):
        some = dict(many)
        for name in ("partial_block", "block_res"):
            some[name] = np.ascontiguousarray(many[name][tokens])
        got = attnres.block_attention_residuals(**some, soc=soc)
        for name, value in got._asdict().items():
            assert bits.same_bits(value, np.ascontiguousarray(getattr(wanted, name)[tokens])), (name, tokens)
