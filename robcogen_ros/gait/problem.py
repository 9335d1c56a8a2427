"""The search for a gait as a nonlinear program.

Phase by phase: Hoepler, Stelzer, von Stryk, *Object-oriented dynamics modeling for legged robot
trajectory optimization and control* (2004), section III; Hardt, von Stryk 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid, integral, join, pyramid
from robcogen_ros.gait.conditions import apart, balance, cones, motors, still, swing
from robcogen_ros.gait.mirror import Mirror
from robcogen_ros.gait.motion import GRAVITY, Motion
from robcogen_ros.gait.nlp import Places, Program
from robcogen_ros.gait.pattern import Pattern, Phase
from robcogen_ros.gait.specification import Specification

_GREATEST_RATE = 5.0
"""Greatest velocity and rate of the base [m/s], [rad/s]."""
_GREATEST_FORCE = 4.0
"""Greatest force at a foot, as a share of the weight."""
_GREATEST_IMPULSE = 1.0
"""Greatest impulse at a point of a foot, as the velocity that it gives the robot's mass [m/s]."""
_GREATEST_RATE_AFTER = 30.0
"""Greatest rate after an impact."""
_GREATEST_ACCELERATION = 1e3
"""Greatest acceleration [m/s²], [rad/s²]."""
_FREE = 1e3
_PULL = 4.0
"""How often a foot that stands is pulled back in the time of a fall from the robot's height."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a robot can do, and how it stands.

    Attributes:
        lower: Of the joint positions.
        upper: Of the joint positions.
        velocity: Of the joint velocities.
        effort: Of the joint forces.
        height: Of the base where the robot stands [m].
    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array
    height: float


class Problem:
    """A gait of a robot as a nonlinear program.

    Attributes:
        program: The program.
        grids: Numbers of the variables, a phase each.
        phases: What stands when.
        knots: Where the intervals of each phase begin and end, as shares of the stride.
        stride: Number of the variable that is the duration of a stride.
        speed: Number of the variable that is the mean velocity.
        impulses: Numbers of the impulses at the end of each phase; empty where no foot lands.
        landed: The feet that have them.
        after: Numbers of the rates after them.
        effort: Units of the joint forces.
        mirror: How the end of the last phase is mirrored to the start; None of whole strides.
    """

    def __init__(
        self,
        motion: Motion,
        limits: Limits,
        pattern: Pattern,
        wanted: Specification,
        mirror: Mirror | None,
        knots: Sequence[Array] | None = None,
    ) -> None:
        """Writes all equations.

        Args:
            motion: Of the robot.
            limits: Of the robot.
            pattern: Of its feet.
            wanted: What is sought.
            mirror: The robot's; then half a stride is sought.
            knots: Where the intervals of each phase begin and end, as shares of the stride; equal
                ones without.
        """
        self._motion, self._limits, self._wanted = motion, limits, wanted
        self._pattern, self.mirror = pattern, mirror
        phases = pattern.phases()
        self.phases = tuple(p for p in phases if mirror is None or p.begin < 0.5 - 1e-9)
        self.share = 1.0 if mirror is None else 0.5
        self.pull = _PULL * np.sqrt(GRAVITY / limits.height)
        self.program = Program()
        one = self.program.variables
        self.stride = one(["duration of a stride"], np.mean(wanted.stride), *wanted.stride)
        self.speed = one(["speed"], np.mean(wanted.speed), *wanted.speed)
        self.knots = [_equal(phase, wanted.intervals) for phase in self.phases]
        if knots is not None:
            self.knots = list(knots)
        self.grids = [self._grid(i, phase) for i, phase in enumerate(self.phases)]
        self.impulses: list[Places] = []
        self.landed: list[tuple[int, ...]] = []
        self.effort = limits.effort
        self.after: list[Places] = []
        for number, (phase, grid) in enumerate(zip(self.phases, self.grids, strict=True)):
            self._within(phase, grid)
            self._end(number)
        self._merit()

    def pattern_standing(self, foot: int, at: float) -> bool:
        """Whether a foot stands, at a share of the stride."""
        return self._pattern.swing(foot, at) is None

    def _grid(self, number: int, phase: Phase) -> Grid:
        n, knots = len(self._limits.lower), self.knots[number]
        times = np.empty(2 * len(knots) - 1)
        times[::2], times[1::2] = knots, 0.5 * (knots[1:] + knots[:-1])
        where = [f"at {100 * t:.1f} % of the stride" for t in times]
        forces = 3 * sum(len(self._motion.feet[f].points) for f in phase.standing)
        sizes = (6 + n, 6 + n, 6 + n, n, forces)
        found: list[list[Places]] = [[], [], [], [], []]
        for instant in range(len(times)):
            bounds = self._bounds(phase, instant == len(times) - 1)
            for kind, (size, (low, high)) in enumerate(zip(sizes, bounds, strict=True)):
                names = [f"{'yvauf'[kind]}{i} {where[instant]}" for i in range(size)]
                start = np.clip(0.0, low, high)
                unit = self._units(kind, size)
                found[kind].append(self.program.variables(names, start, low, high, unit))
        if number == 0:
            first = found[0][0]
            for coordinate in (0,) if self.mirror else (0, 1):
                self.program.lower[first[coordinate]] = self.program.upper[first[coordinate]] = 0.0
        y, v, a, u, f = (np.array(rows) for rows in found)
        step = np.diff(knots)
        steps = self.program.variables(["length of an interval"] * len(step), step, step, step)
        return Grid(y, v, a, u, f, steps, times, where)

    def _units(self, kind: int, size: int) -> Array:
        """Of lengths the height, of times that of a fall from it."""
        height = self._limits.height
        unit = np.ones(size)
        if kind < 3:
            unit[:3] = height
            unit *= (GRAVITY / height) ** (0.5 * kind)
        return unit

    def _bounds(self, phase: Phase, last: bool) -> list[tuple[Array, Array]]:
        """Of coordinates, rates, second derivatives, joint forces, and forces of feet."""
        wanted, limits = self._wanted, self._limits
        low, high = (share * limits.height for share in wanted.height)
        tilt, n = np.full(3, wanted.tilt), len(limits.lower)
        y = (
            np.concatenate([[-_FREE, -_FREE, low], -tilt, limits.lower]),
            np.concatenate([[_FREE, _FREE, high], tilt, limits.upper]),
        )
        fast = np.concatenate([np.full(6, _GREATEST_RATE), wanted.velocity * limits.velocity])
        free, strong = np.full(6 + n, _GREATEST_ACCELERATION), np.full(n, wanted.effort)
        lifting = self._lifting(phase) if last and wanted.lift_off == "zero" else ()
        push = np.array(
            [
                0.0 if foot in lifting else _GREATEST_FORCE
                for foot in phase.standing
                for _ in self._motion.force_rows([foot])
            ]
        )
        least = -push
        least[2::3] = 0.0
        return [y, (-fast, fast), (-free, free), (-strong, strong), (least, push)]

    def _lifting(self, phase: Phase) -> tuple[int, ...]:
        """Feet that lift off where a phase ends."""
        soon = (phase.end + 1e-6) % 1.0
        return tuple(f for f in phase.standing if self._pattern.swing(f, soon) is not None)

    def _landing(self, number: int) -> tuple[int, ...]:
        """Feet that land where a phase ends."""
        at = (self.phases[number].end + 1e-6) % 1.0
        here = self.phases[number].standing
        feet = range(len(self._motion.feet))
        return tuple(f for f in feet if f not in here and self._pattern.swing(f, at) is None)

    def _within(self, phase: Phase, grid: Grid) -> None:
        """Equations of motion, of feet that stand, of cones, of feet that swing."""
        motion, wanted = self._motion, self._wanted
        weight, effort = motion.mass * GRAVITY, self._limits.effort
        u = SX.sym("u", len(effort))
        f = SX.sym("f", grid.forces.shape[1])
        given, first = [], 0
        for foot in range(len(motion.feet)):
            count = motion.forces[foot].shape[0]
            if foot in phase.standing:
                given.append(weight * f[first : first + count])
                first += count
            else:
                given.append(SX.zeros(count))
        tau, base, rest = casadi.substitute(
            [
                motion.tau,
                motion.base,
                vertcat(*[still(motion, i, self.pull) for i in phase.standing]),
            ],
            motion.forces,
            given,
        )
        rows = vertcat(tau / effort - u, base / weight, rest / GRAVITY)
        names = [
            *[f"equation of joint {i}" for i in range(len(effort))],
            *["equation of the base"] * 6,
            *["acceleration of a foot that stands"] * rest.shape[0],
        ]
        z = vertcat(motion.y, motion.v, motion.a, u, f)
        places = [grid.at(k) for k in range(grid.instants)]
        program = self.program
        program.constrain(names, z, rows, places, grid.where)
        join(program, grid, self.stride)
        lifting = self._lifting(phase) if wanted.lift_off == "zero" else ()
        cones(program, motion, grid, phase, wanted.friction, lifting)
        swing(program, motion, grid, self._pattern, wanted.step_height)
        if wanted.no_load_speed is not None:
            motors(program, grid, wanted.no_load_speed)
        if wanted.stability == "static" and phase.standing:
            balance(program, motion, grid, phase)
        if wanted.clearance:
            apart(program, motion, grid, wanted.clearance)

    def _end(self, number: int) -> None:
        """What follows a phase: the next one, or the first one again."""
        grid, last = self.grids[number], number == len(self.grids) - 1
        following, landing = self.grids[(number + 1) % len(self.grids)], self._landing(number)
        end, where = -1, [grid.where[-1]]
        rates = grid.v[end]
        if landing:
            rates = self._impact(number, landing)
        else:
            self.impulses.append(np.zeros(0, dtype=np.int64))
            self.landed.append(())
            self.after.append(np.zeros(0, dtype=np.int64))
        n = grid.y.shape[1]
        before, after = SX.sym("before", n), SX.sym("after", n)
        duration, speed = SX.sym("T"), SX.sym("s")
        turn = self._turned(before) if last else before
        position, rate = after - turn, after - turn
        if last:
            ahead = speed * duration * self.share
            position = vertcat(before[0] - after[0] - ahead, position[1:])
        z = vertcat(before, after, duration, speed)
        place = np.concatenate([grid.y[end], following.y[0], self.stride, self.speed])
        names = [f"continuity of coordinate {i}" for i in range(n)]
        self.program.constrain(names, z, position, [place], where)
        place = np.concatenate([rates, following.v[0]])
        names = [f"continuity of rate {i}" for i in range(n)]
        self.program.constrain(names, vertcat(before, after), rate, [place], where)

    def _turned(self, z: Any) -> Any:
        """Coordinates or rates in the mirror; the same without one."""
        if self.mirror is None:
            return z
        base = casadi.DM([1, -1, 1, -1, 1, -1]) * z[:6]
        return vertcat(
            base, casadi.DM(self.mirror.signs) * z[[6 + int(j) for j in self.mirror.joints]]
        )

    def _impact(self, number: int, landing: tuple[int, ...]) -> Places:
        """Feet land: a plastic impact of all that stand then. Returns the rates after it."""
        motion, grid = self._motion, self.grids[number]
        end, where = len(grid.times) - 1, [grid.where[-1]]
        staying = [
            f for f in self.phases[number].standing if f not in self._lifting(self.phases[number])
        ]
        standing = sorted({*landing, *staying})
        touching = [motion.points[f] for f in landing]
        low = vertcat(*[points[2] for points in touching], *[motion.tilts[f] for f in landing])
        self.program.constrain(
            ["height of a foot that lands"] * low.shape[0], motion.y, low, [grid.y[end]], where
        )
        symbols = [SX.sym("p", motion.forces[f].shape[0]) for f in standing]
        given = [
            motion.mass * symbols[standing.index(f)]
            if f in standing
            else SX.zeros(motion.forces[f].shape[0])
            for f in range(len(motion.feet))
        ]
        after, zero = motion.impact(given)
        still = vertcat(*[motion.velocities(after)[f] for f in standing])
        n, m = grid.y.shape[1], sum(s.shape[0] for s in symbols)
        push = np.full(m, _GREATEST_IMPULSE)
        least = -push
        least[2::3] = 0.0
        impulses = self.program.variables([f"impulse {i}" for i in range(m)], 0.0, least, push)
        rates = self.program.variables(
            [f"rate after impact {i}" for i in range(n)],
            0.0,
            -_GREATEST_RATE_AFTER,
            _GREATEST_RATE_AFTER,
            self._units(1, n),
        )
        z = vertcat(motion.y, motion.v, after, *symbols)
        place = np.concatenate([grid.y[end], grid.v[end], rates, impulses])
        rows = vertcat(zero / motion.mass, still)
        names = [
            *["equation of the impact"] * n,
            *["velocity of a foot after impact"] * still.shape[0],
        ]
        self.program.constrain(names, z, rows, [place], where)
        within = pyramid(vertcat(*symbols), self._wanted.friction)
        self.program.constrain(
            ["friction of an impulse"] * within.shape[0],
            vertcat(*symbols),
            within,
            [impulses],
            where,
            0.0,
            np.inf,
        )
        self.impulses.append(impulses)
        self.landed.append(tuple(standing))
        self.after.append(rates)
        return rates

    def _merit(self) -> None:
        weights = self._wanted.merit
        for grid in self.grids:
            integral(self.program, grid, self.speed, weights.get("energy", 0.0) / self.share)
        if weights.get("time"):
            along = SX.sym("s")
            self.program.minimise(along, weights["time"] / along, [self.speed])


def _equal(phase: Phase, intervals: int) -> Array:
    """Where the intervals of a phase begin and end, of a grid that has as many in a stride."""
    count = max(2, round(intervals * phase.share))
    return np.linspace(phase.begin, phase.end, count + 1)
