"""A wheel of Python packages that this workspace builds.

It holds what its deps hold of this repository: modules, extensions, data and shared libraries below the folder of the
target, which is the root of the imports. What comes from other repositories must be among its requirements. Tags are
those of @host_python and the target platform: the C++ toolchain says which glibc is enough.
"""

load("//third_party/toolchain:zig.bzl", "GLIBC")
load(":py_rules.bzl", "PyLibraryInfo")
load(":python_interpreter.bzl", "PythonInterpreterInfo")

def _requirement(encoded_pin, python):
    """The oldest release that a wheel for this CPython is tested with: the pinned one."""
    pin = json.decode(encoded_pin)
    for release in pin["releases"]:
        if not release["pythons"] or python in release["pythons"]:
            # "+cpu" is a build of a release.
            return "{}>={}".format(pin["package"], release["version"].partition("+")[0])

    # No release serves this CPython, so nothing was tested.
    return pin["package"]

def _contents(ctx):
    """{path in the wheel: file} of everything below the target's folder that deps bring."""
    contents = {}
    root = ctx.label.package + "/"
    brought = [dep[PyLibraryInfo].transitive_sources for dep in ctx.attr.deps]
    brought += [dep[DefaultInfo].default_runfiles.files for dep in ctx.attr.deps]
    for file in depset(transitive = brought).to_list():
        if file.owner.workspace_name != ctx.label.workspace_name:
            continue
        if not _path(file).startswith(root):
            fail("{} lies outside of {}, where the wheel's packages are".format(_path(file), root))
        contents[_path(file)[len(root):]] = file
    return contents

def _path(file):
    """Of a file of this repository, from its root."""
    return file.short_path[file.short_path.index("/", 3) + 1:] if file.short_path.startswith("../") else file.short_path

def _py_wheel_impl(ctx):
    python = ctx.attr._interpreter[PythonInterpreterInfo].version
    cpython = "cp" + python.replace(".", "")
    tag = "{0}-{0}-manylinux_{1}_{2}".format(cpython, GLIBC.replace(".", "_"), ctx.attr.cpu)
    requires = [_requirement(pin, python) for pin in ctx.attr.requires]
    for extra in sorted(ctx.attr.extras.keys()):
        requires += ["{}; extra == '{}'".format(_requirement(pin, python), extra) for pin in ctx.attr.extras[extra]]
    contents = _contents(ctx)
    licences = {name: target.files.to_list()[0] for target, name in ctx.attr.licences.items()}
    wheel = ctx.actions.declare_file("{}-{}-{}.whl".format(ctx.attr.distribution, ctx.attr.version, tag))
    description = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(description, json.encode(struct(
        console_scripts = ctx.attr.console_scripts,
        contents = {path: file.path for path, file in contents.items()},
        # CPython's own name of an extension, so that no other interpreter takes it.
        extension_suffix = ".cpython-{}-{}-linux-gnu.so".format(python.replace(".", ""), ctx.attr.cpu),
        extras = sorted(ctx.attr.extras.keys()),
        licences = {name: file.path for name, file in licences.items()},
        name = ctx.attr.distribution,
        oldest_python = ctx.attr.oldest_python,
        readme = ctx.file.readme.path,
        requires = requires,
        summary = ctx.attr.summary,
        tag = tag,
        version = ctx.attr.version,
    )))
    ctx.actions.run(
        executable = ctx.executable._writer,
        arguments = [description.path, wheel.path],
        inputs = [ctx.file.readme, description] + contents.values() + licences.values(),
        outputs = [wheel],
        mnemonic = "PyWheel",
        progress_message = "Writing %s" % wheel.basename,
    )
    return [DefaultInfo(files = depset([wheel]), runfiles = ctx.runfiles([wheel]))]

_py_wheel = rule(
    implementation = _py_wheel_impl,
    attrs = {
        "console_scripts": attr.string_dict(),
        "cpu": attr.string(mandatory = True),
        "deps": attr.label_list(mandatory = True, providers = [PyLibraryInfo]),
        "distribution": attr.string(mandatory = True),
        "extras": attr.string_list_dict(),
        "licences": attr.label_keyed_string_dict(allow_files = True),
        "oldest_python": attr.string(mandatory = True),
        "readme": attr.label(allow_single_file = [".md"], mandatory = True),
        "requires": attr.string_list(),
        "summary": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
        "_interpreter": attr.label(default = "@host_python//:interpreter", providers = [PythonInterpreterInfo]),
        "_writer": attr.label(cfg = "exec", default = "//tools/build_defs:wheel_writer", executable = True),
    },
)

def attnres_py_wheel(name, requires = [], extras = {}, **kwargs):
    """A wheel for the CPython that builds it and for the target platform, the same bytes on each build.

    Args:
      name: the target's name.
      requires: PINs (third_party/*/pin.bzl) of the distributions that deps import.
      extras: {extra: PINs of what it adds}.
      **kwargs: distribution, version, summary, readme, oldest_python (such as "3.10"); deps, libraries below the
        target's folder; console_scripts, {command: "module:function"}; licences, {label: name in the wheel} of what
        is compiled in; common attributes (visibility).
    """
    _py_wheel(
        name = name,
        cpu = select({
            "@platforms//cpu:aarch64": "aarch64",
            "@platforms//cpu:x86_64": "x86_64",
        }),
        extras = {extra: [json.encode(pin) for pin in pins] for extra, pins in extras.items()},
        requires = [json.encode(pin) for pin in requires],
        **kwargs
    )
