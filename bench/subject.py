"""Robots to measure, and a robot as the program reads it that counts operations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def model_lines(model) -> Iterator[str]:
    """Pinocchio's model, one line a joint, as the measuring program reads it."""
    for index in range(1, model.njoints):
        joint, placement = model.joints[index], model.jointPlacements[index]
        kind, axis = _kind(joint)
        inertia = model.inertias[index]
        tensor = inertia.inertia
        numbers: Sequence[float] = [
            *placement.translation,
            *placement.rotation.ravel(),
            *axis,
            inertia.mass,
            *inertia.lever,
            *(tensor[0, 0], tensor[0, 1], tensor[1, 1], tensor[0, 2], tensor[1, 2], tensor[2, 2]),
        ]
        text = " ".join(repr(float(x)) for x in numbers)
        yield f"{kind} {model.parents[index]} {model.names[index]} {text}\n"


def _kind(joint) -> tuple[str, Sequence[float]]:
    name = joint.shortname().removeprefix("JointModel")
    if name == "RevoluteUnaligned":
        return "RU", joint.extract().axis
    if name == "PrismaticUnaligned":
        return "PU", joint.extract().axis
    return name, (0.0, 0.0, 0.0)
