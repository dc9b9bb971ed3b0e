"""A module of this package: a library whose name is that of its file."""

load("//tools/build_defs:defs.bzl", "attnres_py_library")

_PRIVATE = [
    "//python/attnres:__subpackages__",
    "//tests:__subpackages__",
    "//tools/mutate:__pkg__",
]

def attnres_module(name, data = [], deps = [], visibility = _PRIVATE):
    """NAME.py, found from python/ on.

    Args:
      name: name of the module.
      data: files that it reads.
      deps: what it imports.
      visibility: by default the package, its tests and tools/mutate.
    """
    attnres_py_library(
        name = name,
        srcs = [name + ".py"],
        data = data,
        imports = ["/".join([".."] * native.package_name()[len("python/"):].count("/") + [".."])],
        visibility = visibility,
        deps = deps,
    )
