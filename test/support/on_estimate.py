"""Robots on legs in MuJoCo, on the estimate: `python -m test.support.on_estimate ROBOT|FILE...`.

A robot of its own file stands, goes 2 m in its gait and is pushed as it steps on the spot, under
control from an IMU, joint positions and forces of feet alone, all noisy, in a world that shares
nothing with ours. With `--exact` from its true state.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from robcogen_ros.bench.mujoco_world import MujocoWorld
from robcogen_ros.bench.standing import FRICTION, FROUDE, PUSH, WAY, Subject, subject
from robcogen_ros.control.legged_loop import STEP, LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import FREE_FALL, STANDARD_GRAVITY
from test.support.state_estimation import (
    ACCELEROMETER_BIAS,
    ENCODER,
    GYROSCOPE_BIAS,
    SETTINGS,
    SHEET,
)

FORCE = 0.005
"""Standard deviation of a foot's force, as a share of the weight."""
RATES = 0.02
"""Standard deviation of a joint's measured velocity [rad/s]."""
STANDS, RECOVERS = 10.0, 4.0
"""How long a robot stands, and steps on after a push [s]."""
PUSHES = (0.2, 0.3, 0.4, 0.6, 0.8)
"""Pushes to the side that are tried, as changes of speed [m/s]."""


class Sensed:
    """A MuJoCo world with an IMU at the base's origin and force sensors at the feet."""

    def __init__(self, world: MujocoWorld, weight: float) -> None:
        """Measures with the noise of `state_estimation`.

        Args:
            world: Where the robot is.
            weight: Of the robot [N].
        """
        self._world, self._random = world, np.random.default_rng(0)
        self._biases = [
            size * self._random.normal(size=3) for size in (GYROSCOPE_BIAS, ACCELEROMETER_BIAS)
        ]
        self._weight = weight
        self._measure(self._velocity)

    def __getattr__(self, name: str) -> Any:
        """Returns what the world has."""
        return getattr(self._world, name)

    @property
    def _velocity(self) -> Any:
        return rotation(self._world.orientation) @ self._world.base_velocity[3:]

    def advance(self, *given: Any, **named: Any) -> None:
        """Moves on, and measures."""
        before = self._velocity
        self._world.advance(*given, **named)
        self._measure(before)

    def _measure(self, before: Any) -> None:
        normal, turn = self._random.normal, rotation(self._world.orientation)
        force = turn.T @ ((self._velocity - before) / STEP - np.array(STANDARD_GRAVITY))
        results = []
        for exact, kind, bias in zip(
            (self._world.base_velocity[:3], force),
            ("gyroscope", "accelerometer"),
            self._biases,
            strict=True,
        ):
            noise = SHEET[f"{kind}_noise"] / np.sqrt(STEP)
            results.append(exact + bias + noise * normal(size=3))
        self.angular_velocity, self.linear_acceleration = results
        feet = self._world.wrenches[:, 3:]
        self.forces = feet + FORCE * self._weight * normal(size=feet.shape)
        self.q = self._world.q + ENCODER * normal(size=self._world.q.shape)
        self.qd = self._world.qd + RATES * normal(size=self._world.qd.shape)


def loop_of(found: Subject, exact: bool) -> LeggedLoop:
    """Returns a robot that stands in MuJoCo, in its gait."""
    world: Any = MujocoWorld(found.file, found.robot, found.footing, found.posture, FRICTION)
    gait = {"name": found.gait, "posture": found.posture.q}
    if exact:
        return found.loop(world, gait)
    radius = max(found.footing.radii.values(), default=0.0)
    estimator = found.robot.base_estimator(**SETTINGS, foot_radius=radius)
    return found.loop(Sensed(world, FREE_FALL * found.mass), gait, estimator)


def stands(found: Subject, exact: bool) -> str:
    """Returns how a robot stands, in words."""
    loop = loop_of(found, exact)
    start = loop.world.position
    try:
        loop.run(STANDS)
    except RobcogenError as error:
        return f"stands for {loop.time:.1f} s: {error}"
    moved = float(np.linalg.norm(loop.world.position - start))
    return f"stands {loop.time:.0f} s, {1e3 * moved:.0f} mm from where it began"


def goes(found: Subject, exact: bool) -> str:
    """Returns how a robot goes 2 m, in words."""
    loop = loop_of(found, exact)
    share = 0.12 if found.gait == "trot" else FROUDE
    speed = share * float(np.sqrt(FREE_FALL * found.posture.height))
    off = []
    try:
        loop.run(0.5)
        while loop.world.position[0] < WAY and loop.time < 3.0 * WAY / speed:
            loop.run(0.1, steps=True, velocity=[speed, 0.0])
            if loop.estimate is not None:
                off.append(loop.estimate.base_velocity[3:] - loop.world.base_velocity[3:])
        loop.run(2.0)
    except RobcogenError as error:
        return f"goes {loop.world.position[0]:.2f} m in {loop.time:.1f} s: {error}"
    text = f"goes {loop.world.position[0]:.2f} m at {speed:.2f} m/s in {loop.time:.1f} s"
    text += f", tilts by {np.degrees(loop.tilt):.1f} degrees"
    if loop.estimate is None:
        return text
    rms = np.sqrt(np.mean(np.sum(np.square(off), axis=1)))
    drift = np.linalg.norm(loop.estimate.position - loop.world.position)
    return text + f"; velocity off by {1e3 * rms:.0f} mm/s rms, place by {1e3 * drift:.0f} mm"


def withstands(found: Subject, exact: bool) -> str:
    """Returns the largest of some pushes that a robot survives which steps on the spot."""
    best = 0.0
    for change in PUSHES:
        force = change * found.mass / PUSH * np.array([0.0, 1.0, 0.0])
        loop = loop_of(found, exact)
        try:
            loop.run(1.5, steps=True)
            loop.run(RECOVERS, steps=True, push=lambda t, f=force: f if t < PUSH else 0.0 * f)
            loop.run(2.0)
        except RobcogenError:
            break
        best = change
    return f"survives {best:.1f} m/s to its left as it steps on the spot"


def main() -> None:
    """Prints lines for each robot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="+")
    parser.add_argument("--exact", action="store_true", help="from the true state")
    options = parser.parse_args()
    for name in options.robots:
        found = subject(name)
        print(f"{name}: {found.mass:.1f} kg, {found.footing.told}", flush=True)
        for what in (stands, goes, withstands):
            print(f"  {what(found, options.exact)}", flush=True)


if __name__ == "__main__":
    main()
