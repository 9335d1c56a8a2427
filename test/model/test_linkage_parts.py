"""Parts of robots with loops: joints locked, links chosen, joints with terms of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.summary import Summary, summary_of
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    BOOM,
    BOOM_LOOPS,
    FIVE_BAR,
    FIVE_BAR_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    PARALLELOGRAM,
    PARALLELOGRAM_LOOPS,
    joint,
    linkage,
    links,
    reading,
)


def inertia(robot: Robot, q: Sequence[float]) -> NDArray[np.float64]:
    """The inertia matrix."""
    program = Library(robot, ["inertia_matrix"]).entry("inertia_matrix").general
    entries = np.array(interpret(program, {"q": list(q)})["H"], dtype=float)
    return entries.reshape(robot.n, robot.n)


@pytest.mark.parametrize(
    ("urdf", "loops", "lock"),
    [
        (FOUR_BAR, FOUR_BAR_LOOPS, {"wrist": 0.2}),
        (FOUR_BAR, FOUR_BAR_LOOPS, {"drive": 2.5}),
        (FIVE_BAR, FIVE_BAR_LOOPS, {"swing": 0.4}),
        (FIVE_BAR, FIVE_BAR_LOOPS, {"swing": 0.7, "drive": -0.6}),
    ],
    ids=lambda x: "+".join(x) if isinstance(x, dict) else "",
)
def test_locked_joints_stay_in_the_motion_of_the_loops(
    urdf: str, loops: str, lock: dict[str, float]
) -> None:
    whole, locked = linkage(urdf, loops), linkage(urdf, loops, lock=lock)
    assert locked.joint_names == tuple(n for n in whole.joint_names if n not in lock)
    for shift in (0.0, 0.15):
        at = {n: shift - 0.9 * (n == "drive") for n in locked.joint_names} | lock
        moving = [whole.joint_names.index(n) for n in locked.joint_names]
        right = inertia(whole, [at[n] for n in whole.joint_names])[np.ix_(moving, moving)]
        found = inertia(locked, [at[n] for n in locked.joint_names])
        np.testing.assert_allclose(found, right, rtol=1e-11)


def test_a_joint_that_follows_is_locked_with_those_that_it_follows() -> None:
    locked = linkage(FOUR_BAR, FOUR_BAR_LOOPS, lock={"pin": 1.0})
    assert locked.joint_names == ("wrist",)
    by_drive = linkage(FOUR_BAR, FOUR_BAR_LOOPS)
    program = Library(by_drive, ["crank_X_coupler"]).entry("crank_X_coupler").general

    def cosine(drive: float) -> float:
        return float(interpret(program, {"q": [drive, 0.0]})["X"][0])

    low, high = -1.6, -0.4  # the pin turns one way between these
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (cosine(middle) < np.cos(1.0)) else (low, middle)
    right = inertia(by_drive, [low, 0.3])[1:, 1:]
    np.testing.assert_allclose(inertia(locked, [0.3]), right, rtol=1e-9)


def test_a_coordinate_of_the_file_that_a_locked_joint_holds_is_none() -> None:
    other = BOOM
    for name, new in (("rocker", "beam"), ("tool", "shovel"), ("wrist", "dump")):
        other = other.replace(f'"{name}"', f'"{new}"')
    urdf = FOUR_BAR.replace("</robot>", other.split('<link name="world"/>')[1])
    head = BOOM_LOOPS.split("loops:\n")[1].split("position")[0].replace("rocker", "beam")
    loops = FOUR_BAR_LOOPS.replace("position: {", f"{head}position: {{stroke: 0.3, ")
    loops += "independent: [drive, stroke]\n"
    assert linkage(urdf, loops).joint_names == ("drive", "wrist", "dump", "stroke")
    assert linkage(urdf, loops, lock={"boom": -0.2}).joint_names == ("drive", "wrist", "dump")


def test_a_joint_is_not_locked_where_loops_do_not_close() -> None:
    with pytest.raises(
        RobcogenError, match=r"'swing' at 5: .* stay closed on the way there to 2.668 only"
    ):
        linkage(FOUR_BAR, FOUR_BAR_LOOPS, lock={"swing": 5.0})


def test_a_chain_keeps_loops_that_are_whole() -> None:
    whole = linkage(FOUR_BAR, FOUR_BAR_LOOPS)
    assert linkage(FOUR_BAR, FOUR_BAR_LOOPS, tips=["tool", "rocker"]) == whole
    assert linkage(FOUR_BAR, FOUR_BAR_LOOPS, tips=["tool"], keep_attached=True) == whole
    crank = linkage(FOUR_BAR, FOUR_BAR_LOOPS, tips=["crank"])
    assert (crank.joint_names, crank.closures) == (("drive",), ())
    front = linkage(PARALLELOGRAM.format(elbow="", second=""), PARALLELOGRAM_LOOPS, tips=["front"])
    assert [float(joint.multiplier) for joint in front.joints] == [1, -1]


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        ({"tips": ["tool"]}, "link 'rocker' is missing; .*another root or tips=\"rocker\""),
        ({"root": "crank"}, "link 'rocker' is missing"),
        ({"tips": ["rocker"]}, "link 'coupler' is missing"),
    ],
)
def test_a_loop_that_is_not_whole_is_told(part: dict[str, object], missing: str) -> None:
    with pytest.raises(ModelError, match=missing) as error:
        linkage(FOUR_BAR, FOUR_BAR_LOOPS, **part)
    assert error.value.problems[0].location.line == 2


def test_dry_friction_of_joints_that_follow_is_refused_where_it_is_asked_for() -> None:
    rough = FOUR_BAR.replace('<axis xyz="0 -1 0"/>', '<axis xyz="0 -1 0"/><dynamics friction="2"/>')
    assert linkage(rough, FOUR_BAR_LOOPS).n == 2
    with pytest.raises(ModelError, match="'swing' follows others: its dry friction cannot be part"):
        linkage(rough, FOUR_BAR_LOOPS, terms=["friction"])
    armed = FOUR_BAR.replace(
        '<axis xyz="1 0.2 0"/>', '<axis xyz="1 0.2 0"/><dynamics damping="2"/>'
    )
    damping = linkage(armed, FOUR_BAR_LOOPS, terms=["damping"]).terms.damping
    assert [*map(float, damping)] == [0, 2]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The words that name the four-bar on the command line."""
    (tmp_path / "bar.urdf").write_text(FOUR_BAR)
    (tmp_path / "loops.yaml").write_text(FOUR_BAR_LOOPS)
    return [str(tmp_path / "bar.urdf"), "--loops", str(tmp_path / "loops.yaml")]


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (["urdf2sdf"], "a file for a simulator"),
        (["motions2transforms"], "a document of motions"),
        (["check", "--against", "mujoco"], "a comparison with MuJoCo"),
        (["generate", "-o", "x", "--kinematics-plugin"], "the plugin of --kinematics-plugin"),
    ],
    ids=lambda x: x[-1] if isinstance(x, list) else "",
)
def test_what_knows_no_loops_refuses_them_at_once(
    files: list[str], command: list[str], target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command[0], *files, *command[1:]]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{files[2]}:2:3: error: loop 'rod' makes joints follow others by more than a factor, "
        f"which {target} cannot have yet"
    ]


def test_check_tells_how_each_loop_is_solved(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *files]) == 0
    line = "loop rod: pin, swing follow drive; a triangle, in closed form; 2 of 5 rows count, "
    line += "not those about x, about z, along y; "
    assert capsys.readouterr().out.splitlines()[1:] == [f"{line}drive has no end"]
    Path(files[2]).write_text(FOUR_BAR_LOOPS + "independent: [swing]\n")
    assert main(["check", *files]) == 0
    told = capsys.readouterr().out.splitlines()[1]
    ends = re.search(r"pin, drive follow swing; .*; swing from (.*) to (.*) rad", told)
    assert ends
    assert told.endswith(" rad, both dead centres")
    crank = math.hypot(0.3, 0.02)  # the rocker turns back where it is in line with the coupler
    spread = [
        math.acos((0.8**2 + 0.6**2 - d**2) / (2 * 0.8 * 0.6)) for d in (0.8 + crank, 0.8 - crank)
    ]
    assert float(ends[2]) - float(ends[1]) == pytest.approx(spread[0] - spread[1], abs=2e-3)


def test_a_warning_is_told_once(tmp_path: Path) -> None:
    urdf = PARALLELOGRAM.format(elbow="", second="").replace(
        "</robot>",
        links("held") + joint("across", "front", "held", 'xyz="0 0 -0.1001"', "1 0 0") + "</robot>",
    )
    (tmp_path / "loops.yaml").write_text(
        PARALLELOGRAM_LOOPS.replace("{link: front, xyz: [0, 0, -0.1]}", "held")
    )
    for lock in ({}, {"shoulder": 0.3}):
        found = read(Source("robot.urdf", urdf), loops=tmp_path / "loops.yaml", lock=lock)
        assert sum("they are closed" in warning.message for warning in found.warnings) == 1


def test_motors_are_coordinates_before_others() -> None:
    motors = "left_motor", "right_motor"
    loops = ANKLE_LOOPS[: ANKLE_LOOPS.index("independent")]
    command = '<command_interface name="effort"/>'
    system = "".join(f'<joint name="{name}">{command}</joint>' for name in motors)
    system += '<joint name="pitch"><state_interface name="position"/></joint>'
    of_file = f'<ros2_control name="x" type="system">{system}</ros2_control></robot>'
    of_gears = "".join(
        f'<transmission name="{n}"><joint name="{n}"/></transmission>' for n in motors
    )
    assert linkage(ANKLE, loops).joint_names == ("pitch", "roll")
    for urdf, options in (
        (ANKLE, {"actuated": motors}),
        (ANKLE.replace("</robot>", of_file), {}),
        (ANKLE.replace("</robot>", f"{of_gears}</robot>"), {}),
    ):
        found = linkage(urdf, loops, **options)
        assert found.joint_names == found.actuated == motors
        assert Summary.from_json(summary_of(found).to_json()).actuated == motors
    explicit = linkage(ANKLE, loops + "independent: [pitch, roll]\n", actuated=motors)
    assert (explicit.joint_names, explicit.actuated) == (("pitch", "roll"), motors)


def test_joints_without_which_others_would_be_nearly_singular_are_coordinates() -> None:
    """Two pins that are almost one cannot both follow, so a motor follows."""
    place = 'xyz="0.3 0.05 0.02"'
    two = joint("pin", "crank", "cross", place) + joint(
        "twin", "cross", "coupler", 'xyz="1e-5 0 0"'
    )
    urdf = FOUR_BAR.replace(joint("pin", "crank", "coupler", place), f'<link name="cross"/>{two}')
    found = linkage(urdf, FOUR_BAR_LOOPS, actuated=("drive", "swing"))
    assert found.joint_names == ("drive", "pin", "wrist")
    (closure,) = found.closures
    assert [found.joints[k].name for k in closure.dependent] == ["twin", "swing"]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["left_motor"], "no motor moves 'pitch', nor any"),
        (["left_motor", "pitch", "roll"], "more motors than coordinates: 'roll' follows"),
    ],
)
def test_motors_of_another_number_are_told(names: list[str], told: str, tmp_path: Path) -> None:
    loops = tmp_path / "loops.yaml"
    loops.write_text(ANKLE_LOOPS[: ANKLE_LOOPS.index("independent")])
    found = read(Source("robot.urdf", ANKLE), loops=loops, actuated=names)
    assert any(told in problem.message for problem in found.warnings)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("left_motr", "there is no joint 'left_motr'; did you mean 'left_motor'"),
        ("mount", "joint 'mount' is fixed"),
    ],
)
def test_motors_that_cannot_be_are_told(name: str, told: str) -> None:
    urdf = FOUR_BAR.replace('"drive"', '"left_motor"')
    with pytest.raises(RobcogenError, match=told):
        read(Source("robot.urdf", urdf), actuated=[name])


def test_more_joints_than_can_follow_together_are_told_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("robcogen_ros.model.closures.linkage._MOST", 6)
    assert linkage(ANKLE, ANKLE_LOOPS).closures[0].steps
    monkeypatch.setattr("robcogen_ros.model.closures.linkage._MOST", 5)
    told = "loops 'left', 'right' move 6 joints together; .* 5 are the most: .*multipliers"
    with pytest.raises(ModelError, match=told):
        linkage(ANKLE, ANKLE_LOOPS)


def with_limits(urdf: str, name: str, low: float, high: float) -> str:
    """The URDF with limits of a joint that has none."""
    start = urdf.index(f'<joint name="{name}" type="continuous">')
    end = urdf.index("</joint>", start)
    own = urdf[start:end].replace("continuous", "revolute")
    limit = f'<limit lower="{low}" upper="{high}" effort="9" velocity="9"/>'
    return urdf[:start] + own + limit + urdf[end:]


@pytest.mark.parametrize(
    ("urdf", "loops", "names"),
    [(FOUR_BAR, FOUR_BAR_LOOPS, ["pin"]), (FIVE_BAR, FIVE_BAR_LOOPS, ["pin", "knee"])],
    ids=["of one", "of two"],
)
def test_limits_that_exclude_all_closed_positions_are_an_error(
    urdf: str, loops: str, names: Sequence[str]
) -> None:
    """Folded, the crank's side reaches 0.5 m, and the rocker's at least 0.7."""
    for name in names:
        urdf = with_limits(urdf, name, 3.1, 3.2)
    with pytest.raises(ModelError, match="outside of their limits: 'pin' at ") as error:
        linkage(urdf, loops)
    place = error.value.problems[0].location
    assert place is not None and (place.file.endswith("loops.yaml"), place.line) == (True, 2)


def test_limits_that_exclude_the_written_position_alone_are_told(tmp_path: Path) -> None:
    at = reading(tmp_path, FIVE_BAR_LOOPS, FIVE_BAR).description.closures[0]
    knee = dict(zip(at.dependent, at.start, strict=True))["knee"]
    for low, told in ((knee - 0.01, 0), (knee + 0.01, 1)):
        limited = with_limits(FIVE_BAR, "knee", low, low + 3)
        warnings = reading(tmp_path, FIVE_BAR_LOOPS, limited).warnings
        assert sum("outside of their limits" in w.message for w in warnings) == told


def test_drivers_beyond_their_limits_are_told_with_what_follows_them(tmp_path: Path) -> None:
    at = reading(tmp_path, FIVE_BAR_LOOPS, FIVE_BAR).description.closures[0]
    knee = dict(zip(at.dependent, at.start, strict=True))["knee"]
    limited = with_limits(with_limits(FIVE_BAR, "drive", 3.1, 3.2), "swing", 3.1, 3.2)
    for urdf, found in ((limited, True), (with_limits(limited, "knee", knee, knee + 0.01), False)):
        warnings = [w.message for w in reading(tmp_path, FIVE_BAR_LOOPS, urdf).warnings]
        (told,) = (text for text in warnings if "outside of their limits" in text)
        assert all(f"'{name}' at " in told for name in ("drive", "swing"))
        assert told.endswith("no position within is found near it") != found


def test_effort_limits_of_motors_that_follow_are_told(tmp_path: Path) -> None:
    limited = with_limits(FIVE_BAR, "knee", -3, 3)
    for motors, told in ((("drive", "swing", "knee"), 1), (("drive", "swing"), 0)):
        warnings = reading(tmp_path, FIVE_BAR_LOOPS, limited, actuated=motors).warnings
        found = [str(w) for w in warnings if "limits of the efforts" in w.message]
        assert len(found) == told
        assert all(text.endswith("are not used: 'knee'") for text in found)
