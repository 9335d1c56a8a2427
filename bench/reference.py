"""The dynamics of a robot by the textbook, on dense 6x6 matrices, with as many digits as asked for.

Newton-Euler, composite rigid bodies and the equation of motion as in Featherstone 2008, tables
5.1, 6.2 and 9.4 to 9.6: nothing is shared with the algorithms that are measured but the model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model import number
from robcogen_ros.model.robot import Joint, Link, Robot

Array = NDArray[Any]


@dataclass(frozen=True)
class Digits:
    """An arithmetic of NumPy arrays.

    Attributes:
        type: Type of the entries.
        of: An entry from a number of the model or of a state.
        sin: Sine of each entry.
        cos: Cosine of each entry.
    """

    type: Any
    of: Callable[[Decimal], Any]
    sin: Callable[[Array], Array]
    cos: Callable[[Array], Array]

    def array(self, values: Any) -> Array:
        """An array of constants or of doubles, entry by entry."""
        entries = np.array(values, dtype=object)
        exact = [self.of(_decimal(value)) for value in entries.ravel()]
        return np.array(exact, dtype=self.type).reshape(entries.shape)


NINETEEN = Digits(np.longdouble, lambda x: np.longdouble(str(x)), np.sin, np.cos)
"""The longest floats of this machine."""

FIFTY = Digits(
    object,
    lambda x: x,
    lambda x: np.frompyfunc(number.sin, 1, 1)(x),
    lambda x: np.frompyfunc(number.cos, 1, 1)(x),
)
"""Decimal numbers of 50 digits."""


class Reference:
    """The functions of a robot at some states; a floating base's entries come first."""

    def __init__(self, robot: Robot, digits: Digits, q: Array) -> None:
        """The robot at positions (states, n), in doubles."""
        self._robot, self._digits, self._count = robot, digits, len(q)
        self._base = 6 if robot.floating_base else 0
        with localcontext(prec=50):
            self._inertias = [self._inertia(link) for link in robot.links]
            self._across = [self._transform(joint, digits.array(q)) for joint in robot.joints]
            self._axes = [self._axis(joint) for joint in robot.joints]

    def inverse_dynamics(self, velocity: Array, acceleration: Array, gravity: Array) -> Array:
        """Joint forces, and the wrench on a floating base, (states, degrees of freedom)."""
        with localcontext(prec=50):
            return self._forces(*map(self._digits.array, (velocity, acceleration, gravity)))

    def inertia_matrix(self) -> Array:
        """H, (states, degrees of freedom, degrees of freedom)."""
        with localcontext(prec=50):
            return self._composite

    def forward_dynamics(self, velocity: Array, tau: Array, gravity: Array) -> Array:
        """Accelerations that joint forces (states, n) give."""
        with localcontext(prec=50):
            v, f, g = map(self._digits.array, (velocity, tau, gravity))
            bias = self._forces(v, v * 0, g)
            free = -bias
            free[:, self._base :] += f
            return _solve(self._composite, free)

    def _forces(self, velocity: Array, acceleration: Array, gravity: Array) -> Array:
        base, n = self._base, self._robot.n
        still = self._zeros(6)
        v = [velocity[:, :6] if base else still]
        a = [(acceleration[:, :6] if base else still).copy()]
        a[0][:, 3:] -= gravity
        rates, changes = velocity[:, base:], acceleration[:, base:]
        tree = list(zip(self._robot.joints, self._across, self._axes, strict=True))
        for joint, X, S in tree:
            k, j = joint.predecessor, joint.coordinate
            motion = S * rates[:, j, None]
            v.append(_times(X, v[k]) + motion)
            a.append(_times(X, a[k]) + S * changes[:, j, None] + _cross(v[-1], motion))
        forces = [
            _times(inertia, a_i) + _cross_force(v_i, _times(inertia, v_i))
            for inertia, v_i, a_i in zip(self._inertias, v, a, strict=True)
        ]
        tau = self._zeros(base + n)
        for joint, X, S in reversed(tree):
            i, k = joint.successor, joint.predecessor
            tau[:, base + joint.coordinate] += (S * forces[i]).sum(axis=-1)
            forces[k] = forces[k] + _times(X.swapaxes(-1, -2), forces[i])
        tau[:, :base] = forces[0][:, :base]
        return tau

    @cached_property
    def _composite(self) -> Array:
        base, joints = self._base, self._robot.joints
        size = base + self._robot.n
        whole = list(self._inertias)
        for joint, X in reversed(list(zip(joints, self._across, strict=True))):
            k = joint.predecessor
            whole[k] = whole[k] + X.swapaxes(-1, -2) @ whole[joint.successor] @ X
        H = self._zeros(size, size)
        for joint, S in zip(joints, self._axes, strict=True):
            i, row = joint.successor, base + joint.coordinate
            force = _times(whole[i], S)
            H[:, row, row] += (S * force).sum(axis=-1)
            while i:
                above = joints[i - 1]
                if above is not joint:
                    column = base + above.coordinate
                    entry = (self._axes[i - 1] * force).sum(axis=-1)
                    H[:, row, column] += entry
                    H[:, column, row] += entry
                force, i = _times(self._across[i - 1].swapaxes(-1, -2), force), above.predecessor
            if base:
                H[:, :6, row] += force
                H[:, row, :6] += force
        H[:, :base, :base] = whole[0][:, :base, :base]
        return H

    def _inertia(self, link: Link) -> Array:
        """Of a link about its frame's origin, (1, 6, 6)."""
        array, inertia = self._digits.array, link.inertia
        mass, tensor = array(inertia.mass), array([[*row] for row in inertia.tensor.matrix()])
        cross = _skew(array([*inertia.moment]))
        return np.block([[tensor, cross], [-cross, mass * array(np.eye(3))]])[None]

    def _transform(self, joint: Joint, q: Array) -> Array:
        """Motion transform from the predecessor to the successor, (states, 6, 6)."""
        array = self._digits.array
        position = array(joint.multiplier) * q[:, joint.coordinate] + array(joint.offset)
        R = array([[*row] for row in joint.pose.rotation])
        p = np.broadcast_to(array([*joint.pose.translation]), (self._count, 3))
        turn = np.broadcast_to(array(np.eye(3)), (self._count, 3, 3)).copy()
        if joint.prismatic:
            p = p + R[:, 2] * position[:, None]
        else:
            c, s = self._digits.cos(position), self._digits.sin(position)
            turn[:, 0, 0], turn[:, 0, 1], turn[:, 1, 0], turn[:, 1, 1] = c, -s, s, c
        E = (R @ turn).swapaxes(-1, -2)
        X = self._zeros(6, 6)
        X[:, :3, :3] = X[:, 3:, 3:] = E
        X[:, 3:, :3] = -E @ _skew(p)
        return X

    def _axis(self, joint: Joint) -> Array:
        """Motion of the successor for a unit rate of the coordinate, (1, 6)."""
        axis = [0, 0, 0, 0, 0, 0]
        axis[5 if joint.prismatic else 2] = 1
        return self._digits.array([axis]) * self._digits.array(joint.multiplier)

    def _zeros(self, *shape: int) -> Array:
        zero = self._digits.array([0])[0]
        return np.full((self._count, *shape), zero, dtype=self._digits.type)


def _times(matrix: Array, vector: Array) -> Array:
    """A matrix times a vector, at each state."""
    return (matrix @ vector[..., None])[..., 0]


def _skew(v: Array) -> Array:
    """The matrix of v x, for vectors along the last axis."""
    x, y, z = (v[..., k] for k in range(3))
    zero = x - x
    rows = ([zero, -z, y], [z, zero, -x], [-y, x, zero])
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _cross(v: Array, motion: Array) -> Array:
    """v x m (eq. 2.31)."""
    w, linear = _skew(v[:, :3]), _skew(v[:, 3:])
    angular, along = motion[:, :3], motion[:, 3:]
    return np.hstack([_times(w, angular), _times(linear, angular) + _times(w, along)])


def _cross_force(v: Array, force: Array) -> Array:
    """v x* f (eq. 2.32)."""
    w, linear = _skew(v[:, :3]), _skew(v[:, 3:])
    moment, f = force[:, :3], force[:, 3:]
    return np.hstack([_times(w, moment) + _times(linear, f), _times(w, f)])


def _solve(H: Array, right: Array) -> Array:
    """The solution of H x = b by LDL' from the last row on, at each state."""
    H, x, n = H.copy(), right.copy(), H.shape[-1]
    for k in reversed(range(n)):
        row = H[:, k, :k] / H[:, k, k, None]
        H[:, :k, :k] -= row[:, :, None] * H[:, None, k, :k]
        x[:, :k] -= row * x[:, k, None]
        H[:, k, :k] = row
    for k in range(n):
        x[:, k] = x[:, k] / H[:, k, k] - (H[:, k, :k] * x[:, :k]).sum(axis=-1)
    return x


def _decimal(value: Any) -> Decimal:
    """The number that a constant of the model stands for; of a double its exact value."""
    constant = getattr(value, "value", value)
    return constant if isinstance(constant, Decimal) else Decimal(float(constant))
