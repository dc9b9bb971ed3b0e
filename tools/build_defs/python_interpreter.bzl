"""The facts about the machine's interpreter that launchers need; instantiated in @host_python."""

PythonInterpreterInfo = provider(
    doc = "Which CPython runs our programs.",
    fields = {
        "path": "absolute path of the executable",
        "version": "major.minor",
    },
)

def _python_interpreter_impl(ctx):
    return [PythonInterpreterInfo(path = ctx.attr.path, version = ctx.attr.version)]

python_interpreter = rule(
    implementation = _python_interpreter_impl,
    attrs = {
        "path": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
)

# The constraint of whatever that interpreter runs, or loads, or is given as data.
INTERPRETER_CPU = [Label("@host_python//:cpu")]
