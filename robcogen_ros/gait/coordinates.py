"""Coordinates of a robot in one phase: all of them, or those that feet on the ground leave free.

Reduced dynamics (Hardt, von Stryk 2003; Hoepler, Stelzer, von Stryk 2004, II-B): legs that stand
follow from the pose of the base and from where their feet are, by inverse kinematics in closed
form. So their feet rest at the grid points and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait.motion import Motion
from robcogen_ros.model.contacts import Contact
from robcogen_ros.standing.posture import Legs


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg in closed form.

    Attributes:
        joints: Numbers of its joints.
        solve: From the pose of its foot in the base (4 x 4) the positions of the joints, and the
            margin of reach.
    """

    joints: Sequence[int]
    solve: Any


def inverse_kinematics(robot: Any, contacts: Sequence[Contact]) -> list[str]:
    """Names of the functions from which legs follow, one a contact."""
    base = robot.frame_names[robot.link_frames[robot.link_names[0]]]
    return [f"{base}_inverse_kinematics_{contact.frame_name}" for contact in contacts]


def closed_legs(robot: Any, legs: Legs, q: Array) -> tuple[Leg, ...]:
    """The legs of a robot, each with the solution that is at hand in a posture.

    Args:
        robot: The robot, with the functions named by `inverse_kinematics`.
        legs: Its legs.
        q: Joint positions in the posture (n,).

    Raises:
        RobcogenError: If a leg is not determined by its foot.
    """
    found = []
    names = inverse_kinematics(robot, robot.contact_records)
    for name, contact, joints, pose in zip(
        names, robot.contact_records, legs.joints, legs.poses(q), strict=True
    ):
        rows = len(contact.rows)
        if len(joints) != rows:
            raise RobcogenError(
                f"dynamics: reduced needs legs that follow from their feet: the leg of contact "
                f"'{contact.name}' has {len(joints)} joints, its contact {rows} rows"
            )
        goal, function = SX.sym("goal", 4, 4), robot.casadi(name)
        solutions = []
        for branch in product((1.0, -1.0), repeat=function.size1_in(1)):
            at, margin = function(goal if rows == 6 else goal[:3, 3], casadi.DM(branch))
            reached = np.array(casadi.Function("at", [goal], [at])(pose)).ravel()
            turns = 2 * np.pi * np.round((q[joints] - reached) / (2 * np.pi))
            solve = casadi.Function("solve", [goal], [at + turns, margin])
            solutions.append((float(np.abs(reached + turns - q[joints]).max()), solve))
        found.append(Leg(tuple(joints), min(solutions, key=lambda each: each[0])[1]))
    return tuple(found)


class Coordinates:
    """Coordinates that move in a phase, and those that follow from them.

    Attributes:
        free: Which coordinates are free (k,).
        dependent: Which ones follow from them.
        feet: Numbers of the feet whose legs follow.
        motion: Symbols of the free coordinates, their rates, their second derivatives, and of where
            these feet are: x, y, and the yaw of soles, a foot each (3 k + places).
        margins: Of the reach of their legs.
    """

    def __init__(self, motion: Motion, standing: Sequence[int], legs: Sequence[Leg]) -> None:
        """Finds what follows.

        Args:
            motion: Of the robot.
            standing: Numbers of the feet that stand.
            legs: Of the robot, by foot; none if all coordinates are free.
        """
        self._motion, self.feet = motion, tuple(standing) if legs else ()
        size = motion.y.shape[0]
        self.dependent = np.array(
            [6 + joint for foot in self.feet for joint in legs[foot].joints], dtype=np.int64
        )
        self.free = np.setdiff1d(np.arange(size), self.dependent)
        own, rates, second = (SX.sym(name, len(self.free)) for name in "yva")
        places = [SX.sym("s", 3 if motion.feet[foot].is_pose else 2) for foot in self.feet]
        self.motion, self.margins = vertcat(own, rates, second, *places), SX(0, 1)
        y = SX.zeros(size)
        y[self.free.tolist()] = own
        for foot, place in zip(self.feet, places, strict=True):
            joints, margin = legs[foot].solve(motion.pose_in_base(foot, place, own[:6]))
            y[[6 + joint for joint in legs[foot].joints]] = joints
            self.margins = vertcat(self.margins, margin)
        v = casadi.jtimes(y, own, rates)
        a = casadi.jtimes(v, vertcat(own, rates), vertcat(rates, second))
        self._all = [y, v, a]

    def given(self, *expressions: Any) -> list[Any]:
        """Expressions in all coordinates, rates and second derivatives by the free ones."""
        motion = self._motion
        found: list[Any] = casadi.substitute(
            list(expressions), [motion.y, motion.v, motion.a], self._all
        )
        return found

    def complete(self, motion: Any) -> Sequence[Any]:
        """All coordinates, rates, second derivatives from values or symbols of `motion`."""
        found: Sequence[Any] = casadi.Function("all", [self.motion], self._all)(motion)
        return found

    def foothold(self, foot: int) -> list[int]:
        """Returns the places in `motion` of where a foot is whose leg follows."""
        sizes = [3 if self._motion.feet[other].is_pose else 2 for other in self.feet]
        first = 3 * len(self.free) + sum(sizes[: self.feet.index(foot)])
        return list(range(first, first + sizes[self.feet.index(foot)]))

    def stood(self, y: Array) -> Array:
        """Footholds: where the feet are on average over coordinates (instants, 6 + n)."""
        places = [self._motion.foothold(foot) for foot in self.feet]
        function = casadi.Function("stood", [self._motion.y], [vertcat(SX(0, 1), *places)])
        mean: Array = np.array(function(y.T)).mean(axis=1)
        return mean
