"""What the wheel holds: files, tags, metadata, RECORD, and libraries that any manylinux_2_28 machine loads."""

import ast
import os
import pathlib
import re
import stat
import sys
import zipfile

import attnres
import pytest
from runfiles import Runfiles

from tests.build.elf_reader import SharedObject
from tests.wheel import archive

PYTHON = "cp%d%d" % sys.version_info[:2]
# {e_machine: name in tags}
MACHINES = {62: "x86_64", 183: "aarch64"}
OUR_LIBRARIES = {"libascendcl.so", "libcust_opapi.so"}
# What the manylinux_2_28 policy (PEP 600) lets a library of ours need.
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
SYSTEM_LIBRARIES |= {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# {what is imported: distribution}, where the names differ
DISTRIBUTIONS = {"absl": "absl-py", "ml_dtypes": "ml-dtypes"}


def libraries():
    return [name for name in archive.contents() if name.endswith(".so")]


def read_library(name, folder):
    file = folder / os.path.basename(name)
    file.write_bytes(archive.contents()[name])
    return SharedObject(str(file))


def test_files_are_those_of_the_list():
    listed = Runfiles.Create().Rlocation(os.environ["TEST_WORKSPACE"] + "/tests/wheel/contents.txt")
    with open(listed, encoding="utf-8") as lines:
        expected = [line.strip() for line in lines if not line.startswith("#")]
    suffix = ".cpython-%d%d-x86_64-linux-gnu.so" % sys.version_info[:2]
    expected = [name.format(suffix=suffix, version=attnres.__version__) for name in expected]
    assert sorted(archive.contents()) == sorted(expected)


def test_file_name_and_tag_agree():
    (tag,) = archive.parse(archive.information("WHEEL")).get_all("Tag")
    assert tag == f"{PYTHON}-{PYTHON}-manylinux_2_28_x86_64"
    assert archive.path().name == f"attnres-{attnres.__version__}-{tag}.whl"


def test_entries_are_sorted_and_have_one_time_and_mode():
    with zipfile.ZipFile(archive.path()) as wheel:
        entries = wheel.infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.external_attr >> 16 for entry in entries} == {stat.S_IFREG | 0o664}
    names = [entry.filename for entry in entries]
    package = [name for name in names if name.startswith("attnres/")]
    assert names[: len(package)] == sorted(package)
    # The specification asks for .dist-info at the end.
    assert all(".dist-info/" in name for name in names[len(package) :])


def test_record_has_every_file_with_its_hash_and_size():
    record = archive.record()
    assert set(record) == set(archive.contents())
    for name, content in archive.contents().items():
        if name.endswith(".dist-info/RECORD"):
            assert record[name] == ("", "")
        else:
            assert record[name] == (archive.record_digest(content), str(len(content))), name


def test_metadata():
    fields = archive.metadata()
    assert (fields["Name"], fields["Version"], fields["Requires-Python"]) == ("attnres", attnres.__version__, ">=3.10")
    assert fields.get_all("Provides-Extra") == ["jax", "plot", "torch"]
    assert fields["Description-Content-Type"] == "text/markdown"
    assert fields.get_payload().startswith("# attnres\n")
    for name in fields.get_all("License-File"):
        assert archive.information("licenses/" + name)


def test_requirements_are_what_the_modules_import():
    needed = {match[0] for match in map(re.compile(r"[\w-]+").match, archive.metadata().get_all("Requires-Dist"))}
    imported = set()
    for name, content in archive.contents().items():
        if name.endswith(".py"):
            imported |= {module.partition(".")[0] for module, _ in imports_of(content)}
    foreign = imported - set(sys.stdlib_module_names) - {"attnres"}
    assert {DISTRIBUTIONS.get(name, name) for name in foreign} == needed


def test_no_module_of_the_package_that_is_imported_is_missing():
    modules = {re.sub(r"(/__init__)?(\.cpython-[^/]*)?\.(py|so)$", "", name) for name in archive.contents()}
    for name, content in archive.contents().items():
        if name.endswith(".py"):
            for module, member in imports_of(content):
                if module.partition(".")[0] == "attnres":
                    is_module = f"{module}.{member}".replace(".", "/") in modules
                    is_in_module = module.replace(".", "/") in modules and not member.startswith("_")
                    assert is_module or is_in_module, f"{name} imports {member} from {module}"


def imports_of(source):
    """(module, "") of every `import module` anywhere, (module, name) of every `from module import name`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("name", libraries(), ids=os.path.basename)
def test_library_loads_on_any_machine_of_the_tag(name, tmp_path):
    library = read_library(name, tmp_path)
    machine = int.from_bytes(library.content[18:20], "little")
    assert archive.path().name.endswith(f"_{MACHINES[machine]}.whl")
    assert set(library.needed) <= SYSTEM_LIBRARIES | OUR_LIBRARIES
    assert library.runpath == (["$ORIGIN"] if os.path.basename(name) in OUR_LIBRARIES else [])
    versions = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", version) for version in library.versions]
    assert max((int(match[1]), int(match[2])) for match in versions if match) <= (2, 28)


def test_operator_library_finds_the_runtime_library_beside_itself(tmp_path):
    """Also for a C caller that loads it first."""
    for name in OUR_LIBRARIES:
        (tmp_path / name).write_bytes(archive.contents()["attnres/" + name])
    code = f"import ctypes; ctypes.CDLL({str(tmp_path / 'libcust_opapi.so')!r}).aclnnBlockAttentionResiduals"
    pid = os.spawnve(os.P_WAIT, sys.executable, [sys.executable, "-I", "-S", "-c", code], {})
    assert pid == 0
    assert {pathlib.Path(name).parent.name for name in libraries() if "lib" in os.path.basename(name)} == {"attnres"}
