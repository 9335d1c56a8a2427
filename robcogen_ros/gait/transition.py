"""Transition from the end of one phase of a stride to the start of the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.collocation import Grid, pyramid
from robcogen_ros.gait.coordinates import Leg
from robcogen_ros.gait.mirror import Mirror
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.nlp import Places, Program

_GREATEST_IMPULSE = 1.0
"""Greatest impulse at a point of a foot, as the velocity that it gives the robot's mass [m/s]."""


@dataclass(frozen=True, slots=True)
class Transition:
    """Two phases that follow each other; coordinates and feet are those of the first one.

    Attributes:
        before: The first one.
        after: The second one, or the first one of the stride again.
        landing: Numbers of the feet that land between them.
        staying: Numbers of the feet that stand before and after.
        mirror: In which the second one is seen; none within a stride, and of whole strides.
        share: Of a stride, by which the second one is behind where it is seen.
        along: Numbers of the duration of a stride and of the speed.
        rise: Height by which a stride climbs.
        footholds: Of the feet that land, with the strides before that and where they stand after
            the first one, NaN where that is not prescribed.
    """

    before: Grid
    after: Grid
    landing: tuple[int, ...]
    staying: tuple[int, ...]
    mirror: Mirror | None
    share: float
    along: Places
    rise: float
    footholds: Sequence[tuple[int, Array]]

    def connect(
        self, program: Program, motion: Motion, legs: Sequence[Leg], friction: float
    ) -> Places:
        """The second phase begins as the first one ends, after an impact where feet land.

        Returns:
            Numbers of the impulses, at the points of the feet that stand after it.
        """
        first, second = self.before.coordinates, self.after.coordinates
        start = SX.sym("start", second.motion.shape[0])
        duration, speed = SX.sym("T"), SX.sym("s")
        (y0, v0, _), (y1, v1, _) = first.complete(first.motion), second.complete(start)
        y1, v1 = self._seen(y1), self._seen(v1)
        ahead = speed * duration * self.share
        y1[0] += ahead
        y1[2] += self.rise * self.share
        free = np.flatnonzero(np.isin(self._images(y1.shape[0]), second.free)).tolist()
        met = free + [6 + joint for foot in self.landing if legs for joint in legs[foot].joints]
        rows = [(y1 - y0)[met]]
        names = [f"continuity of coordinate {i}" for i in met]
        for foot in self.staying if legs else ():
            place = start[second.foothold(foot if self.mirror is None else self.mirror.feet[foot])]
            if self.mirror is not None:
                place[1:] = -place[1:]
            place[0] += ahead
            rows.append(place - first.motion[first.foothold(foot)])
            names += ["continuity of a foothold"] * place.shape[0]
        if not self.landing:
            rows.append((v1 - v0)[free])
            names += [f"continuity of rate {i}" for i in free]
        z, where = vertcat(first.motion, start), [self.before.where[-1]]
        places = np.concatenate([self.before.motion(-1), self.after.motion(0)])
        program.constrain(
            names,
            vertcat(z, duration, speed),
            vertcat(*rows),
            [np.concatenate([places, self.along])],
            where,
        )
        if not self.landing:
            return np.zeros(0, dtype=np.int64)
        if not legs:
            self._touch(program, motion)
        return self._impact(program, motion, (z, v1, places), friction, resting=not legs)

    def _touch(self, program: Program, motion: Motion) -> None:
        """Feet that land are on the ground and level, and where they are to stand."""
        duration, speed, grid = SX.sym("T"), SX.sym("s"), self.before
        rows: list[Any] = []
        names: list[str] = []
        for foot, (strides, place) in zip(self.landing, self.footholds, strict=True):
            away = motion.foothold(foot)[:2] - place[:2]
            away[0] -= strides * speed * duration
            level = place[2] + strides * self.rise
            rows += [motion.points[foot][2] - level, motion.tilts[foot]]
            rows.append(away[np.flatnonzero(np.isfinite(place[:2])).tolist()])
            more = sum(row.shape[0] for row in rows) - len(names)
            names += [f"foothold of {motion.feet[foot].name}"] * more
        (low,) = grid.coordinates.given(vertcat(*rows))
        z, places = (
            vertcat(grid.coordinates.motion, duration, speed),
            np.concatenate([grid.motion(-1), self.along]),
        )
        program.constrain(names, z, low, [places], [grid.where[-1]])

    def _impact(
        self,
        program: Program,
        motion: Motion,
        ends: tuple[Any, Any, Places],
        friction: float,
        resting: bool,
    ) -> Places:
        """A plastic impact of all feet that stand after it.

        That they rest is a condition (`resting`) unless their legs follow from them.
        """
        z, rates, places = ends
        where, standing = [self.before.where[-1]], self.standing
        symbols = [
            SX.sym("p", points.shape[0]) if foot in standing else SX.zeros(points.shape[0])
            for foot, points in enumerate(motion.points)
        ]
        after, zero = motion.impact([motion.mass * symbol for symbol in symbols])
        velocities = motion.velocities(after)
        still = vertcat(SX(0, 1), *[velocities[foot] for foot in standing if resting])
        rows = self.before.coordinates.given(vertcat(zero / motion.mass, still))
        pushed = vertcat(*[symbols[foot] for foot in standing])
        count = pushed.shape[0]
        push = np.full(count, _GREATEST_IMPULSE)
        least = -push
        least[2::3] = 0.0
        impulses = program.variables([f"impulse {i}" for i in range(count)], 0.0, least, push)
        names = [
            *["equation of the impact"] * zero.shape[0],
            *["velocity of a foot after impact"] * still.shape[0],
        ]
        program.constrain(
            names,
            vertcat(z, pushed),
            casadi.substitute(rows, [after], [rates])[0],
            [np.concatenate([places, impulses])],
            where,
        )
        within = pyramid(pushed, friction)
        names = [f"friction {friction:g} of an impulse"] * within.shape[0]
        program.constrain(names, pushed, within, [impulses], where, 0.0, np.inf)
        return impulses

    @property
    def standing(self) -> tuple[int, ...]:
        """Numbers of the feet that stand after it."""
        return tuple(sorted({*self.landing, *self.staying}))

    def _images(self, size: int) -> Places:
        """Returns the coordinates of the second phase that replace those of the first one."""
        if self.mirror is None:
            return np.arange(size)
        return np.concatenate([np.arange(6), 6 + self.mirror.joints])

    def _seen(self, z: Any) -> Any:
        """Coordinates or rates of the second phase."""
        if self.mirror is None:
            return z
        signs = np.concatenate([[1.0, -1.0, 1.0, -1.0, 1.0, -1.0], self.mirror.signs])
        return casadi.DM(signs) * z[self._images(z.shape[0]).tolist()]
