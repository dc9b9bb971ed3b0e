"""Programs as --compilation_mode=dbg builds them, in any mode: tests put them under a debugger."""

load(":aarch64.bzl", "link_program")
load(":python_interpreter.bzl", "INTERPRETER_CPU")

def _debug_transition_impl(_settings, _attr):
    return {"//command_line_option:compilation_mode": "dbg"}

_debug_transition = transition(
    implementation = _debug_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

_debug_program = rule(
    implementation = link_program,
    attrs = {
        "program": attr.label(cfg = _debug_transition, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def attnres_debug_program(name, **kwargs):
    """The program of a cc_binary with debug information and without optimisation; a file, for data of a Python test.

    Args:
      name: the target's name.
      **kwargs: `program`; common attributes.
    """
    _debug_program(name = name, target_compatible_with = INTERPRETER_CPU, **kwargs)
