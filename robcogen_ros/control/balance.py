"""Whole-body control without ROS: messages in, efforts out, also when some are missing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.finite import all_finite
from robcogen_ros.control.floating_simulation import GRAVITY, rotation
from robcogen_ros.control.ground_simulation import supported_efforts
from robcogen_ros.control.measurements import Measurements
from robcogen_ros.control.walking import Walking
from robcogen_ros.runtime.gait import Reference as Steps
from robcogen_ros.runtime.state import State
from robcogen_ros.runtime.whole_body import Motion, WholeBodyController

MOTION = 19
"""Numbers of a motion: position, quaternion x y z w, then angular and linear velocity and
acceleration, all in the world."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a robot is to do.

    Attributes:
        trunk: Motion of the base's frame (19,).
        feet: Motions of the feet that swing, by the number of the contact.
        time: When it came [s].
    """

    trunk: Array
    feet: Mapping[int, Array] = field(default_factory=dict)
    time: float = 0.0

    def at(self, time: float, patience: float) -> Reference:
        """Carried on with its twists for a while; then at rest, on all feet."""
        late = min(max(time - self.time, 0.0), patience)
        if time - self.time > patience:
            return replace(self, trunk=_carried(self.trunk, late, still=True), feet={})
        feet = {i: _carried(foot, late) for i, foot in self.feet.items()}
        return replace(self, trunk=_carried(self.trunk, late), feet=feet)


def _carried(motion: Array, time: float, still: bool = False) -> Array:
    """A motion some time later, at constant twist; at rest if it is to be still."""
    moved: Array = motion.copy()
    moved[:3] += time * motion[10:13]
    x, y, z, w = motion[3:7]
    half = 0.5 * time * motion[7:10]
    vector = np.array([x, y, z])
    moved[3:6] = vector + w * half + np.cross(half, vector)
    moved[6] = w - half @ vector
    moved[3:7] /= np.linalg.norm(moved[3:7])
    if still:
        moved[7:] = 0.0
    return moved


def at_rest(position: Array, quaternion: Array) -> Array:
    """The motion of what stays where it is."""
    return np.concatenate([position, quaternion, np.zeros(12)])


def _motion(numbers: Array) -> Motion:
    turning, moving = numbers[7:13], numbers[13:]
    return Motion(numbers[:3], numbers[3:7], turning[:3], turning[3:], moving[:3], moving[3:])


@dataclass(slots=True)
class _Base:
    """Where the base is, and when that was told."""

    position: Array
    quaternion: Array
    velocity: Array
    time: float


UNIT = 0.01
"""How far the length of a quaternion may be from one: another one is no orientation."""
JUMP = 0.02
"""Distance of a position from where the velocity leads from which the world has jumped [m]."""
TILT = 0.8
"""Tilt of the trunk from how it was found beyond which a robot has fallen [rad]."""


class Balance:
    """Keeps a robot on its feet where they touch, and on its reference.

    Estimators of the base correct themselves: a robot that nobody tells a position stays or walks
    on where it is when its position jumps.

    A robot that has fallen is held from then on. Feet that have told no force for `state_timeout`
    touch the ground as they are to.

    Attributes:
        posture: Positions of the joints that are preferred; those found at first if not given.
        faults: How often each fault was met.
        lost: Why the robot is only held now; empty if it is controlled.
        walking: Its gait, and the velocities that it follows where no reference comes.
    """

    def __init__(
        self,
        robot: Any,
        whole_body: WholeBodyController,
        *,
        gravity: Array = GRAVITY,
        state_timeout: float = 0.1,
        base_timeout: float = 0.1,
        patience: float = 0.1,
        threshold: float = 0.002,
        velocity_timeout: float = 0.5,
    ) -> None:
        """A controller that knows nothing yet.

        Args:
            robot: The robot, with contacts.
            whole_body: Its compiled controller.
            gravity: In the world [m/s^2].
            state_timeout: Longest time without joint states, and without the force of a foot [s].
            base_timeout: Longest age of the state of the base [s].
            patience: How long a reference is carried on with its own velocity [s].
            threshold: Force from which a foot touches, as a share of the weight; half of it
                leaves it touching.
            velocity_timeout: How long a commanded velocity is followed [s].
        """
        self._robot, self._law, self._gravity = robot, whole_body, gravity
        self._joints = Measurements(robot)
        self._timeout, self._base_timeout, self._patience = state_timeout, base_timeout, patience
        self._weight = threshold * float(robot.total_mass() * np.linalg.norm(gravity))
        self._closed = np.ones(len(robot.contacts), dtype=bool)
        self._stance = np.ones(len(robot.contacts), dtype=bool)
        self._heard = np.full(len(robot.contacts), -np.inf)
        self._silent = np.zeros(len(robot.contacts), dtype=bool)
        self._fallen, self._up = False, np.array([0.0, 0.0, 1.0])
        self._base: _Base | None = None
        self._told, self._offset = np.zeros(3), np.zeros(3)
        self._reference: Reference | None = None
        self.posture: Array | None = None
        self._found = False
        self.faults: Counter[str] = Counter()
        self.lost = ""
        self.walking = Walking(robot, self.faults, timeout=velocity_timeout)
        self._walks = False

    @property
    def ready(self) -> bool:
        """Whether it has taken over: base and joints are known."""
        return self._found

    def take_base(self, position: Array, quaternion: Array, velocity: Array, time: float) -> None:
        """Takes the state of the base; one that is not finite is a fault, and not used.

        Args:
            position: Of its origin in the world [m].
            quaternion: Its orientation there, x, y, z, w.
            velocity: Spatial velocity in its own coordinates, angular first.
            time: When it was measured [s].
        """
        length = float(np.linalg.norm(quaternion))
        if not (all_finite(position) and all_finite(velocity) and abs(length - 1.0) < UNIT):
            self.faults["base_not_finite"] += 1
            return
        base = _Base(position, quaternion / length, velocity, time)
        self._offset = self._offset + self._jump(base)
        self._told, base.position = position, position - self._offset
        self._base = base

    def _jump(self, base: _Base) -> Array:
        """(3,) how far a position is from where velocities lead; zero where that is near."""
        if self._base is None or np.array_equal(base.position, self._told):
            return np.zeros(3)
        past, since = self._base, max(base.time - self._base.time, 0.0)
        velocity = 0.5 * sum(rotation(b.quaternion) @ b.velocity[3:] for b in (past, base))
        away: Array = base.position - self._told - since * velocity
        if np.linalg.norm(away) <= JUMP + 0.5 * since * np.linalg.norm(velocity):
            return np.zeros(3)
        self.faults["base_jumped"] += 1
        return away

    def take_force(self, contact: int, force: Array, time: float) -> None:
        """Takes the force of the ground on a foot, in any axes [N], at a time [s]."""
        size = float(np.linalg.norm(force))
        if np.isfinite(size):
            self._heard[contact] = time
            self._closed[contact] = size > self._weight * (0.5 if self._closed[contact] else 1.0)
        else:
            self.faults["force_not_finite"] += 1

    def _touching(self, time: float) -> NDArray[np.bool_]:
        """(contacts,) which feet touch: by their forces, those that are silent as they are to."""
        silent = time - self._heard > self._timeout
        fell_silent = silent & ~self._silent & (self._heard > -np.inf)
        if fell_silent.any():
            self.faults["force_stale"] += int(fell_silent.sum())
        self._silent = silent
        return np.where(silent, self._stance, self._closed)

    def use(self, whole_body: WholeBodyController) -> None:
        """Goes on with another compiled controller, of other settings."""
        self._law = whole_body

    def follow(self, reference: Reference) -> None:
        """Takes a reference."""
        self._reference = reference

    def take_joints(
        self, names: tuple[str, ...], positions: Array, velocities: Array, time: float
    ) -> Array | None:
        """Takes a joint state; the efforts for it, None where the robot is not known yet."""
        problem = self._joints.take(names, positions, velocities, time)
        if problem is not None:
            self.faults["state_refused"] += 1
        if not self._joints.complete:
            return None
        return self.efforts(time)

    def efforts(self, time: float) -> Array | None:
        """Efforts at a time: those of the whole-body controller, or what holds the robot.

        None as long as the robot is not known.
        """
        if self._base is None or not self._joints.complete:
            return None
        if (held := self.held(time)) is not None:
            return held
        if not self._found:
            self._found = True
            self._up = rotation(self._base.quaternion)[2]
            here = at_rest(self._base.position, self._base.quaternion)
            self._reference = self._reference or Reference(here, time=-np.inf)
            self.posture = self._joints.positions.copy() if self.posture is None else self.posture
            if self.walking.posture is None:
                self.walking.posture = self.posture
        if self._tilt() > TILT:
            self._fallen = True
            return self.held(time)
        return self._computed(time)

    def _tilt(self) -> float:
        """How far the trunk is tilted from how it was found [rad]."""
        assert self._base is not None
        return math.acos(float(np.clip(rotation(self._base.quaternion)[2] @ self._up, -1.0, 1.0)))

    def _computed(self, time: float) -> Array:
        assert self._base is not None
        base, joints = self._base, self._joints
        state: State = {
            "position": base.position,
            "orientation": base.quaternion,
            "base_velocity": base.velocity,
            "qd": joints.velocities,
        }
        free = self._reference is None or time - self._reference.time > self._patience
        steps = self.walking.reference(
            joints.positions,
            closed=self._touching(time).astype(float),
            time=time,
            free=free,
            **state,
        )
        if steps is None and self._walks and free:
            self._reference = Reference(at_rest(base.position, base.quaternion), time=-np.inf)
        self._walks = steps is not None
        wanted = self._wanted(time) if steps is None else steps
        if steps is None and self._reference is not None and self._reference.time > -np.inf:
            self._offset = np.zeros(3)
        self._stance = np.array([name not in wanted.swing for name in self._robot.contacts])
        found = self._law.compute(
            joints.positions,
            trunk=wanted.trunk,
            swing=wanted.swing,
            posture=wanted.posture,
            closed=self._touching(time).astype(float),
            **state,
        )
        self.faults.update(found.faults)
        return np.asarray(found.efforts)

    def _wanted(self, time: float) -> Steps:
        """What the reference asks for now."""
        assert self._reference is not None and self.posture is not None
        now = self._reference.at(time, self._patience)
        swing = {self._robot.contacts[i]: _motion(foot) for i, foot in now.feet.items()}
        return Steps(_motion(now.trunk), swing, self.posture, False)

    def held(self, time: float) -> Array | None:
        """Efforts that hold the robot where states are missing; None where they are not."""
        assert self._base is not None
        if not self._joints.fresh(time, self._timeout):
            return self._held("joint states have stopped", time)
        if time - self._base.time > self._base_timeout:
            return self._held("the state of the base is stale", time)
        if self._fallen:
            return self._held("the robot has fallen", time)
        self.lost = ""
        return None

    def _held(self, why: str, time: float) -> Array:
        """Efforts that carry the robot where it was last, on the feet that touched."""
        if not self.lost:
            self.faults[why.replace(" ", "_")] += 1
        self.lost = why
        assert self._base is not None
        gravity = rotation(self._base.quaternion).T @ self._gravity
        rest = np.zeros(self._robot.n)
        joints, closed = self._joints.positions, self._touching(time)
        efforts = supported_efforts(
            self._robot, joints, rest, rest, np.zeros(6), gravity, closed=closed
        )
        limits = self._robot.effort_limits
        return np.clip(efforts, -limits, limits)
