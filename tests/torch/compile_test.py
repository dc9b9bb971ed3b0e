"""torch.compile: one graph, the same bits as eager mode, dynamic sizes with few compilations, nothing written to."""

import attnres.torch
import pytest
import torch
import torch._inductor.config
from attnres._bench import torch_peer
from torch._dynamo.testing import CompileCounterWithBackend

from tests.torch import problems

HIDDEN = 24


@pytest.fixture(autouse=True)
def _fresh(monkeypatch, tmp_path):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(torch._inductor.config, "compile_threads", 1)  # each worker would import torch first
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()


def skip_without_compiler(backend):
    reason = torch_peer.compiler_missing() if backend == "inductor" else None
    if reason:
        pytest.skip(reason)


@pytest.fixture(params=["aot_eager", "inductor"])
def backend(request):
    skip_without_compiler(request.param)
    return request.param


def by_default(given):
    return torch.ops.attnres.block_attention_residuals(*given.values()) * 2


def by_keyword(given):
    return torch.ops.attnres.block_attention_residuals(**given, valid_block_num=-1, norm_eps=1e-6) * 2


def run(function, tokens, dtype="float32", blocks=3, seed=5):
    """Result and gradients, and checks that no input changed."""
    given = problems.make(tokens, blocks, HIDDEN, dtype, seed)
    copies = {name: value.clone() for name, value in given.items()}
    tensors = problems.leaves(given)
    hidden = function(tensors)
    hidden.backward(given["grad_hidden_states"])
    assert all(problems.same_bits(given[name], copies[name]) for name in given)
    return {"hidden": hidden.detach()} | problems.gradients_of(tensors)


def assert_same(left, right):
    assert set(left) == set(right) and len(left) == 5
    for name in left:
        assert problems.same_bits(left[name], right[name]), name


@pytest.mark.parametrize(
    "call, dtype, backend",
    [
        *(
            (call, dtype, "aot_eager")
            for call in (by_default, by_keyword)
            for dtype in ("float32", "bfloat16", "float16")
        ),
        (by_default, "bfloat16", "inductor"),
        (by_keyword, "float32", "inductor"),
    ],
)
def test_one_graph_with_the_bits_of_eager_mode(call, dtype, backend):
    skip_without_compiler(backend)
    compiled = torch.compile(call, fullgraph=True, backend=backend)
    assert_same(run(compiled, 5, dtype), run(call, 5, dtype))
    assert not torch._dynamo.utils.counters["graph_break"]


def test_dynamic_tokens_with_0_and_1(backend):
    counter = CompileCounterWithBackend(backend)
    compiled = torch.compile(by_default, fullgraph=True, dynamic=True, backend=counter)
    for tokens in (8, 16, 33, 1, 0, 7, 1, 0):
        assert_same(run(compiled, tokens), run(by_default, tokens))
    assert counter.frame_count <= 3


def test_marked_dynamic_tokens():
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(by_default, fullgraph=True, backend=counter)
    for tokens in (4, 9, 2):
        given = problems.make(tokens, 3, HIDDEN, "float32")
        tensors = problems.leaves(given)
        for name in ("partial_block", "block_res"):
            torch._dynamo.mark_dynamic(tensors[name], 0)
        assert torch.equal(compiled(tensors), by_default(tensors))
    assert counter.frame_count == 1


def test_a_dynamic_number_of_blocks():
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(by_default, fullgraph=True, dynamic=True, backend=counter)
    for blocks in (2, 5, 9, 1, 0):
        assert_same(run(compiled, 4, blocks=blocks), run(by_default, 4, blocks=blocks))
    assert counter.frame_count <= 3


def test_tokens_that_are_known_at_run_time_only():
    """A size that depends on data: no guard can be made of it."""

    def pick(rows, blocks, wanted, query, norm):
        chosen = wanted.nonzero().squeeze(1)
        return torch.ops.attnres.block_attention_residuals(rows[chosen], blocks[chosen], query, norm)

    arguments = (torch.randn(6, HIDDEN), torch.randn(6, 2, HIDDEN), torch.arange(6) % 2 == 0)
    arguments += (torch.randn(HIDDEN), torch.randn(HIDDEN))
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = torch.compile(pick, fullgraph=True, backend="aot_eager")
        assert torch.equal(compiled(*arguments), pick(*arguments))


class Stack(torch.nn.Module):
    """Six layers, a block of two each, on the state of attnres.torch."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(2)
        self.mixes = torch.nn.ModuleList(attnres.torch.BlockAttentionResiduals(HIDDEN) for _ in range(6))
        self.layers = torch.nn.ModuleList(torch.nn.Linear(HIDDEN, HIDDEN) for _ in range(6))
        for mix in self.mixes:
            torch.nn.init.normal_(mix.proj_weight)

    def forward(self, rows):
        state = attnres.torch.BlockResidualState(rows)
        for index, (mix, layer) in enumerate(zip(self.mixes, self.layers)):
            if index % 2 == 0:
                state.close_block()
            state.add(layer(mix(state.partial_block, state.blocks)))
        return state.partial_block


def test_a_model_with_a_state_is_one_graph(backend):
    model = Stack()
    rows = torch.randn(2, 5, HIDDEN)
    model(rows).sum().backward()
    expected = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    compiled = torch.compile(model, fullgraph=True, backend=backend)
    compiled(rows).sum().backward()
    for parameter, gradient in zip(model.parameters(), expected):
        # The linear layers are compiled to other sums than those of eager mode.
        assert torch.allclose(parameter.grad, gradient, rtol=1e-4, atol=1e-5)


def test_the_second_derivative_is_refused_or_not_compiled():
    compiled = torch.compile(by_default, fullgraph=True, backend="aot_eager")
    tensors = problems.leaves(problems.make(4, 3, HIDDEN, "float32"))
    (gradient,) = torch.autograd.grad(compiled(tensors).sum(), tensors["partial_block"], create_graph=True)
    with pytest.raises(RuntimeError, match="differentiated once|double backward"):
        gradient.sum().backward()
