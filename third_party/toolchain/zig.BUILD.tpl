load("@attnres//third_party/toolchain:config.bzl", "zig_toolchain_config")

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

zig_toolchain_config(
    name = "config",
    cpu = "{cpu}",
    sdk = "{sdk}",
    target = "{target}",
)

cc_toolchain(
    name = "cc_toolchain",
    all_files = ":files",
    ar_files = ":files",
    as_files = ":files",
    compiler_files = ":files",
    dwp_files = ":empty",
    linker_files = ":files",
    objcopy_files = ":empty",
    strip_files = ":empty",
    supports_param_files = 1,
    toolchain_config = ":config",
    toolchain_identifier = "zig-{target}",
)

toolchain(
    name = "toolchain",
    exec_compatible_with = [
        "@platforms//cpu:{cpu}",
        "@platforms//os:linux",
    ],
    target_compatible_with = [
        "@platforms//cpu:{cpu}",
        "@platforms//os:linux",
    ],
    toolchain = ":cc_toolchain",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)
