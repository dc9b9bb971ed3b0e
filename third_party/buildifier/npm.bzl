"""Repository @buildifier: the program out of the pinned npm package.

No wheel of buildifier exists. A machine with neither npm nor the package in its repository cache gets a stand-in
that exits with 127, and the lint says that it skipped BUILD files.
"""

load(":pin.bzl", "PIN")

_BUILD = "exports_files([\"buildifier\"])\n"
_STAND_IN = "#!/bin/sh\necho 'buildifier: npm, which brings it, is not installed' >&2\nexit 127\n"
_ARCHES = {"aarch64": "arm64", "x86_64": "amd64"}

def _fetch(repository_ctx):
    """Unpacks the pinned package into `unpacked`; False where nothing can bring it."""

    # Without any address this asks the repository cache alone.
    cached = repository_ctx.download(url = [], output = PIN.archive, sha256 = PIN.sha256, allow_fail = True)
    if not cached.success:
        npm = repository_ctx.which("npm")
        if not npm:
            return False
        result = repository_ctx.execute([npm, "pack", "--silent", "{}@{}".format(PIN.package, PIN.version)], timeout = 600)
        if result.return_code != 0:
            fail("{}@{} could not be fetched by npm: {}\nCheck the network or the package registry (npm config list), then run the command again.".format(
                PIN.package,
                PIN.version,
                result.stderr.strip(),
            ))
    repository_ctx.download_and_extract(
        url = "file://" + str(repository_ctx.path(PIN.archive)),
        sha256 = PIN.sha256,
        output = "unpacked",
        type = "tar.gz",
    )
    return True

def _buildifier_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel", _BUILD)
    arch = _ARCHES.get(repository_ctx.execute(["uname", "-m"]).stdout.strip())
    if not arch or not _fetch(repository_ctx):
        repository_ctx.file("buildifier", _STAND_IN, executable = True)
        return
    repository_ctx.symlink("unpacked/package/buildifier-linux_" + arch, "buildifier")

_buildifier = repository_rule(implementation = _buildifier_impl, environ = ["PATH"])

def buildifier():
    """Declares @buildifier."""
    _buildifier(name = "buildifier")
