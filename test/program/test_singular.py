"""Robots that can move somewhere at no force are told from those that cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

import robcogen_ros
from test.support.random_robots import arm_with_everything, for_random, state_of, trees

REGULAR_ONLY = ("forward_dynamics", "inertia_factor", "inertia_matrix_inverse")


@for_random(trees(), st.booleans(), st.data())
def test_functions_are_refused_where_the_inertia_matrix_has_a_null_space(tree, floating, data):
    """Links at random, also the last ones, are without inertia."""
    bare = data.draw(st.sets(st.sampled_from([link.name for link in tree.links])))
    links = tuple(replace(x, mass=None) if x.name in bare else x for x in tree.links)
    robot = replace(tree, links=links).build(floating)
    H = robot.inertia_matrix(state_of(robot).q)
    scale = np.sqrt(np.diagonal(H, axis1=1, axis2=2).max(axis=0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(H / np.outer(scale, scale))
    if ((values > 1e-13) & (values < 1e-9)).any():
        return
    free = vectors.swapaxes(1, 2)[values < 1e-13]
    moving = np.abs(free).max(axis=0, initial=0.0) > 1e-6
    for name in REGULAR_ONLY:
        assert (name in robot.unavailable) == moving.any()
    joints = moving[6:] if floating else moving
    for joint, moves in zip(robot.joint_names, joints, strict=True):
        assert (f"'{joint}'" in robot.unavailable.get("inertia_factor", "")) == moves


def test_a_rotor_makes_a_joint_regular(tmp_path):
    tree = arm_with_everything()
    links = tuple(replace(x, mass=None) if x.name == "link5" else x for x in tree.links)
    joints = tuple(replace(j, mimic=None) for j in tree.joints)
    path = tmp_path / "arm.urdf"
    text = replace(tree, links=links, joints=joints).urdf()
    path.write_text(text.replace("<limit", '<dynamics armature="0.1"/><limit'))
    bare = robcogen_ros.build(path, backend="numpy")
    turning = robcogen_ros.build(path, backend="numpy", terms=["armature"])
    assert "'finger'" in bare.unavailable["inertia_factor"]
    assert "inertia_factor" not in turning.unavailable
