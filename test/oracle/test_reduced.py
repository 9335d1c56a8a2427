"""Robots on limbs that follow, against contact_forward_dynamics and places by Pinocchio."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import pinocchio

from robcogen_ros.algorithms.mechanics.contacts.eliminated_limbs import stance_limbs
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.formats.read import read
from robcogen_ros.program.choose import straight_line
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.robots import robot_path, robots_directory

if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
TALOS = "talos_data/robots/talos_reduced.urdf"
G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"
FEET = ("lf_foot", "rf_foot", "lh_foot", "rh_foot")
CASES = {
    "HyQ": (HYQ, FEET, ("kfe",)),
    "HyQ, two feet in another order": (HYQ, ("rh_foot", "lf_foot"), ("kfe",)),
    "Talos": (TALOS, ("left_sole_link:pose", "right_sole_link:pose"), ("left_4", "right_4")),
}
REDUCED = ("dependent_positions", "dependent_velocities", "reduced_dynamics")
NAMES = (*REDUCED, "contact_forward_dynamics", "contact_forward_dynamics_eliminated")


class Case:
    """A robot that stands, in some states with bent knees."""

    def __init__(self, title: str) -> None:
        file, contacts, knees = CASES[title]
        self.model = read(robot_path(file), floating_base=True, contacts=contacts).robot
        self.library = Library(self.model, [*NAMES, "kinematics", "contact_jacobian"])
        self.robot = robot_of(NumpyEvaluator(self.library))
        random, n = np.random.default_rng(1), self.model.n
        bent = [0.8 * any(knee in name for knee in knees) for name in self.model.joint_names]
        self.q = random.uniform(-0.3, 0.3, (20, n)) + bent
        self.qd, self.tau = random.normal(size=(2, 20, n))
        self.base_velocity, self.gravity = random.normal(size=(20, 6)), [0.3, -0.2, -9.7]
        frames = [contact.partition(":")[0] for contact in contacts]
        trunk = self.model.links[0].name
        self.poses = np.stack([self.robot.transform(trunk, f, self.q) for f in frames], axis=1)
        self.limbs = [[k - 6 for k in limb.coordinates] for limb in stance_limbs(self.model)]

    def branch(self):
        """The solutions that the positions are."""
        count = self.library.function("dependent_positions").inputs[-1].rows // len(self.limbs)
        chosen = np.zeros((len(self.q), len(self.limbs), count))
        for signs in product((1.0, -1.0), repeat=count):
            found = self.placed(np.tile(signs, len(self.limbs)))[0]
            for limb, joints in enumerate(self.limbs):
                same = np.abs(found[:, joints] - self.q[:, joints]).max(axis=1) < 1e-9
                chosen[same, limb] = signs
        assert chosen.all()
        return chosen.reshape(len(self.q), -1)

    def placed(self, branch):
        """From positions that are known of other joints only."""
        q = self.q.copy()
        q[:, np.ravel(self.limbs)] = np.nan
        return self.robot.dependent_positions(q, self.poses, branch)


@lru_cache
def case(title: str) -> Case:
    return Case(title)


def apart(found, expected):
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("title", CASES)
def test_eliminated_limbs_give_the_same_motion_and_forces(title):
    own = case(title)
    state = own.q, own.qd, own.tau, own.base_velocity, own.gravity
    rows = own.robot.contact_jacobian(own.q).shape[-2]
    random = np.random.default_rng(2)
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    more = {
        "contact_acceleration": random.normal(size=rows),
        "contact_rotation": turn * np.linalg.det(turn),
        "external_forces": random.normal(size=(len(own.model.links), 6)),
    }
    for options in ({}, more):
        expected = own.robot.contact_forward_dynamics(*state, **options)
        found = own.robot.contact_forward_dynamics_eliminated(*state, **options)
        assert apart(found, expected) < 1e-11


@pytest.mark.parametrize("title", CASES)
def test_limbs_follow(title):
    own = case(title)
    branch = own.branch()
    q, margin = own.placed(branch)
    np.testing.assert_allclose(q, own.q, atol=1e-12)
    assert (margin > 0).all()
    qd = own.robot.dependent_velocities(own.q, own.qd, own.base_velocity)
    moving = np.concatenate([own.base_velocity, qd], axis=1)
    J = own.robot.contact_jacobian(own.q)
    assert np.abs(np.einsum("kij,kj->ki", J, moving)).max() < 1e-12
    state = own.tau, own.base_velocity, own.gravity
    free = own.q.copy()
    free[:, np.ravel(own.limbs)] = np.nan
    found = own.robot.reduced_dynamics(free, own.qd, *state, contact_poses=own.poses, branch=branch)
    expected = own.robot.contact_forward_dynamics(own.q, qd, *state)
    assert apart([*found.values()][:3], expected) < 1e-11
    np.testing.assert_allclose(found["positions"], own.q, atol=1e-12)
    np.testing.assert_allclose(found["velocities"], qd, atol=1e-12)


def test_four_feet_take_a_quarter_fewer_operations():
    library = case("HyQ").library
    names = ("contact_forward_dynamics_eliminated", "contact_forward_dynamics")
    eliminated, whole = (straight_line(library.entry(name).fastest) for name in names)
    assert eliminated < 0.75 * whole


def test_out_of_reach_is_told():
    own = case("HyQ")
    poses = own.poses.copy()
    poses[:, 1, 2, 3] -= 1.0
    q, margin = own.robot.dependent_positions(own.q, poses, own.branch())
    assert (margin[:, 1] < 0).all() and (margin[:, [0, 2, 3]] > 0).all()
    assert np.isnan(q[:, own.limbs[1]]).all()
    assert np.isfinite(q[:, own.limbs[0]]).all()
    with pytest.raises(ValueError, match="branch: expected 1 or -1"):
        own.robot.dependent_positions(own.q, poses, np.zeros(8))
    with pytest.raises(ValueError, match=r"contact_poses: expected shape \(..., \(4, 3\) or 4"):
        own.robot.dependent_positions(own.q, poses[:, :2], np.ones(8))
    q, _ = own.robot.dependent_positions(own.q, own.poses[..., :3, 3], own.branch())
    np.testing.assert_allclose(q, own.q, atol=1e-12)


@pytest.mark.parametrize(
    ("file", "contacts", "name", "reason"),
    [
        (HYQ, ["lf_upperleg"], "dependent_velocities", "has 3 rows, and fewer joints before it"),
        (HYQ, ["lf_foot", "lf_lowerleg"], "reduced_dynamics", "more than it moves with"),
        (
            G1,
            ["left_ankle_roll_link:pose"],
            "dependent_positions",
            "roll_link:pose': its axes have",
        ),
        (
            HYQ,
            ["trunk:pose"],
            "contact_forward_dynamics_eliminated",
            "fewer joints before it: none",
        ),
    ],
)
def test_limbs_that_cannot_follow_are_refused(file, contacts, name, reason):
    robot = read(robot_path(file), floating_base=True, contacts=contacts).robot
    library = Library(robot, [name, "contact_jacobian"])
    assert library.names == ("contact_jacobian",)
    assert reason in library.requested.unavailable[name]


STEP, SECONDS = 0.02, 10
REST = {"haa": -0.1, "hfe": 0.7, "kfe": -1.4}


class Standing:
    """HyQ that springs hold up, its feet on the ground, by steps of fourth order."""

    def __init__(self) -> None:
        own = case("HyQ")
        (text,) = BACKENDS["python"](own.library, Target("demo", "hyq", "model")).values()
        self.module: dict = {}
        exec(compile(text, "hyq.py", "exec"), self.module)
        names = own.model.joint_names
        self.rest = np.array([REST[name[3:6]] for name in names])
        self.rest *= [-1 if name[1] == "h" and name[3:6] != "haa" else 1 for name in names]
        self.model = pinocchio.buildModelFromUrdf(str(robot_path(HYQ)))
        self.order = [self.model.joints[self.model.getJointId(name)].idx_q for name in names]
        self.places = self.feet(np.eye(3), np.zeros(3), self.rest)
        self.branch = np.ravel([self.solution(limb) for limb in range(4)])

    def solution(self, limb):
        """The signs of a leg that is as at rest."""
        joints, poses = case("HyQ").limbs[limb], self.poses(np.eye(3), np.zeros(3))
        for signs in product((1.0, -1.0), repeat=2):
            q = self.module["dependent_positions"](self.rest, poses, np.tile(signs, 4))[0]
            if np.abs(q - self.rest)[joints].max() < 1e-9:
                return signs
        raise AssertionError

    def feet(self, turned, place, q):
        """Places of the feet in space, by Pinocchio."""
        data, ordered = self.model.createData(), np.zeros(self.model.nq)
        ordered[self.order] = q
        pinocchio.framesForwardKinematics(self.model, data, ordered)
        found = [data.oMf[self.model.getFrameId(foot)].translation for foot in FEET]
        return np.array(found) @ turned.T + place

    def poses(self, turned, place):
        whole = np.zeros((4, 4, 4))
        whole[:, 3, :3] = (self.places - place) @ turned
        return whole.reshape(16, 4).T

    def springs(self, q, qd):
        return 400 * (self.rest - q) - 15 * qd

    def reduced(self, turned, place, velocity, q, qd):
        """Motion of the base; joints follow."""
        poses = self.poses(turned, place)
        q = self.module["dependent_positions"](q, poses, self.branch)[0]
        qd = self.module["dependent_velocities"](q, qd, velocity)
        gravity = turned.T @ [0, 0, -9.81]
        found = self.module["reduced_dynamics"](
            q=q,
            qd=qd,
            tau=self.springs(q, qd),
            base_velocity=velocity,
            gravity=gravity,
            contact_poses=poses,
            branch=self.branch,
        )
        return found[1], 0 * qd, 0 * qd, found[3]

    def accelerated(self, turned, place, velocity, q, qd):
        """Motion of the base and of all joints."""
        gravity = turned.T @ [0, 0, -9.81]
        tau = self.springs(q, qd)
        qdd, base, _ = self.module["contact_forward_dynamics"](
            q=q, qd=qd, tau=tau, base_velocity=velocity, gravity=gravity
        )
        return base, qd, qdd, q

    def slip(self, motion):
        """How far the feet move at most."""
        zeros = np.zeros(len(self.rest))
        velocity = np.array([0.3, 0.4, 0.2, 0.2, -0.1, 0.1])
        own = self.module["dependent_velocities"](self.rest, zeros, velocity)
        state = [np.eye(3), np.zeros(3), velocity, self.rest, own]
        most = 0.0
        for _ in range(round(SECONDS / STEP)):
            slopes = []
            for ahead in (0.0, 0.5, 0.5, 1.0):
                last = slopes[-1] if slopes else [0 * x for x in state]
                turned, place, v, q, qd = (
                    x + ahead * STEP * dx for x, dx in zip(state, last, strict=True)
                )
                base, rate, change, _ = motion(turned, place, v, q, qd)
                slopes.append([turned @ pinocchio.skew(v[:3]), turned @ v[3:], base, rate, change])
            one, two, three, four = slopes
            state = [
                x + STEP / 6 * (a + 2 * b + 2 * c + d)
                for x, a, b, c, d in zip(state, one, two, three, four, strict=True)
            ]
            left, _, right = np.linalg.svd(state[0])
            state[0] = left @ right
            q = motion(*state)[3]
            most = max(most, np.abs(self.feet(state[0], state[1], q) - self.places).max())
        assert np.linalg.norm(state[1]) > 1e-3
        return most


def test_feet_stay_where_they_are_for_ten_seconds():
    standing = Standing()
    assert standing.slip(standing.reduced) < 1e-10
    assert standing.slip(standing.accelerated) > 1e-7
