"""Robots in contact, against the equations of motion and Pinocchio's constraintDynamics."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import pinocchio

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.program.summary import Summary, summarise
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path, robots_directory

if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
TALOS = "talos_data/robots/talos_reduced.urdf"
PANDA = "panda_description/urdf/panda.urdf"
FEET = ("lf_foot", "rf_foot", "lh_foot", "rh_foot")
SOLES = ("left_sole_link:pose", "right_sole_link:pose")
CASES = {
    "HyQ": (HYQ, True, FEET),
    "HyQ, feet in another order": (HYQ, True, ("rh_foot", "lf_foot")),
    "HyQ, single axes": (HYQ, True, ("lf_foot:position_z", "rh_foot:position_x")),
    "HyQ, fixed": (HYQ, False, FEET),
    "Talos": (TALOS, True, SOLES),
    "Panda, prismatic finger": (PANDA, False, ("panda_hand:pose", "panda_leftfinger:position_x")),
    "Panda, a finger that follows": (PANDA, False, ("panda_rightfinger",)),
    "Panda, its base": (PANDA, True, ("panda_link0:pose",)),
}
AXES = {"position": range(3, 6), "pose": range(6), "position_x": [3], "position_z": [5]}


class Case:
    """A robot, its oracle, and random states."""

    def __init__(self, title: str, seed: int = 0) -> None:
        self.file, self.floating, self.contacts = CASES[title]
        self.robot = built(title)
        self.oracle = oracle(title)
        random = np.random.default_rng(seed)
        n, base = self.robot.n, 6 if self.floating else 0
        self.q = random.uniform(-1, 1, n)
        self.v, self.force = random.normal(size=(2, base + n))
        self.tau = 10 * self.force[base:]
        self.gravity = np.array([0.3, -0.2, -9.7])
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        self.rotation = turn * np.linalg.det(turn)
        self.base = base
        self.J = np.vstack([self._rows(text, np.eye(3)) for text in self.contacts])
        self.H = self.oracle.inertia_matrix(self.q)

    def _rows(self, text: str, rotation):
        frame, _, word = text.partition(":")
        J = self.oracle.full_jacobian(frame, self.q)
        turned = np.vstack([rotation.T @ J[:3], rotation.T @ J[3:]])
        return turned[AXES[word or "position"]]

    def turned(self):
        return np.vstack([self._rows(text, self.rotation) for text in self.contacts])

    @property
    def velocity(self) -> tuple:
        return (self.v[6:], self.v[:6]) if self.floating else (self.v,)

    def forward(self, **options):
        qd, *base = self.velocity
        if self.floating:
            qdd, a, f = self.robot.contact_forward_dynamics(
                self.q, qd, self.tau, *base, self.gravity, **options
            )
            return np.concatenate([a, qdd], axis=-1), f
        return self.robot.contact_forward_dynamics(
            self.q, qd, self.tau, gravity=self.gravity, **options
        )

    def forces(self, a):
        """What must act on all degrees of freedom for an acceleration."""
        return self.oracle.inverse_dynamics(self.q, self.v, a, self.gravity)

    @property
    def applied(self):
        return np.concatenate([np.zeros(self.base), self.tau])


@lru_cache
def built(title: str):
    file, floating, contacts = CASES[title]
    names = ["contact_jacobian", "contact_bias", "delassus_matrix", "contact_forward_dynamics"]
    names += ["contact_inverse_dynamics", "contact_wrenches", "impact", "forward_dynamics"]
    return robcogen_ros.build(
        robot_path(file),
        floating_base=floating,
        contacts=contacts,
        functions=names,
        backend="numpy",
    )


@lru_cache
def oracle(title: str) -> PinocchioOracle:
    return PinocchioOracle(robot_path(CASES[title][0]), CASES[title][1])


def close(ours, right, tolerance=1e-12):
    scale = max(1.0, np.abs(right).max())
    assert np.abs(np.asarray(ours) - right).max() <= tolerance * scale


@pytest.mark.parametrize("title", CASES)
def test_equations_of_motion_and_of_the_contacts_hold(title):
    case = Case(title)
    close(case.robot.contact_jacobian(case.q), case.J)
    close(case.robot.delassus_matrix(case.q), case.J @ np.linalg.solve(case.H, case.J.T))
    a, f = case.forward()
    close(case.forces(a), case.applied + case.J.T @ f)
    bias = case.robot.contact_bias(case.q, *case.velocity)
    close(case.J @ a, -bias)
    target = np.arange(len(f))
    a, f = case.forward(contact_acceleration=target, contact_rotation=case.rotation)
    J = case.turned()
    close(case.forces(a), case.applied + J.T @ f)
    turned = case.robot.contact_bias(case.q, *case.velocity, contact_rotation=case.rotation)
    close(J @ a + turned, target)
    given = {"q": case.q, "contact_rotation": case.rotation}
    close(case.robot.evaluate("contact_jacobian", **given)["J"], J)
    asked = read(robot_path(case.file), floating_base=case.floating, contacts=case.contacts)
    told = summarise(Library(asked.robot, ["contact_jacobian"]), counted=False)
    assert Summary.from_json(told.to_json()) == told  # what compiled libraries tell of themselves


@pytest.mark.parametrize("title", ["HyQ", "HyQ, feet in another order", "HyQ, fixed"])
def test_it_is_constraint_dynamics_of_pinocchio(title):
    case = Case(title)
    model, map = case.oracle.model, case.oracle.velocity_map
    points = pinocchio.StdVec_RigidConstraintModel()
    for foot in case.contacts:
        frame = model.frames[model.getFrameId(foot)]
        points.append(
            pinocchio.RigidConstraintModel(
                pinocchio.ContactType.CONTACT_3D,
                model,
                frame.parentJoint,
                frame.placement,
                pinocchio.ReferenceFrame.LOCAL,
            )
        )
    model.gravity.linear[:] = case.gravity
    data = model.createData()
    parts = pinocchio.StdVec_RigidConstraintData()
    parts.extend([point.createData() for point in points])
    pinocchio.initConstraintDynamics(model, data, points, parts)
    theirs = pinocchio.constraintDynamics(
        model,
        data,
        case.oracle.configuration(case.q),
        map @ case.v,
        np.linalg.pinv(map.T) @ case.applied,
        points,
        parts,
        pinocchio.ProximalSettings(1e-14, 0.0, 1),
    )
    close(map @ case.forward()[0], theirs, 1e-11)


@pytest.mark.parametrize("title", ["HyQ", "Talos", "HyQ, single axes"])
def test_open_rows_have_no_force_and_closed_ones_do_not_feel_them(title):
    case = Case(title)
    rows = len(case.J)
    free, forces = case.forward(contact=np.zeros(rows))
    close(case.forces(free), case.applied, 1e-13)
    assert not forces.any()
    qdd, base = case.robot.forward_dynamics(
        case.q, *case.velocity[:1], case.tau, case.v[:6], case.gravity
    )
    close(free, np.concatenate([base, qdd]), 1e-13)
    closed = np.arange(rows) % 3 > 0
    a, f = case.forward(contact=closed)
    assert not f[~closed].any()
    close(case.forces(a), case.applied + case.J.T @ f)
    bias = case.robot.contact_bias(case.q, *case.velocity)
    close((case.J @ a + bias)[closed], np.zeros(closed.sum()))


def test_a_mask_may_be_of_contacts_and_of_many_states():
    case = Case("HyQ")
    masks = np.array([[0, 0, 1, 1], [1, 0, 0, 1.0]])
    a, f = case.forward(contact=masks)
    for mask, one, force in zip(masks, a, f, strict=True):
        alone, right = case.forward(contact=np.repeat(mask, 3))
        close(one, alone, 1e-14)
        close(force, right, 1e-14)


@pytest.mark.parametrize("title", ["HyQ", "Talos", "HyQ, fixed", "Panda, a finger that follows"])
def test_inverse_dynamics_undoes_forward_dynamics(title):
    case = Case(title)
    a, f = case.forward(contact_rotation=case.rotation)
    qd, *base = case.velocity
    given = {"contact_forces": f, "contact_rotation": case.rotation}
    if case.floating:
        tau, wrench = case.robot.contact_inverse_dynamics(
            case.q, qd, a[6:], *base, a[:6], case.gravity, **given
        )
        close(wrench, np.zeros(6), 1e-11)
    else:
        (tau,) = case.robot.contact_inverse_dynamics(case.q, qd, a, gravity=case.gravity, **given)
    close(tau, case.tau, 1e-12)
    wrenches = case.robot.contact_wrenches(case.q, f, contact_rotation=case.rotation)
    more = {"external_forces": wrenches, "contact": np.zeros(len(f))}
    close(case.forward(**more)[0], a, 1e-11)


@pytest.mark.parametrize("title", CASES)
def test_an_impact_loses_just_the_energy_of_its_impulses(title):
    case = Case(title)

    def hit(**options):
        *after, p = case.robot.impact(
            case.q, *case.velocity, contact_rotation=case.rotation, **options
        )
        return np.concatenate(after[::-1]), p

    def energy(v):
        return v @ case.H @ v / 2

    v, p = hit()
    J = case.turned()
    close(J @ v, np.zeros(len(J)))
    close(case.H @ (v - case.v), J.T @ p)
    lost = p @ J @ np.linalg.solve(case.H, J.T) @ p / 2
    close(energy(case.v) - energy(v), lost)
    normal = np.concatenate(
        [[row == 5 for row in AXES[c.partition(":")[2] or "position"]] for c in case.contacts]
    )
    for e in (0.3, 1.0):
        v, more = hit(restitution=e)
        close(more[normal], (1 + e) * p[normal], 1e-11)
        close((J @ v)[~normal], np.zeros((~normal).sum()))
        assert energy(v) <= energy(case.v) * (1 + 1e-12)


def test_two_points_on_one_link_need_damping():
    robot = robcogen_ros.build(
        robot_path(TALOS),
        floating_base=True,
        contacts=["left_sole_link", "leg_left_6_link"],
        functions=["contact_forward_dynamics"],
        backend="numpy",
    )
    given = np.zeros(robot.n), np.zeros(robot.n), np.zeros(robot.n), np.zeros(6), [0, 0, -9.81]
    with pytest.raises(TypeError, match="damping: the rows of the contacts depend on each other"):
        robot.contact_forward_dynamics(*given)
    assert np.isfinite(robot.contact_forward_dynamics(*given, damping=[1e-6] * 6)[2]).all()


@pytest.mark.parametrize(
    ("contacts", "told"),
    [
        (["lf_fot"], "contact 'lf_fot': .*no frame 'lf_fot'.*lf_foot"),
        (["lf_foot:point"], "expected one of position, pose, .* after ':', found 'point'"),
        (["lf_foot", "lf_foot:pose"], "contact 'lf_foot:pose': 'lf_foot' fixes the same"),
        (["base_link"], "contact 'base_link': the frame is on the base, which is fixed"),
        ("lf_foot", "contacts: expected a list of names"),
    ],
)
def test_wrong_contacts_are_told(contacts, told):
    with pytest.raises(RobcogenError, match=told):
        robcogen_ros.build(robot_path(HYQ), contacts=contacts, backend="numpy")


def test_wrong_values_are_told_and_never_computed_with():
    case = Case("HyQ")
    with pytest.raises(ValueError, match="contact: expected 0 and 1 only"):
        case.forward(contact=[0.5, 1, 1, 1])
    with pytest.raises(ValueError, match="contact: expected 0 or 1 of 4 contacts or 12 rows"):
        case.forward(contact=[1, 1])
    for wrong in ("closed", [[1], [0, 1]], object(), [1j] * 4):
        with pytest.raises(TypeError, match="contact: expected"):
            case.forward(contact=wrong)
    with pytest.raises(TypeError, match="contact_rotation: expected"):
        case.forward(contact_rotation="up")
    with pytest.raises(ValueError, match="restitution: expected 0 to 1"):
        case.robot.impact(case.q, *case.velocity, restitution=1.5)
    given = {"q": case.q, "qd": case.v[6:], "base_velocity": case.v[:6]}
    for wrong in ({"contact": np.full(12, 0.5)}, {"restitution": [1.5]}, {"restitution": [-0.1]}):
        assert np.isnan(case.robot.evaluate("impact", **given, **wrong)["qd_after"]).all()
