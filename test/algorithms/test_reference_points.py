"""Tensors are added up about reference points where an inertia would else be a small difference."""

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.algorithms.conditioning import prepare
from robcogen_ros.algorithms.conditioning.link_frames import with_chosen_frames
from robcogen_ros.algorithms.conditioning.reference_points import with_reference_points
from robcogen_ros.algorithms.mechanics.composite_inertia import composite_inertias
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.model.conditioned import Conditioning, conditioned, conditioning
from robcogen_ros.program.interpret import interpret, interpret_exactly
from robcogen_ros.program.library import Library
from test.support.model_of import model_of
from test.support.random_robots import Joint, Link, Tree

KNEE = (-0.08, 0.01, -0.31)
"""Where a thigh ends, oblique to its yaw axis [m]."""

ROLL = (0.0, 0.0, -0.1)
"""Where the roll axis is, seen from that of pitch [m]."""

LIGHT, HEAVY = 2e-3, 0.2
"""Moments of inertia of a hip's links [kg m^2]."""

SIDES = (-0.2, 0.2)
"""Where legs hang on the trunk [m]."""


def robot_of(links, joints):
    return model_of(Tree(tuple(links), tuple(joints)).urdf())


def rod(name, mass, end):
    """A rod from its joint to a point."""
    x, y, z = end
    xx, yy, zz = (mass / 12 * (a * a + b * b) + 1e-4 for a, b in ((y, z), (x, z), (x, y)))
    xy, xz, yz = (-mass / 12 * a * b for a, b in ((x, y), (x, z), (y, z)))
    return Link(name, mass, (x / 2, y / 2, z / 2), tensor=(xx, xy, xz, yy, yz, zz))


def legs(sides=SIDES[:1], hip=LIGHT):
    """Legs that pitch, roll and yaw at the hip, the links of which have some inertia.

    The second leg's joints turn the other way.
    """
    links, joints = [Link("trunk", 1.0)], []
    for n, y in enumerate(sides):
        tensor = (hip, 0.0, 0.0, hip, 0.0, hip)
        links += [Link(f"pitching{n}", 0.3, tensor=tensor), Link(f"rolling{n}", 0.3, tensor=tensor)]
        links += [rod(f"thigh{n}", 4.0, KNEE), rod(f"shank{n}", 3.0, (0.0, 0.0, -0.3))]
        names = ["trunk", *(link.name for link in links[-4:])]
        way = (-1.0) ** n
        axes = ((0.0, way, 0.0), (way, 0.0, 0.0), (0.0, 0.0, way), (0.0, way, 0.0))
        places = ((0.0, y, 0.0), ROLL, (0.0, 0.0, 0.0), KNEE)
        joints += [
            Joint(f"{name}_joint", "revolute", before, name, xyz=xyz, axis=axis)
            for before, name, xyz, axis in zip(names, names[1:], places, axes, strict=False)
        ]
    return robot_of(links, joints)


def prepared(robot):
    return with_reference_points(with_chosen_frames(robot))


def references(robot):
    return [each.reference for each in conditioning(robot)]


def program(robot, *without):
    return Library(robot, ["inertia_matrix"], without=without).entry("inertia_matrix").fastest


def folded(robot):
    """Positions, a state a row, at which there is least inertia about the first axis."""
    q = np.random.default_rng(1).uniform(-3, 3, (robot.n, 20_000))
    inertia = interpret(program(robot), {"q": list(q)})["H"][0]
    return q[:, np.argsort(inertia)[:300]].T


def errors(robot, states, exact):
    found = interpret(program(robot), {"q": list(states.T)})["H"][0]
    return np.abs(found - exact) / exact


def about_first_axis(robot, states):
    """Inertia about the first axis, computed with 50 digits from the robot as it is written."""
    straight = program(robot, "minimal-inertias", "chosen-frames", "conditioning")
    rows = ([Decimal(value) for value in state] for state in states.tolist())
    return np.array([float(interpret_exactly(straight, {"q": row})["H"][0]) for row in rows])


def test_a_leg_on_the_first_axis_keeps_digits_of_its_inertia(monkeypatch):
    robot = legs()
    states = folded(robot)
    exact = about_first_axis(robot, states)
    about_reference = errors(robot, states, exact)
    monkeypatch.setattr(prepare, "with_reference_points", lambda robot: robot)
    about_origin = errors(robot, states, exact)
    assert np.mean(about_reference**2) < 0.7 * np.mean(about_origin**2)


def test_the_reference_is_half_the_way_to_the_knee():
    robot = prepared(legs())
    half = robot.joints[3].pose.translation.z.value / 2
    assert list(map(float, references(robot))) == [0, 0, float(half), 0]


def test_none_is_where_the_inertia_is_never_small():
    assert not any(references(prepared(legs(hip=HEAVY))))


def test_limbs_of_equal_shape_have_references_alike():
    assert [*map(bool, references(prepared(legs(SIDES))))] == [False, False, True, False] * 2


def test_composite_inertias_do_not_depend_on_references():
    """On branched links with mass, and where those of several joints meet."""
    robot = legs(SIDES).map(float)
    places = (0.25, 0.0, -0.3, 0.1, 0.0, 0.7, 0.4, 0.0)
    other = conditioned(robot, [Conditioning(reference=place or 0) for place in places])
    q = np.random.default_rng(2).uniform(-3, 3, robot.n)
    found, usual = (composite_inertias(r, joint_transforms(r, q)) for r in (other, robot))
    for one, two in zip(found, usual, strict=True):
        numbers = [one.mass, *one.moment, *one.tensor], [two.mass, *two.moment, *two.tensor]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-12, abs=1e-13)
