"""Joints that follow others, and the loops that they follow through, on float64 arrays."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.model.names import listed
from robcogen_ros.runtime.robots.measured_joints import MeasuredJoints, start
from robcogen_ros.runtime.robots.regressed_robot import Array, RegressedRobot

_NO_LOOP = "there is no loop that makes one"
_OF_A_TREE = {
    "joint_positions": "it is q",
    "joint_velocities": "it is qd",
    "joint_accelerations": "it is qdd",
    "coordinate_jacobian": "it is the identity",
    "transmission": "positions are those of motors over their gears",
    "reflected_inertia": "it has armature on its diagonal",
    **dict.fromkeys(("closure_residual", "closure_margin", "loop_forces"), _NO_LOOP),
}
"""Values of functions of joints that follow where none does."""


class LoopFunctions(RegressedRobot):
    """Functions of a robot in which joints follow others, where they were asked for by name.

    Joints are in the order of `moving_joint_names`, motors in that of `actuated`, loops in that of
    the file. The last three are of loops that are no parallelograms.

    A `guess` of the positions of all joints (joints,) [rad, m], such as those of a moment ago, is
    where Newton's method begins, on that side of dead centres; it takes a function called
    `NAME_from_guess`, and other functions have one too, by `evaluate`.
    """

    def _of_position(self, name: str, q: ArrayLike, guess: ArrayLike | None) -> Array:
        if guess is None:
            return self._single(name, {"q": q})
        return self._single(f"{name}_from_guess", {"q": q, "guess": guess})

    def _where_none_follows(self, name: str) -> str:
        """Returns the message for a function of joints that follow others, if none does."""
        of_tree = _OF_A_TREE.get(name) if self.moving_joint_names == self.joint_names else None
        told = f"robot '{self.name}' has no {name}: no joint follows another; {of_tree}"
        return told if of_tree else ""

    def joint_positions(self, q: ArrayLike, guess: ArrayLike | None = None) -> Array:
        """Positions of all joints that move: (joints,) [rad, m], NaN where loops do not close."""
        return self._of_position("joint_positions", q, guess)

    def joint_velocities(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Velocities of all joints that move, G qd: (joints,)."""
        return self._single("joint_velocities", {"q": q, "qd": qd})

    def joint_accelerations(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Accelerations of all joints that move, G qdd + dG/dt qd: (joints,)."""
        return self._single("joint_accelerations", {"q": q, "qd": qd, "qdd": qdd})

    def coordinate_jacobian(self, q: ArrayLike, guess: ArrayLike | None = None) -> Array:
        """Rates of all joints that move by rates of the coordinates, G: (joints, n)."""
        return self._of_position("coordinate_jacobian", q, guess)

    def transmission(self, q: ArrayLike) -> tuple[Array, Array, Array | None]:
        """Positions of motors, their rates by rates of the coordinates G, and its inverse.

        (motors,), (motors, n), (n, motors); gears are counted in. Velocities of motors are `G qd`,
        efforts along the coordinates `G' u`; back they are `inverse @ v` and `inverse' tau`. The
        inverse is None where motors are more or fewer than coordinates.
        """
        found = self._call("transmission", {"q": q})
        return found["positions"], found["G"], found.get("inverse")

    def reflected_inertia(self, q: ArrayLike) -> Array:
        """Inertia that rotors add to the inertia matrix: (n, n) [kg m^2, kg m or kg]."""
        return self._single("reflected_inertia", {"q": q})

    def coordinates(
        self, names: Sequence[str], positions: ArrayLike, near: ArrayLike | None = None
    ) -> Array:
        """Positions of the coordinates from those of joints that are measured: (n,) [rad or m].

        NaN, which a warning tells, where no loops close so, or only by a way through a dead centre.
        What the joints do not determine stays as near as can be to where the robot was.

        Args:
            names: Joints, motors or others, among `moving_joint_names`.
            positions: Theirs [rad or m], before gears.
            near: (n,) where the robot was; left out, where its loops are closed next to zero.

        Raises:
            RobcogenError: If a joint is not there, or the robot has not the functions
                `joint_positions` and `coordinate_jacobian`.

        Example:
            >>> q = robot.coordinates(["motor_left", "motor_right"], measured, near=q)
        """
        measured = MeasuredJoints(self, names)
        q = measured.q(positions, start(self) if near is None else np.asarray(near, float))
        if not np.isfinite(q).all():
            at = zip(names, np.asarray(positions, float), strict=True)
            told = listed([f"'{name}' at {position:.6g}" for name, position in at])
            message = f"no position has {told} on the way the loops are closed: NaN"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        return q

    def closure_residual(self, q: ArrayLike, guess: ArrayLike | None = None) -> Array:
        """Returns the gap of each loop's frames along what is fixed: (rows,) [rad, m]."""
        return self._of_position("closure_residual", q, guess)

    def closure_margin(self, q: ArrayLike, guess: ArrayLike | None = None) -> Array:
        """Returns the distance of each closure from a dead centre: (closures,), 1 at best."""
        return self._of_position("closure_margin", q, guess)

    def loop_forces(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike | None = None,
        base_acceleration: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        external_forces: ArrayLike | None = None,
    ) -> Array:
        """Wrench on the link of each loop's second frame through the loop: (loops, 6) [N m, N].

        About the origin and in the axes of the first frame. A fixed base takes no `base_velocity`
        and `base_acceleration`.
        """
        arguments = {"q": q, "qd": qd, "qdd": qdd, "gravity": gravity}
        if self.floating_base:
            arguments |= {"base_velocity": base_velocity, "base_acceleration": base_acceleration}
        return self._by_link("loop_forces", {**arguments, "external_forces": external_forces})
