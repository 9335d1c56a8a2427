"""Files of gaits: which are refused, and why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Playback
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.runtime.objects import object_of, text_of
from test.gait.swaying import DURATION, slider, swaying
from test.support.fault_table import fault

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]


@pytest.fixture
def file(tmp_path):
    """The file of the gait."""
    swaying().save(tmp_path / "swaying.csv")
    return tmp_path / "swaying.csv"


def changed(text, row, column, word):
    """The text of a file with another word in it; the header is row 0."""
    rows = [line.split(",") for line in text.splitlines()]
    rows[row][rows[0].index(column)] = word
    return "\n".join(",".join(cells) for cells in rows) + "\n"


@fault(
    "`gait_file` is no gait: it cannot be read, lacks a column, has what is no finite number",
    "`gait_file` is of another robot, or its feet fly",
)
@pytest.mark.parametrize(
    ("row", "column", "word", "said"),
    [
        (0, "left_x.position", "left_x.place", "there is no column 'left_x.position'"),
        (0, "left_x.effort", "left_x.torque", "there is no column 'left_x.effort'"),
        (0, "left_x.position", "left_y.position", "there are two columns 'left_y.position'"),
        (0, "left_y.effort", "wheel.effort", "no joint 'wheel': the gait is of another robot"),
        (0, "left.stance", "hand.stance", "the robot has no foot 'hand'"),
        (4, "roll", "nan", ":5: expected a finite number, found 'nan'"),
        (7, "x", "1,2", r":8: expected as many numbers as columns, \d+, found \d+"),
        (5, "time", "0.001", ":6: expected times that begin at zero and do not go back"),
        (30, "left.stance", "1", "foot 'left' is to swing once in a stride, or to stand"),
        (3, "z", "0.7", "foot 'left' moves by .* while it stands: the gait is of another robot"),
        (4, "right_x.position", "1e300", ":5: joint 'right_x' is far beyond its limits"),
        (4, "right_x.position", "0.4", ":5: joint 'right_x' does not move as its velocities say"),
        (4, "right_x.velocity", "1e300", r":\d: joint 'right_x' does not move as its velocities"),
        (4, "right_x.acceleration", "-40", ":5: joint 'right_x' does not gain speed as its acc"),
        (4, "left.force.z", "-1", ":5: foot 'left' stands, but is pulled down by 1.0* N"),
        (4, "left.stance", "0.5", ":5: foot 'left': expected a stance of 0 or 1"),
        (9, "ground_normal.x", "0.1", ":10: expected the same ground_normal in all rows"),
        (4, "linear_velocity.x", "4.0", r":\d: the trunk does not move as its velocities say"),
    ],
)
def test_files_that_are_no_gait_of_the_robot_are_refused(file, row, column, word, said):
    file.write_text(changed(file.read_text(), row, column, word))
    with pytest.raises(RobcogenError, match=f"swaying.csv{said}" if said[0] == ":" else said):
        Playback(slider(), file)


def test_files_of_another_robot_or_another_unit_of_time_are_refused():
    gait = swaying()
    with pytest.raises(RobcogenError, match="while it stands: the gait is of another robot"):
        Playback(
            slider(),
            replace(gait, q=gait.q[:, [1, 0, 2, 3, 4, 5]], qd=gait.qd[:, [1, 0, 2, 3, 4, 5]]),
        )
    for factor in (0.1, 0.7, 1.4, 2.0, 10.0):
        with pytest.raises(RobcogenError, match=r"does not (move|gain speed) as its"):
            Playback(slider(), replace(gait, times=factor * gait.times))
    for up in (-0.02, 0.15):
        with pytest.raises(RobcogenError, match=r"feet stand .* above the ground, the plane"):
            Playback(slider(), replace(gait, position=gait.position + np.array([0.0, 0.0, up])))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"qdd": 0.0}, "joint 'left_x' does not gain speed as its accelerations say"),
        ({"qdd": 1.5}, "joint 'left_x' does not gain speed as its accelerations say"),
        ({"base_acceleration": 0.0}, "the trunk does not gain speed as its accelerations say"),
        ({"forces": -1.0}, "foot 'left' stands, but is pulled down"),
        ({"forces": 0.0}, "foot 'left' stands, but has no force of the ground"),
        ({"standing": True}, "foot 'left' .* while it stands|by its column stance"),
    ],
)
def test_columns_that_contradict_each_other_are_refused(changes, said):
    gait = swaying()
    ((name, factor),) = changes.items()
    wrong = np.full_like(gait.standing, True) if factor is True else factor * getattr(gait, name)
    with pytest.raises(RobcogenError, match=said):
        Playback(slider(), replace(gait, **{name: wrong}))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(RobcogenError, match=r"none\.csv: cannot be read, or is empty"):
        Playback(slider(), tmp_path / "none.csv")
    here = object_of(slider(), "playback", {"file": "none.csv"}).call("problem")["problem"]
    assert text_of(here).endswith("from here, or is empty: give an absolute path")
    for other in (tmp_path, tmp_path / "gait.npz"):
        with pytest.raises(RobcogenError, match=r"expected a \.csv, as robcogen gait"):
            Playback(slider(), other)


def test_files_of_spreadsheets(file):
    """A mark of the order of bytes, blanks, and rows without numbers are nothing of a gait."""
    text = file.read_text()
    empty = "," * text.partition("\n")[0].count(",")
    for written in (
        "\ufeff" + text,
        "sep=,\n" + text,
        text.replace(",", " , "),
        f"{text}\n{empty}\n",
        text.replace("\n", "\r\n"),
        text.replace("\n", "\r"),
    ):
        file.write_text(written, newline="")
        assert Playback(slider(), file).duration == pytest.approx(DURATION)
    rounded = [",".join(f"{float(x):.3f}" for x in row.split(",")) for row in text.split()[1:]]
    file.write_text("\n".join([text.split()[0], *rounded]))
    assert Playback(slider(), file).duration == pytest.approx(DURATION)
    for sign, name in ((";", "semicolons"), ("\t", "tabs")):
        file.write_text(text.replace(",", sign).replace(".", ","))
        with pytest.raises(RobcogenError, match=f"separated by commas, found {name}"):
            Playback(slider(), file)
    file.write_text(text.partition("\n")[2])
    with pytest.raises(RobcogenError, match="expected names of columns in the first line, found "):
        Playback(slider(), file)
    file.write_bytes(b"PK\x03\x04" + bytes(20))
    with pytest.raises(RobcogenError, match=r"found an archive, as \.xlsx is"):
        Playback(slider(), file)
    file.write_text(text, encoding="utf-16")
    with pytest.raises(RobcogenError, match=r"expected UTF-8, found .*UTF-16"):
        Playback(slider(), file)
