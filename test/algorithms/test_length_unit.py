"""Lengths in a unit of the robot's own: the same results, fewer products."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("hypothesis")

from hypothesis import assume

from robcogen_ros.algorithms.catalogue import functions
from robcogen_ros.algorithms.length_unit import with_own_unit
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model.expression import expression
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.trace import trace
from test.support.random_robots import Joint, Link, Tree, for_random, is_regular, trees

UPPER, FORE = 0.31, 0.27


def reduced(tree, **options):
    return reduce(parse(Source("robot.urdf", tree.urdf())), **options)


def arm(*places, kind="revolute"):
    """Blocks, one on the other, turning about y and x by turns; of `kind` the last one."""
    tensor = (0.03, 0.002, 0.001, 0.025, -0.002, 0.02)
    blocks = [Link(f"link{i}", 2.0, (0.03, -0.05, 0.06), tensor=tensor) for i in range(len(places))]
    links = (Link("base"), *blocks)
    kinds = ["revolute"] * (len(places) - 1) + [kind]
    axes = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    joints = tuple(
        Joint(f"j{i}", kinds[i], links[i].name, f"link{i}", xyz, axis=axes[i % 2])
        for i, xyz in enumerate(places)
    )
    return Tree(links, joints)


HERE = (0.0, 0.0, 0.2)
ARM = arm(HERE, HERE, (0.0, 0.0, UPPER), (FORE, 0.0, 0.0), (0.0, 0.0, UPPER), (0.0, 0.1, 0.0))


def unit(robot):
    return float(with_own_unit(robot).unit)


def in_si(robot):
    return not with_own_unit(robot).has_own_unit


def turning(tree):
    """The tree, its sliding joints turning."""
    for joint in tree.joints:
        if joint.kind == "prismatic":
            tree = tree.with_joint(replace(joint, kind="revolute"))
    return tree


@for_random(trees(), examples=30)
def test_results_are_the_same_whatever_is_given(tree):
    robot = reduced(turning(tree))
    random = np.random.default_rng(robot.n)
    H = interpret(trace(functions(robot)["inertia_matrix"], robot), {"q": [0.3] * robot.n})["H"]
    assume(is_regular(np.reshape(np.array(H, float), (robot.n, robot.n))))
    measured = {f.name: f for f in functions(robot).values() if f.in_unit}
    assert {"inverse_dynamics", "forward_dynamics", "inertia_matrix"} <= measured.keys()
    for function in measured.values():
        given = {
            a.name: [0.3] * robot.n if a.name == "q" else list(random.uniform(-2, 2, a.size))
            for a in function.inputs
        }
        expected = interpret(trace(function, robot), given)
        found = interpret(trace(function.in_unit, robot), given)
        for name, right in expected.items():
            entries = np.array(right, float)
            scale = 1e-9 * (1 + np.abs(entries).max(initial=0))
            np.testing.assert_allclose(np.array(found[name], float), entries, atol=scale)


def test_the_unit_is_the_length_that_most_joints_are_apart():
    assert unit(reduced(ARM)) == UPPER


def test_what_the_first_joint_carries_counts_where_there_is_nothing_else():
    assert unit(reduced(arm(HERE, (0.0, 0.0, FORE)))) == FORE
    assert unit(reduced(arm(HERE, (0.0, 0.0, FORE), (0.0, 0.0, UPPER)))) == UPPER


def test_all_lengths_and_masses_are_measured_in_it():
    robot = reduced(ARM)
    joints = tuple(replace(joint, pole=expression(2 * UPPER)) for joint in robot.joints)
    links = tuple(replace(link, carried=expression(1)) for link in robot.links)
    measured = with_own_unit(replace(robot, joints=joints, links=links))
    for link, before in zip(measured.links, robot.links, strict=True):
        assert float(link.carried) == pytest.approx(UPPER**2)
        assert float(link.inertia.mass) == pytest.approx(float(before.inertia.mass) * UPPER**2)
    for joint, before in zip(measured.joints, robot.joints, strict=True):
        assert float(joint.pole) == 2.0
        assert float(joint.pose.translation.z) == pytest.approx(
            float(before.pose.translation.z) / UPPER
        )
    for frame, before in zip(measured.frames, robot.frames, strict=True):
        assert float(frame.pose.translation.x) == pytest.approx(
            float(before.pose.translation.x) / UPPER
        )


def test_one_joint_alone_has_no_unit():
    assert in_si(reduced(arm(HERE)))


def test_positions_of_sliding_joints_bases_and_parameters_are_in_metres():
    assert in_si(reduced(arm(HERE, HERE, (0.0, 0.0, UPPER), kind="prismatic")))
    assert in_si(reduced(ARM, floating_base=True))
    assert in_si(reduced(ARM, parameters=["link3.mass"]))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics", "inertia_matrix"])
def test_fewer_numbers_are_multiplied(name):
    robot = reduced(ARM)
    plain = Library(robot, [name], without=["length-unit"]).operations(name)
    found = Library(robot, [name]).operations(name)
    assert found["multiply"] <= plain["multiply"] - 10
    assert sum(found.values()) < sum(plain.values())


def test_code_tells_its_unit():
    robot = reduced(ARM)
    summary = Library(robot, ["inertia_matrix"]).entry("inertia_matrix").fastest.summary
    assert f"lengths in units of {UPPER} m" in summary
    plain = Library(robot, ["inertia_matrix"], without=["length-unit"])
    assert "units of" not in plain.entry("inertia_matrix").fastest.summary
