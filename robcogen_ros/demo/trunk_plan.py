"""The largest motions of the trunk that the feet of a robot can hold where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.standing import Legs, Posture
from robcogen_ros.demo.trunk_motion import (
    PUSH_SPEED,
    PUSH_TIME,
    RISE,
    TURNS,
    WAYS,
    Trunk,
    TrunkMotion,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.whole_body import Motion, WholeBodyController

CROUCHES = (0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.0)
"""How much lower than standing a crouch is, as a share of the height; the first possible one."""
SIZES = (0.1, 0.2, 0.2, 0.3, 0.08, 0.08)
"""Largest motion each way [of the height for ways, rad for turns]."""
SCALES = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05)
"""Shares of it that are tried in turn."""
POINTS = 17
"""Moments of each part of the motion that are looked at."""
INSIDE = 0.3
"""How far inside the feet the center of mass stays, as a share of its room there."""
SHARE = 0.8
"""Of friction, soles and efforts, what a plan uses; the rest is for control."""
PRESSED = 0.03
"""Least force that a plan leaves on each foot, as a share of the weight."""
MISSED = 0.3
"""Acceleration of the trunk by which feet may miss a plan [m/s^2, rad/s^2]."""


def plan(
    robot: Any, legs: Legs, standing: Posture, duration: float, **controller: Any
) -> TrunkMotion:
    """The largest of a family of motions in which the feet can stay where they are.

    At each moment forces of the feet within friction cones, and efforts within limits, give the
    trunk the acceleration that the motion has, with a margin.

    Args:
        robot: The robot.
        legs: Its legs.
        standing: Its posture.
        duration: How long the motion takes [s].
        **controller: Settings of the whole-body controller that is to follow it.

    Raises:
        RobcogenError: If the robot would tip over while it only stands.
    """
    place = _Place(robot, legs, standing, **controller)
    still = TrunkMotion(
        duration,
        standing.height,
        0.0,
        (0.0,) * len(WAYS),
        standing.q,
        standing.q,
        PUSH_SPEED * robot.total_mass() / PUSH_TIME * np.array([0.0, 1.0, 0.0]),
    )
    if why := place.problem([still.at(duration)]):
        raise RobcogenError(f"robot '{robot.name}' does not stand: {why}")
    found = [
        next((s for s in _smaller(way, standing.height) if _fits(place, still, way, s)), 0.0)
        for way in range(len(WAYS))
    ]
    crouch, start = next(_crouches(place, still))
    return replace(still, crouch=crouch, sizes=tuple(found), start=start)


def _smaller(way: int, height: float) -> Iterator[float]:
    """Motions one way, ever smaller ones."""
    full = SIZES[way] * (1.0 if WAYS[way] in TURNS else height)
    return (scale * full for scale in SCALES)


def _fits(place: _Place, still: TrunkMotion, way: int, size: float) -> bool:
    """Whether the trunk can go so far one way, to both sides."""
    sizes = [0.0] * len(WAYS)
    sizes[way] = size
    return place.follows(replace(still, sizes=tuple(sizes)), *still.span(way))


def _crouches(place: _Place, still: TrunkMotion) -> Iterator[tuple[float, Array]]:
    """Depths from which the robot can rise, and positions of the joints there."""
    for share in CROUCHES:
        crouch = share * still.height
        start = place.positions(Trunk.at_rest(place.base - [0, 0, crouch]))
        rising = replace(still, crouch=crouch)
        if start is not None and place.follows(rising, 0.0, RISE * still.duration):
            yield crouch, start


class _Place:
    """A robot that stands with its feet where they stay.

    Attributes:
        base: Where its base is in the world (3,) [m].
    """

    def __init__(self, robot: Any, legs: Legs, standing: Posture, **controller: Any) -> None:
        self.base = np.array([0.0, 0.0, standing.height])
        self._robot, self._legs, self._q = robot, legs, standing.q
        self._feet = Trunk.at_rest(self.base).pose @ legs.poses(standing.q)
        limits, friction = robot.effort_limits, controller["friction"]
        margins = {
            "friction": SHARE * friction,
            "effort_limits": SHARE * np.where(limits > 0, limits, np.inf),
            "least_normal_force": PRESSED,
            "sole_share": SHARE,
        }
        self._settings = {**controller, **margins}

    def positions(self, trunk: Trunk) -> Array | None:
        """Positions of the joints with the trunk at some place; None if it cannot be there."""
        return self._legs.placed(self._q, list(np.linalg.inv(trunk.pose) @ self._feet))

    def follows(self, motion: TrunkMotion, begin: float, end: float) -> bool:
        """Whether the robot can do a part of a motion."""
        times = begin + (end - begin) * np.linspace(0.0, 1.0, POINTS)
        return not self.problem([motion.at(float(time)) for time in times])

    def problem(self, trunks: Sequence[Trunk]) -> str:
        """Why the trunk cannot be and move so, a moment after the other; empty if it can."""
        law = self._robot.whole_body_controller(**self._settings)
        return next(filter(None, (self._problem(law, trunk) for trunk in trunks)), "")

    def _problem(self, law: WholeBodyController, trunk: Trunk) -> str:
        q = self.positions(trunk)
        if q is None:
            return "its feet are out of reach"
        if self._legs.balance(q, trunk.pose) < INSIDE:
            return "its center of mass is not above its feet"
        return self._problem_of_forces(law, q, trunk)

    def _problem_of_forces(self, law: WholeBodyController, q: Array, trunk: Trunk) -> str:
        turn, w, v = trunk.pose[:3, :3].T, trunk.angular_velocity, trunk.linear_velocity
        velocity = np.concatenate([turn @ w, turn @ v])
        jacobian = self._robot.contact_jacobian(q)
        qd = -np.linalg.pinv(jacobian[:, 6:]) @ (jacobian[:, :6] @ velocity)
        fastest = self._robot.velocity_limits
        if np.any(np.abs(qd) > SHARE * np.where(fastest > 0, fastest, np.inf)):
            return "its joints are too slow for it"
        found = law.compute(
            q,
            position=trunk.position,
            orientation=trunk.quaternion,
            base_velocity=velocity,
            qd=qd,
            trunk=Motion(*np.split(trunk.motion, np.cumsum([3, 4, 3, 3, 3]))),
            posture=q,
        )
        if "no_solution" in found.faults:
            return "its controller finds no forces for it"
        linear = trunk.linear_acceleration - np.cross(w, v)
        wanted = np.concatenate([turn @ trunk.angular_acceleration, turn @ linear])
        missed = float(np.abs(found.accelerations[:6] - wanted).max())
        return "" if missed < MISSED else f"its feet cannot hold it, by {missed:.1f} m/s^2 or so"
