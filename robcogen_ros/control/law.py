"""Control laws on exact dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from robcogen_ros.control.angles import wrapped
from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.finite import all_finite
from robcogen_ros.control.saturation import saturated
from robcogen_ros.control.trajectory import MotionState

SLIDING = 0.01
"""Speed [rad/s or m/s] from which dry friction is compensated fully."""


class Mode(str, Enum):
    """What efforts are made of; the reference's own effort is added in each."""

    GRAVITY = "gravity"
    COMPENSATION = "compensation"
    PD_GRAVITY = "pd_gravity"
    COMPUTED_TORQUE = "computed_torque"
    FEED_FORWARD = "feed_forward"
    """Inverse dynamics of the reference alone, for drives with a position loop of their own."""

    @property
    def follows(self) -> bool:
        """Whether positions are followed; the others add the reference's effort, nothing else."""
        return self not in (Mode.GRAVITY, Mode.COMPENSATION)

    @property
    def said(self) -> str:
        """What it does with references, as it is said at activation."""
        if not self.follows:
            return f"mode {self.value}: efforts of references are added, nothing else is followed"
        return f"mode {self.value}: positions are followed, efforts added to what holds them"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to control.

    Attributes:
        mode: The law.
        kp: Gains on position errors: [1/s^2] in computed torque, [N m/rad, N/m] in PD + gravity.
        kd: Gains on velocity errors: [1/s] in computed torque, [N m s/rad, N s/m] in PD + gravity.
        effort_limits: Greatest efforts.
        feed_forward: Whether computed torque has the reference's acceleration and the terms of
            velocity; without, `H(q) (Kp e + Kd e') + g(q)` is left.
        compensate_friction: Whether it and feed-forward add what the model's joint friction takes
            at the reference's velocity.
        gravity: Gravity in the base frame; None: as the model has it; zero for a robot that
            carries its weight by itself.
    """

    mode: Mode
    kp: Array
    kd: Array
    effort_limits: Array
    feed_forward: bool = True
    compensate_friction: bool = True
    gravity: Array | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Efforts for the robot.

    Attributes:
        effort: One finite value a joint.
        scale: What saturation left of the efforts beyond gravity's, 1 if it did not act.
        sound: Whether the law gave finite efforts; if not, they only hold the robot, if they can.
        position: Where drives with a loop of their own shall be; None where there are none.
        velocity: How fast they shall be.
    """

    effort: Array
    scale: float = 1.0
    sound: bool = True
    position: Array | None = None
    velocity: Array | None = None


class ControlLaw:
    """Efforts from where a robot is and where it should be."""

    def __init__(self, robot: Dynamics, settings: Settings) -> None:
        self.robot = robot
        self.settings = settings
        self._continuous = robot.continuous if np.any(robot.continuous) else None
        self._damping = robot.damping * ("damping" not in robot.terms)
        self._friction = robot.friction * ("friction" not in robot.terms)
        self._lossy = bool(self._damping.any() or self._friction.any())

    def command(self, q: Array, qd: Array, reference: MotionState, share: float = 1.0) -> Command:
        """Efforts within limits.

        Args:
            q: Positions.
            qd: Velocities.
            reference: Where to be.
            share: Which part of the efforts beyond gravity's is given, 0 to 1.
        """
        effort, gravity = self._effort_and_gravity(q, qd, reference)
        effort = effort + reference.effort
        if share < 1.0:
            effort = gravity + share * (effort - gravity)
        if not all_finite(effort + gravity):
            return self._resting(q, self._limited(gravity), sound=False)
        effort, scale = saturated(effort, gravity, self.settings.effort_limits)
        if self.settings.mode is Mode.FEED_FORWARD:
            return Command(effort, scale, True, reference.position, reference.velocity)
        return Command(effort, scale)

    def support(self, q: Array) -> Command:
        """Efforts that carry the robot's weight and do nothing else."""
        return self._resting(q, self._limited(self._bias(q, np.zeros_like(q))))

    def _resting(self, q: Array, effort: Array, sound: bool = True) -> Command:
        """Efforts alone, or a position to stay at where drives have loops of their own."""
        if self.settings.mode is Mode.FEED_FORWARD and all_finite(q):
            return Command(effort, sound=sound, position=q.copy(), velocity=np.zeros_like(q))
        return Command(effort, sound=sound)

    def _effort_and_gravity(
        self, q: Array, qd: Array, reference: MotionState
    ) -> tuple[Array, Array]:
        settings, rest = self.settings, np.zeros(len(q))
        if settings.mode is Mode.GRAVITY:
            gravity = self._bias(q, rest)
            return gravity, gravity
        if settings.mode is Mode.COMPENSATION:
            return self._with_gravity(q, qd, rest)
        if settings.mode is Mode.FEED_FORWARD:
            motion = (reference.position, reference.velocity, reference.acceleration)
            effort, gravity = self._with_gravity(*motion, standing=q)
            return effort + self._lost(reference.velocity), gravity
        error = reference.position - q
        if self._continuous is not None:
            error = wrapped(error, self._continuous)
        feedback = settings.kp * error + settings.kd * (reference.velocity - qd)
        if settings.mode is Mode.PD_GRAVITY:
            gravity = self._bias(q, rest)
            return gravity + feedback, gravity
        if not settings.feed_forward:
            return self._with_gravity(q, rest, feedback)
        effort, gravity = self._with_gravity(q, qd, reference.acceleration + feedback)
        return effort + self._lost(reference.velocity), gravity

    def _lost(self, velocity: Array) -> Array | float:
        """What joint friction takes at a velocity."""
        if not (self._lossy and self.settings.compensate_friction):
            return 0.0
        return self._damping * velocity + self._friction * np.tanh(velocity / SLIDING)

    def _with_gravity(
        self, q: Array, qd: Array, qdd: Array, standing: Array | None = None
    ) -> tuple[Array, Array]:
        """Efforts for a motion and for standing still, there or elsewhere, in one call."""
        rest = np.zeros(len(q))
        effort, gravity = self.robot.inverse_dynamics(
            np.array([q, q if standing is None else standing]),
            np.array([qd, rest]),
            np.array([qdd, rest]),
            gravity=self.settings.gravity,
        )
        return effort, gravity

    def _bias(self, q: Array, qd: Array) -> Array:
        return self.robot.inverse_dynamics(q, qd, np.zeros_like(q), gravity=self.settings.gravity)

    def _limited(self, effort: Array) -> Array:
        limits = self.settings.effort_limits
        return np.clip(np.where(np.isfinite(effort), effort, 0.0), -limits, limits)
