"""Tensor files: bits survive both formats, and every fault is one sentence with the path."""

import zipfile

import ml_dtypes
import numpy as np
import pytest

from attnres import _dtypes, _tensor_files
from attnres.testing import inputs as testing_inputs
from attnres.testing.bits import same_bits


@pytest.mark.parametrize("suffix", _tensor_files.SUFFIXES)
@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda d: d.short_name)
def test_bits_survive(tmp_path, suffix, dtype):
    tensors = testing_inputs.make_inputs(3, 2, 5, dtype)
    tensors["partial_block"][0, 0] = np.nan
    path = str(tmp_path / f"x{suffix}")
    _tensor_files.write(path, tensors)
    found = _tensor_files.read(path)
    assert found.keys() == tensors.keys()
    assert all(same_bits(found[name], tensors[name]) for name in tensors)


@pytest.mark.parametrize("suffix", _tensor_files.SUFFIXES)
def test_empty_tensors_survive(tmp_path, suffix):
    path = str(tmp_path / f"x{suffix}")
    _tensor_files.write(path, {"a": np.zeros((0, 3), ml_dtypes.bfloat16)})
    assert _tensor_files.read(path)["a"].shape == (0, 3)


@pytest.mark.parametrize("suffix", _tensor_files.SUFFIXES)
@pytest.mark.parametrize("content", [b"", b"\x08", b"no such format at all" * 20], ids=len)
def test_damaged_file(tmp_path, suffix, content):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(content)
    with pytest.raises(_tensor_files.FileFault) as caught:
        _tensor_files.read(str(path))
    assert str(caught.value).startswith(f"{path} is no readable {suffix} file: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size, damage", [(4, 0xFF), (2**62, 0)], ids=["compressed_data", "size_beyond_memory"])
def test_npz_with_damaged_array(tmp_path, size, damage):
    shape = f"({size},)"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00\x76\x00" + header.encode() + bytes(16))
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[30 + len("a.npy")] ^= damage  # the first byte after the entry's own header
    (tmp_path / "x.npz").write_bytes(bytes(content))
    with pytest.raises(_tensor_files.FileFault, match="is no readable .npz file: "):
        _tensor_files.read(str(tmp_path / "x.npz"))


def test_single_array_is_no_npz(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    (tmp_path / "x.npy").rename(tmp_path / "x.npz")
    with pytest.raises(_tensor_files.FileFault, match="x.npz is no readable .npz file: File is not a zip file"):
        _tensor_files.read(str(tmp_path / "x.npz"))


def test_pickled_objects_are_not_read(tmp_path):
    path = str(tmp_path / "x.npz")
    np.savez(path, a=np.array([object()]))
    with pytest.raises(_tensor_files.FileFault, match="is no readable .npz file"):
        _tensor_files.read(path)


def test_missing_directory_and_suffix(tmp_path):
    with pytest.raises(_tensor_files.FileFault, match="does not exist"):
        _tensor_files.read(str(tmp_path / "x.npz"))
    (tmp_path / "d.npz").mkdir()
    with pytest.raises(_tensor_files.FileFault, match="is a directory"):
        _tensor_files.read(str(tmp_path / "d.npz"))
    with pytest.raises(_tensor_files.FileFault, match=r"'.txt'; expected .safetensors or .npz"):
        _tensor_files.read("x.txt")
    with pytest.raises(_tensor_files.FileFault, match=r"^x has no suffix; expected .safetensors or .npz"):
        _tensor_files.read("x")
    with pytest.raises(_tensor_files.FileFault, match="cannot be written"):
        _tensor_files.write(str(tmp_path / "none" / "x.npz"), {"a": np.zeros(1)})
    with pytest.raises(_tensor_files.FileFault, match="cannot be written"):
        _tensor_files.write(str(tmp_path / "none" / "x.safetensors"), {"a": np.zeros(1)})


def test_pick_names_what_is_missing_and_what_is_there():
    with pytest.raises(_tensor_files.FileFault) as caught:
        _tensor_files.pick("f.npz", {"probz": np.zeros(1), "b": np.zeros(1)}, ["b", "probs"])
    assert str(caught.value) == "f.npz has no tensor 'probs'; found b, probz"


def test_paths_are_relative_to_where_the_user_stands(tmp_path, monkeypatch):
    np.savez(tmp_path / "x.npz", a=np.zeros(1))
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    monkeypatch.chdir("/")
    assert list(_tensor_files.read("x.npz")) == ["a"]
