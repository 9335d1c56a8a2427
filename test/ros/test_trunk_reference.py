"""References of trunk and feet as messages: there and back, and what is wrong with one."""

import numpy as np
import pytest

pytest.importorskip("trajectory_msgs", reason="trajectory_msgs is not installed")

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import parsed
from robcogen_ros.ros.trunk_reference import reference_in, reference_message

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
    np.testing.assert_allclose(found.trunk, sent["trunk"], atol=1e-15)
    assert found.feet.keys() == {1}
    np.testing.assert_allclose(found.feet[1], sent["RF_foot"], atol=1e-15)
    assert found.time == 1.5


def test_twists_and_accelerations_may_be_left_out():
    message = reference_message({"trunk": motion(0)})
    message.points[0].velocities = message.points[0].accelerations = []
    assert not taken(message).trunk[7:].any()


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


def later(message):
    message.points[0].time_from_start.sec = 1


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
        (of_no_point, "one point, found 0"),
        (later, "time_from_start"),
        (with_too_few, "not one a name"),
    ],
)
def test_what_is_wrong_is_told(spoil, told):
    message = reference_message({"trunk": motion(0), "LF_foot": motion(1)})
    spoil(message)
    with pytest.raises(RobcogenError, match=told):
        taken(message)
