"""Files of the package that are made elsewhere or from a name: they lie beside its modules, here and in the wheel."""

def _beside_impl(ctx):
    links = []
    for file in ctx.files.srcs:
        link = ctx.actions.declare_file(file.basename)
        ctx.actions.symlink(output = link, target_file = file)
        links.append(link)
    return [DefaultInfo(files = depset(links), runfiles = ctx.runfiles(links))]

attnres_files_beside = rule(
    implementation = _beside_impl,
    doc = "Each of `srcs`, built in another package, under its base name in this one.",
    attrs = {"srcs": attr.label_list(allow_files = True, mandatory = True)},
)

def _version_module_impl(ctx):
    ctx.actions.write(
        ctx.outputs.out,
        "\"\"\"Written by package_files.bzl from version.bzl.\"\"\"\n\nVERSION = \"%s\"\n" % ctx.attr.version,
    )

attnres_version_module = rule(
    implementation = _version_module_impl,
    doc = "A Python module with the constant VERSION.",
    attrs = {
        "out": attr.output(mandatory = True),
        "version": attr.string(mandatory = True),
    },
)
