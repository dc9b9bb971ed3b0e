"""Programs for aarch64, built on any machine: tests run them under an emulator."""

load(":python_interpreter.bzl", "INTERPRETER_CPU")

def _aarch64_transition_impl(_settings, _attr):
    return {"//command_line_option:platforms": str(Label("//third_party/toolchain:aarch64_static"))}

_aarch64_transition = transition(
    implementation = _aarch64_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def link_program(ctx):
    """Implementation of a rule whose attribute `program` is built in another way: a link to the program.

    Args:
      ctx: of the rule.

    Returns:
      Its providers.
    """

    # A transition makes a list of the attribute.
    program = ctx.attr.program[0][DefaultInfo].files_to_run.executable
    link = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = link, target_file = program)
    return [DefaultInfo(files = depset([link]), runfiles = ctx.runfiles([link]))]

_aarch64_program = rule(
    implementation = link_program,
    attrs = {
        "program": attr.label(cfg = _aarch64_transition, mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def attnres_aarch64_program(name, **kwargs):
    """The static aarch64 program of a cc_binary or cc_test; a file, for data of a Python test.

    Args:
      name: the target's name.
      **kwargs: `program`; common attributes.
    """
    _aarch64_program(name = name, target_compatible_with = INTERPRETER_CPU, **kwargs)
