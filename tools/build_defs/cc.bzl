"""C++ targets: warnings are errors in this workspace, googletest's main is linked in. No other flags are set here."""

load(":cc_rules.bzl", "cc_binary", "cc_library", "cc_test")

def warning_flags():
    """Flags for the sources of the package that calls: warnings are errors, but in another workspace they are only shown."""
    own = native.repository_name().lstrip("@") == Label("//tools/build_defs").workspace_name

    # A loop that must vectorise can fail to without optimisation; in opt that is an error like any other.
    return ["-Wall", "-Wextra"] + (["-Werror"] if own else []) + select({
        str(Label("//tools/build_defs:opt_mode")): [],
        "//conditions:default": ["-Wno-pass-failed"],
    })

def attnres_cc_library(name, copts = [], **kwargs):
    """A library: one header/source pair, exact deps.

    Args:
      name: the stem of the files.
      copts: flags beyond the warnings; rarely needed.
      **kwargs: as for cc_library.
    """
    cc_library(name = name, copts = warning_flags() + copts, linkstatic = True, **kwargs)

def attnres_cc_binary(name, copts = [], **kwargs):
    """A program, linked statically but for glibc.

    Args:
      name: the program's name.
      copts: flags beyond the warnings.
      **kwargs: as for cc_binary.
    """
    cc_binary(name = name, copts = warning_flags() + copts, **kwargs)

def attnres_cc_test(name, deps = [], copts = [], linkopts = [], size = "small", **kwargs):
    """A googletest program that fails if it holds no test.

    Args:
      name: stem of the test file.
      deps: what the test includes; googletest and its main come by themselves.
      copts: flags beyond the warnings.
      linkopts: flags for the linker.
      size: of the test; a unit test takes seconds.
      **kwargs: as for cc_test (shard_count works, googletest splits).
    """
    cc_test(
        name = name,
        size = size,
        copts = warning_flags() + copts,
        linkopts = linkopts + ["-pthread"],
        linkstatic = True,
        deps = deps + [
            Label("//tools/build_defs:gtest_main"),
            Label("@googletest//:gtest"),
        ],
        **kwargs
    )
