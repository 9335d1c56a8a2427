"""A robot on legs in a simulated world, under its gait and whole-body controller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.runtime.gait import Reference
from robcogen_ros.runtime.whole_body import Command, Motion

STEP = 1e-3
"""Step of control and simulation [s]."""
SLOW, LEVEL, FALLEN = 0.2, 0.1, np.pi / 6
"""Greatest rate [rad/s, m/s] and tilt [rad] of a robot at rest; tilt of one that falls."""
CONTACT = 0.02
"""Measured force of a foot that touches, as a share of the weight."""
PRESSED = 1e-3
"""Least normal force of which a share of friction is told, as a share of the weight."""


class World(Protocol):
    """World of a robot, which moves it on under efforts: `Ground`, or another simulator."""

    @property
    def q(self) -> Array:
        """(n,) positions of the joints."""

    @property
    def position(self) -> Array:
        """(3,) of the base in the world [m]."""

    @property
    def orientation(self) -> Array:
        """(4,) quaternion x, y, z, w from the base to the world."""

    @property
    def base_velocity(self) -> Array:
        """(6,) spatial velocity of the base in its coordinates."""

    @property
    def qd(self) -> Array:
        """(n,) velocities of the joints."""

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(contacts,) whether each foot touches the plane."""

    @property
    def wrenches(self) -> Array:
        """(contacts, 6) of the plane on the feet, world axes [N m, N]."""

    def advance(
        self, effort: ArrayLike, step: float, *, external_forces: ArrayLike | None = None
    ) -> None:
        """Moves on by a step."""


class LeggedLoop:
    """Closed at 1 kHz, from states that are exact, or from those of an estimator.

    Attributes:
        world: Where the robot is.
        time: Since the start [s].
        tilt: Greatest angle of the trunk from level so far [rad].
        slack: Least margin of a foot in its friction cone so far [N].
        friction_used: Greatest tangential by normal force of a foot so far, by the friction, of the
            forces that the controller commands and of those in the world.
        effort: Greatest share of its limit that a joint gave so far.
        strained: Which joint that was.
        faults: Of the controller, and how often.
        errors: Of a followed trunk, a row a cycle: of its position (3,) [m] and its angle [rad].
        stood: Which feet were to stand, a row a cycle.
        stepping: Whether the robot steps.
        estimate: What the estimator has of the base; None without one.
    """

    def __init__(
        self,
        robot: Any,
        world: World,
        *,
        friction: float,
        trusted: float,
        soles: Mapping[str, ArrayLike] | None = None,
        gait: Mapping[str, Any] | None = None,
        posture: ArrayLike,
        ground_normal: ArrayLike | None = None,
        estimator: Any = None,
    ) -> None:
        """Takes over a robot that stands at rest.

        Args:
            robot: The robot.
            world: Where it is.
            friction: Coefficient of friction of the world.
            trusted: The one that the controller reckons with.
            soles: Corners of flat feet, by contact.
            gait: Settings of `robot.gait()`; None for a robot that only follows with its trunk.
            posture: (n,) in which it stands.
            ground_normal: (3,) of the ground in the world, upwards, by default z.
            estimator: Of `robot.base_estimator()`; the world is then a `Ground` with sensors.
        """
        self.world, self._posture = world, np.asarray(posture, dtype=np.float64)
        self._names = [contact.name for contact in robot.contact_records]
        self._friction, self._trusted = friction, trusted
        self._controller = robot.whole_body_controller(
            friction=trusted, soles=soles, ground_normal=ground_normal
        )
        self._estimator, self.estimate = estimator, None
        self._gait = None if gait is None else robot.gait(soles=soles, **gait)
        self._touched = CONTACT * FREE_FALL * robot.total_mass()
        self._closed = self._sense()
        if self._gait is not None:
            self._gait.start(**self._state())
        self._links, self._limits = len(robot.link_names), robot.effort_limits
        self._joints, self.strained = robot.joint_names, robot.joint_names[0]
        self._pressed = PRESSED * FREE_FALL * robot.total_mass()
        self._row = np.cumsum([len(contact.rows) for contact in robot.contact_records])
        self.time, self.tilt, self.slack, self.effort = 0.0, 0.0, np.inf, 0.0
        self.friction_used = np.zeros(2)
        self.faults: Counter[str] = Counter()
        self.errors: list[Array] = []
        self.stood: list[list[bool]] = []
        self.stepping = False

    def _state(self) -> dict[str, Any]:
        base = self.world if self.estimate is None else self.estimate
        state = {n: getattr(base, n) for n in ("position", "orientation", "base_velocity")}
        return {"q": self.world.q, **state, "qd": self.world.qd}

    def _sense(self) -> NDArray[np.bool_]:
        """Returns the feet that touch; reads the sensors where the base is estimated."""
        if self._estimator is None:
            return self.world.touches
        ground: Any = self.world
        forces = np.linalg.norm(ground.forces, axis=1)
        closed = forces > self._touched if forces.any() else self.world.touches
        self.estimate = self._estimator.update(
            ground.q,
            closed=closed,
            cycle=STEP,
            angular_velocity=ground.angular_velocity,
            linear_acceleration=ground.linear_acceleration,
        )
        return closed

    def run(
        self,
        duration: float,
        *,
        push: Callable[[float], Array] | None = None,
        trunk: Callable[[float], Motion] | None = None,
        **wanted: Any,
    ) -> None:
        """Goes on.

        Args:
            duration: For how long [s].
            push: A force at the base's origin in world axes (3,) by the time from here [N].
            trunk: What the trunk is to do by the time from here, while all feet stand; by default
                what the gait wants.
            **wanted: Of the gait.

        Raises:
            RobcogenError: If the trunk tilts by 30 degrees, or the robot cannot be moved on.
        """
        for i in range(round(duration / STEP)):
            state, closed = self._state(), self._closed
            if trunk is None:
                assert self._gait is not None
                reference = self._gait.update(**state, closed=closed, cycle=STEP, **wanted)
            else:
                reference = Reference(trunk(i * STEP), {}, self._posture, False)
                self.errors.append(self._error(reference.trunk))
            command = self._controller.compute(
                **state,
                closed=closed,
                trunk=reference.trunk,
                swing=reference.swing,
                posture=reference.posture,
                centered=reference.centered,
            )
            self._watch_command(command)
            forces = np.zeros((self._links, 6))
            if push is not None:
                forces[0, 3:] = self.turn.T @ push(i * STEP)
            self.world.advance(command.efforts, STEP, external_forces=forces)
            self._closed = self._sense()
            self._watch(reference)
            if self.tilt > FALLEN:
                raise RobcogenError("the trunk is tilted by 30 degrees")

    def _watch_command(self, command: Command) -> None:
        shares = np.abs(command.efforts) / np.where(self._limits > 0.0, self._limits, np.inf)
        if shares.max() > self.effort:
            self.effort, self.strained = float(shares.max()), self._joints[int(shares.argmax())]
        self.faults.update(command.faults)
        f = np.array([command.forces[end - 3 : end] for end in self._row]) @ self.turn.T
        self._use(0, f, self._trusted)

    def _watch(self, reference: Reference) -> None:
        self.time += STEP
        self.tilt = max(self.tilt, float(np.arccos(min(1.0, self.turn[2, 2]))))
        f = self.world.wrenches[:, 3:]
        margins = self._friction * f[:, 2] - np.hypot(f[:, 0], f[:, 1])
        self.slack = min(self.slack, float(margins.min()))
        self._use(1, f, self._friction)
        self.stood.append([name not in reference.swing for name in self._names])
        self.stepping = reference.stepping
        self.faults.update(["cannot_step"] if reference.stuck else [])

    def _use(self, which: int, forces: Array, friction: float) -> None:
        for f in forces:
            if f[2] > self._pressed:
                used = float(np.hypot(f[0], f[1])) / (friction * f[2])
                self.friction_used[which] = max(self.friction_used[which], used)

    def _error(self, trunk: Motion) -> Array:
        wanted, actual = np.asarray(trunk.orientation), self.world.orientation
        angle = 2.0 * np.arccos(min(1.0, abs(float(wanted @ actual))))
        return np.append(np.asarray(trunk.position) - self.world.position, angle)

    @property
    def turn(self) -> Array:
        """(3, 3) rotation from the base to the world."""
        return rotation(self.world.orientation)

    @property
    def rests(self) -> bool:
        """True if nothing moves, the trunk is level, and the robot does not step."""
        rates = np.concatenate([self.world.base_velocity, self.world.qd])
        slow = float(np.abs(rates).max()) < SLOW
        return slow and bool(self.turn[2, 2] > np.cos(LEVEL)) and not self.stepping
