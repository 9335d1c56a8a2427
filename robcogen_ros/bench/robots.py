"""Robots to measure: those of the PyPI package `example-robot-data`, and random trees."""

from __future__ import annotations

import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot


def robots_directory() -> Path | None:
    """Returns the folder where the robots are installed; None if they are not."""
    found = (
        Path(sysconfig.get_paths()[scheme], "cmeel.prefix/share/example-robot-data/robots")
        for scheme in ("purelib", "platlib")
    )
    return next((path for path in found if path.is_dir()), None)


def robot_path(name: str) -> Path:
    """The file of the robot of this name, a path below the directory of robots.

    Raises:
        RobcogenError: If the robots are not installed.
    """
    directory = robots_directory()
    if directory is None:
        raise RobcogenError("robots to measure are not installed: pip install example-robot-data")
    return directory / name


@dataclass(frozen=True)
class Subject:
    """A robot to measure.

    Attributes:
        title: What it is called in tables.
        file: Its URDF, below the directory of robots; empty for a random tree.
        floating: Whether its base floats.
        lock: Joints locked at zero.
        joints: Joints of a random tree.
    """

    title: str
    file: str = ""
    floating: bool = False
    lock: tuple[str, ...] = ()
    joints: int = 0

    @property
    def path(self) -> Path:
        """The robot's file."""
        if not self.joints:
            return robot_path(self.file)
        path = Path(tempfile.gettempdir(), f"robcogen_tree_of_{self.joints}_joints.urdf")
        path.write_text(random_tree(self.joints), encoding="utf-8")
        return path

    def read(self) -> Robot:
        """The robot."""
        lock = dict.fromkeys(self.lock, 0.0)
        return read(self.path, floating_base=self.floating, lock=lock).robot


_HYQ = "hyq_description/robots/hyq_no_sensors.urdf"

SUBJECTS = (
    Subject("Panda", "panda_description/urdf/panda.urdf", lock=("panda_finger_joint1",)),
    Subject("UR5", "ur_description/urdf/ur5_robot.urdf"),
    Subject("xArm 7", "xarm_description/urdf/xarm7.urdf"),
    Subject("HyQ", _HYQ),
    Subject("HyQ, floating", _HYQ, True),
    Subject("Solo12, floating", "solo_description/robots/solo12.urdf", True),
    Subject("ANYmal C, floating", "anymal_c_simple_description/urdf/anymal.urdf", True),
    Subject("Talos, floating", "talos_data/robots/talos_reduced.urdf", True),
    Subject("G1, floating", "g1_description/urdf/g1_29dof_rev_1_0.urdf", True),
    Subject("iCub", "icub_description/robots/icub_reduced.urdf"),
)
"""Arms, legs on a fixed and on a floating base, humanoids."""

TREES = tuple(Subject(f"tree of {n} joints", joints=n) for n in (20, 60, 100))


def chosen(titles: str) -> list[Subject]:
    """Robots and trees whose titles begin with one of some words, separated by commas.

    Raises:
        RobcogenError: If there is none of such a title.
    """
    found = [
        [subject for subject in (*SUBJECTS, *TREES) if subject.title.startswith(word)]
        for word in titles.split(",")
    ]
    for word, subjects in zip(titles.split(","), found, strict=True):
        if not subjects:
            known = "; ".join(subject.title for subject in (*SUBJECTS, *TREES))
            raise RobcogenError(f"expected one of: {known}; found '{word}'")
    return list(dict.fromkeys(subject for subjects in found for subject in subjects))


def random_tree(joints: int) -> str:
    """The URDF of a tree of turning joints in general directions, one in four a new branch."""
    random = Random(joints)

    def three(scale: float) -> str:
        return " ".join(f"{random.uniform(-scale, scale):.3f}" for _ in range(3))

    parts = []
    for i in range(joints + 1):
        parts.append(
            f'<link name="link{i}"><inertial><origin xyz="{three(0.1)}"/>'
            f'<mass value="{random.uniform(1, 3):.2f}"/><inertia ixx="0.01" ixy="0.001" '
            'ixz="-0.002" iyy="0.012" iyz="0.0015" izz="0.014"/></inertial></link>'
        )
    for i in range(1, joints + 1):
        parent = max(0, i - (1 if random.random() < 0.75 else 5))
        parts.append(
            f'<joint name="joint{i}" type="continuous"><parent link="link{parent}"/>'
            f'<child link="link{i}"/><origin xyz="{three(0.3)}" rpy="{three(3)}"/>'
            f'<axis xyz="{three(1)}"/></joint>'
        )
    return "\n".join([f'<robot name="tree_of_{joints}">', *parts, "</robot>"])
