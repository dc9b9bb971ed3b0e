"""The PyTorch contenders of `bench`, and the autograd that the accuracy test compares with.

Importing this module imports torch; who uses it asks contenders.missing first.
"""

import os
import shutil
import subprocess

import numpy as np
import torch
from attnres import _checks
from attnres.torch import _tensors

NORM_EPS = 1e-6


def backward(partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs):
    """The gradients from what the forward saved, float32 inside: the formulas as they are written, on one tensor V."""
    dtype = partial_block.dtype
    values, upstream = torch.cat([block_res, partial_block[:, None]], 1).float(), grad_hidden.float()
    proj, norm = proj_weight[0].float(), norm_weight.float()
    weight = norm * proj
    dots = (upstream[:, None] * values).sum(-1)
    scores = (values * weight).sum(-1)
    scaled, variance = _score_gradients(dots, scores, probs, inv_norm, weight.numel())
    grad_values = upstream[:, None] * probs[..., None] + scaled[..., None] * weight - variance[..., None] * values
    score_weight = (scaled[..., None] * values).sum((0, 1))
    return (
        grad_values[:, -1].to(dtype),
        grad_values[:, :-1].to(dtype),
        (score_weight * norm)[None].to(dtype),
        (score_weight * proj).to(dtype),
    )


def backward_apart(partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs):
    """`backward` rewritten for torch.compile, which makes its fastest code of it.

    The stored blocks and the partial one stay apart, and the score weight's gradient is summed over the blocks first.
    """
    dtype = partial_block.dtype
    blocks, partial, upstream = block_res.float(), partial_block.float(), grad_hidden.float()
    proj, norm = proj_weight[0].float(), norm_weight.float()
    weight = norm * proj
    dots = torch.cat([(upstream[:, None] * blocks).sum(-1), (upstream * partial).sum(-1, keepdim=True)], 1)
    scores = torch.cat([(blocks * weight).sum(-1), (partial * weight).sum(-1, keepdim=True)], 1)
    scaled, variance = _score_gradients(dots, scores, probs, inv_norm, weight.numel())
    grad_blocks = (
        upstream[:, None] * probs[:, :-1, None] + scaled[:, :-1, None] * weight - variance[:, :-1, None] * blocks
    )
    grad_partial = upstream * probs[:, -1:] + scaled[:, -1:] * weight - variance[:, -1:] * partial
    score_weight = ((scaled[:, :-1, None] * blocks).sum(1) + scaled[:, -1:] * partial).sum(0)
    return (
        grad_partial.to(dtype),
        grad_blocks.to(dtype),
        (score_weight * norm)[None].to(dtype),
        (score_weight * proj).to(dtype),
    )


def _score_gradients(dots, scores, probs, inv_norm, hidden):
    """gs * inv_norm, and the variance scale, from sum(grad_hidden * V) and sum(w * V)."""
    scaled = probs * (dots - (probs * dots).sum(-1, keepdim=True)) * inv_norm
    return scaled, scaled * (scores * inv_norm) * inv_norm / hidden


def plain(partial_block, block_res, proj_weight, norm_weight):
    """Block attention residuals as one writes them down: the rows' RMS norm, its product with the query, the mix."""
    values = torch.cat([block_res, partial_block[:, None]], 1).float()
    normed = values * torch.rsqrt(values.pow(2).mean(-1, keepdim=True) + NORM_EPS) * norm_weight.float()
    probs = torch.softmax((normed * proj_weight[0].float()).sum(-1), -1)
    return (probs[..., None] * values).sum(1).to(partial_block.dtype)


def forward(partial_block, block_res, proj_weight, norm_weight):
    """`plain` with one weight for both products, which needs no normed rows: float32 inside, in the main dtype."""
    values = torch.cat([block_res, partial_block[:, None]], 1).float()
    inv_norm = torch.rsqrt(values.pow(2).mean(-1) + NORM_EPS)
    score = inv_norm * (values * (norm_weight.float() * proj_weight[0].float())).sum(-1)
    probs = torch.softmax(score, -1)
    return (probs[..., None] * values).sum(1).to(partial_block.dtype)


def autograd(inputs: dict[str, np.ndarray]):
    """Runs the forward; returns a call of its backward that may be repeated."""
    given = {name: _tensors.as_tensor(value) for name, value in inputs.items()}
    leaves = [given[name].detach().requires_grad_() for name in list(_checks.INPUT_DIMENSIONS)[:4]]
    hidden = forward(*leaves)
    return lambda: torch.autograd.grad(hidden, leaves, given["grad_hidden_states"], retain_graph=True)


def forward_pass(inputs: dict[str, np.ndarray], function):
    """A call of the forward without a graph."""
    given = [_tensors.as_tensor(inputs[name]) for name in _checks.FORWARD_INPUT_DIMENSIONS]
    return lambda: {"hidden_states": function(*given)}


def both_passes(inputs: dict[str, np.ndarray], function):
    """A call of the forward and of the gradients of its four inputs."""
    given = [_tensors.as_tensor(inputs[name]) for name in _checks.FORWARD_INPUT_DIMENSIONS]
    leaves = [tensor.detach().requires_grad_() for tensor in given]
    upstream = _tensors.as_tensor(inputs["grad_hidden_states"])
    return lambda: torch.autograd.grad(function(*leaves), leaves, upstream)


def eager(inputs: dict[str, np.ndarray]):
    """A call of `backward` in eager mode."""
    given = [_tensors.as_tensor(inputs[name]) for name in _checks.INPUT_DIMENSIONS]
    return lambda: backward(*given)


def compile_alone(function):
    """A function through torch.compile, for the shapes of its first call only."""
    import torch._inductor.config

    # In this process: workers would take the CPU from others that are being measured.
    torch._inductor.config.compile_threads = 1
    torch._dynamo.reset()
    return torch.compile(function, dynamic=False)


def compiled(inputs: dict[str, np.ndarray], function=backward):
    """A call of `backward` or `backward_apart` through torch.compile."""
    given = [_tensors.as_tensor(inputs[name]) for name in _checks.INPUT_DIMENSIONS]
    fast = compile_alone(function)
    return lambda: fast(*given)


def as_outputs(result) -> dict[str, np.ndarray]:
    """The arrays by name of what any of the calls returns."""
    if isinstance(result, dict):
        return {name: _tensors.as_array(value) for name, value in result.items()}
    return {name: _tensors.as_array(value) for name, value in zip(_checks.OUTPUT_NAMES, result, strict=True)}


def copy(pairs) -> None:
    """Copies each source of (destination, source) uint8 arrays with the threads that PyTorch has."""
    for destination, source in pairs:
        torch.from_numpy(destination).copy_(torch.from_numpy(source))


def read(inputs: dict[str, np.ndarray]):
    """A call that sums all bytes of V, as 64-bit integers, with the threads that PyTorch has."""
    sources = [inputs[name].reshape(-1).view(np.uint8) for name in ("block_res", "partial_block")]
    words = [torch.from_numpy(source[: source.size // 8 * 8].view(np.int64)) for source in sources]
    return lambda: [word.sum() for word in words]


def compiler_missing() -> str | None:
    """Why torch.compile cannot make native code here; None if it can. It takes CXX, g++ or clang++, in this order."""
    if os.environ.get("CXX"):
        if shutil.which(os.environ["CXX"]) is None:
            return f"CXX is {os.environ['CXX']}, which is no program"
        return None
    for name in ("g++", "clang++"):
        if shutil.which(name):
            os.environ["CXX"] = name  # torch itself would only look for g++
            return None
    return "torch.compile needs a C++ compiler; there is no g++ or clang++, and CXX names none"


def describe_compiler() -> str:
    """The compiler of torch.compile and the vector instructions that it uses; ValueError if it uses none."""
    from torch._inductor import cpu_vec_isa

    name = os.environ.get("CXX", "g++")
    version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
    isa = cpu_vec_isa.pick_vec_isa()
    if not isa:
        raise ValueError("torch.compile finds no vector instructions here, so its time would be no measure")
    return f"{version.splitlines()[0].strip()}, {str(isa).split()[0]}"
