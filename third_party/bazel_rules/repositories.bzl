"""Stand-ins for what Bazel's own packages load, which would otherwise be downloaded.

Bazel 4 loads @rules_cc, @rules_java and @rules_proto from its built-in packages, and cc tests
ask for @remote_coverage_tools. This project uses none of them, so each is a small repository
that re-exports the native rules; the coverage tools say that coverage is not supported.
"""

_NATIVE = {
    "rules_cc": ("cc/defs.bzl", [
        "cc_binary",
        "cc_import",
        "cc_library",
        "cc_proto_library",
        "cc_test",
        "cc_toolchain",
        "cc_toolchain_suite",
        "objc_library",
    ]),
    "rules_java": ("java/defs.bzl", [
        "java_binary",
        "java_import",
        "java_library",
        "java_lite_proto_library",
        "java_package_configuration",
        "java_plugin",
        "java_proto_library",
        "java_runtime",
        "java_test",
        "java_toolchain",
    ]),
    "rules_proto": ("proto/defs.bzl", [
        "proto_lang_toolchain",
        "proto_library",
    ]),
}

def _native_rules_impl(repository_ctx):
    path, names = _NATIVE[repository_ctx.attr.rules]
    repository_ctx.file("BUILD.bazel", "")
    repository_ctx.file(path.split("/")[0] + "/BUILD.bazel", "package(default_visibility = [\"//visibility:public\"])\n")
    lines = ["\"\"\"The native rules under the names that rule repositories use.\"\"\"", ""]
    for name in names:
        lines.append("{0} = getattr(native, \"{0}\", None)".format(name))
    repository_ctx.file(path, "\n".join(lines) + "\n")

_native_rules = repository_rule(
    implementation = _native_rules_impl,
    attrs = {"rules": attr.string(values = sorted(_NATIVE.keys()))},
)

def _coverage_tools_impl(repository_ctx):
    repository_ctx.file("no_coverage.sh", "#!/bin/sh\necho 'coverage is not supported by this workspace' >&2\nexit 1\n")
    repository_ctx.file("BUILD.bazel", """package(default_visibility = ["//visibility:public"])

sh_binary(
    name = "coverage_report_generator",
    srcs = ["no_coverage.sh"],
)

sh_binary(
    name = "lcov_merger",
    srcs = ["no_coverage.sh"],
)
""")

_coverage_tools = repository_rule(implementation = _coverage_tools_impl)

def bazel_rules():
    """Declares the stand-ins; first in WORKSPACE, so that they win over Bazel's own."""
    for rules in sorted(_NATIVE.keys()):
        if not native.existing_rule(rules):
            _native_rules(name = rules, rules = rules)
    if not native.existing_rule("remote_coverage_tools"):
        _coverage_tools(name = "remote_coverage_tools")
