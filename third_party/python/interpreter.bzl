"""The machine's CPython: found once, recorded in @host_python, used by everything.

Every other repository asks `python_path`, so that wheels, headers and launchers agree on one
interpreter. The facts live in @host_python; no host site-packages is ever on a path.
"""

load("//third_party:build_file.bzl", "write_build_file")

_OLDEST = (3, 10)

_PROBE = """
import importlib.util, os, sys, sysconfig
include = sysconfig.get_paths()["include"]
print(getattr(sys, "_base_executable", None) or sys.executable)
print("%d.%d" % sys.version_info[:2])
print(include if os.path.exists(os.path.join(include, "Python.h")) else "")
print("pip" if importlib.util.find_spec("pip") else "")
multiarch = sysconfig.get_config_var("MULTIARCH") or ""
print(multiarch + "/" + os.path.basename(include))
print(os.path.join(os.path.dirname(include), multiarch, os.path.basename(include)))
print(os.uname().machine)
"""

# Names of processors: what uname says, and Bazel's.
_CPUS = {"aarch64": "aarch64", "x86_64": "x86_64"}

# Of the folders in which Debian keeps what is of one processor.
_OTHER_PART = {"aarch64-linux-gnu": "x86_64-linux-gnu", "x86_64-linux-gnu": "aarch64-linux-gnu"}

_BUILD = """load("@attnres//tools/build_defs:python_interpreter.bzl", "python_interpreter")

package(default_visibility = ["//visibility:public"])

exports_files(["path.txt"])

# Programs run on it, so they are for its processor alone.
alias(
    name = "cpu",
    actual = "@platforms//cpu:{cpu}",
)

python_interpreter(
    name = "interpreter",
    path = "{path}",
    version = "{version}",
)

cc_library(
    name = "headers",
    hdrs = glob(
        [
            "include/**/*.h",
            "multiarch/**/*.h",
        ],
    ),
    includes = [
        "include",
        "multiarch",
    ],
)
"""

def _probe(repository_ctx, candidate):
    """What is wrong with an interpreter (None: nothing), and its facts."""
    result = repository_ctx.execute([candidate, "-I", "-c", _PROBE], timeout = 60)
    lines = result.stdout.split("\n")
    if result.return_code != 0 or len(lines) < 7:
        return "does not run: " + result.stderr.strip(), None
    version = lines[1].split(".")
    if (int(version[0]), int(version[1])) < _OLDEST:
        return "is {}, older than {}.{}".format(lines[1], _OLDEST[0], _OLDEST[1]), None
    if not lines[3]:
        return "has no pip (Debian: apt-get install python3-pip)", None
    if not lines[2]:
        return "has no Python.h (Debian: apt-get install python3-dev)", None
    return None, struct(path = lines[0], version = lines[1], include = lines[2], part = lines[4], part_source = lines[5], machine = lines[6])

def _host_python_impl(repository_ctx):
    candidates = ["/usr/bin/python3"]
    on_path = repository_ctx.which("python3")
    if on_path:
        candidates.append(str(on_path))
    if repository_ctx.os.environ.get("ATTNRES_PYTHON"):
        candidates = [repository_ctx.os.environ["ATTNRES_PYTHON"]]
    faults = []
    for candidate in candidates:
        if not repository_ctx.path(candidate).exists:
            faults.append("{} does not exist".format(candidate))
            continue
        fault, facts = _probe(repository_ctx, candidate)
        if not fault:
            write_build_file(repository_ctx, _BUILD.format(cpu = _CPUS[facts.machine], path = facts.path, version = facts.version))
            repository_ctx.file("path.txt", facts.path, executable = False)
            repository_ctx.symlink(facts.include, "include")
            if repository_ctx.path(facts.part_source + "/pyconfig.h").exists:
                # Debian keeps pyconfig.h of each architecture apart.
                repository_ctx.symlink(facts.part_source, "multiarch/" + facts.part)
                multiarch, _, folder = facts.part.partition("/")
                repository_ctx.template(
                    "multiarch/{}/{}/pyconfig.h".format(_OTHER_PART[multiarch], folder),
                    Label("//third_party/python:other_pyconfig.h.tpl"),
                    {"{part}": facts.part},
                    executable = False,
                )
            return
        faults.append("{} {}".format(candidate, fault))
    fail("host_python: no usable CPython of at least {}.{} with pip and headers: {}. ./bazelw installs what is missing; ATTNRES_PYTHON names another interpreter.".format(
        _OLDEST[0],
        _OLDEST[1],
        "; ".join(faults),
    ))

host_python = repository_rule(
    implementation = _host_python_impl,
    doc = "Records the path, version and headers of the interpreter that everything uses.",
    environ = ["ATTNRES_PYTHON", "PATH"],
    local = True,
)

def python_path(repository_ctx):
    """The interpreter's path, for repository rules that run Python."""
    return repository_ctx.read(Label("@host_python//:path.txt"))
