"""Who takes part in `bench`: this package on each SoC, and the peers, which are there where their packages are.

A contender is a call without arguments that does the whole job once, on inputs in memory. numpy_peer.py,
torch_peer.py and jax_peer.py hold the peers; the latter two import packages that this one does not need.
"""

import dataclasses
import functools
import importlib.util
from collections.abc import Callable

import numpy as np
from attnres import _backward, _checks, _forward, _reference
from attnres._bench import numpy_peer, workload


@dataclasses.dataclass(frozen=True)
class Peer:
    """What a peer takes: a package, or None, and the passes that it has."""

    package: str | None
    passes: tuple[str, ...] = workload.PASSES


# In the order of the table.
PEERS = {
    "copy": Peer(None, ("backward",)),
    "read": Peer(None, ("forward",)),
    "torch_compile": Peer("torch"),
    "torch_compile_apart": Peer("torch", ("backward",)),
    "torch_compile_folded": Peer("torch", ("forward", "both")),
    "torch_eager": Peer("torch"),
    "torch_autograd": Peer("torch", ("backward",)),
    "numpy": Peer(None, ("backward", "forward")),
    "jax_jit": Peer("jax", ("backward",)),
}


@dataclasses.dataclass(frozen=True)
class Contender:
    """One way to do the job on the inputs of one case.

    Attributes:
        who: its name.
        call: does the job once.
        as_outputs: makes arrays by output name of what `call` returns; None where it makes no results.
        moved_bytes: the least that the job moves, for its bytes per second.
        how: what the figure depends on: instruction set, compiler, way of copying.
    """

    who: str
    call: Callable[[], object]
    as_outputs: Callable[[object], dict[str, np.ndarray]] | None
    moved_bytes: int
    how: str


def missing(who: str, timed: str = "backward") -> str | None:
    """Why a peer cannot run here; None if it can."""
    peer = PEERS[who]
    if timed not in peer.passes:
        return f"it has no part in --pass={timed}, but in {' and '.join(peer.passes)}"
    if peer.package and importlib.util.find_spec(peer.package) is None:
        return f"{peer.package} is not installed"
    if who.startswith("torch_compile"):
        from attnres._bench import torch_peer

        return torch_peer.compiler_missing()
    return None


def ours(soc: str, case: workload.Case, inputs: dict[str, np.ndarray], threads: int) -> Contender:
    """The whole call on one SoC, as a user makes it: NumPy's for one pass, for both autograd's if there is torch."""
    first = {name: inputs[name] for name in _checks.FORWARD_INPUT_DIMENSIONS}
    statistics = _backward.run(inputs, soc=soc, threads=threads)[1]
    how = f"{statistics.path}, {statistics.isa}"
    as_outputs = _named
    if case.timed == "backward":
        call = functools.partial(_backward.block_attention_residuals_backward, **inputs, soc=soc, threads=threads)
    elif case.timed == "forward":
        statistics = _forward.run(first, soc=soc, threads=threads)[1]
        how = f"{statistics.path}, {statistics.isa}"
        call = functools.partial(_forward.block_attention_residuals, **first, soc=soc, threads=threads)
    elif importlib.util.find_spec("torch") is not None:
        call, as_outputs = _ours_in_torch(soc, inputs, threads)
        how += ", attnres.torch"
    else:
        call = functools.partial(_ours_in_turn, first, inputs["grad_hidden_states"], soc, threads)
    return Contender(f"ours_{soc}", call, as_outputs, case.minimal_bytes, how)


def _named(result):
    return result._asdict()


def _ours_in_turn(first, upstream, soc, threads):
    _, *saved = _forward.block_attention_residuals(**first, soc=soc, threads=threads)
    return _backward.block_attention_residuals_backward(*first.values(), upstream, *saved, soc=soc, threads=threads)


def _ours_in_torch(soc, inputs, threads):
    import attnres.torch
    import torch
    from attnres._bench import torch_peer

    torch.set_num_threads(threads)

    def mix(*tensors):
        attnres.torch.set_soc(soc)
        return torch.ops.attnres.block_attention_residuals(*tensors)

    return torch_peer.both_passes(inputs, mix), torch_peer.as_outputs


def peer(who: str, case: workload.Case, inputs: dict[str, np.ndarray], threads: int) -> Contender:
    """A peer that is not missing."""
    if who in ("copy", "read"):
        return _bound(who, case, inputs, threads)
    if who == "numpy":
        how = f"numpy {np.__version__}, one thread"
        if case.timed == "forward":
            call, as_outputs = (lambda: {"hidden_states": numpy_peer.forward(inputs)}), dict
        else:
            call, as_outputs = (lambda: numpy_peer.backward(inputs)), dict
    elif who == "jax_jit":
        from attnres._bench import jax_peer

        call, as_outputs, how = jax_peer.jitted(inputs), jax_peer.as_outputs, jax_peer.describe()
    else:
        call, as_outputs, how = _torch(who, case.timed, inputs, threads)
    return Contender(who, call, as_outputs, case.minimal_bytes, how)


def _torch(who, timed, inputs, threads):
    import torch
    from attnres._bench import torch_peer

    torch.set_num_threads(threads)
    how = f"torch {torch.__version__}"
    compiled = who.startswith("torch_compile")
    if compiled:
        how = f"{how}, {torch_peer.describe_compiler()}"
    if timed != "backward":
        function = torch_peer.forward if who == "torch_compile_folded" else torch_peer.plain
        make = {"forward": torch_peer.forward_pass, "both": torch_peer.both_passes}[timed]
        call = make(inputs, torch_peer.compile_alone(function) if compiled else function)
    elif compiled:
        function = torch_peer.backward_apart if who == "torch_compile_apart" else torch_peer.backward
        call = torch_peer.compiled(inputs, function)
    else:
        call = {"torch_eager": torch_peer.eager, "torch_autograd": torch_peer.autograd}[who](inputs)
    return call, torch_peer.as_outputs, how


def _bound(who, case, inputs, threads):
    """The fastest way to copy V, or to read it."""
    with_torch = importlib.util.find_spec("torch") is not None
    if with_torch:
        import torch
        from attnres._bench import torch_peer

        torch.set_num_threads(threads)
    if who == "copy":
        pairs = numpy_peer.pairs_to_copy(inputs)
        ways, moved_bytes = numpy_peer.ways_to_copy(pairs, threads), case.copied_bytes
        if with_torch:
            ways.append((f"Tensor.copy_ with {threads} threads", lambda: torch_peer.copy(pairs)))
    else:
        ways, moved_bytes = numpy_peer.ways_to_read(inputs, threads), case.read_bytes
        if with_torch:
            ways.append((f"Tensor.sum with {threads} threads", torch_peer.read(inputs)))
    how, call = numpy_peer.fastest(ways)
    return Contender(who, call, None, moved_bytes, how)


def wrong(contender: Contender, golden: dict[str, np.ndarray], case: workload.Case) -> str | None:
    """One sentence on the first output that is not even roughly the golden; None if all are.

    Rounding to the dtype, and sums in any order in float32, stay far within it: nobody is judged by accuracy here.
    """
    if contender.as_outputs is None:
        contender.call()
        return None
    outputs = contender.as_outputs(contender.call())
    tolerance = 8 * 2.0**-case.dtype.mantissa_bits + 1e-3
    for name in golden:
        if outputs[name].shape != golden[name].shape:
            return f"{contender.who} is wrong: {name} has shape {outputs[name].shape}; expected {golden[name].shape}"
        if golden[name].size == 0:
            continue
        error = np.abs(outputs[name].astype(np.float32) - golden[name]).max()
        largest = np.abs(golden[name]).max()
        if not error <= tolerance * largest:
            return f"{contender.who} is wrong: {name} is off by {error:.3g}, where its largest value is {largest:.3g}"
    return None


def golden(inputs: dict[str, np.ndarray], timed: str = "backward") -> dict[str, np.ndarray]:
    """What `wrong` compares with: the formulas in float64, kept in float32. Of both passes the gradients tell."""
    if timed == "forward":
        return {"hidden_states": numpy_peer.mixed(inputs).astype(np.float32)}
    return {name: value.astype(np.float32) for name, value in _reference.evaluate(inputs).items()}
