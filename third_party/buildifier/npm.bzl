"""Repository @buildifier: the program out of the pinned npm package.

No wheel of buildifier exists. A machine without npm gets a stand-in that exits with 127, and the
lint says that it skipped BUILD files.
"""

load(":pin.bzl", "PIN")

_BUILD = "exports_files([\"buildifier\"])\n"
_STAND_IN = "#!/bin/sh\necho 'buildifier: npm, which brings it, is not installed' >&2\nexit 127\n"
_ARCHES = {"aarch64": "arm64", "x86_64": "amd64"}

def _buildifier_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel", _BUILD)
    npm = repository_ctx.which("npm")
    arch = _ARCHES.get(repository_ctx.execute(["uname", "-m"]).stdout.strip())
    if not npm or not arch:
        repository_ctx.file("buildifier", _STAND_IN, executable = True)
        return
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
    repository_ctx.symlink("unpacked/package/buildifier-linux_" + arch, "buildifier")

_buildifier = repository_rule(implementation = _buildifier_impl, environ = ["PATH"])

def buildifier():
    """Declares @buildifier."""
    _buildifier(name = "buildifier")
