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

# For this machine, and for aarch64.
[
    zig_cc_toolchain(
        name = name,
        cpu = cpu,
        exec_cpu = "{cpu}",
        sdk = "{sdk}",
        target = cpu + "-linux-gnu.{glibc}",
    )
    for name, cpu in [
        ("", "{cpu}"),
        ("aarch64_", "aarch64"),
    ]
]
