"""The page of `trace` in a headless Chromium: it renders, its numbers are the result's, its timeline moves.

Needs a Chromium on the machine (Debian: apt-get install chromium), so it runs only when asked for.
"""

import html.parser
import json
import os
import pathlib
import shutil
import subprocess

import pytest
from attnres._commands import trace_page
from attnres.testing import trace_results

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_TIMEOUT_SECONDS = 120

# Drives the page as a user would, and leaves what it saw in the document.
_USER = """
<script>
const seen = { errors: [], all: { ...canvasState() } };
function canvasState() {
  const set = document.getElementById("timeline").dataset;
  return { from: +set.from, to: +set.to, drawn: +set.drawn };
}
window.addEventListener("error", (event) => seen.errors.push(event.message));
document.getElementById("closer").click();
seen.closer = canvasState();
const timeline = document.getElementById("timeline");
const box = timeline.getBoundingClientRect();
timeline.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: box.right - 5, clientY: box.top + 8 }));
seen.wheel = canvasState();
timeline.dispatchEvent(new PointerEvent("pointermove", { clientX: box.right - 5, clientY: box.top + 8 }));
seen.under = document.getElementById("under").textContent;
document.getElementById("all").click();
seen.back = canvasState();
const pixels = timeline.getContext("2d").getImageData(0, 0, timeline.width, timeline.height).data;
const colors = new Set();
for (let i = 0; i < pixels.length; i += 4) colors.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
seen.colors = colors.size;
seen.widest = Math.max(...[...document.querySelectorAll("body > *")].map((one) => one.getBoundingClientRect().right));
seen.width = document.documentElement.clientWidth;
document.documentElement.dataset.seen = JSON.stringify(seen);
</script>
"""


class _Dom(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.root, self.numbers = {}, {}

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "html":
            self.root = given
        if "data-key" in given:
            self.numbers[given["data-key"]] = json.loads(given["data-value"])


@pytest.fixture(scope="module")
def dom(tmp_path_factory):
    chromium = next(filter(None, map(shutil.which, _NAMES)), None)
    assert chromium, f"none of {', '.join(_NAMES)} is installed"
    folder = tmp_path_factory.mktemp("page")
    page = folder / "page.html"
    page.write_text(trace_page.page("a title", trace_results.result(), trace_results.trace()) + _USER)
    done = subprocess.run(
        [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1200,1400",
            "--dump-dom",
            page.as_uri(),
        ],
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=True,
    )
    pathlib.Path(os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR", folder), "dom.html").write_text(done.stdout)
    parsed = _Dom()
    parsed.feed(done.stdout)
    return parsed


def test_script_ran_to_its_end(dom):
    assert dom.root.get("data-ready") == "1"
    assert json.loads(dom.root["data-seen"])["errors"] == []


def test_numbers_are_those_of_the_result(dom):
    result = trace_results.result()
    assert dom.numbers["microseconds"] == result["microseconds"]
    for key, value in dom.numbers.items():
        assert value == trace_results.at(result, key), key


def test_timeline_draws_every_event_and_more_than_one_color(dom):
    seen = json.loads(dom.root["data-seen"])
    assert seen["all"] == {"from": 0, "to": 3, "drawn": 3}
    assert seen["colors"] > 3


def test_timeline_zooms_and_returns(dom):
    seen = json.loads(dom.root["data-seen"])
    assert seen["closer"]["from"] == pytest.approx(0.75) and seen["closer"]["to"] == pytest.approx(2.25)
    assert seen["wheel"]["from"] > seen["closer"]["from"]
    assert seen["wheel"]["to"] == pytest.approx(seen["closer"]["to"], abs=0.02)
    assert seen["back"] == seen["all"]


def test_pointer_names_the_event(dom):
    under = json.loads(dom.root["data-seen"])["under"]
    assert "wait for MTE2" in under and "op_kernel/a.h:12" in under


def test_page_fits_its_window(dom):
    seen = json.loads(dom.root["data-seen"])
    assert seen["widest"] <= seen["width"]
