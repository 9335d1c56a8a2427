"""Quantities of a file made parameters: the robot is that of a file with the values written in."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.model.parametrise import available
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.scalars.quantities import MOMENTS
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from test.support.examples import example
from test.support.model_of import model_of
from test.support.random_robots import Joint, Link, Tree, arm_with_everything

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "kinematics")
OPEN_LINKS = ("link0", "link3", "link4")
OPEN_JOINTS = ("turn", "slide", "weld")


def describe(tree: Tree):
    return load(Source("arm.urdf", tree.urdf()))


def robot(tree: Tree, **options: object):
    return reduce(describe(tree), **options)


@lru_cache
def opened() -> Library:
    """The arm with links and joints open; link4 is fixed on link3 by the joint weld."""
    names = [*OPEN_LINKS, *(f"{name}.origin" for name in OPEN_JOINTS)]
    return Library(robot(arm_with_everything(), parameters=names), FUNCTIONS)


def results(library: Library, parameters=None):
    random = np.random.default_rng(3)
    for name in FUNCTIONS:
        program = library.entry(name).fastest
        inputs = {argument.name: random.normal(size=argument.size) for argument in program.inputs}
        yield from (np.array(v) for v in interpret(program, inputs, parameters).values())


def changed(tree: Tree, random) -> Tree:
    """The arm with other values of what is open."""

    def near(values):
        return tuple(value + random.uniform(0.01, 0.1) for value in values)

    def link(old: Link) -> Link:
        if old.name not in OPEN_LINKS:
            return old
        return replace(old, mass=old.mass * 1.5, xyz=near(old.xyz), tensor=near(old.tensor))

    def joint(old: Joint) -> Joint:
        if old.name not in OPEN_JOINTS:
            return old
        return replace(old, xyz=near(old.xyz), rpy=near(old.rpy))

    return Tree(tuple(map(link, tree.links)), tuple(map(joint, tree.joints)))


def values(tree: Tree) -> dict[str, float]:
    found = {}
    for link in tree.links:
        found[f"{link.name}.mass"] = link.mass
        found.update(zip((f"{link.name}.com.{axis}" for axis in "xyz"), link.xyz, strict=True))
        found.update(
            {f"{link.name}.inertia.{m}": t for m, t in zip(MOMENTS, link.tensor, strict=True)}
        )
    for joint in tree.joints:
        numbers = (*joint.xyz, *joint.rpy)
        names = ("x", "y", "z", "roll", "pitch", "yaw")
        found.update({f"{joint.name}.origin.{n}": x for n, x in zip(names, numbers, strict=True)})
    return found


def test_at_the_defaults_it_is_the_robot_of_the_file():
    defaults = {p.name: float(p.default) for p in opened().robot.parameters}
    written = values(arm_with_everything())
    assert defaults == pytest.approx({name: written[name] for name in defaults}, abs=1e-15)
    plain = Library(robot(arm_with_everything()), FUNCTIONS)
    for ours, expected in zip(results(opened(), defaults), results(plain), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_with_other_values_it_is_the_robot_of_another_file(seed):
    tree = changed(arm_with_everything(), np.random.default_rng(seed))
    given = {p.name: values(tree)[p.name] for p in opened().robot.parameters}
    other = Library(robot(tree), FUNCTIONS)
    for ours, expected in zip(results(opened(), given), results(other), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)


def test_a_payload_is_a_body_fixed_at_a_frame():
    load = Link("box", 2.5, (0.1, -0.2, 0.3), (0.0, 0.0, 0.0), (0.1, 0.01, -0.02, 0.2, 0.03, 0.25))
    arm = arm_with_everything()
    joint = Joint("grip", "fixed", "link4", "box")
    with_box = Tree((*arm.links, load), (*arm.joints, joint))
    library = Library(robot(arm, payload="link4"), ["inverse_dynamics", "inertia_matrix"])
    numbers = (load.mass, *load.xyz, *load.tensor)
    given = dict(zip((p.name for p in library.robot.parameters), numbers, strict=True))
    assert [*given][:2] == ["payload.mass", "payload.com.x"]
    box = Library(robot(with_box), ["inverse_dynamics", "inertia_matrix"])
    nothing = dict.fromkeys(given, 0.0)
    empty = Library(robot(arm), ["inverse_dynamics", "inertia_matrix"])
    for parameters, other in ((given, box), (nothing, empty)):
        for name in library.names:
            program = library.entry(name).fastest
            inputs = {a.name: np.linspace(-1, 1, a.size) for a in program.inputs}
            ours = interpret(program, inputs, parameters)
            expected = interpret(other.entry(name).fastest, inputs)
            for output, entries in ours.items():
                np.testing.assert_allclose(entries, expected[output], rtol=1e-11, atol=1e-13)


def test_a_kinematics_dsl_robot_has_the_quantities_of_its_document():
    leg = example("hyl", parameters=["slider.com.x", "upperleg.inertia.iyy", "KFE.origin.x"])
    defaults = {p.name: (float(p.default), p.group) for p in leg.parameters}
    assert defaults == {
        "slider.com.x": (-0.08315, "inertia"),
        "upperleg.inertia.iyy": (0.084, "inertia"),
        "KFE.origin.x": (0.35, "lengths"),
    }


def test_what_may_become_a_parameter_is_listed():
    names = available(describe(arm_with_everything()))
    assert "link6.inertia.iyz" in names and "weld.origin.yaw" in names
    assert "spin.origin.yaw" not in names  # its pitch is a right angle
    assert float(names["turn.origin.roll"]) == pytest.approx(math.pi / 2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("link9.mass", "no parameter 'link9.mass': there is no such link or joint; did you mean"),
        ("link1.mas", "no parameter 'link1.mas': 'link1' has no 'mas'; did you mean 'mass'"),
        ("turn.limit", "'turn' has no 'limit'; there are origin.x, origin.y"),
        ("spin.origin.roll", "pitch is a right angle"),
        ("", "no parameter ''"),
    ],
)
def test_what_is_no_quantity_is_refused(name, message):
    with pytest.raises(RobcogenError, match=message):
        robot(arm_with_everything(), parameters=[name])


def test_what_is_left_out_cannot_be_a_parameter():
    with pytest.raises(RobcogenError, match=r"'link6.mass' is not in the chosen part"):
        robot(arm_with_everything(), parameters=["link6.mass"], tips=["link2"])


def test_what_depends_on_parameters_is_not_opened_again():
    with pytest.raises(RobcogenError, match=r"'link1.mass' depends on parameter 'm' already"):
        text = (
            "Robot R { RobotBase b { children { link1 via j } } link link1 { id = 1 inertia_params"
        )
        text += " { mass = m CoM = (0.0, 0.0, 0.0) Ix = 1.0 Iy = 1.0 Iz = 1.0 Ixy = 0.0 Ixz = 0.0"
        text += " Iyz = 0.0 } children { } } r_joint j { ref_frame { translation = (0.0, 0.0, 0.0)"
        text += " rotation = (0.0, 0.0, 0.0) } } }"
        model_of(text, "r.kindsl", parameters=["link1.mass"])


def test_a_payload_needs_a_frame_and_names_of_its_own():
    with pytest.raises(RobcogenError, match="has no frame 'link44'; did you mean"):
        robot(arm_with_everything(), payload="link44")
    box = Tree((Link("base"), Link("payload", 1.0)), (Joint("j", "revolute", "base", "payload"),))
    with pytest.raises(RobcogenError, match=r"'payload.mass' is both of a link and of the payload"):
        robot(box, parameters=["payload.mass"], payload="payload")


def test_a_call_costs_what_it_costs_without_parameters():
    """But for the few products that vanish where frames are laid along known moments."""
    names = ["inverse_dynamics", "forward_dynamics", "inertia_matrix"]
    plain = Library(robot(arm_with_everything()), names)
    open_link = Library(robot(arm_with_everything(), parameters=["link6"], payload="link6"), names)
    for name in names:
        counts = operation_counts(open_link.derived(name).fastest)
        expected = operation_counts(plain.derived(name).fastest)
        assert sum(counts.values()) <= 1.04 * sum(expected.values())
