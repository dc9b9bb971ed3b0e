"""The loss of one run or two over their steps. Importing this module imports matplotlib."""

import logging

from matplotlib.figure import Figure

logging.getLogger("matplotlib").setLevel(logging.WARNING)  # it tells of every font cache that it makes


def write(path: str, curves: dict[str, list[float]]) -> None:
    """Writes a PNG with a line per name; with two, their difference lies below on a scale of its own."""
    figure = Figure(figsize=(8, 6 if len(curves) == 2 else 4.5), layout="constrained")
    if len(curves) == 2:
        losses, difference = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
        one, other = curves.values()
        apart = [abs(a - b) for a, b in zip(one, other)]
        difference.plot(apart, color="black", linewidth=0.8)
        if any(apart):
            difference.set_yscale("log")
        difference.set_ylabel("difference")
        lowest = difference
    else:
        losses = lowest = figure.subplots()
    for style, (name, values) in zip(("-", "--"), curves.items()):
        losses.plot(values, style, label=name, linewidth=1.2)
    losses.set_ylabel("loss (nats per character)")
    losses.legend(frameon=False)
    lowest.set_xlabel("step")
    figure.savefig(path, format="png", dpi=150)
