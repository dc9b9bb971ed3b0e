"""The function that a model calls: what is refused, and its derivative by the backward operator."""

import functools

import jax
import numpy as np

from attnres import _checks, _forward, _socs
from attnres._errors import PARAM_NULLPTR, InvalidArgumentError
from attnres.jax import _calls


def block_attention_residuals(
    partial_block: jax.Array,
    block_res: jax.Array,
    proj_weight: jax.Array,
    norm_weight: jax.Array,
    *,
    norm_eps: float = _forward.DEFAULT_NORM_EPS,
    soc: str = _socs.DEFAULT_SOC,
) -> jax.Array:
    """Mixes the blocks and the partial block of each token by attention over them.

    The score of a row is proj_weight · (norm_weight * row / rms(row)); the result is the sum of the rows, weighted
    by the softmax of the scores. float32 inside, rounded once.

    Args:
        partial_block: [..., H]: the sum of the layers' outputs since the last block was closed.
        block_res: [..., N, H]: the stored residual blocks; N from 0 to 128.
        proj_weight: [H] or [1, H]: the query.
        norm_weight: [H]: weight of the RMS norm.
        norm_eps: added to the mean square; a number, no array that is traced.
        soc: the SoC whose kernels run, a name of attnres.socs().

    Returns:
        [..., H] in the dtype of partial_block: float16, bfloat16 or float32, the same for all four.

    Raises:
        InvalidArgumentError: an argument is wrong; the message has its name, what was expected and what came.
    """
    named = dict(zip(_checks.FORWARD_INPUT_DIMENSIONS, (partial_block, block_res, proj_weight, norm_weight)))
    for name, value in named.items():
        _check_array(name, value)
    _checks.check(named, -1, _checks.LEADING_FORWARD_INPUT_DIMENSIONS)
    norm_eps, soc = _checks.check_norm_eps(norm_eps), _socs.find_soc(soc).name
    return _mix(*_varying_alike(named.values()), norm_eps, soc)


def _check_array(name, value):
    """Only what has a dtype already: JAX would make float32 of a list's numbers and of float64 arrays."""
    if value is None:
        raise InvalidArgumentError(f"{name} is None; expected an array", PARAM_NULLPTR)
    if not isinstance(value, (jax.Array, np.ndarray)):
        raise InvalidArgumentError(f"{name} is a {type(value).__name__}; expected an array of JAX or NumPy")


def _varying_alike(arrays):
    """Under jax.shard_map, weights that devices share become each device's own, so that their gradients are summed."""
    axes = frozenset().union(*(jax.typeof(array).vma for array in arrays))
    for array in arrays:
        missing = tuple(sorted(axes - jax.typeof(array).vma))
        yield jax.lax.pvary(array, missing) if missing else array


@functools.partial(jax.custom_vjp, nondiff_argnums=(4, 5))
def _mix(partial_block, block_res, proj_weight, norm_weight, norm_eps, soc):
    return _calls.forward(partial_block, block_res, proj_weight, norm_weight, norm_eps, soc)[0]


def _mix_and_keep(partial_block, block_res, proj_weight, norm_weight, norm_eps, soc):
    inputs = (partial_block, block_res, proj_weight, norm_weight)
    hidden, *saved = _calls.forward(*inputs, norm_eps, soc)
    return hidden, (inputs, saved)


def _differentiate(norm_eps, soc, kept, grad_hidden):
    del norm_eps  # it is in inv_norm
    inputs, saved = kept
    return _calls.backward(*inputs, grad_hidden, *saved, soc)


_mix.defvjp(_mix_and_keep, _differentiate)
