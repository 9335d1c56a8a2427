"""The transmission of ros2_control behind its handles, where its headers are found."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.backends.render import include_directory
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.runtime.test_transmission import BY_FOOT, GEARED, GEARS, MOTORS
from test.support.eigen import eigen_directory
from test.support.linkage_oracle import Linkage

CPP = Path(__file__).parent / "cpp" / "ros2_transmission.cpp"
PACKAGES = ("transmission_interface", "hardware_interface", "rcpputils")
FOUND = [
    next((f for f in (Path(p) / "include" / package for p in PATHS) if f.is_dir()), None)
    for PATHS in [os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)]
    for package in PACKAGES
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(None in FOUND, reason=f"not here to compile with: {' '.join(PACKAGES)}"),
]
NAMES = ["transmission", "joint_positions", "coordinate_jacobian"]


class Hardware:
    """A hardware component's numbers."""

    def __init__(self, library, linkage, motors=MOTORS, joints=("pitch", "roll")):
        self.robot = robot_of(NumpyEvaluator(Library(linkage.robot, [], NAMES)))
        self._library, error = library, ctypes.create_string_buffer(500)
        lists = [(ctypes.c_char_p * len(x))(*(n.encode() for n in x)) for x in (motors, joints)]
        library.hardware_make.restype = ctypes.c_void_p
        library.hardware_numbers.restype = ctypes.POINTER(ctypes.c_double)
        model = ctypes.c_void_p(self.robot._evaluator.model_address)
        made = library.hardware_make(model, len(motors), len(joints), *lists, GEARS.ctypes, error)
        if not made:
            raise ValueError(error.value.decode())
        self._object = ctypes.c_void_p(made)
        self.motors, self.joints = (
            np.ctypeslib.as_array(library.hardware_numbers(self._object, side), (3, 2))
            for side in (1, 0)
        )

    def to_joints(self):
        self._library.hardware_move(self._object, 1)

    def to_motors(self):
        self._library.hardware_move(self._object, 0)

    def end(self):
        self._library.hardware_end(self._object)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("transmission") / "transmission.so"
    command = ["c++", "-std=c++17", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    include = [f"-I{include_directory()}"]
    for folder in (eigen_directory(), *FOUND):
        include += ["-isystem", str(folder)]
    subprocess.run([*command, *include, str(CPP), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


@pytest.fixture
def linkage(tmp_path):
    return Linkage.of(tmp_path, GEARED, BY_FOOT, actuated=list(MOTORS))


def test_states_go_to_joints_and_commands_to_motors(library, linkage):
    hardware, random = Hardware(library, linkage), np.random.default_rng(2)
    for t in linkage.positions(5):
        q, qd, tau = t[linkage.free], *random.uniform(-2, 2, (2, 2))
        positions, G, inverse = hardware.robot.transmission(q)
        hardware.motors[:] = positions, G @ qd, inverse.T @ tau
        hardware.to_joints()
        np.testing.assert_allclose(hardware.joints, [q, qd, tau], rtol=0, atol=1e-11)
        hardware.motors[:] = 0
        hardware.to_motors()
        expected = [positions, G @ qd, inverse.T @ tau]
        np.testing.assert_allclose(hardware.motors, expected, rtol=0, atol=1e-10)
    hardware.motors[0] = [100.0, 100.0]
    hardware.to_joints()
    assert np.isnan(hardware.joints).all()
    hardware.end()


@pytest.mark.parametrize(
    ("motors", "joints", "told"),
    [
        (MOTORS, ("pitch", "yaw"), "no moving joint 'yaw'"),
        (MOTORS, ("roll",), "as many joints as motors, and has 1 and 2"),
        (MOTORS, (), "has no joints or no actuators"),
    ],
)
def test_handles_of_other_names_are_refused(library, linkage, motors, joints, told):
    with pytest.raises(ValueError, match=told):
        Hardware(library, linkage, motors, joints)
