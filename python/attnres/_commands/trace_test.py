"""`trace` as a user runs it, and attnres.trace: times that repeat, files that hold what the JSON says."""

import json
import re

import attnres
import pytest
from attnres import _dtypes, _observed, _tensor_files, _trace_mode, cli
from attnres.testing import cases
from attnres.testing import inputs as testing_inputs


@pytest.fixture
def run(capsys):
    """Runs `trace`; returns exit code, stdout and stderr."""

    def call(*arguments):
        code = cli.main(["attnres", "trace", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def given():
    return testing_inputs.make_inputs(5, 3, 400, _dtypes.main_dtype("bfloat16"))


@pytest.fixture
def file(tmp_path, given):
    path = str(tmp_path / "x.safetensors")
    _tensor_files.write(path, given)
    return path


@pytest.mark.parametrize("soc", cases.SOCS)
def test_times_repeat_whatever_the_threads(given, soc):
    first = attnres.trace(*given.values(), soc=soc, threads=1)
    again = attnres.trace(*given.values(), soc=soc, threads=3)
    assert first.path == "FULL_H"
    assert first.result == again.result
    assert first.trace == again.trace


@pytest.mark.parametrize("soc", cases.SOCS)
def test_result_agrees_with_itself(given, soc):
    result = attnres.trace(*given.values(), soc=soc).result
    path = result["critical_path"]["parts"]
    assert sum(path.values()) == pytest.approx(result["microseconds"], rel=1e-6)
    lines = sum(line["critical_path_microseconds"] for line in result["lines"])
    assert lines + path.get("start", 0) == pytest.approx(result["microseconds"], rel=1e-6)
    assert max(result["each_core_microseconds"]) == pytest.approx(result["microseconds"])
    assert sum(line["gm_bytes"] for line in result["lines"]) == (
        result["gm"]["bytes_read"] + result["gm"]["bytes_written"]
    )
    for pipe in result["pipes"].values():
        assert 0 < pipe["busy_share"] <= 1
    costly = [line for line in result["lines"] if line["critical_path_microseconds"] > 0]
    assert all("op_kernel/" in line["file"] and line["line"] > 0 for line in costly)


def test_command_writes_trace_and_page_of_the_same_result(run, file, tmp_path):
    trace, page = tmp_path / "trace.json", tmp_path / "page.html"
    code, out, err = run(f"--input={file}", f"--output={trace}", f"--html={page}", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["result"]["microseconds"] > 0
    written = json.loads(trace.read_bytes())
    assert written["otherData"] == told["result"]
    cores = {event["pid"] for event in written["traceEvents"]}
    assert len(cores) == min(_trace_mode.TRACE_CORES, told["result"]["cores"])
    text = page.read_text()
    held = text.split('id="result">')[1].split("</script>")[0]
    assert json.loads(held) == told["result"]
    assert f"wrote {trace}" in err and f"wrote {page}" in err


def test_page_of_a_trace_is_that_of_its_run(run, file, tmp_path):
    trace, page, again = tmp_path / "trace.json", tmp_path / "page.html", tmp_path / "again.html"
    assert run(f"--input={file}", f"--output={trace}", f"--html={page}")[0] == 0
    code, out, _ = run(f"--trace={trace}", f"--html={again}", "--json")
    assert code == 0
    assert page.read_text().split("<div class=")[1:] == again.read_text().split("<div class=")[1:]
    assert json.loads(out)["result"] == json.loads(trace.read_bytes())["otherData"]
    _, _, err = run(f"--trace={trace}")
    assert err == "attnres trace: --html is missing; expected the file for the page that --trace makes\n"
    code, _, err = run(f"--trace={trace}", f"--html={again}", "--input=x.npz")
    assert (code, "--input is 'x.npz'; expected none with --trace" in err) == (2, True)
    trace.write_text("{}")
    assert run(f"--trace={trace}", f"--html={again}")[0] == 2


def test_command_prints_the_critical_path(run, file):
    code, out, _ = run(f"--input={file}", "--soc=ascend910b")
    assert code == 0
    assert "of the bandwidth limit" in out
    assert "The critical path by line" in out
    assert "two_float.h:" in re.sub(r"[\s│]", "", out), "folded where it is long, never cut"
    assert "…" not in out


def test_events_of_a_pipe_follow_each_other(given):
    trace = json.loads(attnres.trace(*given.values()).trace)
    last = {}
    for event in (event for event in trace["traceEvents"] if event["ph"] == "X"):
        row = (event["pid"], event["tid"])
        assert event["ts"] >= last.get(row, 0) - 0.001, event
        last[row] = event["ts"] + event["dur"]
    assert len(last) > 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "trace needs --input"),
        (["--trace_cores=0"], "trace_cores is 0"),
        (["--soc=ascend1"], "ascend1"),
        (["--output=/no/such/folder/x.json"], "is no directory"),
    ],
    ids=["no-input", "no-cores", "unknown-soc", "no-folder"],
)
def test_faults_of_the_caller_end_with_2(run, file, arguments, sentence):
    given = [] if not arguments else [f"--input={file}"]
    code, _, err = run(*given, *arguments)
    assert code == 2
    assert sentence in err


def test_kernel_that_waits_for_ever_is_an_error(given, monkeypatch):
    def report(inputs, **_):
        return _observed.ObservedRun(None, b"", None, "the kernel waits for something that never happens", None)

    monkeypatch.setattr(_observed, "run", report)
    with pytest.raises(attnres.AclnnError, match="never happens"):
        attnres.trace(*given.values())
