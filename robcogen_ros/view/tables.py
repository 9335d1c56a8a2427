"""Tables of a robot beside its picture, as HTML: the same in the panel and on a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view import colors
from robcogen_ros.view.ellipsoids import Manipulability
from robcogen_ros.view.model import Model

_NOISE = 1e-12
"""Rounding, as a share of the greatest effort."""
_ROW = "display:flex;align-items:center;gap:6px;margin:1px 0;font-size:12px;line-height:1.35"
_NAME = "flex:1 1 0;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"
_TRACK = "flex:0 0 24%;height:8px;border-radius:4px;background:rgba(128,128,128,.25)"
_NUMBER = "flex:0 0 38%;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"


def efforts(model: Model, state: RestingState) -> str:
    """Returns a table of each joint's effort against gravity, beside its limit."""
    robot, rows = model.robot, list[str]()
    most = float(np.abs(state.efforts).max(initial=0.0))
    values = zip(
        robot.joint_names, state.efforts, robot.effort_limits, robot.effort_units, strict=True
    )
    for name, effort, limit, unit in values:
        known = bool(np.isfinite(limit)) and limit > 0
        load = abs(effort) / limit if known else np.nan
        effort = effort if abs(effort) > _NOISE * most else 0.0
        number = f"{effort:.3g} / {limit:.4g} {unit}" if known else f"{effort:.3g} {unit}"
        rows.append(_row(name, load, number, colors.css(colors.of_load(load))))
    return "".join(rows)


def operations(model: Model, counts: Sequence[int]) -> str:
    """Operations of a function by link."""
    most = max(*counts, 1) if counts else 1
    rows = zip(model.tree.links, counts, strict=True)
    return "".join(
        _row(link.name, count / most, str(count), colors.css(colors.of_share(count / most)))
        for link, count in rows
    )


def summary(model: Model) -> str:
    """Returns a line about a robot: its coordinates, links, base and mass."""
    robot, tree = model.robot, model.tree
    base = "floating" if robot.floating_base else "fixed"
    lumped = sum(frame.of_link is not None for frame in tree.frames) - len(tree.links)
    text = f"{robot.n} coordinates, {len(tree.links)} links, {base} base, "
    text += f"{robot.total_mass():.4g} kg"
    if lumped:
        text += f"; {lumped} fixed links are lumped into these"
    return escape(text)


def standing(model: Model, state: RestingState) -> str:
    """Returns a line on how a robot on legs carries its weight; empty for others."""
    if not model.footing.contacts:
        return ""
    if not state.balanced:
        return "center of mass beyond the feet: it would fall; efforts are with the base held"
    share = f"{state.forces[:, 2].sum():.4g} N on {len(state.points)} feet"
    return f"ground carries {share}"


def breaches(model: Model) -> list[str]:
    """Inertia that no body has, by link."""
    return [f"{each.link}: {each.breach}" for each in model.ellipsoids if each.breach]


def speeds(frame: str, found: Manipulability) -> str:
    """The manipulability of a frame."""
    axes = ", ".join(f"{axis:.3g}" for axis in found.axes)
    return f"{frame}: half axes {axes}; measure {found.measure:.3g}"


def _row(name: str, share: float, number: str, color: str) -> str:
    wide = 0.0 if np.isnan(share) else 100 * min(1.0, share)
    bar = f"width:{wide:.1f}%;height:100%;border-radius:4px;background:{color}"
    over = f";color:{colors.css(colors.IMPOSSIBLE)};font-weight:bold" if share > 1 else ""
    return (
        f'<div class="robcogen-row" style="{_ROW}">'
        f'<span style="{_NAME}" title="{escape(name)}">{escape(name)}</span>'
        f'<span style="{_TRACK}"><span style="display:block;{bar}"></span></span>'
        f'<span style="{_NUMBER}{over}">{escape(number)}</span></div>'
    )
