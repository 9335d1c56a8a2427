"""Random robots are the same in MuJoCo."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

pytest.importorskip("mujoco")

from robcogen_ros.cli.urdf2mjcf import main
from test.support.in_mujoco import TERMS, InMujoco, compared
from test.support.random_robots import Tree, for_random, trees
from test.support.scaled import wrong


@for_random(trees(), st.booleans(), st.integers(0, 1000), examples=25)
def test_mujoco_computes_what_we_compute(tree, floating, seed):
    tree = with_terms(tree, np.random.default_rng(seed))
    ours = tree.build(floating, terms=TERMS)
    with tempfile.TemporaryDirectory() as folder:
        urdf, xml = Path(folder, "r.urdf"), Path(folder, "r.xml")
        urdf.write_text(tree.urdf())
        options = ["--floating-base"] * floating
        assert main([str(urdf), "-o", str(xml), *options]) == 0
        assert wrong(compared(ours, InMujoco(ours, xml))) == {}


def with_terms(tree: Tree, random: np.random.Generator) -> Tree:
    """The robot with some damping, dry friction and armature."""
    moving = {joint.name: (random.integers(0, 4, 3) / 4).tolist() for joint in tree.joints}
    joints = (
        joint if joint.kind == "fixed" else replace(joint, terms=tuple(moving[joint.name]))
        for joint in tree.joints
    )
    return Tree(tree.links, tuple(joints))
