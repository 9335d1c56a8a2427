"""Robots on legs by how they know which feet touch: `python -m test.drivers.felt_feet FILE...`.

A robot steps in its usual gait and goes ahead on our ground, under the controller of nodes and
plugins, with its base from the estimator. Its feet are felt by `--source`, as the parameter
`contact_source` says. `--masses` and `--friction` are of the robot alone: its controller has those
of the file, with `--known` the friction, too. `--jitter` is the share of cycles that are late.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from robcogen_ros.control.balance import Balance
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.leg_sensors import sensor_settings
from robcogen_ros.formats.urdf.text import urdf_text
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.gait import GAITS, usual_gait
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from test.drivers.usage import usage

SOURCES = ("forces", "observer", "schedule")
GO = 1.0
"""When it goes ahead [s]."""
LATE = 0.008
"""By how much a cycle is late that is, on average [s]."""
FALLEN = 0.6
"""Tilt of one that falls [rad]."""
STEP = 0.001
"""Of the ground, at most [s]."""


@dataclass
class Walk:
    """A robot that goes ahead.

    Attributes:
        tilt: Greatest angle of its trunk from level [rad].
        felt: Which feet were told to touch and which did, a row a cycle.
    """

    robot: Any
    ground: Any
    balance: Balance
    time: float = 0.0
    tilt: float = 0.0
    felt: list[tuple[Array, Array]] = field(default_factory=list)

    def go(self, seconds: float, speed: float, period: float, jitter: float) -> bool:
        """Goes ahead for a time; returns whether it has fallen."""
        random = np.random.default_rng(0)
        rate, acceleration = np.zeros(3), np.array([0.0, 0.0, 9.81])
        while self.time < seconds and self.tilt < FALLEN:
            if self.time > GO:
                self.balance.command((speed, 0.0, 0.0), self.time)
            self.balance.take_imu(rate, acceleration, self.time)
            for foot, force in enumerate(self.ground.forces if self.time else ()):
                self.balance.take_force(foot, force)
            names = self.robot.joint_names
            efforts = self.balance.take_joints(names, self.ground.q, self.ground.qd, self.time)
            if efforts is None:  # its estimator has not begun
                self.time += period
                continue
            late = random.exponential(LATE) if random.random() < jitter else 0.0
            rate, acceleration = self._move(efforts, period + late)
            self._watch()
        return self.tilt >= FALLEN

    def _move(self, efforts: Array, period: float) -> tuple[Array, Array]:
        """Moves it on; returns what the IMU measured on average."""
        steps = int(np.ceil(period / STEP - 1e-9))
        rates, accelerations = [], []
        for _ in range(steps):
            self.ground.advance(efforts, period / steps)
            rates.append(self.ground.angular_velocity)
            accelerations.append(self.ground.linear_acceleration)
        self.time += period
        return np.mean(rates, axis=0), np.mean(accelerations, axis=0)

    def _watch(self) -> None:
        upright = rotation(self.ground.orientation)[2, 2]
        self.tilt = max(self.tilt, float(np.arccos(np.clip(upright, -1.0, 1.0))))
        if self.time > GO:
            self.felt.append((self.balance.estimate["closed"] > 0.0, self.ground.touches.copy()))


def changed(file: str, folder: str, masses: float, friction: float) -> str:
    """Returns a file of a robot like that of another one, with other masses and dry friction."""
    if masses == 1.0 and friction == 0.0:
        return file
    root = ElementTree.fromstring(urdf_text(file, {}))
    for tag in ("mass", "inertia"):
        for element in root.iterfind(f"link/inertial/{tag}"):
            for name, number in element.attrib.items():
                element.set(name, str(masses * float(number)))
    for joint in root.iterfind("joint"):
        if friction and joint.get("type") in {"revolute", "continuous", "prismatic"}:
            dynamics = joint.find("dynamics")
            dynamics = ElementTree.SubElement(joint, "dynamics") if dynamics is None else dynamics
            dynamics.set("friction", str(friction))
    name = f"{Path(file).stem}_{masses:g}_{friction:g}.urdf"
    path = Path(folder) / re.sub(r"\s", "_", name)
    path.write_text(ElementTree.tostring(root, encoding="unicode"))
    return str(path)


def walk_of(file: str, options: argparse.Namespace, folder: str) -> Walk:
    """Returns a robot that stands."""
    footing = find_footing(file)
    known = changed(file, folder, 1.0, options.friction if options.known else 0.0)
    robot = build_standing(known, {}, footing)
    real = build_standing(changed(file, folder, options.masses, options.friction), {}, footing)
    stands = Legs(robot, footing.feet).standing(footing.standing)
    ground = real.ground(
        radii=footing.radii or None,
        soles=footing.soles or None,
        **sensor_settings(robot.total_mass()),
    )
    ground.place(stands.q, position=[0.0, 0.0, stands.height])
    settings = {
        "posture": stands.q,
        "gait": float(GAITS.index(usual_gait(robot.contact_records))),
        "friction": 0.5,
        "base_state": 2.0,
        "contact_source": float(SOURCES.index(options.source)),
    }
    radius = max(footing.radii.values(), default=0.0)
    return Walk(robot, ground, Balance(robot, settings, soles=footing.soles, foot_radius=radius))


def tell(file: str, options: argparse.Namespace, folder: str) -> None:
    """Prints how a robot went."""
    walk = walk_of(file, options, folder)
    fallen = walk.go(options.seconds, options.speed, 1.0 / options.rate, options.jitter)
    told, true = np.array(walk.felt).swapaxes(0, 1)
    false, missed = (told & ~true).sum() / (~true).sum(), (~told & true).sum() / true.sum()
    x, y, _ = walk.ground.position
    print(
        f"{Path(file).stem}: {x:.2f} of {options.speed * (options.seconds - GO):.2f} m ahead, "
        f"{1e3 * y:.0f} mm aside, tilt {walk.tilt:.3f} rad{', falls' if fallen else ''}; of feet "
        f"in the air {100 * false:.1f} % are felt, of those on the ground {100 * missed:.1f} % not",
        flush=True,
    )


def main() -> int:
    """Tells of all robots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--source", choices=SOURCES, default="observer")
    parser.add_argument("--rate", type=float, default=1000.0, help="of the controller [Hz]")
    parser.add_argument("--jitter", type=float, default=0.0, help="share of late cycles")
    parser.add_argument("--speed", type=float, default=0.2, help="[m/s]")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--masses", type=float, default=1.0, help="of the robot, by the file's")
    parser.add_argument("--friction", type=float, default=0.0, help="of its joints [N m]")
    parser.add_argument("--known", action="store_true", help="whether the controller knows it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            tell(file, options, folder)
    return 0


if __name__ == "__main__":
    with usage():
        raise SystemExit(main())
