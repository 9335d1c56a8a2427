"""Where a search begins: gaits in files, and how many starts there are."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("casadi")

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Specification, find_gait
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


def test_there_is_one_start_at_least():
    with pytest.raises(RobcogenError, match="starts: expected a whole number from 1, found 0"):
        find_gait(robot(), [Foot() for _ in FEET], Specification(), starts=0)
