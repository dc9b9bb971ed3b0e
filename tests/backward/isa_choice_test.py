"""ATTNRES_ISA chooses the kernels' back end, and what cannot be chosen is an error in one sentence.

The variable is read once in a process, so each case is a process. isa_bits_test.py compares the bits.
"""

import functools
import json
import os
import subprocess
import sys

import pytest
from attnres import _backward, _libraries, _socs, _twin

CHILD = """
import sys; sys.path[:] = {path!r}
import json, attnres
from attnres import _backward, _dtypes
from attnres.testing import inputs
seen = []
for soc in {socs!r}:
    for name, blocks, hidden in (("float32", 2, 64), ("bfloat16", 4, 8192), ("float16", 0, 3)):
        given = inputs.make_inputs(2, blocks, hidden, _dtypes.main_dtype(name))
        try:
            _, statistics = _backward.run(given, soc=soc)
            seen.append([statistics.isa, 0, ""])
        except attnres.AclnnError as error:
            seen.append([None, error.code, error.message])
no_tokens = inputs.make_inputs(0, 2, 8, _dtypes.main_dtype("float32"))
zeros = attnres.block_attention_residuals_backward(**no_tokens).grad_norm_weight
print(json.dumps([seen, bool(zeros.any())]))
"""


def kernels():
    _libraries.ensure_loaded(_socs.DEFAULT_SOC)
    return _twin.kernels(_backward.OPERATOR_NAME)


BUILT = list(dict.fromkeys(kernel["isa"] for kernel in kernels()))
SOCS = [soc.name for soc in _socs.socs() if soc.npu_arch in _backward.available_archs()]


# Nobody's names, and those of other machines' builds.
FOREIGN = [isa for isa in ("x86-64-v9", "X86-64-V3", "sse2", "x86-64-v3 ", "x86-64-v3", "aarch64") if isa not in BUILT]


@functools.cache
def ran(isa):
    """[isa, code, message] of each call in a process where ATTNRES_ISA is `isa`."""
    environment = {name: value for name, value in os.environ.items() if name != "ATTNRES_ISA"}
    if isa is not None:
        environment["ATTNRES_ISA"] = isa
    code = CHILD.format(path=sys.path, socs=SOCS)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env=environment, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    seen, any_nonzero = json.loads(done.stdout)
    assert not any_nonzero, "without tokens no kernel is wanted, whatever the variable says"
    return seen


def test_every_soc_with_kernels_takes_part():
    assert "ascend910b" in SOCS and "ascend910_93" in SOCS
    assert BUILT


@pytest.mark.parametrize("isa", BUILT)
def test_the_chosen_back_end_runs(isa):
    seen = ran(isa)
    if all(code == 361001 for _, code, _ in seen):
        pytest.skip(f"this CPU does not run {isa}: {seen[0][2]}")
    assert [entry[0] for entry in seen] == [isa] * (3 * len(SOCS))


@pytest.mark.parametrize("isa", [None, ""], ids=["unset", "empty"])
def test_without_a_choice_the_best_runs(isa):
    usable = [each for each in BUILT if ran(each)[0][1] == 0]
    assert [entry[0] for entry in ran(isa)] == [usable[-1]] * (3 * len(SOCS))


@pytest.mark.parametrize("isa", FOREIGN)
def test_what_cannot_be_chosen_is_an_error_of_each_call(isa):
    usable = [each for each in BUILT if ran(each)[0][1] == 0]
    message = (
        f"ATTNRES_ISA is '{isa}': expected {' or '.join(usable)}, "
        "for which libcust_opapi.so has kernels that this machine runs"
    )
    assert ran(isa) == [[None, 361001, message]] * (3 * len(SOCS))
