"""The charts of a study, as SVG text."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from vclogic.studies.summary import CellSummary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _ROW, _HEIGHT = 8.0, 0.26, 3.2  # inches
_MOST = 30  # bars
_ID = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_COLOURS = ("#31688e", "#d1742f", "#4d8f5b", "#8a5a99")


def _axes(height: float) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure  # not pyplot, which keeps windows and looks for a screen

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "vclogic", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return _ID.sub("", out.getvalue()[out.getvalue().index("<svg") :])


def labels(cells: Sequence[CellSummary]) -> list[str]:
    """Labels that tell each cell from the others, in a few words."""
    said = ([f"{name} {value}".removeprefix("player ") for name, value in c.cell.items()] for c in cells)
    return [", ".join(of) or "all" for of in said]


def win_rates(cells: Sequence[CellSummary]) -> str:
    """The share of games that each side wins in each cell, with intervals."""
    shown = list(cells[:_MOST])
    figure, axes = _axes(1.2 + _ROW * len(shown) * max(len(shown[0].wins), 1))
    sides = list(shown[0].wins)
    for i, side in enumerate(sides):
        rates = [c.wins[side] for c in shown]
        at = [-(j * (len(sides) + 0.6) + i) for j in range(len(shown))]
        over = [[r.value - r.low for r in rates], [r.high - r.value for r in rates]]
        colour = _COLOURS[i % len(_COLOURS)]
        axes.barh(at, [r.value for r in rates], color=colour, label=side, xerr=over, ecolor="#555", height=0.8)
    middle = [-(j * (len(sides) + 0.6) + (len(sides) - 1) / 2) for j in range(len(shown))]
    axes.set_yticks(middle, labels(shown))
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of games won, with the interval that holds 95 of 100 times")
    axes.legend(loc="lower right", frameon=False)
    return _svg(figure)


def lengths(cells: Sequence[CellSummary]) -> str:
    """The number of events that the games took."""
    figure, axes = _axes(_HEIGHT)
    every = [n for c in cells for n in c.lengths]
    most = max(every, default=1)
    axes.hist(every, bins=min(most + 1, 40), range=(-0.5, most + 0.5), color=_COLOURS[0])
    axes.set_xlabel("events of a game")
    axes.set_ylabel("games")
    return _svg(figure)


def sweep(cells: Sequence[CellSummary], x: str, side: str) -> str:
    """The win rate of a side over the values of a number, with intervals."""
    figure, axes = _axes(_HEIGHT)
    of = sorted((float(c.cell[x]), c.wins[side]) for c in cells)
    over = [[r.value - r.low for _, r in of], [r.high - r.value for _, r in of]]
    axes.errorbar([v for v, _ in of], [r.value for _, r in of], yerr=over, color=_COLOURS[0], marker="o", capsize=3)
    axes.axhline(0.5, color="#999", linewidth=0.8, linestyle="--")
    axes.set_ylim(0, 1)
    axes.set_xlabel(x)
    axes.set_ylabel(f"share won by {side}")
    return _svg(figure)


def heat_map(cells: Sequence[CellSummary], x: str, y: str, side: str) -> str:
    """The win rate of a side over the values of two things that vary; the mean where others vary too."""
    across, down = (list(dict.fromkeys(c.cell[name] for c in cells)) for name in (x, y))
    of = {
        (a, b): [c.wins[side].value for c in cells if (c.cell[x], c.cell[y]) == (a, b)] for a in across for b in down
    }
    shares = [[_mean(of[a, b]) for a in across] for b in down]
    figure, axes = _axes(1.4 + 0.4 * len(down))
    image = axes.imshow(shares, cmap="RdYlBu", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(across)), [str(a) for a in across])
    axes.set_yticks(range(len(down)), [str(b) for b in down])
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            axes.text(j, i, f"{share:.0%}", ha="center", va="center", fontsize=8, color=_ink(share))
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    figure.colorbar(image, label=f"share won by {side}")
    return _svg(figure)


def _ink(share: float) -> str:
    """The colour of letters that can be read on a field of the map."""
    return "white" if not 0.12 <= share <= 0.85 else "black"


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else float("nan")
