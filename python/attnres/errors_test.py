"""Contract of the exceptions: codes, kinds, text, and that they survive pickling."""

import pickle

import pytest

from attnres import _errors
from attnres._errors import AclnnError, InvalidArgumentError


def test_success_raises_nothing():
    _errors.raise_for_status(0, "ignored")


@pytest.mark.parametrize("code", [161001, 161002])
def test_a_callers_mistake_is_a_value_error(code):
    with pytest.raises(InvalidArgumentError) as caught:
        _errors.raise_for_status(code, "probs is wrong")
    assert isinstance(caught.value, AclnnError) and isinstance(caught.value, ValueError)
    assert (caught.value.code, caught.value.message) == (code, "probs is wrong")


@pytest.mark.parametrize("code", [361001, 561002, 561003])
def test_other_failures_are_no_value_errors(code):
    with pytest.raises(AclnnError) as caught:
        _errors.raise_for_status(code, "no memory")
    assert not isinstance(caught.value, ValueError)
    assert str(caught.value) == f"no memory (aclnn status {code})"


def test_a_failure_without_text_says_so():
    with pytest.raises(AclnnError, match="gave no message"):
        _errors.raise_for_status(361001, " ")


@pytest.mark.parametrize("error", [AclnnError(361001, "a"), InvalidArgumentError("b", 161001)], ids=repr)
def test_pickles(error):
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.code, copy.message) == (type(error), error.code, error.message)
