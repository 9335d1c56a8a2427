"""Robots on legs under control from their sensors: `python -m test.drivers.on_estimate FILE...`.

A robot of its own file stands, is pushed as it stands and as it steps on the spot, and goes 2 m in
its gait, under control from an IMU, joint positions and forces of feet, all noisy. That happens in
MuJoCo, a world that shares nothing with ours, or with `--ground` on our ground; with `--exact` from
the true state. `--trials` are those that are wanted: stand, go, push. With `--around SIZES` it is
only pushed so, in eight directions, as it stands and at two instants of a step on the spot.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from robcogen_ros.bench.mujoco_world import MujocoWorld
from robcogen_ros.bench.standing import FRICTION, PUSH, WAY, Subject, subject
from robcogen_ros.control.leg_sensors import (
    ACCELEROMETER_BIAS,
    FORCE,
    GYROSCOPE_BIAS,
    SHEET,
    sensed_estimator,
    sensor_settings,
)
from robcogen_ros.control.legged_loop import STEP, LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import FREE_FALL, STANDARD_GRAVITY
from test.drivers.state_estimation import ENCODER
from test.drivers.usage import usage

RATES = 0.02
"""Standard deviation of a joint's measured velocity [rad/s]."""
STANDING, STEPPING = (0.3, 0.5, 0.8, 1.2), (0.2, 0.3, 0.5, 0.8)
"""Pushes that are tried as it stands, and as it steps on the spot, as changes of speed [m/s]."""
DIRECTIONS = {"ahead": np.array([1.0, 0.0, 0.0]), "to its left": np.array([0.0, 1.0, 0.0])}
AROUND = range(0, 360, 45)
"""Directions of pushes from ahead to the left [degrees]."""
INSTANTS = {"as it stands": 1.0, "as it steps, at 2.0 s": 2.0, "as it steps, at 2.2 s": 2.2}
"""When it is pushed [s]."""
REST = 0.5
"""How long it stands on its soft feet from the true state before sensors tell of it [s]."""
TRIALS = ("stand", "go", "push")
FROUDE = {"trot": 0.12, "walk": 0.05}
"""How fast it goes in a gait, as a share of the root of gravity times height."""


class Sensed:
    """A MuJoCo world with an IMU at the base's origin and force sensors at the feet."""

    def __init__(self, world: MujocoWorld, weight: float) -> None:
        """Measures with the noise of `leg_sensors`.

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


class Trial:
    """A robot that is placed anew for each trial."""

    def __init__(self, found: Subject, ground: bool, exact: bool) -> None:
        """Takes a robot and where it is tried: on our ground or in MuJoCo, from its true state."""
        self._found, self._ground, self._exact = found, ground, exact

    def _loop(self, **gait: Any) -> LeggedLoop:
        found = self._found
        settings = {"name": found.gait, "posture": found.posture.q, **gait}
        if self._ground:
            world = found.on_ground(**({} if self._exact else sensor_settings(found.mass)))
        else:
            world = MujocoWorld(found.file, found.robot, found.footing, found.posture, FRICTION)
            found.loop(world, {**settings, "recover": False}, None).run(REST)
            world = world if self._exact else Sensed(world, FREE_FALL * found.mass)
        if self._exact:
            return found.loop(world, settings, None)
        feet = found.footing.radii, found.footing.soles
        return found.loop(world, settings, sensed_estimator(found.robot, *feet))

    def stands(self, seconds: float) -> str:
        """Returns how the robot stands, in words."""
        loop = self._loop(recover=False)
        start = loop.world.position
        try:
            loop.run(seconds)
        except RobcogenError as error:
            return f"stands for {loop.time:.1f} s: {error}"
        moved = float(np.linalg.norm(loop.world.position - start))
        return f"stands {loop.time:.0f} s, {1e3 * moved:.0f} mm from where it began"

    def goes(self, asked: float | None = None) -> str:
        """Returns how the robot goes 2 m, in words; at a speed [m/s], or one by its height."""
        loop, off = self._loop(), []
        gait, height = self._found.gait, self._found.posture.height
        speed = asked or FROUDE[gait] * float(np.sqrt(FREE_FALL * height))
        try:
            loop.run(0.5)
            while loop.world.position[0] < WAY and loop.time < 3.0 * WAY / speed:
                loop.run(0.1, steps=True, velocity=[speed, 0.0])
                if loop.estimate is not None:
                    off.append(loop.estimate.base_velocity[3:] - loop.world.base_velocity[3:])
            loop.run(2.0)
        except RobcogenError as error:
            return f"goes {loop.world.position[0]:.2f} m in {loop.time:.1f} s: {_why(error, loop)}"
        text = f"goes {loop.world.position[0]:.2f} m in {loop.time:.1f} s (asked {speed:.2f} m/s)"
        text += f", {loop.world.position[1]:.2f} m aside, tilts by {_degrees(loop)}"
        if loop.estimate is None:
            return text
        rms = np.sqrt(np.mean(np.sum(np.square(off), axis=1)))
        drift = np.linalg.norm(loop.estimate.position - loop.world.position)
        return text + f"; velocity off by {1e3 * rms:.0f} mm/s rms, place by {1e3 * drift:.0f} mm"

    def withstands(self, steps: bool, way: str) -> str:
        """Returns the largest of some pushes that the robot survives, in words."""
        best, why = 0.0, ""
        for change in STEPPING if steps else STANDING:
            force = change * self._found.mass / PUSH * DIRECTIONS[way]
            loop = self._loop(recover=steps)
            try:
                loop.run(1.0, steps=steps)
                loop.run(2.0, steps=steps, push=_push(force))
                loop.run(2.0)
            except RobcogenError as error:
                why = f"; falls under {change:.1f}: {_why(error, loop)}"
                break
            best = change
        how = "as it steps on the spot" if steps else "with its feet where they are"
        return f"survives {best:.1f} m/s {way} {how}{why}"

    def falls(self, size: float, how: str) -> str:
        """Returns which pushes of a size [m/s] around it make it fall, in words."""
        fallen, steps, instant = [], "steps" in how, INSTANTS[how]
        for degrees in AROUND:
            angle, loop = np.radians(degrees), self._loop()
            way = np.array([np.cos(angle), np.sin(angle), 0.0])
            try:
                loop.run(instant, steps=steps)
                loop.run(3.0, steps=steps, push=_push(size * self._found.mass / PUSH * way))
                loop.run(2.0)
            except RobcogenError:
                fallen.append(f"{degrees}")
        told = f" ({', '.join(fallen)} degrees to the left)" if fallen else ""
        return f"falls under {len(fallen)} of {len(AROUND)} pushes of {size} m/s {how}{told}"


def _push(force: Any) -> Callable[[float], Any]:
    return lambda time: force if time < PUSH else 0.0 * force


def _degrees(loop: LeggedLoop) -> str:
    return f"{np.degrees(loop.tilt):.1f} degrees"


def _why(error: RobcogenError, loop: LeggedLoop) -> str:
    return f"{error}; {loop.strained} gave {loop.effort:.0%} of its limit"


def main() -> None:
    """Prints lines for each robot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="+", help="files, or titles of `bench standing`")
    parser.add_argument("--exact", action="store_true", help="from the true state")
    parser.add_argument("--ground", action="store_true", help="on our ground, not in MuJoCo")
    parser.add_argument("--seconds", type=float, default=60.0, help="to stand [s]")
    parser.add_argument("--speed", type=float, help="to go; by default by its height [m/s]")
    parser.add_argument("--trials", nargs="+", choices=TRIALS, default=TRIALS)
    around = "pushes in eight directions, no other trials [m/s]"
    parser.add_argument("--around", nargs="+", type=float, default=[], metavar="SIZE", help=around)
    options = parser.parse_args()
    options.trials = () if options.around else options.trials
    for name in options.robots:
        try:
            found = subject(name)
        except RobcogenError as error:
            print(f"{name}: {error}")
            continue
        trial = Trial(found, options.ground, options.exact)
        print(f"{name}: {found.mass:.1f} kg, {found.footing.told}", flush=True)
        if found.problem:
            print(f"  does not step: {found.problem}")
        for size in options.around:
            for how in INSTANTS:
                print(f"  {trial.falls(size, how)}", flush=True)
        if "stand" in options.trials:
            print(f"  {trial.stands(options.seconds)}", flush=True)
        steps = found.gait != "stand"
        if steps and "go" in options.trials:
            print(f"  {trial.goes(options.speed)}", flush=True)
        for stepping in {False, steps} if "push" in options.trials else ():
            for way in DIRECTIONS:
                print(f"  {trial.withstands(stepping, way)}", flush=True)


if __name__ == "__main__":
    with usage():
        main()
