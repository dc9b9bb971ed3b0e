"""Who takes part in `bench`: this package on each SoC, and the peers, which are there where their packages are.

A contender is a call without arguments that does the whole job once, on inputs in memory. numpy_peer.py,
torch_peer.py and jax_peer.py hold the peers; the latter two import packages that this one does not need.
"""

import dataclasses
import importlib.util
from collections.abc import Callable

import numpy as np
from attnres import _backward, _checks, _reference
from attnres._bench import numpy_peer, workload

# In the order of the table. Each with the package that it takes.
PEERS = {
    "copy": None,
    "torch_compile": "torch",
    "torch_compile_apart": "torch",
    "torch_eager": "torch",
    "torch_autograd": "torch",
    "numpy": None,
    "jax_jit": "jax",
}


@dataclasses.dataclass(frozen=True)
class Contender:
    """One way to do the job on the inputs of one case.

    Attributes:
        who: its name.
        call: does the job once.
        as_gradients: makes arrays by output name of what `call` returns; None where it makes no gradients.
        moved_bytes: the least that the job moves, for its bytes per second.
        how: what the figure depends on: instruction set, compiler, way of copying.
    """

    who: str
    call: Callable[[], object]
    as_gradients: Callable[[object], dict[str, np.ndarray]] | None
    moved_bytes: int
    how: str


def missing(who: str) -> str | None:
    """Why a peer cannot run here; None if it can."""
    package = PEERS[who]
    if package and importlib.util.find_spec(package) is None:
        return f"{package} is not installed"
    if who.startswith("torch_compile"):
        from attnres._bench import torch_peer

        return torch_peer.compiler_missing()
    return None


def ours(soc: str, case: workload.Case, inputs: dict[str, np.ndarray], threads: int) -> Contender:
    """The whole NumPy call on one SoC, as a user makes it."""
    statistics = _backward.run(inputs, soc=soc, threads=threads)[1]
    return Contender(
        who=f"ours_{soc}",
        call=lambda: _backward.block_attention_residuals_backward(**inputs, soc=soc, threads=threads),
        as_gradients=lambda result: result._asdict(),
        moved_bytes=case.minimal_bytes,
        how=f"{statistics.path}, {statistics.isa}",
    )


def peer(who: str, case: workload.Case, inputs: dict[str, np.ndarray], threads: int) -> Contender:
    """A peer that is not missing."""
    if who == "copy":
        return _copy(case, inputs, threads)
    if who == "numpy":
        call, as_gradients = (lambda: numpy_peer.backward(inputs)), dict
        how = f"numpy {np.__version__}, one thread"
    elif who == "jax_jit":
        from attnres._bench import jax_peer

        call, as_gradients, how = jax_peer.jitted(inputs), jax_peer.as_gradients, jax_peer.describe()
    else:
        call, as_gradients, how = _torch(who, inputs, threads)
    return Contender(who, call, as_gradients, case.minimal_bytes, how)


def _torch(who, inputs, threads):
    import torch
    from attnres._bench import torch_peer

    torch.set_num_threads(threads)
    how = f"torch {torch.__version__}"
    if who.startswith("torch_compile"):
        function = torch_peer.backward_apart if who == "torch_compile_apart" else torch_peer.backward
        how = f"{how}, {torch_peer.describe_compiler()}"
        return torch_peer.compiled(inputs, function), torch_peer.as_gradients, how
    make = {"torch_eager": torch_peer.eager, "torch_autograd": torch_peer.autograd}[who]
    return make(inputs), torch_peer.as_gradients, how


def _copy(case, inputs, threads):
    pairs = numpy_peer.pairs_to_copy(inputs)
    ways = numpy_peer.ways_to_copy(pairs, threads)
    if importlib.util.find_spec("torch") is not None:
        import torch
        from attnres._bench import torch_peer

        torch.set_num_threads(threads)
        ways.append((f"Tensor.copy_ with {threads} threads", lambda: torch_peer.copy(pairs)))
    how, call = numpy_peer.fastest(ways)
    return Contender("copy", call, None, case.copied_bytes, how)


def wrong(contender: Contender, golden: dict[str, np.ndarray], case: workload.Case) -> str | None:
    """One sentence on the first output that is not even roughly the golden; None if all are.

    Rounding to the dtype, and sums in any order in float32, stay far within it: nobody is judged by accuracy here.
    """
    if contender.as_gradients is None:
        contender.call()
        return None
    gradients = contender.as_gradients(contender.call())
    tolerance = 8 * 2.0**-case.dtype.mantissa_bits + 1e-3
    for name in _checks.OUTPUT_NAMES:
        if gradients[name].shape != golden[name].shape:
            return f"{contender.who} is wrong: {name} has shape {gradients[name].shape}; expected {golden[name].shape}"
        if golden[name].size == 0:
            continue
        error = np.abs(gradients[name].astype(np.float32) - golden[name]).max()
        largest = np.abs(golden[name]).max()
        if not error <= tolerance * largest:
            return f"{contender.who} is wrong: {name} is off by {error:.3g}, where its largest value is {largest:.3g}"
    return None


def golden(inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What `wrong` compares with: the formulas in float64, kept in float32."""
    return {name: value.astype(np.float32) for name, value in _reference.evaluate(inputs).items()}
