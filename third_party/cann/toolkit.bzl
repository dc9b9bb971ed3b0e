"""Repository @cann_toolkit: where a machine has its CANN toolkit, and what of it is used.

ASCEND_HOME_PATH names the folder, as the toolkit's own set_env.sh sets it. Command lines name it by
its absolute path; that it changed is seen by its compilers and the files that hold its version.
Without one the repository exists all the same; only --config=cann asks for it, and is told.
"""

load("//third_party:build_file.bzl", "write_build_file")

# Where toolkits of several versions have their compilers and headers, below the folder. {cpu} is the
# machine's, as uname has it.
_COMPILER_FOLDERS = [
    "bin",
    "compiler/ccec_compiler/bin",
    "ccec_compiler/bin",
    "tools/ccec_compiler/bin",
    "tools/bisheng_compiler/bin",
    "{cpu}-linux/bin",
    "{cpu}-linux/ccec_compiler/bin",
]
_HEADER_FOLDERS = [
    "include",
    "include/aclnn",
    "include/external",
    "include/experiment",
    "compiler/include",
    "{cpu}-linux/include",
]
_KERNEL_HEADER_FOLDERS = [
    parent + folder
    for parent in ["", "compiler/", "{cpu}-linux/"]
    for folder in [
        "asc/include",
        "asc/include/adv_api",
        "asc/include/basic_api",
        "asc/include/micro_api",
        "asc/include/utils",
        "asc/impl/adv_api",
        "asc/impl/basic_api",
        "asc/impl/micro_api",
        "asc/impl/utils",
        "tikcpp/tikcfw",
        "tikcpp/tikcfw/interface",
        "tikcpp/tikcfw/impl",
    ]
]

_VERSION_FILES = [
    "version.cfg",
    "version.info",
    "compiler/version.info",
    "include/version/cann_version.h",
]

_BUILD = """load("@attnres//tools/build_defs:cann.bzl", "cann_toolkit")

cann_toolkit(
    name = "toolkit",
    fault = {fault},
    files = glob(["files/*"], allow_empty = True),
    headers = {headers},
    host_compiler = "{host_compiler}",
    kernel_compiler = "{kernel_compiler}",
    kernel_headers = {kernel_headers},
    path = "{path}",
    visibility = ["//visibility:public"],
)
"""

def _existing(repository_ctx, home, names):
    """The absolute paths of those that exist below the toolkit's folder."""
    cpu = repository_ctx.execute(["uname", "-m"]).stdout.strip()
    paths = ["{}/{}".format(home, name.format(cpu = cpu)) for name in names]
    return [path for path in paths if repository_ctx.path(path).exists]

def _find_compiler(repository_ctx, home, names):
    found = _existing(repository_ctx, home, ["{}/{}".format(folder, name) for name in names for folder in _COMPILER_FOLDERS])
    return found[0] if found else ""

def _cann_toolkit_impl(repository_ctx):
    home = repository_ctx.os.environ.get("ASCEND_HOME_PATH", "").rstrip("/")
    fault, host, kernel, headers, kernel_headers = "", "", "", [], []
    if not home:
        fault = "ASCEND_HOME_PATH is not set; --config=cann needs the folder of a CANN toolkit there, as the toolkit's set_env.sh sets it"
    elif not home.startswith("/") or not repository_ctx.path(home).exists:
        fault = "ASCEND_HOME_PATH is '{}', which is no folder; expected the absolute path of a CANN toolkit".format(home)
    else:
        # Either compiles both; ccec is the older name of the kernels' compiler.
        host = _find_compiler(repository_ctx, home, ["bisheng", "ccec"])
        kernel = _find_compiler(repository_ctx, home, ["ccec", "bisheng"])
        headers = _existing(repository_ctx, home, _HEADER_FOLDERS)
        kernel_headers = _existing(repository_ctx, home, _KERNEL_HEADER_FOLDERS)
        if not host:
            fault = "ASCEND_HOME_PATH is '{}', which has no compiler; expected bisheng or ccec in one of {}".format(home, ", ".join(_COMPILER_FOLDERS).format(cpu = "CPU"))
        elif not headers:
            fault = "ASCEND_HOME_PATH is '{}', which has no folder include with the toolkit's headers".format(home)
    watched = [host, kernel] + _existing(repository_ctx, home, _VERSION_FILES) if not fault else []
    for index, path in enumerate(watched):
        repository_ctx.symlink(path, "files/{}".format(index))
    write_build_file(repository_ctx, _BUILD.format(
        fault = repr(fault),
        headers = repr(headers),
        host_compiler = host,
        kernel_compiler = kernel,
        kernel_headers = repr(kernel_headers),
        path = home,
    ))

_cann_toolkit = repository_rule(
    implementation = _cann_toolkit_impl,
    environ = ["ASCEND_HOME_PATH"],
    local = True,
)

def cann_toolkit():
    """Declares @cann_toolkit."""
    _cann_toolkit(name = "cann_toolkit")
