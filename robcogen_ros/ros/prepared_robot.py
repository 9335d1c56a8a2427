"""A robot for loops: calls of compiled functions with everything prepared that can be."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array


class PreparedRobot:
    """A fixed-base robot, many times faster to call from Python than for general arrays.

    Vectors are (n,) or (batch, n) float64 arrays, all of the same shape; there are no external
    forces. What a robot never changes is kept as an attribute.

    Attributes:
        robot: The robot.
        n: Number of joints.
        joint_names: Names of the joints.
        continuous: Which joints turn without end.
        lower_limits: Least positions.
        upper_limits: Greatest positions.
        velocity_limits: Greatest speeds.
        effort_limits: Greatest efforts.
        damping: Viscous friction.
        friction: Dry friction.
    """

    def __init__(self, robot: Any) -> None:
        self.robot = robot
        self.n: int = robot.n
        self.joint_names: tuple[str, ...] = tuple(robot.joint_names)
        self.continuous: NDArray[np.bool_] = robot.continuous
        self.lower_limits: Array = robot.lower_limits
        self.upper_limits: Array = robot.upper_limits
        self.velocity_limits: Array = robot.velocity_limits
        self.effort_limits: Array = robot.effort_limits
        self.damping: Array = robot.damping
        self.friction: Array = robot.friction
        self._calls: dict[tuple[str, int, bool], _Call] = {}

    def inverse_dynamics(
        self,
        q: Array,
        qd: Array,
        qdd: Array,
        *,
        gravity: Array | None = None,
    ) -> Array:
        """Efforts for an acceleration."""
        return self._call("inverse_dynamics", {"q": q, "qd": qd, "qdd": qdd}, gravity)

    def forward_dynamics(self, q: Array, qd: Array, tau: Array) -> Array:
        """Acceleration under efforts."""
        return self._call("forward_dynamics", {"q": q, "qd": qd, "tau": tau}, None)

    def gravity_torques(self, q: Array) -> Array:
        """Efforts that hold the robot still."""
        return self._call("gravity_torques", {"q": q}, None)

    def inertia_matrix(self, q: Array) -> Array:
        """Joint-space inertia matrix."""
        matrix = self._call("inertia_matrix", {"q": q}, None)
        return matrix.reshape(*q.shape[:-1], self.n, self.n)

    def _call(self, name: str, vectors: Mapping[str, Array], gravity: Array | None) -> Array:
        shape = vectors["q"].shape
        count = 1 if len(shape) == 1 else shape[0]
        given = vectors if gravity is None else {**vectors, "gravity": gravity}
        if self.robot.library_path is None:
            result: Array = getattr(self.robot, name)(**given)
            return result
        key = (name, count, gravity is not None)
        if key not in self._calls:
            self._calls[key] = _Call(self.robot, name, tuple(given), count)
        result = self._calls[key](given.values())
        return result.reshape(-1) if len(shape) == 1 else result


class _Call:
    """One compiled function on arrays that stay where they are."""

    def __init__(self, robot: Any, name: str, given: tuple[str, ...], count: int) -> None:
        function = robot._evaluator._functions[name]
        arguments = [function.inputs[i] for i in range(function.input_count)]
        sizes = {a.name.decode(): a.rows * a.columns for a in arguments}
        buffers = {a: np.zeros((count, sizes[a])) for a in given}
        output = function.outputs[0]
        self._inputs = tuple(buffers.values())
        self._output = np.zeros((count, output.rows * output.columns))
        self._parameters = robot.parameters.array()
        pointers = [buffers[a].ctypes.data if a in buffers else None for a in sizes]
        self._arguments = (
            ctypes.c_size_t(count),
            ctypes.c_void_p(self._parameters.ctypes.data if self._parameters.size else None),
            (ctypes.c_void_p * len(pointers))(*pointers),
            (ctypes.c_void_p * 1)(self._output.ctypes.data),
        )
        self._run = function.call_many

    def __call__(self, values: Any) -> Array:
        for buffer, value in zip(self._inputs, values, strict=True):
            buffer[:] = value
        self._run(*self._arguments)
        result: Array = self._output.copy()
        return result
