"""A test that instructions of the twin give the same bits on every host instruction set."""

load(":cc.bzl", "attnres_cc_library", "attnres_cc_test")

# Suffix of the function -> options. Kernels are compiled -O3, so these are.
_TARGETS = {
    "Default": [],
    "V3": ["-march=x86_64_v3"],
    "V4": ["-march=x86_64_v4", "-mprefer-vector-width=512"],
}

def instruction_hashes(name, function, target_prefix, deps, copts = [], test_visibility = None):
    """Compiles NAME.cc once per host instruction set, and the test NAME_test.

    Args:
      name: NAME.cc defines the macro HASH_INSTRUCTIONS as a function that NAME.h declares, NAME_expected.h has the
        table, NAME_test.cc compares.
      function: that function's name without its suffix Default, V3 or V4.
      target_prefix: of ASCENDC_TWIN_TARGET, the twin's namespace of each; unlike any other in the tests.
      deps: the instructions.
      copts: more options for the instructions.
      test_visibility: of the test.
    """
    hash = str(Label("//cc/ascendc/testing:instruction_hash"))
    for suffix, options in _TARGETS.items():
        attnres_cc_library(
            name = name + "_" + suffix.lower(),
            testonly = True,
            srcs = [name + ".cc"],
            hdrs = [name + ".h"],
            copts = [
                "-O3",
                "-ffp-contract=off",
                "-fno-strict-aliasing",
                "-DHASH_INSTRUCTIONS=" + function + suffix,
                "-DASCENDC_TWIN_TARGET=" + target_prefix + suffix.lower(),
            ] + copts + options,
            target_compatible_with = [str(Label("@platforms//cpu:x86_64"))] if options else [],
            deps = deps + [hash, str(Label("//cc/ascendc/testing:instruction_hashing"))],
        )
    attnres_cc_library(
        name = name + "_expected",
        testonly = True,
        hdrs = [name + "_expected.h"],
        deps = [hash],
    )
    attnres_cc_test(
        name = name + "_test",
        srcs = [name + "_test.cc"],
        visibility = test_visibility,
        deps = [
            ":" + name + "_default",
            ":" + name + "_expected",
            str(Label("//cc/ascendc/testing:instruction_hash_table")),
        ] + select({
            str(Label("@platforms//cpu:x86_64")): [":" + name + "_v3", ":" + name + "_v4"],
            "//conditions:default": [],
        }),
    )
