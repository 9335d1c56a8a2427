"""Derivatives of robots in contact, against dual numbers, differences and Pinocchio's."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

pytest.importorskip("pinocchio")

import pinocchio

import robcogen_ros
from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.formats.read import read
from robcogen_ros.model.scalars.dual import Dual, dual, jacobian, variables
from test.oracle.test_contacts import CASES, Case
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path

TITLES = [
    "HyQ",
    "HyQ, fixed",
    "HyQ, single axes",
    "Panda, prismatic finger",
    "Panda, a finger that follows",
]
FORWARD, IMPACT = "contact_forward_dynamics", "impact"


@lru_cache
def built(title: str):
    file, floating, contacts = CASES[title]
    return robcogen_ros.build(
        robot_path(file),
        floating_base=floating,
        contacts=contacts,
        functions=[f"{FORWARD}_derivatives", f"{IMPACT}_derivatives"],
        backend="numpy",
    )


class Differentiated(Case):
    """A case whose derivatives are known."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.robot = built(title)
        self.n = self.robot.n
        self.model = read(
            robot_path(self.file), floating_base=self.floating, contacts=self.contacts
        ).robot
        half = np.arange(len(self.J)) % 3 > 0
        self.options = {
            "contact": half.astype(float),
            "damping": np.full(len(self.J), 1e-3),
            "contact_rotation": self.rotation,
        }

    def derivatives(self, name: str, **options):
        """Ours, (base and joints, rows) one below the other, by q, qd and, of the motion, tau."""
        qd, *base = self.velocity
        of_forces = name == FORWARD
        given = (self.tau,) if of_forces else ()
        more = {"gravity": self.gravity} if of_forces else {}
        found = getattr(self.robot, f"{name}_derivatives")(
            self.q, qd, *given, *base, **more, **options
        )
        half = len(found) // 2
        pairs = zip(found[:half], found[half:], strict=True)
        return [np.vstack(pair) for pair in pairs]

    def by_dual_numbers(self, name: str, **options):
        """The same from the algorithm itself, differentiated operation by operation."""
        function = functions(self.model)[name]
        qd, *base = self.velocity
        by = ["q", "qd", "base_velocity", "tau"]
        given = {"q": self.q, "qd": qd, "tau": self.tau, "gravity": self.gravity, **options}
        given |= {"base_velocity": base[0]} if base else {}
        values = {}
        for argument in function.inputs:
            entries = given.get(argument.name, [float(x) for x in argument.values_left_out])
            entries = np.ravel(entries, order="F").tolist()
            lift = variables(entries, argument.name) if argument.name in by else map(dual, entries)
            values[argument.name] = list(lift)
        turns = [("turn", i) for i in range(self.base)]
        if turns:
            for turned in ("gravity", "contact_rotation"):
                values[turned] = _turned(values.get(turned, []))
        found = function.compute(self.model.map(dual), values)
        order = sorted(found, key=lambda name: ("base" not in name, "q" not in name))
        results = [x for name in order for x in found[name]]
        joints = range(self.n)
        base_rates = [("base_velocity", i) for i in range(self.base)]
        names = [[*turns, *(("q", i) for i in joints)], [*base_rates, *(("qd", i) for i in joints)]]
        names += [[("tau", i) for i in joints]] if name == FORWARD else []
        return [np.array(jacobian(results, each), dtype=float) for each in names]


def _turned(vectors):
    """Vectors that stay in space, in the coordinates of a base that turns."""
    found = []
    for at in range(0, len(vectors), 3):
        v = [x.value for x in vectors[at : at + 3]]
        change = np.cross(v, np.eye(3))
        found += [
            Dual(x, {("turn", c): row[i] for c, row in enumerate(change)}) for i, x in enumerate(v)
        ]
    return found


def worst(found, expected):
    pairs = zip(found, expected, strict=True)
    return max(np.abs(f - e).max() / np.abs(e).max() for f, e in pairs)


@pytest.mark.parametrize(
    ("title", "masked"), [*((title, True) for title in TITLES), ("HyQ, fixed", False)]
)
def test_they_are_those_of_the_algorithm(title, masked):
    case = Differentiated(title)
    options = case.options if masked else {}
    found = case.derivatives(FORWARD, **options)
    found[2] = found[2][:, case.base :]
    assert worst(found, case.by_dual_numbers(FORWARD, **options)) < 1e-11
    found = case.derivatives(IMPACT, **options, restitution=0.4)
    assert worst(found, case.by_dual_numbers(IMPACT, **options, restitution=[0.4])) < 1e-11
    found = case.derivatives(IMPACT, **options)
    assert worst(found, case.by_dual_numbers(IMPACT, **options)) < 1e-11


@pytest.mark.slow
@pytest.mark.parametrize("title", ["HyQ", "HyQ, single axes", "HyQ, fixed"])
def test_compiled_they_are_the_same(title, monkeypatch):
    """In C++ they are products in loops."""
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -Wall -Wextra -Wpedantic -Wshadow -Werror")
    case = Differentiated(title)
    every = {**case.options, "contact_acceleration": np.linspace(0, 1, len(case.J))}
    rebound = {**case.options, "restitution": 0.4}
    calls = [(FORWARD, {}), (FORWARD, every), (IMPACT, {}), (IMPACT, case.options)]
    calls += [(IMPACT, rebound), (IMPACT, {"restitution": 0.4})]
    right = [case.derivatives(name, **options) for name, options in calls]
    case.robot = robcogen_ros.build(
        robot_path(case.file),
        floating_base=case.floating,
        contacts=case.contacts,
        functions=[f"{FORWARD}_derivatives", f"{IMPACT}_derivatives"],
        backend="cpp",
    )
    for (name, options), expected in zip(calls, right, strict=True):
        found = case.derivatives(name, **options)
        assert worst(found, expected) < 1e-12
        if name == FORWARD:
            P = found[2][: len(case.v)]
            assert (P == P.T).all()


def test_differences_converge_to_them_by_the_square_of_steps():
    case = Differentiated("HyQ")
    qd, base_velocity = case.velocity
    column = case.derivatives(FORWARD)[0][:, 7]

    def at(step):
        q = case.q + step * (np.arange(case.n) == 1)
        moved = Case("HyQ").robot.contact_forward_dynamics(
            q, qd, case.tau, base_velocity, case.gravity
        )
        return np.concatenate([moved[1], moved[0], moved[2]])

    errors = [np.abs((at(h) - at(-h)) / (2 * h) - column).max() for h in (4e-3, 2e-3)]
    assert 3.9 < errors[0] / errors[1] < 4.1


def test_they_are_those_of_pinocchio():
    case = Differentiated("HyQ")
    model, V = case.oracle.model, case.oracle.velocity_map
    model.gravity.linear[:] = case.gravity
    points = pinocchio.StdVec_RigidConstraintModel()
    for foot in case.contacts:
        frame = model.frames[model.getFrameId(foot)]
        where = frame.parentJoint, frame.placement, pinocchio.ReferenceFrame.LOCAL
        kind = pinocchio.ContactType.CONTACT_3D
        points.append(pinocchio.RigidConstraintModel(kind, model, *where))
    data, parts = model.createData(), pinocchio.StdVec_RigidConstraintData()
    parts.extend([point.createData() for point in points])
    settings = pinocchio.ProximalSettings(1e-14, 0.0, 1)
    pinocchio.initConstraintDynamics(model, data, points, parts)
    state = case.oracle.configuration(case.q), V @ case.v, V @ case.applied
    pinocchio.constraintDynamics(model, data, *state, points, parts, settings)
    theirs = pinocchio.computeConstraintDynamicsDerivatives(model, data, points, parts, settings)
    by_q, by_qd, by_tau = case.derivatives(FORWARD)
    size = len(V)
    ours = [by_q[:size], by_qd[:size], by_tau[:size]]
    assert worst(ours, [V.T @ matrix @ V for matrix in theirs[:3]]) < 1e-10
    pinocchio.forwardKinematics(model, data, state[0])
    _, forces = Case("HyQ").forward()
    for row, foot in enumerate(case.contacts):
        R = pinocchio.updateFramePlacement(model, data, model.getFrameId(foot)).rotation
        own = slice(3 * row, 3 * row + 3)
        turned = np.cross(case.oracle.full_jacobian(foot, case.q)[:3].T, forces[own]).T
        expected = [R @ matrix[own] @ V for matrix in theirs[3:]]
        expected[0] = expected[0] + turned
        found = [matrix[size:][own] for matrix in (by_q, by_qd, by_tau)]
        assert worst(found, expected) < 1e-10


def test_wrong_masks_give_no_numbers():
    case = Differentiated("HyQ")
    given = {"q": case.q, "qd": case.v[6:], "base_velocity": case.v[:6]}
    moving = given | {"tau": case.tau, "gravity": case.gravity}
    wrong = {"contact": np.full(12, 0.5)}
    for name, inputs in ((FORWARD, moving), (IMPACT, given)):
        right = case.robot.evaluate(f"{name}_derivatives", **inputs)
        found = case.robot.evaluate(f"{name}_derivatives", **inputs, **wrong)
        assert all(np.isnan(found[key])[right[key] != 0].all() for key in right)


@pytest.mark.parametrize("name", ["turn", "spin", "slide"])
def test_screws_differ_as_their_functions_do(name):
    tree = arm_with_everything()
    screw = replace(next(j for j in tree.joints if j.name == name), kind="helical")
    names = [FORWARD, f"{FORWARD}_derivatives"]
    robot = tree.with_joint(screw).build(contacts=["link4"], functions=names)
    q, qd, tau = np.random.default_rng(0).normal(size=(3, robot.n))

    def moved(x):
        return np.concatenate(robot.contact_forward_dynamics(*np.split(x, 3)))

    at, step = np.concatenate([q, qd, tau]), 1e-6 * np.eye(3 * robot.n)
    expected = np.stack([(moved(at + h) - moved(at - h)) / 2e-6 for h in step], axis=-1)
    slopes = robot.contact_forward_dynamics_derivatives(q, qd, tau)
    found = np.vstack([np.hstack(slopes[:3]), np.hstack(slopes[3:])])
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
