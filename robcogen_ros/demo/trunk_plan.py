"""The largest motions of the trunk that the feet of a robot can hold where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.gaits import GRAVITY
from robcogen_ros.control.standing import Legs, Posture
from robcogen_ros.demo.standing_run import balance
from robcogen_ros.demo.trunk_motion import (
    PUSH_SPEED,
    PUSH_TIME,
    TURNS,
    WAYS,
    Trunk,
    TrunkMotion,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.objects import Fault

CROUCHES = (0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.0)
"""How much lower than standing a crouch is, as a share of the height; the first possible one."""
SIZES = (0.1, 0.2, 0.2, 0.3, 0.08, 0.08)
"""Largest motion each way [of the height for ways, rad for turns]."""
SCALES = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05)
"""Shares of it that are tried in turn."""
POINTS = 17
"""Moments of each part of the motion at which it is looked whether feet are within reach."""
INSIDE = 0.3
"""How far inside the feet the center of mass stays, as a share of its room there."""
SHARE = 0.8
"""Of friction, soles and efforts, what a plan uses; the rest is for control."""
PRESSED = 0.06
"""Least force that a plan leaves on each foot, as a share of the weight."""
MISSED, TURNED = 0.002, 0.004
"""How far the trunk may be from a plan as it is rehearsed, as a share of the height, and [rad]."""
STEP = 0.002
"""Of control and simulation in a rehearsal [s]."""
STILL = 0.1
"""How long it is looked whether the robot stands [s]."""
_STATE = ("q", "position", "orientation", "base_velocity", "qd")


def plan(
    robot: Any,
    legs: Legs,
    standing: Posture,
    duration: float,
    ground: Mapping[str, Any],
    **controller: Any,
) -> TrunkMotion:
    """The largest of a family of motions in which the feet can stay where they are.

    Each part is rehearsed where the parts before it leave the robot: it has to follow it with a
    share of the friction, of the soles and of the efforts.

    Args:
        robot: The robot.
        legs: Its legs.
        standing: Its posture.
        duration: How long the motion takes [s].
        ground: Settings of `robot.ground()`.
        **controller: Settings of the whole-body controller that is to follow it.

    Raises:
        RobcogenError: If the robot would tip over while it only stands.
    """
    place = _Place(robot, legs, standing, ground, **controller)
    motion = TrunkMotion(
        duration,
        standing.height,
        0.0,
        (0.0,) * len(WAYS),
        standing.q,
        standing.q,
        PUSH_SPEED * robot.total_mass() / PUSH_TIME * np.array([0.0, 1.0, 0.0]),
    )
    if why := place.problem(motion, duration - STILL, duration):
        raise RobcogenError(f"robot '{robot.name}' does not stand: {why}")
    motion = next((m for m in _rising(place, motion) if place.follows(m, 0.0, m.risen)), motion)
    for way in range(len(WAYS)):
        ways = _moving(motion, way)
        motion = next((m for m in ways if place.follows(m, *m.span(way))), motion)
    return motion


def _rising(place: _Place, still: TrunkMotion) -> Iterator[TrunkMotion]:
    """A motion that begins in a crouch, ever less deep."""
    for share in CROUCHES:
        crouch = share * still.height
        start = place.positions(Trunk.at_rest(place.base - [0, 0, crouch]))
        if start is not None:
            yield replace(still, crouch=crouch, start=start)


def _moving(motion: TrunkMotion, way: int) -> Iterator[TrunkMotion]:
    """A motion that goes one way, too, ever less far."""
    full = SIZES[way] * (1.0 if WAYS[way] in TURNS else motion.height)
    for scale in SCALES:
        sizes = (*motion.sizes[:way], scale * full, *motion.sizes[way + 1 :])
        yield replace(motion, sizes=sizes)


class _Place:
    """A robot that stands with its feet where they stay.

    Attributes:
        base: Where its base is in the world (3,) [m].
    """

    def __init__(
        self,
        robot: Any,
        legs: Legs,
        standing: Posture,
        ground: Mapping[str, Any],
        **controller: Any,
    ) -> None:
        self.base = np.array([0.0, 0.0, standing.height])
        self._robot, self._legs, self._standing = robot, legs, standing.q
        self._state: dict[str, Array] = {}
        self._feet = Trunk.at_rest(self.base).pose @ legs.poses(standing.q)
        self._ground = robot.ground(**ground)
        self._ideal = robot.ground(**ground, joint_friction=np.zeros(robot.n))
        limits = robot.effort_limits
        self._efforts = SHARE * np.where(limits > 0, limits, np.inf)
        self._friction = SHARE * controller["friction"]
        self._pressed = PRESSED * GRAVITY * robot.total_mass()
        self._settings = {**controller, "sole_share": SHARE}

    def positions(self, trunk: Trunk) -> Array | None:
        """Positions of the joints with the trunk at some place; None if it cannot be there."""
        return self._legs.placed(self._standing, list(np.linalg.inv(trunk.pose) @ self._feet))

    def follows(self, motion: TrunkMotion, begin: float, end: float) -> bool:
        """Whether the robot can do a part of a motion; if so, the next part begins as it ends."""
        if self.problem(motion, begin, end):
            return False
        self._state = {name: getattr(self._ground, name) for name in _STATE}
        return True

    def problem(self, motion: TrunkMotion, begin: float, end: float) -> str:
        """Why the robot cannot do a part of a motion; empty if it can."""
        moments = [motion.at(float(time)) for time in np.linspace(begin, end, POINTS)]
        why = next(filter(None, map(self._problem_of_place, moments)), "")
        times = np.arange(begin, end, STEP)
        if not why and self._robot.friction.any():  # what is in vain without is found out fast
            why = self._rehearsed(motion, times, self._ideal, compensate_friction=0.0)
        return why or self._rehearsed(motion, times, self._ground)

    def _problem_of_place(self, trunk: Trunk) -> str:
        q = self.positions(trunk)
        if q is None:
            return "its feet are out of reach"
        if self._legs.balance(q, trunk.pose) < INSIDE:
            return "its center of mass is not above its feet"
        turn, w, v = trunk.pose[:3, :3].T, trunk.angular_velocity, trunk.linear_velocity
        jacobian = self._robot.contact_jacobian(q)
        qd = -np.linalg.pinv(jacobian[:, 6:]) @ jacobian[:, :6] @ np.append(turn @ w, turn @ v)
        fastest = self._robot.velocity_limits
        slow = np.abs(qd) < SHARE * np.where(fastest > 0, fastest, np.inf)
        return "" if slow.all() else "its joints are too slow for it"

    def _rehearsed(
        self, motion: TrunkMotion, times: Array, ground: Ground, **settings: float
    ) -> str:
        """Has the robot do it; from rest, if nothing was before it."""
        start = motion.at(float(times[0]))
        control = balance(self._robot, self._standing, **self._settings, **settings)
        rest = {"q": self.positions(start), "position": start.position}
        ground.place(**(self._state or rest))
        for time in times:
            wanted, efforts = motion.at(time + STEP), control(ground, motion.at(time))
            try:
                ground.advance(efforts, STEP)
            except Fault as fault:
                return f"it falls: {fault}"
            if (np.abs(efforts) > self._efforts).any():
                return "its joints are too weak for it"
            forces = ground.wrenches[:, 3:]
            if (forces[:, 2] < self._pressed).any():
                return "its feet would lift off"
            if (np.hypot(forces[:, 0], forces[:, 1]) > self._friction * forces[:, 2]).any():
                return "its feet would slip"
            missed = float(np.linalg.norm(wanted.position - ground.position))
            turned = 2 * np.arccos(min(1.0, abs(float(wanted.quaternion @ ground.orientation))))
            if missed > MISSED * motion.height or turned > TURNED:
                return f"its feet cannot hold it: it misses by {missed:.3f} m, {turned:.3f} rad"
        return ""
