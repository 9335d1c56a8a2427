"""What a gait leaves behind: pictures, and which feet stand when."""

from __future__ import annotations

import csv
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

pytest.importorskip("casadi")

from robcogen_ros.cli.main import main
from robcogen_ros.formats import source, yaml_text
from robcogen_ros.gait import picture
from robcogen_ros.plots import style
from robcogen_ros.standing.footing import find_footing
from test.gait.kept import DURATION, DUTY, FEET, PHASES, kept, robot
from test.support.pictures import outside

TWO_LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"


@pytest.mark.parametrize(
    ("missing", "file", "told"),
    [
        ("viser", "gait.html", "--output gait.html needs viser"),
        ("matplotlib", "gait.svg", "--output gait.svg needs matplotlib"),
        ("", "none/gait.csv", "cannot write none/gait.csv: there is no folder none"),
    ],
)
def test_a_file_that_cannot_be_made_is_told_before_anything_is_read(
    missing, file, told, capsys, monkeypatch
):
    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    assert main(["gait", "no_robot.urdf", "no_gait.yaml", "-o", file]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert not missing or "pip install" in said


@pytest.mark.slow
def test_soles_that_are_not_known_are_told_with_what_is_taken_for_them(tmp_path, capsys):
    file = tmp_path / "gait.yaml"
    file.write_text("gait: gallop\n")
    feet = ["--contact", "left:pose", "--contact", "right:pose"]
    assert main(["gait", str(TWO_LEGS), str(file), "--quiet", *feet]) == 1
    told = capsys.readouterr().err
    assert "note: soles of left, right are not known" in told
    (note,) = find_footing(TWO_LEGS, contacts=feet[1::2]).notes
    assert note in told


def test_poses_of_the_base_are_those_of_roll_pitch_and_yaw():
    pin = pytest.importorskip("pinocchio")
    pose = kept().base_poses()[7]
    np.testing.assert_allclose(pose[:3, :3], pin.rpy.rpyToMatrix(*kept().orientation[7]))
    np.testing.assert_array_equal(pose[:3, 3], kept().position[7])


def test_a_schedule_tells_which_feet_stand_when(tmp_path):
    kept().save(tmp_path / "gait.schedule.yaml")
    read = yaml.safe_load((tmp_path / "gait.schedule.yaml").read_text())
    assert (read["period"], read["duty"]) == (DURATION, DUTY)
    assert read["phases"] == dict(zip(FEET, PHASES, strict=True))
    for time, row in zip(kept().times[:-1] + 1e-6, kept().standing[:-1], strict=True):
        spans = [read["stance"][foot] for foot in FEET]
        stands = [
            any(begin <= time + turn < end for turn in (0.0, DURATION)) for begin, end in spans
        ]
        assert stands == row.tolist()


ODD_NAMES = (
    *("off", "012", "1:30", "null", "~", "yes", "Y", "1e3", "nan", "a #b", "a: b", "*x", "&x", "é"),
    *(
        "日本",
        "a,b",
        "[x]",
        "- a",
        "'",
        '"',
        "\\",
        "",
        " ",
        "<<",
        "2026-11-27",
        "0x1f",
        "!t",
        "\x85",
    ),
)


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
def test_files_tell_names_as_they_are(tmp_path, loader):
    """PyYAML, and libyaml, which ROS reads with."""
    frames = [name for name in ODD_NAMES if ":" not in name]  # what follows a colon is no name
    for at in (0, robot().n):
        joint_names, contacts = ODD_NAMES[at:][: robot().n], frames[at:][: len(FEET)]
        gait = replace(kept(), joint_names=joint_names, contacts=contacts, feet=contacts)
        for file in ("gait.yaml", "gait.schedule.yaml", "gait.csv"):
            gait.save(tmp_path / file)
        trajectory = yaml.load((tmp_path / "gait.yaml").read_text("utf-8"), loader)
        assert trajectory["joint_names"] == list(joint_names)
        text = (tmp_path / "gait.schedule.yaml").read_text("utf-8")
        schedule = yaml.load(text, loader)
        assert [*schedule["phases"]] == [*schedule["stance"]] == contacts
        with (tmp_path / "gait.csv").open(encoding="utf-8", newline="") as stream:
            header, first, *_ = csv.reader(stream)
        assert len(header) == len(first)
        assert [f"{joint}.position" for joint in joint_names] == header[7 : 7 + robot().n]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_in_yaml_are_read_again(name):
    written = yaml_text.name(name)
    entries = yaml_text.mapping(source.of_text(f"{written}: [{written}]", "gait.yaml"))
    assert {key: entry.value for key, entry in entries.items()} == {name: [name]}


def test_usual_names_are_not_quoted():
    for name in ("lf_haa_joint", "panda/joint1", "leg-1.hip", "y_axis"):
        assert yaml_text.name(name) == name


def test_times_are_whole_nanoseconds(tmp_path):
    times = kept().times * (1 - 4e-10) / kept().times[-1]
    replace(kept(), times=times).save(tmp_path / "gait.yaml")
    *_, last = yaml.safe_load((tmp_path / "gait.yaml").read_text())["points"]
    assert last["time_from_start"] == {"sec": 1, "nanosec": 0}


def test_a_picture_shows_footfalls_forces_and_efforts_within_limits():
    pytest.importorskip("matplotlib")
    with style.canvas(picture.size(robot(), kept())) as figure:
        picture.fill(figure, robot(), kept())
        assert outside(figure) == []
    falls, normal, cone = figure.axes[6:9]
    spans = [[*bars.get_paths()] for bars in falls.collections]
    assert [len(each) for each in spans] == [1, 2, 2, 1]
    assert [text.get_text() for text in falls.texts] == list(FEET)
    assert len(normal.lines) == 4 and len(cone.lines) == 5
    highest = max(np.nanmax(line.get_ydata()) for line in normal.lines)
    assert highest == pytest.approx(kept().forces[..., 2].max())
    np.testing.assert_allclose(np.nanmax(cone.lines[0].get_ydata()), 0.2)
    efforts = {axes.get_title(loc="left"): axes for axes in figure.axes[9:]}
    assert set(efforts) == set(robot().joint_names)
    for name, limit in zip(robot().joint_names, robot().effort_limits, strict=True):
        effort, lower, upper = (line.get_ydata() for line in efforts[name].lines)
        assert (effort == 0.25 * limit).all() and (-lower == upper).all()
        assert upper[0] == limit < efforts[name].get_ylim()[1]
