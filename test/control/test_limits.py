"""What limits mean is the same wherever a robot's code is used: docs/urdf.md tells it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.control.simulation import Simulation
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from robcogen_ros.nodes.simulation_parameters import simulation as in_the_node
from robcogen_ros.parameters.table import table
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.cpp_program import CppRobot

MODEL = Path(__file__).parent / "limits.urdf"
INF = np.inf
JOINTS = ("usual", "zeros", "swapped", "held", "low", "endless", "turns")
MEANT = {
    "lower": [-1, -INF, -INF, 0.5, -0.2, -INF, -INF],
    "upper": [2, INF, INF, 0.5, INF, INF, INF],
    "velocity": [3, INF, 2, 1, 1, INF, INF],
    "effort": [10, INF, 8, 7, 5, INF, 2],
}
HELD = JOINTS.index("held")
START = np.array([0.3, -0.4, 0.2, 0.5, 0.0, 0.1, 0.0])
EFFORT = np.array([1.0, -0.5, 0.3, 2.0, 9.0, 0.2, 0.1])
PRINT = """
#include <cstdio>
#include "demo/arm.hpp"
#include <string>
#include <vector>
#include "robcogen_ros/control/initial_positions.hpp"
#include "robcogen_ros/control/limits.hpp"
#include "robcogen_ros/control/simulated_joints.hpp"
using Robot = demo::arm::Traits;
struct Interface
{
  std::string name, initial_value;
};
struct Joint
{
  std::string name;
  std::vector<Interface> state_interfaces;
};
struct Info
{
  std::vector<Joint> joints;
};
template <typename Values> void print(const Values & values)
{
  for (int i = 0; i < Robot::joint_count; ++i) std::printf("%.17g ", values[i]);
  std::printf("\\n");
}
int main()
{
  const robcogen_ros::control::Limits<Robot> limits;
  print(Robot::lower_limits);
  print(Robot::upper_limits);
  print(Robot::velocity_limits);
  print(Robot::effort_limits);
  print(limits.lower);
  print(limits.upper);
  print(limits.velocity);
  print(limits.effort);
  Robot::JointVector start, effort;
  start << START;
  effort << EFFORT;
  print(limits.given(effort));
  robcogen_ros::control::SimulatedJoints<Robot> joints(0, start);
  for (int i = 0; i < 100; ++i) joints.advance(effort, 1e-3);
  joints.each_reading([](const char *, const std::string & interface, double value)
    { if (interface == "position") std::printf("%.17g ", value); });
  std::printf("\\n");
  for (const char * given : {"1.5", "-1", "2.001", "-1.001", "nan", "one"})
  {
    const Interface velocity{"velocity", "9"}, position{"position", given}, none{"position", ""};
    const Info info{{{"usual", {velocity, position}}, {"turns", {none}}, {"stranger", {position}}}};
    try
    {
      const auto q = robcogen_ros::control::initial_positions<Robot>(info);
      std::printf("%.17g ", q(0) + q.tail(q.size() - 1).norm());
    }
    catch (const std::invalid_argument &)
    {
      std::printf("nan ");
    }
  }
}
"""


@pytest.fixture(scope="module")
def robot():
    return robot_of(NumpyEvaluator(Library(read(MODEL).robot)))


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What C++ says."""
    names = ["inverse_dynamics", "forward_dynamics", "gravity_torques", "inertia_matrix"]
    program = CppRobot(Library(read(MODEL).robot, names), tmp_path_factory.mktemp("limits"))
    program.compile("-O0", only=("forward_dynamics", "inertia_matrix"))
    text = PRINT
    for word, numbers in (("START", START), ("EFFORT", EFFORT)):
        text = text.replace(word, ", ".join(map(str, numbers)))
    return [[float(x) for x in line.split()] for line in program.run(text).splitlines()]


def held_still(start, effort, duration):
    """Positions of the robot whose held joint is a fixed one, by another integrator."""
    locked = robot_of(NumpyEvaluator(Library(read(MODEL, lock={"held": 0.5}).robot)))
    moving = np.arange(len(JOINTS)) != HELD
    simulation = Simulation(locked, start[moving], stops=False)
    given = np.clip(effort, np.negative(MEANT["effort"]), MEANT["effort"])[moving]
    for _ in range(round(duration / 1e-3)):
        simulation.advance(given, 1e-3)
    return np.insert(simulation.q, HELD, 0.5)


@pytest.mark.parametrize("name", MEANT)
def test_python_and_the_controller_have_them_as_they_are_meant(robot, name):
    assert tuple(robot.joint_names) == JOINTS
    np.testing.assert_array_equal(getattr(robot, f"{name}_limits"), MEANT[name])


@pytest.mark.slow
def test_constants_and_the_controller_in_cpp_have_them_too(printed):
    np.testing.assert_array_equal(printed[:8], [*MEANT.values(), *MEANT.values()])


@pytest.mark.slow
def test_the_simulated_system_limits_efforts_and_holds_a_joint(printed):
    np.testing.assert_array_equal(printed[8], np.clip(EFFORT, -INF, MEANT["effort"]))
    position = np.array(printed[9])
    assert position[HELD] == 0.5
    np.testing.assert_allclose(position, held_still(START, EFFORT, 0.1), atol=2e-5)


@pytest.mark.slow
def test_simulated_hardware_starts_within_limits_or_is_refused(printed):
    np.testing.assert_array_equal(printed[10], [1.5, -1.0, *[np.nan] * 4])


@pytest.mark.slow
def test_a_robot_moves_alike_in_the_node_and_under_ros2_control(robot, printed):
    """Both have the model's damping, dry friction, stops and limits of efforts."""
    values = {row.name: row.default for row in table("simulated_robot")}
    simulation = in_the_node(robot, {**values, "initial_positions": list(START)})
    for _ in range(100):
        simulation.advance(EFFORT, 1e-3)
    assert abs(simulation.qd[HELD]) < 1e-9
    np.testing.assert_allclose(simulation.q, printed[9], rtol=0, atol=1e-12)


def test_what_is_odd_is_told_once_a_file():
    found = [str(problem).removeprefix(f"{MODEL}:") for problem in read(MODEL).warnings]
    assert found == [
        "60:3: warning: only lower or upper of the limits of low is given: the other is none, "
        "where urdfdom takes 0",
        "23:5: warning: 0 stands for an unknown limit, so there is none: range of zeros; velocity "
        "of zeros, turns; effort of zeros",
        "32:3: warning: lower limit 2 of joint 'swapped' is above upper limit -2: it has neither",
    ]


@pytest.mark.parametrize("attribute", ["effort", "velocity"])
@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
@pytest.mark.parametrize("value", ["-1", "-1e-3", "-inf", "-1e30"])
def test_a_negative_one_is_refused(attribute, kind, value):
    other = {"effort": "velocity", "velocity": "effort"}[attribute]
    (problem,) = findings(kind, f'lower="-1" upper="1" {attribute}="{value}" {other}="1"')
    assert problem.severity == "error"
    assert f"{attribute} limit" in problem.message
    assert "is negative" in problem.message


@pytest.mark.parametrize("given", ['lower="inf"', 'upper="-inf"', 'lower="1e16" upper="1e17"'])
def test_a_range_without_positions_is_refused(given):
    assert [p.severity for p in findings("revolute", given) if "no position" in p.message] == [
        "error"
    ]


@pytest.mark.parametrize("attribute", ["lower", "upper", "effort", "velocity"])
@pytest.mark.parametrize("value", ["nan", "NaN", "-nan", "1,5", "", "none"])
def test_no_number_is_refused(attribute, value):
    with pytest.raises(ModelError, match=f"{attribute} of <limit>"):
        findings("revolute", f'{attribute}="{value}"')


@pytest.mark.parametrize(
    ("axis", "severity"),
    [
        ("0 0 1", "warning"),
        ("0 0 -1", "error"),
        ("0 -2 0", "error"),
        ("-0.1 0.9 0", "warning"),
        ("0.1 -0.9 0", "error"),
    ],
)
def test_a_swapped_range_is_refused_where_a_mirrored_axis_may_be_the_reason(axis, severity):
    (problem,) = findings("revolute", 'lower="2" upper="-1" effort="1" velocity="1"', axis)
    assert problem.severity == severity


def test_limits_survive_conversion():
    description = urdf.read(Source("r.urdf", MODEL.read_text()))
    text = kindsl_writer.write(description)
    there = kindsl.read(Source("r.kindsl", text))
    back = urdf.read(Source("r.urdf", urdf_writer.write(there)))
    limits = {joint.name: joint.limits for joint in description.joints}
    assert {joint.name: joint.limits for joint in there.joints} == limits
    assert {joint.name: joint.limits for joint in back.joints if joint.name in limits} == limits
    assert [c.limits for c in reduce(back).coordinates] == [
        c.limits for c in read(MODEL).robot.coordinates
    ]


def findings(kind, limit, axis="0 0 1"):
    text = (
        f'<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="{kind}">'
        f'<parent link="a"/><child link="b"/><axis xyz="{axis}"/><limit {limit}/></joint></robot>'
    )
    description = urdf.read(Source("r.urdf", text))
    return [
        p
        for p in (*description.warnings, *check(description))
        if "only lower or upper" not in p.message
    ]
