"""Motors of robots with loops beside their trees: positions, rates, power, rotors, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.measured_joints import FUNCTIONS, MeasuredJoints
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE, ANKLE_LOOPS, FIVE_BAR, FIVE_BAR_LOOPS

Array = NDArray[np.float64]

MOTORS = ("left_motor", "right_motor")
GEARS = np.array([50.0, -3.0])
TRANSMISSIONS = "".join(
    f'<transmission name="{name}"><joint name="{name}"/><actuator name="{name}">'
    f"<mechanicalReduction>{gear}</mechanicalReduction></actuator></transmission>"
    for name, gear in zip(MOTORS, GEARS, strict=True)
)
GEARED = ANKLE.replace("</robot>", f"{TRANSMISSIONS}</robot>")
BY_FOOT = ANKLE_LOOPS.replace("[left_motor, right_motor]", "[pitch, roll]")
NAMES = ["transmission", "reflected_inertia", *FUNCTIONS]
FORMS = {
    "from the foot": (GEARED, BY_FOOT, MOTORS, GEARS),
    "from the motors": (GEARED, ANKLE_LOOPS, MOTORS, GEARS),
    "one motor and one angle": (ANKLE, BY_FOOT, ("left_motor", "roll"), np.ones(2)),
    "two drivers": (FIVE_BAR, FIVE_BAR_LOOPS, ("drive", "knee", "wrist"), np.ones(3)),
}


def built(linkage: Linkage) -> robcogen_ros.Robot:
    return robot_of(NumpyEvaluator(Library(linkage.robot, [], NAMES)))


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Linkage, list[int], Array]:
    urdf, loops, motors, gears = FORMS[request.param]
    linkage = Linkage.of(tmp_path, urdf, loops, actuated=list(motors))
    assert {*linkage.robot.actuated} == {*motors}
    return linkage, [linkage.tree.joint_names.index(n) for n in linkage.robot.actuated], gears


def test_motors_move_as_the_tree_does_and_power_is_the_same(form) -> None:
    linkage, motors, gears = form
    robot, random = built(linkage), np.random.default_rng(1)
    assert robot.gears == pytest.approx(gears)
    for t in linkage.positions(6):
        qd, tau = random.uniform(-2, 2, (2, robot.n))
        positions, G, inverse = robot.transmission(t[linkage.free])
        _, td, _ = linkage.motion(t, qd, 0 * qd)
        turns = (positions / gears - t[motors]) / (2 * np.pi)
        np.testing.assert_allclose(turns, np.round(turns), atol=1e-13)
        np.testing.assert_allclose(G @ qd, gears * td[motors], rtol=1e-12, atol=1e-12)
        assert inverse is not None
        np.testing.assert_allclose(inverse @ (gears * td[motors]), qd, rtol=1e-11, atol=1e-12)
        efforts = inverse.T @ tau
        assert efforts @ (gears * td[motors]) == pytest.approx(tau @ qd, rel=1e-11, abs=1e-12)
        np.testing.assert_allclose(G.T @ efforts, tau, rtol=1e-11, atol=1e-12)


def test_coordinates_follow_from_motors_there_and_back(form) -> None:
    linkage, motors, _ = form
    robot = built(linkage)
    names = [linkage.tree.joint_names[k] for k in motors]
    measured = MeasuredJoints(robot, names)
    near = linkage.positions(1)[0][linkage.free]
    for t in linkage.positions(30):
        q = measured.q(t[motors], near)
        np.testing.assert_allclose(q, t[linkage.free], rtol=0, atol=1e-12)
        near = q


def test_rotors_weigh_what_they_add_to_the_inertia_matrix(tmp_path: Path) -> None:
    urdf = ANKLE
    for name, armature in (("left_motor", 0.02), ("right_motor", 0.03), ("roll", 0.004)):
        start = urdf.index(f'<joint name="{name}"')
        end = urdf.index("</joint>", start)
        urdf = f'{urdf[:end]}<dynamics armature="{armature}"/>{urdf[end:]}'
    for loops in (BY_FOOT, ANKLE_LOOPS):
        bare, heavy = (
            Linkage.of(tmp_path, urdf, loops, **options)
            for options in ({}, {"terms": ["armature"]})
        )
        for t in bare.positions(3):
            q = t[bare.free]
            added = heavy.of_robot("inertia_matrix", q=q) - bare.of_robot("inertia_matrix", q=q)
            for linkage in (bare, heavy):
                found = linkage.of_robot("reflected_inertia", q=q)
                np.testing.assert_allclose(found, added, rtol=0, atol=1e-13)
            assert np.abs(added).max() > 0.01


def test_more_joints_than_are_needed_and_fewer(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, GEARED, BY_FOOT)
    robot, t = built(linkage), linkage.positions(5)[-1]
    names = linkage.tree.joint_names
    q = t[linkage.free]
    every = robot.coordinates(names, t)
    np.testing.assert_allclose(every, q, rtol=0, atol=1e-14)
    roll, left = (t[names.index(name)] for name in ("roll", "left_motor"))
    mixed = robot.coordinates(["left_motor", "roll"], [left, roll], near=q + 0.1)
    np.testing.assert_allclose(mixed, q, rtol=0, atol=1e-12)
    one = robot.coordinates(["left_motor"], [left], near=q)
    np.testing.assert_allclose(one, q, rtol=0, atol=1e-12)
    assert MeasuredJoints(robot, ["roll"]).determined == (1,)
    assert MeasuredJoints(robot, ["left_motor"]).determined == ()
    assert MeasuredJoints(robot, ["left_motor", "roll"]).determined == (1, 0)
    with pytest.warns(RuntimeWarning, match="no position has 'left_motor' at 3, 'right_motor'"):
        far = robot.coordinates(["left_motor", "right_motor"], [3.0, -3.0])
    assert np.isnan(far).all()


def test_coordinates_are_not_led_past_a_dead_centre(tmp_path: Path) -> None:
    robot = built(Linkage.of(tmp_path, FIVE_BAR, FIVE_BAR_LOOPS))
    names = ["pin", "knee"]
    rows = [robot.moving_joint_names.index(name) for name in names]

    def side(q: Array) -> float:
        return float(np.sign(np.linalg.det(robot.coordinate_jacobian(q)[rows][:, [0, 2]])))

    near = np.array([-0.32100482, 0.31180429, -1.09932241])
    there = np.array([-1.65979148, 0.58058164, 2.00953321])
    measured = robot.joint_positions(there)[rows]
    # a step from near leads past a dead centre, beyond which others have these positions too
    other = robot.coordinates(names, measured, near=[-1.95, near[1], 0.85])
    np.testing.assert_allclose(robot.joint_positions(other)[rows], measured, rtol=0, atol=1e-9)
    assert side(other) != side(near) == side(there)
    with pytest.warns(RuntimeWarning, match="no position has 'pin' at"):
        assert np.isnan(robot.coordinates(names, measured, near=near)).all()
    found = robot.coordinates(names, measured, near=there + 0.05)
    np.testing.assert_allclose(found[[0, 2]], there[[0, 2]], rtol=0, atol=1e-9)


def test_joints_that_are_not_there_and_functions_that_are_lacking_are_told(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, GEARED, BY_FOOT)
    with pytest.raises(RobcogenError, match="no moving joint 'left_moto'; did you mean"):
        built(linkage).coordinates(["left_moto"], [0.0])
    bare = robot_of(NumpyEvaluator(Library(linkage.robot, [], ["joint_positions"])))
    with pytest.raises(RobcogenError, match="lacks 'coordinate_jacobian'"):
        bare.coordinates(["left_motor"], [0.0])
    assert linkage.robot.actuated == MOTORS


def test_fewer_motors_than_coordinates_have_no_inverse(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, ANKLE, BY_FOOT, actuated=["left_motor"])
    positions, G, inverse = built(linkage).transmission(np.zeros(2))
    assert (positions.shape, G.shape, inverse) == ((1,), (1, 2), None)


def test_limits_of_motors_are_those_of_their_joints_through_gears() -> None:
    limit = '<limit lower="-1" upper="1" effort="90" velocity="12"/>'
    start = GEARED.index('<joint name="right_motor"')
    urdf = GEARED[:start] + GEARED[start:].replace("</joint>", f"{limit}</joint>", 1)
    robot = robcogen_ros.build(text=urdf.replace("continuous", "revolute", 0), backend="numpy")
    names = robot.joint_names
    assert robot.actuated == names  # of trees, nothing is told
    k = names.index("right_motor")
    assert robot.gears[k] == -3.0
    assert robot.motor_effort_limits[k] == pytest.approx(30.0)
    assert robot.motor_velocity_limits[k] == pytest.approx(36.0)
    assert np.isinf(robot.motor_effort_limits[names.index("left_motor")])


def test_gears_that_are_none_are_told() -> None:
    urdf = GEARED.replace("50.0", "fifty").replace("-3.0", "0")
    with pytest.warns(UserWarning) as told:
        robot = robcogen_ros.build(text=urdf, backend="numpy")
    said = " ".join(str(warning.message) for warning in told)
    assert "<mechanicalReduction> of joint 'left_motor' is 'fifty', no gear" in said
    assert "<mechanicalReduction> of joint 'right_motor' is '0', no gear" in said
    np.testing.assert_array_equal(robot.gears, 1.0)


def test_gears_of_mjcf_turn_either_way() -> None:
    text = (
        '<mujoco><compiler angle="radian"/><worldbody><body name="a">'
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="j"/></body></worldbody>'
        '<actuator><motor joint="j" gear="-7" ctrllimited="true" ctrlrange="-2 2"/></actuator>'
        "</mujoco>"
    )
    robot = robcogen_ros.build(text=text, backend="numpy")
    assert robot.gears.tolist() == [-7.0]
    assert robot.effort_limits.tolist() == [14.0]
    assert robot.motor_effort_limits.tolist() == [2.0]
