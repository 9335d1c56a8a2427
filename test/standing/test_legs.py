"""Robots on legs are told from all others, by where their limbs end."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import read
from robcogen_ros.standing import srdf
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import find_footing, footing
from robcogen_ros.standing.legs import find_feet
from robcogen_ros.standing.shapes import shapes
from robcogen_ros.standing.soles import Shape, foot_shape
from test.control.cpp_legged import quadruped
from test.support.examples import EXAMPLES, example
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid
from test.support.linkages import BOOM, BOOM_LOOPS, FOUR_BAR, FOUR_BAR_LOOPS, linkage
from test.support.robots import oracle_robots, robot_path

TWO_LEGS = Path(__file__).parents[1] / "control" / "two_legs.urdf"
FEET = {
    "a1": "FR_foot FL_foot RR_foot RL_foot",
    "alexander_v1.lowerBodyOnly": "LEFT_FOOT:pose RIGHT_FOOT:pose",
    "anymal": "LF_FOOT RF_FOOT LH_FOOT RH_FOOT",
    "anymal-kinova": "LF_FOOT RF_FOOT LH_FOOT RH_FOOT",
    "b1": "FR_foot FL_foot RR_foot RL_foot",
    "b1-z1": "FR_foot FL_foot RR_foot RL_foot",
    "bolt": "FL_FOOT FR_FOOT",
    "centauro": "wheel_1 wheel_2 wheel_3 wheel_4",
    "g1_29dof_rev_1_0": "left_ankle_roll_link:pose right_ankle_roll_link:pose",
    "g1_29dof_with_hand_rev_1_0": "left_ankle_roll_link:pose right_ankle_roll_link:pose",
    "go1": "FR_foot FL_foot RR_foot RL_foot",
    "go2": "FL_foot FR_foot RL_foot RR_foot",
    "hyq_no_sensors": "lf_foot rf_foot lh_foot rh_foot",
    "icub": "l_sole:pose r_sole:pose",
    "icub_reduced": "l_sole:pose r_sole:pose",
    "laikago": "FR_foot FL_foot RR_foot RL_foot",
    "romeo": "l_sole:pose r_sole:pose",
    "romeo_laas_small": "l_sole:pose r_sole:pose",
    "romeo_small": "l_sole:pose r_sole:pose",
    "simple_humanoid": "r_ankle:pose l_ankle:pose",
    "simple_humanoid_classical": "r_ankle:pose l_ankle:pose",
    "solo12": "FL_FOOT FR_FOOT HL_FOOT HR_FOOT",
    **{
        f"talos_{name}": "left_sole_link:pose right_sole_link:pose"
        for name in ("full_v2", "full_v2_box", "reduced", "reduced_box", "reduced_corrected")
    },
}
"""Feet of all robots on legs; Solo8's legs have two joints each."""
RADII = {"a1": 0.02, "b1": 0.04, "go1": 0.02, "hyq_no_sensors": 0.02175, "laikago": 0.0265}


def names(contacts):
    return tuple(contact.name for contact in contacts)


def sole_of(robot, frame, found, up=(0.0, 0.0, 1.0)):
    return foot_shape(robot, robot.frame_index(frame), np.array(up), found).corners


def stem(name):
    return name.rpartition("/")[2].removesuffix(".urdf")


@pytest.mark.parametrize("name", oracle_robots())
def test_feet_are_found_of_robots_on_legs_and_of_no_other(name):
    legs = find_feet(read(robot_path(name)).robot)
    assert names(legs.contacts) == tuple(FEET.get(stem(name), "").split())
    assert ("congruent limbs" in legs.reason) or "world" in legs.reason
    assert ("upwards" in legs.reason) == (stem(name) == "human")  # its y is
    assert "not level" not in legs.reason  # as four fingers are, of which none is lowest


@pytest.mark.parametrize(
    ("axis", "rpy"),
    [
        ("x", "0 1.5708 0"),
        ("-x", "0 -1.5708 0"),
        ("y", "-1.5708 0 0"),
        ("-y", "1.5708 0 0"),
        ("-z", "3.1416 0 0"),
    ],
)
def test_a_robot_whose_root_is_turned_is_told_how_to_stand_it_up(axis, rpy, tmp_path):
    path = robot_path("hyq_description/robots/hyq_no_sensors.urdf")
    upright = find_feet(read(path).robot)
    above = '<link name="cad"/><joint name="c" type="fixed"><parent link="cad"/>'
    above += (
        f'<child link="{read(path).robot.links[0].name}"/><origin rpy="{rpy}"/></joint></robot>'
    )
    text = path.read_text().replace("</robot>", above)
    (tmp_path / "turned.urdf").write_text(text)
    legs = find_feet(read(tmp_path / "turned.urdf").robot)
    assert not legs.contacts
    assert f"the {axis} axis of its root 'cad' is upwards, where z is expected" in legs.reason
    remedy = legs.reason[legs.reason.index("<link") :]
    (tmp_path / "mended.urdf").write_text(text.replace("</robot>", f"{remedy}</robot>"))
    mended = read(tmp_path / "mended.urdf").robot
    assert mended.links[0].name == "upright"
    again = find_feet(mended)
    assert (names(again.contacts), again.reason) == (names(upright.contacts), upright.reason)


def test_a_floating_joint_is_told():
    legs = find_feet(example("quadruped"))
    assert names(legs.contacts) == ("LF_foot", "RF_foot", "LH_foot", "RH_foot")
    assert legs.reason.startswith("a floating joint moves its base, and 4 congruent limbs")


def test_legs_of_two_joints_are_those_of_a_robot_that_floats():
    path = robot_path("solo_description/robots/solo.urdf")
    assert not find_feet(read(path).robot).contacts
    assert len(find_feet(read(path, floating_base=True).robot).contacts) == 4


def test_a_robot_on_a_pedestal_is_not_on_its_legs(tmp_path):
    xacro = EXAMPLES / "my_quadruped" / "description" / "my_quadruped.urdf.xacro"
    assert len(find_feet(read(xacro).robot).contacts) == 4
    post = """<link name="post"/><joint name="mount" type="fixed"><origin xyz="0 0 -0.7"/>
    <parent link="trunk"/><child link="post"/></joint></robot>"""
    path = tmp_path / "mounted.urdf.xacro"
    path.write_text(xacro.read_text().replace("</robot>", post))
    assert not find_feet(read(path).robot).contacts


def test_congruent_limbs_that_are_not_level_are_told_with_their_heights(tmp_path):
    """As of a Kelpie, two of whose legs reach up with joints at zero, called by no leg's name."""
    text = re.sub(r'("[lr]h_haa".*?<origin )', r'\1rpy="0 3.14159265 0" ', quadruped())
    text = text.replace("thigh", "upper").replace("shank", "lower")
    (tmp_path / "robot.urdf").write_text(text)
    reason = find_feet(read(tmp_path / "robot.urdf").robot).reason
    assert "4 limbs are congruent" in reason
    assert "lf at -0.50 m, rf at -0.50 m, lh at 0.50 m, rh at 0.50 m" in reason


def test_a_foot_is_no_frame_at_the_last_joint_whatever_its_name(tmp_path):
    """As of a SpotMicro, whose shanks are called feet and whose feet are called toes."""
    text = quadruped().replace("_shank", "_foot")
    for foot in ("lf", "rf", "lh", "rh"):
        text = text.replace(f'"{foot}"', f'"{foot}_toe"')
    (tmp_path / "robot.urdf").write_text(text)
    found = find_footing(tmp_path / "robot.urdf")
    assert names(found.contacts) == ("lf_toe", "rf_toe", "lh_toe", "rh_toe")


def test_a_standing_state_is_looked_at_first():
    robot = example("quadruped")
    upside = {name: np.pi for name in robot.joint_names if name.endswith("HFE")}
    assert find_feet(robot, dict.fromkeys(robot.joint_names, 0.1)).reason.endswith("as it stands")
    assert find_feet(robot, upside).reason.endswith("joints at zero")


@pytest.mark.parametrize("name", [n for n in oracle_robots() if stem(n) in RADII])
def test_balls_of_feet_come_from_their_spheres(name):
    path = robot_path(name)
    robot, found = read(path).robot, shapes(load(path).shapes)
    legs = find_feet(robot)
    for foot, up in zip(legs.contacts, legs.up, strict=True):
        assert foot_shape(robot, foot.frame, up, found).radius == RADII[stem(name)]


def test_soles_come_from_boxes_and_from_spheres_at_corners():
    path = robot_path("talos_data/robots/talos_reduced_box.urdf")
    robot, found = read(path).robot, shapes(load(path).shapes)
    sole = sole_of(robot, "left_sole_link", found)
    expected = [[-0.105, -0.065], [0.105, -0.065], [0.105, 0.065], [-0.105, 0.065]]
    np.testing.assert_allclose(sole, [[x, y, -0.003] for x, y in expected], atol=1e-15)

    path = robot_path("g1_description/urdf/g1_29dof_rev_1_0.urdf")
    robot, found = read(path).robot, shapes(load(path).shapes)
    up = np.array([0.0, 0.0, 1.0])
    sole = sole_of(robot, "left_ankle_roll_link", found, up)
    within = {(x, y) for x in (0.12, -0.05) for y in (0.025, -0.025)}  # the toe is 6 cm wide
    assert {(x, y) for x, y, _ in sole.round(4)} == within
    np.testing.assert_allclose(sole[:, 2], -0.035)


@pytest.mark.parametrize(("pitch", "flat"), [(0.17, True), (0.3, True), (0.4, False)])
def test_a_sole_is_along_its_frame_though_joints_at_zero_tilt_it_a_little(tmp_path, pitch, flat):
    """Feet of a robot whose joints sum up to a level sole elsewhere than at zero."""
    text = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL)).read_text()
    for foot in ("lsole", "rsole"):
        box = '<collision><geometry><box size="0.2 0.1 0.02"/></geometry></collision>'
        text = text.replace(f'<link name="{foot}"/>', f'<link name="{foot}">{box}</link>')
    joint = re.compile(r'("[lr]sole_joint".*?<origin)', re.DOTALL)
    path = tmp_path / "tilted.urdf"
    path.write_text(joint.sub(rf'\1 rpy="0 {pitch} 0"', text))
    found = find_footing(path)
    corners = {(-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)}
    assert found.names == ("lsole:pose", "rsole:pose")
    read_off = {(x, y) for x, y, _ in found.soles["lsole:pose"].round(4)}
    assert (read_off == corners) == flat
    assert ("soles of lsole, rsole are not known" in found.told) != flat


def test_shapes_of_an_mjcf_that_touch_by_a_pair_only_count(tmp_path):
    box = '<geom name="{}" type="box" size=".1 .05 .01" contype="0" conaffinity="0"/>'
    pair = '<contact><pair geom1="sole" geom2="floor"/></contact>'
    body = f'<body name="b">{box.format("sole")}{box.format("cover")}</body>'
    path = tmp_path / "pairs.xml"
    path.write_text(f"<mujoco><worldbody>{body}</worldbody>{pair}</mujoco>")
    (found,) = shapes(load(path).shapes)
    assert found.link == "b"
    np.testing.assert_allclose(np.ptp(found.points, axis=0), [0.2, 0.1, 0.02])


LYING = 'rpy="0 1.5707963267948966 0" xyz="0.05 {} -0.035"/><geometry><{} radius="0.02"'
STANDING_DISC = 'xyz="{} 0 -0.05"/><geometry><cylinder radius="0.03"'
QUAD = "v -0.1 -0.04 -0.06\nv 0.15 -0.04 -0.06\nv 0.15 0.04 -0.06\nv -0.1 0.04 -0.06\nv 0 0 0\n"


@pytest.mark.parametrize(
    ("rounded", "x", "y", "z"),
    [
        ([LYING.format(y, "cylinder") for y in (0.02, -0.02)], (-0.07, 0.17), 0.02, -0.055),
        ([LYING.format(y, "capsule") for y in (0.02, -0.02)], (-0.07, 0.17), 0.02, -0.055),
        ([STANDING_DISC.format(x) for x in (-0.1, 0.1)], (-0.1, 0.1), 0.03, -0.17),
        ([STANDING_DISC.format(0.0)], (0.0, 0.0), 0.03, -0.17),
        (["mesh"], (-0.1, 0.15), 0.04, -0.06),
    ],
)
def test_soles_of_cylinders_and_meshes(tmp_path, rounded, x, y, z):
    """What lies touches along a line, what stands with a disc, in which is a square."""
    text, path = TWO_LEGS.read_text(), tmp_path / "robot.urdf"
    (tmp_path / "foot.obj").write_text(QUAD + "f 1 2 5\nf 3 4 5\n")
    here = "".join(
        '<collision><geometry><mesh filename="foot.obj"/></geometry></collision>'
        if each == "mesh"
        else f'<collision><origin {each} length="0.24"/></geometry></collision>'
        for each in rounded
    )
    path.write_text(text.replace('<link name="left">', f'<link name="left">{here}'))
    sole = find_footing(path, contacts=["left:pose"]).soles["left:pose"]
    disc = 0.03 * np.sqrt(0.5) if y == 0.03 else 0.0
    ends = (x[0] - disc, x[1] + disc)
    wide = disc or y
    expected = {(round(a, 6), b) for a in ends for b in (round(wide, 6), round(-wide, 6))}
    assert {(a, b) for a, b, _ in sole.round(6)} == expected
    np.testing.assert_allclose(sole[:, 2], z)


def test_a_foot_without_shapes_has_none():
    robot = example("quadruped")
    up = np.array([0.0, 0.0, 1.0])
    assert sole_of(robot, "LF_foot", (), up) is None
    small = Shape("LF_foot", np.array([[0.001, 0.0, 0.0], [0.0, 0.001, 0.0]]))
    assert sole_of(robot, "LF_foot", [small], up) is None


@pytest.mark.parametrize(
    ("mesh", "reason"),
    [
        ("foot.dae", "they cannot be read (another up_axis than Z_UP, which some programs heed "),
        ("none.stl", "there is no such file"),
        ("pointer.stl", "it is a pointer of Git LFS: run git lfs pull there"),
        ("foot.x3d", "they cannot be read (of meshes STL, OBJ, DAE"),
        ("package://nowhere_at_all/foot.stl", "there is no package 'nowhere_at_all'"),
    ],
)
def test_meshes_that_are_not_read_are_told_with_what_to_give(tmp_path, mesh, reason):
    (tmp_path / "foot.dae").write_text("<COLLADA><up_axis>Y_UP</up_axis></COLLADA>")
    (tmp_path / "foot.x3d").write_text("")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0f\nsize 684\n"
    (tmp_path / "pointer.stl").write_text(pointer)
    name = mesh if "://" in mesh else f"file://{tmp_path / mesh}"
    text = TWO_LEGS.read_text()
    collision = f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'
    for link in ("left", "right"):
        text = text.replace(f'<link name="{link}">', f'<link name="{link}">{collision}')
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    (shape, _) = found = shapes(load(path).shapes)
    assert [s.link for s in found] == ["left", "right"]
    assert shape.unread.startswith(f"{mesh.rpartition('/')[2]}: {reason}")
    told = find_footing(path, contacts=["left:pose", "right:pose"]).told
    assert shape.unread in told
    assert (
        "a box as collision of the foot, or the parameter soles of the nodes, gives others" in told
    )
    assert "foot_radius" in find_footing(path, contacts=["left", "right"]).told


def test_legs_are_alike_wherever_on_their_axes_the_origins_of_joints_are(tmp_path):
    """An igus Humanoid, whose hips roll 30 mm ahead on one side, was said to have no legs."""
    path = write_humanoid(tmp_path, (ROLL, YAW, *BEND, SOLE_ROLL))
    text, feet = path.read_text().replace("\n", ""), ("lsole:pose", "rsole:pose")
    for roll, yaw, found in (("0.1 0.1", "-0.1 0", feet), ("0.1 0.1", "-0.1 0.1", ())):
        moved = text.replace('"lroll"/><origin xyz="0 0.1', f'"lroll"/><origin xyz="{roll}')
        moved = moved.replace('"lyaw"/><origin xyz="0 0.0', f'"lyaw"/><origin xyz="{yaw}')
        assert moved.count('xyz="0.1 ') == moved.count('xyz="-0.1 ') == 1
        path.write_text(moved)
        assert find_footing(path).names == found


@pytest.mark.parametrize(("length", "told"), [(0.03, True), (0.05, False)])
def test_a_sole_far_too_short_is_told(tmp_path, length, told):
    """A Digit's, of whose feet the edges are lowest with joints at zero, were 19 mm long."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
    box = f'<collision><geometry><box size="{length} 0.02 0.02"/></geometry></collision></link>'
    text = path.read_text()
    for foot in ("lsole", "rsole"):
        text = text.replace(f'<link name="{foot}"/>', f'<link name="{foot}">{box}')
    path.write_text(text)
    assert ("lsole (30 mm), rsole (30 mm) are very short" in find_footing(path).told) is told


STANDING = {"solo12": "standing", "talos_reduced": "half_sitting", "hyq_no_sensors": "standing"}


@pytest.mark.parametrize("name", [n for n in oracle_robots() if stem(n) in STANDING])
def test_a_standing_state_is_found_beside_the_robot(name):
    path = robot_path(name)
    robot = read(path).robot
    state = srdf.standing_state(srdf.beside(path, robot.name))
    assert state.name == STANDING[stem(name)]
    legs = [joint for joint in robot.joint_names if joint in state.positions]
    assert len(legs) >= 12


@pytest.mark.parametrize(("toe", "least"), [(0.02, 0.55), (0.049, 0.9), (0.05, 1.0), (0.0502, 1.0)])
def test_sole_of_four_points_is_a_rectangle_within_them(toe, least):
    """A narrow toe: no corner outside, most of the area kept, right angles."""
    robot = read(robot_path("talos_data/robots/talos_reduced.urdf")).robot
    border = np.array([[0.1, toe], [-0.1, 0.05], [-0.1, -0.05], [0.1, -toe]])
    points = [np.array([*corner, -0.1]) for corner in border[[0, 2, 1, 3]]]
    shape = Shape("left_sole_link", np.array(points))
    sole = sole_of(robot, "left_sole_link", [shape])
    sides = np.roll(sole, -1, axis=0) - sole
    assert abs(sides[0] @ sides[1]) <= 0.01 * np.prod(np.linalg.norm(sides[:2], axis=1))
    assert (np.abs(sole[:, 1]) <= toe + (0.1 - sole[:, 0]) / 0.2 * (0.05 - toe) + 1e-9).all()
    assert np.linalg.norm(np.cross(sides[0], sides[1])) >= least * 0.2 * (0.05 + toe)


def test_joints_that_follow_through_loops_have_their_positions() -> None:
    leg = read(EXAMPLES / "linkages" / "leg.kindsl").robot
    assert not find_feet(leg, {"motor": 0.2}).contacts


def test_linkages_whose_loops_are_open_at_zero_have_no_limbs_there() -> None:
    """A rocker out of reach; a ram of no length, along which there is no direction."""
    ram = BOOM.replace('xyz="0.03 0.02 0.1" rpy="0 0.3 0"', 'xyz="0 0.02 0"')
    by_ram = BOOM_LOOPS.replace("[boom]", "[stroke]").replace("[0.02, 0, 0.1]", "[0, 0, 0]")
    for urdf, loops in ((FOUR_BAR, f"{FOUR_BAR_LOOPS}independent: [swing]\n"), (ram, by_ram)):
        assert (
            "no two congruent limbs" in find_feet(linkage(urdf, loops, floating_base=True)).reason
        )


@pytest.mark.parametrize(("rotor", "terms"), [("", ()), ('armature="0.02"', ("armature",))])
def test_the_inertia_of_rotors_is_felt_where_a_file_tells_it(tmp_path, monkeypatch, rotor, terms):
    file, asked = tmp_path / "robot.urdf", {}
    limit = "<limit lower"
    told = f'<dynamics damping="0" {rotor}/>{limit}'
    file.write_text(TWO_LEGS.read_text().replace(limit, told, 1))
    monkeypatch.setattr(robcogen_ros, "build", lambda *_, **given: asked.update(given))
    build_standing(file, {}, find_footing(file, contacts=["left", "right"]))
    assert asked["terms"] == terms


@pytest.mark.parametrize(
    ("shape", "flat"), [('box size="0.2 0.1 0.02"', 1), ('sphere radius="1"', 0)]
)
def test_soles_are_advised_for_two_points_whose_shapes_are_flat(tmp_path, shape, flat):
    text, path = TWO_LEGS.read_text(), tmp_path / "robot.urdf"
    for link in ("left", "right"):
        here = f"<collision><geometry><{shape}/></geometry></collision>"
        text = text.replace(f'<link name="{link}">', f'<link name="{link}">{here}')
    path.write_text(text)
    told = find_footing(path, contacts=["left", "right"]).told
    assert "it falls, for 2 points carry no robot at rest" in told
    assert ("soles would, of feet named left:pose right:pose" in told) == flat


def test_joints_that_no_motor_moves_are_told():
    robot = read(EXAMPLES / "quadruped.kindsl").robot
    passive, *driven = robot.joint_names
    assert "no motor" not in footing(robot, lambda _: ()).told
    found = footing(replace(robot, actuated=tuple(driven)), lambda _: ())
    assert f"no motor moves '{passive}': it is controlled as if motors did" in found.told
