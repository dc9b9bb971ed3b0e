"""One target of the zig toolchain: its configuration, the cc_toolchain and the toolchain over them."""

load(":config.bzl", "zig_toolchain_config")

def zig_cc_toolchain(name, cpu, exec_cpu, sdk, target):
    """Declares :<name>config, :<name>cc_toolchain and :<name>toolchain.

    Args:
      name: prefix of the names; "" for that of the machine itself.
      cpu: the target's, aarch64 or x86_64.
      exec_cpu: the machine's that compiles.
      sdk: absolute path of the unpacked wheel.
      target: as zig spells it.
    """
    zig_toolchain_config(
        name = name + "config",
        cpu = cpu,
        sdk = sdk,
        target = target,
    )
    native.cc_toolchain(
        name = name + "cc_toolchain",
        all_files = ":files",
        ar_files = ":files",
        as_files = ":files",
        compiler_files = ":files",
        dwp_files = ":empty",
        linker_files = ":files",
        objcopy_files = ":empty",
        strip_files = ":empty",
        supports_param_files = 1,
        toolchain_config = ":" + name + "config",
        toolchain_identifier = "zig-" + target,
    )
    native.toolchain(
        name = name + "toolchain",
        exec_compatible_with = [
            "@platforms//cpu:" + exec_cpu,
            "@platforms//os:linux",
        ],
        target_compatible_with = [
            "@platforms//cpu:" + cpu,
            "@platforms//os:linux",
        ],
        toolchain = ":" + name + "cc_toolchain",
        toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
    )
