"""Residuals of robots in contact: every set of feet of the legged robots of example-robot-data.

    python -m test.oracle.contact_sweep [part of a path ...]

Each line tells, of all sets and states, the largest residual of the equations of motion relative to
their terms, that of the closed rows, and how far masks are from a robot with just those contacts.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from itertools import combinations

import numpy as np

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

QUADRUPED = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
FEET = {
    "a1_description/urdf/a1.urdf": QUADRUPED,
    "anymal_b_simple_description/robots/anymal.urdf": ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
    "anymal_c_simple_description/urdf/anymal.urdf": ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
    "b1_description/urdf/b1.urdf": QUADRUPED,
    "bolt_description/robots/bolt.urdf": ("FL_FOOT", "FR_FOOT"),
    "g1_description/urdf/g1_29dof_rev_1_0.urdf": (
        "left_ankle_roll_link:pose",
        "right_ankle_roll_link:pose",
    ),
    "go1_description/urdf/go1.urdf": QUADRUPED,
    "go2_description/urdf/go2.urdf": QUADRUPED,
    "hyq_description/robots/hyq_no_sensors.urdf": ("lf_foot", "rf_foot", "lh_foot", "rh_foot"),
    "icub_description/robots/icub_reduced.urdf": ("l_sole:pose", "r_sole:pose"),
    "laikago_description/urdf/laikago.urdf": ("toeFL", "toeFR", "toeRL", "toeRR"),
    "solo_description/robots/solo.urdf": ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
    "solo_description/robots/solo12.urdf": ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
    "talos_data/robots/talos_reduced.urdf": ("left_sole_link:pose", "right_sole_link:pose"),
}
STATES = 3


def build(name: str, contacts: tuple[str, ...]):
    names = ["contact_forward_dynamics", "contact_jacobian", "contact_bias"]
    options = {"floating_base": True, "backend": "numpy", "functions": names}
    return robcogen_ros.build(robot_path(name), contacts=contacts, **options)


def largest(numbers, terms) -> float:
    return float(np.max(np.abs(numbers) / np.max(np.sum(np.abs(terms), axis=0))))


def residuals(name: str, contacts: tuple[str, ...]) -> Iterator[tuple[float, float, float]]:
    """Of each set of contacts and state."""
    whole, oracle = build(name, contacts), PinocchioOracle(robot_path(name), True)
    sizes = [6 if ":pose" in contact else 3 for contact in contacts]
    random = np.random.default_rng(0)
    for count in range(1, len(contacts) + 1):
        for chosen in combinations(range(len(contacts)), count):
            own = build(name, tuple(contacts[i] for i in chosen))
            mask = np.isin(np.arange(len(contacts)), chosen)
            closed = np.repeat(mask, sizes)
            for _ in range(STATES):
                q = random.uniform(-1, 1, whole.n)
                v, tau, g = random.normal(size=6 + whole.n), random.normal(size=whole.n), [1, 2, -9]
                given = q, v[6:], tau, v[:6], g
                qdd, a0, f = whole.contact_forward_dynamics(*given, contact=mask.astype(float))
                a, J = np.concatenate([a0, qdd]), whole.contact_jacobian(q)
                H, h = oracle.inertia_matrix(q), oracle.inverse_dynamics(q, v, 0 * a, np.array(g))
                terms = [H @ a, h, -np.concatenate([np.zeros(6), tau]), -J.T @ f]
                motion = largest(np.sum(terms, axis=0), [np.abs(H) @ np.abs(a), *terms[1:]])
                rows = [(J @ a)[closed], whole.contact_bias(q, v[6:], v[:6])[closed]]
                held = largest(rows[0] + rows[1], [(np.abs(J) @ np.abs(a))[closed], rows[1]])
                qdd_own, a0_own, f_own = own.contact_forward_dynamics(*given)
                alone = np.concatenate([a0_own, qdd_own, f_own])
                masked = np.concatenate([a, f[closed]])
                yield motion, held, largest(alone - masked, [alone])


def main() -> None:
    warnings.simplefilter("ignore")
    for name, contacts in FEET.items():
        if any(part in name for part in sys.argv[1:] or [""]):
            try:
                worst = np.max(list(residuals(name, contacts)), axis=0)
            except RobcogenError as error:
                print(f"{name}: {error}", flush=True)
                continue
            print(f"{name:52}", "  ".join(f"{x:.1e}" for x in worst), flush=True)


if __name__ == "__main__":
    main()
