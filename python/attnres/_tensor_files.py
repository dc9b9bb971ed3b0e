"""Named tensors in files: .safetensors (bfloat16 is native there) and .npz.

NumPy writes a bfloat16 array into an .npz as two-byte void elements; they are read back as bfloat16, with
the same bits. Paths are relative to where the user stands, also under `bazel run`.
"""

import lzma
import os
import pathlib
import zipfile
import zlib

import ml_dtypes
import numpy as np
import safetensors
import safetensors.numpy

SUFFIXES = (".safetensors", ".npz")
_VOID_OF_BFLOAT16 = np.dtype("V2")
# What the two readers raise for damaged content: zipfile passes on what its decompressors raise, NotImplementedError
# stands for a method that it lacks and RuntimeError for encryption, MemoryError for a header with absurd sizes.
_UNREADABLE = (
    EOFError,
    MemoryError,
    OSError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    safetensors.SafetensorError,
    zipfile.BadZipFile,
    zlib.error,
)


class FileFault(Exception):
    """A file that cannot be read or written as asked; the text is one sentence with its path."""


def resolve(path: str) -> pathlib.Path:
    """The path as the user means it: `bazel run` starts a program elsewhere and tells where it was typed."""
    return pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", "")) / path


def check_suffix(path: str) -> str:
    """The suffix of a supported file; FileFault for any other."""
    suffix = pathlib.PurePath(path).suffix
    if suffix not in SUFFIXES:
        fault = f"ends in {suffix!r}" if suffix else "has no suffix"
        raise FileFault(f"{path or 'the empty path'} {fault}; expected {' or '.join(SUFFIXES)}")
    return suffix


def check_writable(path: str) -> None:
    """FileFault for what is wrong with a file to be written, as far as it can be known before the work is done."""
    check_suffix(path)
    folder = resolve(path).parent
    if not folder.is_dir():
        raise FileFault(f"{path} cannot be written: {folder} is no directory")


def read(path: str) -> dict[str, np.ndarray]:
    """All tensors of a file by name."""
    suffix = check_suffix(path)
    resolved = resolve(path)
    if not resolved.is_file():
        fault = "is a directory" if resolved.is_dir() else "does not exist"
        raise FileFault(f"{path} {fault}; expected a {suffix} file")
    try:
        if suffix == ".npz":
            return _read_npz(resolved)
        return dict(safetensors.numpy.load_file(resolved))
    except _UNREADABLE as error:
        raise FileFault(f"{path} is no readable {suffix} file: {_first_line(error)}") from error
    except (AttributeError, KeyError, TypeError) as error:
        # What safetensors raises for an element type that NumPy does not have.
        raise FileFault(f"{path} has a tensor of a type that NumPy lacks: {_first_line(error)}") from error


def _read_npz(path):
    if not zipfile.is_zipfile(path):
        # np.load would take a single array or a pickle for what it is.
        raise zipfile.BadZipFile("File is not a zip file")
    with np.load(path, allow_pickle=False) as archive:
        tensors = {name: archive[name] for name in archive.files}
    return {
        name: tensor.view(ml_dtypes.bfloat16) if tensor.dtype == _VOID_OF_BFLOAT16 else tensor
        for name, tensor in tensors.items()
    }


def write(path: str, tensors: dict[str, np.ndarray]) -> None:
    """Writes contiguous tensors; an existing file is replaced."""
    suffix = check_suffix(path)
    try:
        if suffix == ".npz":
            np.savez(resolve(path), **tensors)
        else:
            safetensors.numpy.save_file(tensors, resolve(path))
    except (OSError, safetensors.SafetensorError) as error:
        raise FileFault(f"{path} cannot be written: {_first_line(error)}") from error


def pick(path: str, tensors: dict[str, np.ndarray], names) -> dict[str, np.ndarray]:
    """The tensors of these names; FileFault names the first that the file lacks, and what it has."""
    for name in names:
        if name not in tensors:
            found = ", ".join(sorted(tensors)) or "nothing"
            raise FileFault(f"{path} has no tensor {name!r}; found {found}")
    return {name: tensors[name] for name in names}


def _first_line(error):
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
