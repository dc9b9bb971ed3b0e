"""Fetches a pinned wheel and unpacks it: one repository per package.

The pin has the hash of the wheel for the machine's interpreter and CPU. Bazel's repository cache is asked for it
first, and pip where the cache has none; the cache keeps what pip brings, and anything with another hash is refused.
`fetch_wheel` and what follows it are for rules that add more to the repository.
"""

load("//third_party:build_file.bzl", "write_build_file")
load(":interpreter.bzl", "python_path")

# The CPythons that a pin without `pythons` serves, in the order of its hashes: one hash for all, or one for each.
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]

# Policies that a wheel for another CPU may follow; pip derives none of them from another.
_MANYLINUX = ["manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014"]

_WHEEL = "wheel.zip"

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

def fetch_wheel(repository_ctx, package, releases_json, into, machine = None):
    """Downloads the pinned release that fits the interpreter and unpacks it; fails where it cannot.

    Args:
      repository_ctx: the rule's context.
      package: the distribution's name, as its registry spells it.
      releases_json: the pin's releases, as `encode_releases` made them.
      into: the folder to unpack into, inside the repository.
      machine: for which CPU, such as aarch64; None stands for this one.
    """
    fault = try_fetch_wheel(repository_ctx, package, releases_json, into, machine = machine)
    if fault:
        fail(fault.message)

def try_fetch_wheel(repository_ctx, package, releases_json, into, index = None, machine = None):
    """`fetch_wheel` that returns what went wrong.

    Args:
      repository_ctx: the rule's context.
      package: the distribution's name, as its registry spells it.
      releases_json: the pin's releases, as `encode_releases` made them.
      into: the folder to unpack into, inside the repository.
      index: the package index to ask; None stands for pip's own.
      machine: as for fetch_wheel.

    Returns:
      None, or a struct: `message`, and `absent`, whether an index answered that it has no such wheel.
    """
    python = python_path(repository_ctx)
    facts = repository_ctx.execute([
        python,
        "-I",
        "-c",
        "import platform, sys; print('%d.%d' % sys.version_info[:2], platform.machine())",
    ])
    version, arch = facts.stdout.strip().split(" ")
    options = _options_for(machine, version)
    arch = machine or arch
    chosen = None
    for release in json.decode(releases_json):
        if not release["pythons"] or version in release["pythons"]:
            chosen = release
    sha256 = _wheel_hash(chosen, version, arch)
    if not sha256:
        return struct(
            message = "{}: no wheel is pinned for CPython {} on {}; add one with tools/lock/update.py".format(package, version, arch),
            absent = True,
        )
    fault = _download(repository_ctx, python, "{}=={}".format(package, chosen["version"]), sha256, index, options)
    if fault:
        return struct(
            message = "{0}=={1} could not be fetched by pip for CPython {2}: {3}\nCheck the network or the package index (pip config list), then run the command again; to move the pin, run tools/lock/update.py {0}.".format(
                package,
                chosen["version"],
                version,
                fault,
            ),
            # An index that cannot be reached has no versions at all.
            absent = "No matching distribution found" in fault and "(from versions: none)" not in fault,
        )
    _unzip(repository_ctx, python, _WHEEL, into)
    repository_ctx.delete(_WHEEL)
    return None

def _wheel_hash(release, version, arch):
    """The hash of the release's wheel for an interpreter; None where it has none."""
    if not release or arch not in release["sha256"]:
        return None
    hashes = release["sha256"][arch]
    if len(hashes) == 1:
        return hashes[0]
    pythons = release["pythons"] or PYTHONS
    return hashes[pythons.index(version)] if version in pythons else None

def _options_for(machine, python):
    """What tells pip that the wheel is for another CPU."""
    if not machine:
        return []
    return ["--implementation=cp", "--python-version=" + python] + [
        "--platform={}_{}".format(policy, machine)
        for policy in _MANYLINUX
    ]

def _download(repository_ctx, python, requirement, sha256, index, options):
    """Puts the wheel of that hash at _WHEEL; returns what pip says where it cannot."""

    # Without any address this asks the repository cache alone.
    if repository_ctx.download(url = [], output = _WHEEL, sha256 = sha256, allow_fail = True).success:
        return None
    repository_ctx.file("requirement.txt", "{} --hash=sha256:{}\n".format(requirement, sha256), executable = False)
    repository_ctx.report_progress("pip download " + requirement)
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
        ] + (["--index-url=" + index] if index else []) + options,
        # A constraint file of the machine must not overrule the pin.
        environment = {"PIP_CONSTRAINT": "", "PIP_REQUIRE_VIRTUALENV": "false", "PIP_USER": "false"},
        timeout = 1800,
    )
    wheels = repository_ctx.path("download").readdir() if repository_ctx.path("download").exists else []
    if result.return_code != 0 or len(wheels) != 1:
        return (result.stderr or result.stdout).strip()
    repository_ctx.download(url = "file://" + str(wheels[0]), output = _WHEEL, sha256 = sha256)
    repository_ctx.delete("download")
    repository_ctx.delete("requirement.txt")
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
    overlay = repository_ctx.attr.overlay
    write_build_file(repository_ctx, repository_ctx.read(overlay) if overlay else site_build(repository_ctx.attr.wheel_deps))

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
