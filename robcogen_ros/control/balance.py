"""Whole-body control without ROS: messages in, efforts out, also when some are missing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.cycles import PARTINGS
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.finite import all_finite
from robcogen_ros.control.measurements import JointReadings
from robcogen_ros.control.motor_space import measured
from robcogen_ros.control.reference import Waypoints
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.base_estimator import FAULTS, frame_number
from robcogen_ros.runtime.objects import object_of, of_contacts, text_of

MOTION = 19
"""Numbers of a motion: position, quaternion x y z w, then angular and linear velocity and
acceleration, all in the world."""
IMU_COUNTS = 0.01
"""Time that a measurement of an IMU counts, of one that is slower than joint states [s]."""
FALLEN = "the robot has fallen"
"""Reason for which a robot is held that is tilted by more than `greatest_tilt`."""
LATE = 0.3
"""Share of their timeout after which states are late: as much of it as one cycle counts."""
BEGINS = 0.5
"""Time in which an estimator begins, once the robot is known: its faults count from then on [s]."""
UNIT = 0.01
"""Distance of the length of a quaternion from one: another one is no orientation."""


@dataclass(frozen=True, slots=True)
class TrunkReference:
    """Reference of a robot: a motion for now, or a plan through points.

    Attributes:
        trunk: Motion of the base's frame (19,), or a row a point; in plans NaN where it is chosen.
        feet: Motions of the feet that swing, by the number of the contact.
        time: When it came [s].
        times: Of the points since then, increasing from zero [s].
    """

    trunk: Array
    feet: Mapping[int, Array] = field(default_factory=dict)
    time: float = 0.0
    times: Sequence[float] = (0.0,)


def at_rest(position: Array, quaternion: Array) -> Array:
    """The motion of what stays where it is."""
    return np.concatenate([position, quaternion, np.zeros(12)])


class Balance:
    """Keeps a robot on its feet where they touch, and on its reference.

    All but messages and clocks is the loop in C++ of docs/legged_controller.md.

    Attributes:
        measured: What joint states and efforts are of: the robot's joints, or its motors.
        faults: How often each fault was met.
        lost: Why the robot is only held now; empty if it is controlled.
        ready: Whether base and joints are known.
        estimate: What the estimator within it has of the base, as the last cycle had it: `base`
            (13,), position, quaternion and spatial velocity; `pose_covariance` and
            `twist_covariance` as odometry has them.
    """

    def __init__(
        self,
        robot: Any,
        settings: Mapping[str, ArrayLike | None],
        *,
        soles: Mapping[str, ArrayLike] | None = None,
        state_timeout: float = 0.1,
        velocity_timeout: float = 0.5,
        imu_frame: str = "",
        foot_radius: float = 0.0,
        gait_file: str = "",
    ) -> None:
        """A controller that knows nothing yet.

        Args:
            robot: The robot, with contacts, built with `whole_body=True`.
            settings: Parameters of docs/legged_controller.md as numbers: of a word its number among
                the choices.
            soles: Of each contact that is a pose: (4, 3) corners of its sole in its frame [m].
            state_timeout: Longest time without joint states, and without the force of a foot [s].
            velocity_timeout: How long a commanded velocity is followed [s].
            imu_frame: Frame of the base link that the IMU of an estimator measures in.
            foot_radius: Radius of feet that are balls about their frames [m].
            gait_file: Gait that is played.

        Raises:
            Fault: If a setting is out of its range.
            RobcogenError: If the robot was built without whole-body control, or the file is no gait
                of it.
        """
        self._robot, self._timeout = robot, velocity_timeout
        self._given: dict[str, ArrayLike | str | None] = {
            "soles": of_contacts("soles", soles, robot.contact_records, (4, 3)),
            "parameters": robot.parameters.array(),
            "state_timeout": state_timeout,
            "imu_frame": frame_number(robot, imu_frame),
            "foot_radius": foot_radius,
            "gait_file": gait_file or None,
        }
        robot.base_estimator(imu_frame=imu_frame)  # refuses a frame of another link
        self._object = object_of(robot, "whole_body_loop", {**settings, **self._given})
        self._check()
        self.measured = measured(robot, settings)
        self._joints = JointReadings(self.measured)
        self._forces = np.full((len(robot.contacts), 3), np.nan)
        self._wrenches = np.zeros((len(robot.contacts), 6))
        self._wanted = np.full(len(robot.contacts), -math.inf)
        self._base: dict[str, ArrayLike] = {}
        self._imu: dict[str, ArrayLike] = {}
        self._imu_time = -math.inf
        self.estimate: Mapping[str, Array] = {}
        self._measured = 0.0
        self._followed = self._posture_begun = math.nan
        self._velocity, self._commanded, self._stale = np.zeros(3), -math.inf, True
        self._time: float | None = None
        self._stated, self._state_timeout = -math.inf, state_timeout
        self._known = math.inf
        self._counts: Mapping[str, int] = {}
        self.faults: Counter[str] = Counter()
        self.lost = ""
        self.ready = False

    def use(self, settings: Mapping[str, ArrayLike | None]) -> None:
        """Goes on with other settings.

        Raises:
            Fault: If one is out of its range; all stay as they are.
        """
        self._object.call("change", **settings, **self._given)
        self._check()

    def _check(self) -> None:
        self._object.call("check")
        problem = text_of(self._object.call("problem")["problem"])
        if problem:
            raise RobcogenError(problem)

    def prefer(self, points: Waypoints, time: float) -> None:
        """Moves the preferred posture through points, from where it is; other joints keep theirs.

        Between points it stays within the limits of the joints. A posture that is set ends it.

        Args:
            points: Where to be and when.
            time: From which theirs count [s].

        Raises:
            RobcogenError: If there are no positions, or nothing is known of the robot yet.
        """
        if not self.ready:
            raise RobcogenError("the robot is not known yet")
        if np.isnan(points.positions).all():
            raise RobcogenError("a point has no positions")
        self._posture_begun = time
        if points.times[0] > 0.0:
            self._object.call("prefer", time=0.0, position=np.full(self._robot.n, np.nan))
        rows = (points.positions, points.velocities, points.accelerations)
        for at, *motion in zip(points.times, *rows, strict=True):
            given = dict(zip(("position", "velocity", "acceleration"), motion, strict=True))
            self._object.call("prefer", time=at, **given)

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
        self._measured = time
        self._base = {
            "position": position,
            "orientation": quaternion,
            "base_velocity": velocity,
        }

    def take_imu(self, rate: Array, acceleration: Array, time: float) -> None:
        """Takes what an IMU measures, which counts for a while.

        Args:
            rate: (3,) in its axes [rad/s].
            acceleration: (3,) of its origin less that of free fall, in its axes [m/s^2].
            time: When it was measured [s]; what is older than the last is a fault, and not used.
        """
        if time < self._imu_time:
            self.faults["imu_time_backwards"] += 1
            return
        self.faults["imu_not_finite"] += not (all_finite(rate) and all_finite(acceleration))
        self._imu, self._imu_time = {"imu_rate": rate, "imu_acceleration": acceleration}, time

    def take_force(self, contact: int, force: Array) -> None:
        """Takes the force of the ground on a foot, in any axes [N]."""
        self.faults["force_not_finite"] += not all_finite(force)
        self._forces[contact] = force

    def want_force(self, contact: int, wrench: Array, time: float) -> None:
        """Takes the wrench (6,) of the ground that is wanted on a foot that stands.

        Args:
            contact: The foot.
            wrench: Moment and force, about the origin of its frame in axes of the world [N m, N].
            time: When it was told; it is wanted for the timeout of references [s].
        """
        self._wrenches[contact], self._wanted[contact] = wrench, time

    def follow(self, reference: TrunkReference) -> None:
        """Takes a reference, in place of the last one."""
        self._followed = reference.time
        for k, time in enumerate(reference.times):
            feet = np.full((len(self._forces), MOTION), np.nan)
            for foot, motion in reference.feet.items():
                feet[foot] = np.atleast_2d(motion)[k]
            trunk = np.atleast_2d(reference.trunk)[k]
            self._object.call("follow", time=time, trunk=trunk, feet=feet)

    def command(self, velocity: ArrayLike, time: float) -> None:
        """Takes a velocity (3,) ahead and to the left [m/s], and turning to the left [rad/s]."""
        wanted = np.asarray(velocity, dtype=np.float64)
        self.faults["velocity_not_finite"] += not all_finite(wanted)
        self._velocity, self._commanded, self._stale = wanted, time, False

    def take_joints(
        self, names: tuple[str, ...], positions: Array, velocities: Array, time: float
    ) -> Array | None:
        """Takes a joint state; the efforts for it, None where the robot is not known yet."""
        self._stated = time
        if self._joints.read(names, positions, velocities) is not None:
            self.faults["state_refused"] += 1
            return self._cycle(time)
        return self._cycle(time, q=self._joints.position, qd=self._joints.velocity)

    def look(self, time: float) -> Array | None:
        """Efforts that hold the robot where states have stopped; None while they come.

        A look is a cycle without states only once these are late: the estimator of the base would
        do without joints in it.
        """
        if time - self._stated <= LATE * self._state_timeout:
            return None
        efforts = self._cycle(time)
        return efforts if self.lost else None

    @property
    def missed(self) -> list[str]:
        """Feet whose force seems to be missing.

        They rest on the ground that they do not feel, or have not touched it for longer than a
        swing, while others have and no reference moves trunk and feet.
        """
        late = self.estimate["missed"] if self.estimate else ()
        return [self._robot.contact_records[i].frame_name for i in np.flatnonzero(late)]

    @property
    def problem(self) -> str:
        """Returns why the robot is not known, or no more estimated; else nothing."""
        if self._stated == -math.inf:
            return "no joint states have come"
        told = text_of(self._object.call("no_estimate")["problem"])
        return told or ("" if self.ready else "the state of the base has not come")

    def troubles(self) -> list[str]:
        """Returns what goes on being wrong since the last call, once, a sentence each."""
        return text_of(self._object.call("troubles")["problem"]).splitlines()

    def parting(self, how: str) -> Array | None:
        """Efforts to leave the robot with, one of `PARTINGS`; None if it was never known."""
        found = self._object.call("end", parting=float(PARTINGS.index(how)))
        return np.array(found["efforts"]) if self.ready else None

    def _cycle(self, time: float, **joints: Array) -> Array | None:
        """A cycle of the loop in C++, with a state of the joints or without."""
        step, self._time = 0.0 if self._time is None else time - self._time, time
        found = self._object.call(
            "update",
            step=step,
            **joints,
            **self._base,
            **(self._imu if time - self._imu_time <= IMU_COUNTS else {}),
            base_age=max(time - self._measured, 0.0),
            forces=self._forces.reshape(-1, 3),
            wrenches=self._wrenches,
            wrench_ages=np.maximum(time - self._wanted, 0.0),
            velocity=self._fresh_velocity(time),
            reference_age=self._age(self._followed),
            posture_age=self._age(self._posture_begun),
        )
        self._base = {}
        self._forces[:] = np.nan
        self.estimate = found
        self.ready = bool(found["known"])
        self._known = min(self._known, time if self.ready else math.inf)
        self._judge(found)
        return np.array(found["efforts"]) if self.ready else None

    def _age(self, told: float) -> float | None:
        """Time since a reference was told [s], None where there is none."""
        assert self._time is not None
        return None if math.isnan(told) else max(self._time - told, 0.0)

    def _fresh_velocity(self, time: float) -> Array | None:
        """The commanded velocity, None where it has not come for too long."""
        fresh = time - self._commanded <= self._timeout
        self.faults["velocity_stale"] += int(not (fresh or self._stale) and self._velocity.any())
        self._stale = not fresh
        return self._velocity if fresh else None

    def _judge(self, found: Mapping[str, Array]) -> None:
        """Counts faults, and says why the robot is only held."""
        number = {name: int(found[name].item()) for name in _NUMBERS}
        lost = ""
        if number["fallen"]:
            lost = FALLEN
        elif number["lost"]:
            base = number["base_lost"]
            lost = "the state of the base is stale" if base else "joint states have stopped"
        else:
            names = self._object.faults[2:]
            self.faults.update(n for i, n in enumerate(names) if number["faults"] >> i & 1)
            self.faults["velocity_cut"] += number["cut"]
        bits = number["estimator_faults"]
        if self._time is not None and self._time - self._known > BEGINS:
            self.faults.update(name for i, name in enumerate(FAULTS) if bits >> i & 1)
        if lost and not self.lost:
            self.faults[lost.replace(" ", "_")] += 1
        self.lost = lost
        for count, fault in _COUNTS.items():
            self.faults[fault] += number[count] - self._counts.get(count, 0)
        self._counts = number


_COUNTS = {"jumps": "base_jumped", "silences": "force_stale"}
"""Counts of the loop in C++, and the names of their faults."""
_NUMBERS = ("lost", "fallen", "base_lost", "faults", "cut", "estimator_faults", *_COUNTS)
