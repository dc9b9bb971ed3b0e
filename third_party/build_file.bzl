"""BUILD files of the dependencies' repositories, which load the rules of this one.

Written as text or overlays they call it @attnres. Where it is another's dependency it may have any name.
"""

# Bazel 7 names a repository in a label's text, "@@//…" or "@@canonical//…". Bazel 4 names a dependency, "@name//…", and
# not the main repository, which WORKSPACE calls attnres.
_THIS = str(Label("//:BUILD.bazel")).partition("//")[0] or "@attnres"

def write_build_file(repository_ctx, content, substitutions = {}):
    """Writes BUILD.bazel of a repository.

    Args:
      repository_ctx: the rule's context.
      content: the file's text; labels of @attnres//… become those of this repository.
      substitutions: {text: replacement} besides.
    """
    for text, replacement in substitutions.items():
        content = content.replace(text, replacement)
    repository_ctx.file("BUILD.bazel", content.replace("@attnres//", _THIS + "//"), executable = False)
