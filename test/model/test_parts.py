"""Parts of a robot: what is cut off, how its root stands, which joints cannot move."""

from __future__ import annotations

import math

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.inspect import main as inspect
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.read import read
from test.support.random_robots import Joint, Link, Tree

TENSOR = (0.01, 0.0, 0.0, 0.01, 0.0, 0.01)


def link(name, mass=None):
    return Link(name) if mass is None else Link(name, mass, (0.1, 0.2, 0.3), tensor=TENSOR)


def hinge(name, parent, child, **more):
    kind = more.pop("kind", "revolute")
    return Joint(name, kind, parent, child, more.pop("xyz", (0.3, 0.0, 0.1)), **more)


ARM = Tree(
    (
        link("world"),
        link("base", 3.0),
        link("upper", 2.0),
        link("camera", 0.5),
        link("lens", 0.25),
        link("hand", 1.0),
        link("left", 0.1),
        link("right", 0.2),
        link("pad", 0.05),
        link("mirror", 0.4),
    ),
    (
        hinge("mount", "world", "base", kind="fixed", rpy=(math.pi / 2, 0.0, 0.0)),
        hinge("shoulder", "base", "upper"),
        hinge("weld", "upper", "camera", kind="fixed"),
        hinge("zoom", "camera", "lens", kind="prismatic"),
        hinge("wrist", "upper", "hand", axis=(0.0, 1.0, 0.0)),
        hinge("grip", "hand", "left", kind="prismatic"),
        hinge("other", "hand", "right", kind="prismatic", mimic=("grip", -1.0, 0.0)),
        hinge("glue", "right", "pad", kind="fixed"),
        hinge("copy", "base", "mirror", mimic=("wrist", 1.0, 0.0)),
    ),
)


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.urdf())
    return path


def messages(reading):
    return [problem.message for problem in reading.warnings]


def test_mass_that_is_fixed_on_what_stays_is_told(arm):
    told, _ = messages(read(arm, tips=["hand", "left", "right", "mirror"]))
    assert told.startswith("0.55 kg are left out although they are fixed on links that stay: ")
    assert "'camera' (0.5 kg), 'pad' (0.05 kg); keep_attached=True" in told


@pytest.mark.parametrize("options", [[], ["--json"], ["--function", "inertia_matrix"]])
def test_inspect_tells_it_too(arm, capsys, options):
    tips = [f"--tip={tip}" for tip in ("hand", "left", "right", "mirror")]
    assert inspect([str(arm), *tips, *options]) == 0
    assert "0.55 kg are left out" in capsys.readouterr().err


def test_mass_that_is_fixed_on_a_base_is_told_where_that_floats(arm):
    options = {"root": "hand", "tips": ["left"], "lock": {"other": 0}}
    for floating, gravity in ((False, "mount"), (True, None)):
        reading = read(arm, floating_base=floating, gravity=gravity, **options)
        told = [text for text in messages(reading) if "fixed on links that stay" in text]
        assert len(told) == floating
        assert all(text.startswith("0.25 kg are left out") for text in told)


def test_mass_that_follows_what_stays_is_told(arm):
    told = messages(read(arm, tips=["left", "camera"]))
    assert told == [
        "0.65 kg are left out although their joints follow joints that stay: 'right' (0.2 kg), "
        "'pad' (0.05 kg), 'mirror' (0.4 kg); keep_attached=True keeps them",
        "0.25 kg are left out that move by themselves on links that stay: 'lens' (0.25 kg); where "
        "their joints are locked, keep_attached=True keeps them",
    ]


def test_mass_that_follows_from_elsewhere_cannot_be_kept(arm):
    (told,) = messages(read(arm, root="upper", gravity="mount", lock={"shoulder": 0}))
    assert told.startswith("0.4 kg are left out although their joints follow joints that stay")
    assert told.endswith("'mirror' (0.4 kg); only a larger part of the robot can keep them")


def test_mass_beyond_a_joint_that_moves_of_its_own_is_told_as_a_note(arm):
    (told,) = read(arm, tips=["camera", "hand", "mirror"]).warnings
    assert told.message.startswith("0.6 kg are left out that move by themselves on links that stay")
    assert "'lens' (0.25 kg), 'left' (0.1 kg), 'right' (0.2 kg), 'pad' (0.05 kg);" in told.message
    assert told.severity == "note"
    assert not messages(read(arm))
    whole, part = (read(arm, tips=tips).robot for tips in ((), ("camera", "hand", "mirror")))
    masses = [sum(float(link.inertia.mass) for link in robot.links) for robot in (whole, part)]
    assert masses[0] - masses[1] == pytest.approx(0.6)


def test_fingers_that_are_locked_are_kept_as_the_note_says(arm):
    options = {"tips": ["hand", "mirror"], "lock": {"grip": 0.01, "zoom": 0}}
    reading = read(arm, keep_attached=True, **options)
    assert not messages(reading)
    assert sum(float(link.inertia.mass) for link in reading.robot.links) == pytest.approx(7.5)


def test_what_a_floating_root_is_fixed_on_is_told(arm):
    (told,) = messages(read(arm, root="lens", floating_base=True, lock={"zoom": 0}))
    assert told.startswith("2.5 kg are left out although the root is fixed on them: ")
    assert not messages(read(arm, root="base", floating_base=True))


def test_what_is_attached_can_be_kept(arm):
    options = {"tips": ["left"], "backend": "numpy"}
    whole = robcogen_ros.build(arm, backend="numpy", lock={"zoom": 0})
    kept = robcogen_ros.build(arm, keep_attached=True, **options)
    cut = robcogen_ros.build(arm, **options)
    assert kept.joint_names == whole.joint_names == cut.joint_names
    assert kept.total_mass() == pytest.approx(7.25)
    assert cut.total_mass() == pytest.approx(6.1)
    heavier = robcogen_ros.build(arm, keep_attached=True, lock={"zoom": 0}, **options)
    q = [0.3, -0.2, 0.1]
    np.testing.assert_allclose(heavier.inertia_matrix(q), whole.inertia_matrix(q), rtol=1e-13)
    assert np.abs(cut.inertia_matrix(q) - kept.inertia_matrix(q)).max() > 1e-3


def test_a_turned_root_needs_gravity(arm):
    with pytest.raises(ModelError) as caught:
        read(arm, root="base")
    assert f"{arm}:3:1: error: the root 'base' is turned against 'world'" in str(caught.value)
    assert 'give gravity=(0, -9.81, 0), or gravity="mount" for the same' in str(caught.value)
    for given in ("mount", (0, -9.81, 0), [0.0, -9.81, 0.0], np.array([0, -9.81, 0])):
        assert read(arm, root="base", gravity=given).robot.gravity == (0, -9.81, 0)
    assert read(arm, root="base", gravity=(0, 0, 0)).robot.gravity == (0, 0, 0)


def test_joints_above_the_root_that_tilt_it_are_told(arm):
    with pytest.raises(ModelError, match="that is with joint 'shoulder' at zero"):
        read(arm, root="upper")
    reading = read(arm, root="upper", gravity="mount")
    assert messages(reading)[0].startswith("gravity in the root 'upper' changes with joint 'shou")
    locked = read(arm, root="upper", gravity="mount", lock={"shoulder": 0.5})
    assert locked.robot.gravity == pytest.approx((-9.81 * math.sin(0.5), -9.81 * math.cos(0.5), 0))
    assert len(messages(locked)) == len(messages(reading)) - 1


def test_joints_above_that_turn_about_the_vertical_change_nothing(tmp_path):
    path = tmp_path / "crane.urdf"
    tower = hinge("turn", "base", "cab")
    boom = hinge("slide", "cab", "boom", kind="prismatic", axis=(1.0, 0.0, 0.0))
    rope = hinge("tilt", "boom", "rope", axis=(1.0, 0.0, 0.0))
    end = hinge("swing", "rope", "hook")
    names = ("base", "cab", "boom", "rope", "hook")
    tree = Tree(tuple(link(name, 1.0) for name in names), (tower, boom, rope, end))
    path.write_text(tree.urdf())
    assert not messages(read(path, root="boom"))
    assert read(path, root="boom").robot.gravity == (0, 0, -9.81)
    (told,) = messages(read(path, root="rope"))
    assert told.startswith("gravity in the root 'rope' changes with joint 'tilt' above it: 0 0 -9.")


def test_a_slight_turn_is_none(tmp_path):
    path = tmp_path / "arm.urdf"
    for angle, fine in ((5e-5, True), (2e-3, False), (math.pi, False)):
        mount = hinge("mount", "world", "base", kind="fixed", rpy=(angle, 0.0, 1.0))
        path.write_text(ARM.with_joint(mount).urdf())
        try:
            assert read(path, root="base").robot.gravity == (0, 0, -9.81)
            assert fine
        except ModelError:
            assert not fine


@pytest.mark.parametrize(
    "gravity",
    [
        *("down", "", (0, 0), (0, 0, -9.81, 0), 9.81, (0, 0, math.nan), (0, 0, -math.inf)),
        *(("0", "0", "1"), (None, 0, 0), {"x": 1}, (0, 0, True), (0, 0, 1j), np.zeros((3, 3))),
    ],
    ids=repr,
)
def test_what_is_no_gravity_is_refused(arm, gravity):
    with pytest.raises(RobcogenError, match=r"^gravity: expected"):
        read(arm, gravity=gravity)


def test_a_floating_base_is_given_gravity_at_each_call(arm):
    for gravity in ("mount", (0, 0, -9.81)):
        with pytest.raises(RobcogenError, match="gravity is for a fixed base"):
            read(arm, floating_base=True, gravity=gravity)


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        ({"wrist": math.nan}, "cannot lock joint 'wrist': expected a finite number, found nan"),
        ({"wrist": math.inf}, "cannot lock joint 'wrist': expected a finite number, found inf"),
        ({"wrist": None}, "cannot lock joint 'wrist': expected a number, found None"),
        ({"wrist": "0.1"}, "cannot lock joint 'wrist': expected a number, found '0.1'"),
        ({"wrist": True}, "cannot lock joint 'wrist': expected a number, found True"),
        ({"wrist": [0.1]}, r"cannot lock joint 'wrist': expected a number, found \[0.1\]"),
        ({"wrist": 1j}, "cannot lock joint 'wrist': expected a number, found 1j"),
        ({"wrist": 9.1}, "cannot lock joint 'wrist' at 9.1 rad: its range is -9 to 9 rad"),
        ({"grip": -90}, "cannot lock joint 'grip' at -90 m: its range is -9 to 9 m"),
        ({"wrst": 0.1}, "there is no such joint; did you mean 'wrist'"),
        ({5: 0.1}, "lock: expected values by name, as a dict, found {5: 0.1}"),
        ({None: 0.1}, "lock: expected values by name, as a dict, found {None: 0.1}"),
        ({"mount": 0.1}, "cannot lock joint 'mount': it is fixed"),
        (["wrist"], r"lock: expected values by name, as a dict, found \['wrist'\]"),
        ("wrist=0.1", "lock: expected values by name, as a dict, found 'wrist=0.1'"),
    ],
)
def test_what_cannot_be_locked_is_refused(arm, lock, message):
    with pytest.raises(RobcogenError, match=message):
        read(arm, lock=lock)


@pytest.mark.parametrize("value", [0.25, np.float32(0.25), np.float64(0.25), np.array(0.25)[()]])
def test_any_real_number_locks_a_joint(arm, value):
    assert "wrist" not in read(arm, lock={"wrist": value}).robot.joint_names
    assert "wrist" not in read(arm, lock={"wrist": np.int64(1)}).robot.joint_names
