"""A job in several processes: those that torchrun starts, or those that --processes starts on this machine.

A process that fails, or loses another one, ends at once with one sentence and exit code 1: gloo tells a connection
that was closed in no time, and a process that stands still after --timeout.
"""

import datetime
import multiprocessing
import multiprocessing.connection
import os
import sys
import tempfile
import threading

import torch.multiprocessing
from torch import distributed

from examples.train_lm import job as jobs
from examples.train_lm.errors import InputError

EXIT_FAILED = 1
EXIT_INPUT = 2


def of_torchrun() -> tuple[int, int] | None:
    """Rank and number of processes, if torchrun or the like started this one."""
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        return None
    return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])


def take_part(job: jobs.Job, rank: int, processes: int, init_method: str = "env://") -> int:
    """Runs the job as one of several processes that meet at `init_method`; returns 0, or ends the process."""
    try:
        distributed.init_process_group(
            "gloo",
            init_method=init_method,
            rank=rank,
            world_size=processes,
            timeout=datetime.timedelta(seconds=job.timeout),
        )
        jobs.run(job, rank, processes)
        distributed.barrier()  # none leaves while another may still ask it for something
        distributed.destroy_process_group()
    except InputError as error:
        _leave(str(error) if rank == 0 else "", EXIT_INPUT)
    except Exception as error:
        cause = str(error).strip().partition("\n")[0]
        _leave(f"process {rank} of {processes} failed: {type(error).__name__}: {cause}", EXIT_FAILED)
    return 0


def _leave(sentence, code):
    """Ends the process without any clean-up, which would wait for the others."""
    if sentence:
        sys.stderr.write(f"train_lm: {sentence}\n")
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(code)


def launch(job: jobs.Job, processes: int) -> int:
    """Runs the job in that many processes of this machine; returns 0, or the exit code of the first that failed.

    When one fails or is killed the others are ended.
    """
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with tempfile.TemporaryDirectory(prefix="train_lm_") as folder:
        try:
            torch.multiprocessing.start_processes(
                _work, (job, processes, f"file://{folder}/meeting"), processes, start_method="spawn"
            )
        except torch.multiprocessing.ProcessExitedException as error:
            if error.signal_name:
                sys.stderr.write(
                    f"train_lm: process {error.error_index} of {processes} was ended by {error.signal_name}, "
                    "and so are the others\n"
                )
                return EXIT_FAILED
            return error.exit_code
    return 0


def _work(rank, job, processes, init_method):
    threading.Thread(target=_end_with_parent, args=(rank, processes), daemon=True).start()
    take_part(job, rank, processes, init_method)


def _end_with_parent(rank, processes):
    """Waits until the process that started this one is gone, however it went: nobody is left to end this one."""
    multiprocessing.connection.wait([multiprocessing.parent_process().sentinel])
    _leave(f"process {rank} of {processes} failed: the process that started it is gone", EXIT_FAILED)
