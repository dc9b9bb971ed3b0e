"""Block attention residuals in JAX on its CPU platform, under jit, grad and vmap; see docs/jax.md for a whole model.

    hidden = attnres.jax.block_attention_residuals(partial_block, block_res, proj_weight, norm_weight)

The arrays' memory goes to the operator's own kernels as it is, through jax.ffi. A wrong argument raises
attnres.InvalidArgumentError (also a ValueError) when the function is traced.
"""

try:
    import jax as _jax  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "jax":
        raise
    raise ImportError("attnres.jax needs JAX, which is not installed; `pip install jax` brings it") from None

from attnres.jax._residuals import block_attention_residuals

__all__ = ["block_attention_residuals"]
