"""The peers of `bench` that go through torch.compile, which takes a C++ compiler of the machine."""

import pytest
from attnres import _dtypes, _sample_inputs
from attnres._bench import contenders, workload


@pytest.mark.parametrize(
    "who, timed", [("torch_compile", "backward"), ("torch_compile_apart", "backward"), ("torch_compile", "both")]
)
def test_right_and_vectorised(who, timed, monkeypatch, tmp_path):
    """Without vector instructions it would be slow, and a win over it no win."""
    reason = contenders.missing(who)
    if reason:
        # Not a skip: a test in which nothing runs fails.
        assert "compiler" in reason or "CXX" in reason
        return
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    case = workload.Case(5, 3, 32, _dtypes.main_dtype("bfloat16"), timed)
    inputs = _sample_inputs.make_inputs(5, 3, 32, case.dtype)
    contender = contenders.peer(who, case, inputs, threads=2)
    assert contenders.wrong(contender, contenders.golden(inputs), case) is None
    assert contender.how.endswith((", avx2", ", avx512")), contender.how
