"""Robots on legs: how still they stand, how far they walk, and which pushes they survive.

A robot stands on its feet as the demo finds them, under its whole-body controller at 1 kHz, while
its trunk is asked to sway and turn a little. A push is a horizontal force at the origin of the
base, 0.1 s long; the largest one that is survived is found by bisection: the trunk tilts by less
than 30 degrees, and all is at rest 5 s later. It is found of a robot that keeps its feet where they
are, of one that may step, and of one that steps on the spot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.robots import robot_path
from robcogen_ros.control.legged_loop import LeggedLoop, World
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.runtime.gait import usual_gait
from robcogen_ros.runtime.whole_body import Motion
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import Footing, find_footing
from robcogen_ros.standing.posture import Legs, Posture

Array = NDArray[np.float64]

FILES = {
    "HyQ": "hyq_description/robots/hyq_no_sensors.urdf",
    "Solo12": "solo_description/robots/solo12.urdf",
    "ANYmal": "anymal_b_simple_description/robots/anymal.urdf",
    "Go1": "go1_description/urdf/go1.urdf",
    "A1": "a1_description/urdf/a1.urdf",
    "Talos": "talos_data/robots/talos_reduced.urdf",
}
FRICTION, TRUSTED = 0.6, 0.5
"""Coefficient of friction of the ground, and the one that the controller reckons with."""
SWAY, TURN = 0.03, 0.05
"""Size of the motion that the trunk follows, as a share of its height, and its turn [rad]."""
RATES = 2 * np.pi * np.array([0.28, 0.4, 0.52])
"""Frequencies of the sway ahead, to the side and in height [rad/s]."""
AXIS = np.array([0.48, 0.6, 0.64])
"""Axis of the turn, which goes with the sway ahead."""
PUSH, RECOVERY = 0.1, 5.0
"""Length of a push [s], and time to rest after it [s]."""
MOST, RESOLUTION = 2.0, 0.05
"""Largest push that is tried, and how exactly it is found, as a change of speed [m/s]."""
DIRECTIONS = {"forwards": np.array([1.0, 0.0, 0.0]), "sideways": np.array([0.0, 1.0, 0.0])}
WAY, FROUDE = 2.0, 0.04
"""Length of a walk [m], and its speed, as a share of the root of gravity times height."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A robot that stands.

    Attributes:
        title: What it is called in tables.
        file: Its file.
        robot: The robot, compiled.
        footing: Its feet.
        posture: In which it stands.
        mass: In total [kg].
        gait: In which it steps: 'trot', 'walk', or 'stand' where it does not.
        problem: Why its feet do not step, though there are as many as in a gait.
    """

    title: str
    file: Path
    robot: Any
    footing: Footing
    posture: Posture
    mass: float
    gait: str
    problem: str = ""

    def on_ground(self, **sensors: Any) -> Any:
        """The robot standing on its ground, with sensors as settings of `robot.ground()`."""
        feet = {"radii": self.footing.radii, "soles": self.footing.soles}
        ground = self.robot.ground(friction=FRICTION, **feet, **sensors)
        ground.place(self.posture.q, position=[0.0, 0.0, self.posture.height])
        return ground

    def loop(
        self, world: World, gait: dict[str, Any] | None = None, estimator: Any = None
    ) -> LeggedLoop:
        """The robot under control, from its true state or from that of an estimator."""
        return LeggedLoop(
            self.robot,
            world,
            friction=FRICTION,
            trusted=TRUSTED,
            soles=self.footing.soles,
            gait=gait,
            posture=self.posture.q,
            estimator=estimator,
        )

    def trunk(self, height: float) -> Callable[[float], Motion]:
        """A small motion of the trunk about where it stands at a height [m]."""
        sizes = np.append(SWAY * self.posture.height * np.ones(3), TURN)
        rates = np.append(RATES, RATES[0])

        def at(time: float) -> Motion:
            # to and fro from zero, where it begins at rest
            phase = rates * time
            x = sizes * 0.5 * (1.0 - np.cos(phase))
            v, a = 0.5 * sizes * rates * np.sin(phase), 0.5 * sizes * rates**2 * np.cos(phase)
            return Motion(
                np.array([0.0, 0.0, height]) - x[:3],
                np.append(np.sin(0.5 * x[3]) * AXIS, np.cos(0.5 * x[3])),
                v[3] * AXIS,
                -v[:3],
                a[3] * AXIS,
                -a[:3],
            )

        return at


def subject(name: str) -> Subject:
    """A robot of example-robot-data by its title, or of a file; built, which takes minutes.

    Raises:
        RobcogenError: If there is none, it stands on no feet, or nothing compiles.
    """
    file = robot_path(FILES[name]) if name in FILES else Path(name)
    footing = find_footing(file)
    if not footing.contacts:
        raise RobcogenError(f"{name} is {footing.told}")
    robot = build_standing(file, {}, footing)
    posture = Legs(robot, footing.feet).standing(footing.standing)
    gait, problem = usual_gait(footing.contacts), ""
    try:
        robot.gait(name=gait, posture=posture.q, soles=footing.soles or None)
    except RobcogenError as error:
        gait, problem = "stand", str(error)
    return Subject(name, file, robot, footing, posture, robot.total_mass(), gait, problem)


@dataclass(frozen=True, slots=True)
class Stood:
    """Record of a robot that stood.

    Attributes:
        seconds: How long, until it fell if it did.
        position: Error of the trunk's position, rms [m].
        angle: Error of its orientation, rms [rad].
        friction: Greatest share of the friction cones, commanded and in the world.
        effort: Greatest share of the limits of efforts.
        notes: Faults of the controller, and what else happened.
    """

    seconds: float
    position: float
    angle: float
    friction: Array
    effort: float
    notes: str


def stand(subject: Subject, world: World, seconds: float) -> Stood:
    """Lets a robot stand and follow a small motion with its trunk."""
    loop, notes = subject.loop(world), []
    try:
        loop.run(seconds, trunk=subject.trunk(float(world.position[2])))
    except RobcogenError as error:
        notes.append(str(error))
    notes += [f"{name} {count}" for name, count in sorted(loop.faults.items())]
    counters = getattr(world, "counters", {})
    notes += [f"{count} steps unsettled" for name, count in counters.items() if name == "unsettled"]
    errors = np.array(loop.errors)
    return Stood(
        loop.time,
        float(np.sqrt((errors[:, :3] ** 2).sum(axis=1).mean())),
        float(np.sqrt((errors[:, 3] ** 2).mean())),
        loop.friction_used,
        loop.effort,
        ", ".join(notes),
    )


def survives(subject: Subject, impulse: Array, way: str) -> bool:
    """Returns True if a robot stands again after a push at its trunk.

    Args:
        subject: The robot.
        impulse: (3,) in world axes [N s].
        way: "standing", with its feet where they are; "stepping", where it stands and may step;
            "on the spot", which it steps on until 2 s after the push.
    """

    def push(time: float) -> Array:
        return impulse / PUSH if time < PUSH else np.zeros(3)

    ground, posture = subject.on_ground(), subject.posture
    try:
        if subject.gait == "stand":
            loop = subject.loop(ground)
            held = Motion((0.0, 0.0, posture.height))
            loop.run(PUSH + RECOVERY, push=push, trunk=lambda _: held)
        else:
            gait = {"name": subject.gait, "posture": posture.q, "recover": way != "standing"}
            loop, steps = subject.loop(ground, gait), way == "on the spot"
            loop.run(1.0, steps=steps)
            loop.run(2.0, push=push, steps=steps)
            loop.run(PUSH + RECOVERY - 2.0)
    except RobcogenError:
        return False
    return loop.rests


def largest_push(subject: Subject, direction: Array, way: str) -> float:
    """The largest push that is survived, as a change of speed [m/s]."""
    low, high = 0.0, MOST
    while high - low > RESOLUTION:
        middle = 0.5 * (low + high)
        if survives(subject, middle * subject.mass * direction, way):
            low = middle
        else:
            high = middle
    return low


def walked(subject: Subject) -> tuple[float, float, str]:
    """Returns the way that a robot walks [m], the time [s], and what happened."""
    gait = {"name": "walk", "posture": subject.posture.q}
    loop = subject.loop(subject.on_ground(), gait)
    speed = FROUDE * float(np.sqrt(FREE_FALL * subject.posture.height))
    note = ""
    try:
        while loop.world.position[0] < WAY and loop.time < 3.0 * WAY / speed:
            loop.run(0.1, steps=True, velocity=[speed, 0.0])
    except RobcogenError as error:
        note = str(error)
    return float(loop.world.position[0]), loop.time, note


def lines(names: Sequence[str], seconds: float, mujoco: bool) -> Iterator[str]:
    """A report on robots, line by line.

    Raises:
        RobcogenError: If a robot cannot be built, or MuJoCo is not there.
    """
    yield f"friction {FRICTION}, of the controller {TRUSTED}; steps of 1 ms; pushes of {PUSH} s"
    for name in names or FILES:
        found = subject(name)
        height = f"{found.posture.height:.2f} m"
        yield f"{name}: {found.mass:.1f} kg, {height}, {found.footing.told}"
        if found.problem:
            yield f"  does not step: {found.problem}"
        yield _stood("ground", stand(found, found.on_ground(), seconds))
        if mujoco:
            from robcogen_ros.bench.mujoco_world import MujocoWorld

            world = MujocoWorld(found.file, found.robot, found.footing, found.posture, FRICTION)
            yield _stood("MuJoCo", stand(found, world, seconds))
        steps = found.gait != "stand"
        for way in ("standing", "stepping", "on the spot") if steps else ("standing",):
            for word, direction in DIRECTIONS.items():
                push = largest_push(found, direction, way)
                yield f"  pushed {word}, {way}: {push * found.mass:.1f} N s, {push:.2f} m/s"
        if steps:
            far, time, note = walked(found)
            yield f"  walks {far:.2f} m in {time:.1f} s {note}".rstrip()


def _stood(where: str, stood: Stood) -> str:
    errors = f"{1e3 * stood.position:.3f} mm, {1e3 * stood.angle:.3f} mrad rms"
    commanded, there = stood.friction
    cones = f"friction {commanded:.2f} of the cones commanded, {there:.2f} there"
    parts = f"{errors}; {cones}; efforts {stood.effort:.2f}"
    return f"  stands {stood.seconds:.0f} s ({where}): {parts}" + (
        f"; {stood.notes}" if stood.notes else ""
    )
