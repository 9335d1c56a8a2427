"""Gaits of robots on point feet as Pinocchio has them: at their instants, and between them.

`python -m test.gait.judge` prints how errors of HyQ's trot and its merit fall with the grid.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache

import numpy as np

import robcogen_ros
from robcogen_ros.gait import Specification, find_gait, motion
from robcogen_ros.gait.design import Design
from robcogen_ros.gait.motion import FUNCTIONS
from robcogen_ros.gait.problem import Limits
from robcogen_ros.model.contacts import Foot
from robcogen_ros.standing.posture import Legs
from test.support.hyq import FEET, HYQ
from test.support.robots import robot_path

TROT = Specification(gait="trot", speed=(0.5, 0.5), stride=(0.3, 1.0), intervals=12, symmetric=True)
STEPS = 16
"""Of the integration of an interval: its error is less than a thousandth of that of the grid."""


@lru_cache(maxsize=1)
def robot():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robcogen_ros.build(
            robot_path(HYQ),
            floating_base=True,
            contacts=FEET,
            functions=[*FUNCTIONS, *(f"base_link_inverse_kinematics_{foot}" for foot in FEET)],
            backend="numpy",
        )


@lru_cache(maxsize=1)
def model():
    import pinocchio as pin

    found = pin.buildModelFromUrdf(str(robot_path(HYQ)), pin.JointModelFreeFlyer())
    return found, found.createData()


@lru_cache(maxsize=1)
def height():
    return Legs(robot(), [Foot() for _ in FEET]).standing().height


@lru_cache(maxsize=1)
def traced():
    """Legs, posture, expressions of its motion, and limits."""
    legs = Legs(robot(), [Foot() for _ in FEET])
    posture = legs.standing()
    limits = Limits(
        robot().lower_limits,
        robot().upper_limits,
        robot().velocity_limits,
        robot().effort_limits,
        posture.height,
        legs.thighs(),
        Design((), *[np.zeros(0)] * 3),
    )
    return legs, posture, motion.Motion(robot(), robot().contact_records), limits


class Instant:
    """A state with accelerations, as Pinocchio has it; angular before linear, as we have it."""

    def __init__(self, names, feet, position, orientation, q, velocity, acceleration):
        import pinocchio as pin

        m, data = model()
        joints = [m.joints[m.getJointId(name)] for name in names]
        self.columns = [joint.idx_v for joint in joints]
        configuration = pin.neutral(m)
        configuration[:3] = position
        configuration[3:7] = pin.Quaternion(pin.rpy.rpyToMatrix(*orientation)).coeffs()
        configuration[[joint.idx_q for joint in joints]] = q
        v, a = np.zeros(m.nv), np.zeros(m.nv)
        for vector, given in ((v, velocity), (a, acceleration)):
            vector[:3], vector[3:6], vector[self.columns] = given[3:6], given[:3], given[6:]
        self.q, self.v = configuration, v
        self.forces = pin.rnea(m, data, configuration, v, a)
        pin.forwardKinematics(m, data, configuration, v, a)
        pin.computeJointJacobians(m, data, configuration)
        pin.updateFramePlacements(m, data)
        axes = pin.LOCAL_WORLD_ALIGNED
        frames = [m.getFrameId(foot) for foot in feet]
        self.jacobians = [pin.getFrameJacobian(m, data, f, axes)[:3].copy() for f in frames]
        self.accelerations = np.array(
            [pin.getFrameClassicalAcceleration(m, data, f, axes).linear for f in frames]
        )
        self.velocities = np.array([J @ v for J in self.jacobians])
        self.heights = np.array([data.oMf[f].translation[2] for f in frames])

    @property
    def rest(self):
        """Of each foot what is zero while it stands: on the ground and at rest it stays so."""
        pull = 4 * np.sqrt(9.81 / height())
        away = self.heights[:, None] * [0, 0, 1]
        return self.accelerations + 2 * pull * self.velocities + pull**2 * away

    @property
    def inertia(self):
        import pinocchio as pin

        upper = np.triu(pin.crba(*model(), self.q))
        return upper + np.triu(upper, 1).T


def instant(gait, k):
    """A row of a gait."""
    velocity = np.concatenate([gait.base_velocity[k], gait.qd[k]])
    acceleration = np.concatenate([gait.base_acceleration[k], gait.qdd[k]])
    where = gait.position[k], gait.orientation[k], gait.q[k]
    return Instant(gait.joint_names, gait.contacts, *where, velocity, acceleration)


def residuals(gait, k):
    """Of a row: equations of motion by effort or weight, and feet that stand by gravity."""
    now = instant(gait, k)
    left = now.forces - sum(J.T @ f for J, f in zip(now.jacobians, gait.forces[k], strict=True))
    left[now.columns] -= gait.tau[k]
    units = np.full(len(left), 9.81 * robot().total_mass())
    units[now.columns] = robot().effort_limits
    rest = np.abs(now.rest[gait.standing[k]]).max(initial=0.0)
    return np.abs(left / units).max(), rest / 9.81


def intervals(gait):
    """First rows of the intervals of the part of the stride that was sought."""
    first, found = 0, []
    for knots in np.split(gait.knots, np.flatnonzero(np.diff(gait.knots) <= 0) + 1):
        found += range(first, first + 2 * (len(knots) - 1), 2)
        first += 2 * len(knots) - 1
    return found


def energy(gait):
    """Squared joint forces as shares of their limits by distance; of half a stride and its image.

    Joint forces are linear between the ends of intervals.
    """
    square = ((gait.tau / robot().effort_limits) ** 2).sum(axis=1)
    terms = [
        (gait.times[k + 2] - gait.times[k]) / 6 * (square[k] + 4 * square[k + 1] + square[k + 2])
        for k in intervals(gait)
    ]
    return 2 * sum(terms) / (gait.speed * gait.duration)


def led_astray(gait, k):
    """How far the end of an interval is from where Pinocchio leads from its beginning.

    Largest entry of positions in the height at which the robot stands and in radians, and of
    velocities by the time of a fall from there: Runge and Kutta's method of order 4 in small steps.
    """
    step = (gait.times[k + 2] - gait.times[k]) / STEPS
    state, n = _state(gait, k), gait.q.shape[1]

    def rates(share, state):
        where, v = state[: 6 + n], state[6 + n :]
        tau = (1 - share) * gait.tau[k] + share * gait.tau[k + 2]
        return np.concatenate([_moving(where, v), _driven(gait, k, where, v, tau)])

    for i in range(STEPS):
        at, half = i / STEPS, 0.5 / STEPS
        k1 = rates(at, state)
        k2 = rates(at + half, state + step / 2 * k1)
        k3 = rates(at + half, state + step / 2 * k2)
        k4 = rates(at + 2 * half, state + step * k3)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    rate = np.sqrt(9.81 / height())
    units = np.concatenate([[height()] * 3, np.ones(3 + n)])
    spins = np.concatenate([[rate] * 3, [rate * height()] * 3, np.full(n, rate)])
    return (np.abs(state - _state(gait, k + 2)) / np.concatenate([units, spins])).max()


def _state(gait, k):
    parts = (gait.position, gait.orientation, gait.q, gait.base_velocity, gait.qd)
    return np.concatenate([part[k] for part in parts])


def _moving(where, v):
    """Rates of position, roll, pitch, yaw and joints."""
    (r, p, y), (spin, speed) = where[3:6], (v[:3], v[3:6])
    cr, sr, cp, sp, cy, sy = (f(a) for a in (r, p, y) for f in (np.cos, np.sin))
    x, yy, z = (
        np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]),
        np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]),
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]),
    )
    turning = np.array([[1, 0, -sp], [0, cr, sr * cp], [0, -sr, cr * cp]])
    return np.concatenate([z @ yy @ x @ speed, np.linalg.solve(turning, spin), v[6:]])


def _driven(gait, k, where, v, tau):
    """Accelerations under joint forces, with feet that stand kept on the ground."""
    still = np.zeros(len(v))
    now = Instant(gait.joint_names, gait.contacts, *np.split(where, [3, 6]), v, still)
    stand = np.flatnonzero(gait.standing[k + 1])
    J = np.vstack([now.jacobians[foot] for foot in stand])
    size, rows = len(v), len(J)
    system = np.zeros((size + rows, size + rows))
    system[:size, :size], system[:size, size:], system[size:, :size] = now.inertia, -J.T, J
    push = -now.forces
    push[now.columns] += tau
    solved = np.linalg.solve(system, np.concatenate([push, -now.rest[stand].ravel()]))
    return np.concatenate([solved[3:6], solved[:3], solved[now.columns]])


def main():
    print("intervals  merit       at the points  between: largest, median  seconds")
    for count in (8, 16, 32, 64):
        wanted = replace(TROT, intervals=count, accuracy=1.0, lift_off="free")
        _print(find_gait(robot(), [Foot() for _ in FEET], wanted))
    print("refined to an accuracy of 1e-3, 1e-4, 1e-5")
    for accuracy in (1e-3, 1e-4, 1e-5):
        wanted = replace(TROT, intervals=8, accuracy=accuracy, lift_off="free")
        _print(find_gait(robot(), [Foot() for _ in FEET], wanted))


def _print(gait):
    rows = intervals(gait)
    points = max(max(residuals(gait, k)) for k in range(rows[-1] + 3))
    away = [led_astray(gait, k) for k in rows]
    print(
        f"{len(rows):9d}  {gait.merit:.7f}  {points:13.1e}  {max(away):15.1e} {np.median(away):.1e}"
        f"  {gait.solution.seconds[0]:7.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
