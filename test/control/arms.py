"""Arms with closed-form dynamics, to judge control and simulation by."""

import numpy as np

from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import of_text
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of

G = 9.81
FUNCTIONS = ["inverse_dynamics", "forward_dynamics", "inertia_matrix"]
LINK = """
  <link name="l{i}"><inertial><origin xyz="0 0 -{length}"/><mass value="{mass}"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="joint{i}" type="{kind}">
    <origin xyz="0 0 -{offset}"/><parent link="{parent}"/><child link="l{i}"/><axis xyz="0 1 0"/>
    <limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="{velocity}"/>
    <dynamics damping="{damping}" friction="{friction}"/>
  </joint>"""


def urdf(arm, efforts=(0, 0)):
    """The URDF of an arm, with limits of effort that mean one where they are not 0."""
    lower, upper = (np.where(np.isfinite(x), x, y) for x, y in zip(arm.ends, (-3, 3), strict=True))
    speeds, own = (np.where(np.isfinite(x), x, 0) for x in (arm.velocity_limits, arm.effort_limits))
    parts = (
        LINK.format(
            i=i + 1,
            kind="continuous" if arm.continuous[i] else "revolute",
            mass=arm.masses[i],
            length=arm.lengths[i],
            offset=arm.lengths[i - 1] if i else 0,
            parent=f"l{i}" if i else "base",
            lower=lower[i],
            upper=upper[i],
            velocity=speeds[i],
            effort=efforts[i] or own[i],
            damping=arm.damping[i],
            friction=arm.friction[i],
        )
        for i in range(arm.n)
    )
    return f'<robot name="arm"><link name="base"/>{"".join(parts)}</robot>'


def interpreted(arm, **options):
    """The robot of an arm's URDF."""
    reading = read(of_text(urdf(arm), "arm"), format="urdf", **options)
    return robot_of(InterpretedEvaluator(Library(reading.robot, FUNCTIONS)))


class Arm:
    """What all arms here share: n joints about horizontal axes, no limits, no friction."""

    n = 1

    def __init__(self, **changes):
        self.joint_names = [f"joint{i + 1}" for i in range(self.n)]
        self.continuous = np.zeros(self.n, bool)
        self.lower_limits = np.full(self.n, -np.inf)
        self.upper_limits = np.full(self.n, np.inf)
        self.velocity_limits = np.full(self.n, np.inf)
        self.effort_limits = np.full(self.n, np.inf)
        self.damping = np.zeros(self.n)
        self.friction = np.zeros(self.n)
        self.terms = ()
        for name, value in changes.items():
            kind = bool if name == "continuous" else float
            setattr(self, name, np.broadcast_to(np.asarray(value, kind), (self.n,)))
        self.ends = self.lower_limits, self.upper_limits

    def bias(self, q, qd, gravity):
        raise NotImplementedError

    def inertia_matrix(self, q):
        raise NotImplementedError

    def inverse_dynamics(self, q, qd, qdd, external_forces=None, gravity=None):
        g = G if gravity is None else -gravity[2]
        moved = np.einsum("...ij,...j->...i", self.inertia_matrix(q), qdd)
        return moved + self.bias(q, qd, g)

    def gravity_torques(self, q):
        return self.bias(q, np.zeros_like(q), G)

    def forward_dynamics(self, q, qd, tau, external_forces=None, gravity=None):
        g = G if gravity is None else -gravity[2]
        force = (tau - self.bias(q, qd, g))[..., None]
        return np.linalg.solve(self.inertia_matrix(q), force)[..., 0]


class Pendulum(Arm):
    """A point mass of 2 kg on a rod of 0.5 m, hanging down at q = 0."""

    n = 1
    mass, length = 2.0, 0.5
    masses, lengths = (mass,), (length,)

    @property
    def inertia(self):
        return self.mass * self.length**2

    def inertia_matrix(self, q):
        return np.full((*q.shape, 1), self.inertia)

    def bias(self, q, qd, g):
        return self.mass * g * self.length * np.sin(q)

    def energy(self, q, qd):
        weight = self.mass * G * self.length
        return float(0.5 * self.inertia * qd[0] ** 2 - weight * np.cos(q[0]))


class DoublePendulum(Arm):
    """Two point masses on rods, hanging down at q = 0 (textbook formulas, relative angles)."""

    n = 2
    m1, m2, l1, l2 = 1.0, 0.7, 0.4, 0.3
    masses, lengths = (m1, m2), (l1, l2)

    def inertia_matrix(self, q):
        c2 = np.cos(q[..., 1])
        h22 = self.m2 * self.l2**2
        h12 = h22 + self.m2 * self.l1 * self.l2 * c2
        h11 = (self.m1 + self.m2) * self.l1**2 + h22 + 2 * self.m2 * self.l1 * self.l2 * c2
        rows = [np.stack([h11, h12], -1), np.stack([h12, np.full_like(c2, h22)], -1)]
        return np.stack(rows, -2)

    def bias(self, q, qd, g):
        k = self.m2 * self.l1 * self.l2 * np.sin(q[..., 1])
        s1, s12 = np.sin(q[..., 0]), np.sin(q[..., 0] + q[..., 1])
        far = self.m2 * g * self.l2 * s12
        b1 = -k * qd[..., 1] * (2 * qd[..., 0] + qd[..., 1])
        b1 = b1 + (self.m1 + self.m2) * g * self.l1 * s1 + far
        return np.stack([b1, k * qd[..., 0] ** 2 + far], -1)

    def energy(self, q, qd):
        y1 = -self.l1 * np.cos(q[0])
        y2 = y1 - self.l2 * np.cos(q[0] + q[1])
        return float(0.5 * qd @ self.inertia_matrix(q) @ qd + G * (self.m1 * y1 + self.m2 * y2))
