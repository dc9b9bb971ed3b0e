"""Repository @zig_toolchain: the unpacked wheel, its wrappers and the cc_toolchain over them."""

load("//third_party:build_file.bzl", "write_build_file")
load("//third_party/python:wheel.bzl", "encode_releases", "fetch_wheel")
load(":pin.bzl", "PIN")

# Oldest glibc that the results run on; Debian 10, RHEL 8 and every manylinux_2_28 machine have it.
GLIBC = "2.28"

_CPUS = {"aarch64": "aarch64", "amd64": "x86_64", "arm64": "aarch64", "x86_64": "x86_64"}

def _zig_toolchain_impl(repository_ctx):
    machine = repository_ctx.execute(["uname", "-m"]).stdout.strip()
    if machine not in _CPUS:
        fail("zig_toolchain: no toolchain is described for machine {}, only for {}".format(machine, sorted(_CPUS.keys())))
    cpu = _CPUS[machine]
    fetch_wheel(repository_ctx, PIN.package, repository_ctx.attr.releases, "sdk")
    for tool in ("c++", "cc", "ar"):
        repository_ctx.template("tools/" + tool, repository_ctx.attr.wrapper, executable = True)
    write_build_file(repository_ctx, repository_ctx.read(repository_ctx.attr.build_template), {
        "{cpu}": cpu,
        "{glibc}": GLIBC,
        "{sdk}": str(repository_ctx.path("sdk/ziglang")),
    })

_zig_toolchain = repository_rule(
    implementation = _zig_toolchain_impl,
    attrs = {
        "build_template": attr.label(default = "//third_party/toolchain:zig.BUILD.tpl"),
        "releases": attr.string(mandatory = True),
        "wrapper": attr.label(default = "//third_party/toolchain:wrapper.sh"),
    },
)

def zig_toolchain():
    """Declares @zig_toolchain; WORKSPACE registers its `toolchain`, and those for aarch64."""
    _zig_toolchain(name = "zig_toolchain", releases = encode_releases(PIN))
