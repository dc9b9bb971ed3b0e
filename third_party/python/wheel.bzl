"""Fetches a pinned wheel with pip and unpacks it: one repository per package.

pip chooses the file for the machine's interpreter and libc out of the hashes in the pin;
anything else is refused. `fetch_wheel` and what follows it are for rules that add more to the repository.
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
    """Downloads the pinned release that fits the interpreter and unpacks it; fails where it cannot.

    Args:
      repository_ctx: the rule's context.
      package: the distribution's name, as its registry spells it.
      releases_json: the pin's releases, as `encode_releases` made them.
      into: the folder to unpack into, inside the repository.
    """
    fault = try_fetch_wheel(repository_ctx, package, releases_json, into)
    if fault:
        fail(fault.message)

def try_fetch_wheel(repository_ctx, package, releases_json, into, index = None):
    """`fetch_wheel` that returns what went wrong.

    Args:
      repository_ctx: the rule's context.
      package: the distribution's name, as its registry spells it.
      releases_json: the pin's releases, as `encode_releases` made them.
      into: the folder to unpack into, inside the repository.
      index: the package index to ask; None stands for pip's own.

    Returns:
      None, or a struct: `message`, and `absent`, whether an index answered that it has no such wheel.
    """
    python = python_path(repository_ctx)
    facts = repository_ctx.execute([python, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
    version = facts.stdout.strip()
    chosen = None
    for release in json.decode(releases_json):
        if not release["pythons"] or version in release["pythons"]:
            chosen = release
    if not chosen:
        return struct(
            message = "{}: no release is pinned for CPython {}; add one with tools/lock/update.py".format(package, version),
            absent = True,
        )
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
        ] + (["--index-url=" + index] if index else []),
        # A constraint file of the machine must not overrule the pin.
        environment = {"PIP_CONSTRAINT": "", "PIP_REQUIRE_VIRTUALENV": "false", "PIP_USER": "false"},
        timeout = 1800,
    )
    wheels = repository_ctx.path("download").readdir() if repository_ctx.path("download").exists else []
    if result.return_code != 0 or len(wheels) != 1:
        output = (result.stderr or result.stdout).strip()
        return struct(
            message = "{0}=={1} could not be fetched by pip for CPython {2}: {3}\nCheck the network or the package index (pip config list), then run the command again; to move the pin, run tools/lock/update.py {0}.".format(
                package,
                chosen["version"],
                version,
                output,
            ),
            # An index that cannot be reached has no versions at all.
            absent = "No matching distribution found" in output and "(from versions: none)" not in output,
        )
    _unzip(repository_ctx, python, wheels[0], into)
    repository_ctx.delete("download")
    return None

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

def compile_site(repository_ctx, package):
    """Compiles the modules in the repository's folder `site`."""
    python = python_path(repository_ctx)
    compiled = repository_ctx.execute(
        [python, "-I"] + _COMPILE + ["-s", str(repository_ctx.path("site")), "-p", repository_ctx.name, "site"],
        timeout = 600,
    )
    if compiled.return_code not in (0, 1):
        fail("{}: compileall failed: {}".format(package, compiled.stderr))

def site_build(deps):
    """A BUILD file whose `pkg` is the repository's folder `site`, with the labels that it imports."""
    return _BUILD.format(deps = repr(deps))

def _wheel_impl(repository_ctx):
    fetch_wheel(repository_ctx, repository_ctx.attr.package, repository_ctx.attr.releases, "site")
    compile_site(repository_ctx, repository_ctx.attr.package)
    if repository_ctx.attr.overlay:
        repository_ctx.symlink(repository_ctx.attr.overlay, "BUILD.bazel")
    else:
        repository_ctx.file("BUILD.bazel", site_build(repository_ctx.attr.wheel_deps))

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
        wheel_deps = package_labels(deps),
    )

def package_labels(packages):
    """The labels of the packages' `pkg` targets."""
    return ["@pip_{}//:pkg".format(package.replace("-", "_")) for package in packages]
