"""--config=cann: operators compiled by the machine's CANN toolkit in place of the twin; docs/cann.md.

The same targets give their sources: an aspect walks the host libraries of an operator and stops at
cc/, the twin, whose headers the toolkit has. Command lines are those of the toolkit's documentation.
"""

load(":ascendc_units.bzl", "DTYPES")
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

CannToolkitInfo = provider(
    doc = "The machine's toolkit, as @cann_toolkit found it.",
    fields = {
        "files": "depset of files that change when the toolkit does",
        "headers": "folders of the host code's headers",
        "host_compiler": "path of the compiler of host code",
        "kernel_compiler": "path of the compiler of kernels",
        "kernel_headers": "folders of the kernels' headers",
        "path": "its folder",
    },
)

CannOperatorInfo = provider(
    doc = "One operator as a toolkit compiles it.",
    fields = {
        "kernels": "{path below the package's folder kernel: object file}",
        "sources": "_SourcesInfo of the host code",
    },
)

CannLibraryInfo = provider(
    doc = "What --config=cann makes of operators.",
    fields = {"files": "{path in a package: file}"},
)

_SourcesInfo = provider(
    doc = "Sources of host code without the twin's.",
    fields = {
        "folders": "depset of include folders",
        "headers": "depset of headers",
        "sources": "depset of files to compile",
    },
)

# What a kernel is compiled with, by arch. Of the compiler's own synchronisation arch22's kernels need
# that between vector instructions and arch35's nothing: //tests/cann:auto_sync_test.
_ARCH_COPTS = {
    "arch22": [
        "--cce-aicore-arch=dav-c220-vec",
        "--cce-auto-sync=on",
    ],
    "arch35": [
        "--cce-aicore-arch=dav-c310-vec",
        "--cce-auto-sync=off",
        "-D__DAV_C310__",
    ],
}

_KERNEL_COPTS = ["-c", "-O3", "-std=c++17", "-xcce", "--cce-aicore-only"]

_KERNEL_LLVM_OPTIONS = [
    "-cce-aicore-stack-size=0x8000",
    "-cce-aicore-function-stack-size=0x8000",
    "-cce-aicore-record-overflow=true",
    "-cce-aicore-addr-transform",
    "-cce-aicore-dcci-insert-for-scalar=false",
]

# Compilers get the one variable that set_env.sh sets for them, and the system's programs.
def _environment(toolkit):
    return {
        "ASCEND_HOME_PATH": toolkit.path,
        "PATH": "/bin:/usr/bin:/usr/local/bin",
    }

_HOST_COPTS = ["-c", "-O2", "-std=c++17", "-fPIC"]

# The toolkit's libraries that each of the two links.
_API_LIBRARIES = ["-lopapi", "-lnnopbase", "-lascendcl"]
_TILING_LIBRARIES = ["-lexe_graph", "-lregister", "-lplatform", "-ltiling_api"]

def _cann_toolkit_impl(ctx):
    if ctx.attr.fault:
        fail(ctx.attr.fault)
    return [CannToolkitInfo(
        files = depset(ctx.files.files),
        headers = ctx.attr.headers,
        host_compiler = ctx.attr.host_compiler,
        kernel_compiler = ctx.attr.kernel_compiler,
        kernel_headers = ctx.attr.kernel_headers,
        path = ctx.attr.path,
    )]

cann_toolkit = rule(
    implementation = _cann_toolkit_impl,
    attrs = {
        "fault": attr.string(doc = "why there is none; then whoever asks for it fails"),
        "files": attr.label_list(allow_files = True),
        "headers": attr.string_list(),
        "host_compiler": attr.string(),
        "kernel_compiler": attr.string(),
        "kernel_headers": attr.string_list(),
        "path": attr.string(),
    },
)

_TOOLKIT = attr.label(default = "@cann_toolkit//:toolkit", providers = [CannToolkitInfo])

def _is_twin(label):
    ours = Label("//cc/acl:headers").workspace_name
    return label.workspace_name == ours and (label.package + "/").startswith("cc/")

def _sources_aspect_impl(target, ctx):
    if _is_twin(target.label):
        return [_SourcesInfo(folders = depset(), headers = depset(), sources = depset())]
    below = [dep[_SourcesInfo] for dep in getattr(ctx.rule.attr, "deps", []) if _SourcesInfo in dep]
    files = getattr(ctx.rule.files, "srcs", [])
    headers = getattr(ctx.rule.files, "hdrs", []) + getattr(ctx.rule.files, "textual_hdrs", [])
    package = "/".join([part for part in (target.label.workspace_root, target.label.package) if part])
    return [_SourcesInfo(
        folders = depset(
            ["{}/{}".format(package, folder) for folder in getattr(ctx.rule.attr, "includes", [])],
            transitive = [info.folders for info in below],
        ),
        headers = depset(
            headers + [file for file in files if file.extension == "h"],
            transitive = [info.headers for info in below],
        ),
        sources = depset(
            [file for file in files if file.extension != "h"],
            transitive = [info.sources for info in below],
        ),
    )]

_sources_aspect = aspect(
    implementation = _sources_aspect_impl,
    attr_aspects = ["deps"],
)

def _merge(infos):
    return _SourcesInfo(
        folders = depset(transitive = [info.folders for info in infos]),
        headers = depset(transitive = [info.headers for info in infos]),
        sources = depset(transitive = [info.sources for info in infos]),
    )

def _include_flags(ctx, folders):
    # The root of this repository: sources name each other by their path from there.
    return ["-I" + (ctx.label.workspace_root or ".")] + ["-I" + folder for folder in folders]

def _compile_kernel(ctx, soc, entry, dtype):
    """The object file of all template keys for one SoC and dtype."""
    arch = SOCS[soc]
    toolkit = ctx.attr._toolkit[CannToolkitInfo]
    stem = "{}/{}/{}/{}_{}".format(ctx.label.name, soc, ctx.attr.operator_name, ctx.attr.op_type, dtype)
    unit = ctx.actions.declare_file(stem + ".cpp")
    ctx.actions.write(unit, "\n".join(["#include \"{}\"".format(entry.short_path)] + [
        "template decltype({0}<{1}>) {0}<{1}>;".format(ctx.attr.kernel_function, arguments)
        for _, arguments in sorted(ctx.attr.template_args.items())
        if arguments
    ]) + "\n")
    dtypes = {tensor: dtype for tensor in ctx.attr.dtype_inputs}
    dtypes.update(ctx.attr.fixed_dtypes)
    flags = list(_KERNEL_COPTS) + _ARCH_COPTS[arch]
    for option in _KERNEL_LLVM_OPTIONS:
        flags += ["-mllvm", option]
    for tensor in sorted(dtypes.keys()):
        flags.append("-DDTYPE_{}={}".format(tensor, DTYPES[dtypes[tensor]].type))
        flags.append("-DORIG_DTYPE_{}={}".format(tensor, DTYPES[dtypes[tensor]].enumerator))
    flags += _include_flags(ctx, toolkit.kernel_headers + toolkit.headers)
    out = ctx.actions.declare_file(stem + ".o")
    ctx.actions.run(
        outputs = [out],
        inputs = depset([unit] + ctx.files.kernel_sources, transitive = [toolkit.files]),
        arguments = flags + [unit.path, "-o", out.path],
        env = _environment(toolkit),
        executable = toolkit.kernel_compiler,
        mnemonic = "CannKernel",
        progress_message = "Compiling %s for %s with the CANN toolkit" % (ctx.attr.kernel_function, soc),
    )
    return out

def _cann_operator_impl(ctx):
    entries = {arch: entry.files.to_list()[0] for entry, arch in ctx.attr.entries.items()}
    kernels = {}
    for soc in selected_socs(ctx):
        if SOCS[soc] in entries:
            for dtype in ctx.attr.dtypes:
                kernel = _compile_kernel(ctx, soc, entries[SOCS[soc]], dtype)
                kernels["{}/{}/{}".format(soc, ctx.attr.operator_name, kernel.basename)] = kernel
    return [
        AscendcOperatorInfo(
            headers = [],
            host = [],
            kernel_libraries = {},
            kernel_sources = depset(ctx.files.kernel_sources),
            name = ctx.attr.operator_name,
        ),
        CannOperatorInfo(
            kernels = kernels,
            sources = _merge([dep[_SourcesInfo] for dep in ctx.attr.deps]),
        ),
        DefaultInfo(files = depset(kernels.values())),
    ]

cann_operator = rule(
    implementation = _cann_operator_impl,
    doc = "One operator: its kernels as objects, its host code as sources. Attributes as for ascendc_operator.",
    attrs = {
        "deps": attr.label_list(aspects = [_sources_aspect], mandatory = True),
        "dtype_inputs": attr.string_list(mandatory = True),
        "dtypes": attr.string_list(mandatory = True),
        "entries": attr.label_keyed_string_dict(allow_files = True, mandatory = True, doc = "entry file: its arch"),
        "fixed_dtypes": attr.string_dict(),
        "kernel_function": attr.string(mandatory = True),
        "kernel_sources": attr.label_list(allow_files = True, mandatory = True),
        "op_type": attr.string(mandatory = True),
        "operator_name": attr.string(mandatory = True),
        "template_args": attr.string_dict(mandatory = True),
        "_socs": SOCS_SETTING,
        "_toolkit": _TOOLKIT,
    },
)

def _compile_host(ctx, info, source):
    toolkit = ctx.attr._toolkit[CannToolkitInfo]
    out = ctx.actions.declare_file("{}/{}.o".format(ctx.label.name, source.short_path))
    ctx.actions.run(
        outputs = [out],
        inputs = depset([source], transitive = [info.headers, toolkit.files]),
        arguments = _HOST_COPTS + _include_flags(ctx, info.folders.to_list() + toolkit.headers) + [
            source.path,
            "-o",
            out.path,
        ],
        env = _environment(toolkit),
        executable = toolkit.host_compiler,
        mnemonic = "CannHost",
        progress_message = "Compiling %s with the CANN toolkit" % source.short_path,
    )
    return out

def _link(ctx, name, objects, libraries):
    toolkit = ctx.attr._toolkit[CannToolkitInfo]
    out = ctx.actions.declare_file("{}/{}".format(ctx.label.name, name))
    ctx.actions.run(
        outputs = [out],
        inputs = depset(objects, transitive = [toolkit.files]),
        arguments = ["-shared", "-fPIC", "-Wl,-soname," + name] + [object.path for object in objects] + [
            "-L{}/lib64".format(toolkit.path),
        ] + libraries + ["-o", out.path],
        env = _environment(toolkit),
        executable = toolkit.host_compiler,
        mnemonic = "CannLink",
        progress_message = "Linking %s with the CANN toolkit" % name,
    )
    return out

def _cann_library_impl(ctx):
    operators = [target[CannOperatorInfo] for target in selected_operators(ctx, ctx.attr.operators)]
    info = _merge([operator.sources for operator in operators])
    api, host = [], []
    for source in info.sources.to_list():
        # CANN's name for the folder of an aclnn interface.
        (api if source.dirname.endswith("/op_api") else host).append(_compile_host(ctx, info, source))
    files = {
        "op_api/lib/" + ctx.attr.shared_library: _link(ctx, ctx.attr.shared_library, api, _API_LIBRARIES),
        "op_impl/ai_core/tbe/op_tiling/liboptiling.so": _link(ctx, "liboptiling.so", host, _TILING_LIBRARIES),
    }
    for operator in operators:
        files.update({KERNEL_FOLDER + "/" + path: file for path, file in operator.kernels.items()})
    return [
        CannLibraryInfo(files = files),
        DefaultInfo(files = depset(files.values())),
    ]

def _operator_sources_impl(ctx):
    files = [target[_SourcesInfo] for target in ctx.attr.operators]
    transitive = [info.sources for info in files] + [info.headers for info in files]
    transitive += [target[AscendcOperatorInfo].kernel_sources for target in ctx.attr.operators]
    sources = [file for file in depset(transitive = transitive).to_list() if file.is_source]
    return [DefaultInfo(files = depset(sources), runfiles = ctx.runfiles(sources))]

operator_sources = rule(
    implementation = _operator_sources_impl,
    doc = "The files that a toolkit compiles of operators: what the targets of ascendc_operator are made of, without the twin.",
    attrs = {
        "operators": attr.label_list(
            aspects = [_sources_aspect],
            providers = [AscendcOperatorInfo],
            mandatory = True,
        ),
    },
)

cann_library = rule(
    implementation = _cann_library_impl,
    doc = "The libraries of operators, and their kernels, as a toolkit makes them.",
    attrs = {
        "operators": attr.label_list(providers = [CannOperatorInfo, AscendcOperatorInfo], mandatory = True),
        "shared_library": attr.string(mandatory = True),
        "_operators": OPERATORS_SETTING,
        "_toolkit": _TOOLKIT,
    },
)
