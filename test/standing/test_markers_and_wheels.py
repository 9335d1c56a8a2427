"""Feet whose frames are markers at a border, on wheels, or amidst a shank."""

import numpy as np
import pytest

from robcogen_ros import build
from robcogen_ros.model.contacts import Foot
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from test.control.cpp_legged import quadruped
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid

MARKER = (
    '<joint name="{0}_at" type="fixed"><parent link="{1}"/><child link="{0}"/>'
    '<origin xyz="{2} {3} -0.05"/></joint><link name="{0}"><collision><geometry>'
    '<sphere radius="{4}"/></geometry></collision></link>'
)


def marked(folder, places, radius, sole=""):
    """A humanoid with markers on the links that are its soles, which may have a shape."""
    path = write_humanoid(folder, (YAW, ROLL, *BEND, SOLE_ROLL))
    text = path.read_text()
    for side in "lr":
        foot, shape = f"{side}sole", f"<collision>{sole}</collision>" * bool(sole)
        text = text.replace(f'<link name="{foot}"/>', f'<link name="{foot}">{shape}</link>')
        here = "".join(MARKER.format(side + name, foot, *at, radius) for name, at in places.items())
        text = text.replace("</robot>", f"{here}</robot>")
    path.write_text(text)
    return path


def corners(sole):
    return {tuple(corner) for corner in sole.round(6).tolist()}


def test_markers_along_the_border_of_a_foot_span_its_sole(tmp_path):
    """The middle one of its toe is its frame; radii lower the sole."""
    places = {
        f"_{side}_{end}": (x, y)
        for side, y in (("left", 0.04), ("right", -0.04), ("middle", 0.0))
        for end, x in (("toe", 0.17), ("heel", -0.07))
    }
    found = find_footing(marked(tmp_path, places, 0.005))
    assert found.names == ("l_middle_toe:pose", "r_middle_toe:pose")
    assert not found.notes
    for sole in found.soles.values():
        assert corners(sole) == {(x, y, -0.005) for x in (0.0, -0.24) for y in (0.04, -0.04)}


def test_a_marker_does_not_hide_the_box_of_the_link_that_it_is_on(tmp_path):
    box = '<origin xyz="0.02 0 -0.04"/><geometry><box size="0.1 0.05 0.04"/></geometry>'
    found = find_footing(marked(tmp_path, {"toe": (0.06, 0.0)}, 0.001, box))
    assert found.names == ("ltoe:pose", "rtoe:pose")
    assert not found.notes
    for sole in found.soles.values():
        assert corners(sole) == {(x, y, -0.01) for x in (0.01, -0.09) for y in (0.025, -0.025)}


def test_a_root_on_the_floor_is_told_with_how_to_raise_it(tmp_path):
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
    heights = {"0.03 0.004 {}": 0.2, "0 0 {}": 0.4, "0 0.1 {}": 0, "0 -0.1 {}": 0}

    def rooted(by, contacts=()):
        text = path.read_text()
        for at, z in heights.items():
            text = text.replace(f'xyz="{at.format(z)}"', f'xyz="{at.format(z + by)}"', 1)
        (tmp_path / "rooted.urdf").write_text(text)
        return find_footing(tmp_path / "rooted.urdf", contacts=contacts)

    assert rooted(-0.1).names == rooted(0.0).names == ("lsole:pose", "rsole:pose")
    low = "the origin of its root 'trunk' is too low: its feet are at z = 0.05 m"
    for contacts in ((), ("lsole:pose", "rsole:pose")):
        found = rooted(0.85, contacts)
        assert found.names == contacts
        assert low in found.told
        assert "Take 0.85 m off the z of all that is placed on 'trunk'" in found.told
    assert low not in rooted(0.0, contacts).told


WHEEL = (
    '<collision><origin xyz="{} 0.01 0" rpy="{} 0 0"/><geometry><cylinder radius="0.05" '
    'length="0.04"/></geometry></collision>'
)


def rolling(folder, wheel):
    """A quadruped whose feet turn on axles."""
    text, axle = quadruped(), '"continuous"><axis xyz="0 1 0"/>'
    for foot in ("lf", "rf", "lh", "rh"):
        text = text.replace(f'<link name="{foot}"/>', f'<link name="{foot}">{wheel}</link>')
        text = text.replace(f'"{foot}_ankle" type="fixed">', f'"{foot}_ankle" type={axle}')
    (folder / "robot.urdf").write_text(text)
    return find_footing(folder / "robot.urdf")


@pytest.mark.parametrize(
    ("off", "roll", "radius", "note"),
    [
        (0.0, np.pi / 2, 0.05, "lf (50 mm), rf (50 mm), lh (50 mm), rh (50 mm) are wheels"),
        (0.02, np.pi / 2, 0.0, "shapes of lf (50 mm), rf (50 mm), lh (50 mm), rh (50 mm) reach"),
        (0.0, 0.0, 0.0, ""),
    ],
)
def test_a_cylinder_about_its_axle_is_a_wheel(tmp_path, off, roll, radius, note):
    """One off its axle, or that stands, is none."""
    found = rolling(tmp_path, WHEEL.format(off, roll))
    assert list(found.radii.values()) == [radius] * 4
    assert len(found.notes) == bool(note)
    assert note in found.told


@pytest.mark.parametrize(("wheels", "higher"), [(True, 0.05), (False, 0.0)])
def test_legs_end_at_the_axles_of_wheels_and_at_the_ground_below_balls(tmp_path, wheels, higher):
    """A Go2W's hips were at their effort limit where the radius of its wheels counted as leg."""
    if wheels:
        rolling(tmp_path, WHEEL.format(0.0, np.pi / 2))
    else:
        (tmp_path / "robot.urdf").write_text(quadruped())
    robot = build(
        tmp_path / "robot.urdf",
        floating_base=True,
        contacts=["lf", "rf", "lh", "rh"],
        functions=["kinematics", "center_of_mass"],
        backend="numpy",
    )
    points, balls = (Legs(robot, [Foot(radius)] * 4).standing() for radius in (0.0, 0.05))
    assert balls.height - points.height == pytest.approx(higher, abs=1e-3)


@pytest.mark.parametrize(("below", "told"), [(0.03, True), (0.02, False)])
def test_a_shank_that_goes_on_below_its_foot_is_told(tmp_path, below, told):
    text = quadruped()
    box = f'<origin xyz="0 0 {-below / 2}"/><geometry><box size="0.02 0.02 {below}"/></geometry>'
    for foot in ("lf", "rf", "lh", "rh"):
        here = f'<link name="{foot}"><collision>{box}</collision></link>'
        text = text.replace(f'<link name="{foot}"/>', here)
    (tmp_path / "robot.urdf").write_text(text)
    words = f"shapes of lf ({1e3 * below:.0f} mm), rf"
    assert (words in find_footing(tmp_path / "robot.urdf").told) == told
