"""Results of `robcogen identify`, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.physical import spread
from robcogen_ros.identification.pseudo_inertia import central
from robcogen_ros.identification.result import Result

Array = NDArray[np.float64]


def table(result: Result, seconds: float) -> list[str]:
    """Returns the lines of a table of what was identified."""
    robot, found = result.robot, result.found
    lines = [
        f"{robot.name}, {robot.n} joints: {found.states} states in {seconds:.1f} s, condition "
        f"number {found.condition:.0f}",
        "",
        f"{'identified':>12}{'error':>11}{'described':>12}  base parameter [kg, kg m, kg m^2]",
    ]
    for value, error, expected, name in zip(
        found.values, found.standard_errors, result.described, found.base.described, strict=True
    ):
        lines.append(f"{value:12.5g}{error:11.2g}{expected:12.5g}  {name}")
    return [*lines, "", *_bodies(result), *_joints(result)]


def _bodies(result: Result) -> list[str]:
    """Returns masses and centers of the bodies that the file would have."""
    bodies = result.bodies
    if bodies is None:
        return []
    lines = [f"{'mass [kg]':>12}{'described':>11}   center of mass [m]{'':9}real body"]
    for row, (name, mass, center, _) in _real(result):
        before = result.carriers.bodies[row][0]
        error, far = _body_errors(result, row)
        place = " ".join(f"{round(x, 4) + 0.0:8.4f}" for x in center.tolist())
        lines.append(f"{mass:12.5g}{before:11.5g}   {place}  {name}")
        if np.isfinite(error):
            away = " ".join(f"{x:8.2g}" for x in far)
            lines.append(f"{'+-':>4}{error:8.2g}{'':11}   {away}")
    for term, pairs in result.joint_terms().items():
        for name, (value, error) in pairs.items():
            known = f" +- {error:.2g}" if np.isfinite(error) else ""
            lines.append(f"{'':4}{term} {value:.4g}{known}, {name}")
    worst = float(np.abs(bodies.deviations).max(initial=0.0))
    return [
        *lines,
        f"{'':4}base parameters of these are within {worst:.1f} standard errors of the identified",
        "",
    ]


def _real(result: Result) -> Iterator[tuple[int, tuple[str, float, Array, Array]]]:
    """Yields row, name, mass, center and tensor of each body that was found."""
    assert result.bodies is not None
    for row, name in enumerate(result.carriers.names):
        if name is not None:
            own = result.carriers.own(row, result.bodies.bodies[row])
            yield row, (name, *central(own))


def _body_errors(result: Result, row: int) -> tuple[float, Array]:
    """Returns standard errors of a body's mass and (3,) center; NaN where nothing was drawn."""
    assert result.bodies is not None
    drawn = [central(result.carriers.own(row, each[row]))[:2] for each in result.bodies.drawn]
    rows = np.array([[mass, *center] for mass, center in drawn]).reshape(-1, 4)
    mass, *center = spread(rows).tolist()
    return mass, np.array(center)


def _joints(result: Result) -> list[str]:
    """Returns what is left of the efforts of each joint."""
    held, names = result.held, result.robot.joint_names
    if held is None:
        lines = [f"{'residual':>12}  joint [N m or N, root mean square]"]
        return lines + [
            f"{r:12.4g}  {n}" for r, n in zip(result.found.residuals, names, strict=True)
        ]
    real = f"{'real bodies':>12}" if held.shape[1] > 2 else ""
    lines = [
        f"{'residual':>12}{'described':>12}{'identified':>12}{real}  joint [N m or N, root mean "
        "square; held-out states from the second column on]"
    ]
    for own, row, name in zip(result.found.residuals, held, names, strict=True):
        lines.append(f"{own:12.4g}{''.join(f'{x:12.4g}' for x in row)}  {name}")
    return lines


def data(result: Result) -> dict[str, object]:
    """Returns everything that was identified, for JSON."""
    found, bodies = result.found, result.bodies
    columns = (found.base.described, found.values, found.standard_errors, result.described)
    names = ("name", "value", "standard_error", "described")
    joints: list[dict[str, object]] = [
        {"name": n, "residual": left, "weight": w}
        for n, left, w in zip(result.robot.joint_names, found.residuals, found.weights, strict=True)
    ]
    if result.held is not None:
        for joint, row in zip(joints, result.held.tolist(), strict=True):
            joint["held_out"] = dict(zip(("described", "identified", "real"), row, strict=False))
    told: dict[str, object] = {
        "robot": result.robot.name,
        "states": found.states,
        "condition": found.condition,
        "parameters": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "joints": joints,
        "notes": [*result.doubts, *result.notes],
    }
    if bodies is not None:
        told["bodies"] = [
            {"name": name, "mass": mass, "center": center.tolist(), "tensor": tensor.tolist()}
            for _, (name, mass, center, tensor) in _real(result)
        ]
        terms = result.joint_terms()
        told["terms"] = {
            term: {joint: value for joint, (value, _) in pairs.items()}
            for term, pairs in terms.items()
        }
        if len(bodies.drawn):
            told["body_errors"] = {
                name: {"mass": error, "center": away.tolist()}
                for row, (name, *_) in _real(result)
                for error, away in [_body_errors(result, row)]
            }
            told["term_errors"] = {
                term: {joint: error for joint, (_, error) in pairs.items()}
                for term, pairs in terms.items()
            }
    return told
