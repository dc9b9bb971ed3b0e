"""What `bench` says: rows for JSON, table cells for people, facts about the machine."""

import importlib.metadata
import os
import platform

import numpy as np
from attnres._bench import interleaved, workload

COLUMNS = ("who", ">ms", ">min", ">max", ">GB/s", ">ours is faster by", "how")


def row(case: workload.Case, contender, timing: interleaved.Timing, ours: interleaved.Timing | None) -> dict:
    """One contender's row; `ours` is the timing of this package's first SoC, in the same rounds."""
    ratio = interleaved.ratio(timing, ours) if ours else None
    return {
        "shape": case.shape,
        "dtype": case.dtype.name,
        "pass": case.timed,
        "who": contender.who,
        "seconds_median": timing.median,
        "seconds_min": min(timing.seconds),
        "seconds_max": max(timing.seconds),
        "gb_per_s": contender.moved_bytes / timing.median / 1e9,
        "ours_is_faster_by": ratio.median if ratio else None,
        "ours_is_faster_by_quartiles": [ratio.low, ratio.high] if ratio else None,
        "rounds": len(timing.seconds),
        "calls_per_round": timing.calls,
        "how": contender.how,
    }


def cells(row: dict) -> list[str]:
    """A row of the table; times in milliseconds, the ratio with its quartiles."""
    ratio = ""
    if row["ours_is_faster_by"] is not None:
        low, high = row["ours_is_faster_by_quartiles"]
        ratio = f"{row['ours_is_faster_by']:.2f} ({low:.2f} to {high:.2f})"
    return [
        row["who"],
        *(f"{row[f'seconds_{which}'] * 1e3:.4g}" for which in ("median", "min", "max")),
        f"{row['gb_per_s']:.3g}",
        ratio,
        row["how"],
    ]


def cells_of_absent(who: str, reason: str) -> list[str]:
    return [who, "", "", "", "", "", f"not run: {reason}"]


def machine(threads: int, not_run: dict[str, str]) -> dict:
    """Facts that the figures depend on, to be taken before the run.

    `not_run` has the contenders that do not take part, and why; it is kept, so that what comes later is in it too.
    """
    return {
        "cpu": _cpu_model(),
        "cpus": len(os.sched_getaffinity(0)),
        "threads": threads,
        "load_average": list(os.getloadavg()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        **{name: version for name in ("torch", "jax") for version in [_version(name)] if version},
        "not_run": not_run,
    }


def busy(facts: dict) -> str | None:
    """One sentence if other programs are at work; threads that wait for each other suffer most from them."""
    load = facts["load_average"][0]
    if load < facts["cpus"] / 4:
        return None
    return f"the load average is {load:.2f}: other programs are at work, or were until now, and figures may be off"


def _version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
