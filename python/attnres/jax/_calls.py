"""The two aclnn calls in JAX: one target of its foreign function interface, of which both are a use.

The attributes of a call say which interface runs, so that a further operator needs no further target.
_ffi_native.cc is the target; _residuals.py has the derivative.
"""

import math

import jax
import jax.custom_batching
import jax.numpy as jnp
import numpy as np

from attnres import _backward, _forward, _libraries, _socs, _twin
from attnres.jax import _ffi_native

TARGET = "attnres_aclnn_call"

# Now and not in the first call: a program that JAX has exported is called without being traced.
_libraries.ensure_loaded(_socs.DEFAULT_SOC)
jax.ffi.register_ffi_target(TARGET, _ffi_native.handler(_twin.native_call), platform="cpu")


def forward(partial_block, block_res, proj_weight, norm_weight, norm_eps: float, soc: str):
    """hidden_states [..., H], inv_norm and probs [..., N + 1] of inputs that were checked."""

    @jax.custom_batching.custom_vmap
    def mix(partial_block, block_res, proj_weight, norm_weight):
        leading = partial_block.shape[:-1]
        rows, blocks = _flat(partial_block), _flat(block_res, 2)
        saved = jax.ShapeDtypeStruct((rows.shape[0], blocks.shape[1] + 1), jnp.float32)
        call = _call(_forward.API_NAME, soc, (_like(rows), saved, saved), integers=(-1, 1), reals=(norm_eps,))
        results = call(rows, blocks, proj_weight, norm_weight)
        return tuple(result.reshape(*leading, result.shape[-1]) for result in results)

    @mix.def_vmap
    def batch(axis_size, in_batched, *inputs):
        if any(in_batched[2:]):
            results = _one_by_one(mix, in_batched, inputs)
        else:
            # Rows of all examples are tokens of one call.
            rows = (
                x if is_batched else jnp.broadcast_to(x, (axis_size, *x.shape))
                for x, is_batched in zip(inputs[:2], in_batched)
            )
            results = mix(*rows, *inputs[2:])
        return results, (True, True, True)

    return mix(partial_block, block_res, proj_weight, norm_weight)


def backward(partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs, soc: str):
    """The gradients of the first four, each in its shape; inv_norm and probs as `forward` returns them.

    Under vmap one call per example, each of which has weight gradients of its own.
    """
    inputs = (partial_block, block_res, proj_weight, norm_weight)
    first = (_flat(partial_block), _flat(block_res, 2), proj_weight.reshape(1, -1), norm_weight)
    call = _call(_backward.API_NAME, soc, tuple(map(_like, first)), integers=(-1,), reals=())
    gradients = call(*first, *map(_flat, (grad_hidden, inv_norm, probs)))
    return tuple(gradient.reshape(given.shape) for gradient, given in zip(gradients, inputs))


def _flat(array, kept=1):
    """With one axis of tokens before the last `kept`."""
    leading, rest = array.shape[:-kept], array.shape[-kept:]
    return array.reshape(math.prod(leading), *rest)


def _like(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


def _one_by_one(function, in_batched, inputs):
    def call(batched):
        remaining = iter(batched)
        return function(*(next(remaining) if is_batched else x for x, is_batched in zip(inputs, in_batched)))

    return jax.lax.map(call, [x for x, is_batched in zip(inputs, in_batched) if is_batched])


def _call(api, soc, results, *, integers, reals):
    """The call of an interface as a function of its inputs."""
    target = jax.ffi.ffi_call(TARGET, results, vmap_method="sequential")
    attributes = {"integers": np.array(integers, np.int64), "reals": np.array(reals, np.float64)}

    @jax.custom_jvp
    def call(*inputs):
        return target(*inputs, api=api, soc=soc, **attributes)

    @call.defjvp
    def refuse(primals, tangents):
        # _residuals.py has the first derivative, so what comes here is a second one.
        raise NotImplementedError(
            "attnres.jax.block_attention_residuals can be differentiated once; it has no second derivative"
        )

    return call
