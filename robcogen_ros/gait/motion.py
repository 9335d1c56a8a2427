"""Motion of a robot on the ground at one instant, as CasADi expressions.

Coordinates are `y = [p; e; q]`: where the base's origin is in the world [m], its roll, pitch and
yaw [rad], `R = Rz(yaw) Ry(pitch) Rx(roll)`, and the positions of the joints. The world is that of
the ground, the plane z = 0; on a slope gravity leans in it. Rates `v = dy/dt` and `a = dv/dt` are
those of the same coordinates, so that a trajectory is a curve in y.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi
import numpy as np
from casadi import SX, horzcat, vertcat
from numpy.typing import ArrayLike

from robcogen_ros.model.contacts import Contact
from robcogen_ros.model.robot import FREE_FALL

FUNCTIONS = (
    "center_of_mass",
    "contact_bias",
    "contact_inverse_dynamics",
    "contact_jacobian",
    "inverse_dynamics_fully_actuated",
    "kinematics",
    "total_mass",
)
"""Functions with which a robot is generated whose gaits are sought."""


class Motion:
    """Symbols of an instant, and what follows from them.

    A foot is pushed at its points, a sole at its corners: forces there that are in their cones keep
    the center of pressure within the sole, and the yaw moment within what friction bears.

    Attributes:
        feet: What touches the ground, in the order of the contacts.
        joints: Names of the joints.
        mass: Of the robot [kg].
        y: Coordinates (6 + n).
        v: Their rates.
        a: Their second derivatives.
        forces: At the points of each foot, in axes of the world (3 x points a foot) [N].
        base_velocity: Of the base in its own coordinates, angular first (6).
        base_acceleration: Spatial acceleration of the base, in its coordinates (6).
        tau: Joint forces that the motion takes (n).
        base: Wrench that would have to hold the base, zero where the forces carry it (6).
        accelerations: Of each contact, in axes of the world.
        points: Of each foot, in the world (3 x points a foot).
        tilts: Of each flat foot, how far its z axis leans to x and y (2); of others nothing (0).
        center: Center of mass in the world (3).
        design: Parameters that are sought (k); others have the values that they have.
        down: Direction of gravity (3,).
    """

    def __init__(
        self,
        robot: Any,
        feet: Sequence[Contact],
        design: Sequence[Sequence[str]] = (),
        down: ArrayLike = (0.0, 0.0, -1.0),
    ) -> None:
        """Traces the functions of a robot with contacts and a floating base.

        Args:
            robot: The robot.
            feet: What touches the ground.
            design: Names of the parameters that are sought; those that are alike together.
            down: Direction of gravity in axes of the ground (3,), of length 1.
        """
        self.design = SX.sym("design", len(design))
        values = dict(robot.parameters)
        for i, names in enumerate(design):
            values |= dict.fromkeys(names, self.design[i])
        self._robot, self._parameters = robot, vertcat(*values.values())
        self._n, self.feet, self.joints = robot.n, tuple(feet), tuple(robot.joint_names)
        self.mass = float(robot.total_mass())
        self.y, self.v, self.a = (SX.sym(name, 6 + robot.n) for name in "yva")
        self.forces = [SX.sym("f", 3 * len(foot.points)) for foot in feet]
        self._turn, self._rates = _orientation(self.y[3:6])
        q, qd, qdd = (z[6:] for z in (self.y, self.v, self.a))
        v0, a0 = self._twist(self.v), self._acceleration()
        self.base_velocity, self.base_acceleration = v0, a0
        self._poses = poses = self._call("kinematics", q)[0]
        self._frames = [
            (self._turn @ casadi.reshape(poses[:9, i], 3, 3), self._place(poses[9:, i]))
            for i in (foot.frame for foot in feet)
        ]
        self.points = [self._touched(i) for i in range(len(feet))]
        self.tilts = [
            frame[:2, 2] if foot.is_pose else SX(0, 1)
            for foot, (frame, _) in zip(feet, self._frames, strict=True)
        ]
        self.center = self._place(self._call("center_of_mass", q))
        self.down = np.asarray(down, dtype=np.float64)
        weight = self._turn.T @ casadi.DM(FREE_FALL * self.down)
        self.tau, self.base = self._call(
            "contact_inverse_dynamics",
            *(q, qd, qdd, v0, a0, weight),
            self._in_base(self.wrenches(self.forces)),
        )
        self._jacobian = self._call("contact_jacobian", q)
        bias = self._call("contact_bias", q, qd, v0)
        self.accelerations = self._in_world(self._jacobian @ vertcat(a0, qdd) + bias)

    def force_rows(self, feet: Sequence[int]) -> list[int]:
        """Returns the indices of the given feet's point forces in those of all feet."""
        counts = [force.shape[0] for force in self.forces]
        firsts = [sum(counts[:foot]) for foot in range(len(counts))]
        return [firsts[foot] + i for foot in feet for i in range(counts[foot])]

    def foothold(self, foot: int) -> Any:
        """Returns the place of a foot's frame on the ground: x, y, and the yaw of a sole."""
        frame, origin = self._frames[foot]
        yaw = [casadi.atan2(frame[1, 0], frame[0, 0])] if self.feet[foot].is_pose else []
        return vertcat(origin[:2], *yaw)

    def pose_in_base(self, foot: int, foothold: Any, base: Any) -> Any:
        """The frame of a foot that stands there (4 x 4), for coordinates of the base (6)."""
        turn, _ = _orientation(base[3:])
        yaw = foothold[2] if self.feet[foot].is_pose else 0.0
        frame, _ = _orientation(vertcat(0.0, 0.0, yaw))
        height = self.feet[foot].shape.radius - self.feet[foot].points[0, 2]
        origin = turn.T @ (vertcat(foothold[:2], height) - base[:3])
        return casadi.vertcat(horzcat(turn.T @ frame, origin), casadi.DM([[0, 0, 0, 1]]))

    def _call(self, name: str, *arguments: Any) -> Any:
        """A function of the robot, with its parameters if it has any."""
        given = (self._parameters,) if len(self._robot.parameters) else ()
        return self._robot.casadi(name)(*arguments, *given)

    def impact(self, impulses: Sequence[Any]) -> tuple[Any, Any]:
        """Returns the rates after impulses at the points of the feet, and what has to be zero.

        `H [dv0; dqd] = J' impulses`, by inverse dynamics without velocities and gravity (6 + n).
        """
        after = SX.sym("after", 6 + self._n)
        jump = after - self.v
        tau, base = self._call(
            "contact_inverse_dynamics",
            self.y[6:],
            SX.zeros(self._n),
            jump[6:],
            SX.zeros(6),
            self._twist(jump),
            SX.zeros(3),
            self._in_base(self.wrenches(impulses)),
        )
        return after, vertcat(base, tau)

    def away(self, foot: int, frame: int) -> Any:
        """Squared distance of the origin of a foot from that of a frame [m²]."""
        return casadi.sumsqr(self._poses[9:, self.feet[foot].frame] - self._poses[9:, frame])

    def velocities(self, rates: Any) -> list[Any]:
        """Returns the velocity of each contact at some rates, in axes of the world."""
        return self._in_world(self._jacobian @ vertcat(self._twist(rates), rates[6:]))

    def wrenches(self, forces: Sequence[Any]) -> list[Any]:
        """Returns the wrench on each contact, of forces at its points, about its frame's origin."""
        found = []
        for foot, points, (_, origin), force in zip(
            self.feet, self.points, self._frames, forces, strict=True
        ):
            each = casadi.reshape(force, 3, len(foot.points))
            if not foot.is_pose:
                found.append(each[:, 0])
                continue
            arms = casadi.reshape(points, 3, len(foot.points)) - casadi.repmat(
                origin, 1, len(foot.points)
            )
            moments = [casadi.cross(arms[:, i], each[:, i]) for i in range(len(foot.points))]
            found.append(vertcat(sum(moments), casadi.sum2(each)))
        return found

    def _touched(self, foot: int) -> Any:
        frame, origin = self._frames[foot]
        local = self.feet[foot].points
        below = casadi.DM([0.0, 0.0, self.feet[foot].shape.radius])
        return vertcat(*[origin + frame @ casadi.DM(point) - below for point in local])

    def _twist(self, v: Any) -> Any:
        """Velocity of the base in its own coordinates `[w; v]`."""
        return vertcat(self._rates @ v[3:6], self._turn.T @ v[:3])

    def _acceleration(self) -> Any:
        """Spatial acceleration of the base in its own coordinates (RBDA section 2.10)."""
        spin, speed = self._rates @ self.v[3:6], self._turn.T @ self.v[:3]
        change = casadi.jtimes(casadi.vec(self._rates), self.y[3:6], self.v[3:6])
        angular = self._rates @ self.a[3:6] + casadi.reshape(change, 3, 3) @ self.v[3:6]
        return vertcat(angular, self._turn.T @ self.a[:3] - casadi.cross(spin, speed))

    def _place(self, point: Any) -> Any:
        return self.y[:3] + self._turn @ point

    def _in_base(self, rows: Sequence[Any]) -> Any:
        """Rows of all contacts, from axes of the world to those of the base."""
        parts = [row[i : i + 3] for row in rows for i in range(0, row.shape[0], 3)]
        return vertcat(*[self._turn.T @ part for part in parts])

    def _in_world(self, rows: Any) -> list[Any]:
        """Rows of each contact, from axes of the base to those of the world."""
        found, first = [], 0
        for foot in self.feet:
            last = first + (6 if foot.is_pose else 3)
            parts = [self._turn @ rows[i : i + 3] for i in range(first, last, 3)]
            found.append(vertcat(*parts))
            first = last
        return found


def _orientation(e: Any) -> tuple[Any, Any]:
    """R of roll, pitch, yaw, and W with `w = W de/dt` in axes of the base."""
    (cr, cp, cy), (sr, sp, sy) = ([f(e[i]) for i in range(3)] for f in (casadi.cos, casadi.sin))
    about_x = vertcat(horzcat(1, 0, 0), horzcat(0, cr, -sr), horzcat(0, sr, cr))
    about_y = vertcat(horzcat(cp, 0, sp), horzcat(0, 1, 0), horzcat(-sp, 0, cp))
    about_z = vertcat(horzcat(cy, -sy, 0), horzcat(sy, cy, 0), horzcat(0, 0, 1))
    rates = vertcat(horzcat(1, 0, -sp), horzcat(0, cr, sr * cp), horzcat(0, -sr, cr * cp))
    return about_z @ about_y @ about_x, rates
