"""The dynamics of a robot by the textbook, on dense 6x6 matrices, with as many digits as asked for.

Newton-Euler, composite rigid bodies and the equation of motion as in Featherstone 2008, tables
5.1, 6.2 and 9.4 to 9.6, and their slopes without a formula of their own: nothing is shared with the
algorithms that are measured but the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.robot import Joint, Link, Robot
from test.oracle.digits import Digits, fifty_digits

Array = NDArray[Any]


class Reference:
    """The functions of a robot at some states; a floating base's entries come first."""

    def __init__(self, robot: Robot, digits: Digits, q: Array) -> None:
        """The robot at positions (states, n), in doubles."""
        self._robot, self._digits, self._count = robot, digits, len(q)
        self._base = 6 if robot.floating_base else 0
        with fifty_digits():
            self._q = digits.array(q)
            self._inertias = [self._inertia(link) for link in robot.links]
            self._across = [self._transform(joint, self._q) for joint in robot.joints]
            self._axes = [self._axis(joint) for joint in robot.joints]

    def inverse_dynamics(self, velocity: Array, acceleration: Array, gravity: Array) -> Array:
        """Joint forces, and the wrench on a floating base, (states, degrees of freedom)."""
        with fifty_digits():
            return self._forces(*map(self._digits.array, (velocity, acceleration, gravity)))

    def inertia_matrix(self) -> Array:
        """H, (states, degrees of freedom, degrees of freedom)."""
        with fifty_digits():
            return self._composite

    def inertia_matrix_inverse(self) -> Array:
        """The inverse of H."""
        with fifty_digits():
            unit = self._digits.array(np.eye(self._composite.shape[-1]))
            return _solve(self._composite, np.broadcast_to(unit, self._composite.shape))

    def solve_inertia(self, right: Array) -> Array:
        """The x with H x = b, for b (states, degrees of freedom)."""
        with fifty_digits():
            return _solve(self._composite, self._digits.array(right)[..., None])[..., 0]

    def forward_dynamics(self, velocity: Array, tau: Array, gravity: Array) -> Array:
        """Accelerations that joint forces (states, n) give."""
        with fifty_digits():
            return self._accelerations(*map(self._digits.array, (velocity, tau, gravity)))

    def inverse_dynamics_derivatives(
        self, velocity: Array, acceleration: Array, gravity: Array
    ) -> tuple[Array, Array]:
        """By positions and by velocities, (states, degrees of freedom, degrees of freedom) each.

        The first columns of a floating base are turns about its own axes, then shifts.
        """
        with fifty_digits():
            return self._slopes(*map(self._digits.array, (velocity, acceleration, gravity)))

    def forward_dynamics_derivatives(
        self, velocity: Array, tau: Array, gravity: Array
    ) -> tuple[Array, Array]:
        """Of the accelerations, by positions and by velocities."""
        with fifty_digits():
            v, f, g = map(self._digits.array, (velocity, tau, gravity))
            by_q, by_v = self._slopes(v, self._accelerations(v, f, g), g)
            return -_solve(self._composite, by_q), -_solve(self._composite, by_v)

    def frame_pose(self, link: int) -> Array:
        """Homogeneous coordinates of a link's frame in the root's, (states, 4, 4)."""
        with fifty_digits():
            R, p = _rotation_and_place(self._to_frame(link) @ self._from_root(link))
            pose = self._zeros(4, 4)
            pose[:, :3, :3], pose[:, :3, 3], pose[:, 3, 3] = R, p, pose[:, 3, 3] + 1
            return pose

    def jacobian(self, link: int) -> Array:
        """Of the origin of a link's frame, in the root's axes, (states, 6, degrees of freedom)."""
        with fifty_digits():
            X, J = self._to_frame(link), self._zeros(6, self._base + self._robot.n)
            R, _ = _rotation_and_place(X @ self._from_root(link))
            for joint, across, S in self._upwards(link):
                J[:, :, self._base + joint.coordinate] += _times(X, S)
                X = X @ across
            J[:, :, : self._base] += X[:, :, : self._base]
            return np.concatenate([R @ J[:, :3], R @ J[:, 3:]], axis=1)

    def kinetic_energy(self, velocity: Array) -> Array:
        """Energy of all links that move, (states,)."""
        with fifty_digits():
            v = self._velocities(self._digits.array(velocity))
            momenta = [_times(I_i, v_i) for I_i, v_i in zip(self._inertias, v, strict=True)]
            return sum((v_i * h).sum(axis=-1) for v_i, h in zip(v, momenta, strict=True)) / 2

    def potential_energy(self, gravity: Array) -> Array:
        """Energy of all masses, zero at the root's origin, (states,)."""
        with fifty_digits():
            return -(self._first_moments() * self._digits.array(gravity)).sum(axis=-1)

    def center_of_mass(self) -> Array:
        """Of all masses, in the root's coordinates, (states, 3)."""
        with fifty_digits():
            return self._first_moments() / sum(inertia[0, 5, 5] for inertia in self._inertias)

    def center_of_mass_jacobian(self) -> Array:
        """Velocity of the center of mass, in the axes of a base that floats, (states, 3, dof)."""
        with fifty_digits():
            mass = sum(inertia[0, 5, 5] for inertia in self._inertias)
            return self._composite[:, 3:6] / mass

    def centroidal_momentum_matrix(self) -> Array:
        """Momentum about the center of mass, in the axes of a base that floats.

        That about the base's origin is the base's rows of H (Wensing, Orin 2016).
        """
        with fifty_digits():
            momentum = self._composite[:, :6]
            about = momentum[:, :3] - _skew(self.center_of_mass()) @ momentum[:, 3:]
            return np.concatenate([about, momentum[:, 3:]], axis=1)

    def _forces(self, velocity: Array, acceleration: Array, gravity: Array) -> Array:
        base, v = self._base, self._velocities(velocity)
        a = [acceleration[:, :6].copy() if base else self._zeros(6)]
        a[0][:, 3:] = a[0][:, 3:] - gravity
        for joint, X, S in self._tree():
            j = base + joint.coordinate
            motion, v_i = S * velocity[:, j, None], v[joint.successor]
            change = S * acceleration[:, j, None] + _cross(v_i, motion)
            a.append(_times(X, a[joint.predecessor]) + change)
        forces = [
            _times(inertia, a_i) + _cross_force(v_i, _times(inertia, v_i))
            for inertia, v_i, a_i in zip(self._inertias, v, a, strict=True)
        ]
        tau = [self._zeros()] * self._robot.n
        for joint, X, S in reversed(self._tree()):
            i, k = joint.successor, joint.predecessor
            tau[joint.coordinate] = tau[joint.coordinate] + (S * forces[i]).sum(axis=-1)
            forces[k] = forces[k] + _times(X.swapaxes(-1, -2), forces[i])
        return np.stack([*(forces[0][:, k] for k in range(base)), *tau], axis=-1)

    def _velocities(self, velocity: Array) -> list[Array]:
        """Of each link, in its coordinates."""
        base = self._base
        v = [velocity[:, :6] if base else self._zeros(6)]
        for joint, X, S in self._tree():
            v.append(
                _times(X, v[joint.predecessor]) + S * velocity[:, base + joint.coordinate, None]
            )
        return v

    def _accelerations(self, velocity: Array, tau: Array, gravity: Array) -> Array:
        free = -self._forces(velocity, velocity * 0, gravity)
        free[:, self._base :] += tau
        return _solve(self._composite, free[..., None])[..., 0]

    def _slopes(self, velocity: Array, acceleration: Array, gravity: Array) -> tuple[Array, Array]:
        size, still = self._base + self._robot.n, velocity * 0
        unit = self._digits.array(np.eye(size))
        by_q = [still] * size
        for k in range(self._base // 2):
            turned = np.cross(np.broadcast_to(gravity, (self._count, 3)), unit[k, :3])
            by_q[k] = self._forces(still, still, turned)
        for j in range(self._robot.n):
            by_q[self._base + j] = self._digits.slope(
                lambda step, j=j: self._moved(j, step)._forces(velocity, acceleration, gravity)
            )
        by_v = [
            self._digits.slope(
                lambda step, e=e: self._forces(velocity + step * e, acceleration, gravity)
            )
            for e in unit
        ]
        return np.stack(by_q, axis=-1), np.stack(by_v, axis=-1)

    def _moved(self, coordinate: int, step: Any) -> Reference:
        """The robot a step of a coordinate further."""
        q = self._q + step * self._digits.array(np.eye(self._robot.n)[coordinate])
        moved = copy(self)
        moved._across = [
            self._transform(joint, q) if joint.coordinate == coordinate else X
            for joint, X in zip(self._robot.joints, self._across, strict=True)
        ]
        return moved

    def _tree(self) -> list[tuple[Joint, Array, Array]]:
        """Joints with the motion transforms across them and their axes."""
        return list(zip(self._robot.joints, self._across, self._axes, strict=True))

    def _upwards(self, link: int) -> Iterator[tuple[Joint, Array, Array]]:
        """The joints that carry a link, the last first."""
        while link:
            yield self._tree()[link - 1]
            link = self._robot.joints[link - 1].predecessor

    def _from_root(self, link: int) -> Array:
        """Motion transform from the root's frame to a link's, (states, 6, 6)."""
        X = np.broadcast_to(self._digits.array(np.eye(6)), (self._count, 6, 6))
        for _, across, _ in self._upwards(link):
            X = X @ across
        return X

    def _to_frame(self, link: int) -> Array:
        """Motion transform to the frame that users know, from that of the joint, (1, 6, 6)."""
        array, pose = self._digits.array, self._robot.links[link].frame
        E = array([[*row] for row in pose.rotation]).T
        offset = -E @ _skew(array([[*pose.translation]]))[0]
        return np.block([[E, array(np.zeros((3, 3)))], [offset, E]])[None]

    def _first_moments(self) -> Array:
        """Masses times places of all links, in the root's axes, (states, 3)."""
        moments = self._zeros(3)
        for i, inertia in enumerate(self._inertias):
            R, p = _rotation_and_place(self._from_root(i))
            mass, cross = inertia[0, 5, 5], inertia[:, :3, 3:]
            moment = np.stack([cross[:, 2, 1], cross[:, 0, 2], cross[:, 1, 0]], axis=-1)
            moments = moments + _times(R, moment) + mass * p
        return moments

    @cached_property
    def _composite(self) -> Array:
        base, joints = self._base, self._robot.joints
        size = base + self._robot.n
        whole = list(self._inertias)
        for joint, X, _ in reversed(self._tree()):
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
        turn = np.broadcast_to(array(np.eye(3)), (self._count, 3, 3)).astype(position.dtype)
        p = p + R[:, 2] * array(joint.kind.travel(1)) * position[:, None]
        if joint.kind.turns:
            c, s = self._digits.cos(position), self._digits.sin(position)
            turn[:, 0, 0], turn[:, 0, 1], turn[:, 1, 0], turn[:, 1, 1] = c, -s, s, c
        E = (R @ turn).swapaxes(-1, -2)
        X = self._zeros(6, 6).astype(position.dtype)
        X[:, :3, :3] = X[:, 3:, 3:] = E
        X[:, 3:, :3] = -E @ _skew(p)
        return X

    def _axis(self, joint: Joint) -> Array:
        """Motion of the successor for a unit rate of the coordinate, (1, 6)."""
        axis = [0, 0, 0, 0, 0, 0]
        axis[2], axis[5] = int(joint.kind.turns), joint.kind.travel(1)
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


def _rotation_and_place(X: Array) -> tuple[Array, Array]:
    """R and p of the frame that a motion transform leads to, in that which it comes from."""
    R = X[:, :3, :3].swapaxes(-1, -2)
    cross = -R @ X[:, 3:, :3]
    return R, np.stack([cross[:, 2, 1], cross[:, 0, 2], cross[:, 1, 0]], axis=-1)


def _solve(H: Array, right: Array) -> Array:
    """The solution of H x = b, for columns b, by LDL' from the last row on, at each state."""
    H, x, n = H.copy(), right.copy(), H.shape[-1]
    for k in reversed(range(n)):
        row = H[:, k, :k] / H[:, k, k, None]
        H[:, :k, :k] -= row[:, :, None] * H[:, None, k, :k]
        x[:, :k] -= row[:, :, None] * x[:, None, k]
        H[:, k, :k] = row
    for k in range(n):
        x[:, k] = x[:, k] / H[:, k, k, None] - (H[:, k, :k, None] * x[:, :k]).sum(axis=1)
    return x
