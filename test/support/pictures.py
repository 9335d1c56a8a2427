"""What a picture shows, as matplotlib lays it out."""

from __future__ import annotations

from typing import Any

_SLACK = 0.02
"""Inches of a line's own width."""


def outside(figure: Any) -> list[str]:
    """The sides on which something that is drawn, text above all, lies beyond the picture."""
    figure.draw_without_rendering()
    drawn, whole = figure.get_tightbbox(), figure.bbox_inches
    beyond = {
        "left": whole.x0 - drawn.x0,
        "right": drawn.x1 - whole.x1,
        "below": whole.y0 - drawn.y0,
        "above": drawn.y1 - whole.y1,
    }
    return [f"{side}: {by:.2f} inch" for side, by in beyond.items() if by > _SLACK]


def curves(axes: Any) -> list[Any]:
    """The lines of axes that a legend may name."""
    return [line for line in axes.lines if not line.get_label().startswith("_")]
