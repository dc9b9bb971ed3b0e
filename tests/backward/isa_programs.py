"""Runs isa_bits_driver, and reads what it prints."""

import os
import subprocess

from runfiles import Runfiles


def path_of(program: str) -> str:
    """The path of a program that this test has as data."""
    return Runfiles.Create().Rlocation(f"attnres/{program}")


def run(command: list[str], **variables: str) -> subprocess.CompletedProcess:
    """Runs it to its end with ATTNRES_* as given and nothing else of them."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ATTNRES_", "GTEST_"))}
    # The test's own protocol is not the program's.
    for name in ("TESTBRIDGE_TEST_ONLY", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", "XML_OUTPUT_FILE"):
        environment.pop(name, None)
    return subprocess.run(command, env=environment | variables, capture_output=True, text=True, timeout=600)


def cases(driver: str) -> list[str]:
    """The driver's cases, without running them."""
    return run([path_of(driver), "--list"]).stdout.split()


def report(command: list[str], **variables: str) -> dict[str, dict[str, str]]:
    """Case -> path, isa and a hash of each output."""
    done = run(command, **variables)
    assert done.returncode == 0, done.stderr or f"{command} ended with {done.returncode}"
    lines = [line.split() for line in done.stdout.splitlines()]
    return {case: dict(field.split("=") for field in fields) for case, *fields in lines}


def bits(entry: dict[str, str]) -> dict[str, str]:
    """What must not depend on the instruction set: all but its name."""
    return {name: value for name, value in entry.items() if name != "isa"}
