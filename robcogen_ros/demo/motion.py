"""A fast motion that a robot can do: within its positions, speeds and efforts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robcogen_ros.control.blend import blend
from robcogen_ros.control.dynamics import Array, Dynamics
from robcogen_ros.control.trajectory import Trajectory
from robcogen_ros.errors import RobcogenError

SPACING = 0.02
"""Time between points of the motion [s]."""
RAMP = 1.5
"""Time that the motion takes to grow from rest and to fade out [s]."""
SWING = 0.9
"""Largest swing of a joint [rad, m], if its range allows."""
FREQUENCIES = (0.45, 0.85)
"""Frequencies [Hz] of the first and of the last joint, before slowing down."""
SLOWEST = 0.4
"""Share of these frequencies that a slow joint may go down to, before it swings less."""
OVERSHOOT = 1.15
"""Factor by which a joint may be faster than its sine a joint may be while the sine fades in
and out."""
SPEED_SHARE, EFFORT_SHARE = 0.8, 0.7
"""Shares of the limits that are used."""
USUAL_SPEED = 3.0
"""Speed [rad/s, m/s] where a joint has no limit."""


@dataclass(frozen=True, slots=True)
class RestToRestMotion:
    """A motion that starts and ends at rest in the same place.

    Attributes:
        times: Times of its points [s].
        positions: One row a point, one column a joint.
        velocities: Velocities.
        accelerations: Accelerations.
        efforts: Efforts that it takes.
    """

    times: Array
    positions: Array
    velocities: Array
    accelerations: Array
    efforts: Array

    def trajectory(self) -> Trajectory:
        """The motion as a trajectory."""
        times = tuple(self.times.tolist())
        return Trajectory.through(times, self.positions, self.velocities, self.accelerations)


def plan(robot: Dynamics, duration: float) -> RestToRestMotion:
    """The fastest of a family of motions that keeps within shares of the limits.

    Joints that can hardly overcome their own dry friction stay where they are.

    Raises:
        RobcogenError: If the robot cannot even carry its own weight anywhere.
    """
    center = _center(robot)
    room = 0.8 * np.minimum(robot.upper_limits - center, center - robot.lower_limits)
    swing = np.where(robot.friction < 0.5 * robot.effort_limits, np.minimum(room, SWING), 0.0)
    why = ""
    for size in (1.0, 0.6, 0.35, 0.2, 0.1, 0.05):
        for pace in (1.2, 1.0, 0.85, 0.7, 0.55, 0.4):
            motion = _motion(robot, center, size * swing, pace, duration)
            if not (why := _overloaded(robot, motion)):
                return motion
    raise RobcogenError(f"even in the smallest and slowest motion of the demo {why}")


def _motion(
    robot: Dynamics, center: Array, swing: Array, pace: float, duration: float
) -> RestToRestMotion:
    """Sines of different frequencies, faded in and out; smaller where they would be too fast."""
    times = np.linspace(0.0, duration, round(duration / SPACING) + 1)
    usual = 2 * np.pi * pace * np.linspace(*FREQUENCIES, robot.n)
    speed = np.minimum(SPEED_SHARE * robot.velocity_limits, USUAL_SPEED) / OVERSHOOT
    rate = np.clip(speed / np.maximum(swing, 1e-6), SLOWEST * usual, usual)
    swing = np.minimum(swing, speed / rate)
    wave = np.exp(1j * np.outer(times, rate))
    sine, d_sine, dd_sine = wave.imag, rate * wave.real, -(rate**2) * wave.imag
    fade, d_fade, dd_fade = (row[:, None] for row in _fade(times, duration))
    q = center + swing * fade * sine
    qd = swing * (d_fade * sine + fade * d_sine)
    qdd = swing * (dd_fade * sine + 2 * d_fade * d_sine + fade * dd_sine)
    losses = robot.damping * qd + robot.friction * np.sign(qd)
    return RestToRestMotion(times, q, qd, qdd, robot.inverse_dynamics(q, qd, qdd) + losses)


def _fade(times: Array, duration: float) -> tuple[Array, Array, Array]:
    """Returns a factor from 0 to 1 and back, with two smooth derivatives."""
    value, slope, bend = blend(np.minimum(times, duration - times), RAMP)
    return value, np.where(times < duration / 2, slope, -slope), bend


def _overloaded(robot: Dynamics, motion: RestToRestMotion) -> str:
    """Returns the joint that would give too much effort, in words; empty if none would."""
    efforts, least = np.abs(motion.efforts).max(axis=0), EFFORT_SHARE * robot.effort_limits
    share = np.where(np.isfinite(efforts), efforts / least, np.inf)
    j = int(np.argmax(share))
    if share[j] <= 1.0:
        return ""
    friction = f" ({robot.friction[j]:.3g} of it dry friction)" if robot.friction[j] else ""
    asked = f"joint {robot.joint_names[j]} would give {efforts[j]:.3g}{friction}"
    return f"{asked}; {EFFORT_SHARE:.0%} of its limit is {least[j]:.3g}"


def _center(robot: Dynamics) -> Array:
    """A pose in the middle of the ranges, or another one where the motors carry the weight."""
    ranged = robot.upper_limits - robot.lower_limits < 2 * np.pi
    usual = 0.4 * np.where(np.arange(robot.n) % 2, 1.0, -1.0)
    ends = np.where(ranged, [robot.lower_limits, robot.upper_limits], 0.0)
    middle = np.where(ranged, ends.mean(axis=0), usual)
    room = np.where(ranged, 0.3 * (ends[1] - ends[0]), 1.5)
    others = np.random.default_rng(0).uniform(-1, 1, (400, robot.n)) * room
    nearest_first = np.argsort(np.linalg.norm(others, axis=1))
    poses = np.vstack([middle, middle + others[nearest_first]])
    poses = np.clip(poses, robot.lower_limits, robot.upper_limits)
    load = np.max(np.abs(robot.gravity_torques(poses)) / robot.effort_limits, axis=1)
    good = np.flatnonzero(load < 0.6 * EFFORT_SHARE)
    return np.asarray(poses[good[0] if len(good) else int(np.argmin(load))])
