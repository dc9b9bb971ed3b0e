"""Bazel run by a test, on a copy of this workspace with an output base of its own.

The tests that use it are `local`, since they leave the sandbox, and `manual`, since they take minutes.
"""

import json
import os
import pwd
import shutil
import subprocess
from pathlib import Path

from runfiles import Runfiles

# The copy has what a fresh clone has.
_NOT_CLONED = shutil.ignore_patterns(".git", "bazel-*", ".bazelrc.user")


def workspace():
    """This workspace itself, out of whose runfiles the test runs."""
    return Path(os.path.realpath(Runfiles.Create().Rlocation("%s/bazelw" % os.environ["TEST_WORKSPACE"]))).parent


def machine_environment():
    """Variables of the machine's user, as a login sets them, and what else the test was given but Bazel's own."""
    user = pwd.getpwuid(os.getuid())
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TEST_", "RUNFILES_", "TESTBRIDGE_", "XML_", "GTEST_", "BAZEL", "PYTEST_", "JAVA_"))
    }
    return dict(kept, HOME=user.pw_dir, USER=user.pw_name, LOGNAME=user.pw_name, LANG="C.UTF-8")


class InnerBazel:
    """One checkout with one output base; `prefix` is the command that starts its commands."""

    def __init__(self, checkout, output_base, environment, prefix=()):
        if not checkout.exists():
            shutil.copytree(workspace(), checkout, ignore=_NOT_CLONED, symlinks=True)
        self.checkout = checkout
        self.output_base = output_base
        self._environment = environment
        self._prefix = list(prefix)

    def start(self, *arguments):
        """The finished process, with stderr in stdout; it goes into the test's log as well."""
        # The idle time ends a server whose test was killed.
        bazel = [self.checkout / "bazelw", "--output_base=%s" % self.output_base, "--max_idle_secs=60"]
        done = subprocess.run(
            self._prefix + bazel + list(arguments),
            cwd=self.checkout,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        print("$ bazelw", *arguments, "\n" + done.stdout, flush=True)
        return done

    def run(self, *arguments):
        """What a command says; fails the test where the command fails."""
        done = self.start(*arguments)
        assert done.returncode == 0, "bazelw %s failed" % " ".join(arguments)
        return done.stdout


def spawns(execution_log):
    """The entries of a file that --execution_log_json_file wrote: JSON objects one after the other."""
    decoder = json.JSONDecoder()
    text = Path(execution_log).read_text(encoding="utf-8").strip()
    position = 0
    while position < len(text):
        entry, position = decoder.raw_decode(text, position)
        while position < len(text) and text[position].isspace():
            position += 1
        yield entry
