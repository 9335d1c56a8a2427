"""The style of all plots, and how one becomes a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robcogen_ros.backends.render import beside
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package

_COMMON: dict[str, Any] = {
    "font.size": 9,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.xmargin": 0,
    "grid.alpha": 0.4,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.fontsize": "small",
    "savefig.dpi": 110,
}

_LIGHT = {"ink": "#20262d", "ground": "#ffffff", "grid": "#c4ccd4"}
_DARK = {"ink": "#e6e8ec", "ground": "#1b1e24", "grid": "#4a5561"}

_ON_LIGHT = ("#1f77b4", "#d95f02", "#2a9d4e", "#c0392b", "#7b5ea7", "#8c6d31", "#d6509c", "#5f6b76")
_ON_DARK = ("#5db4f0", "#ffa14f", "#6fd08c", "#ff7b6b", "#b79cf0", "#d9b96a", "#ff8fcb", "#aab6c2")
_DASHES = ("-", "--", ":", "-.")


def _settings(dark: bool) -> dict[str, Any]:
    from cycler import cycler

    tone, colors = (_DARK, _ON_DARK) if dark else (_LIGHT, _ON_LIGHT)
    of_ink = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    of_ground = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
    return {
        **_COMMON,
        **dict.fromkeys(of_ink, tone["ink"]),
        **dict.fromkeys(of_ground, tone["ground"]),
        "grid.color": tone["grid"],
        "axes.prop_cycle": cycler(color=colors),
    }


@contextmanager
def canvas(size: tuple[float, float], *, dark: bool = False) -> Iterator[Any]:
    """A figure in the style; what is drawn in the block is in it, too.

    Args:
        size: Width and height [inch].
        dark: Whether it is on a dark ground.

    Raises:
        RobcogenError: If matplotlib is not installed.
    """
    agg = package("matplotlib.backends.backend_agg", "a plot")
    with package("matplotlib", "a plot").rc_context(_settings(dark)):
        figure = package("matplotlib.figure", "a plot").Figure(figsize=size, layout="constrained")
        agg.FigureCanvasAgg(figure)
        yield figure


@contextmanager
def picture(path: Path, size: tuple[float, float], *, dark: bool = False) -> Iterator[Any]:
    """A figure in the style, written to a file when the block ends; the name tells the format.

    Raises:
        RobcogenError: If matplotlib is not installed, knows no such format, or cannot write it.
    """
    with canvas(size, dark=dark) as figure:
        yield figure
        _take_words_as_written(figure)
        try:
            with beside(path) as partial:
                figure.savefig(partial, format=path.suffix[1:] or "png")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise RobcogenError(f"cannot write {path}: {reason}") from None


def _take_words_as_written(figure: Any) -> None:
    """Lets words be no mathematics: `$` in a name is a letter. Powers on axes stay powers."""
    from matplotlib.text import Text

    powers = [
        label
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        if axis.get_scale() == "log"
        for label in axis.get_ticklabels(which="both")
    ]
    for text in figure.findobj(Text):
        text.set_parse_math(text in powers)


def ink() -> str:
    """The colour of text and axes, for lines that are compared with."""
    import matplotlib as mpl

    return str(mpl.rcParams["text.color"])


def colors() -> list[str]:
    """The colours of curves, in order."""
    import matplotlib as mpl

    return [str(color) for color in mpl.rcParams["axes.prop_cycle"].by_key()["color"]]


def lines(count: int) -> list[dict[str, str]]:
    """Colour and dashes of several curves: no two of up to 32 are alike."""
    known = colors()
    return [
        {"color": known[i % len(known)], "linestyle": _DASHES[i // len(known) % len(_DASHES)]}
        for i in range(count)
    ]


def beside_axes(axes: Any, **more: Any) -> None:
    """The legend of axes, at their right, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), **more)
