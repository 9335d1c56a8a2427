"""Control laws on exact dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from robcogen_ros.control.angles import wrapped
from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.saturation import saturated
from robcogen_ros.control.trajectory import MotionState

SLIDING = 0.01
"""Speed [rad/s or m/s] from which dry friction is compensated fully."""


class Mode(str, Enum):
    """What efforts are made of."""

    GRAVITY = "gravity"
    COMPENSATION = "compensation"
    PD_GRAVITY = "pd_gravity"
    COMPUTED_TORQUE = "computed_torque"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to control.

    Attributes:
        mode: The law.
        kp: Gains on position errors: [1/s^2] in computed torque, [N m/rad, N/m] in PD + gravity.
        kd: Gains on velocity errors: [1/s] in computed torque, [N m s/rad, N s/m] in PD + gravity.
        effort_limits: Greatest efforts.
        feed_forward: Whether computed torque has the reference's acceleration and effort and the
            terms of velocity; without, `H(q) (Kp e + Kd e') + g(q)` is left.
        compensate_friction: Whether it adds what the model's joint friction takes at the
            reference's velocity.
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
    """

    effort: Array
    scale: float = 1.0
    sound: bool = True


class ControlLaw:
    """Efforts from where a robot is and where it should be."""

    def __init__(self, robot: Dynamics, settings: Settings) -> None:
        self.robot = robot
        self.settings = settings
        self._continuous = robot.continuous
        self._damping = robot.damping * ("damping" not in robot.terms)
        self._friction = robot.friction * ("friction" not in robot.terms)

    def command(self, q: Array, qd: Array, reference: MotionState) -> Command:
        """Efforts within limits."""
        effort, gravity = self._effort_and_gravity(q, qd, reference)
        if not np.isfinite(effort).all():
            return Command(self._limited(gravity), sound=False)
        return Command(*saturated(effort, gravity, self.settings.effort_limits))

    def support(self, q: Array) -> Command:
        """Efforts that carry the robot's weight and do nothing else."""
        return Command(self._limited(self._bias(q, np.zeros_like(q))))

    def _effort_and_gravity(
        self, q: Array, qd: Array, reference: MotionState
    ) -> tuple[Array, Array]:
        settings, rest = self.settings, np.zeros_like(q)
        if settings.mode is Mode.GRAVITY:
            gravity = self._bias(q, rest)
            return gravity, gravity
        if settings.mode is Mode.COMPENSATION:
            return self._with_gravity(q, qd, rest)
        error = wrapped(reference.position - q, self._continuous)
        feedback = settings.kp * error + settings.kd * (reference.velocity - qd)
        if settings.mode is Mode.PD_GRAVITY:
            gravity = self._bias(q, rest)
            return gravity + feedback, gravity
        if not settings.feed_forward:
            return self._with_gravity(q, rest, feedback)
        effort, gravity = self._with_gravity(q, qd, reference.acceleration + feedback)
        if settings.compensate_friction:
            effort = effort + self._loss(reference.velocity)
        return effort + reference.effort, gravity

    def _loss(self, velocity: Array) -> Array:
        return self._damping * velocity + self._friction * np.tanh(velocity / SLIDING)

    def _with_gravity(self, q: Array, qd: Array, qdd: Array) -> tuple[Array, Array]:
        """Efforts for a motion and for standing still, in one call of the generated code."""
        rest = np.zeros_like(q)
        effort, gravity = self.robot.inverse_dynamics(
            np.array([q, q]),
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
