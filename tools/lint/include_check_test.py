"""include_check on small workspaces: what is a missing dependency and what is not."""

from tools.lint import include_check

_RULES = """<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
  <rule class="cc_library" name="//a:a">
    <list name="hdrs"><label value="//a:a.h"/></list>
  </rule>
  <rule class="cc_library" name="//a:public">
    <list name="hdrs"><label value="//a:include/sdk/p.h"/></list>
    <list name="includes"><string value="include"/></list>
  </rule>
  <rule class="cc_library" name="//a:facade">
    <list name="deps"><label value="//a:a"/></list>
  </rule>
  <rule class="_shared_library" name="//a:shared">
    <label name="archives" value="//a:archives"/>
  </rule>
  <rule class="_whole_archives" name="//a:archives">
    <list name="deps"><label value="//a:a"/></list>
  </rule>
  <rule class="cc_library" name="//b:b">
    <list name="srcs"><label value="//b:b.cc"/></list>
    <list name="deps">%s</list>
  </rule>
</query>
"""


def _faults(tmp_path, text, *deps):
    rules = tmp_path / "rules.xml"
    rules.write_text(_RULES % "".join('<label value="%s"/>' % dep for dep in deps))
    (tmp_path / "b").mkdir(exist_ok=True)
    (tmp_path / "b" / "b.cc").write_text(text)
    return include_check.missing_deps(str(rules), str(tmp_path))


def test_missing_dependency_is_named(tmp_path):
    (fault,) = _faults(tmp_path, '#include "a/a.h"\n')
    assert fault == "b/b.cc: b.cc includes a/a.h, but no dependency of //b:b owns a/a.h"


def test_direct_dependency_is_enough(tmp_path):
    assert not _faults(tmp_path, '#include "a/a.h"\n', "//a:a")


def test_facade_and_shared_library_hand_on(tmp_path):
    assert not _faults(tmp_path, '#include "a/a.h"\n', "//a:facade")
    assert not _faults(tmp_path, '#include "a/a.h"\n', "//a:shared")


def test_public_name_is_resolved(tmp_path):
    assert _faults(tmp_path, '#include "sdk/p.h"\n', "//a:a")
    assert not _faults(tmp_path, '#include "sdk/p.h"\n', "//a:public")


def test_system_headers_are_not_looked_at(tmp_path):
    assert not _faults(tmp_path, '#include <vector>\n#include "gtest/gtest.h"\n')
