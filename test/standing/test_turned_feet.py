"""Soles of feet whose frames have another axis than z upwards, as CAD programs write them."""

import numpy as np
import pinocchio
import pytest

from robcogen_ros import build
from robcogen_ros.nodes.ground_parameters import with_shapes
from robcogen_ros.standing.footing import find_footing
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid

FRAME = (
    '<joint name="{0}_at" type="fixed"><parent link="{1}"/><child link="{0}"/>'
    '<origin rpy="{2}"/></joint><link name="{0}"/>'
)
BOX = '<collision><origin xyz="0.03 0 -0.04"/><geometry><box size="0.2 0.1 0.04"/></geometry>'
TURNS = {
    "z up": (0.0, 0.0, 0.0),
    "y up": (np.pi / 2, 0.0, 0.0),
    "-y up, z ahead": (-np.pi / 2, 0.0, -np.pi / 2),
    "x up": (0.0, -np.pi / 2, 0.0),
    "z down": (np.pi, 0.0, 0.0),
    "z up, leaning": (0.2, -0.2, 0.0),
}
FEET = ["lcad:pose", "rcad:pose"]


@pytest.fixture(params=TURNS.values(), ids=TURNS)
def turned(request, tmp_path):
    """A humanoid with turned frames on its soles, which have a box or nothing; and that turn."""

    def write(shape):
        path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
        text = path.read_text()
        for side in "lr":
            sole, rpy = f"{side}sole", " ".join(map(str, request.param))
            text = text.replace(f'<link name="{sole}"/>', f'<link name="{sole}">{shape}</link>')
            text = text.replace("</robot>", FRAME.format(f"{side}cad", sole, rpy) + "</robot>")
        path.write_text(text)
        return path

    return write, pinocchio.rpy.rpyToMatrix(*request.param)


def level(corners, turn):
    """Corners in the axes of the base."""
    return {tuple(corner) for corner in (corners @ turn.T).round(6).tolist()}


def test_the_lowest_face_of_a_foot_that_is_named_is_its_sole(turned):
    write, turn = turned
    expected = {(x, y, -0.06) for x in (-0.07, 0.13) for y in (0.05, -0.05)}
    for sole in find_footing(write(BOX + "</collision>"), contacts=FEET).soles.values():
        assert level(sole, turn) == expected


def test_soles_that_are_not_known_are_level_and_longer_ahead(turned):
    """A leg of 0.8 m has one of 0.128 m by 0.064 m, along axes of the frame."""
    write, turn = turned
    for sole in find_footing(write(""), contacts=FEET).soles.values():
        ahead, aside, up = np.ptp(sole @ np.round(turn).T, axis=0)
        assert (ahead, aside, up) == pytest.approx((0.128, 0.064, 0.0), abs=1e-9)


def test_the_parameter_is_ahead_to_the_left_and_upwards_where_z_is_not_vertical(turned):
    """Else it is along x, y and z of the frame."""
    write, turn = turned
    path = write("")
    footing = find_footing(path, contacts=FEET)
    robot = build(
        path, floating_base=True, contacts=FEET, functions=["kinematics"], backend="numpy"
    )
    values = {"soles": [-0.05, 0.1, -0.03, 0.04, -0.02], "foot_radius": -1.0}
    axes = np.eye(3) if abs(turn[2, 2]) > 0.9 else turn
    for sole in with_shapes(robot, footing, values).soles.values():
        assert level(sole, axes) == {(x, y, -0.02) for x in (-0.05, 0.1) for y in (-0.03, 0.04)}
