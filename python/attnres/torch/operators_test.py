"""The operators as PyTorch sees them: schemas, fake kernels, opcheck, what is refused and with which words."""

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import attnres
from attnres import _checks, _dtypes
from attnres.testing import forward, inputs
from attnres.torch import _operators, _tensors

FORWARD_ARGUMENTS = tuple(_checks.FORWARD_INPUT_DIMENSIONS)
BACKWARD_ARGUMENTS = tuple(_checks.INPUT_DIMENSIONS)
SHAPES = ((5, 3, 17), (0, 3, 17), (1, 2, 8), (4, 0, 8), (3, 2, 0))


def shape_id(shape):
    return "T%d-N%d-H%d" % shape


def make(shape=(5, 3, 17), dtype="float32"):
    given = inputs.make_inputs(*shape, _dtypes.main_dtype(dtype))
    return {name: _tensors.as_tensor(value) for name, value in given.items()}


def forward_arguments(given, grad=False):
    return [given[name].clone().requires_grad_(grad) for name in FORWARD_ARGUMENTS]


@pytest.fixture(autouse=True, params=forward.ARCH_SOCS)
def soc(request):
    before = attnres.torch.get_soc()
    attnres.torch.set_soc(request.param)
    yield request.param
    attnres.torch.set_soc(before)


def test_schemas_are_functional_and_as_published():
    assert str(_operators.residuals_backward._schema) == (
        "attnres::block_attention_residuals_backward(Tensor partial_block, Tensor block_res, Tensor proj_weight, "
        "Tensor norm_weight, Tensor grad_hidden_states, Tensor inv_norm, Tensor probs, *, SymInt valid_block_num=-1) "
        "-> (Tensor, Tensor, Tensor, Tensor)"
    ).replace("SymInt", "int")
    assert str(_operators.residuals._schema) == (
        "attnres::block_attention_residuals(Tensor partial_block, Tensor block_res, Tensor proj_weight, "
        "Tensor norm_weight, int valid_block_num=-1, float norm_eps=9.9999999999999995e-07) -> Tensor"
    )
    for operator in (_operators.residuals, _operators.residuals_forward, _operators.residuals_backward):
        assert not operator._schema.is_mutable and "!" not in str(operator._schema)


@pytest.mark.parametrize("keywords", [{}, {"valid_block_num": -1, "norm_eps": 1e-5}], ids=["defaults", "by_keyword"])
@pytest.mark.parametrize("shape", SHAPES, ids=shape_id)
@pytest.mark.parametrize("name", ["residuals", "residuals_forward"])
def test_opcheck_of_the_forward(name, shape, keywords):
    arguments = forward_arguments(make(shape), grad=True)
    results = torch.library.opcheck(getattr(_operators, name), arguments, keywords)
    assert set(results.values()) == {"SUCCESS"} and len(results) == 4
    by_name = dict(zip(FORWARD_ARGUMENTS, arguments))
    assert set(torch.library.opcheck(getattr(_operators, name), (), by_name | keywords).values()) == {"SUCCESS"}


@pytest.mark.parametrize("dtype", _dtypes.MAIN_DTYPES, ids=lambda dtype: dtype.short_name)
@pytest.mark.parametrize("shape", SHAPES, ids=shape_id)
def test_opcheck_of_the_backward(shape, dtype):
    given = make(shape, dtype.name)
    for keywords in ({}, {"valid_block_num": shape[1]}):
        results = torch.library.opcheck(_operators.residuals_backward, tuple(given.values()), keywords)
        assert set(results.values()) == {"SUCCESS"} and len(results) == 4


@pytest.mark.parametrize("shape", SHAPES, ids=shape_id)
def test_results_are_distinct_tensors_of_the_inputs_shapes(shape):
    given = make(shape)
    arguments = list(given.values())
    results = torch.ops.attnres.block_attention_residuals_backward(*arguments)
    assert [tuple(r.shape) for r in results] == [tuple(a.shape) for a in arguments[:4]]
    everything = [*arguments, *results]
    assert len(set(map(id, everything))) == len(everything)
    storages = [t.untyped_storage().data_ptr() for t in everything if t.numel()]
    assert len(set(storages)) == len(storages)
    assert all(r.is_contiguous() and not r._is_view() and r.dtype == torch.float32 for r in results)


@pytest.mark.parametrize("name", ["residuals_forward", "residuals_backward"])
def test_fake_and_real_results_are_alike(name):
    """Contiguous whatever the inputs are."""
    given = make((5, 3, 17), "bfloat16")
    for argument in ("partial_block", "block_res"):
        given[argument] = given[argument].transpose(0, 1).contiguous().transpose(0, 1)
    arguments = [given[key] for key in (FORWARD_ARGUMENTS if name == "residuals_forward" else BACKWARD_ARGUMENTS)]
    real = getattr(_operators, name)(*arguments)
    fake = getattr(_operators, name)(*(t.to("meta") for t in arguments))
    for ours, theirs in zip(fake, real, strict=True):
        assert ours.is_meta and theirs.is_contiguous()
        assert (ours.shape, ours.dtype, ours.stride()) == (theirs.shape, theirs.dtype, theirs.stride())


def test_sizes_above_2_to_31_elements_are_exact():
    shape = (2**23 + 16, 1, 256)
    given = {name: value.to("meta") for name, value in make((1, 1, 256), "bfloat16").items()}
    for name, dimensions in _checks.INPUT_DIMENSIONS.items():
        if dimensions[0] == "tokens":
            given[name] = given[name].expand(shape[0], *given[name].shape[1:])
    results = torch.ops.attnres.block_attention_residuals_backward(**given)
    assert results[1].shape == shape and results[1].numel() == 2**31 + 4096


# Argument -> a change that makes it wrong, the words that must come. In the order of the checks.
BACKWARD_FAULTS = [
    ("partial_block", lambda t: t[0], "partial_block has 1 dimension; expected 2: [tokens, hidden]"),
    ("block_res", lambda t: t[:, 0], "block_res has 2 dimensions; expected 3: [tokens, blocks, hidden]"),
    ("proj_weight", lambda t: t[0], "proj_weight has 1 dimension; expected 2: [1, hidden]"),
    ("norm_weight", lambda t: t[None], "norm_weight has 2 dimensions; expected 1: [hidden]"),
    ("grad_hidden_states", lambda t: t[None], "grad_hidden_states has 3 dimensions; expected 2"),
    ("inv_norm", lambda t: t[0], "inv_norm has 1 dimension; expected 2: [tokens, blocks + 1]"),
    ("probs", lambda t: t[..., None], "probs has 3 dimensions; expected 2"),
    ("partial_block", lambda t: t.double(), "partial_block has dtype float64; expected float16, bfloat16 or float32"),
    ("block_res", lambda t: t.bfloat16(), "block_res has dtype bfloat16; expected float32, the dtype of partial_block"),
    ("proj_weight", lambda t: t.half(), "proj_weight has dtype float16; expected float32"),
    ("norm_weight", lambda t: t.double(), "norm_weight has dtype float64; expected float32"),
    ("grad_hidden_states", lambda t: t.int(), "grad_hidden_states has dtype int32; expected float32"),
    ("inv_norm", lambda t: t.half(), "inv_norm has dtype float16; expected float32"),
    ("probs", lambda t: t.double(), "probs has dtype float64; expected float32"),
    ("block_res", lambda t: t[:4], "block_res.shape[0] (4) does not match partial_block.shape[0] (5)"),
    ("block_res", lambda t: t[..., :16], "block_res.shape[2] (16) does not match partial_block.shape[1] (17)"),
    (
        "block_res",
        lambda t: t[:, :1].expand(-1, 129, -1),
        "block_res.shape[1] (129) is out of range; expected 0 to 128",
    ),
    ("proj_weight", lambda t: t.expand(2, -1), "proj_weight.shape[0] is 2; expected 1"),
    ("proj_weight", lambda t: t[:, 1:], "proj_weight.shape[1] (16) does not match partial_block.shape[1] (17)"),
    ("norm_weight", lambda t: t[1:], "norm_weight.shape[0] (16) does not match partial_block.shape[1] (17)"),
    (
        "grad_hidden_states",
        lambda t: t[1:],
        "grad_hidden_states.shape[0] (4) does not match partial_block.shape[0] (5)",
    ),
    ("inv_norm", lambda t: t[:, 1:], "inv_norm.shape[1] (3) does not match block_res.shape[1] + 1 (4)"),
    ("probs", lambda t: t[1:], "probs.shape[0] (4) does not match partial_block.shape[0] (5)"),
    ("valid_block_num", lambda _: 2, "valid_block_num is 2; expected -1 or 3, the number of blocks"),
    ("block_res", lambda t: t.to("meta"), "block_res is on device meta; expected cpu, the device of partial_block"),
    ("probs", lambda t: t.to("meta"), "probs is on device meta; expected cpu, the device of partial_block"),
    ("norm_weight", lambda t: t.to_sparse(), "norm_weight has layout sparse_coo; expected strided"),
]


@pytest.mark.parametrize(
    "index", range(len(BACKWARD_FAULTS)), ids=lambda i: BACKWARD_FAULTS[i][0] + "-" + BACKWARD_FAULTS[i][2].split()[-1]
)
def test_faults_of_the_backward_in_order(index):
    """The words of this fault, though every later one is there too where both can be."""
    name, change, words = BACKWARD_FAULTS[index]
    given = make() | {"valid_block_num": -1}
    given[name] = change(given[name])
    later = [fault for fault in BACKWARD_FAULTS[index + 1 :] if fault[0] == "valid_block_num"]
    if later and "dimension" in words:
        given["valid_block_num"] = 2
    with pytest.raises(attnres.InvalidArgumentError) as error:
        torch.ops.attnres.block_attention_residuals_backward(**given)
    assert words in error.value.message
    assert isinstance(error.value, ValueError)


FORWARD_FAULTS = [
    ("partial_block", lambda t: t[0], "partial_block has 1 dimension; expected at least 2: [..., tokens, hidden]"),
    ("block_res", lambda t: t[0], "block_res has 2 dimensions; expected 3: [..., tokens, blocks, hidden]"),
    ("proj_weight", lambda t: t[None], "proj_weight has 3 dimensions; expected 1 or 2: [hidden] or [1, hidden]"),
    ("norm_weight", lambda t: t[None], "norm_weight has 2 dimensions; expected 1"),
    ("partial_block", lambda t: t.double(), "partial_block has dtype float64; expected float16, bfloat16 or float32"),
    ("block_res", lambda t: t.bfloat16(), "block_res has dtype bfloat16; expected float32, the dtype of partial_block"),
    ("norm_weight", lambda t: t.bfloat16(), "norm_weight has dtype bfloat16; expected float32"),
    ("block_res", lambda t: t[1:], "block_res.shape[0] (4) does not match partial_block.shape[0] (5)"),
    ("block_res", lambda t: t[..., 1:], "block_res.shape[2] (16) does not match partial_block.shape[1] (17)"),
    ("block_res", lambda t: t[:, :1].expand(-1, 129, -1), "block_res.shape[1] (129) is out of range"),
    ("proj_weight", lambda t: t.expand(2, -1), "proj_weight.shape[0] is 2; expected 1"),
    ("proj_weight", lambda t: t[0, 1:], "proj_weight.shape[0] (16) does not match partial_block.shape[1] (17)"),
    ("norm_weight", lambda t: t[1:], "norm_weight.shape[0] (16) does not match partial_block.shape[1] (17)"),
    ("valid_block_num", lambda _: 0, "valid_block_num is 0; expected -1 or 3"),
    ("norm_eps", lambda _: 0.0, "norm_eps is 0.0; expected a finite float32 above 0"),
    ("proj_weight", lambda t: t.to("meta"), "proj_weight is on device meta; expected cpu, the device of partial_block"),
    ("partial_block", lambda t: t.to("meta"), "block_res is on device cpu; expected meta, the device of partial_block"),
    ("block_res", lambda t: t.to_sparse(), "block_res has layout sparse_coo; expected strided"),
]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name, change, words", FORWARD_FAULTS, ids=lambda value: str(value) if value else "")
def test_faults_of_the_forward(name, change, words, compiled):
    given = {key: make()[key] for key in FORWARD_ARGUMENTS} | {"valid_block_num": -1, "norm_eps": 1e-6}
    given[name] = change(given[name])
    call = torch.ops.attnres.block_attention_residuals
    if compiled:
        torch._dynamo.reset()
        call = torch.compile(lambda **named: torch.ops.attnres.block_attention_residuals(**named), backend="eager")
    with pytest.raises(RuntimeError) as error:
        call(**given)
    assert words in str(error.value)
    if not compiled:
        assert error.type is attnres.InvalidArgumentError


@pytest.mark.parametrize("device", ["cuda", "xpu"])
def test_other_devices_are_refused(device):
    with FakeTensorMode(), pytest.raises(attnres.InvalidArgumentError, match="expected cpu: the operator's kernels"):
        shapes = ((2, 4), (2, 3, 4), (4,), (4,))
        torch.ops.attnres.block_attention_residuals(*(torch.empty(shape, device=device) for shape in shapes))


def test_a_soc_that_is_not_there():
    with pytest.raises(attnres.InvalidArgumentError, match="soc is 'ascend310p'"):
        attnres.torch.set_soc("ascend310p")


def test_the_soc_and_the_threads_reach_the_call(soc, monkeypatch):
    seen = []
    original = _operators._forward.block_attention_residuals

    def spy(*arguments, **keywords):
        seen.append((keywords["soc"], keywords["threads"]))
        return original(*arguments, **keywords)

    monkeypatch.setattr(_operators._forward, "block_attention_residuals", spy)
    threads = torch.get_num_threads()
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            torch.ops.attnres.block_attention_residuals(*forward_arguments(make()))
    finally:
        torch.set_num_threads(threads)
    assert seen == [(soc, 1), (soc, 2)]


@pytest.mark.parametrize("leading", [(2, 3), (1, 5), (0, 3), (2, 0), (2, 2, 2)], ids=str)
def test_leading_axes_are_tokens(leading):
    tokens = int(np.prod(leading))
    partial_block, block_res, proj_weight, norm_weight = forward_arguments(make((tokens, 3, 17)))
    flat = torch.ops.attnres.block_attention_residuals_forward(partial_block, block_res, proj_weight, norm_weight)
    shaped = torch.ops.attnres.block_attention_residuals_forward(
        partial_block.view(*leading, 17), block_res.view(*leading, 3, 17), proj_weight, norm_weight
    )
    for ours, theirs in zip(shaped, flat):
        assert ours.shape == (*leading, theirs.shape[-1]) and torch.equal(ours.flatten(0, -2), theirs)
