"""The compiler wrapper: whose cache it accepts, and that nothing of the machine gets into its outputs."""

import os
import subprocess

import pytest
from runfiles import Runfiles

_SOURCE = '#include <stddef.h>\n#include "inner.h"\nextern "C" const char* where() { return __FILE__; }\n'


def _compile(folder, cache, **variables):
    wrapper = Runfiles.Create().Rlocation("zig_toolchain/tools/c++")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "inner.h").write_text("extern size_t length;\n")
    (folder / "outer.cc").write_text(_SOURCE)
    return subprocess.run(
        [
            wrapper,
            "-target",
            "x86_64-linux-gnu.2.28",
            "-O0",
            "-g",
            "-MD",
            "-MF",
            "outer.d",
            "-c",
            "outer.cc",
            "-o",
            "outer.o",
        ],
        cwd=folder,
        env=dict({"PATH": "/bin:/usr/bin", "ATTNRES_ZIG_CACHE_DIR": str(cache)}, **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_outputs_do_not_depend_on_folder_or_user(tmp_path):
    short, long = tmp_path / "a", tmp_path / "a_longer_name" / "below"
    done = _compile(short, tmp_path / "cache")
    assert done.returncode == 0, done.stdout
    done = _compile(long, tmp_path / "cache", HOME="/nonexistent", USER="somebody", LANG="C")
    assert done.returncode == 0, done.stdout
    compiled = (short / "outer.o").read_bytes()
    assert compiled == (long / "outer.o").read_bytes()
    assert str(tmp_path).encode() not in compiled


def test_dependency_list_names_own_headers_only(tmp_path):
    assert _compile(tmp_path / "a", tmp_path / "cache").returncode == 0
    listed = (tmp_path / "a" / "outer.d").read_text().replace("\\\n", " ").split()
    assert listed == ["outer.o:", "outer.cc", "inner.h"]


def test_cache_is_private_to_the_user(tmp_path):
    assert _compile(tmp_path / "a", tmp_path / "cache").returncode == 0
    assert os.stat(tmp_path / "cache").st_mode & 0o777 == 0o700


@pytest.mark.parametrize("kind", ["file", "missing-parent"])
def test_unusable_cache_is_named_with_its_setting(tmp_path, kind):
    cache = tmp_path / "file"
    cache.write_text("")
    if kind == "missing-parent":
        cache = cache / "below"
    done = _compile(tmp_path / "a", cache)
    assert done.returncode == 1
    assert str(cache) in done.stdout
    assert "ATTNRES_ZIG_CACHE_DIR" in done.stdout
