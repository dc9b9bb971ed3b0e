"""The peer torch_compile of `bench`, which takes a C++ compiler of the machine."""

from attnres import _dtypes, _sample_inputs
from attnres._bench import contenders, workload


def test_right_and_vectorised(monkeypatch, tmp_path):
    """Without vector instructions it would be slow, and a win over it no win."""
    reason = contenders.missing("torch_compile")
    if reason:
        # Not a skip: a test in which nothing runs fails.
        assert "compiler" in reason or "CXX" in reason
        return
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    case = workload.Case(5, 3, 32, _dtypes.main_dtype("bfloat16"))
    inputs = _sample_inputs.make_inputs(5, 3, 32, case.dtype)
    contender = contenders.peer("torch_compile", case, inputs, threads=2)
    assert contenders.wrong(contender, contenders.golden(inputs), case) is None
    assert contender.how.endswith((", avx2", ", avx512")), contender.how
