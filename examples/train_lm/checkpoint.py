"""A run's state in a file."""

import os
import pickle
import zipfile

import torch

from examples.train_lm.errors import InputError


def write(path: str, state: dict) -> None:
    """Replaces the file as a whole: whoever is interrupted meanwhile keeps the old one."""
    try:
        torch.save(state, path + ".part")
        os.replace(path + ".part", path)
    except (OSError, RuntimeError) as error:
        raise InputError(f"--checkpoint={path} cannot be written: {error}") from error


def read(path: str) -> dict:
    """The state that `write` wrote; no code in the file is run."""
    if not os.path.isfile(path):
        raise InputError(f"--checkpoint={path} does not exist; expected the checkpoint that --resume continues from")
    try:
        state = torch.load(path, weights_only=True)
    except (EOFError, OSError, RuntimeError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        raise InputError(f"--checkpoint={path} is no checkpoint: {type(error).__name__}") from error
    if not isinstance(state, dict) or "recipe" not in state:
        raise InputError(f"--checkpoint={path} is no checkpoint of this program")
    return state
