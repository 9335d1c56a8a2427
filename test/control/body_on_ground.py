"""One body that is a block, a sheet, a ball or a block on four points, on a simulated ground."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import robcogen_ros
from robcogen_ros.model.quaternions import rotation

MASS, INERTIA, G = 2.0, 0.02, 9.81
POINTS = ((0.1, 0.08), (-0.1, 0.08), (-0.1, -0.08), (0.1, -0.08))
HEIGHT = 0.05
"""Of the body's center above its four points."""

_FRAME = (
    '<link name="{0}"/><joint name="to_{0}" type="fixed"><parent link="body"/><child link="{0}"/>'
    '<origin xyz="{1}"/></joint>'
)
BODY = (
    f'<robot name="body"><link name="body"><inertial><mass value="{MASS}"/>'
    f'<inertia ixx="{INERTIA}" iyy="{INERTIA}" izz="{INERTIA}" ixy="0" ixz="0" iyz="0"/></inertial>'
    "</link>"
    + _FRAME.format("center", "0 0 0")
    + "".join(_FRAME.format(f"p{i}", f"{x} {y} {-HEIGHT}") for i, (x, y) in enumerate(POINTS))
    + "</robot>"
)


@lru_cache(maxsize=1)
def body():
    """The body: a pose at its center, and four points below, which its other shapes cover."""
    contacts = ["center:pose", "p0", "p1", "p2", "p3"]
    return robcogen_ros.build(text=BODY, floating_base=True, contacts=contacts, ground=True)


def block(x, y, z):
    """Soles of a block whose base is so far from its center."""
    return {"center:pose": [(x, y, -z), (-x, y, -z), (-x, -y, -z), (x, -y, -z)]}


def sheet(y, z):
    """Soles of an upright sheet of no thickness: it stands on an edge, and falls like a rod."""
    return {"center:pose": [(0, y, -z), (0, -y, -z), (0, -y, z), (0, y, z)]}


def about(axis, angle):
    """Quaternion x, y, z, w of a turn about an axis of length 1."""
    return np.append(np.sin(angle / 2) * np.array(axis), np.cos(angle / 2))


class Body:
    """The body on a ground."""

    def __init__(self, ball=None, sole=None, **settings):
        """A ball of a radius, a block or sheet of soles, or four points."""
        radii = None if ball is None else {"center:pose": ball}
        self.ground = body().ground(radii=radii, soles=sole, **settings)

    def place(self, position, orientation=(0, 0, 0, 1), spin=(0, 0, 0), velocity=(0, 0, 0)):
        """Puts it somewhere; spin and velocity in its own axes."""
        self.ground.place(
            [], position=position, orientation=orientation, base_velocity=[*spin, *velocity]
        )
        return self

    def run(self, time, step=1e-3, force=None, torque=(0, 0, 0)):
        """Moves on for a while, under a force and a torque at its center, in the world."""
        for _ in range(round(time / step)):
            wrench = None
            if force is not None:
                turn = self.turn.T
                wrench = [np.concatenate([turn @ np.array(torque), turn @ np.array(force)])]
            self.ground.advance([], step, external_forces=wrench)
        return self

    @property
    def turn(self):
        """World from body (3, 3)."""
        return rotation(self.ground.orientation)

    @property
    def position(self):
        """Of its center in the world."""
        return self.ground.position

    @property
    def spin(self):
        """Angular velocity in the world."""
        return self.turn @ self.ground.base_velocity[:3]

    @property
    def velocity(self):
        """Of its center in the world."""
        return self.turn @ self.ground.base_velocity[3:]

    @property
    def unsettled(self):
        """Steps without a consistent set of contacts."""
        return self.ground.counters["unsettled"]

    def energy(self):
        """Kinetic and potential, above z = 0."""
        v = self.ground.base_velocity
        kinetic = INERTIA * v[:3] @ v[:3] + MASS * v[3:] @ v[3:]
        return 0.5 * kinetic + MASS * G * self.position[2]
