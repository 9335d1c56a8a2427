"""The demo times every function that a robot has."""

from __future__ import annotations

import robcogen_ros
from robcogen_ros.demo.timing import costs
from test.support.examples import example_path


def test_every_function_of_a_robot_is_timed():
    robot = robcogen_ros.build(example_path("hyl"), backend="numpy")
    found = {cost.name: cost for cost in costs(robot)}
    assert found.keys() == robot.operation_counts.keys()
    assert "kinetic_energy" in found
    for name, cost in found.items():
        assert cost.microseconds > 0
        assert cost.operations == robot.operation_counts[name]
