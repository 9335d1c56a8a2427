"""Robots to measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from test.support.robots import robot_path


@dataclass(frozen=True)
class Subject:
    """A robot to measure.

    Attributes:
        title: What it is called in the table.
        file: Its URDF, below the directory of robots.
        floating: Whether its base floats.
        lock: Joints locked at zero.
    """

    title: str
    file: str
    floating: bool
    lock: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Its file."""
        return robot_path(self.file)


SUBJECTS = (
    Subject("Panda", "panda_description/urdf/panda.urdf", False, ("panda_finger_joint1",)),
    Subject("HyQ, floating", "hyq_description/robots/hyq_no_sensors.urdf", True),
    Subject(
        "simple humanoid, floating",
        "simple_humanoid_description/urdf/simple_humanoid.urdf",
        True,
    ),
    Subject("Talos, floating", "talos_data/robots/talos_reduced.urdf", True),
)
