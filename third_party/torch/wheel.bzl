"""Repository @pip_torch: PyTorch's CPU build, which only the targets that compare with it fetch.

The CPU builds have an index of their own; pip's default one has builds for CUDA, of several gigabytes with what
they need. Where pip's index has none and ATTNRES_TORCH_INDEX names no other, or where it says `none`, the package
stays empty, the setting `unavailable` is on, and tests of it are skipped: nothing else of the workspace needs it.
"""

load("//third_party:build_file.bzl", "write_build_file")
load("//third_party/python:wheel.bzl", "compile_site", "encode_releases", "package_labels", "site_build", "try_fetch_wheel")
load(":pin.bzl", "PIN")

_INDEX = "ATTNRES_TORCH_INDEX"
_NO_INDEX = "none"

_AVAILABILITY = """
load("@attnres//tools/build_defs:settings.bzl", "bool_setting")

bool_setting(
    name = "unavailable",
    default = {unavailable},
)
"""

def _torch_impl(repository_ctx):
    index = repository_ctx.os.environ.get(_INDEX)
    if index == _NO_INDEX:
        index = None
        fault = struct(message = "{} is {}".format(_INDEX, _NO_INDEX), absent = True)
    else:
        fault = try_fetch_wheel(repository_ctx, PIN.package, repository_ctx.attr.releases, "site", index)
    if fault:
        hint = "{} names another package index to ask, such as the one of PyTorch's CPU builds".format(_INDEX)
        if index or not fault.absent:
            fail("{}\n{}.".format(fault.message, hint))

        # buildifier: disable=print
        print("@pip_torch stays empty, and what compares with PyTorch is skipped: {}\n{}.".format(fault.message, hint))
        repository_ctx.file("site/NOT_INSTALLED", fault.message + "\n", executable = False)
    else:
        compile_site(repository_ctx, PIN.package)
    write_build_file(
        repository_ctx,
        site_build(repository_ctx.attr.wheel_deps) + _AVAILABILITY.format(unavailable = bool(fault)),
    )

_torch = repository_rule(
    implementation = _torch_impl,
    attrs = {
        "releases": attr.string(mandatory = True),
        "wheel_deps": attr.string_list(),
    },
    environ = [_INDEX],
)

def torch(deps):
    """Declares @pip_torch: target `pkg`, and the setting `unavailable` with the config_setting `unavailable_on`."""
    _torch(
        name = "pip_torch",
        releases = encode_releases(PIN),
        wheel_deps = package_labels(deps),
    )
