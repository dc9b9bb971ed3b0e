"""Shared libraries with an explicit export list, and Python extensions that export one symbol.

libc++ and everything else inside stays hidden, so that a program built with another compiler
links and loads them.
"""

load(":cc.bzl", "warning_flags")
load(":cc_rules.bzl", "cc_binary", "cc_import")
load(":py_rules.bzl", "py_library")

# The main repository, and this one where it is another's dependency.
_OUR_REPOSITORIES = ["", Label("//:BUILD.bazel").workspace_name]

def _package(label):
    return "@{}//{}".format(label.workspace_name, label.package)

def _whole_archives_impl(ctx):
    cc_toolchain = ctx.toolchains["@bazel_tools//tools/cpp:toolchain_type"]
    cc_toolchain = getattr(cc_toolchain, "cc", cc_toolchain)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    ours, others = {}, []
    runfiles = ctx.runfiles()
    for dep in ctx.attr.deps:
        runfiles = runfiles.merge(dep[DefaultInfo].default_runfiles)
    for dep in ctx.attr.deps:
        for linker_input in dep[CcInfo].linking_context.linker_inputs.to_list():
            owner = linker_input.owner
            if _package(owner) in ctx.attr.exclude_packages:
                if not linker_input.libraries or not linker_input.libraries[0].dynamic_library:
                    continue
            libraries = []
            dynamic = []
            path = None
            for library in linker_input.libraries:
                if library.dynamic_library:
                    dynamic.append(library.resolved_symlink_dynamic_library or library.dynamic_library)
                    continue
                archive = library.pic_static_library or library.static_library
                if owner.workspace_name in _OUR_REPOSITORIES and archive:
                    path = path or archive.short_path
                    library = cc_common.create_library_to_link(
                        actions = ctx.actions,
                        feature_configuration = features,
                        cc_toolchain = cc_toolchain,
                        static_library = library.static_library,
                        pic_static_library = library.pic_static_library,
                        alwayslink = True,
                    )
                libraries.append(library)
            copy = cc_common.create_linker_input(
                owner = linker_input.owner,
                libraries = depset(libraries),
                # As files, since Bazel adds a RUNPATH to its own folders for a library.
                user_link_flags = depset(linker_input.user_link_flags + [file.path for file in dynamic]),
                additional_inputs = depset(linker_input.additional_inputs + dynamic),
            )
            if path:
                ours[path] = copy
            else:
                others.append(copy)

    # By name, since the order of deps differs among Bazel's versions and the library's bytes must not.
    inputs = [ours[path] for path in sorted(ours.keys())] + others
    return [
        CcInfo(
            compilation_context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context,
            linking_context = cc_common.create_linking_context(linker_inputs = depset(inputs)),
        ),
        DefaultInfo(runfiles = runfiles),
    ]

# The whole of each of our own archives: an exported function needs no caller inside the library.
_whole_archives = rule(
    implementation = _whole_archives_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "exclude_packages": attr.string_list(),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

def attnres_cc_whole_archives(name, deps, exclude_packages_of = [], **kwargs):
    """A library of all that deps contain, called or not: for static objects that register something.

    Args:
      name: the target's name.
      deps: libraries.
      exclude_packages_of: Labels of targets, in whose packages static libraries stay out.
      **kwargs: common attributes (visibility, tags, testonly).
    """
    _whole_archives(
        name = name,
        exclude_packages = [_package(label) for label in exclude_packages_of],
        deps = deps,
        **kwargs
    )

def _version_script_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".lds")
    ctx.actions.write(script, "{\n  global:\n" + "".join(["    %s;\n" % e for e in ctx.attr.exports]) + "  local: *;\n};\n")
    return [DefaultInfo(files = depset([script]))]

_version_script = rule(
    implementation = _version_script_impl,
    attrs = {"exports": attr.string_list(mandatory = True)},
)

def _shared_library_impl(ctx):
    return [
        CcInfo(
            # The headers of what is inside; nothing inside is linked a second time.
            compilation_context = ctx.attr.archives[CcInfo].compilation_context,
            linking_context = ctx.attr.interface[CcInfo].linking_context,
        ),
        DefaultInfo(
            files = depset([ctx.file.library]),
            runfiles = ctx.runfiles([ctx.file.library]).merge(ctx.attr.library[DefaultInfo].default_runfiles),
        ),
    ]

# What other targets see: CcInfo to link against, and the file itself as output and runfile.
_shared_library = rule(
    implementation = _shared_library_impl,
    attrs = {
        "archives": attr.label(providers = [CcInfo]),
        "interface": attr.label(providers = [CcInfo]),
        "library": attr.label(allow_single_file = True),
    },
)

def attnres_cc_shared_library(name, out, deps, exports, exclude_packages_of = [], linkopts = [], **kwargs):
    """A shared library: in deps it gives headers and links dynamically, in data it is the file.

    Args:
      name: the target's name.
      out: the file, such as libascendcl.so; its name is the SONAME.
      deps: libraries whose whole content goes in; shared ones among them are linked dynamically.
      exports: symbol patterns of a version script; everything else is hidden.
      exclude_packages_of: Labels of targets, in whose packages static libraries stay out because a shared
        library in deps holds them; a use of their C++ functions is then a link error.
      linkopts: flags for the linker.
      **kwargs: common attributes (visibility, tags, testonly).
    """
    tags = kwargs.pop("tags", [])
    private = ["//visibility:private"]
    _version_script(name = name + "_exports", exports = exports, visibility = private)
    attnres_cc_whole_archives(
        name = name + "_archives",
        exclude_packages_of = exclude_packages_of,
        visibility = private,
        deps = deps,
    )
    cc_binary(
        name = out,
        additional_linker_inputs = [":" + name + "_exports"],
        linkopts = linkopts + [
            "-Wl,--version-script=$(location :{}_exports)".format(name),
            "-Wl,-soname," + out.split("/")[-1],
            "-Wl,-z,defs",
            "-Wl,-rpath,$$ORIGIN",
            "-pthread",
        ],
        linkshared = True,
        linkstatic = True,
        tags = tags,
        visibility = private,
        deps = [":" + name + "_archives"],
    )
    cc_import(
        name = name + "_import",
        shared_library = ":" + out,
        tags = tags,
        visibility = private,
    )
    _shared_library(
        name = name,
        archives = ":" + name + "_archives",
        interface = ":" + name + "_import",
        library = ":" + out,
        tags = tags,
        **kwargs
    )

def attnres_pybind_extension(name, srcs, deps = [], copts = [], data = [], imports = [], **kwargs):
    """A Python extension module <name>.so that exports PyInit_<name> alone.

    Args:
      name: the module's name; in deps of Python targets it is a library.
      srcs: its .cc files.
      deps: C++ libraries; pybind11 and Python's headers come by themselves.
      copts: flags beyond the warnings.
      data: files that the module needs at run time.
      imports: as for py_library.
      **kwargs: common attributes (visibility, tags, testonly).
    """
    private = ["//visibility:private"]
    out = name + ".so"
    _version_script(name = name + "_exports", exports = ["PyInit_" + name], visibility = private)
    cc_binary(
        name = out,
        srcs = srcs,
        additional_linker_inputs = [":" + name + "_exports"],
        copts = warning_flags() + ["-fvisibility=hidden"] + copts,
        linkopts = [
            "-Wl,--version-script=$(location :{}_exports)".format(name),
            "-pthread",
        ],
        linkshared = True,
        linkstatic = True,
        visibility = private,
        deps = deps + ["@pip_pybind11//:pybind11"],
    )
    py_library(
        name = name,
        data = [":" + out] + data,
        imports = imports,
        **kwargs
    )
