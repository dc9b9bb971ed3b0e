"""The page of `trace`: every number on it is one of the result, and nothing on it comes from elsewhere."""

import html.parser
import json
import re

import pytest
from attnres._commands import trace_page
from attnres.testing.trace_results import at, result, trace


class Collector(html.parser.HTMLParser):
    """Numbers by key, script texts by id, and whatever would fetch something."""

    def __init__(self):
        super().__init__()
        self.numbers, self.scripts, self.fetched = {}, {}, []
        self._script = None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "data-key" in given:
            self.numbers[given["data-key"]] = json.loads(given["data-value"])
        self.fetched += [value for name, value in attributes if name in ("src", "href", "srcset", "action")]
        if tag == "link":
            self.fetched.append(tag)
        if tag == "script":
            self._script = given.get("id", "code")

    def handle_endtag(self, tag):
        if tag == "script":
            self._script = None

    def handle_data(self, data):
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data


def parsed(page):
    collector = Collector()
    collector.feed(page)
    collector.close()
    return collector


def test_numbers_are_those_of_the_result():
    page = parsed(trace_page.page("a title", result(), trace()))
    assert len(page.numbers) > 20
    for key, value in page.numbers.items():
        assert value == at(result(), key), key
    for key in ("microseconds", "gm.share_of_limit", "lines.0.critical_path_microseconds", "pipes.vector.busy_share"):
        assert key in page.numbers


def test_page_holds_the_whole_result_and_the_events():
    page = parsed(trace_page.page("a title", result(), trace()))
    assert json.loads(page.scripts["result"]) == result()
    events = json.loads(page.scripts["events"])
    assert events["names"] == ["DataCopy", "wait for MTE2", "Add"]
    assert events["cores"] == [
        {"core": 0, "pipes": [[], [[0.0, 2.5, 1, 0, 2], [2.5, 0.5, 2, 0, 0]], [[0.0, 2.5, 0, 0, 1]], []]}
    ]


def test_nothing_comes_from_elsewhere():
    text = trace_page.page("a title", result(), trace())
    assert parsed(text).fetched == []
    assert not re.search(r"https?:|//cdn|@import|url\(|fetch\(|XMLHttpRequest", text)
    assert "{{" not in text


def test_text_of_the_kernel_cannot_leave_its_place():
    evil = result()
    evil["lines"][0]["instruction"] = "</script><b>"
    text = trace_page.page("<i>", evil, trace())
    assert "</script><b>" not in text
    assert "<i>" not in text.split("<h1>")[1].split("</h1>")[0]
    assert json.loads(parsed(text).scripts["result"]) == evil


def test_point_of_the_roofline_lies_under_its_roofs():
    text = trace_page.page("a title", result(), trace())
    point = re.search(r'id="roofline-point" cx="([\d.]+)" cy="([\d.]+)"', text)
    ceiling = re.search(r'<line class="roof"[^>]* y1="([\d.]+)"', text)
    assert float(point[2]) > float(ceiling[1])
    roof = re.search(r'<polyline class="roof" points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+)"', text)
    x0, y0, x1, y1 = (float(roof[group]) for group in range(1, 5))
    assert x0 <= float(point[1]) <= x1
    assert float(point[2]) > y0 + (y1 - y0) * (float(point[1]) - x0) / (x1 - x0)


@pytest.mark.parametrize("empty", ["no-bytes", "no-lines"])
def test_page_of_little_renders(empty):
    little = result()
    if empty == "no-bytes":
        little["roofline"] |= {"elements_per_byte": 0, "elements_per_second": 0}
    else:
        little["lines"] = []
        little["critical_path"] = {"parts": {}, "waits": []}
    assert "<h1>a title</h1>" in trace_page.page("a title", little, {"traceEvents": []})


def test_waited_for_names_the_longest_wait_of_a_line():
    given = result()
    assert trace_page.waited_for(given, given["lines"][1]) == "copy-in at op_kernel/a.h:12, 3.2 us"
    assert trace_page.waited_for(given, given["lines"][0]) == ""


def test_names_of_files_are_short_where_they_share_their_begin():
    lines = [{"file": f"op_kernel/x/arch/op_name_{end}.h", "line": 7} for end in ("rows", "copy_buffer")]
    begin = trace_page.shared_begin(lines)
    assert begin == "op_name_"
    assert trace_page.place(lines[1], begin=begin) == "copy_buffer.h:7"
    assert trace_page.place(lines[1]) == "op_kernel/x/arch/op_name_copy_buffer.h:7"
    assert trace_page.shared_begin(lines[:1]) == ""
    assert trace_page.place({"file": "", "line": 0}) == "unknown place"
