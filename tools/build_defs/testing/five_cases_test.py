"""Sample: five cases, of which test_protocol_test selects and shards."""

import pytest


@pytest.mark.parametrize("value", ["a", "b", "c", "d"])
def test_letter(value):
    assert value


def test_other():
    pass
