"""The chart of `bench --plot`. Importing this module imports matplotlib."""

import logging

from matplotlib.figure import Figure

logging.getLogger("matplotlib").setLevel(logging.WARNING)  # it tells of every font cache that it makes

_HEIGHT_OF_BAR = 0.35
_OURS, _PEERS = "#2f6db3", "#b9c2cc"


def write(path: str, rows: list[dict]) -> None:
    """Writes a PNG with one panel per shape and dtype: median milliseconds, and the range from least to most."""
    panels = {}
    for row in rows:
        panels.setdefault((row["shape"], row["dtype"]), []).append(row)
    heights = [len(panel) for panel in panels.values()]
    figure = Figure(figsize=(9, 1 + sum(_HEIGHT_OF_BAR * height + 0.9 for height in heights)), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axis, ((shape, dtype), panel) in zip(axes, panels.items()):
        _draw(axis, f"{shape} {dtype}", panel)
    axes[-1].set_xlabel("milliseconds: median, least and most (logarithmic)")
    figure.savefig(path, format="png", dpi=150)


def _draw(axis, title, panel):
    names = [row["who"] for row in panel]
    medians = [row["seconds_median"] * 1e3 for row in panel]
    below = [(row["seconds_median"] - row["seconds_min"]) * 1e3 for row in panel]
    above = [(row["seconds_max"] - row["seconds_median"]) * 1e3 for row in panel]
    colours = [_OURS if name.startswith("ours_") else _PEERS for name in names]
    axis.barh(names, medians, xerr=[below, above], color=colours, error_kw={"elinewidth": 0.8, "capsize": 2})
    axis.set_xscale("log")
    axis.set_xlim(right=max(row["seconds_max"] for row in panel) * 1e3 * 3)
    axis.invert_yaxis()
    axis.set_title(title, loc="left", fontsize=10)
    axis.spines[["top", "right"]].set_visible(False)
    for index, row in enumerate(panel):
        label = f"  {medians[index]:.3g}"
        if row["ours_is_faster_by"] is not None:
            label += f"  ({row['ours_is_faster_by']:.2f}x)"
        axis.text(row["seconds_max"] * 1e3, index, label, va="center", fontsize=8)
