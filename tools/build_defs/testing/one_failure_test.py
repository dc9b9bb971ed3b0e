"""Sample: one case passes, one fails."""


def test_passes():
    pass


def test_fails():
    raise AssertionError("the sample wants it")
