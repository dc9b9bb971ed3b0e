"""Rules for Python programs and tests: a launcher over runfiles, the same on every Bazel.

Bazel's own py_binary starts through `/usr/bin/env python3` and PYTHONPATH, so that variables and
packages of the machine get in. This launcher runs @host_python isolated; see py_bootstrap.py.
"""

load(":py_rules.bzl", "PyLibraryInfo", "py_library")
load(":python_interpreter.bzl", "INTERPRETER_CPU", "PythonInterpreterInfo")

def _program_impl(ctx):
    # The folder of this repository in the runfiles; another one when it is not the main repository.
    own = ctx.label.workspace_name or ctx.workspace_name
    imports = depset(transitive = [dep[PyLibraryInfo].imports for dep in ctx.attr.deps])
    launcher = ctx.actions.declare_file(ctx.label.name)
    main = ctx.file.main
    ctx.actions.expand_template(
        template = ctx.file._launcher,
        output = launcher,
        substitutions = {
            "{bootstrap}": _runfiles_path(ctx, ctx.file._bootstrap),
            "{imports}": ":".join([own] + imports.to_list()),
            "{label}": str(ctx.label),
            "{main}": _runfiles_path(ctx, main),
            "{python}": ctx.attr._interpreter[PythonInterpreterInfo].path,
        },
        is_executable = True,
    )
    runfiles = ctx.runfiles(
        files = [main, ctx.file._bootstrap] + ctx.files.data,
        transitive_files = depset(transitive = [dep[PyLibraryInfo].transitive_sources for dep in ctx.attr.deps]),
    )
    for target in ctx.attr.deps + ctx.attr.data:
        runfiles = runfiles.merge(target[DefaultInfo].default_runfiles)
    result = [DefaultInfo(executable = launcher, runfiles = runfiles)]
    if ctx.attr.env:
        result.append(testing.TestEnvironment({
            key: ctx.expand_location(value, ctx.attr.data)
            for key, value in ctx.attr.env.items()
        }))
    return result

def _runfiles_path(ctx, file):
    path = file.short_path
    return path[3:] if path.startswith("../") else ctx.workspace_name + "/" + path

_ATTRS = {
    "data": attr.label_list(allow_files = True),
    "deps": attr.label_list(providers = [PyLibraryInfo]),
    "env": attr.string_dict(),
    "main": attr.label(allow_single_file = [".py"], mandatory = True),
    "_bootstrap": attr.label(default = "//tools/build_defs:py_bootstrap.py", allow_single_file = True),
    "_interpreter": attr.label(default = "@host_python//:interpreter", providers = [PythonInterpreterInfo]),
    "_launcher": attr.label(default = "//tools/build_defs:py_launcher.sh.tpl", allow_single_file = True),
}

_py_program = rule(implementation = _program_impl, attrs = _ATTRS, executable = True)
_py_program_test = rule(implementation = _program_impl, attrs = _ATTRS, test = True)

def attnres_py_library(name, **kwargs):
    """A Python library: modules that others import.

    Args:
      name: the target's name.
      **kwargs: as for py_library.
    """
    py_library(name = name, srcs_version = "PY3", **kwargs)

def attnres_py_binary(name, srcs, main = None, deps = [], data = [], **kwargs):
    """A Python program.

    Args:
      name: the program's name.
      srcs: its own modules; the first is the main file unless `main` says otherwise.
      main: the file that runs.
      deps: what the sources import.
      data: files that it reads through runfiles.
      **kwargs: common attributes (visibility, testonly, tags).
    """
    testonly = kwargs.pop("testonly", None)
    attnres_py_library(
        name = name + "_modules",
        testonly = testonly,
        srcs = srcs,
        data = data,
        tags = ["manual"],
        deps = deps,
        visibility = ["//visibility:private"],
    )
    _py_program(
        name = name,
        testonly = testonly,
        main = main or srcs[0],
        target_compatible_with = kwargs.pop("target_compatible_with", []) + INTERPRETER_CPU,
        deps = [":" + name + "_modules"],
        **kwargs
    )

def attnres_pytest_test(name, srcs, deps = [], data = [], **kwargs):
    """Runs pytest on the sources: each case in test.xml, --test_filter, shard_count; no case fails.

    Args:
      name: stem of the test file.
      srcs: test files, and conftest.py where there is one.
      deps: what they import; pytest comes by itself.
      data: files that they read through runfiles.
      **kwargs: common attributes of tests (size, shard_count, tags, env, timeout).
    """
    attnres_py_library(
        name = name + "_modules",
        testonly = True,
        srcs = srcs,
        data = data,
        deps = deps + [Label("@pip_pytest//:pkg")],
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    _py_program_test(
        name = name,
        main = Label("//tools/build_defs:pytest_main.py"),
        args = kwargs.pop("args", []) + ["$(rootpath {})".format(src) for src in srcs if src.endswith("_test.py")],
        data = srcs,
        target_compatible_with = kwargs.pop("target_compatible_with", []) + INTERPRETER_CPU,
        deps = [":" + name + "_modules"],
        **kwargs
    )
