"""Which operators a library of operators has, and for which SoCs: two settings, everything by default.

`--//tools/build_defs:operators=NAME,…` and `--//tools/build_defs:socs=NAME,…` make the library of a
package that holds less. What is left out is not linked; nothing is compiled in another way.
"""

# SoC: its arch. What an operator's definition may name.
SOCS = {
    "ascend910_93": "arch22",
    "ascend910b": "arch22",
    "ascend950": "arch35",
}

# Where a package has kernels, in a folder per SoC and operator.
KERNEL_FOLDER = "op_impl/ai_core/tbe/kernel"

SelectionInfo = provider(
    doc = "Value of a setting that names several things.",
    fields = {"names": "the names; none means all"},
)

AscendcOperatorInfo = provider(
    doc = "One operator, for what is made of it beside libraries.",
    fields = {
        "headers": "files: the headers of its callers, by their include path",
        "host": "targets of its host code",
        "kernel_libraries": "{arch: target of the shared library of its kernels}",
        "kernel_sources": "depset of the files that its kernels are made of",
        "name": "its name in snake case",
    },
)

def _selection_impl(ctx):
    names = ctx.build_setting_value
    for name in names:
        if ctx.attr.known and name not in ctx.attr.known:
            fail("{} has '{}'; expected one of {}".format(ctx.label, name, ", ".join(ctx.attr.known)))
    return [SelectionInfo(names = names)]

selection = rule(
    implementation = _selection_impl,
    build_setting = config.string_list(flag = True),
    doc = "A setting that takes names, separated by commas.",
    attrs = {"known": attr.string_list(doc = "the names that there are; empty when others know them")},
)

SOCS_SETTING = attr.label(default = "//tools/build_defs:socs", providers = [SelectionInfo])

def selected_socs(ctx):
    """The SoCs that are wanted; the rule has the attribute `_socs`, which is SOCS_SETTING."""
    return ctx.attr._socs[SelectionInfo].names or sorted(SOCS.keys())

def selected_archs(ctx):
    """The archs of selected_socs."""
    return {SOCS[soc]: True for soc in selected_socs(ctx)}.keys()

def _merge(ctx, targets):
    runfiles = ctx.runfiles()
    for target in targets:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    return [
        cc_common.merge_cc_infos(cc_infos = [target[CcInfo] for target in targets]),
        DefaultInfo(runfiles = runfiles),
    ]

def _operator_impl(ctx):
    archs = selected_archs(ctx)
    kernels = [target for target, arch in ctx.attr.kernels.items() if arch in archs]
    if not kernels:
        fail("{} has no kernels for {}".format(ctx.label, ", ".join(selected_socs(ctx))))
    return _merge(ctx, ctx.attr.deps + kernels) + [AscendcOperatorInfo(
        headers = ctx.attr.aclnn_header[CcInfo].compilation_context.direct_public_headers,
        host = ctx.attr.deps,
        kernel_libraries = {arch: target for target, arch in ctx.attr.kernel_libraries.items()},
        kernel_sources = depset(ctx.files.kernel_sources),
        name = ctx.label.name,
    )]

operator = rule(
    implementation = _operator_impl,
    doc = "All that an operator is: host code, registration, and the kernels of the wanted SoCs.",
    attrs = {
        "aclnn_header": attr.label(providers = [CcInfo], mandatory = True),
        "deps": attr.label_list(providers = [CcInfo], mandatory = True),
        "kernel_libraries": attr.label_keyed_string_dict(providers = [CcInfo], doc = "shared library: its arch"),
        "kernel_sources": attr.label_list(allow_files = True, mandatory = True),
        "kernels": attr.label_keyed_string_dict(providers = [CcInfo], mandatory = True, doc = "library: its arch"),
        "_socs": SOCS_SETTING,
    },
)

def selected_operators(ctx, operators):
    """Those of the operators that are wanted.

    Args:
      ctx: of a rule with the attribute `_operators`, which is OPERATORS_SETTING.
      operators: targets with AscendcOperatorInfo.

    Returns:
      List of targets.
    """
    known = {target[AscendcOperatorInfo].name: target for target in operators}
    names = ctx.attr._operators[SelectionInfo].names or sorted(known.keys())
    for name in names:
        if name not in known:
            fail("{} has '{}'; expected one of {}".format(ctx.attr._operators.label, name, ", ".join(sorted(known.keys()))))
    return [known[name] for name in names]

OPERATORS_SETTING = attr.label(default = "//tools/build_defs:operators", providers = [SelectionInfo])

def _operator_group_impl(ctx):
    selected = selected_operators(ctx, ctx.attr.deps)
    if not ctx.attr.kernel_libraries:
        return _merge(ctx, selected)
    targets = []
    for info in [target[AscendcOperatorInfo] for target in selected]:
        targets += info.host + [info.kernel_libraries[arch] for arch in selected_archs(ctx) if arch in info.kernel_libraries]
    return _merge(ctx, targets)

operator_group = rule(
    implementation = _operator_group_impl,
    doc = "The wanted ones of several operators.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo, AscendcOperatorInfo], mandatory = True),
        "kernel_libraries": attr.bool(doc = "with the shared libraries of their kernels in place of the kernels"),
        "_operators": OPERATORS_SETTING,
        "_socs": SOCS_SETTING,
    },
)
