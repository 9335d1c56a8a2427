"""Closed forms of limbs: forward kinematics gives back the place that was asked for.

`python -m test.algorithms.test_inverse_kinematics` tries ten thousand poses of each limb.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from robcogen_ros.algorithms.functions.limb_positions import limb_form
from robcogen_ros.algorithms.mechanics.inverse_kinematics.limb_forms import limb_joints
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.model_of import model_of
from test.support.robots import robot_path

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

UR5 = "ur_description/urdf/ur5_robot.urdf"
LIMBS = {
    "hyq_description/robots/hyq_no_sensors.urdf": ("trunk", "rh_foot", "rh_hfe"),
    "solo_description/robots/solo12.urdf": ("base_link", "HR_FOOT", "HR_HFE"),
    "anymal_c_simple_description/urdf/anymal.urdf": ("base", "LF_FOOT", "LF_HFE"),
    "go1_description/urdf/go1.urdf": ("trunk", "RL_foot", "RL_thigh"),
    "laikago_description/urdf/laikago.urdf": ("trunk", "FR_foot", "FR_thigh"),
    "talos_data/robots/talos_reduced.urdf": ("base_link", "left_sole_link", "leg_left_3"),
    "icub_description/robots/icub.urdf": ("base_link", "l_sole", "l_hip_yaw"),
    UR5: ("base_link", "tool0", "shoulder_lift"),
    "kinova_description/robots/kinova.urdf": ("j2s6s200_link_base", "j2s6s200_link_6", "joint_4"),
}
"""The limb of each robot, and the beginning of the name of a joint that its form names."""


STRAIGHT = {
    "hyq_description/robots/hyq_no_sensors.urdf": (0.0, None),
    "solo_description/robots/solo12.urdf": (0.0, None),
    UR5: (0.0, 3),
    "kinova_description/robots/kinova.urdf": (np.pi, 4),
}
"""Where the third joint stretches a limb, and the joint whose origin is then furthest away."""


class Chain:
    """A limb of a robot, with the positions of its own joints."""

    def __init__(self, robot, base: str, target: str) -> None:
        self.name, self.frames = f"{base}_inverse_kinematics_{target}", (base, target)
        self.model = robot
        frames = [robot.frames[robot.frame_index(name)] for name in self.frames]
        self.joints = limb_joints(robot, *frames)
        self.own = [joint.coordinate for joint in self.joints]
        self.robot = robot_of(NumpyEvaluator(Library(robot, ["kinematics", self.name])))
        self.count = 3 if len(self.own) == 6 else 2

    def place(self, own):
        q = np.zeros((*own.shape[:-1], self.robot.n))
        q[..., self.own] = own
        pose = self.robot.transform(*self.frames, q)
        return pose if len(self.own) == 6 else pose[..., :3, 3]

    def further(self, own, place, last, share):
        """Places further away from joint 2, across its axis, by a share of their distance."""
        q = np.zeros((*own.shape[:-1], self.robot.n))
        q[..., self.own] = own
        base, target = self.frames
        link = self.model.links[self.joints[1].successor].name
        J = self.robot.jacobian(base, target, q)[..., self.own[2]]
        center = place
        if last is not None:
            name = self.model.links[self.joints[last].successor].name
            center = self.robot.transform(base, name, q)[..., :3, 3]
        across = center - self.robot.transform(base, link, q)[..., :3, 3]
        axis = J[..., :3]
        across = across - np.sum(across * axis, axis=-1, keepdims=True) * axis
        moved = place.copy()
        (moved if len(self.own) == 3 else moved[..., :3, 3])[...] += share * across
        return moved

    def solutions(self, place):
        """Positions and margins of all branches, branches first."""
        branches = np.array(list(product((1.0, -1.0), repeat=self.count)))
        shape = (len(branches), *[1] * (place.ndim - (2 if len(self.own) == 6 else 1)), self.count)
        q, margin = self.robot.inverse_kinematics(*self.frames, place, branches.reshape(shape))
        return q, margin

    def check(self, own, tolerance=1e-13):
        """Every branch leads back to the places, and one of them by the same angles."""
        place = self.place(own)
        q, margin = self.solutions(place)
        found = np.isfinite(q).all(axis=-1)
        assert (found == (margin >= 0)).all()
        back = self.place(np.where(found[..., None], q, 0.0)) - place
        error = np.abs(back).reshape(*found.shape, -1).max(axis=-1)
        assert error[found].max() < tolerance
        turned = np.abs(np.angle(np.exp(1j * (q - own)))).max(axis=-1)
        assert np.nanmin(np.where(found, turned, np.nan), axis=0).max() < 1e-6
        return q


@lru_cache
def chain(file: str) -> Chain:
    return Chain(read(robot_path(file)).robot, *LIMBS[file][:2])


@pytest.mark.parametrize("file", LIMBS)
def test_a_limb_reaches_where_it_is_asked_to(file):
    limb = chain(file)
    q = limb.check(np.random.default_rng(3).uniform(-3, 3, (300, len(limb.own))))
    assert len(np.unique(np.round(q[:, 0][np.isfinite(q[:, 0]).all(axis=-1)], 6), axis=0)) > 1
    assert LIMBS[file][2] in limb_form(limb.model, *limb.frames)


@pytest.mark.parametrize("file", LIMBS)
def test_a_limb_in_a_special_position_reaches_where_it_is_asked_to(file):
    limb, rng = chain(file), np.random.default_rng(4)
    own = rng.uniform(-1.2, 1.2, (40, len(limb.own)))
    for near in (0.0, 1e-13, 1e-9, 1e-5):
        if len(limb.own) == 6:
            middle = 1 if file.startswith(("talos", "icub")) else 4
            own[:, middle] = near + (np.pi / 2 if middle == 1 else 0.0)
            q, _ = limb.solutions(limb.place(own))
            found = np.isfinite(q).all(axis=-1)
            assert found.any(axis=0).all()
            back = limb.place(np.where(found[..., None], q, 0.0)) - limb.place(own)
            assert np.abs(back[found]).max() < 1e-13


def test_an_axis_that_is_tilted_by_the_rounding_of_an_angle_costs_no_digits():
    """As in the URDF that UR's xacro writes: its last axis is off by 2e-10 rad."""
    text = robot_path(UR5).read_text()
    joint, straight = text.index('<joint name="wrist_3_joint"'), 'rpy="0.0 0.0 0.0"'
    tilted = text[:joint] + text[joint:].replace(straight, 'rpy="2e-10 0 0"', 1)
    limb, rng = Chain(model_of(tilted), *LIMBS[UR5][:2]), np.random.default_rng(8)
    own = rng.uniform(-2.5, 2.5, (400, 6))
    for near in (0.0, 1e-9, 1e-6):
        own[:, 4] = near
        q, _ = limb.solutions(limb.place(own))
        found = np.isfinite(q).all(axis=-1)
        assert found.any(axis=0).all()
        back = limb.place(np.where(found[..., None], q, 0.0)) - limb.place(own)
        assert np.abs(back[found]).max() < 1e-13


def test_an_arm_that_is_folded_with_its_wrist_in_line_has_a_solution_for_each_shoulder():
    limb, rng = chain(UR5), np.random.default_rng(9)
    own = rng.uniform(-3, 3, (100, 6))
    own[:, 2], own[:, 4] = 3.1, 0.0
    q, _ = limb.solutions(limb.place(own))
    same = np.abs(np.angle(np.exp(1j * (q[..., 0] - own[:, 0])))) < 1e-6
    assert (same & np.isfinite(q).all(axis=-1)).any(axis=0).all()


@pytest.mark.parametrize("file", [*LIMBS][:5])
def test_the_margin_vanishes_at_the_end_of_reach(file):
    limb = chain(file)
    for place in limb.place(np.random.default_rng(5).uniform(-1, 1, (5, 3))):
        near, far = 1.0, 9.0
        for _ in range(60):
            middle = (near + far) / 2
            reached = limb.solutions(place * middle)[1].max() >= 0
            near, far = (middle, far) if reached else (near, middle)
        q, margin = limb.solutions(place * near)
        assert 0 <= margin.max() < 1e-12 and np.isfinite(q[margin.argmax()]).all()
        q, margin = limb.solutions(place * (near + 1e-7))
        assert -1e-3 < margin.max() < 0 and np.isnan(q).all()


@pytest.mark.parametrize("file", STRAIGHT)
def test_the_end_of_reach_is_reached_and_nothing_beyond(file):
    limb, (straight, last) = chain(file), STRAIGHT[file]
    own = np.random.default_rng(6).uniform(-2.5, 2.5, (400, len(limb.own)))
    own[:, 2] = straight
    place = limb.place(own)
    q, margin = limb.solutions(place)
    found = np.isfinite(q).all(axis=-1)
    assert found.any(axis=0).all() and ((margin >= 0) == found).all()
    error = np.abs(limb.place(np.where(found[..., None], q, 0.0)) - place)
    assert error.reshape(*found.shape, -1).max(axis=-1)[found].max() < 1e-13
    turned = np.abs(np.angle(np.exp(1j * (q - own)))).max(axis=-1)
    assert np.median(np.nanmin(np.where(found, turned, np.nan), axis=0)) < 1e-6
    q, margin = limb.solutions(limb.further(own, place, last, 1e-9))
    turned = np.abs(np.angle(np.exp(1j * (q - own)))).max(axis=-1)
    assert not (turned < 1e-2).any()


def test_fifty_digits_stay_fifty_digits():
    limb = chain("hyq_description/robots/hyq_no_sensors.urdf")
    program = Library(limb.model, [limb.name]).entry(limb.name).general
    place = [Decimal("-0.41"), Decimal("-0.2"), Decimal("-0.55")]
    for branch in product((1, -1), repeat=2):
        given = {"position": place, "branch": [Decimal(sign) for sign in branch]}
        found = interpret_exactly(program, given)["q"]
        q = [Decimal(0)] * limb.model.n
        for index, value in zip(limb.own, found, strict=True):
            q[index] = value
        there = f"{limb.frames[0]}_X_{limb.frames[1]}"
        X = interpret_exactly(Library(limb.model, [there]).entry(there).general, {"q": q})["X"]
        assert max(abs(a - b) for a, b in zip(X[12:15], place, strict=True)) < Decimal("1e-45")


def urdf(*joints: tuple[str, str, str]) -> str:
    """A serial arm: origin, rpy and axis of each joint; a tip on the last link."""
    text = '<link name="l0"/>'
    for k, (xyz, rpy, axis) in enumerate(joints, start=1):
        text += (
            f'<link name="l{k}"/><joint name="j{k}" type="continuous"><parent link="l{k - 1}"/>'
            f'<child link="l{k}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/></joint>'
        )
    return (
        f'<robot name="arm">{text}<link name="tip"/><joint name="end" type="fixed"><parent '
        f'link="l{len(joints)}"/><child link="tip"/><origin xyz="0.2 0.05 -0.3" rpy="0.3 0.2 0.1"/>'
        "</joint></robot>"
    )


X, Y, Z, NO = "1 0 0", "0 1 0", "0 0 1", "0 0 0"
ODD = "0.1 0.2 0.3"
FORMS = {
    "axes of j1, j2 are parallel": [(ODD, "0.2 0.1 0.4", Z), (X, NO, "0 0 -1"), (X, "0.5 0 0", Y)],
    "axes of j1, j2 meet": [(ODD, ODD, Z), (NO, "0.7 0 0", Y), ("0 0.1 0.4", ODD, X)],
    "axes of j2, j3 meet": [(ODD, ODD, Z), ("0.5 0 0", "0 0.3 0", X), (NO, "0.1 0 0.7", Y)],
    "axes of j2, j3 are parallel": [(ODD, ODD, "1 1 0"), (ODD, ODD, Y), (X, NO, "0 -1 0")],
    "j4, j5, j6 meet": [
        *[(ODD, NO, Z), ("0.2 0 0", "0.3 0 0", X), ("0 0 0.5", NO, X)],
        *[("0 0.1 0.4", "0 0.3 0", Z), (NO, "0.9 0 0", Z), (NO, "0.8 0 0.2", Z)],
    ],
    "axes of j5, j4, j3 are parallel; those of j2, j1 meet": [
        *[(ODD, NO, Z), ("0 0 0.1", "0 0 0", X), ("0.1 0 0", NO, Y)],
        *[("0 0 -0.4", NO, "0 -1 0"), ("0.1 0 -0.4", NO, Y), ("0 0.03 -0.05", NO, X)],
    ],
    "axes of j2, j3, j4 are parallel; those of j5, j6 meet": [
        *[(ODD, "0.4 0 0", Z), ("0 0.1 0.1", "0 0 0", X), ("0 0.3 0.4", NO, "-1 0 0")],
        *[("0.1 0 -0.4", NO, X), ("0.1 0 -0.04", "0.3 0 0.2", Y), (NO, "0 0.4 0.3", X)],
    ],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_known_by_its_axes(form):
    limb = Chain(model_of(urdf(*FORMS[form])), "l0", "tip")
    assert form in limb_form(limb.model, "l0", "tip")
    limb.check(np.random.default_rng(6).uniform(-3, 3, (200, len(limb.own))), 1e-12)


def test_open_lengths_and_angles_may_be_in_a_limb():
    names = ["j2.origin.x", "j3.origin.x", "end.origin.z", "j1.origin.roll"]
    robot = model_of(urdf(*FORMS["axes of j2, j3 are parallel"]), parameters=names)
    limb = Chain(robot, "l0", "tip")
    for values in ([0.1, 1.0, -0.3, 0.1], [0.4, 0.5, -0.7, 0.9]):
        limb.robot.parameters.update(zip(names, values, strict=True))
        limb.check(np.random.default_rng(7).uniform(-3, 3, (100, 3)), 1e-12)


OFF = "0.006 0 0"
REFUSED = {
    "number of joints is 2 (j1, j2): 3 or 6": [(ODD, NO, Z), (X, NO, Y)],
    "'j2' and 'j3' 0.006 rad, 1 m": [(NO, NO, X), (ODD, NO, Z), (X, OFF, Z)],
    "'j1' and 'j2' 0 rad, 1 m": [(NO, NO, Z), (X, NO, Z), (X, NO, Z)],
    "three at one end must meet": [(ODD, ODD, axis) for axis in (X, Y, Z, X, Y, Z)],
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_limb_without_a_form_is_refused(reason):
    robot = model_of(urdf(*REFUSED[reason]))
    assert reason in limb_form(robot, "l0", "tip")
    with pytest.raises(RobcogenError, match=r"^l0_inverse_kinematics_tip: "):
        Library(robot, ["l0_inverse_kinematics_tip"])


def test_a_branch_is_a_sign():
    limb = chain("solo_description/robots/solo12.urdf")
    with pytest.raises(ValueError, match=r"branch: expected 1 or -1, found \[1, 0\]"):
        limb.robot.inverse_kinematics(*limb.frames, [0, 0, -0.2], [1, 0])


if __name__ == "__main__":
    for name in LIMBS:
        limb = chain(name)
        limb.check(np.random.default_rng(8).uniform(-3, 3, (10_000, len(limb.own))))
        print(f"{name}: {limb.name} gives back 10000 places by all branches to 1e-13")
