"""Several processes: the losses of one, and an end with an error, in time, when one is killed or stands still."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

import pytest
from runfiles import Runfiles
from torch.distributed import run as torchrun

from examples.train_lm import text
from examples.train_lm.training import Recipe, Training

PROGRAM = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/examples/train_lm/train_lm")
TEXT = pathlib.Path(PROGRAM).with_name("project_pages.txt")
TINY = ("--batch=6", "--context=8", "--layers=1", "--hidden=32", "--threads=1")
FOR_EVER = ("--steps=100000000", "--checkpoint_every=1")
SECONDS_TO_END = 30


def flags_of(folder):
    return (*TINY, f"--checkpoint={folder}/run.pt")


def wait_for_a_step(folder, process):
    """Until the run has written a checkpoint."""
    for _ in range(1200):
        if os.path.exists(f"{folder}/run.pt"):
            return
        assert process.poll() is None, "the run ended before its first step"
        time.sleep(0.1)
    raise AssertionError("no step in two minutes")


def started_by_hand(folder, processes, *flags):
    """The processes as torchrun would start them, with nobody to watch over them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    found = []
    for rank in range(processes):
        environment = os.environ | {
            "RANK": str(rank),
            "WORLD_SIZE": str(processes),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port),
            "GLOO_SOCKET_IFNAME": "lo",
        }
        found.append(
            subprocess.Popen(
                [PROGRAM, *flags_of(folder), *FOR_EVER, *flags],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
    return found


@pytest.fixture
def cleaned():
    """A list of processes, none of which outlives the test."""
    processes = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("victim", [0, 1], ids="kill_rank_{}".format)
def test_the_others_end_with_an_error_when_one_is_killed(tmp_path, cleaned, victim):
    cleaned += started_by_hand(tmp_path, 2)
    wait_for_a_step(tmp_path, cleaned[victim])
    cleaned[victim].kill()
    survivor = cleaned[1 - victim]
    _, err = survivor.communicate(timeout=SECONDS_TO_END)
    assert survivor.returncode == 1
    assert f"train_lm: process {1 - victim} of 2 failed: " in err and "Traceback" not in err


def test_the_others_end_with_an_error_when_one_stands_still(tmp_path, cleaned):
    cleaned += started_by_hand(tmp_path, 2, "--timeout=5")
    wait_for_a_step(tmp_path, cleaned[1])
    cleaned[1].send_signal(signal.SIGSTOP)
    _, err = cleaned[0].communicate(timeout=SECONDS_TO_END)
    assert cleaned[0].returncode == 1
    assert "train_lm: process 0 of 2 failed: " in err


def children(pid):
    return [int(text) for text in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_worker(pid):
    return b"spawn_main" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()


def started(folder, processes, **options):
    """The program that starts processes, after its first step, and their ids."""
    program = subprocess.Popen(
        [PROGRAM, *flags_of(folder), *FOR_EVER, f"--processes={processes}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    wait_for_a_step(folder, program)
    workers = list(filter(is_worker, children(program.pid)))
    assert len(workers) == processes
    return program, workers


def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path, cleaned):
    # As a background job of a shell, which ignores SIGINT: PyTorch sends that to the processes.
    program, _ = started(tmp_path, 2, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    cleaned.append(program)
    program.kill()
    _, err = program.communicate(timeout=SECONDS_TO_END)  # stderr is theirs as well: it ends with the last of them
    assert "of 2 failed: " in err and "Traceback" not in err


def test_a_run_in_three_processes_ends_when_one_is_killed(tmp_path, cleaned):
    program, workers = started(tmp_path, 3)
    cleaned.append(program)
    os.kill(workers[2], signal.SIGKILL)
    _, err = program.communicate(timeout=SECONDS_TO_END)
    assert program.returncode == 1
    assert "train_lm: process" in err and "Traceback" not in err
    assert not any(os.path.exists(f"/proc/{worker}") for worker in workers)


def test_two_processes_have_the_losses_of_one(tmp_path):
    command = [PROGRAM, *TINY, "--steps=3", "--json", "--processes=2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["processes"] == 2 and "warn" not in done.stderr.lower()
    recipe = Recipe(**found["recipe"])
    training = Training(recipe, text.read(str(TEXT), "the pages", recipe.context))
    losses = [training.step() for _ in found["losses"]]
    assert found["losses"] == pytest.approx(losses, rel=1e-5)  # gradients_test looks closer


def test_torchrun_starts_it(tmp_path):
    path = tmp_path / "run.pt"
    flags = ("--standalone", "--nproc-per-node=2", "--no-python", f"--log-dir={tmp_path}", "--redirects=3")
    torchrun.main([*flags, PROGRAM, *TINY, "--steps=2", f"--checkpoint={path}", "--json"])
    (output,) = [file for file in tmp_path.rglob("stdout.log") if file.stat().st_size]
    assert json.loads(output.read_text())["processes"] == 2 and path.exists()
