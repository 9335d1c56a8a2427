"""Kinds of joints with one coordinate: each is its motion subspace S, on z of the joint's frame.

A kind is a file here, a line in this one, and what readers and writers of formats call it.
"""

from robcogen_ros.model.joint_kinds.helical import Helical
from robcogen_ros.model.joint_kinds.kind import AXIS, JointKind
from robcogen_ros.model.joint_kinds.prismatic import PRISMATIC
from robcogen_ros.model.joint_kinds.revolute import REVOLUTE

__all__ = ["AXIS", "KINDS", "PRISMATIC", "REVOLUTE", "Helical", "JointKind"]

KINDS: dict[str, JointKind] = {
    "revolute": REVOLUTE,
    "continuous": REVOLUTE,
    "prismatic": PRISMATIC,
}
"""The kind of each type of joint with one coordinate, by its name in descriptions."""
