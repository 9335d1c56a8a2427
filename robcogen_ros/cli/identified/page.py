"""Results of `robcogen identify` as one HTML file, which needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.pseudo_inertia import central
from robcogen_ros.identification.result import Result
from robcogen_ros.identification.sample import Sample
from robcogen_ros.identification.worst_known import worst_known
from robcogen_ros.view.ellipsoids import Ellipsoid, inertia_ellipsoid

Array = NDArray[np.float64]

_STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;"
    "color:#20242b}table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;text-align:right}"
    "td:last-child,th:last-child{text-align:left}tr{border-bottom:1px solid #ddd}"
    "svg{background:#f6f7f9}.note{color:#b04000}figure{display:inline-block;margin:.5em}"
)
_WIDE, _HIGH = 900, 150
_RUNS = 40
_MEASURED, _LEFT, _FILE, _FOUND = "#2a6fb0", "#d06000", "#999", "#2a6fb0"
_PICTURE = 170
_HELPS = 0.95
"""Part of an error that is left where a faster joint helps."""


def page(result: Result, sample: Sample) -> str:
    """Returns the page.

    Args:
        result: What was found.
        sample: States that are drawn.
    """
    title = escape(f"{result.robot.name}: what its motion tells")
    parts = [f"<h1>{title}</h1>", *_summary(result, sample), *_notes(result)]
    parts += ["<h2>Efforts, and what is left of them</h2>", *_fits(result, sample)]
    if result.bodies is not None:
        parts += ["<h2>Bodies of equal inertia</h2>", *_bodies(result)]
    parts += ["<h2>Base parameters</h2>", *_parameters(result)]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _summary(result: Result, sample: Sample) -> Iterator[str]:
    found, names = result.found, result.robot.joint_names
    yield (
        f"<p>{found.states} states, {len(found.values)} base parameters, condition number "
        f"{found.condition:.0f}.</p>"
    )
    if not sample:
        return
    worst = worst_known(sample, found)
    name = escape(found.base.described[worst.parameter])
    advice = (
        f"a motion in which <b>{escape(names[worst.joint])}</b> moves half as fast again would "
        f"bring that down to {worst.less:.0%}"
        if worst.less < _HELPS
        else "no joint that moves faster would tell much more of it: measure for a longer time"
    )
    yield (
        f"<p>Known worst: <b>{name}</b>, whose standard error is {worst.share:.1%} of the largest "
        f"parameter of its kind; {advice}.</p>"
    )


def _notes(result: Result) -> Iterator[str]:
    for note in (*result.doubts, *result.notes):
        yield f'<p class="note">{escape(note)}</p>'


def _fits(result: Result, sample: Sample) -> Iterator[str]:
    """Returns a drawing for each joint: measured efforts, and what the parameters leave."""
    if not sample:
        return
    time, q, qd, qdd, tau = (each[:: len(sample) // _RUNS + 1] for each in sample.arrays())
    left = tau - result.found.predict(q, qd, qdd)
    held = result.held
    yield (
        f'<p><span style="color:{_MEASURED}">Measured</span>, and '
        f'<span style="color:{_LEFT}">what the identified parameters leave</span>, in N m or N, '
        "in runs of neighbouring states.</p>"
    )
    for k, name in enumerate(result.robot.joint_names):
        rms = f"left {result.found.residuals[k]:.3g}"
        if held is not None:
            kinds = ("by the file", "identified", "by real bodies")
            told = (f"{what} {x:.3g}" for what, x in zip(kinds, held[k], strict=False))
            rms += f"; of held-out states: {', '.join(told)}"
        yield f"<p><b>{escape(name)}</b>: root mean square {rms}</p>"
        yield _drawn(time, tau[..., k], left[..., k])


def _drawn(time: Array, measured: Array, left: Array) -> str:
    """Returns a drawing of two quantities over the time, or over the states that are drawn."""
    numbers = np.arange(time.size, dtype=float).reshape(time.shape)
    x = time if np.isfinite(time).all() and (np.diff(time[:, 0]) > 0).all() else numbers
    x = 50 + (_WIDE - 60) * (x - x.min()) / max(float(np.ptp(x)), 1e-12)
    low, high = min(measured.min(), left.min(), 0.0), max(measured.max(), left.max(), 0.0)
    scale = (_HIGH - 20) / max(float(high - low), 1e-12)

    def path(values: Array, color: str) -> str:
        y = 10 + scale * (high - values)
        runs = (
            "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(*pair, strict=True))
            for pair in zip(x, y, strict=True)
        )
        return f'<path d="{"".join(runs)}" fill="none" stroke="{color}"/>'

    zero = 10 + scale * high
    return (
        f'<svg width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}">'
        f'<path d="M50 {zero:.1f}H{_WIDE - 10}" stroke="#bbb"/>'
        f'<text x="4" y="20" font-size="12">{high:.3g}</text>'
        f'<text x="4" y="{_HIGH - 8}" font-size="12">{low:.3g}</text>'
        f"{path(measured, _MEASURED)}{path(left, _LEFT)}</svg>"
    )


def _bodies(result: Result) -> Iterator[str]:
    """Returns two views of each body as an ellipsoid, of the file and of what was found."""
    assert result.bodies is not None
    yield (
        f"<p>Seen along y and along z of the link, around its origin (+): "
        f'<span style="color:{_FILE}">by the file</span>, <span style="color:{_FOUND}">found</span>'
        ".</p>"
    )
    for row, name in enumerate(result.carriers.names):
        if name is None:
            continue
        pair = [
            inertia_ellipsoid(name, *central(result.carriers.own(row, each[row])))
            for each in (result.carriers.bodies, result.bodies.bodies)
        ]
        reach = max(float(np.abs(e.center).max() + e.axes.max()) for e in pair)
        views = "".join(_view(pair, reach, axes) for axes in ((0, 2), (0, 1)))
        yield (
            f"<figure>{views}<figcaption>{escape(name)}: {pair[0].mass:.3g} kg, found "
            f"{pair[1].mass:.3g} kg; {2 * reach:.2g} m wide</figcaption></figure>"
        )


def _view(pair: Sequence[Ellipsoid], reach: float, axes: tuple[int, int]) -> str:
    """Returns ellipsoids as they are seen along the other axis."""
    scale, middle = (_PICTURE / 2 - 5) / reach, _PICTURE / 2
    shapes = [f'<path d="M{middle - 5} {middle}h10m-5 -5v10" stroke="#000"/>']
    for each, color in zip(pair, (_FILE, _FOUND), strict=True):
        half = (each.rotation * each.axes)[list(axes)]
        sizes, directions = np.linalg.eigh(half @ half.T)
        radii = scale * np.sqrt(np.maximum(sizes, 0.0))
        x, y = each.center[list(axes)] * scale
        angle = np.degrees(np.arctan2(-directions[1, 1], directions[0, 1]))
        shapes.append(
            f'<ellipse cx="0" cy="0" rx="{radii[1]:.1f}" ry="{radii[0]:.1f}" fill="{color}" '
            f'fill-opacity=".35" stroke="{color}" transform="translate({middle + x:.1f} '
            f'{middle - y:.1f}) rotate({angle:.1f})"/>'
        )
    return f'<svg width="{_PICTURE}" height="{_PICTURE}">{"".join(shapes)}</svg> '


def _parameters(result: Result) -> Iterator[str]:
    found = result.found
    heads = ("identified", "standard error", "by the file", "off by errors", "base parameter")
    yield f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    rows = zip(
        found.values, found.standard_errors, result.described, found.base.described, strict=True
    )
    for value, error, described, name in rows:
        apart = f"{abs(value - described) / error:.1f}" if error else ""
        cells = (f"{value:.5g}", f"{error:.2g}", f"{described:.5g}", apart, escape(name))
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    yield "</table>"
