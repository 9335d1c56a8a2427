"""Direct collocation: a trajectory of piecewise cubic states and linear controls.

Between two grid points y and v are the cubic polynomials that have their values and rates there;
the equations of motion hold at the grid points and at the midpoints (Hargraves, Paris 1987; von
Stryk, *DIRCOL*, 2002). This is the rule of Hermite and Simpson: errors at grid points fall with the
fourth power of the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.coordinates import Coordinates
from robcogen_ros.gait.nlp import Places, Program

SIDES = 8
"""Sides of the pyramid within the friction cone."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Numbers of the variables of one phase, a row an instant: grid points and midpoints in turn.

    Attributes:
        coordinates: What moves.
        y: Free coordinates (2 intervals + 1, k).
        v: Their rates.
        a: Their second derivatives.
        footholds: Where the feet are whose legs follow.
        u: Joint forces, as shares of their limits (2 intervals + 1, n).
        forces: At the points of the feet that stand, as shares of the weight.
        steps: Lengths of the intervals, as shares of the stride, which are not varied.
        times: Instants, as shares of the stride (2 intervals + 1).
        where: What the instants are called.
    """

    coordinates: Coordinates
    y: Places
    v: Places
    a: Places
    footholds: Places
    u: Places
    forces: Places
    steps: Places
    times: Array
    where: Sequence[str]

    def at(self, instant: int) -> Places:
        """All variables of an instant."""
        return np.concatenate([self.motion(instant), self.u[instant], self.forces[instant]])

    def motion(self, instant: int) -> Places:
        """Returns the places of the variables of `Coordinates.motion`."""
        parts = [part[instant] for part in (self.y, self.v, self.a)]
        return np.concatenate([*parts, self.footholds])

    def complete(self, x: Array) -> tuple[Array, Array, Array]:
        """All coordinates, rates and second derivatives (instants, 6 + n), of all variables."""
        motion = np.array([self.motion(k) for k in range(self.instants)])
        y, v, a = (np.array(part).T for part in self.coordinates.complete(x[motion].T))
        return y, v, a

    @property
    def parts(self) -> tuple[Places, ...]:
        """Variables of all instants, kind by kind."""
        return self.y, self.v, self.a, self.u, self.forces

    @property
    def instants(self) -> int:
        """The number of instants."""
        return len(self.times)


def join(program: Program, grid: Grid, stride: Places) -> None:
    """The cubic polynomials of y and v, the linear ones of u."""
    n, m = grid.y.shape[1], grid.u.shape[1]
    x0, xm, x1, r0, rm, r1 = (SX.sym(name, n) for name in ("x0", "xm", "x1", "r0", "rm", "r1"))
    duration, step = SX.sym("T"), SX.sym("step")
    h = duration * step
    rows = vertcat(
        x1 - x0 - h / 6 * (r0 + 4 * rm + r1),
        xm - (x0 + x1) / 2 - h / 8 * (r0 - r1),
    )
    z, where = vertcat(x0, xm, x1, r0, rm, r1, duration, step), grid.where[1::2]
    for name, state, rate in (("position", grid.y, grid.v), ("velocity", grid.v, grid.a)):
        ends = zip(_intervals(state), _intervals(rate), grid.steps, strict=True)
        places = [np.concatenate([x, r, stride, [own]]) for x, r, own in ends]
        program.constrain([f"{name} defect"] * 2 * n, z, rows, places, where)
    u0, um, u1 = (SX.sym(name, m) for name in ("u0", "um", "u1"))
    names, middle = ["linear control"] * m, um - (u0 + u1) / 2
    program.constrain(names, vertcat(u0, um, u1), middle, _intervals(grid.u), where)


def integral(program: Program, grid: Grid, speed: Places, weight: float) -> None:
    """Squared joint forces by distance, by Simpson's rule: exact for linear controls."""
    m = grid.u.shape[1]
    u0, um, u1 = (SX.sym(name, m) for name in ("u0", "um", "u1"))
    along, step = SX.sym("s"), SX.sym("step")
    value = weight * step / 6 / along
    term = value * (casadi.sumsqr(u0) + 4 * casadi.sumsqr(um) + casadi.sumsqr(u1))
    ends = zip(_intervals(grid.u), grid.steps, strict=True)
    places = [np.concatenate([u, speed, [own]]) for u, own in ends]
    program.minimise(vertcat(u0, um, u1, along, step), term, places)


def _intervals(part: Places) -> list[Places]:
    """Returns for each interval the variables at its beginning, its midpoint and its end."""
    return [part[k : k + 3].ravel() for k in range(0, len(part) - 1, 2)]


def pyramid(forces: Any, friction: float) -> Any:
    """Rows that are not negative where forces (3 x points) are within the friction cone.

    A pyramid of eight sides within the cone: linear, and regular where the force is zero.
    """
    angles = 2 * np.pi * np.arange(SIDES) / SIDES
    side = friction * np.cos(np.pi / SIDES)
    return vertcat(
        *[
            side * forces[i + 2] - np.cos(t) * forces[i] - np.sin(t) * forces[i + 1]
            for i in range(0, forces.shape[0], 3)
            for t in angles
        ]
    )
