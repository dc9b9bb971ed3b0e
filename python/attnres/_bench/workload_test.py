"""Shapes, dtypes and bytes of `bench`."""

import pytest
from attnres import _dtypes
from attnres._bench import workload
from attnres._errors import InvalidArgumentError


def case(tokens, blocks, hidden, dtype, timed="backward"):
    return workload.Case(tokens, blocks, hidden, _dtypes.main_dtype(dtype), timed)


def test_every_shape_with_every_dtype_unless_it_has_its_own():
    found = workload.parse(["2x4x64", " 3x0x5:float32"], ["bfloat16", "float16"])
    assert found == [case(2, 4, 64, "bfloat16"), case(2, 4, 64, "float16"), case(3, 0, 5, "float32")]
    assert found[0].shape == "2x4x64" and found[0].timed == "backward"
    assert workload.parse(["1x1x1"], ["float32"], "both") == [case(1, 1, 1, "float32", "both")]


def test_repeated_cases_run_once():
    assert len(workload.parse(["1x1x1", "1x1x1:float32"], ["float32", "float32"])) == 1


@pytest.mark.parametrize(
    "shapes, dtypes, text",
    [
        (["2x4"], ["float32"], "--shapes has '2x4'; expected TxNxH or TxNxH:dtype"),
        (["2x4x64x1"], ["float32"], "--shapes has '2x4x64x1'; expected TxNxH"),
        (["2x-4x64"], ["float32"], "--shapes has '2x-4x64'; expected TxNxH"),
        (["0x4x64"], ["float32"], "--shapes has '0x4x64'; expected TxNxH or TxNxH:dtype, such as 2048x8x4096, with T"),
        (["2x4x0"], ["float32"], "with T and H of at least 1 and N from 0 to 128"),
        (["2x129x64"], ["float32"], "with T and H of at least 1 and N from 0 to 128"),
        (["2x4x64:int8"], ["float32"], "--shapes has 'int8'; expected float16, bfloat16 or float32"),
        (["2x4x64"], ["half"], "--dtype has 'half'; expected float16, bfloat16 or float32"),
        ([], ["float32"], "--shapes is empty; expected at least one value"),
        (["2x4x64"], [], "--dtype is empty; expected at least one value"),
    ],
)
def test_faults_name_flag_value_and_expectation(shapes, dtypes, text):
    with pytest.raises(InvalidArgumentError) as error:
        workload.parse(shapes, dtypes)
    assert text in error.value.message


def test_bytes():
    """T=2, N=3, H=5, bfloat16: (2*4 + 1) rows of 10 bytes and 2*4 float32 a token, 4 weight rows; a copy has 8 rows."""
    found = case(2, 3, 5, "bfloat16")
    assert found.minimal_bytes == 2 * (9 * 10 + 2 * 4 * 4) + 4 * 10
    assert found.copied_bytes == 2 * 8 * 10


def test_bytes_of_the_other_passes():
    """The forward: N + 2 rows and 2*4 float32 a token, 2 weight rows; both passes need what each of them does."""
    forward = case(2, 3, 5, "bfloat16", "forward").minimal_bytes
    assert forward == 2 * (5 * 10 + 2 * 4 * 4) + 2 * 10
    assert case(2, 3, 5, "bfloat16", "both").minimal_bytes == forward + case(2, 3, 5, "bfloat16").minimal_bytes
    assert case(2, 3, 5, "bfloat16").read_bytes == 2 * 4 * 10
