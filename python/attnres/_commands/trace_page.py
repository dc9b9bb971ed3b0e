"""A page about one launch in time mode: self-contained HTML with timeline, roofline and the costliest lines.

Every number is that of the result; elements with data-key say which. The template's own script draws the
timeline from the events of the trace.
"""

import html
import json
import math
import os
import pathlib
import re

_TEMPLATE = pathlib.Path(__file__).with_name("trace_page.html")
_LINES = 40
_WAITS = 20

_PART_NAMES = {
    "scalar": "scalar unit",
    "vector": "vector unit",
    "dependency": "own results",
    "copy_in": "copy-in",
    "copy_out": "copy-out",
    "bandwidth": "shared bandwidth",
    "latency": "latency",
    "sync_all": "SyncAll",
    "start": "start of the core",
}
_PIPE_NAMES = {"scalar": "scalar", "vector": "vector", "copy_in": "copy-in", "copy_out": "copy-out"}
_PIPE_OF = {"S": "scalar", "V": "vector", "MTE2": "copy-in", "MTE3": "copy-out"}


def page(title: str, result: dict, trace: dict) -> str:
    """The page.

    Args:
        title: the page's heading.
        result: time mode's result. trace: its Chrome trace, as an object.
    """
    pieces = {
        "TITLE": html.escape(title),
        "TILES": _tiles(result),
        "PIPES": _pipes(result),
        "PARTS": _parts(result),
        "ROOFLINE": _roofline(result),
        "LINES": _lines(result),
        "WAITS": _waits(result),
        "RESULT": _script_json(result),
        "EVENTS": _script_json(_events(trace)),
    }
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: pieces[match[1]], _TEMPLATE.read_text(encoding="utf-8"))


def place(entry: dict, prefix: str = "", begin: str = "") -> str:
    """ "file:line" of a line or wait of the result, without what `begin`, of shared_begin, holds."""
    file = entry[prefix + "file"]
    if not file:
        return "unknown place"
    if begin:
        file = pathlib.PurePosixPath(file).name.removeprefix(begin)
    return f"{file}:{entry[prefix + 'line']}"


def shared_begin(lines: list[dict]) -> str:
    """The words with which the names of all files of some lines begin, "" where they share none."""
    names = [pathlib.PurePosixPath(line["file"]).name for line in lines if line["file"]]
    shared = os.path.commonprefix(names)
    return shared[: shared.rfind("_") + 1] if len(set(names)) > 1 else ""


def parts_text(parts: dict) -> str:
    """The parts of a line's time on the critical path, longest first."""
    total = sum(parts.values()) or 1
    longest = sorted(parts.items(), key=lambda part: -part[1])
    return ", ".join(f"{_PART_NAMES[name]} {100 * us / total:.0f} %" for name, us in longest if us / total >= 0.005)


def waited_for(result: dict, line: dict, begin: str = "") -> str:
    """The line that this one waited for longest on the critical path; "" where it did not."""
    for wait in result["critical_path"]["waits"]:
        if place(wait) == place(line):
            other = place(wait, "for_", begin)
            return f"{_PIPE_OF[wait['for_pipe']]} at {other}, {wait['microseconds']:.1f} us"
    return ""


def _script_json(value):
    # "</script>" inside a string would end the element.
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _number(key, value, text):
    return f'<span data-key="{html.escape(key)}" data-value="{value!r}">{html.escape(text)}</span>'


def _tiles(result):
    gm = result["gm"]
    tiles = [
        ("time on the device", "microseconds", result["microseconds"], f"{result['microseconds']:.1f} us"),
        ("of the bandwidth limit", "gm.share_of_limit", gm["share_of_limit"], f"{100 * gm['share_of_limit']:.1f} %"),
        ("the limit", "gm.limit_microseconds", gm["limit_microseconds"], f"{gm['limit_microseconds']:.1f} us"),
        ("read", "gm.bytes_read", gm["bytes_read"], f"{gm['bytes_read'] / 1e6:.2f} MB"),
        ("written", "gm.bytes_written", gm["bytes_written"], f"{gm['bytes_written'] / 1e6:.2f} MB"),
        ("read from L2", "gm.bytes_read_from_l2", gm["bytes_read_from_l2"], f"{gm['bytes_read_from_l2'] / 1e6:.2f} MB"),
        ("cores", "cores", result["cores"], str(result["cores"])),
        ("instructions", "instructions", result["instructions"], f"{result['instructions']:,}"),
    ]
    return "".join(
        f"<div class=tile><b>{_number(key, value, text)}</b><small>{label}</small></div>"
        for label, key, value, text in tiles
    )


def _pipes(result):
    rows = []
    for name, pipe in result["pipes"].items():
        share = pipe["busy_share"]
        busy = _number(f"pipes.{name}.busy_share", share, f"{100 * share:.1f} %")
        us = _number(
            f"pipes.{name}.busy_microseconds", pipe["busy_microseconds"], f"{pipe['busy_microseconds']:.1f} us"
        )
        bar = f'<div class=bar><i class={name} style="width:{min(100, 100 * share):.2f}%"></i></div>'
        rows.append(f"<tr><th>{_PIPE_NAMES[name]}<td class=wide>{bar}<td class=n>{busy}<td class=n>{us}")
    return "".join(rows)


def _parts(result):
    parts = result["critical_path"]["parts"]
    total = sum(parts.values()) or 1
    bar = "".join(
        f'<i class={name} style="width:{100 * us / total:.3f}%" title="{_PART_NAMES[name]} {us:.1f} us"></i>'
        for name, us in parts.items()
    )
    legend = "".join(
        f"<li><i class={name}></i>{_PART_NAMES[name]} " + _number(f"critical_path.parts.{name}", us, f"{us:.1f} us")
        for name, us in sorted(parts.items(), key=lambda part: -part[1])
    )
    return f"<div class=bar>{bar}</div><ul class=legend>{legend}</ul>"


def _roofline(result):
    """Elements per second by elements per byte, both logarithmic, under the roofs of GM, L2 and vector unit."""
    roof = result["roofline"]
    peak, intensity, reached = (
        roof["peak_elements_per_second"],
        roof["elements_per_byte"],
        roof["elements_per_second"],
    )
    width, height, left, bottom = 560, 300, 64, 40
    knee = peak / roof["gm_bytes_per_second"]
    x_low = math.floor(math.log10(min(intensity or knee, knee))) - 1
    x_high = math.ceil(math.log10(max(intensity or knee, knee))) + 1
    y_high = math.ceil(math.log10(peak))
    y_low = min(y_high - 4, math.floor(math.log10(reached)) if reached > 0 else y_high - 4)

    def x(value):
        return left + (math.log10(value) - x_low) / (x_high - x_low) * (width - left - 10)

    def y(value):
        clipped = max(math.log10(value), y_low)
        return height - bottom - (clipped - y_low) / (y_high - y_low) * (height - bottom - 10)

    def roof_line(bytes_per_second, name, label):
        first, last = max(10.0**x_low, 10.0**y_low / bytes_per_second), min(peak / bytes_per_second, 10.0**x_high)
        x0, y0 = x(first), y(first * bytes_per_second)
        x1, y1 = x(last), y(last * bytes_per_second)
        angle = math.degrees(math.atan2(y1 - y0, x1 - x0))
        return (
            f'<polyline class="{name}" points="{x0:.1f},{y0:.1f} {x1:.1f},{y1:.1f}"/>'
            f'<text transform="translate({x0:.1f} {y0:.1f}) rotate({angle:.1f})" x="12" y="-5">{label}</text>'
        )

    grid = []
    for power in range(x_low, x_high + 1):
        grid.append(f'<line x1="{x(10.0**power):.1f}" x2="{x(10.0**power):.1f}" y1="10" y2="{height - bottom}"/>')
        grid.append(f'<text x="{x(10.0**power):.1f}" y="{height - bottom + 16}" text-anchor="middle">1e{power}</text>')
    for power in range(y_low, y_high + 1):
        grid.append(f'<line x1="{left}" x2="{width - 10}" y1="{y(10.0**power):.1f}" y2="{y(10.0**power):.1f}"/>')
        grid.append(f'<text x="{left - 6}" y="{y(10.0**power) + 4:.1f}" text-anchor="end">1e{power}</text>')
    point = ""
    if intensity > 0 and reached > 0:
        point = (
            f'<circle id="roofline-point" cx="{x(intensity):.2f}" cy="{y(reached):.2f}" r="6" '
            f'data-elements-per-byte="{intensity!r}" data-elements-per-second="{reached!r}">'
            f"<title>{intensity:.3g} elements per byte, {reached:.3g} elements per second</title></circle>"
        )
    gm = f"GM {roof['gm_bytes_per_second'] / 1e12:.2f} TB/s"
    l2 = f"L2 {roof['l2_bytes_per_second'] / 1e12:.2f} TB/s"
    peak_line = (
        f'<line class="roof" x1="{x(max(10.0**x_low, peak / roof["l2_bytes_per_second"])):.1f}" x2="{width - 10}" '
        f'y1="{y(peak):.1f}" y2="{y(peak):.1f}"/>'
        f'<text x="{width - 14}" y="{y(peak) - 6:.1f}" text-anchor="end">vector unit, elements of '
        f"{roof['element_bytes']:.2g} bytes: {peak:.2g}/s</text>"
    )
    return (
        f'<svg id="roofline" viewBox="0 0 {width} {height}" role="img" aria-label="roofline">'
        f'<g class="grid">{"".join(grid)}</g>{roof_line(roof["gm_bytes_per_second"], "roof", gm)}'
        f"{roof_line(roof['l2_bytes_per_second'], 'roof dashed', l2)}{peak_line}{point}"
        f'<text x="{width / 2:.0f}" y="{height - 6}" text-anchor="middle">vector elements per byte of GM</text></svg>'
        f"<p>"
        + _number("roofline.elements_per_byte", intensity, f"{intensity:.3g}")
        + " elements per byte, "
        + _number("roofline.elements_per_second", reached, f"{reached:.3g}")
        + " elements per second."
    )


def _lines(result):
    rows = []
    for index, line in enumerate(result["lines"][:_LINES]):
        key = f"lines.{index}"
        us = line["critical_path_microseconds"]
        megabytes = f"{line['gm_bytes'] / 1e6:.2f}"
        busy = ", ".join(f"{_PIPE_NAMES[name]} {value:.1f}" for name, value in line["busy"].items())
        rows.append(
            f"<tr><td>{html.escape(place(line))}<td>{html.escape(line['instruction'])}"
            f"<td class=n>{_number(key + '.count', line['count'], str(line['count']))}"
            f"<td class=n>{_number(key + '.critical_path_microseconds', us, f'{us:.2f}')}"
            f"<td>{html.escape(parts_text(line['critical_path']))}<td>{html.escape(busy)}"
            f"<td class=n>{_number(key + '.gm_bytes', line['gm_bytes'], megabytes)}"
        )
    return "".join(rows)


def _waits(result):
    return "".join(
        f"<tr><td>{html.escape(place(wait))}<td>{_PIPE_OF[wait['pipe']]}"
        f"<td>{html.escape(place(wait, 'for_'))}<td>{_PIPE_OF[wait['for_pipe']]}<td class=n>"
        + _number(f"critical_path.waits.{index}.microseconds", wait["microseconds"], f"{wait['microseconds']:.2f}")
        for index, wait in enumerate(result["critical_path"]["waits"][:_WAITS])
    )


def _events(trace):
    """The trace's slices in little room: names, lines, and per core and pipe [start, length, name, line, kind]."""
    names, lines, rows = {}, {}, {}
    kinds = {"vector": 0, "copy": 1, "wait": 2}
    for event in trace["traceEvents"]:
        if event["ph"] != "X":
            continue
        row = rows.setdefault(event["pid"], [[], [], [], []])[event["tid"]]
        row.append(
            [
                event["ts"],
                event["dur"],
                names.setdefault(event["name"], len(names)),
                lines.setdefault(event["args"]["line"], len(lines)),
                kinds[event["cat"]],
            ]
        )
    return {
        "names": list(names),
        "lines": list(lines),
        "cores": [{"core": core, "pipes": pipes} for core, pipes in sorted(rows.items())],
    }
