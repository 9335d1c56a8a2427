"""A gait as references of a whole-body controller, stride after stride."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.control.blend import blend
from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.stride import Moment, Stride
from robcogen_ros.model.quaternions import quaternions, rotation
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.runtime.gait import Reference
from robcogen_ros.runtime.state import RobotState
from robcogen_ros.runtime.whole_body import Motion

if TYPE_CHECKING:
    from typing_extensions import Unpack

BALANCE = 0.5
"""Distance by which footholds are moved, per error of the capture point, less one."""
FARTHEST = 0.15
"""Greatest distance by which footholds are moved, as a share of the height of the base."""
EARLY, LAST = 0.5, 0.85
"""Shares of a swing: from which on a contact ends it, and from which on its foothold stays."""
PATIENCE, SINKING = 0.02, 0.3
"""Time that the gait waits for a foot that is to land [s], which is lowered so fast [m/s]."""


@dataclass(slots=True)
class _Foot:
    """Difference of a foot's way from its gait's, (2,) in the plane [m].

    Attributes:
        swings: Whether it is to swing.
        landed: Whether it has landed before its time.
        left: Where it lifted off.
        goal: Where it is to land.
    """

    swings: bool
    landed: bool
    left: Array
    goal: Array


class Playback:
    """References by which a robot moves in a gait, from where it is.

    Trunk and feet move as the gait says; its accelerations and its contact forces are fed forward.
    Two feet that are points cannot keep a robot from tipping over the line between them. So
    footholds move by the error that the capture point (Pratt 2006) will have at touch-down, and
    somewhat further, by which that error becomes less. Feet that land early stand from then on. For
    those that are late the gait waits a little: the feet that stood are not needed any more then,
    and the new ones cannot carry the robot yet.

    Attributes:
        stride: The gait as a curve.
        time: Since the gait began [s].

    Example:
        >>> playback = Playback(robot, gait)
        >>> ground.place(**playback.state)
        >>> reference = playback.update(**state, closed=touching, cycle=0.001)
    """

    def __init__(
        self, robot: Any, gait: Gait, *, time: float = 0.0, balance: float = BALANCE
    ) -> None:
        """Begins at a time of the gait.

        Args:
            robot: The robot of the gait, with the functions `kinematics`, `contact_jacobian`,
                `contact_bias`.
            gait: The gait.
            time: Where in the gait it begins [s].
            balance: How far footholds move per error of the capture point, less one.
        """
        self.stride, self.time, self._robot, self._gain = Stride(gait), time, robot, 1.0 + balance
        self._waited = 0.0
        self._normal = gait.ground_normal
        height = float(((gait.position - gait.footholds.mean(axis=0)) @ self._normal).mean())
        self._rate, self._farthest = float(np.sqrt(FREE_FALL / height)), FARTHEST * height
        self._frames = [contact.frame for contact in robot.contact_records]
        self._rows = np.cumsum([len(contact.rows) for contact in robot.contact_records])[:-1]
        self._feet = [_Foot(False, False, np.zeros(2), np.zeros(2)) for _ in robot.contacts]

    @property
    def state(self) -> dict[str, Array]:
        """The robot's state in the gait; arguments of `robot.ground().place()`."""
        now = self.stride.at(self.time)
        return {
            "q": now.q,
            "position": now.position,
            "orientation": quaternions(now.turn[None])[0],
            "base_velocity": now.base_velocity,
            "qd": now.qd,
        }

    def update(
        self, q: ArrayLike, *, closed: ArrayLike, cycle: float, **state: Unpack[RobotState]
    ) -> Reference:
        """Returns the reference for now.

        Args:
            q: (n,) positions of the joints.
            closed: (contacts,) which feet touch the ground.
            cycle: Time since the last call, 0 in the first one [s].
            **state: Where the base is and how all moves: what `State` has.
        """
        touching = np.asarray(closed, dtype=bool)
        self._go_on(cycle, touching)
        now, standing = self.stride.at(self.time), self.stride.standing(self.time)
        position, turn = np.asarray(state["position"]), rotation(np.asarray(state["orientation"]))
        velocity = turn @ np.asarray(state["base_velocity"])[3:]
        goal = now.position + self._waited * now.velocity
        error = position - goal + (velocity - now.velocity) / self._rate
        places = position + self._robot.frame_poses(np.asarray(q))[self._frames, :3, 3] @ turn.T
        wanted, swing = self._wanted(now), {}
        for i, (foot, touches) in enumerate(zip(self._feet, touching, strict=True)):
            share, lasts = self.stride.swing(i, self.time), float(self.stride.swings[i])
            if share is None:
                foot.swings = False
                continue
            if not foot.swings:
                foot.swings, foot.landed = True, False
                foot.left = (places[i] - wanted[i].position)[:2]
            foot.landed = foot.landed or bool(share > EARLY and touches)
            if share < LAST:
                grown = float(np.exp(self._rate * (1.0 - share) * lasts))
                foot.goal = _shortened(self._gain * grown * error[:2], self._farthest)
            if not foot.landed:
                ends = [self._along(part) for part in (foot.left, foot.goal)]
                moved = _moved(wanted[i], ends[0], ends[1], share, lasts)
                late = self._waited if share > LAST else 0.0
                swing[self._robot.contacts[i]] = _lowered(moved, late, self._normal)
        forces = zip(self._robot.contacts, now.forces, standing, strict=True)
        return Reference(
            trunk=Motion(
                goal,
                quaternions(_turned(now, self._waited)[None])[0],
                now.turn @ now.angular_velocity,
                now.velocity,
                now.turn @ now.angular_acceleration,
                now.acceleration,
            ),
            swing=swing,
            posture=now.q,
            stepping=True,
            wrenches={name: np.append(np.zeros(3), f) for name, f, stands in forces if stands},
        )

    def _along(self, way: Array) -> Array:
        """A way in the plane (2,) as one along the ground (3,)."""
        return np.append(way, -self._normal[:2] @ way / self._normal[2])

    def _go_on(self, cycle: float, touching: NDArray[np.bool_]) -> None:
        """Lets time pass, unless a foot that is to land does not touch the ground yet."""
        before, after = (self.stride.standing(self.time + later) for later in (0.0, cycle))
        self._waited += cycle
        if self._waited > PATIENCE or not (after & ~before & ~touching).any():
            self.time, self._waited = self.time + cycle, 0.0

    def _wanted(self, now: Moment) -> list[Motion]:
        """Returns the motion of each foot in the gait."""
        robot = self._robot
        poses = robot.frame_poses(now.q)[self._frames]
        jacobian, v0, a0 = robot.contact_jacobian(now.q), now.base_velocity, now.base_acceleration
        velocities = jacobian @ np.append(v0, now.qd)
        accelerations = jacobian @ np.append(a0, now.qdd) + robot.contact_bias(now.q, now.qd, v0)
        turned = quaternions(now.turn @ poses[:, :3, :3])
        places = now.position + poses[:, :3, 3] @ now.turn.T
        each = places, turned, np.split(velocities, self._rows), np.split(accelerations, self._rows)
        return [
            Motion(place, quaternion, *_in_world(now.turn, velocity, acceleration))
            for place, quaternion, velocity, acceleration in zip(*each, strict=True)
        ]


def _in_world(turn: Array, velocity: Array, acceleration: Array) -> tuple[Array, ...]:
    """Angular and linear velocity and acceleration, of rows of a foot in axes of the base."""
    angular = [part[:-3] if len(part) > 3 else np.zeros(3) for part in (velocity, acceleration)]
    return (
        turn @ angular[0],
        turn @ velocity[-3:],
        turn @ angular[1],
        turn @ acceleration[-3:],
    )


def _shortened(vector: Array, longest: float) -> Array:
    length = float(np.linalg.norm(vector))
    return vector * min(1.0, longest / max(length, 1e-12))


def _turned(now: Moment, later: float) -> Array:
    """Rotation of the base some time later, at constant angular velocity."""
    quaternion = np.append(0.5 * later * now.angular_velocity, 1.0)
    turned: Array = now.turn @ rotation(quaternion / np.linalg.norm(quaternion))
    return turned


def _lowered(motion: Motion, late: float, normal: Array) -> Motion:
    """A foot that is late by some time [s]; the same if it is not."""
    if not late:
        return motion
    down = -SINKING * normal
    return replace(
        motion,
        position=np.asarray(motion.position) + late * down,
        linear_velocity=down,
        linear_acceleration=np.zeros(3),
    )


def _moved(wanted: Motion, left: Array, goal: Array, share: float, lasts: float) -> Motion:
    """Returns the motion from where a foot lifted off to its goal, along its gait's."""
    way = goal - left
    moved, rate, change = blend(share * lasts, lasts)
    return replace(
        wanted,
        position=np.asarray(wanted.position) + left + moved * way,
        linear_velocity=np.asarray(wanted.linear_velocity) + rate * way,
        linear_acceleration=np.asarray(wanted.linear_acceleration) + change * way,
    )
