"""Sample: a test file whose only case is skipped."""

import pytest


@pytest.mark.skip(reason="the sample wants it")
def test_skipped():
    pass
