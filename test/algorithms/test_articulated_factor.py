"""Factors of the inertia matrix by articulated bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import robcogen_ros
from test.backends.test_loops import BUSH, written_backwards
from test.support.random_robots import for_random, is_regular, state_of, trees
from test.support.scaled import matrix_error

NAME = "articulated_inertia_matrix"


def product(found):
    """L'DL, from the rows of DL in columns."""
    diagonal = np.diagonal(found, axis1=-2, axis2=-1)
    return (found / diagonal[..., None, :]) @ np.swapaxes(found, -1, -2)


def check(robot, q):
    found = robot.evaluate(NAME, q=q)["DL"]
    assert matrix_error(product(found), robot.inertia_matrix(q)) < 1e-12
    return found


@pytest.mark.slow
@for_random(trees(mimic=False), st.booleans())
def test_they_are_those_of_the_inertia_matrix(tree, floating):
    names = ("inertia_matrix", NAME)
    robot = tree.build(floating, functions=names, terms=("armature",))
    state = state_of(robot)
    assume(is_regular(robot.inertia_matrix(state.q)))
    found = check(robot, state.q)
    assert (np.tril(found, -1) == 0).all()


@pytest.mark.parametrize("floating", [False, True])
def test_coordinates_may_be_in_any_order(floating, tmp_path):
    path = written_backwards(BUSH, tmp_path / "backwards.kindsl")
    names = ["inertia_matrix", "inertia_matrix_inverse", "inertia_factor", "solve_inertia", NAME]
    robot = robcogen_ros.build(path, backend="numpy", floating_base=floating, functions=names)
    q = np.random.default_rng(4).uniform(-2, 2, (3, robot.n))
    check(robot, q)
    H, L = robot.inertia_matrix(q), robot.inertia_factor(q)
    b = np.random.default_rng(5).normal(size=(3, H.shape[-1]))
    assert matrix_error(np.swapaxes(L, -1, -2) @ L, H) < 1e-13
    unit = robot.inertia_matrix_inverse(q) @ H
    np.testing.assert_allclose(unit, np.broadcast_to(np.eye(len(b[0])), H.shape), atol=1e-9)
    x = robot.solve_inertia(q, b)
    np.testing.assert_allclose(np.einsum("kij,kj->ki", H, x), b, atol=1e-9)


def test_of_followers_there_are_none(tmp_path):
    tree = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="x" type="continuous"><parent link="a"/><child link="b"/></joint>
      <joint name="y" type="continuous">
        <parent link="b"/><child link="c"/><mimic joint="x"/></joint>
      </robot>"""
    path = tmp_path / "r.urdf"
    path.write_text(tree)
    with pytest.raises(robcogen_ros.RobcogenError, match=NAME):
        robcogen_ros.build(path, backend="numpy", functions=[NAME])
