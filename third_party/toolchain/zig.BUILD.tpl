load("@attnres//third_party/toolchain:zig_cc_toolchain.bzl", "zig_cc_toolchain")

package(default_visibility = ["//visibility:public"])

# The wheel's 19,000 files go into an action as one directory.
filegroup(
    name = "files",
    srcs = [
        "sdk",
        "tools/ar",
        "tools/c++",
        "tools/cc",
    ],
)

filegroup(name = "empty")

# Of what the toolchain adds to a library: zig's own is that of compiler-rt and the start files.
filegroup(
    name = "zig_licence",
    srcs = ["sdk/ziglang/LICENSE"],
)

filegroup(
    name = "libcxx_licence",
    srcs = ["sdk/ziglang/lib/libcxx/LICENSE.TXT"],
)

filegroup(
    name = "libunwind_licence",
    srcs = ["sdk/ziglang/lib/libunwind/LICENSE.TXT"],
)

# For this machine, for aarch64 machines with a glibc, and for programs that run on any Linux of aarch64.
[
    zig_cc_toolchain(
        name = name,
        cpu = cpu,
        exec_cpu = "{cpu}",
        libc = libc,
        sdk = "{sdk}",
        target = target,
    )
    for name, cpu, libc, target in [
        ("", "{cpu}", "glibc", "{cpu}-linux-gnu.{glibc}"),
        ("aarch64_", "aarch64", "glibc", "aarch64-linux-gnu.{glibc}"),
        ("aarch64_static_", "aarch64", "musl", "aarch64-linux-musl"),
    ]
]
