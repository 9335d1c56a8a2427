"""An estimator of the base beside the truth: `python -m test.drivers.state_estimation ROBOT...`.

Each robot, a title of `robcogen bench standing` or a file, stands, trots ahead, in a curve and
aside, walks, and stands again on the simulated ground, once on its true state and once on the
estimate of IMU, joints and feet. What happened on the true state is then measured again `--runs`
times with other noise and biases. The sheet is that of Bosch's BMI088: 0.014 deg/s/sqrt(Hz),
0.19 mg/sqrt(Hz), zero-rate offset 1 deg/s; its zero-g offset of 20 mg is taken for calibrated to
5 mg. Encoders are off by 1 mrad (standard deviation), forces by half a percent of the weight.
Beside it a complementary filter, which is told velocities of joints besides, off by 0.02 rad/s.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from copy import deepcopy as copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation
from scipy.stats import chi2

from robcogen_ros.bench.standing import Subject, subject
from robcogen_ros.control.leg_sensors import (
    ACCELEROMETER_BIAS,
    BIASES,
    GYROSCOPE_BIAS,
    SHEET,
    sensed_estimator,
    sensor_settings,
)
from robcogen_ros.control.legged_loop import STEP
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import FREE_FALL, STANDARD_GRAVITY
from robcogen_ros.runtime.objects import _pointers
from test.drivers.usage import usage

Array = NDArray[np.float64]
EXACT = {**SHEET, "foot_position_noise": 1e-6, "foot_creep": 0.0}
"""Settings that are as the simulation is, whose legs do not bend and whose feet do not creep."""
ENCODER = 1e-3
"""Standard deviation of a measured joint position [rad]."""
RATES = 0.02
"""Standard deviation of a measured joint velocity [rad/s]."""
LEANS, FOLLOWS = 0.2, 10.0
"""Rates at which the complementary filter takes over the accelerometer's lean and the legs'
velocity [1/s]."""
STILL = 450
"""Step from which an estimator is on, when the robot has come to rest in its gait."""
CALM = 40
"""Steps from then on in which it rests."""
FIRST = 1.0
"""From when on errors count [s]."""
GAP = 0.2
"""Time without data [s]."""
SETTLED = 1.0
"""Time after it from which errors count again [s]."""


@dataclass
class Motion:
    """What happened: of each step the truth at its end."""

    position: list[Array] = field(default_factory=list)
    orientation: list[Array] = field(default_factory=list)
    base_velocity: list[Array] = field(default_factory=list)
    q: list[Array] = field(default_factory=list)
    forces: list[Array] = field(default_factory=list)

    def take(self, world: Any) -> None:
        """Adds a state."""
        for name in self.__dataclass_fields__:
            getattr(self, name).append(getattr(world, name))


class Recorded:
    """A world that is recorded."""

    def __init__(self, world: Any, motion: Motion) -> None:
        """Records a world from now on."""
        self._world, self._motion = world, motion

    def __getattr__(self, name: str) -> Any:
        """What the world has."""
        return getattr(self._world, name)

    def advance(self, *given: Any, **named: Any) -> None:
        """Moves on."""
        self._world.advance(*given, **named)
        self._motion.take(self._world)


def move(found: Subject, speed: float, sensors: Mapping[str, Any], estimates: bool) -> Any:
    """Lets a robot trot and walk; returns its loop, its recording and estimates."""
    motion = Motion()
    world = Recorded(found.on_ground(**sensors), motion)
    gait = {"name": "trot", "posture": found.posture.q}
    feet = found.footing.radii, found.footing.soles
    estimator = sensed_estimator(found.robot, *feet) if estimates else None
    loop = found.loop(world, gait, estimator)
    estimate = []
    try:
        for seconds, wanted in (
            (0.5, {}),
            (8.0, {"steps": True, "velocity": [speed, 0.0]}),
            (4.0, {"steps": True, "velocity": [0.7 * speed, 0.0], "yaw_rate": 0.3}),
            (3.0, {"steps": True, "velocity": [0.0, 0.3 * speed]}),
            (2.0, {}),
        ):
            for _ in range(round(seconds / 0.01)):
                loop.run(0.01, **wanted)
                estimate.append((loop.estimate, loop.world.base_velocity, loop.world.orientation))
    except RobcogenError as error:
        print(f"  falls after {loop.time:.2f} s: {error}")
    return loop, motion, estimate


@dataclass(frozen=True)
class Truth:
    """A recording as arrays, in the world of an estimator that begins with its first state."""

    position: Array
    turn: Rotation
    base_velocity: Array
    q: Array
    forces: Array
    rate: Array
    acceleration: Array

    @classmethod
    def of(cls, motion: Motion, level: float) -> Truth:
        """What was recorded, from where the robot stands still on.

        Args:
            motion: The recording.
            level: Height of the base above its feet [m].
        """
        names = ("position", "orientation", "base_velocity", "q", "forces")
        p, r, v, q, f = (np.array(getattr(motion, name))[STILL:] for name in names)
        turn = Rotation.from_quat(r)
        rate = (turn[:-1].inv() * turn[1:]).as_rotvec() / STEP
        middle = turn[:-1] * Rotation.from_rotvec(0.5 * STEP * rate)
        speed = turn.apply(v[:, 3:])
        gained = np.diff(speed, axis=0) / STEP - np.array(STANDARD_GRAVITY)
        ahead = turn[1].apply([1.0, 0.0, 0.0])
        level_turn = Rotation.from_euler("z", -np.arctan2(ahead[1], ahead[0]))
        start = np.array([*p[1, :2], p[1, 2] - level])
        return cls(
            level_turn.apply(p[1:] - start),
            level_turn * turn[1:],
            *(v[1:], q[1:], f[1:]),
            rate,
            middle.inv().apply(gained),
        )


def measured(truth: Truth, random: np.random.Generator) -> tuple[Array, Array, Array]:
    """What an IMU and encoders measure of it: rates, accelerations, positions."""
    shape, root = truth.rate.shape, np.sqrt(STEP)
    results = []
    for exact, kind, bias in (
        (truth.rate, "gyroscope", GYROSCOPE_BIAS),
        (truth.acceleration, "accelerometer", ACCELEROMETER_BIAS),
    ):
        walk = np.cumsum(random.normal(size=shape), axis=0) * SHEET[f"{kind}_bias_walk"] * root
        noise = random.normal(size=shape) * SHEET[f"{kind}_noise"] / root
        results.append(exact + bias * random.normal(size=3) + walk + noise)
    return results[0], results[1], truth.q + ENCODER * random.normal(size=truth.q.shape)


@dataclass
class Run:
    """Errors of a run: of velocity in the base, tilt, place; squares of Mahalanobis distances."""

    velocity: Array
    tilt: Array
    place: Array
    nees: Array
    slips: int


def complemented(robot: Any, truth: Truth, random: np.random.Generator) -> Run:
    """A complementary filter on measured numbers: turns by the gyroscope, leans by gravity.

    Its velocity is that of the accelerometer and slowly that of the legs that stand, whose feet are
    taken for fixed. The gyroscope's bias is its mean before the robot moves.
    """
    rate, acceleration, q = measured(truth, random)
    qd = np.gradient(truth.q, STEP, axis=0) + RATES * random.normal(size=truth.q.shape)
    rate = rate - rate[:CALM].mean(axis=0)
    closed = np.linalg.norm(truth.forces, axis=2) > 0.02 * FREE_FALL * robot.total_mass()
    turn = truth.turn[0] * Rotation.from_rotvec(_lean(truth.turn[0], acceleration[:CALM].mean(0)))
    speed, place = np.zeros(3), truth.position[0].copy()
    turns, speeds, places = [], [], []
    for w, f, now, moving, feet in zip(rate, acceleration, q, qd, closed, strict=True):
        turn = turn * Rotation.from_rotvec(STEP * (w + LEANS * _lean(turn, f)))
        speed = speed + STEP * (turn.apply(f) + np.array(STANDARD_GRAVITY))
        jacobian = robot.contact_jacobian(now)
        rates = np.concatenate([w, np.zeros(3), moving])
        of_feet = -(jacobian @ rates).reshape(-1, 3)[feet]
        if len(of_feet):
            speed = speed + STEP * FOLLOWS * (turn.apply(of_feet.mean(axis=0)) - speed)
        place = place + STEP * speed
        turns.append(turn)
        speeds.append(turn.inv().apply(speed))
        places.append(place)
    tilt = _tilts(Rotation.concatenate(turns), truth)
    off = np.array(speeds) - truth.base_velocity[:, 3:]
    return Run(off, tilt, np.array(places) - truth.position, np.empty(0), 0)


def _lean(turn: Rotation, force: Array) -> Array:
    """The small turn of a body that puts what it feels upwards."""
    return np.cross(force / np.linalg.norm(force), turn.inv().apply([0.0, 0.0, 1.0]))


def _tilts(believed: Rotation, truth: Truth) -> Array:
    up = np.array([0.0, 0.0, 1.0])
    cosine = np.sum(believed.inv().apply(up) * truth.turn.inv().apply(up), axis=1)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def estimated(
    robot: Any,
    truth: Truth,
    random: np.random.Generator,
    gap: tuple[int, int] = (0, 0),
    settings: Mapping[str, float] = BIASES,
) -> Run:
    """An estimator on measured numbers, without any in a gap of steps."""
    rate, acceleration, q = measured(truth, random)
    limit = 0.02 * FREE_FALL * robot.total_mass()
    closed = np.linalg.norm(truth.forces, axis=2) > limit
    estimator = robot.base_estimator(**{**BIASES, **settings})
    turn, velocity, place, nees = [], [], [], []
    level = np.zeros(3)  # the estimator's world begins where it has its feet
    for i in range(len(rate)):
        there = not gap[0] <= i < gap[1]
        found = estimator.update(
            q[i] if there else None,
            closed=closed[i],
            cycle=STEP,
            angular_velocity=rate[i] if there else None,
            linear_acceleration=acceleration[i] if there else None,
        )
        if i == 0:
            level[2] = found.position[2] - truth.position[0, 2]
        turn.append(found.orientation)
        velocity.append(found.base_velocity[3:])
        place.append(found.position - level)
        if i % 500 == 499:
            nees.append(_distance(estimator, found, truth, i, level))
    return Run(
        np.array(velocity) - truth.base_velocity[:, 3:],
        _tilts(Rotation.from_quat(np.array(turn)), truth),
        np.array(place) - truth.position,
        np.array(nees),
        found.slips,
    )


def _distance(estimator: Any, found: Any, truth: Truth, i: int, level: Array) -> float:
    """Square of the Mahalanobis distance of orientation, velocity and place."""
    believed = Rotation.from_quat(found.orientation)
    turn = (believed * truth.turn[i].inv()).as_rotvec()
    velocity = truth.turn[i].apply(truth.base_velocity[i, 3:])
    off = believed.apply(found.base_velocity[3:]) - velocity
    there = truth.position[i] + level
    error = np.concatenate(
        [turn, off + np.cross(velocity, turn), found.position - there + np.cross(there, turn)]
    )
    covariance = estimator.covariances()["filter"][:9, :9]
    return float(error @ np.linalg.solve(covariance, error))


def spent(robot: Any, truth: Truth, calls: int = 5000) -> float:
    """Seconds of a processor that a call in C takes, with all feet on the ground."""
    estimator = robot.base_estimator()
    given = {
        "angular_velocity": truth.rate[0],
        "linear_acceleration": truth.acceleration[0],
        "q": truth.q[0],
        "closed": np.ones(len(robot.contact_records)),
        "step": np.array([STEP]),
    }
    kept = estimator._object
    method = kept._methods["update"]
    pointers = _pointers([given[name] for name in method._inputs])
    method.call(kept._object, given)
    began = time.thread_time()
    for _ in range(calls):
        method._call(kept._object, pointers, method._outputs)
    return (time.thread_time() - began) / calls


def report(name: str, speed: float, runs: int) -> None:
    """Prints what came out of a robot."""
    found = subject(name)
    print(f"{name}: {found.mass:.1f} kg, trots at {speed} m/s", flush=True)
    _, motion, _ = move(found, speed, {}, estimates=False)
    feet = [contact.frame_name for contact in found.robot.contact_records]
    base = found.robot.link_names[0]
    first = np.array(motion.q[STILL + 1])
    low = np.mean([found.robot.transform(base, foot, first)[2, 3] for foot in feet])
    truth = Truth.of(motion, -float(low))
    way = float(np.linalg.norm(np.diff(truth.position[:, :2], axis=0), axis=1).sum())
    begin = round(FIRST / STEP)
    print(f"  {runs} runs of {len(truth.rate) * STEP:.1f} s, {way:.2f} m")
    radius = {"foot_radius": max(found.footing.radii.values(), default=0.0)}
    default, simulated = {**BIASES, **radius}, {**EXACT, **radius}
    seeds = [np.random.default_rng(k) for k in range(runs)]
    results = [estimated(found.robot, truth, copy(seed), settings=default) for seed in seeds]
    others = [complemented(found.robot, truth, copy(seed)) for seed in seeds]
    for said, done in (("estimator", results), ("complementary filter", others)):
        square = np.mean([np.sum(r.velocity[begin:] ** 2, axis=1).mean() for r in done])
        tilts = np.degrees(np.sqrt([np.mean(r.tilt[begin:] ** 2) for r in done]))
        drifts = [100.0 * np.linalg.norm(r.place[-1]) / way for r in done]
        print(f"  {said}: velocity rms {np.sqrt(square):.4f} m/s;", end=" ")
        print(f"tilt rms, mean of runs {tilts.mean():.3f}, largest {tilts.max():.3f} degrees;")
        print(f"    drift, mean {np.mean(drifts):.2f}, largest {np.max(drifts):.2f} % of the way")
    exact = [estimated(found.robot, truth, copy(seed), settings=simulated) for seed in seeds]
    low, high = chi2.ppf([0.025, 0.975], 9 * runs) / runs
    for said, done in (("default", results), ("simulated", exact)):
        mean = np.mean([r.nees for r in done], axis=0)[2:]
        inside = np.mean((mean >= low) & (mean <= high))
        print(f"  NEES of 9 with {said} noise, mean {mean.mean():.2f},", end=" ")
        print(f"within {low:.2f} to {high:.2f} at {inside:.0%}; last {np.round(mean[-3:], 1)}")
    print(f"  feet that slipped {np.mean([r.slips for r in results]):.1f} a run")
    print(f"  a call in C, all feet standing: {1e6 * spent(found.robot, truth):.1f} us")
    at = round(4.0 / STEP)
    until = at + round(GAP / STEP)
    lost = estimated(found.robot, truth, np.random.default_rng(0), (at, until), default)
    after = slice(until + round(SETTLED / STEP), None)
    recovered = np.sqrt(np.sum(lost.velocity[after] ** 2, axis=1).mean())
    worst = np.linalg.norm(lost.velocity[at:until], axis=1).max()
    tilt = np.degrees(lost.tilt[after].max())
    print(f"  {GAP} s without data: velocity off by up to {worst:.2f} m/s; 1 s later rms", end=" ")
    print(f"{recovered:.4f} m/s, tilt at most {tilt:.2f} degrees")
    loop, _, estimates = move(found, speed, sensor_settings(found.mass), estimates=True)
    off = [e.base_velocity[3:] - v[3:] for e, v, _ in estimates]
    rms = np.sqrt(np.mean(np.sum(np.square(off), axis=1)))
    place = loop.estimate.position[:2] - loop.world.position[:2]
    print(f"  in the loop: {loop.time:.1f} s, velocity rms {rms:.4f} m/s, place off by", end=" ")
    print(
        f"{np.linalg.norm(place):.3f} m, tilted by {np.degrees(loop.tilt):.1f} degrees at most;",
        end=" ",
    )
    print(f"faults {dict(loop.faults)}")


def main() -> None:
    """Prints figures of each robot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="+")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--speed", type=float, default=0.3, help="of the trot [m/s]")
    options = parser.parse_args()
    for name in options.robots:
        report(name, options.speed, options.runs)


if __name__ == "__main__":
    with usage():
        main()
