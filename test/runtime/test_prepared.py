"""Calls for a few states keep their memory, and nobody notices."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import robcogen_ros
from test.support.examples import example_path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(example_path("hyl"))


def test_a_result_stays_as_it_is_after_other_calls(robot):
    q = np.random.default_rng(0).normal(size=(2, 3))
    first = robot.inertia_matrix(q[0])
    kept = first.copy()
    robot.inertia_matrix(q[1])
    np.testing.assert_array_equal(first, kept)


def test_few_states_give_what_many_give(robot):
    states = np.random.default_rng(1).normal(size=(3, 40, 3))
    forces = np.random.default_rng(2).normal(size=(4, 6))
    many = robot.forward_dynamics(*states, external_forces=forces)
    for count in (0, 1, 2, 16, 17):
        few = robot.forward_dynamics(*states[:, :count], external_forces=forces)
        np.testing.assert_array_equal(few, many[:count])


def test_threads_do_not_share_memory(robot):
    states = np.random.default_rng(3).normal(size=(500, 3, 3))
    alone = [robot.inverse_dynamics(*state) for state in states]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda state: robot.inverse_dynamics(*state), states))
    np.testing.assert_array_equal(together, alone)
