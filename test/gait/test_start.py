"""Where a search begins: gaits in files, and how many starts there are."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("casadi")

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Specification, find_gait
from robcogen_ros.gait.settings import checked
from robcogen_ros.gait.start import read_gait
from robcogen_ros.model.contacts import Foot
from test.gait.kept import FEET, kept, robot


class Other:
    name, joint_names, contacts = "hyq", ("lf_haa", "lf_hfe"), ("lf_foot", "rf_foot")


def test_a_gait_in_a_file_is_that_of_the_robot(tmp_path):
    file = tmp_path / "gait.npz"
    kept().save(file)
    np.testing.assert_array_equal(read_gait(file, robot())["q"], kept().q)
    words = f"{file}: a gait of another robot, its joints are .*; robot 'hyq' has lf_haa, lf_hfe"
    with pytest.raises(RobcogenError, match=words):
        read_gait(file, Other)


@pytest.mark.parametrize("content", [None, b"", b"gait: trot", b"PK\x03\x04 no archive"])
def test_files_that_hold_no_gait_are_told(tmp_path, content):
    file = tmp_path / "gait.npz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(RobcogenError, match=re.escape(f"{file}: expected a gait")):
        read_gait(file, robot())


def test_arrays_of_something_else_are_told(tmp_path):
    file = tmp_path / "gait.npz"
    np.savez(file, times=np.zeros(3))
    with pytest.raises(RobcogenError, match="expected a gait"):
        read_gait(file, robot())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"friction": "0.5"}, "friction: expected a number from 0.05, found '0.5'"),
        (
            {"stride": (1.0, 0.3)},
            r"stride: .*\[least, greatest\] in this order, from 0.05, found \(1.0, 0.3\)",
        ),
        ({"duty": 2.0}, "duty: expected a number from 0.05 to 0.95, found 2.0"),
        ({"intervals": 1}, "intervals: expected a whole number from 4 to 1000, found 1"),
        ({"merit": {"beauty": 1.0}}, "merit: expected weights of energy and time"),
    ],
)
def test_specifications_are_held_to_what_files_may_say(settings, said):
    with pytest.raises(RobcogenError, match=said):
        find_gait(robot(), [Foot() for _ in FEET], Specification(**settings))


def test_specifications_are_as_files_would_give_them():
    ranges = {"speed": (0.3, 0.3), "ground_normal": (0.1, 0.0, 1.0)}
    given = {"speed": 0.3, "ground_normal": np.array([0.1, 0.0, 1.0])}
    assert checked(Specification(**given)) == Specification(**ranges)


def test_each_contact_has_a_shape():
    with pytest.raises(
        RobcogenError, match=r"feet: expected shapes of \d feet, one a contact, found 1"
    ):
        find_gait(robot(), [Foot()], Specification(gait="trot"))


def test_there_is_one_start_at_least():
    with pytest.raises(RobcogenError, match="starts: expected a whole number from 1, found 0"):
        find_gait(robot(), [Foot() for _ in FEET], Specification(), starts=0)
