"""Chains of a robot in C++, compiled and called from Python."""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot

Array = NDArray[np.float64]
SOURCE = Path(__file__).parent / "cpp" / "chain.cpp"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")
FUNCTIONS = (
    "kinematics",
    "inverse_dynamics",
    "gravity_torques",
    "coriolis_torques",
    "inertia_matrix",
)


class Refused(Exception):
    """What a chain says is wrong."""


@dataclass(frozen=True)
class Terms:
    """The dynamics of a state."""

    inertia: Array
    coriolis: Array
    gravity: Array
    friction: Array
    torques: Array


class Chains:
    """Chains of one robot; roots and tips may be empty."""

    def __init__(self, robot: Robot, folder: Path) -> None:
        """Generate and compile."""
        generated = CppRobot(Library(robot, FUNCTIONS), folder, name=robot.name)
        generated.compile("-O0", only=("kinematics", "inverse_dynamics", "inertia_matrix"))
        self.n = robot.n
        self._library = self._compiled(generated, robot.name)
        self._library.last_error.restype = ctypes.c_char_p

    @staticmethod
    def _compiled(generated: CppRobot, name: str) -> ctypes.CDLL:
        shared = generated.folder / "chain.so"
        options = [
            "-DEIGEN_RUNTIME_NO_MALLOC",
            f'-DHEADER="demo/{name}.hpp"',
            f"-DROBOT=demo::{name}",
        ]
        command = ["c++", "-std=c++17", "-O0", "-shared", "-fPIC", *WARNINGS, *options]
        inputs = [*generated.include, str(SOURCE), *generated.objects]
        subprocess.run([*command, *inputs, "-o", str(shared)], check=True)
        return ctypes.CDLL(str(shared))

    def joints(self, root: str, tip: str) -> list[str]:
        """The names of a chain's joints."""
        names = ctypes.create_string_buffer(1000)
        self._call("chain_joints", root.encode(), tip.encode(), names, 1000)
        return names.value.decode().split()

    def places(self, root: str, tip: str, frame: str) -> bool:
        """Whether a chain's joints tell where a frame is."""
        return bool(self._library.chain_places(root.encode(), tip.encode(), frame.encode()))

    def kinematics(
        self, root: str, tip: str, frame: str, q: Array, damping: float = 5e-6
    ) -> tuple[Array, Array, Array]:
        """The pose of a frame in the root, its Jacobian, and the damped inverse of that."""
        n = len(q)
        pose, jacobian, inverse = np.zeros(16), np.zeros(6 * n), np.zeros(6 * n)
        names = root.encode(), tip.encode(), frame.encode()
        results = map(_pointer, (q, pose, jacobian, inverse))
        self._call("chain_kinematics", *names, ctypes.c_double(damping), *results)
        return pose.reshape(4, 4).T, jacobian.reshape(n, 6).T, inverse.reshape(6, n).T

    def dynamics(
        self, root: str, tip: str, q: Array, qd: Array, qdd: Array, gravity: Array | None = None
    ) -> Terms:
        """All terms of the dynamics."""
        n = self.n
        state, out = np.concatenate([q, qd, qdd]), np.zeros(n * n + 4 * n)
        field = None if gravity is None else _pointer(gravity)
        names = root.encode(), tip.encode()
        self._call("chain_dynamics", *names, field, _pointer(state), _pointer(out))
        return Terms(out[: n * n].reshape(n, n).T, *out[n * n :].reshape(4, n))

    def difference(self, start: Array, end: Array, time: float) -> Array:
        """The twist from one pose to another."""
        out = np.zeros(6)
        poses = _pointer(start), _pointer(end)
        self._library.frame_difference(*poses, ctypes.c_double(time), _pointer(out))
        return out

    def _call(self, function: str, *arguments: object) -> None:
        if getattr(self._library, function)(*arguments):
            raise Refused(self._library.last_error().decode())


def _pointer(values: Array) -> object:
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
