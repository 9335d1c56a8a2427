"""Robots with limbs of equal shape, and their functions with limbs side by side."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from robcogen_ros.algorithms.limbs import find_limbs
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.vectorise import vectorise
from robcogen_ros.program.trace import trace
from test.support.random_robots import Tree, trees
from test.support.random_robots import links as random_links


def packed(robot, function):
    """The same side by side, worth it or not."""
    limbs = find_limbs(robot)
    return vectorise(trace(Library(robot).function(function), robot, limbs=limbs), robot, limbs)


@st.composite
def limbed_trees(draw):
    """A robot with limbs of equal shape on its base, all other numbers at random."""
    limb = draw(trees(most=2, mimic=False))
    count = draw(st.sampled_from([2, 3, 4, 5]))
    joints, bodies = [], [draw(random_links("base"))]
    for k in range(count):
        other = draw(trees(most=2, mimic=False))
        for i, joint in enumerate(limb.joints):
            numbers = other.joints[i % len(other.joints)]
            parent = "base" if joint.parent == "link0" else f"limb{k}_{joint.parent}"
            joints.append(
                replace(
                    joint,
                    name=f"limb{k}_{joint.name}",
                    parent=parent,
                    child=f"limb{k}_{joint.child}",
                    xyz=numbers.xyz,
                    rpy=numbers.rpy,
                    axis=numbers.axis,
                )
            )
            bodies.append(draw(random_links(f"limb{k}_{joint.child}")))
    return Tree(tuple(bodies), tuple(joints))
