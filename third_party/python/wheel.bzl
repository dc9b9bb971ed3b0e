"""Fetches a pinned wheel with pip and unpacks it: one repository per package.

pip chooses the file for the machine's interpreter and libc out of the hashes in the pin;
anything else is refused. `fetch_wheel` is for rules that add more to the repository.
"""

load(":interpreter.bzl", "python_path")

# Compiled beforehand, because nothing may write into the repository later (a .pyc written by
# root would change inputs of actions). Unchecked hashes and stripped paths: the same bytes everywhere.
_COMPILE = ["-m", "compileall", "-q", "-j", "1", "--invalidation-mode", "unchecked-hash"]

_BUILD = """load("@attnres//tools/build_defs:py_rules.bzl", "py_library")

package(default_visibility = ["//visibility:public"])

exports_files(["site"])

py_library(
    name = "pkg",
    data = ["site"],
    imports = ["site"],
    deps = {deps},
)
"""

def fetch_wheel(repository_ctx, package, releases_json, into):
    """Downloads the pinned release that fits the interpreter and unpacks it.

    Args:
      repository_ctx: the rule's context.
      package: the distribution's name, as its registry spells it.
      releases_json: the pin's releases, as `encode_releases` made them.
      into: the folder to unpack into, inside the repository.
    """
    python = python_path(repository_ctx)
    facts = repository_ctx.execute([python, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
    version = facts.stdout.strip()
    chosen = None
    for release in json.decode(releases_json):
        if not release["pythons"] or version in release["pythons"]:
            chosen = release
    if not chosen:
        fail("{}: no release is pinned for CPython {}; add one with tools/lock/update.py".format(package, version))
    hashes = []
    for arch in sorted(chosen["sha256"].keys()):
        hashes += chosen["sha256"][arch]
    repository_ctx.file("requirement.txt", "{}=={} {}\n".format(
        package,
        chosen["version"],
        " ".join(["--hash=sha256:" + h for h in hashes]),
    ), executable = False)
    repository_ctx.report_progress("pip download {}=={}".format(package, chosen["version"]))
    result = repository_ctx.execute(
        [
            python,
            "-I",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "download",
            "--quiet",
            "--no-input",
            "--only-binary=:all:",
            "--no-deps",
            "--require-hashes",
            "--dest=download",
            "--requirement=requirement.txt",
        ],
        # A constraint file of the machine must not overrule the pin.
        environment = {"PIP_CONSTRAINT": "", "PIP_REQUIRE_VIRTUALENV": "false", "PIP_USER": "false"},
        timeout = 1800,
    )
    wheels = repository_ctx.path("download").readdir() if repository_ctx.path("download").exists else []
    if result.return_code != 0 or len(wheels) != 1:
        fail("{0}=={1} could not be fetched by pip for CPython {2}: {3}\nCheck the network or the package index (pip config list), then run the command again; to move the pin, run tools/lock/update.py {0}.".format(
            package,
            chosen["version"],
            version,
            (result.stderr or result.stdout).strip(),
        ))
    _unzip(repository_ctx, python, wheels[0], into)
    repository_ctx.delete("download")

def _unzip(repository_ctx, python, wheel, into):
    # Python's own zipfile drops permissions, so set the executable bits that the archive records.
    script = """
import os, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
for info in archive.infolist():
    path = archive.extract(info, sys.argv[2])
    mode = info.external_attr >> 16 & 0o777
    if mode and not info.is_dir():
        os.chmod(path, mode | 0o600)
"""
    result = repository_ctx.execute([python, "-I", "-c", script, wheel, into], timeout = 600)
    if result.return_code != 0:
        fail("cannot unpack {}: {}".format(wheel, result.stderr))

def _wheel_impl(repository_ctx):
    fetch_wheel(repository_ctx, repository_ctx.attr.package, repository_ctx.attr.releases, "site")
    python = python_path(repository_ctx)
    compiled = repository_ctx.execute(
        [python, "-I"] + _COMPILE + ["-s", str(repository_ctx.path("site")), "-p", repository_ctx.name, "site"],
        timeout = 600,
    )
    if compiled.return_code not in (0, 1):
        fail("{}: compileall failed: {}".format(repository_ctx.attr.package, compiled.stderr))
    if repository_ctx.attr.overlay:
        repository_ctx.symlink(repository_ctx.attr.overlay, "BUILD.bazel")
    else:
        repository_ctx.file("BUILD.bazel", _BUILD.format(deps = repr(repository_ctx.attr.wheel_deps)))

_wheel = repository_rule(
    implementation = _wheel_impl,
    attrs = {
        "overlay": attr.label(allow_single_file = True),
        "package": attr.string(mandatory = True),
        "releases": attr.string(mandatory = True, doc = "JSON of the pin's releases"),
        "wheel_deps": attr.string_list(doc = "labels of the packages that this one imports"),
    },
)

def encode_releases(pin):
    """The pin's releases as a string attribute."""
    return json.encode(pin.releases)

def wheel(pin, deps = [], overlay = None):
    """Declares @pip_<package>, with target `pkg` unless an overlay says otherwise."""
    _wheel(
        name = "pip_" + pin.package.replace("-", "_"),
        overlay = overlay,
        package = pin.package,
        releases = encode_releases(pin),
        wheel_deps = ["@pip_{}//:pkg".format(dep.replace("-", "_")) for dep in deps],
    )
