"""References of trunk and feet as messages: there and back, and what is wrong with one."""

from copy import copy

import numpy as np
import pytest

pytest.importorskip("trajectory_msgs", reason="trajectory_msgs is not installed")

from builtin_interfaces.msg import Duration

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import parsed
from robcogen_ros.ros.messages.reference import MOST_POINTS
from robcogen_ros.ros.trunk_reference import reference_in, reference_message
from test.support.examples import EXAMPLES

CONTACTS = parsed(["LF_foot", "RF_foot:pose"], ["LF_foot", "RF_foot"].index)


def motion(seed):
    numbers = np.random.default_rng(seed).normal(size=19)
    numbers[3:7] /= np.linalg.norm(numbers[3:7])
    return numbers


def taken(message):
    return reference_in(message, "trunk", CONTACTS, 1.5)


def test_motions_arrive_as_they_were_sent():
    sent = {"trunk": motion(0), "RF_foot": motion(1)}
    found = taken(reference_message(sent))
    np.testing.assert_allclose(found.trunk, [sent["trunk"]], atol=1e-15)
    assert found.feet.keys() == {1}
    np.testing.assert_allclose(found.feet[1], [sent["RF_foot"]], atol=1e-15)
    assert (found.time, found.times) == (1.5, (0.0,))


def test_node_and_plugin_take_equally_many_points():
    core = (EXAMPLES.parent / "include/robcogen_ros/control/trajectory.hpp").read_text()
    assert f"most_waypoints = {MOST_POINTS};" in core


def test_twists_and_accelerations_may_be_left_out():
    message = reference_message({"trunk": motion(0)})
    message.points[0].velocities = message.points[0].accelerations = []
    assert not taken(message).trunk[0, 7:].any()


def test_points_are_a_plan_whose_derivatives_may_be_chosen():
    sent = [{"trunk": motion(seed), "RF_foot": motion(seed + 9)} for seed in range(3)]
    messages = [reference_message(motions) for motions in sent]
    for message, time in zip(messages, (0, 2, 3), strict=True):
        message.points[0].time_from_start = Duration(sec=time)
    messages[0].points = [message.points[0] for message in messages]
    messages[0].points[1].accelerations = []
    found = taken(messages[0])
    assert (found.time, found.times) == (1.5, (0.0, 2.0, 3.0))
    for rows, name in ((found.trunk, "trunk"), (found.feet[1], "RF_foot")):
        wanted = np.array([motions[name] for motions in sent])
        wanted[1, 13:] = np.nan
        np.testing.assert_allclose(rows, wanted, atol=1e-15)


def without_numbers(message):
    message.points[0].transforms[0].translation.x = np.nan


def without_quaternion(message):
    message.points[0].transforms[0].rotation.w = 0.0
    for axis in "xyz":
        setattr(message.points[0].transforms[0].rotation, axis, 0.0)


def of_another(message):
    message.joint_names = ["trunk", "tail"]


def twice(message):
    message.joint_names = ["trunk", "trunk"]


def without_trunk(message):
    message.joint_names = ["LF_foot", "RF_foot"]


def of_no_point(message):
    message.points = []


def of_too_many(message):
    message.points = message.points * 1001


def later(message):
    message.points[0].time_from_start.sec = 1


def back(message):
    message.points = [*message.points, copy(message.points[0]), copy(message.points[0])]
    for point in message.points[1:]:
        point.time_from_start = Duration(sec=1)


def with_too_few(message):
    message.points[0].velocities = message.points[0].velocities[:1]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (without_numbers, "'trunk' are not finite"),
        (without_quaternion, "quaternion"),
        (of_another, "'tail' is neither the base link 'trunk' nor a contact"),
        (twice, "twice"),
        (without_trunk, "no motion of the base link"),
        (of_no_point, "it has no points"),
        (of_too_many, "found 1001"),
        (later, "zero of the first point, found 1"),
        (back, "do not increase"),
        (with_too_few, "not one a name"),
    ],
)
def test_what_is_wrong_is_told(spoil, told):
    message = reference_message({"trunk": motion(0), "LF_foot": motion(1)})
    spoil(message)
    with pytest.raises(RobcogenError, match=told):
        taken(message)
