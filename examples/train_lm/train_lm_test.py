"""The program: what it prints and writes, runs that go on after an interruption, and input that it refuses."""

import importlib
import json
import os
import subprocess
import sys

import pytest
from absl import flags
from absl.testing import flagsaver
from runfiles import Runfiles

from examples.train_lm import train_lm

PROGRAM = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/examples/train_lm/train_lm")
TINY = ("--batch=4", "--context=16", "--layers=2", "--hidden=32", "--threads=1")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Runs the program in this process, for a user in a folder of its own; returns exit code, stdout and stderr."""
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))

    def call(*arguments):
        with flagsaver.flagsaver():
            code = train_lm.main(flags.FLAGS(["train_lm", *TINY, *arguments]))
        return code, *capfd.readouterr()

    return call


def result(done):
    code, out, err = done
    assert code == 0, err
    return json.loads(out)


def test_missing_pytorch_is_one_sentence(monkeypatch):
    for name in ["train_lm", "training"]:
        monkeypatch.delitem(sys.modules, "examples.train_lm." + name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit, match="^train_lm needs PyTorch; set ATTNRES_TORCH_INDEX to a package index"):
        importlib.import_module("examples.train_lm.train_lm")


def test_an_interrupted_run_ends_as_one_without_interruption(run, tmp_path):
    whole = result(run("--steps=6", "--json"))
    first = result(run("--steps=4", "--checkpoint=run.pt", "--json"))
    arguments = (*TINY, "--steps=6", "--checkpoint=run.pt", "--resume", "--json")
    second = json.loads(subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout)
    assert first["losses"] == whole["losses"][:4] and first["parameters_sha256"] != whole["parameters_sha256"]
    assert second["losses"] == whole["losses"]
    assert second["parameters_sha256"] == whole["parameters_sha256"]
    assert [path.name for path in tmp_path.iterdir()] == ["run.pt"]


def test_the_baseline_beside_the_operator(run, tmp_path):
    plain = run("--steps=3", "--json", "--baseline")
    (tmp_path / "plain.json").write_text(plain[1])
    ours = result(run("--steps=3", "--json", "--compare=plain.json", "--plot=loss.png"))
    plain = result(plain)
    assert ours["compared"]["steps"] == 3 and ours["compared"]["all"] < 1e-5
    assert ours["text"] == plain["text"] and ours["text"]["characters"] >= 60_000
    assert ours["parameters"] == plain["parameters"]
    for found in (ours, plain):
        assert len(found["losses"]) == 3 and 0 < found["operator_share"] < 1
        assert found["operator_seconds"] < found["step_seconds"] and found["tokens_per_second"] > 0
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_what_a_reader_sees(run, tmp_path):
    (tmp_path / "words.txt").write_text("one two three " * 9, encoding="utf-8")
    code, out, err = run("--steps=20", "--text=words.txt")
    assert code == 0
    assert out.startswith("20 steps of 64 tokens: loss ") and " mix blocks, forward and backward, by attnres\n" in out
    lines = err.splitlines()
    assert len(lines) == 10 and lines[-1].startswith("step 20 of 20: loss ") and lines[-1].endswith(" tokens/s")


@pytest.mark.parametrize(
    "flags, sentence",
    [
        (["stray"], "argument 'stray' is not expected"),
        (["--text=none.txt"], "--text=none.txt cannot be read: No such file or directory"),
        (["--text=short.txt"], "--text=short.txt has 5 characters; expected more than --context, 16"),
        (["--text=bytes.txt"], "--text=bytes.txt is no UTF-8 text"),
        (["--hidden=33"], "--hidden is 33; expected a multiple of 32"),
        (["--batch=4", "--processes=3"], "--batch is 4; expected a multiple of 3, the number of processes"),
        (["--resume"], "--resume needs --checkpoint"),
        (["--resume", "--checkpoint=none.pt"], "none.pt does not exist"),
        (["--plot=none/loss.png"], "none is no directory"),
        (["--compare=short.txt"], "short.txt is no result of a run with --json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refuses(run, tmp_path, flags, sentence):
    (tmp_path / "short.txt").write_text("short", encoding="utf-8")
    (tmp_path / "bytes.txt").write_bytes(b"\xff" * 99)
    code, out, err = run("--steps=1", *flags)
    assert (code, out) == (2, "") and len(err.splitlines()) == 1
    assert err.startswith("train_lm: ") and sentence in err
