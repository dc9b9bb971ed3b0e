"""Programs as --compilation_mode=dbg builds them, in any mode: tests put them under a debugger."""

load(":aarch64.bzl", "link_program")

def _debug_transition_impl(_settings, _attr):
    return {"//command_line_option:compilation_mode": "dbg"}

_debug_transition = transition(
    implementation = _debug_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

attnres_debug_program = rule(
    implementation = link_program,
    doc = "The program of a cc_binary with debug information and without optimisation; a file, for data of a test.",
    attrs = {
        "program": attr.label(cfg = _debug_transition, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
