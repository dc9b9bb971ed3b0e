"""docs/bazel.md of the project shows the files of this workspace as they are."""

import pathlib
import re

import pytest
from runfiles import Runfiles


def _read(location):
    return pathlib.Path(Runfiles.Create().Rlocation(location)).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["WORKSPACE", "MODULE.bazel", ".bazelrc", "BUILD.bazel"])
def test_the_page_shows_the_file(name):
    page = _read("operators/docs/bazel.md")
    (block,) = re.findall(r"`%s`:\n\n```\w*\n(.*?)```" % re.escape(name), page, re.DOTALL)
    assert block in _read("external_workspace/" + name)
