"""Robots stand in MuJoCo on the soles that are found in their files."""

import re

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.bench.mujoco_world import MujocoWorld
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid

pytest.importorskip("mujoco", reason="MuJoCo is not installed")


@pytest.mark.parametrize("pitch", [0.0, 0.3])
def test_soles_are_level_whatever_the_axes_of_their_frames(tmp_path, pitch):
    """Boxes of MuJoCo are along soles, which a frame tilted by `pitch` has aslant."""
    path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
    box = f'<origin rpy="0 {-pitch} 0"/><geometry><box size="0.2 0.1 0.02"/></geometry>'
    mass = (
        '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/>'
    )
    text = re.sub(
        r'<link name="(\w+)"/>', rf'<link name="\1">{mass}</inertial></link>', path.read_text()
    )
    text = re.sub(r'(<link name="\wsole">)', rf"\1<collision>{box}</collision>", text)
    path.write_text(
        re.sub(r'("\wsole_joint".*?<origin)', rf'\1 rpy="0 {pitch} 0"', text, flags=re.DOTALL)
    )
    footing = find_footing(path)
    robot = robcogen_ros.build(
        path,
        floating_base=True,
        contacts=footing.names,
        functions=["kinematics", "center_of_mass"],
        backend="numpy",
    )
    posture = Legs(robot, footing.feet).standing()
    world = MujocoWorld(path, robot, footing, posture, 0.6)
    assert world.touches.all()
    held = np.zeros(robot.n)
    world.advance(held, 1e-4)
    assert (world.wrenches[:, 5] > 0.0).all()
    model, data = world._model, world._data
    for foot in world._feet:
        np.testing.assert_allclose(np.sort(model.geom_size[foot]), [0.01, 0.05, 0.1], atol=1e-9)
        assert data.geom_xmat[foot][8] == pytest.approx(1.0, abs=1e-4)
