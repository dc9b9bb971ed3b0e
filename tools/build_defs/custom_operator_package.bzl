"""Custom operator packages: one file that installs operators as CANN's packages do (`.run`).

The settings of operator_selection.bzl say which operators and SoCs; `--//tools/build_defs:vendor_name`
whose name the package has.
"""

load(":cann.bzl", "CannLibraryInfo")
load(
    ":operator_selection.bzl",
    "AscendcOperatorInfo",
    "KERNEL_FOLDER",
    "OPERATORS_SETTING",
    "SOCS",
    "SOCS_SETTING",
    "selected_operators",
    "selected_socs",
)

VendorInfo = provider(
    doc = "Value of the setting vendor_name.",
    fields = {"name": "letters, digits and underscores"},
)

def _vendor_name_impl(ctx):
    name = ctx.build_setting_value
    for letter in (name or "-").elems():
        if not letter.isalnum() and letter != "_":
            fail("{} is '{}'; expected letters, digits and underscores".format(ctx.label, name))
    return [VendorInfo(name = name)]

vendor_name = rule(
    implementation = _vendor_name_impl,
    build_setting = config.string(flag = True),
)

_IMPL = "op_impl/ai_core/tbe/"

def _below(file, folder):
    """The part of a file's path after /folder/."""
    return ("/" + file.short_path).split("/" + folder + "/", 1)[1]

def _files(ctx, vendor, operators):
    """{path in the vendor's folder: file}."""
    files = {"bin/set_env.bash": ctx.file._set_env}
    toolkit = False
    for target in ctx.attr.libraries:
        if CannLibraryInfo in target:
            toolkit = True
            files.update(target[CannLibraryInfo].files)
        else:
            files.update({"op_api/lib/" + file.basename: file for file in target.files.to_list()})
    headers = ctx.files.headers + [header for info in operators for header in info.headers]
    for header in headers:
        files["op_api/include/" + _below(header, "include")] = header
    sources = "{}{}_transformer_impl/ascendc/".format(_IMPL, vendor)
    for info in operators:
        for soc in selected_socs(ctx):
            if not toolkit and SOCS[soc] in info.kernel_libraries:
                library = info.kernel_libraries[SOCS[soc]].files.to_list()[0]
                files["{}/{}/{}/{}".format(KERNEL_FOLDER, soc, info.name, library.basename)] = library
        for source in info.kernel_sources.to_list():
            files[sources + _below(source, "op_kernel")] = source
    return files

def _operator_info(ctx, soc):
    out = ctx.actions.declare_file("{}_{}_operator_info.ini".format(ctx.label.name, soc))
    ctx.actions.run_shell(
        outputs = [out],
        command = "$1 $2 >$3",
        arguments = [ctx.executable.operator_info.path, soc, out.path],
        mnemonic = "OperatorInfo",
        tools = [ctx.executable.operator_info],
    )
    return out

def _custom_operator_package_impl(ctx):
    vendor = ctx.attr._vendor_name[VendorInfo].name
    operators = [target[AscendcOperatorInfo] for target in selected_operators(ctx, ctx.attr.operators)]
    files = _files(ctx, vendor, operators)
    operator_info = {soc: _operator_info(ctx, soc) for soc in selected_socs(ctx)}
    request = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(request, json.encode(struct(
        files = {path: file.path for path, file in files.items()},
        operator_info = {soc: file.path for soc, file in operator_info.items()},
        vendor = vendor,
        version = ctx.attr.version,
    )))
    out = ctx.actions.declare_file("cann-ops-transformer-{}_linux-{}.run".format(vendor, ctx.attr.cpu))
    ctx.actions.run(
        outputs = [out],
        inputs = [request] + files.values() + operator_info.values(),
        arguments = [request.path, out.path],
        executable = ctx.executable._make_package,
        mnemonic = "CustomOperatorPackage",
        progress_message = "Packing " + out.basename,
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

_custom_operator_package = rule(
    implementation = _custom_operator_package_impl,
    attrs = {
        "cpu": attr.string(mandatory = True),
        "headers": attr.label_list(allow_files = True),
        "libraries": attr.label_list(allow_files = True),
        "operator_info": attr.label(executable = True, cfg = "exec", mandatory = True),
        "operators": attr.label_list(providers = [AscendcOperatorInfo], mandatory = True),
        "version": attr.string(mandatory = True),
        "_make_package": attr.label(default = "//tools/package:make_package", executable = True, cfg = "exec"),
        "_operators": OPERATORS_SETTING,
        "_set_env": attr.label(default = "//tools/package:set_env.bash", allow_single_file = True),
        "_socs": SOCS_SETTING,
        "_vendor_name": attr.label(default = "//tools/build_defs:vendor_name", providers = [VendorInfo]),
    },
)

def custom_operator_package(name, **kwargs):
    """Makes cann-ops-transformer-<vendor>_linux-<cpu>.run; docs/packages.md says what is in it.

    Args:
      name: the target's name.
      **kwargs: `operators`, labels of ascendc_operator targets; `operator_info`, a program that prints the
        operator info of a SoC (//cc/host:operator_info_main with their definitions); `libraries`
        and `headers` that a caller needs beside the operators' own; `version`; common attributes.
    """
    _custom_operator_package(
        name = name,
        cpu = select({
            "@platforms//cpu:aarch64": "aarch64",
            "@platforms//cpu:x86_64": "x86_64",
        }),
        **kwargs
    )
