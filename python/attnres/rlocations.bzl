"""A rule that tells Python code where Bazel puts files among the runfiles.

`attnres_rlocations` writes a module with a dictionary RLOCATIONS: name -> path below the runfiles root. The
repository part of a path is the one that Bazel uses in this very build (main repository or external, with or
without bzlmod), so no name of a repository stands in the Python code. _libraries.py reads the module.
"""

def _rlocation(ctx, short_path):
    if short_path.startswith("../"):
        return short_path[len("../"):]
    return ctx.workspace_name + "/" + short_path

def _attnres_rlocations_impl(ctx):
    lines = [
        "\"\"\"Where Bazel puts the files of this package among the runfiles; written by rlocations.bzl.\"\"\"",
        "",
        "SELF = \"%s\"" % _rlocation(ctx, ctx.outputs.out.short_path),
        "RLOCATIONS = {",
    ]
    for target in ctx.attr.files:
        for file in target[DefaultInfo].files.to_list():
            lines.append("    \"%s\": \"%s\"," % (file.basename, _rlocation(ctx, file.short_path)))
    lines.append("}")
    ctx.actions.write(ctx.outputs.out, "\n".join(lines) + "\n")
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

attnres_rlocations = rule(
    implementation = _attnres_rlocations_impl,
    doc = "Writes `out`, a Python module with the runfiles path of each of `files` under its base name.",
    attrs = {
        "files": attr.label_list(allow_files = True, mandatory = True),
        "out": attr.output(mandatory = True),
    },
)
