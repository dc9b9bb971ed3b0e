"""tools/bazel: `run //:attnres -- bench` gets the settings of the packages that it asks for, and nothing else does.

A stand-in for Bazel prints the arguments that it gets.
"""

import os
import subprocess

import pytest
from runfiles import Runfiles

_STAND_IN = '#!/bin/sh\nif [ "$1" = --version ]; then echo "bazel 4.2.3"; else printf "%s\\n" "$@"; fi\n'


@pytest.fixture(name="run")
def _run(tmp_path):
    """Calls tools/bazel; returns the arguments that Bazel gets after those for its own version."""
    real = tmp_path / "bazel-real"
    real.write_text(_STAND_IN)
    real.chmod(0o755)
    bazel = Runfiles.Create().Rlocation("%s/tools/bazel" % os.environ["TEST_WORKSPACE"])

    def call(*arguments):
        environment = dict(os.environ, BAZEL_REAL=str(real))
        done = subprocess.run([bazel, *arguments], env=environment, capture_output=True, text=True, check=True)
        rc, *rest = done.stdout.splitlines()
        assert rc.endswith("/tools/bazelrc/bazel4.bazelrc")
        return rest

    return call


def _settings(*packages):
    return ["--//python/attnres:with_%s" % package for package in packages]


@pytest.mark.parametrize(
    "arguments, packages",
    [
        ([], ["torch"]),
        (["--shapes=1x1x1, 2x2x2"], ["torch"]),
        (["--peers=copy,numpy"], []),
        (["--peers", "copy,torch_eager"], ["torch"]),
        (["--peers=jax_jit,numpy"], ["jax"]),
        (["--peers=torch_compile,jax_jit", "--plot=a b.png"], ["torch", "jax", "matplotlib"]),
    ],
    ids=lambda value: " ".join(value) or "none",
)
@pytest.mark.parametrize("target", ["//:attnres", ":attnres", "//python/attnres:cli"])
def test_bench_gets_what_it_asks_for(run, target, arguments, packages):
    before = ["--output_base=/a b", "run", "--jobs=2", target]
    after = ["--", "bench", *arguments]
    assert run(*before, *after) == before + _settings(*packages) + after


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "//:attnres", "--", "demo"],
        ["run", "//:attnres", "--", "tiling", "bench"],
        ["run", "//:attnres"],
        ["run", "//:attnres", "--"],
        ["run", "//tools/format", "--", "bench"],
        ["build", "//:attnres", "--", "bench"],
        ["test", "//..."],
        [],
    ],
    ids=" ".join,
)
def test_nothing_else_gets_a_setting(run, arguments):
    assert run(*arguments) == arguments
