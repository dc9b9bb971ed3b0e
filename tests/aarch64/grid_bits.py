"""Prints "CASE TENSOR HASH" for each result of both operators on a grid and on captures; the same everywhere.

Arguments are the captures' files. The grid's inputs come from a generator that NumPy keeps the same everywhere, as raw
bits for the sake of its own conversions.
"""

import hashlib
import pathlib
import platform
import sys

import attnres
import ml_dtypes
import numpy as np
from attnres import _checks, _tensor_files

DTYPES = {"bf16": ml_dtypes.bfloat16, "fp16": np.float16, "fp32": np.float32}
# Tails of vectors and of UB blocks, rows in one piece and in tiles, one block and none.
SHAPES = [(1, 0, 1), (3, 1, 17), (5, 3, 65), (2, 8, 127), (49, 3, 100), (3, 4, 1168), (2, 3, 7186), (1, 2, 16384)]


def _values(generator, dtype, *shape):
    """Multiples of 1/64 from -2 to 2, which every dtype holds exactly in bfloat16's 8 bits or rounds alike."""
    return (generator.integers(-128, 129, shape) / 64).astype(np.float32).astype(dtype)


def _grid():
    """(name, inputs of the forward, upstream gradient) of each case."""
    for name, dtype in DTYPES.items():
        for tokens, blocks, hidden in SHAPES:
            generator = np.random.Generator(np.random.PCG64(hidden + tokens))
            inputs = [
                _values(generator, dtype, *shape)
                for shape in [(tokens, hidden), (tokens, blocks, hidden), (1, hidden), (hidden,)]
            ]
            yield f"{name}-T{tokens}-N{blocks}-H{hidden}", inputs, _values(generator, dtype, tokens, hidden)


def _captures(paths):
    """The same of captured training steps."""
    for path in paths:
        tensors = _tensor_files.pick(path, _tensor_files.read(path), _checks.INPUT_DIMENSIONS)
        inputs = [tensors[name] for name in _checks.FORWARD_INPUT_DIMENSIONS]
        yield pathlib.Path(path).stem, inputs, tensors["grad_hidden_states"]


def results(captures):
    """(case, tensor, bytes) of each."""
    for name, inputs, upstream in [*_grid(), *_captures(captures)]:
        for soc in attnres.socs():
            mixture = attnres.block_attention_residuals(*inputs, soc=soc.name)
            gradients = attnres.block_attention_residuals_backward(
                *inputs, upstream, mixture.inv_norm, mixture.probs, soc=soc.name
            )
            for tensors in (mixture, gradients):
                for tensor, array in tensors._asdict().items():
                    yield f"{name}-{soc.name}", tensor, array.tobytes()


def main():
    for case, tensor, content in results(sys.argv[1:]):
        print(case, tensor, hashlib.sha256(content).hexdigest())
    print(platform.machine(), attnres.__file__, file=sys.stderr)


if __name__ == "__main__":
    main()
