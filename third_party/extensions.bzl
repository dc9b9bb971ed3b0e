"""The module extension that declares the dependencies for MODULE.bazel; WORKSPACE has repositories.bzl."""

load(":repositories.bzl", "attnres_dependencies")

def _dependencies_impl(module_ctx):
    attnres_dependencies()
    is_ours = [module for module in module_ctx.modules if module.is_root and module.name == "attnres"]

    # Bazel then warns of every repository that MODULE.bazel does not use.
    return module_ctx.extension_metadata(
        root_module_direct_deps = "all" if is_ours else None,
        root_module_direct_dev_deps = [] if is_ours else None,
    )

dependencies = module_extension(implementation = _dependencies_impl)
