"""Frames inside links are free: what is public does not depend on them."""

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.algorithms.conditioning.link_frames import (
    with_chosen_frames,
    with_denavit_hartenberg_frames,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms, link_forces
from robcogen_ros.algorithms.mechanics.kinematics import relative_pose
from robcogen_ros.algorithms.mechanics.newton_euler import newton_euler
from robcogen_ros.model.spatial import MotionVector
from robcogen_ros.program.interpret import interpret, interpret_exactly
from robcogen_ros.program.library import Library
from test.support.model_of import model_of
from test.support.random_robots import Joint, Link, Tree, for_random, trees


def public_results(robot):
    """Poses of all frames, and joint forces under wrenches on all links, of one state."""
    robot = robot.map(float)
    random = np.random.default_rng(8)
    q, qd, qdd = random.uniform(-3, 3, (3, robot.n))
    wrenches = link_forces(robot, random.normal(size=6 * len(robot.links)))
    transforms = joint_transforms(robot, q)
    start = MotionVector.of([0, 0, 0, 1.0, 2.0, 9.81])
    tau, wrench = newton_euler(robot, transforms, qd, qdd, MotionVector(), start, wrenches)
    found = [*tau, *wrench]
    for frame in robot.frames:
        pose = relative_pose(robot, transforms, robot.frames[0], frame)
        found += [entry for row in (*pose.rotation, pose.translation) for entry in row]
    return np.array(found, dtype=float)


@for_random(trees())
def test_public_results_do_not_depend_on_the_frames_inside_links(tree):
    robot = model_of(tree.urdf())
    expected = public_results(robot)
    tolerance = 1e-11 * np.abs(expected).max(initial=1.0)
    for form in (with_chosen_frames, for_loops):
        found = public_results(form(robot))
        assert found == pytest.approx(expected, rel=0, abs=tolerance), form


def for_loops(robot):
    return with_denavit_hartenberg_frames(robot)


@for_random(trees())
def test_frames_for_loops_turn_the_largest_subtree_about_x_only(tree):
    robot = for_loops(model_of(tree.urdf()))
    beyond = [1] * len(robot.links)
    for joint in reversed(robot.joints):
        beyond[joint.predecessor] += beyond[joint.successor]
    for joint in robot.joints:
        on = [j for j in robot.joints if j.predecessor == joint.predecessor]
        largest = max(on, key=lambda j: beyond[j.successor])
        carrier = joint.predecessor and robot.joints[joint.predecessor - 1]
        if joint is largest and carrier and not carrier.kind.slides:
            x, _, _ = joint.pose.rotation
            assert [float(entry) for entry in x] == [1, 0, 0] or joint.kind.slides


def test_joints_in_general_directions_have_transforms_of_denavit_and_hartenberg():
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    links = [Link(f"link{i}", 1.0 + i, (0.1, -0.2, 0.3), tensor=tensor) for i in range(4)]
    axes = ((0.6, 0.0, 0.8), (1.0, 2.0, -3.0), (-0.5, 0.7, 0.1))
    joints = [
        Joint(f"j{i}", "revolute", f"link{i}", f"link{i + 1}", (0.3, 0.1, 0.2), (1, 2, 3), axis)
        for i, axis in enumerate(axes)
    ]
    robot = with_chosen_frames(model_of(Tree(tuple(links), tuple(joints)).urdf()))
    for joint in robot.joints[1:]:
        entries = [float(entry) for row in joint.pose.rotation for entry in row]
        assert entries.count(0.0) == 4
        assert [float(x) for x in joint.pose.translation].count(0.0) == 1


def test_the_last_link_has_its_first_moment_along_one_axis():
    link = Link("link1", 2.0, (0.3, 0.4, 0.0), tensor=(0.1, 0.0, 0.0, 0.2, 0.0, 0.3))
    tree = Tree((Link("link0"), link), (Joint("j", "revolute", "link0", "link1"),))
    last = with_chosen_frames(model_of(tree.urdf())).links[1]
    assert [float(x) for x in last.inertia.moment] == pytest.approx([1.0, 0.0, 0.0])


@pytest.mark.parametrize("tilt", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("floating", [False, True])
def test_nearly_parallel_axes_lose_no_digits(tilt, floating):
    """The common normal of such axes is far away; about a point there, inertias cancel."""
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    links = [Link(f"link{i}", 1.0 + i, (0.1, -0.2, 0.3), tensor=tensor) for i in range(5)]
    joints = [
        Joint(f"j{i}", "revolute", f"link{i}", f"link{i + 1}", (0.2, 0.1, 0.05), (0, 0, 0), axis)
        for i, axis in enumerate([(0, 0, 1), (tilt, 0, 1), (0, 2 * tilt, 1), (tilt, tilt, 1)])
    ]
    text = Tree(tuple(links), tuple(joints)).urdf()
    robot = model_of(text, floating_base=floating)
    library, random = Library(robot), np.random.default_rng(2)
    for name in ("inverse_dynamics", "inertia_matrix", "forward_dynamics"):
        program = library.entry(name).fastest
        inputs = {a.name: random.uniform(-2, 2, a.size).tolist() for a in program.inputs}
        found = interpret(program, inputs)
        exact = interpret_exactly(program, {k: [*map(Decimal, v)] for k, v in inputs.items()})
        for output, values in exact.items():
            expected = np.array([float(value) for value in values])
            error = np.abs(np.array(found[output], dtype=float) - expected).max()
            assert error <= 1e-13 * np.abs(expected).max(), name


def test_what_turns_about_one_point_has_its_frames_there():
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    links = tuple(Link(f"link{i}", 1.0, (0.1, -0.2, 0.3), tensor=tensor) for i in range(5))
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    origins = ((0.0, 0.0, 0.3), (0.0, 0.0, 0.0), (0.0, 0.0, 0.4), (0.1, 0.0, 0.0))
    joints = tuple(
        Joint(f"j{i}", "revolute", f"link{i}", f"link{i + 1}", origin, (0, 0, 0), axis)
        for i, (origin, axis) in enumerate(zip(origins, axes, strict=True))
    )
    robot = with_chosen_frames(model_of(Tree(links, joints).urdf()))
    lengths = [np.linalg.norm([float(x) for x in j.pose.translation]) for j in robot.joints]
    assert (lengths[0], lengths[2]) == (0, 0)
    assert lengths[1::2] == pytest.approx([0.3, np.hypot(0.4, 0.1)])
