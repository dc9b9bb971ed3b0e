"""Programs as --compilation_mode=dbg builds them, in any mode: tests put them under a debugger."""

load(":python_interpreter.bzl", "INTERPRETER_CPU")

def _debug_transition_impl(_settings, _attr):
    return {"//command_line_option:compilation_mode": "dbg"}

_debug_transition = transition(
    implementation = _debug_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:compilation_mode"],
)

def _debug_program_impl(ctx):
    # A transition makes a list of the attribute.
    program = ctx.attr.program[0][DefaultInfo].files_to_run.executable
    link = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = link, target_file = program)
    return [DefaultInfo(files = depset([link]), runfiles = ctx.runfiles([link]))]

_debug_program = rule(
    implementation = _debug_program_impl,
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
