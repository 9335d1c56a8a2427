"""What the oracle must know of a URDF besides Pinocchio's model: order of joints, mimic."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class UrdfTree:
    """The order in which a URDF's joints come, and which of them follow others.

    Attributes:
        root: Name of the root link.
        joints: Names of all moving joints, depth first, children in document order.
        mimic: Follower's name -> (leader's name, multiplier, offset).
        pitches: Of helical joints, how far they slide [m per turn].
    """

    root: str
    joints: tuple[str, ...]
    mimic: dict[str, tuple[str, float, float]]
    pitches: dict[str, float]

    @property
    def free_joints(self) -> tuple[str, ...]:
        """The joints that follow no other, in order: the robot's coordinates."""
        return tuple(name for name in self.joints if name not in self.mimic)

    def without(self, joints: Sequence[str]) -> UrdfTree:
        """The tree with some joints, and those that follow them, no longer moving."""
        kept = tuple(name for name in self.joints if self.leader(name)[0] not in joints)
        mimic = {name: follow for name, follow in self.mimic.items() if name in kept}
        return UrdfTree(self.root, kept, mimic, self.pitches)

    def leader(self, joint: str) -> tuple[str, float, float]:
        """The free joint that moves a joint: q = multiplier * leader's + offset."""
        if joint not in self.mimic:
            return joint, 1.0, 0.0
        leader, multiplier, offset = self.mimic[joint]
        free, outer_multiplier, outer_offset = self.leader(leader)
        return free, multiplier * outer_multiplier, multiplier * outer_offset + offset


def read_urdf_tree(path: Path) -> UrdfTree:
    """The order of a URDF's joints."""
    robot = ElementTree.parse(path).getroot()
    children: dict[str, list[ElementTree.Element]] = {}
    for joint in robot.findall("joint"):
        children.setdefault(_link(joint, "parent"), []).append(joint)
    below = {_link(joint, "child") for joint in robot.findall("joint")}
    names = [link.get("name", "") for link in robot.findall("link")]
    root = next((name for name in names if name not in below), "")
    moving = [joint for joint in _depth_first(root, children) if joint.get("type") != "fixed"]
    return UrdfTree(
        root,
        tuple(joint.get("name", "") for joint in moving),
        {
            joint.get("name", ""): _mimic(mimic)
            for joint in moving
            if (mimic := joint.find("mimic")) is not None
        },
        {
            joint.get("name", ""): float(pitch)
            for joint in moving
            if (axis := joint.find("axis")) is not None
            and (pitch := axis.get("screw_thread_pitch"))
        },
    )


def _depth_first(
    root: str, children: dict[str, list[ElementTree.Element]]
) -> list[ElementTree.Element]:
    order, stack = [], list(reversed(children.get(root, [])))
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(reversed(children.get(_link(joint, "child"), [])))
    return order


def _link(joint: ElementTree.Element, end: str) -> str:
    element = joint.find(end)
    assert element is not None
    return element.get("link", "")


def _mimic(element: ElementTree.Element) -> tuple[str, float, float]:
    return (
        element.get("joint", ""),
        float(element.get("multiplier", "1")),
        float(element.get("offset", "0")),
    )
