"""The derivative of the forward: what is kept for the backward, and how its results reach the wanted inputs."""

import torch

from attnres.torch import _operators


def _keep(ctx, inputs, output):
    _, inv_norm, probs = output
    ctx.mark_non_differentiable(inv_norm, probs)
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:4], inv_norm, probs)


def _differentiate(ctx, grad_hidden, *_):
    wanted = ctx.needs_input_grad[:4]
    if grad_hidden is None:  # what follows gave no gradient
        return (None,) * 6
    # Asked for once: activation checkpointing gives them once.
    *inputs, inv_norm, probs = ctx.saved_tensors
    partial_block, block_res, proj_weight, norm_weight = inputs
    saved = (inv_norm, probs)
    leading = partial_block.dim() - 1
    if leading > 1:
        partial_block, grad_hidden, *saved = (t.flatten(0, -2) for t in (partial_block, grad_hidden, *saved))
        block_res = block_res.flatten(0, -3)
    if proj_weight.dim() == 1:
        proj_weight = proj_weight.unsqueeze(0)
    gradients = _operators.residuals_backward(partial_block, block_res, proj_weight, norm_weight, grad_hidden, *saved)
    # Only the wanted ones are handed on, each in the shape of its input.
    return *(g.view(x.shape) if want else None for g, x, want in zip(gradients, inputs, wanted)), None, None


def _refuse(ctx, *_):
    raise RuntimeError(
        "attnres::block_attention_residuals can be differentiated once; there is no second derivative "
        "(create_graph=True asks for a graph of the gradients, and something differentiated through it)"
    )


torch.library.register_autograd(
    _operators.residuals_forward, _differentiate, setup_context=_keep, lib=_operators.LIBRARY
)
torch.library.register_autograd(_operators.residuals_backward, _refuse, lib=_operators.LIBRARY)
