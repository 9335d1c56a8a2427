"""The kinematics plugin of MoveIt, where its base class is found."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from test.cmake.tools import colcon_build, environment, make_workspace, needs_packages, needs_ros
from test.support.robots import robot_path

pytestmark = [needs_ros, needs_packages("moveit_core")]
PANDA = robot_path("panda_description/urdf/panda.urdf")
BASE, TIP = "panda_link0", "panda_link8"


@pytest.fixture(scope="module")
def prefix(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with the plugin of a Panda, installed."""
    directory = make_workspace(tmp_path_factory.mktemp("moveit"), "moveit_arm")
    urdf = directory / "src" / "moveit_arm" / "urdf"
    urdf.mkdir()
    shutil.copy(PANDA, urdf / "arm.urdf")
    colcon_build(directory, underlay=installed.parents[1])
    return directory / "install" / "moveit_arm"


def answers(prefix: Path, positions: np.ndarray, way: str) -> list[np.ndarray]:
    """What the program says of each row of positions."""
    env = environment()
    for name, entry in (("AMENT_PREFIX_PATH", prefix), ("LD_LIBRARY_PATH", prefix / "lib")):
        env[name] = f"{entry}:{env.get(name, '')}"
    said = subprocess.run(
        [prefix / "lib" / "moveit_arm" / "solutions", PANDA, BASE, TIP, way],
        input="\n".join(" ".join(map(repr, map(float, q))) for q in positions),
        capture_output=True,
        check=True,
        text=True,
        env=env,
    )
    return [np.array(line.split(), dtype=float) for line in said.stdout.splitlines()]


def test_positions_that_are_found_lead_to_the_pose_within_limits(prefix: Path) -> None:
    """The poses are Pinocchio's; the nearest of all is where one begins, and the third is not."""
    model = pinocchio.buildModelFromUrdf(str(PANDA))
    data, frame = model.createData(), model.getFrameId(TIP)
    low, high = model.lowerPositionLimit[:7], model.upperPositionLimit[:7]
    positions = np.random.default_rng(7).uniform(low, high, (50, 7))
    for way in ("nearest", "third"):
        for q, told in zip(positions, answers(prefix, positions, way), strict=True):
            found = told[7:]
            assert (found >= low - 1e-9).all() and (found <= high + 1e-9).all()
            pose = pinocchio.XYZQUATToSE3(told[:7])
            for joints in (q, found):
                pinocchio.framesForwardKinematics(model, data, np.append(joints, [0.0, 0.0]))
                np.testing.assert_allclose(data.oMf[frame].homogeneous, pose.homogeneous, atol=1e-9)
            assert (np.abs(found - q).max() < 1e-9) == (way == "nearest")


def test_where_all_are_refused_time_is_over(prefix: Path) -> None:
    (told,) = answers(prefix, np.array([[0.1, 0.2, 0.3, -1.5, 0.2, 1.4, 0.3]]), "refused")
    assert told[7:] == [-6]
