"""Loops that a Kinematics-DSL document or a URDF+ has itself, and frames named as theirs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.cli.urdf2kindsl import main as urdf2kindsl
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage
from test.support.linkages import FOUR_BAR, FOUR_BAR_LOOPS, reading


def as_kindsl(folder: Path, urdf: str, loops: str, *more: str) -> Path:
    model, file, written = (folder / f"robot.{x}" for x in ("urdf", "yaml", "kindsl"))
    model.write_text(urdf)
    file.write_text(loops)
    assert urdf2kindsl([str(model), "--loops", str(file), "-o", str(written), *more]) == 0
    return written


@pytest.mark.parametrize("more", [(), ("--keep-fixed",)])
def test_kinematics_dsl_has_loops(tmp_path: Path, more: tuple[str, ...]) -> None:
    loops = FOUR_BAR_LOOPS + "independent: [swing]\n"
    written = as_kindsl(tmp_path, FOUR_BAR, loops, *more)
    text = written.read_text()
    assert "predecessor = closing_rod_1\n" in text
    assert "independent { swing }" in text
    again = load(written).loops
    assert again is not None
    (loop,) = again.loops
    assert (loop.name, loop.fixed, loop.location.line) == (
        "rod",
        "axis_y",
        1 + text[: text.index("loop rod")].count("\n"),
    )
    assert [(name, value) for name, value, _ in again.positions] == [
        ("drive", -1),
        ("pin", 0.9),
        ("swing", 1.2),
    ]
    found, expected = read(written).robot, reading(tmp_path, loops).robot
    assert found.joint_names == expected.joint_names == ("wrist", "swing")
    y, yd, ydd = np.array([0.3, 1.65]), np.array([0.7, -0.4]), np.array([1.5, 0.6])
    torques = [
        Linkage(robot, robot, []).of_robot("inverse_dynamics", q=y, qd=yd, qdd=ydd)
        for robot in (found, expected)
    ]
    assert np.isfinite(torques).all()
    np.testing.assert_allclose(*torques, rtol=1e-12)


_OF_MUJOCO = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="crank"><joint name="drive" axis="0 1 0"/><geom size="0.1" pos="0.1 0.1 0.1"/>
    <body name="coupler" pos="0.3 0 0"><joint name="pin" axis="0 1 0"/>
      <geom size="0.1" pos="0.2 0.1 0"/><body name="tip" pos="0.8 0 0">
        <joint name="roll" axis="1 0 0"/><geom size="0.02" pos="0 0.1 0"/><site name="end"/>
      </body></body></body>
  <body name="rocker" pos="0.8 0 0"><joint name="swing" axis="0 -1 0"/>
    <geom size="0.1" pos="0.1 0 0.3"/><site name="top" pos="0.6 0 0"/></body></worldbody>
  <equality><connect name="rod" site1="end" site2="top"/></equality>
  <tendon><spatial name="spring" stiffness="30" springlength="0.2">
    <site site="end"/><site site="top2"/></spatial></tendon>
  <actuator><motor joint="swing"/></actuator>
  <keyframe><key qpos="-1.0 0.9 0 1.2"/></keyframe></mujoco>""".replace(
    '<site name="top"', '<site name="top2" pos="0 0 0.4"/><site name="top"'
)


@pytest.mark.parametrize("given", ["kindsl", "xml"])
def test_loops_and_springs_are_written_beside_a_urdf(tmp_path: Path, given: str) -> None:
    if given == "kindsl":
        file = as_kindsl(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS + "independent: [swing]\n")
    else:
        file = tmp_path / "robot.xml"
        file.write_text(_OF_MUJOCO)
    urdf, apart = tmp_path / "again.urdf", tmp_path / "again.yaml"
    command = "kindsl2urdf" if given == "kindsl" else "mjcf2urdf"
    assert main([command, str(file), "-o", str(urdf), "--write-loops", str(apart)]) == 0
    terms = ["springs"]
    one, two = read(file, terms=terms).robot, read(urdf, loops=apart, terms=terms).robot
    assert [x.name for x in two.coordinates] == [x.name for x in one.coordinates]
    names = ["inverse_dynamics", "closure_residual", "joint_positions"]
    robots = [robot_of(NumpyEvaluator(Library(x, names))) for x in (one, two)]
    q = np.random.default_rng(0).uniform(-0.05, 0.05, (5, one.n))
    q[:, one.joint_names.index("swing")] += 1.65
    forces = [robot.inverse_dynamics(q, 0.3 * q, q) for robot in robots]
    assert np.isfinite(forces[0]).all()
    np.testing.assert_allclose(*forces, rtol=1e-11, atol=1e-12)
    order = [robots[1].moving_joint_names.index(x) for x in robots[0].moving_joint_names]
    at = [robot.joint_positions(q) for robot in robots]
    np.testing.assert_allclose(at[0], at[1][:, order], atol=1e-12)


def test_a_tree_has_nothing_to_write_beside_its_urdf(tmp_path: Path, capsys) -> None:
    file = tmp_path / "robot.xml"
    file.write_text("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    assert main(["mjcf2urdf", str(file), "--write-loops", str(tmp_path / "no.yaml")]) == 1
    assert "has no loops or springs to write apart" in capsys.readouterr().err
    assert not (tmp_path / "no.yaml").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("= closing_rod_1", "= closing_rod_3"), "there is no frame 'closing_rod_3'; did you mean"),
        (("fixed = axis_y", "fixed = hinge"), "expected one of point, axis_x"),
        (("fixed = axis_y", ""), "expected 'fixed', found '}'"),
        (("drive = -1", "drvie = -1"), "joint 'drvie' is not defined; did you mean 'drive'?"),
        (("pin = 0.9", "drive = 0.9"), "joint 'drive' is there twice"),
        (("independent { swing }", "independent { wrist }"), "'wrist' is in no loop"),
        (("independent { swing }", "independent { }"), "expected a name, found '}'"),
        (
            (
                "    loop rod",
                "    loop rod { predecessor = fr_crank successor = fr_tool fixed = all }\nloop rod",
            ),
            "there is a second loop named 'rod'",
        ),
    ],
)
def test_mistakes_in_loops_of_kinematics_dsl_are_told(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    written = as_kindsl(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS + "independent: [swing]\n")
    text = written.read_text()
    assert change[0] in text
    written.write_text(text.replace(*change))
    with pytest.raises(ModelError) as error:
        read(written)
    (problem, *_) = error.value.problems
    assert message in problem.message
    changed = written.read_text().splitlines()
    assert problem.location is not None
    assert any(word in changed[problem.location.line - 1] for word in (*change[1].split(), "}"))


def urdf_plus(more: str) -> str:
    return FOUR_BAR.replace('"drive" type', '"drive" independent="true" type').replace(
        "</robot>", more + "</robot>"
    )


PLUS_LOOP = """
<loop name="rod" type="revolute"><predecessor link="coupler"><origin xyz="0.8 0 0"/></predecessor>
<successor link="rocker"><origin xyz="0.6 0 0"/></successor><axis xyz="0 1 0"/></loop>
"""


def test_the_page_shows_a_loop_of_urdf_plus(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "loops.md").read_text(encoding="utf-8")
    loop = page.split("```xml\n")[1].split("```")[0]
    robots = []
    for text in (loop, PLUS_LOOP):
        (tmp_path / "plus.urdf").write_text(urdf_plus(text))
        robots.append(read(tmp_path / "plus.urdf").robot)
    assert robots[0] == robots[1]


ISAAC_LOOP = """
<loop_joint name="rod" type="revolute"><link1 link="coupler" xyz="0.8 0 0" rpy="0 0 0"/>
<link2 link="rocker" xyz="0.6 0 0"/><axis xyz="0 1 0"/></loop_joint>
"""


def test_loop_joints_of_isaac_sim_are_loops_of_urdf_plus(tmp_path: Path) -> None:
    robots = []
    for text in (ISAAC_LOOP, PLUS_LOOP):
        (tmp_path / "robot.urdf").write_text(urdf_plus(text))
        robots.append(read(tmp_path / "robot.urdf").robot)
    assert robots[0] == robots[1]


@pytest.mark.parametrize(
    ("loop", "change", "message"),
    [
        (ISAAC_LOOP, ('xyz="0.8 0 0"', 'xyz="0.8 0"'), "<link1>: xyz: expected three numbers"),
        (ISAAC_LOOP, ('rpy="0 0 0"', 'rpy="0 x 0"'), "<link1>: rpy: expected three numbers"),
        (ISAAC_LOOP, ('link="rocker"', 'link="roker"'), "did you mean 'rocker'?"),
        (PLUS_LOOP, ('xyz="0.8 0 0"', 'xyz="0.8 0"'), "<origin>: xyz: expected three numbers"),
    ],
)
def test_mistakes_in_loops_of_a_urdf_are_told(
    tmp_path: Path, loop: str, change: tuple[str, str], message: str
) -> None:
    (tmp_path / "robot.urdf").write_text(urdf_plus(loop.replace(*change)))
    with pytest.raises(ModelError, match=message.replace("?", r"\?")) as error:
        read(tmp_path / "robot.urdf")
    place = error.value.problems[0].location
    assert place is not None and place.line == 2


def test_loops_of_urdf_plus_are_read(tmp_path: Path) -> None:
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(PLUS_LOOP))
    found = read(model)
    place = next(w.location for w in found.warnings if "closed at the nearest" in w.message)
    assert place is not None and place.line == 2
    assert found.robot.joint_names == ("drive", "wrist")
    (closure,) = found.robot.closures
    (loop,) = closure.loops
    assert loop.fixed == (0, 1, 3, 4, 5)
    ends = [found.robot.frames[k].pose for k in loop.frames]
    expected = reading(tmp_path, FOUR_BAR_LOOPS).robot
    theirs = [expected.frames[expected.frame_index(f"closing_rod_{k}")].pose for k in (1, 2)]
    for mine, other in zip(ends, theirs, strict=True):
        assert [float(x) for x in mine.translation] == [float(x) for x in other.translation]
        y = other.rotation.transposed().y  # what is y there is z here
        assert [float(x) for x in mine.rotation.transposed().z] == [float(x) for x in y]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('type="revolute"', 'type="hinge"'), "type: expected one of revolute, "),
        (('link="coupler"', 'link="copler"'), "<predecessor>: there is no link 'copler'; did"),
        (('link="rocker"', 'link="coupler"'), "both ends are on link 'coupler'"),
        (('<origin xyz="0.6 0 0"/>', ""), "<successor>: expected an <origin>, found none"),
        (('xyz="0 1 0"', 'xyz="0 1"'), "<axis>: xyz: expected three numbers, not all zero"),
        (('name="rod" ', ""), "name expected, found none"),
    ],
)
def test_mistakes_in_loops_of_urdf_plus_are_told(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    model = tmp_path / "plus.urdf"
    assert change[0] in PLUS_LOOP
    model.write_text(urdf_plus(PLUS_LOOP.replace(*change)))
    with pytest.raises(ModelError) as error:
        read(model)
    (problem,) = error.value.problems
    assert f"is not read: {message}" in problem.message
    assert problem.location is not None and problem.location.line == 2


def test_couplings_of_urdf_plus_are_mimics(tmp_path: Path) -> None:
    more = '<coupling name="c"><predecessor link="crank"/><successor link="rocker"/>'
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(more + '<ratio value="-6.5"/></coupling>'))
    found = read(model).robot
    swing = next(each for each in found.joints if each.name == "swing")
    assert found.joint_names == ("drive", "pin", "wrist")
    assert (found.joint_names[swing.coordinate], float(swing.multiplier)) == ("drive", -6.5)


COUPLING = (
    '<coupling name="belt"><predecessor link="coupler"/><successor link="rocker"/>'
    '<ratio value="-2.5"/></coupling>'
)
"""The rocker turns by -2.5 times what crank and coupler turn together."""


def test_a_joint_is_coupled_with_several_others(tmp_path: Path) -> None:
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(COUPLING))
    coupled = read(model).robot
    model.write_text(urdf_plus(""))
    tree = read(model).robot
    assert coupled.joint_names == ("drive", "pin", "wrist")
    G = np.zeros((4, 3))
    for name, row in (("drive", [1, 0, 0]), ("pin", [0, 1, 0]), ("wrist", [0, 0, 1])):
        G[tree.joint_names.index(name)] = row
    G[tree.joint_names.index("swing")] = [-2.5, -2.5, 0]
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 3))
    of_tree, found = (robot_of(NumpyEvaluator(Library(robot))) for robot in (tree, coupled))
    np.testing.assert_allclose(
        found.inertia_matrix(q), G.T @ of_tree.inertia_matrix(G @ q) @ G, rtol=1e-12
    )
    np.testing.assert_allclose(
        found.inverse_dynamics(q, qd, qdd),
        G.T @ of_tree.inverse_dynamics(G @ q, G @ qd, G @ qdd),
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    ("more", "options", "message"),
    [
        (COUPLING.replace("belt", "two"), {}, "'swing' follows another joint already"),
        (
            '<coupling name="c"><predecessor link="crank"/><successor link="coupler"/>'
            '<ratio value="2"/></coupling>',
            {},
            "expected joints that move each of the links alone",
        ),
        (PLUS_LOOP, {}, "coupling 'belt' of several joints is not possible beside loops yet"),
        ("", {"lock": {"pin": 0.1}}, "cannot lock joint 'pin': it is in coupling 'belt'"),
        ("", {"tips": ["rocker"]}, "loop 'belt', which moves the chosen part, is not in it"),
    ],
)
def test_what_a_coupling_of_several_joints_cannot_be_with_is_told(
    tmp_path: Path, more: str, options: dict[str, object], message: str
) -> None:
    model = tmp_path / "plus.urdf"
    model.write_text(urdf_plus(COUPLING + more))
    with pytest.raises(RobcogenError, match=message):
        read(model, **options)


def test_a_file_says_where_loops_of_the_description_are_closed(tmp_path: Path) -> None:
    position = FOUR_BAR_LOOPS[FOUR_BAR_LOOPS.index("position") :]
    found = reading(tmp_path, position, urdf_plus(PLUS_LOOP))
    assert not any("nearest" in warning.message for warning in found.warnings)
    assert found.robot.joint_names == ("drive", "wrist")
    with pytest.raises(ModelError, match="expected at least one loop or spring, found none"):
        reading(tmp_path, position)


def test_frames_named_as_those_of_a_loop_are_told_with_a_file(tmp_path: Path) -> None:
    ends = '<link name="closing_rod_1"/>\n<link name="closing_rod_2"/>'
    for k, parent, x in ((1, "coupler", 0.8), (2, "rocker", 0.6)):
        ends += f'<joint name="e{k}" type="fixed"><parent link="{parent}"/>'
        ends += f'<child link="closing_rod_{k}"/><origin xyz="{x} 0 0"/></joint>'
    urdf, model = FOUR_BAR.replace("</robot>", "\n" + ends + "</robot>"), tmp_path / "robot.urdf"
    model.write_text(urdf)
    (told,) = read(model).warnings
    assert told.location is not None and told.location.line == 2
    text = told.message[told.message.index("loops: {") :].split(" does, ")[0]
    position = FOUR_BAR_LOOPS[FOUR_BAR_LOOPS.index("position") :]
    found = reading(tmp_path, f"{text}\n{position}", urdf)
    assert found.robot.joint_names == ("drive", "wrist")
    assert not read(model, cut_loops=True).warnings
