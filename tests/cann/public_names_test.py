"""op_host and op_kernel include and name only what a CANN toolkit has.

Looks at the files that a toolkit would compile: no header but each other, C++'s own and CANN's public ones, and
no name that the twin alone has.
"""

import os
import pathlib
import re

import pytest
from runfiles import Runfiles

# Headers of CANN that operators may include: of a toolkit, of its opbase and of AscendC.
_HOST_HEADERS = {
    "acl/acl.h",
    "aclnn/acl_meta.h",
    "aclnn/aclnn_base.h",
    "aclnn_kernels/contiguous.h",
    "exe_graph/runtime/infer_datatype_context.h",
    "exe_graph/runtime/infer_shape_context.h",
    "exe_graph/runtime/shape.h",
    "exe_graph/runtime/tiling_context.h",
    "exe_graph/runtime/tiling_parse_context.h",
    "graph/types.h",
    "level0/zero_op.h",
    "op_common/log/log.h",
    "opdev/common_types.h",
    "opdev/data_type_utils.h",
    "opdev/format_utils.h",
    "opdev/make_op_executor.h",
    "opdev/op_dfx.h",
    "opdev/op_errno.h",
    "opdev/op_executor.h",
    "opdev/op_log.h",
    "opdev/platform.h",
    "opdev/shape_utils.h",
    "opdev/tensor_view_utils.h",
    "register/op_def_registry.h",
    "register/op_impl_registry.h",
    "tiling/platform/platform_ascendc.h",
}
_KERNEL_HEADERS = {"ascendc/host_api/tiling/template_argument.h", "kernel_operator.h"}

# Namespaces, macros and functions of the twin, by the words in them. Of a comment too: nothing there is about it.
_TWIN_WORDS = re.compile(r"\w*(?:twin|attnres)\w*|\bhost::\w+", re.IGNORECASE)
_INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)

_ROOT = pathlib.Path(Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/op_host")).parent
_FILES = sorted(
    str(path.relative_to(_ROOT))
    for folder in ("op_host", "op_kernel")
    for path in (_ROOT / folder).rglob("*")
    if path.is_file()
)


def _own(path, include):
    """Whether an include is another of these files: from the root, beside the file, or in a folder `include`."""
    places = [include, os.path.normpath(os.path.join(os.path.dirname(path), include))]
    places += [file for file in _FILES if file.endswith("/include/" + include)]
    return any(place in _FILES for place in places)


def test_files_of_every_kind_are_looked_at():
    for suffix in (
        "_def.cpp",
        "_tiling.cpp",
        "_infershape.cpp",
        "op_api/param_checks.cpp",
        "_apt.cpp",
        "arch22/two_float.h",
    ):
        assert any(path.endswith(suffix) for path in _FILES), suffix
    assert len(_FILES) > 60


@pytest.mark.parametrize("path", _FILES)
def test_includes_only_public_headers(path):
    public = _HOST_HEADERS | _KERNEL_HEADERS if path.startswith("op_host/") else _KERNEL_HEADERS
    for quote, include in _INCLUDE.findall((_ROOT / path).read_text()):
        if quote == "<":
            assert re.fullmatch("[a-z_]+", include), "%s includes <%s>, no header of C++" % (path, include)
        else:
            assert include in public or _own(path, include), "%s includes %s" % (path, include)


@pytest.mark.parametrize("path", _FILES)
def test_names_nothing_of_the_twin(path):
    text = (_ROOT / path).read_text()
    assert _TWIN_WORDS.findall(text) == []
    getters = set(re.findall(r"\b((?:Get|Is)\w+)\(", (_ROOT / "cc/host/include/register/op_def.h").read_text()))
    assert "GetAICoreConfigs" in getters
    if "register/op_def_registry.h" in text:
        assert sorted(getter for getter in getters if re.search(r"\b%s\b" % getter, text)) == []
