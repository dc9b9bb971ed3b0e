"""torch.export: a program with a dynamic number of tokens, saved and loaded; and compiled ahead of time."""

import attnres.torch
import pytest
import torch
import torch._inductor.config
from attnres._bench import torch_peer

HIDDEN = 24


def make(tokens):
    generator = torch.Generator().manual_seed(tokens)
    return torch.randn(tokens, HIDDEN, generator=generator), torch.randn(tokens, 3, HIDDEN, generator=generator)


@pytest.fixture(scope="module")
def module():
    result = attnres.torch.BlockAttentionResiduals(HIDDEN).requires_grad_(False)
    torch.nn.init.normal_(result.proj_weight)
    return result


def export(module, strict):
    tokens = torch.export.Dim("tokens", min=0)
    return torch.export.export(module, make(5), dynamic_shapes=({0: tokens}, {0: tokens}), strict=strict)


@pytest.mark.parametrize("strict", [False, True], ids=["traced", "strict"])
def test_a_program_takes_any_number_of_tokens(module, strict, tmp_path):
    program = export(module, strict)
    torch.export.save(program, tmp_path / "program.pt2")
    loaded = torch.export.load(tmp_path / "program.pt2")
    for each in (program, loaded, program.run_decompositions()):
        for tokens in (5, 17, 1, 0):
            assert torch.equal(each.module()(*make(tokens)), module(*make(tokens)))


def test_a_program_calls_the_operator(module):
    targets = [str(node.target) for node in export(module, False).graph.nodes if node.op == "call_function"]
    assert targets == ["attnres.block_attention_residuals.default"]
    decomposed = export(module, False).run_decompositions()
    assert "attnres.block_attention_residuals_forward.default" in [str(node.target) for node in decomposed.graph.nodes]


def test_compiled_ahead_of_time(module, tmp_path, monkeypatch):
    reason = torch_peer.compiler_missing()
    if reason:
        pytest.skip(reason)
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(torch._inductor.config, "compile_threads", 1)
    with torch.no_grad():
        package = torch._inductor.aoti_compile_and_package(
            export(module, False), package_path=str(tmp_path / "model.pt2")
        )
        compiled = torch._inductor.aoti_load_package(package)
        for tokens in (5, 17):
            assert torch.equal(compiled(*make(tokens)), module(*make(tokens)))
