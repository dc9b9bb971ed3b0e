"""The libraries, Python extensions and the wheel are the same bytes wherever and by whomever they are built.

Each mode is built twice for real, in checkouts and output bases whose paths differ in length: the second time by
a user with another name, home, language, time zone and PATH, and with a compiler whose own cache is empty. The
mode that the test itself was built in has its first build in the runfiles. A third build, for the machine's user
again, finds every action of the second in the disk cache.
"""

import datetime
import hashlib
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from runfiles import Runfiles

from tests.build.inner_bazel import InnerBazel, machine_environment, spawns, workspace

# label: a pattern of its one file below bazel-bin
_OUTPUTS = {
    "//cc/acl:ascendcl": "cc/acl/libascendcl.so",
    "//op_host:opapi": "op_host/libcust_opapi.so",
    "//python/attnres:_tiling_native": "python/attnres/_tiling_native.so",
    "//python/attnres:_twin": "python/attnres/_twin.so",
    "//python:wheel": "python/attnres-*.whl",
}
_MODES = ["fastbuild", "opt", "dbg"]

_STRANGER = "attnres-stranger"

# Where the compiler's wrapper keeps the C++ library, out of which every output base is served.
_COMPILER_CACHE = "/tmp/attnres-zig-lib-%d" % os.getuid()


def _stranger_environment(folder):
    home = folder / ("home-of-" + _STRANGER)
    home.mkdir()
    return dict(
        machine_environment(),
        HOME=str(home),
        USER=_STRANGER,
        LOGNAME=_STRANGER,
        LANG="de_DE.UTF-8",
        LC_ALL="de_DE.UTF-8",
        TZ="Asia/Tokyo",
        PATH="/usr/local/bin:/usr/bin:/bin:/opt/%s/bin" % _STRANGER,
    )


class _Builds:
    """The three builds of every mode, and what must not show in any."""

    def __init__(self, folder):
        self.started = datetime.datetime.now()
        self._folder = folder
        given = Path(os.path.realpath(_runfile("cc/acl/libascendcl.so")))
        configuration = given.parents[3].name if given.parents[2].name == "bin" else ""
        self._given_mode = configuration.rpartition("-")[2]
        assert self._given_mode in _MODES, given
        self._outer_output_base = given.parents[7]
        first = folder / "a"
        second = folder / "second" / "in a rather long path".replace(" ", "-") / "attnres-of-somebody-else"
        third = folder / "third" / "attnres"
        self._cold_cache = folder / "compiler_cache"
        self._cold_cache.mkdir(mode=0o700)
        self.first = InnerBazel(first, folder / "o", machine_environment())
        self.second = InnerBazel(second, folder / "output-base-of-the-second", _stranger_environment(folder))
        self.third = InnerBazel(third, folder / "output_base_3", machine_environment())
        # Only for sources: the machine's user has them, the other one has another home.
        cache = self.first.run("info", "repository_cache").strip().splitlines()[-1]
        self._repositories = "--repository_cache=" + cache
        self._disk_cache = "--disk_cache=%s" % (folder / "disk_cache")

    def close(self):
        for inner in (self.first, self.second, self.third):
            inner.start("shutdown")

    def _build(self, inner, mode, *flags):
        inner.run("build", "--noshow_progress", "--compilation_mode=" + mode, self._repositories, *flags, *_OUTPUTS)
        kept = self._folder / "kept" / inner.output_base.name / mode
        for pattern in _OUTPUTS.values():
            output = _only(inner.checkout / "bazel-bin", pattern)
            (kept / pattern).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(output, (kept / pattern).with_name(output.name))
        return kept

    def of(self, mode):
        """The folders of the first and the second build."""
        if mode == self._given_mode:
            first = Path(_runfile("bazelw")).parent
        else:
            first = self._build(self.first, mode, "--disk_cache=")
        second = self._build(
            self.second,
            mode,
            self._disk_cache,
            "--sandbox_writable_path=" + _COMPILER_CACHE,
            "--sandbox_add_mount_pair=%s:%s" % (self._cold_cache, _COMPILER_CACHE),
        )
        assert os.listdir(self._cold_cache), "the second build did not use the compiler's empty cache"
        return first, second

    def missed(self, mode):
        """What the third build had to run itself, out of how many actions."""
        log = self._folder / ("%s.log" % mode)
        self._build(self.third, mode, self._disk_cache, "--execution_log_json_file=%s" % log)
        actions = list(spawns(log))
        return [action for action in actions if not action.get("remoteCacheHit")], len(actions)

    def traces(self):
        """Bytes that would tell where, by whom or when something was built."""
        paths = [workspace(), self._outer_output_base, self._folder, Path.home(), _COMPILER_CACHE]
        for inner in (self.first, self.second, self.third):
            paths += [inner.checkout, inner.output_base]
        found = {str(path).encode() for path in paths} | {os.path.realpath(path).encode() for path in paths}
        found |= {_STRANGER.encode(), b"de_DE.UTF-8", b"Asia/Tokyo", b"/execroot/", b"linux-sandbox", b"/home/"}
        for day in (self.started, datetime.datetime.now()):
            for form in ("%Y-%m-%d", "%b %e %Y", "%b %d %Y", "%a %b %e", "%Y%m%d"):
                found.add(day.strftime(form).encode())
        return sorted(found)


def _runfile(name):
    return Runfiles.Create().Rlocation("%s/%s" % (os.environ["TEST_WORKSPACE"], name))


def _only(folder, pattern):
    """The one file of that pattern."""
    (file,) = folder.glob(pattern)
    return file


def _digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _contents(path):
    """The file as it is, and the names and contents of an archive's members."""
    yield path.name, path.read_bytes()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                yield member.filename, member.filename.encode() + b"\0" + archive.read(member)


@pytest.fixture(scope="module", name="builds")
def _fixture_builds(tmp_path_factory):
    builds = _Builds(tmp_path_factory.mktemp("builds"))
    yield builds
    builds.close()


@pytest.fixture(scope="module", params=_MODES, name="built")
def _fixture_built(request, builds):
    return (request.param, *builds.of(request.param))


@pytest.mark.parametrize("output", _OUTPUTS)
def test_same_bytes_in_two_checkouts(built, output):
    _, first, second = built
    assert _digest(_only(first, _OUTPUTS[output])) == _digest(_only(second, _OUTPUTS[output]))


@pytest.mark.parametrize("output", _OUTPUTS)
def test_nothing_tells_where_or_by_whom_it_was_built(builds, built, output):
    traces = builds.traces()
    for folder in built[1:]:
        for member, content in _contents(_only(folder, _OUTPUTS[output])):
            assert [trace for trace in traces if trace in content] == [], member


def test_another_user_finds_every_action_in_the_cache(builds, built):
    missed, total = builds.missed(built[0])
    assert total > len(_OUTPUTS)
    assert [action["listedOutputs"] for action in missed] == []
