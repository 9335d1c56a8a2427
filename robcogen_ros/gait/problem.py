"""The search for a gait as a nonlinear program.

Phase by phase: Hoepler, Stelzer, von Stryk, *Object-oriented dynamics modeling for legged robot
trajectory optimization and control* (2004), section III; Hardt, von Stryk 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid, integral, join
from robcogen_ros.gait.conditions import (
    apart,
    balance,
    beside,
    braking,
    cones,
    following,
    motors,
    still,
    swing,
    within_reach,
)
from robcogen_ros.gait.coordinates import Coordinates, Leg
from robcogen_ros.gait.design import Design
from robcogen_ros.gait.mirror import Mirror
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.nlp import Places, Program
from robcogen_ros.gait.pattern import Pattern, Phase
from robcogen_ros.gait.specification import Specification
from robcogen_ros.gait.terrain import Terrain
from robcogen_ros.gait.transition import Transition
from robcogen_ros.model.robot import FREE_FALL

GREATEST_RATE = 5.0
"""Greatest velocity and rate of the base [m/s], [rad/s]."""
_GREATEST_FORCE = 4.0
"""Greatest force at a foot, as a share of the weight."""
_GREATEST_ACCELERATION = 1e3
"""Greatest acceleration [m/s²], [rad/s²]."""
_FREE = 1e3
_PULL = 4.0
"""Times that a foot that stands is pulled back in the time of a fall from the robot's height."""
_SMALL = 1e-6
"""Smallest unit of a parameter."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a robot, and how it stands.

    Attributes:
        lower: Of the joint positions.
        upper: Of the joint positions.
        velocity: Of the joint velocities.
        effort: Of the joint forces.
        height: Of the base where the robot stands [m].
        reaches: Frames of the thighs, and how far feet can be from their origins (feet) [m].
        design: What is sought of the robot.
        legs: In closed form, a foot each, for reduced dynamics; none for full dynamics.
        sides: Of two feet the left one and the right one, and the width of both together [m].
    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array
    height: float
    reaches: tuple[Sequence[int], Array]
    design: Design
    legs: Sequence[Leg] = ()
    sides: tuple[int, int, float] | None = None

    def narrowed(self, share: float) -> Limits:
        """Limits with a share of the ranges of positions, about their middles."""
        less = 0.5 * (1.0 - share) * (self.upper - self.lower)
        return replace(self, lower=self.lower + less, upper=self.upper - less)


class Problem:
    """A gait of a robot as a nonlinear program.

    Attributes:
        program: The program.
        grids: Numbers of the variables, a phase each.
        phases: What stands when.
        knots: Where the intervals of each phase begin and end, as shares of the stride.
        stride: Number of the variable that is the duration of a stride.
        speed: Number of the variable that is the mean velocity.
        design: Numbers of the variables that are parameters of the robot.
        impulses: Numbers of the impulses at the end of each phase; empty where no foot lands.
        landed: The feet that have them.
        weights: Of the points touched in each phase, for static stability (instants, points).
        effort: Units of the joint forces.
        mirror: How the end of the last phase is mirrored to the start; None of whole strides.
        terrain: What it goes over.
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
        self.terrain = Terrain(wanted, pattern, [foot.frame_name for foot in motion.feet])
        phases = pattern.phases()
        self.phases = tuple(p for p in phases if mirror is None or p.begin < 0.5 - 1e-9)
        self.share = 1.0 if mirror is None else 0.5
        self.pull = _PULL * np.sqrt(FREE_FALL / limits.height)
        self.program = Program()
        one = self.program.variables
        self.stride = one(["duration of a stride"], np.mean(wanted.stride), *wanted.stride)
        self.speed = one(["speed"], np.mean(wanted.speed), *wanted.speed)
        if wanted.stride_length is not None:
            duration, speed = SX.sym("T"), SX.sym("s")
            z, along = vertcat(duration, speed), np.concatenate([self.stride, self.speed])
            names, low, high = ["stride_length"], *wanted.stride_length
            self.program.constrain(names, z, speed * duration, [along], [""], low, high)
        self.knots = [_equal(phase, wanted.intervals) for phase in self.phases]
        if knots is not None:
            self.knots = list(knots)
        self.design = self._design(limits.design)
        self.grids = [self._grid(i, phase) for i, phase in enumerate(self.phases)]
        self.impulses: list[Places] = []
        self.weights: list[Places] = []
        self.landed: list[tuple[int, ...]] = []
        self.effort = limits.effort
        for number, (phase, grid) in enumerate(zip(self.phases, self.grids, strict=True)):
            self._within(phase, grid)
            self._end(number)
        self._merit()

    def _design(self, design: Design) -> Places:
        names, unit = [" and ".join(each) for each in design.names], np.ones(len(design.names))
        unit = np.maximum(np.maximum(np.abs(design.lower), np.abs(design.upper)), _SMALL * unit)
        found = self.program.variables(names, design.start, design.lower, design.upper, unit)
        self.program.shared = (self._motion.design, found)
        return found

    def pattern_standing(self, foot: int, at: float) -> bool:
        """Returns True if a foot stands, at a share of the stride."""
        return self._pattern.swing(foot, at) is None

    def _grid(self, number: int, phase: Phase) -> Grid:
        n, knots = len(self._limits.lower), self.knots[number]
        times = np.empty(2 * len(knots) - 1)
        times[::2], times[1::2] = knots, 0.5 * (knots[1:] + knots[:-1])
        where = [f"at {100 * t:.1f} % of the stride" for t in times]
        coordinates = Coordinates(self._motion, phase.standing, self._limits.legs)
        forces = 3 * sum(len(self._motion.feet[f].points) for f in phase.standing)
        chosen = [coordinates.free] * 3 + [np.arange(n), np.arange(forces)]
        found: list[list[Places]] = [[], [], [], [], []]
        for instant in range(len(times)):
            bounds = self._bounds(phase, float(times[instant]), instant == len(times) - 1)
            for kind, (which, (low, high)) in enumerate(zip(chosen, bounds, strict=True)):
                names = [self._name(kind, i) for i in which]
                start = np.clip(0.0, low, high)
                of = [
                    part[which]
                    for part in (
                        start,
                        low,
                        high,
                        self.units(kind) if kind < 3 else np.ones(len(low)),
                    )
                ]
                found[kind].append(self.program.variables(names, *of))
        if number == 0:
            first = found[0][0]
            pinned = () if self.terrain.prescribed else (0,) if self.mirror else (0, 1)
            for coordinate in pinned:
                self.program.lower[first[coordinate]] = self.program.upper[first[coordinate]] = 0.0
        y, v, a, u, f = (np.array(rows) for rows in found)
        step = np.diff(knots)
        steps = self.program.variables(["length of an interval"] * len(step), step, step, step)
        places = coordinates.motion.shape[0] - 3 * len(coordinates.free)
        names = [f"foothold {i} {where[0]}" for i in range(places)]
        footholds = self.program.variables(names, 0.0, -_FREE, _FREE)
        return Grid(coordinates, y, v, a, footholds, u, f, steps, times, where)

    def units(self, order: int) -> Array:
        """Returns units of derivatives of the coordinates (6 + n): height, and time of a fall."""
        height = self._limits.height
        unit = np.ones(6 + len(self._limits.lower))
        unit[:3] = height
        return np.asarray(unit * (FREE_FALL / height) ** (0.5 * order))

    def _name(self, kind: int, i: int) -> str:
        """Returns the name of a coordinate, a rate, a second derivative, an effort or a force."""
        if kind > 2:
            return f"effort of {self._motion.joints[i]}" if kind == 3 else "force at a foot"
        if i >= 6:
            rate = ("position", "velocity", "acceleration")[kind]
            return f"{rate} of {self._motion.joints[i - 6]}"
        rate = ("", "velocity of ", "acceleration of ")[kind]
        return f"{rate}{('x', 'y', 'height', 'roll', 'pitch', 'yaw')[i]} of the base"

    def _bounds(self, phase: Phase, at: float, last: bool) -> list[tuple[Array, Array]]:
        """Returns bounds of coordinates, rates, second derivatives, and forces."""
        wanted, limits = self._wanted, self._limits
        heights = (limits.height, *limits.design.heights)
        low, high = wanted.height[0] * min(heights), wanted.height[1] * max(heights)
        low, high = (self.terrain.base(at) + each for each in (low, high))
        tilt, n = np.full(3, wanted.tilt), len(limits.lower)
        y = (
            np.concatenate([[-_FREE, -_FREE, low], -tilt, limits.lower]),
            np.concatenate([[_FREE, _FREE, high], tilt, limits.upper]),
        )
        fast = np.concatenate([np.full(6, GREATEST_RATE), wanted.velocity * limits.velocity])
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
        weight, effort = motion.mass * FREE_FALL, self._limits.effort
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
        coordinates = grid.coordinates
        held = [
            still(motion, foot, self.pull, self.terrain.level(foot, phase.middle))
            for foot in phase.standing
            if foot not in coordinates.feet
        ]
        tau, base, rest = casadi.substitute(
            coordinates.given(motion.tau, motion.base, vertcat(SX(0, 1), *held)),
            motion.forces,
            given,
        )
        rows = vertcat(tau / effort - u, base / weight, rest / FREE_FALL)
        names = [
            *[f"equation of joint {i}" for i in range(len(effort))],
            *["equation of the base"] * 6,
            *["acceleration of a foot that stands"] * rest.shape[0],
        ]
        z = vertcat(coordinates.motion, u, f)
        places = [grid.at(k) for k in range(grid.instants)]
        program = self.program
        program.constrain(names, z, rows, places, grid.where)
        join(program, grid, self.stride)
        lifting = self._lifting(phase) if wanted.lift_off == "zero" else ()
        cones(program, motion, grid, phase, wanted.friction, lifting)
        swing(program, motion, grid, self._pattern, self.terrain, wanted.step_height)
        limits = self._limits
        following(
            program, motion, grid, limits.lower, limits.upper, wanted.velocity * limits.velocity
        )
        if wanted.no_load_speed is not None:
            motors(program, motion, grid, wanted.no_load_speed)
        self.weights.append(np.zeros((grid.instants, 0), dtype=np.int64))
        if wanted.stability == "static" and phase.standing:
            self.weights[-1] = balance(program, motion, grid, phase)
        if wanted.reach < 1.0:
            within_reach(program, motion, grid, *self._limits.reaches, wanted.reach)
            braking(program, motion, grid, limits.lower, limits.upper)
        if limits.sides is not None:
            left, right, width = limits.sides
            beside(program, motion, grid, (left, right), width + wanted.clearance)
        elif wanted.clearance:
            apart(program, motion, grid, wanted.clearance)

    def _end(self, number: int) -> None:
        """Adds the conditions after a phase: the next one follows, or the first one again."""
        phase, last = self.phases[number], number == len(self.grids) - 1
        lifting, landing = self._lifting(phase), self._landing(number)
        transition = Transition(
            self.grids[number],
            self.grids[(number + 1) % len(self.grids)],
            landing,
            tuple(foot for foot in phase.standing if foot not in lifting),
            self.mirror if last else None,
            self.share if last else 0.0,
            np.concatenate([self.stride, self.speed]),
            self.terrain.rise,
            [self._lands(foot, phase.end) for foot in landing],
        )
        self.impulses.append(
            transition.connect(self.program, self._motion, self._limits.legs, self._wanted.friction)
        )
        self.landed.append(transition.standing if landing else ())

    def _lands(self, foot: int, at: float) -> tuple[int, Array]:
        """Returns the strides from a foot's first foothold to where it lands, and the first one."""
        return round(self.terrain.strides(foot, at + 1e-6)), self.terrain.footholds[foot]

    def _merit(self) -> None:
        weights = self._wanted.merit
        for grid in self.grids:
            integral(self.program, grid, self.speed, weights.get("energy", 0.0) / self.share)
        if weights.get("time"):
            along = SX.sym("s")
            self.program.minimise(along, weights["time"] / along, [self.speed])


def _equal(phase: Phase, intervals: int) -> Array:
    """Returns the ends of a phase's intervals, of a grid with that many in a stride."""
    count = max(2, round(intervals * phase.share))
    return np.linspace(phase.begin, phase.end, count + 1)
