"""A robot on legs in simulated time: it follows a motion of its trunk, or falls."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.balance import Balance, TrunkReference
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.simulation import GRAVITY, supported_efforts
from robcogen_ros.demo.trunk_motion import Trunk, TrunkMotion, fallen
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.progress import task
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.objects import Fault

FULL, SOME = 0.999, 3
"""Share of a limit from which on it is reached; how many of those that are reached are told."""
Control = Callable[[Ground, Trunk], Array]
"""Efforts of the joints, of where a robot is and where its trunk is to be."""


@dataclass(frozen=True, slots=True)
class Run:
    """Record of a run, a row a step.

    Attributes:
        time: At the end of each step [s].
        position: Of the trunk (k, 3) [m].
        quaternion: Of the trunk (k, 4), x, y, z, w.
        q: Positions of the joints (k, n).
        effort: Of the joints (k, n).
        wrenches: Of the ground on the feet (k, feet, 6), world axes.
        wanted_position: Where the trunk was to be (k, 3) [m].
        wanted_quaternion: How it was to be turned (k, 4).
        ended: Why the run ended early; empty if it did not.
        microseconds: What a call of the controller took at the median.
        counters: What the ground counted.
    """

    time: Array
    position: Array
    quaternion: Array
    q: Array
    effort: Array
    wrenches: Array
    wanted_position: Array
    wanted_quaternion: Array
    ended: str
    microseconds: float
    counters: dict[str, int]

    @property
    def position_error(self) -> Array:
        """Wanted minus actual position of the trunk (k, 3) [m]."""
        return self.wanted_position - self.position

    @property
    def angle_error(self) -> Array:
        """Angle between wanted and actual orientation of the trunk (k,) [rad]."""
        products = np.abs(np.einsum("ij,ij->i", self.quaternion, self.wanted_quaternion))
        return np.asarray(2 * np.arccos(np.minimum(products, 1.0)))

    @property
    def normal_forces(self) -> Array:
        """The forces of the level ground on the feet (k, feet) [N]."""
        return self.wrenches[:, :, 5]

    @property
    def friction_used(self) -> Array:
        """Tangential forces of the feet by normal ones (k, feet); 0 where there are none."""
        normal = self.normal_forces
        tangential = np.hypot(self.wrenches[:, :, 3], self.wrenches[:, :, 4])
        return np.divide(tangential, normal, out=np.zeros_like(normal), where=normal > 1e-6)


def run(
    robot: Any,
    ground: Ground,
    motion: TrunkMotion,
    control: Control,
    rate: float,
    begin: float = 0.0,
) -> Run:
    """Lets a robot stand up from a crouch, move its trunk and be pushed, until it falls.

    Args:
        robot: The robot.
        ground: What it stands on.
        motion: What its trunk is to do.
        control: Its controller.
        rate: Steps a second [Hz].
        begin: Time of the motion at which it begins, if not in the crouch: as it stands [s].

    Raises:
        RobcogenError: If the robot cannot be placed, or moved at all.
    """
    start, q = motion.at(begin), motion.standing if begin else motion.start
    ground.place(q, position=start.position, orientation=start.quaternion)
    kept = _Kept()
    times, ended = [], ""
    count = round((motion.duration - begin) * rate)
    with task("moving", count, "steps") as step:
        for k in range(count):
            now = begin + k / rate
            called = time.perf_counter()
            effort = control(ground, motion.at(now))
            times.append(time.perf_counter() - called)
            pushes = _push(robot, ground, motion.push) if motion.pushed(now) else None
            try:
                ground.advance(effort, 1.0 / rate, external_forces=pushes)
            except Fault as fault:
                ended = str(fault)
                break
            wanted = motion.at(now + 1.0 / rate)
            kept.add(ground, effort, wanted)
            step.advance()
            if fallen(wanted.position - ground.position, motion.height):
                ended = "it fell"
                break
    return kept.run(begin, rate, ended, 1e6 * float(np.median(times)), ground.counters)


class _Kept:
    """Values that are kept of each step."""

    def __init__(self) -> None:
        self._rows: list[tuple[Array, ...]] = []

    def add(self, ground: Ground, effort: Array, wanted: Trunk) -> None:
        """Keeps where a robot is, and where it was to be."""
        state = ground.position, ground.orientation, ground.q
        self._rows.append(
            (*state, np.array(effort), ground.wrenches, wanted.position, wanted.quaternion)
        )

    def run(
        self, begin: float, rate: float, ended: str, microseconds: float, counters: dict[str, int]
    ) -> Run:
        """All that was kept.

        Raises:
            RobcogenError: If the robot could not be moved at all.
        """
        if not self._rows:
            raise RobcogenError(f"the simulation ended with its first step: {ended}")
        position, quaternion, q, effort, wrenches, wanted, turned = (
            np.array(column) for column in zip(*self._rows, strict=True)
        )
        time = begin + (np.arange(len(self._rows)) + 1) / rate
        return Run(
            time=time,
            position=position,
            quaternion=quaternion,
            q=q,
            effort=effort,
            wrenches=wrenches,
            wanted_position=wanted,
            wanted_quaternion=turned,
            ended=ended,
            microseconds=microseconds,
            counters=counters,
        )


def reached(robot: Any, done: Run, friction: float, begin: float = 0.0) -> str:
    """The first limits that a robot reaches after a time, as the end of a sentence.

    Args:
        robot: The robot.
        done: What happened.
        friction: Of the ground.
        begin: The time [s].
    """
    after = done.time > begin
    when: dict[str, NDArray[np.bool_]] = {}
    for name, limit, effort in zip(
        robot.joint_names, robot.effort_limits, done.effort.T, strict=True
    ):
        if limit > 0:
            when[f"joint {name} gives all of its {limit:.3g}"] = np.abs(effort) > FULL * limit
    for i, contact in enumerate(robot.contacts):
        when[f"foot {contact} slips"] = done.friction_used[:, i] > FULL * friction
        when[f"foot {contact} lifts off"] = done.normal_forces[:, i] <= 0.0
    first = sorted(
        (float(done.time[on & after][0]), name) for name, on in when.items() if any(on & after)
    )
    told = [f"{name} after {time - begin:.2f} s" for time, name in first[:SOME]]
    return f"; {', '.join(told)}" if told else ""


def _push(robot: Any, ground: Ground, force: Array) -> Array:
    """A force in the world at the base's origin, as wrenches on the links."""
    wrenches = np.zeros((len(robot.link_names), 6))
    wrenches[0, 3:] = rotation(ground.orientation).T @ force
    return wrenches


def gravity_compensation(robot: Any) -> Control:
    """Efforts that carry the robot where it is: no feedback, no reference."""
    rest, limits = np.zeros(robot.n), robot.effort_limits
    closed = np.ones(len(robot.contacts), dtype=bool)

    def efforts(ground: Ground, trunk: Trunk) -> Array:
        gravity = rotation(ground.orientation).T @ GRAVITY
        found = supported_efforts(robot, ground.q, rest, rest, np.zeros(6), gravity, closed=closed)
        return np.asarray(np.clip(found, -limits, limits))

    return efforts


def balance(robot: Any, standing: Array, **settings: Any) -> Control:
    """The whole-body controller, as its node calls it, from states that are exact.

    Args:
        robot: The robot.
        standing: Positions of the joints while it stands.
        **settings: Of `robot.whole_body_controller()`.
    """
    soles = settings.pop("soles", None)
    controller = Balance(robot, {**settings, "posture": standing}, soles=soles)
    names = robot.joint_names

    def efforts(ground: Ground, trunk: Trunk) -> Array:
        controller.take_base(ground.position, ground.orientation, ground.base_velocity, 0.0)
        for i, wrench in enumerate(ground.wrenches):
            if controller.ready:
                controller.take_force(i, wrench[3:])
        controller.follow(TrunkReference(trunk.motion))
        found = controller.take_joints(names, ground.q, ground.qd, 0.0)
        assert found is not None
        return found

    return efforts
