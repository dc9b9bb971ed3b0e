"""Prints "CASE TENSOR HASH" for each result of both operators on a grid; every world must print the same.

Inputs come from a generator that NumPy keeps the same everywhere, as raw bits for the sake of its own conversions.
"""

import hashlib
import platform
import sys

import attnres
import ml_dtypes
import numpy as np

DTYPES = {"bf16": ml_dtypes.bfloat16, "fp16": np.float16, "fp32": np.float32}
# Tails of vectors and of UB blocks, rows in one piece and in tiles, one block and none.
SHAPES = [(1, 0, 1), (3, 1, 17), (5, 3, 65), (2, 8, 127), (49, 3, 100), (3, 4, 1168), (2, 3, 7186), (1, 2, 16384)]


def _values(generator, dtype, *shape):
    """Multiples of 1/64 from -2 to 2, which every dtype holds exactly in bfloat16's 8 bits or rounds alike."""
    return (generator.integers(-128, 129, shape) / 64).astype(np.float32).astype(dtype)


def results():
    """(case, tensor, bytes) of each."""
    for soc in attnres.socs():
        for name, dtype in DTYPES.items():
            for tokens, blocks, hidden in SHAPES:
                case = f"{name}-T{tokens}-N{blocks}-H{hidden}-{soc.name}"
                generator = np.random.Generator(np.random.PCG64(hidden + tokens))
                inputs = [
                    _values(generator, dtype, *shape)
                    for shape in [(tokens, hidden), (tokens, blocks, hidden), (1, hidden), (hidden,)]
                ]
                mixture = attnres.block_attention_residuals(*inputs, soc=soc.name)
                upstream = _values(generator, dtype, tokens, hidden)
                gradients = attnres.block_attention_residuals_backward(
                    *inputs, upstream, mixture.inv_norm, mixture.probs, soc=soc.name
                )
                for tensors in (mixture, gradients):
                    for tensor, array in tensors._asdict().items():
                        yield case, tensor, array.tobytes()


def main():
    for case, tensor, content in results():
        print(case, tensor, hashlib.sha256(content).hexdigest())
    print(platform.machine(), attnres.__file__, file=sys.stderr)


if __name__ == "__main__":
    main()
