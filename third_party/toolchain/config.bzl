"""Flags of the zig toolchain. Warnings are no business of it: macros in tools/build_defs set them."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load(
    "@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl",
    "feature",
    "flag_group",
    "flag_set",
    "tool_path",
    "with_feature_set",
)

_C_AND_CPP = [
    ACTION_NAMES.c_compile,
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.assemble,
    ACTION_NAMES.preprocess_assemble,
]
_CPP = [ACTION_NAMES.cpp_compile, ACTION_NAMES.cpp_header_parsing]
_LINK = [
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

# zig turns a trapping UBSan on at -O0 by itself. It stays on in fastbuild and dbg, said
# explicitly: a trap there is a bug in our code, not in the build. opt has none.
_SANITISE = ["-fsanitize=undefined", "-fsanitize-trap=undefined"]

def _flags(actions, flags, mode = None):
    return flag_set(
        actions = actions,
        flag_groups = [flag_group(flags = flags)],
        with_features = [with_feature_set(features = [mode])] if mode else [],
    )

def _impl(ctx):
    target = ["-target", ctx.attr.target]
    features = [
        feature(name = "opt"),
        feature(name = "dbg"),
        feature(name = "fastbuild"),
        feature(name = "supports_pic", enabled = True),
        feature(name = "supports_dynamic_linker", enabled = True),
        feature(
            name = "default_compile_flags",
            enabled = True,
            flag_sets = [
                _flags(_C_AND_CPP, target + [
                    "-fno-omit-frame-pointer",
                    "-ffunction-sections",
                    "-fdata-sections",
                    # Each float operation rounds where the source says so, on every host instruction set.
                    "-ffp-contract=off",
                ]),
                _flags(_C_AND_CPP, ["-O2", "-g0", "-DNDEBUG"], "opt"),
                _flags(_C_AND_CPP, ["-O0", "-g"] + _SANITISE, "dbg"),
                _flags(_C_AND_CPP, ["-O1", "-g0"] + _SANITISE, "fastbuild"),
                _flags(_CPP, ["-std=c++17", "-fvisibility-inlines-hidden"]),
            ],
        ),
        feature(
            name = "default_link_flags",
            enabled = True,
            flag_sets = [
                _flags(_LINK, target + ["-Wl,--gc-sections"]),
                _flags(_LINK, ["-O2", "-Wl,-s"], "opt"),
                # zig builds its libc++ as a link is: optimised, so that one build serves both modes.
                _flags(_LINK, ["-O1"], "fastbuild"),
                _flags(_LINK, ["-O1"], "dbg"),
            ],
        ),
        feature(
            name = "unfiltered_compile_flags",
            enabled = True,
            flag_sets = [_flags(_C_AND_CPP, [
                "-Wno-builtin-macro-redefined",
                "-D__DATE__=\"redacted\"",
                "-D__TIME__=\"redacted\"",
                "-D__TIMESTAMP__=\"redacted\"",
            ])],
        ),
    ]
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "glibc",
        abi_version = "gcc",
        compiler = "clang",
        # Absolute, since zig looks its headers up by their real path.
        cxx_builtin_include_directories = [ctx.attr.sdk + "/lib"],
        features = features,
        host_system_name = "local",
        target_cpu = {"aarch64": "aarch64", "x86_64": "k8"}[ctx.attr.cpu],
        target_libc = "glibc",
        target_system_name = ctx.attr.target,
        tool_paths = [
            tool_path(name = "ar", path = "tools/ar"),
            tool_path(name = "cpp", path = "tools/c++"),
            tool_path(name = "gcc", path = "tools/c++"),
            tool_path(name = "gcov", path = "/bin/false"),
            tool_path(name = "ld", path = "tools/c++"),
            tool_path(name = "nm", path = "/bin/false"),
            tool_path(name = "objcopy", path = "/bin/false"),
            tool_path(name = "objdump", path = "/bin/false"),
            tool_path(name = "strip", path = "/bin/false"),
        ],
        toolchain_identifier = "zig-" + ctx.attr.target,
    )

zig_toolchain_config = rule(
    implementation = _impl,
    attrs = {
        "cpu": attr.string(mandatory = True),
        "sdk": attr.string(mandatory = True),
        "target": attr.string(mandatory = True),
    },
    provides = [CcToolchainConfigInfo],
)
