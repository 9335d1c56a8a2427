"""A controller's node within the process."""

import pytest

import robcogen_ros

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.controller_in_process import HOME, ControllerInProcess, ros_context
from test.ros.harness import ARM, confine


@pytest.fixture(scope="module")
def context():
    confine()
    with ros_context() as context:
        yield context


@pytest.fixture(scope="module")
def robot():
    return robcogen_ros.build(ARM, backend="numpy")


@pytest.fixture
def start(context):
    made = []

    def make(**parameters):
        made.append(ControllerInProcess(context, **parameters))
        return made[-1]

    yield make
    for controller in made:
        controller.close()


@pytest.fixture(scope="module")
def shared(context):
    controller = ControllerInProcess(context)
    yield controller
    controller.close()


@pytest.fixture
def running(shared):
    """A controller that holds the robot at HOME."""
    shared.restart()
    shared.state(HOME)
    return shared
