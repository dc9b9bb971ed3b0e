"""Fetches all that the build and its tests take from a network into one folder, or a .tar of it.

Started by `tools/vendor/run --output=FOLDER`; docs/air_gapped.md says what a machine without a network does
with it. The folder is a repository cache of Bazel: files named by their sha256, which Bazel checks when it takes
one. It holds what this machine's CPython and CPU need.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

_WORKSPACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ARCHIVE_SUFFIX = ".tar"


class _WrongInput(Exception):
    """What the caller asked for cannot be done; the message is one sentence."""


class _FetchFailed(Exception):
    """Something cannot be had; Bazel has said what."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise _WrongInput(message)


def _parse(arguments):
    parser = _Parser(prog="tools/vendor/run", description=__doc__.split("\n")[0], allow_abbrev=False)
    parser.add_argument(
        "--output",
        metavar="FOLDER|FILE.tar",
        help="a folder that is empty or does not exist, or a .tar file that does not exist",
    )
    output = parser.parse_args(arguments).output
    if not output:
        raise _WrongInput("--output is missing: the folder or the %s file to write" % _ARCHIVE_SUFFIX)
    output = os.path.abspath(output)
    parent = os.path.dirname(output)
    if not os.path.isdir(parent):
        raise _WrongInput("--output must be in a folder that exists; there is no folder %s" % parent)
    if not os.access(parent, os.W_OK | os.X_OK):
        raise _WrongInput("--output must be in a folder that can be written; %s cannot" % parent)
    if os.path.isdir(output):
        if output.endswith(_ARCHIVE_SUFFIX):
            raise _WrongInput("--output ends with %s, but %s is a folder" % (_ARCHIVE_SUFFIX, output))
        if os.listdir(output):
            raise _WrongInput("--output must be an empty folder or a new one; %s has files" % output)
    elif os.path.lexists(output):
        raise _WrongInput("--output must be new; %s exists" % output)
    return output


def _fetch(folder):
    """Fills the folder with the files of every repository, tests' and lint's included; what could not be had."""
    missing = []
    with tempfile.TemporaryDirectory(prefix="attnres-vendor-") as scratch:
        # A copy, since `//...` would follow the links that Bazel leaves in a checkout into another output base; and
        # an output base of its own, which has no repository yet, so that each asks the folder.
        checkout = os.path.join(scratch, "checkout")
        output_base = os.path.join(scratch, "output_base")
        shutil.copytree(_WORKSPACE, checkout, symlinks=True, ignore=shutil.ignore_patterns(".git", "bazel-*"))
        bazel = [os.path.join(checkout, "bazelw"), "--output_base=" + output_base, "--max_idle_secs=60"]
        try:
            command = bazel + ["fetch", "--noshow_progress", "--repository_cache=" + folder, "//..."]
            if subprocess.run(command, cwd=checkout).returncode != 0:
                raise _FetchFailed("not everything could be fetched, as said above; nothing was written")
            external = os.path.join(output_base, "external")
            if os.path.exists(os.path.join(external, "pip_torch", "site", "NOT_INSTALLED")):
                missing.append(
                    "PyTorch is not in it: set ATTNRES_TORCH_INDEX here to an index that has its CPU builds, or build"
                    " there with --repo_env=ATTNRES_TORCH_INDEX=none, which skips the tests that need it"
                )
            if not os.path.isdir(os.path.join(external, "buildifier", "unpacked")):
                missing.append(
                    "buildifier is not in it, as this machine has no npm: tools/lint skips BUILD files there"
                )
        finally:
            subprocess.run(bazel + ["shutdown"], cwd=checkout)
    return missing


def _without_origin(member):
    """The same folder gives the same archive, whoever makes it and when."""
    member.mtime = 0
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() else 0o644
    return member


def _write(folder, output):
    if not output.endswith(_ARCHIVE_SUFFIX):
        if os.path.isdir(output):
            os.rmdir(output)
        os.rename(folder, output)
        return
    archive_file = folder + _ARCHIVE_SUFFIX
    with tarfile.open(archive_file, "w", format=tarfile.GNU_FORMAT) as archive:
        # tarfile goes through a folder in the order of the names.
        archive.add(os.path.join(folder, "content_addressable"), "content_addressable", filter=_without_origin)
    os.rename(archive_file, output)


def main(arguments):
    try:
        output = _parse(arguments)
        # Beside the output, so that a rename makes it appear whole or not at all.
        with tempfile.TemporaryDirectory(prefix=".attnres-vendor-", dir=os.path.dirname(output)) as staging:
            folder = os.path.join(staging, "repository_cache")
            missing = _fetch(folder)
            os.chmod(folder, 0o755)
            _write(folder, output)
    except _WrongInput as fault:
        print("tools/vendor: %s" % fault, file=sys.stderr)
        return 2
    except _FetchFailed as fault:
        print("tools/vendor: %s" % fault, file=sys.stderr)
        return 1
    for sentence in missing:
        print("tools/vendor: %s" % sentence, file=sys.stderr)
    print("tools/vendor: wrote %s" % output, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
