"""Sample: imports a module beside it that is no dependency of its target."""

import tools.build_defs.testing.sibling  # noqa: F401


def test_never_reached():
    pass
