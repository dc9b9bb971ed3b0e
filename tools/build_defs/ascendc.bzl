"""AscendC kernels on the CPU twin: whole operators, and single kernels that a test calls.

A kernel source is compiled as it stands: a generated translation unit defines what a CANN build
would define (__NPU_ARCH__, DTYPE_X, …), includes kernel_operator.h and then the source, and takes
the addresses of its entries. ascendc_units.bzl writes these units.
"""

load(":ascendc_units.bzl", "ARCHS", "DTYPES", "kernel_table", "kernel_unit", "operator_registration", "single_kernel_unit")
load(":cann.bzl", "cann_library", "cann_operator")
load(":cc.bzl", "warning_flags")
load(":cc_rules.bzl", "cc_library")
load(":operator_selection.bzl", "KERNEL_FOLDER", "SOCS", "operator", "operator_group")
load(":shared_library.bzl", "attnres_cc_shared_library", "attnres_cc_whole_archives")

# Host instruction sets that kernels are compiled for; the runtime library takes the best that the
# machine has. clang's x86-64-v4 alone would stay at 256-bit vectors.
_ISAS = {
    "aarch64": struct(cpu = "aarch64", suffix = "aarch64", copts = []),
    "x86-64-v3": struct(cpu = "x86_64", suffix = "v3", copts = ["-march=x86_64_v3"]),
    "x86-64-v4": struct(cpu = "x86_64", suffix = "v4", copts = ["-march=x86_64_v4", "-mprefer-vector-width=512"]),
}

# Kernels are optimised in every mode but dbg, where a debugger finds each line and variable. The
# sanitiser stays in fastbuild and dbg (see third_party/toolchain/config.bzl), so a trap there points at a
# fault of a kernel or the twin.
_KERNEL_COPTS = [
    "-fno-strict-aliasing",  # kernels look at the same bytes of the Unified Buffer as several types
    "-fvisibility=hidden",
    "-DASCENDC_TWIN=1",
] + select({
    str(Label("//tools/build_defs:dbg_mode")): [],
    "//conditions:default": ["-O3"],
})

# A kernel that tells an observer what it does: check mode and time mode run it.
_OBSERVED_COPTS = ["-DASCENDC_TWIN_OBSERVED=1"]

# The builds of an operator's kernel for one arch and dtype. Observed ones exist once per CPU: their time
# goes into the observer.
_BUILDS = [
    struct(isa = isa, observed = False, suffix = _ISAS[isa].suffix)
    for isa in sorted(_ISAS.keys())
] + [
    struct(isa = "aarch64", observed = True, suffix = "aarch64_observed"),
    struct(isa = "x86-64-v3", observed = True, suffix = "observed"),
]

_KERNEL_HEADERS = [Label("//cc/ascendc:kernel_operator")]

# These packages live in libascendcl.so alone; an operator library calls them through C functions.
_RUNTIME_PACKAGES = [
    Label("//cc/acl:ascendcl"),
    Label("//cc/aclnn:executor"),
    Label("//cc/ascendc/launch:engine"),
]

_PRIVATE = ["//visibility:private"]

_CANN_SUFFIX = "_cann"

def _per_cpu(values):
    """A select over values by CPU, {cpu: value}."""
    return select({
        str(Label("@platforms//cpu:" + cpu)): items
        for cpu, items in values.items()
    })

def ascendc_operator(
        name,
        op_type,
        entries,
        kernel_sources,
        kernel_function,
        template_args,
        dtypes,
        dtype_inputs,
        apis,
        aclnn_header,
        op_host,
        fixed_dtypes = {},
        visibility = None):
    """Makes a library of all that an operator is, for ascendc_operator_library.

    Each entry file is compiled once per dtype and host instruction set, with every template key in
    it, and once more as an observed kernel. A generated registration announces tiling, kernels and aclnn functions to the
    runtime library. The kernels of an arch are a library of their own for packages. <name>_cann is the same operator as --config=cann compiles it.

    Args:
      name: the operator's name in snake case.
      op_type: its registered name in CamelCase.
      entries: {arch: label of the kernel entry file}; arch22 or arch35.
      kernel_sources: labels of every file that the entries include, and of the entries.
      kernel_function: name of the __global__ function.
      template_args: {tiling key: template arguments as text}; {"0": ""} for a plain function.
      dtypes: main dtypes, such as float16.
      dtype_inputs: names X of inputs of the main dtype; DTYPE_X and ORIG_DTYPE_X are defined.
      apis: names of aclnn functions, without the GetWorkspaceSize twin.
      aclnn_header: label of the library with their header, which is aclnnop/<name of the api in snake case>.h.
      op_host: libraries with definition, inference, tiling and aclnn interface.
      fixed_dtypes: {input: dtype} for inputs whose dtype does not follow the main one.
      visibility: of the library.
    """
    cc_library(
        name = name + "_kernel_sources",
        textual_hdrs = kernel_sources,
        visibility = _PRIVATE,
    )
    kernels, kernel_libraries, kernel_tables = {}, {}, {}
    for arch in sorted(entries.keys()):
        units = {cpu: [] for cpu in ("aarch64", "x86_64")}
        variants = []
        for dtype in dtypes:
            for build in _BUILDS:
                variant = "{}_{}_{}_{}".format(name, arch, dtype, build.suffix)
                variants.append(json.encode(struct(
                    dtype = dtype,
                    isa = build.isa,
                    observed = build.observed,
                    variant = variant,
                )))
                kernel_unit(
                    name = variant + "_unit",
                    arch = arch,
                    dtype = dtype,
                    dtype_inputs = dtype_inputs,
                    entry = entries[arch],
                    fixed_dtypes = fixed_dtypes,
                    kernel_function = kernel_function,
                    out = variant + ".cc",
                    template_args = template_args,
                    variant = variant,
                    visibility = _PRIVATE,
                )
                cc_library(
                    name = variant,
                    srcs = [":" + variant + ".cc"],
                    copts = warning_flags() + _KERNEL_COPTS + _ISAS[build.isa].copts + (
                        _OBSERVED_COPTS if build.observed else []
                    ),
                    linkstatic = True,
                    target_compatible_with = [str(Label("@platforms//cpu:" + _ISAS[build.isa].cpu))],
                    visibility = _PRIVATE,
                    deps = [":" + name + "_kernel_sources"] + _KERNEL_HEADERS,
                )
                units[_ISAS[build.isa].cpu].append(":" + variant)
        table = "{}_{}_kernels".format(name, arch)
        kernel_table(
            name = table + "_unit",
            arch = arch,
            function = table,
            out = table + ".cc",
            template_keys = sorted(template_args.keys()),
            variants = variants,
            visibility = _PRIVATE,
        )
        cc_library(
            name = table,
            srcs = [":" + table + ".cc"],
            copts = warning_flags(),
            linkstatic = True,
            visibility = _PRIVATE,
            deps = _per_cpu(units) + [Label("//cc/acl:operator_registry")],
        )
        attnres_cc_shared_library(
            name = table + "_library",
            out = "lib{}_{}.so".format(name, arch),
            exports = [table],
            # For packages.
            tags = ["manual"],
            visibility = _PRIVATE,
            deps = [":" + table],
        )
        kernels[":" + table] = arch
        kernel_libraries[":" + table + "_library"] = arch
        kernel_tables[arch] = table
    operator_registration(
        name = name + "_registration_unit",
        apis = apis,
        kernel_tables = kernel_tables,
        op_type = op_type,
        out = name + "_registration.cc",
        visibility = _PRIVATE,
    )
    cc_library(
        name = name + "_registration",
        srcs = [":" + name + "_registration.cc"],
        copts = warning_flags(),
        linkstatic = True,
        visibility = _PRIVATE,
        deps = [
            aclnn_header,
            Label("//cc/acl:operator_registry"),
            Label("//cc/aclnn:api_adapter"),
            Label("//cc/host:tiling_entry"),
        ],
    )
    operator(
        name = name,
        aclnn_header = aclnn_header,
        kernel_sources = kernel_sources,
        kernel_libraries = kernel_libraries,
        kernels = kernels,
        visibility = visibility,
        deps = op_host + [":" + name + "_registration"],
    )
    cann_operator(
        name = name + _CANN_SUFFIX,
        dtype_inputs = dtype_inputs,
        dtypes = dtypes,
        entries = {entry: arch for arch, entry in entries.items()},
        fixed_dtypes = fixed_dtypes,
        kernel_function = kernel_function,
        kernel_sources = kernel_sources,
        op_type = op_type,
        operator_name = name,
        # It asks for a toolkit, which few machines have.
        tags = ["manual"],
        template_args = template_args,
        visibility = visibility,
        deps = op_host,
    )

def _cann_label(label):
    """The label of what an ascendc_operator is with --config=cann."""
    name = label.split("/")[-1]
    return label + ("" if ":" in name else ":" + name) + _CANN_SUFFIX

def ascendc_operator_library(name, operators, shared_library = "libcust_opapi.so", visibility = None):
    """Makes the library that callers of operators load, and <name>_static for static programs.

    <name>_packaged is the library without kernels: it loads theirs from where a package has them
    (custom_operator_package.bzl).

    With --config=cann the library, its tiling library and its kernels are those that the machine's CANN
    toolkit makes of the same sources.

    Args:
      name: the target's name.
      operators: labels of ascendc_operator targets. They end in one library, as a device has it, so that what
        has a name of its own in one of them (namespaces, files of op_host) must not have it in another.
        The settings of operator_selection.bzl leave some out.
      shared_library: file name of the library.
      visibility: of both.
    """
    operator_group(
        name = name + "_operators",
        visibility = _PRIVATE,
        deps = operators,
    )
    attnres_cc_whole_archives(
        name = name + "_static",
        # What operators call of the runtime library comes with //cc/acl:ascendcl_static.
        exclude_packages_of = _RUNTIME_PACKAGES,
        visibility = visibility,
        deps = [":" + name + "_operators"],
    )
    native.alias(
        name = name,
        actual = select({
            str(Label("//third_party/cann:enabled_on")): ":" + name + _CANN_SUFFIX,
            "//conditions:default": ":" + name + "_twin",
        }),
        visibility = visibility,
    )
    cann_library(
        name = name + _CANN_SUFFIX,
        operators = [_cann_label(label) for label in operators],
        shared_library = shared_library,
        tags = ["manual"],
        visibility = _PRIVATE,
    )
    attnres_cc_shared_library(
        name = name + "_twin",
        out = shared_library,
        exclude_packages_of = _RUNTIME_PACKAGES,
        exports = ["aclnn*"],
        visibility = _PRIVATE,
        deps = [":" + name + "_operators", Label("//cc/acl:ascendcl")],
    )
    operator_group(
        name = name + "_packaged_operators",
        kernel_libraries = True,
        tags = ["manual"],
        visibility = _PRIVATE,
        deps = operators,
    )
    attnres_cc_shared_library(
        name = name + "_packaged",
        out = "packaged/" + shared_library,
        exclude_packages_of = _RUNTIME_PACKAGES,
        exports = ["aclnn*"],
        linkopts = ["-Wl,-rpath,$$ORIGIN/../../{}/{}/{}".format(KERNEL_FOLDER, soc, label.split("/")[-1].split(":")[-1]) for soc in SOCS for label in operators],
        tags = ["manual"],
        visibility = visibility,
        deps = [":" + name + "_packaged_operators", Label("//cc/acl:ascendcl")],
    )

def ascendc_kernel_library(name, src, entry, arch = "arch22", deps = [], hdrs = [], copts = [], visibility = None):
    """Compiles one kernel for the host, for tests that run it by cc/ascendc/testing/kernel_runner.h.

    The generated header <package>/<name>.h declares `extern "C" void <entry>_entry(AscendcTwinCore*,
    void* const*)`, an AscendcTwinKernelEntry. <name>_observed is the same kernel as check mode runs it
    (cc/ascendc/testing/checked_runner.h), with <package>/<name>_observed.h and <entry>_observed_entry.

    Args:
      name: the target's name and the header's stem.
      src: the kernel's source, as it would be given to a CANN toolkit.
      entry: name of its __global__ function.
      arch: arch22 or arch35.
      deps: libraries that the source includes.
      hdrs: headers that it includes.
      copts: flags, such as -D of a tiling constant.
      visibility: of the libraries.
    """
    cc_library(
        name = name + "_source",
        textual_hdrs = [src] + hdrs,
        visibility = _PRIVATE,
    )
    for observed in [False, True]:
        kernel_build(
            name = name + ("_observed" if observed else ""),
            src = src,
            arch = arch,
            copts = copts,
            entry = entry,
            observed = observed,
            # Compiled where something asks for it.
            tags = ["manual"] if observed else [],
            visibility = visibility,
            deps = deps + [":" + name + "_source"],
        )

def kernel_build(name, src, entry, arch, observed, deps, copts, tags, visibility):
    """One of the two libraries of ascendc_kernel_library.

    Args:
      name: the target's name and the header's stem.
      src: the kernel's source.
      entry: name of its __global__ function.
      arch: arch22 or arch35.
      observed: whether the kernel tells an observer what it does.
      deps: libraries that hold the source and what it includes.
      copts: flags.
      tags: of the library.
      visibility: of the library.
    """
    single_kernel_unit(
        name = name + "_unit",
        arch = arch,
        entry = src,
        header = name + ".h",
        kernel_function = entry,
        observed = observed,
        out = name + "_unit.cc",
        variant = name,
        visibility = _PRIVATE,
    )
    cc_library(
        name = name,
        srcs = [":" + name + "_unit.cc"],
        hdrs = [":" + name + ".h"],
        copts = _KERNEL_COPTS + copts + (_OBSERVED_COPTS if observed else []) + _per_cpu({
            "aarch64": _ISAS["aarch64"].copts,
            "x86_64": _ISAS["x86-64-v3"].copts,
        }),
        linkstatic = True,
        tags = tags,
        visibility = visibility,
        deps = deps + _KERNEL_HEADERS + [Label("//cc/ascendc/launch:kernel_abi")],
    )

ASCENDC_ARCHS = sorted(ARCHS.keys())
ASCENDC_DTYPES = sorted(DTYPES.keys())
