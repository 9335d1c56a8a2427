"""Robots with loops beside their trees with multipliers, which know nothing of closures."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.formats.read import read
from robcogen_ros.model.scalars import number
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.linkage_oracle import Linkage, close
from test.support.linkages import (
    ANKLE,
    ANKLE_LOOPS,
    BOOM,
    BOOM_LOOPS,
    CURVED,
    CURVED_LOOPS,
    FIVE_BAR,
    FIVE_BAR_LOOPS,
    FOUR_BAR,
    FOUR_BAR_LOOPS,
    GEARED,
    GEARED_LOOPS,
    PARALLELOGRAM,
    PARALLELOGRAM_LOOPS,
    RSSP,
    RSSP_LOOPS,
    SLIDER,
    SLIDER_LOOPS,
    STACK,
    STACK_LOOPS,
    joint,
    links,
    mimicking,
)

Array = NDArray[np.float64]

_SWAPPED = FOUR_BAR_LOOPS.replace(
    "{link: coupler, xyz: [0.8, 0, 0]}, {link: rocker, xyz: [0.6, 0, 0]}",
    "{link: rocker, xyz: [0.6, 0, 0]}, {link: coupler, xyz: [0.8, 0, 0]}",
)
_PINNED = FOUR_BAR.replace("</robot>", links("pin_end") + "</robot>").replace(
    "</robot>", joint("last", "coupler", "pin_end", 'xyz="0.8 0 0"') + "</robot>"
)
_WELDED = """\
loops:
  rod: {frames: [pin_end, {link: rocker, xyz: [0.6, 0, 0], rpy: [0, 0.4, 0]}], fixed: all}
position: {drive: -1.0, pin: 0.9, swing: 1.2}
"""
_DOUBLED = FOUR_BAR.replace(
    "</robot>",
    links("near", "far")
    + joint("near_pin", "crank", "near", 'xyz="0.3 0.05 0.02"')
    + joint("far_pin", "rocker", "far", 'xyz="0.6 0 0"', "0 -1 0")
    + "</robot>",
)
_SAME_ROD = """
  second: {frames: [{link: near, xyz: [0.8, 0, 0]}, far], fixed: all}
position: {near_pin: 0.9, far_pin: -0.9, """
_HEAD = "{link: piston, xyz: [0.02, 0, 0.1]}", "{link: rocker, xyz: [0.5, 0.12, -0.1]}"
_EXCHANGED = BOOM_LOOPS.replace(", ".join(_HEAD), ", ".join(_HEAD[::-1]))
_BY_FOOT = ANKLE_LOOPS.replace("[left_motor, right_motor]", "[pitch, roll]")
_BY_ROCKER = FOUR_BAR_LOOPS + "independent: [swing]\n"
_BY_CRANK = FOUR_BAR_LOOPS + "independent: [drive]\n"
_FORMS = {
    "axis": (FOUR_BAR, FOUR_BAR_LOOPS),
    "point": (FOUR_BAR, FOUR_BAR_LOOPS.replace("axis_y", "point")),
    "ends exchanged": (FOUR_BAR, _SWAPPED),
    "all": (_PINNED, _WELDED),
    "second rod beside it": (_DOUBLED, FOUR_BAR_LOOPS.replace("\nposition: {", _SAME_ROD)),
    "driven by the rocker": (FOUR_BAR, _BY_ROCKER),
    "two drivers": (FIVE_BAR, FIVE_BAR_LOOPS),
    "slider": (SLIDER, SLIDER_LOOPS),
    "cylinder": (BOOM, BOOM_LOOPS),
    "ends of the cylinder exchanged": (BOOM, _EXCHANGED),
    "slider in space": (RSSP, RSSP_LOOPS),
    "ankle": (ANKLE, ANKLE_LOOPS),
    "ankle from the foot": (ANKLE, _BY_FOOT),
    "tool geared with the rocker": (mimicking(FOUR_BAR, "wrist", "swing"), _BY_CRANK),
    "knee geared with the rocker": (GEARED, GEARED_LOOPS),
    "polynomials of the rocker": (CURVED, CURVED_LOOPS),
}


@pytest.fixture(scope="module", params=_FORMS, ids=lambda name: name.replace(" ", "_"))
def linkage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Linkage:
    return Linkage.of(tmp_path_factory.mktemp("linkage"), *_FORMS[request.param])


def test_dynamics_are_those_of_the_tree_with_multipliers(linkage: Linkage) -> None:
    random = np.random.default_rng(1)
    for t in linkage.positions(8):
        y, n = t[linkage.free], len(linkage.free)
        yd, ydd, tau = random.uniform(-2, 2, (3, n))
        G, td, tdd = linkage.motion(t, yd, ydd)
        H = linkage.of_tree("inertia_matrix", q=t)
        of_tree = linkage.of_tree("inverse_dynamics", q=t, qd=td, qdd=tdd)
        close(linkage.of_robot("inverse_dynamics", q=y, qd=yd, qdd=ydd), G.T @ of_tree)
        close(linkage.of_robot("inertia_matrix", q=y), G.T @ H @ G)
        weight = linkage.of_tree("gravity_torques", q=t)
        close(linkage.of_robot("gravity_torques", q=y), G.T @ weight)
        still = linkage.motion(t, yd, 0 * ydd)[2]
        turning = linkage.of_tree("inverse_dynamics", q=t, qd=td, qdd=still) - weight
        close(linkage.of_robot("coriolis_torques", q=y, qd=yd), G.T @ turning)
        # [H K'; K 0] [qdd; f] = [tau - h; -k], its redundant rows left out
        left, values, _ = np.linalg.svd(linkage.rates(t))
        count = int((values > 1e-9 * values[0]).sum())
        K = left[:, :count].T @ linkage.rates(t)
        k = left[:, :count].T @ linkage.bias(t, td)
        forces = np.zeros(len(t))
        forces[linkage.free] = tau
        h = linkage.of_tree("inverse_dynamics", q=t, qd=td, qdd=0 * t)
        whole = np.block([[H, K.T], [K, np.zeros((len(K), len(K)))]])
        expected = np.linalg.solve(whole, np.concatenate([forces - h, -k]))[linkage.free]
        found = linkage.of_robot("forward_dynamics", q=y, qd=yd, tau=tau)
        close(found, expected, 1e-11)


def test_motion_of_links_and_frames_is_that_of_the_tree(linkage: Linkage) -> None:
    random = np.random.default_rng(2)
    for t in linkage.positions(4):
        y, n = t[linkage.free], len(linkage.free)
        yd, ydd = random.uniform(-2, 2, (2, n))
        G, td, tdd = linkage.motion(t, yd, ydd)
        still = linkage.motion(t, yd, 0 * ydd)[2]
        at, of, moving = {"q": y}, {"q": t}, {"q": t, "qd": td}
        for name in ("potential_energy", "center_of_mass", "world_X_tool", "world_X_rocker"):
            close(linkage.of_robot(name, **at), linkage.of_tree(name, **of))
        for name in ("center_of_mass_jacobian", "centroidal_momentum_matrix", "world_J_tool"):
            close(linkage.of_robot(name, **at), linkage.of_tree(name, **of) @ G)
        for name in ("kinetic_energy", "center_of_mass_velocity", "world_velocity_tool"):
            close(linkage.of_robot(name, **at, qd=yd), linkage.of_tree(name, **moving))
        for name in ("link_accelerations", "world_acceleration_tool", "rocker_acceleration_tool"):
            found = linkage.of_robot(name, **at, qd=yd, qdd=ydd)
            expected = linkage.of_tree(name, **moving, qdd=tdd)
            close(found[..., : expected.shape[-1]], expected)
        for name, matrix in (
            ("world_JdQd_tool", "world_J_tool"),
            ("centroidal_momentum_bias", "centroidal_momentum_matrix"),
        ):
            bias = linkage.of_tree(name, **moving) + linkage.of_tree(matrix, **of) @ still
            close(linkage.of_robot(name, **at, qd=yd), bias)


def test_motion_of_all_joints_is_that_of_the_tree(linkage: Linkage) -> None:
    random = np.random.default_rng(4)
    order = [linkage.tree.joint_names.index(joint.name) for joint in linkage.robot.joints]
    for t in linkage.positions(2):
        y, n = t[linkage.free], len(linkage.free)
        yd, ydd = random.uniform(-2, 2, (2, n))
        G, td, tdd = linkage.motion(t, yd, ydd)
        apart = (linkage.of_robot("joint_positions", q=y) - t[order]) / (2 * np.pi)
        close(apart, np.round(apart))  # the tree's joints may be turned several times
        close(linkage.of_robot("joint_velocities", q=y, qd=yd), td[order])
        close(linkage.of_robot("joint_accelerations", q=y, qd=yd, qdd=ydd), tdd[order])
        close(linkage.of_robot("coordinate_jacobian", q=y), G[order])
        assert np.abs(linkage.of_robot("closure_residual", q=y)).max() < 1e-14
        margins = linkage.of_robot("closure_margin", q=y)
        assert (margins > 0).all()
        assert (margins <= 1).all()
        wrenches = linkage.of_robot("loop_forces", q=y, qd=yd, qdd=ydd)
        assert np.isfinite(wrenches).all()
        held = np.concatenate([wrenches[rows, k] for k, (*_, rows) in enumerate(linkage.loops)])
        needed = linkage.of_tree("inverse_dynamics", q=t, qd=td, qdd=tdd)
        tau = np.zeros(len(t))
        tau[linkage.free] = linkage.of_robot("inverse_dynamics", q=y, qd=yd, qdd=ydd)
        rows = linkage.rates(t)[: len(held)]
        left = rows.T @ held + tau - needed
        for k, leader, p in linkage.followers:  # what gears and cams carry
            left[leader], left[k] = left[leader] + p.deriv()(t[leader]) * left[k], 0
        close(left, 0 * left)


def test_loop_is_closed_to_all_digits_over_a_turn_of_the_crank(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS)
    first, second, _ = linkage.loops[0]
    name = f"{first}_X_{second}"
    program = Library(linkage.robot, [name]).entry(name).general
    for k in range(12):
        q = [number.number(str(k * 0.5)), number.ZERO]
        X = interpret_exactly(program, {"q": q})["X"]
        assert max(abs(X[place]) for place in (12, 13, 14, 4, 6)) < 1e-40
        assert abs(X[5] - 1) < 1e-40


def test_robot_conserves_its_energy(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS)

    def energy(x: Array) -> float:
        q, qd = x[:2], x[2:]
        of = linkage.of_robot
        return float(of("kinetic_energy", q=q, qd=qd)[0] + of("potential_energy", q=q)[0])

    def rate(x: Array) -> Array:
        qdd = linkage.of_robot("forward_dynamics", q=x[:2], qd=x[2:], tau=np.zeros(2))
        return np.concatenate([x[2:], qdd])

    drift = []
    for step in (0.02, 0.01):
        x = np.array([-1.0, 0.2, 3.0, -1.0])
        start = energy(x)
        for _ in range(round(0.4 / step)):
            a = rate(x)
            b = rate(x + step / 2 * a)
            c = rate(x + step / 2 * b)
            d = rate(x + step * c)
            x = x + step / 6 * (a + 2 * b + 2 * c + d)
        drift.append(abs(energy(x) - start))
    assert drift[1] < 1e-4
    assert drift[1] < drift[0] / 12  # the method is of fourth order


def test_parallelogram_is_the_robot_whose_joints_mimic(tmp_path: Path) -> None:
    urdf, loops = tmp_path / "robot.urdf", tmp_path / "loops.yaml"
    urdf.write_text(PARALLELOGRAM.format(elbow="", second=""))
    loops.write_text(PARALLELOGRAM_LOOPS)
    found = read(urdf, loops=loops).robot
    mimics = {"elbow": -1, "second": 1}
    mimic = '<mimic joint="shoulder" multiplier="{}"/>'
    urdf.write_text(PARALLELOGRAM.format(**{k: mimic.format(m) for k, m in mimics.items()}))
    expected = read(urdf).robot
    assert found.joints == expected.joints
    assert found.coordinates == expected.coordinates
    assert found.links == expected.links


def test_margin_is_1_where_the_triangle_is_equilateral(tmp_path: Path) -> None:
    loops = FOUR_BAR_LOOPS.replace("[0.8, 0, 0]", "[0.6, 0, 0]")
    linkage = Linkage.of(tmp_path, FOUR_BAR, loops)
    wanted = 0.6  # from the crank's end to the rocker's axis, the way that closes the triangle

    def apart(q: float) -> float:
        X = linkage.of_tree("crank_X_rocker", q=np.array([q, 0.0, 0.0, 0.0]))
        return float(np.hypot(X[0, 3] - 0.3, X[2, 3] - 0.02)) - wanted

    low, high = -1.0, 0.5
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(low) * apart(middle) > 0 else (low, middle)
    (margin,) = linkage.of_robot("closure_margin", q=np.array([low, 0.0]))
    assert abs(margin - 1) < 1e-12


def test_floating_base_moves_with_its_linkage(tmp_path: Path) -> None:
    linkage = Linkage.of(tmp_path, FOUR_BAR, FOUR_BAR_LOOPS, floating_base=True)
    random = np.random.default_rng(3)
    for t in linkage.positions(3):
        y = t[linkage.free]
        yd, ydd = random.uniform(-2, 2, (2, 2))
        G, td, tdd = linkage.motion(t, yd, ydd)
        whole = np.block([[np.eye(6), np.zeros((6, 2))], [np.zeros((len(t), 6)), G]])
        H = linkage.of_tree("inertia_matrix", q=t)
        close(linkage.of_robot("inertia_matrix", q=y), whole.T @ H @ whole)
        base = {
            name: random.uniform(-1, 1, size)
            for name, size in (("base_velocity", 6), ("base_acceleration", 6), ("gravity", 3))
        }
        name = "inverse_dynamics_fully_actuated"
        found = linkage.of_robot(name, q=y, qd=yd, qdd=ydd, **base)
        close(found, G.T @ linkage.of_tree(name, q=t, qd=td, qdd=tdd, **base))
        del base["base_acceleration"]
        tau = linkage.of_robot("inverse_dynamics", q=y, qd=yd, qdd=ydd, **base)
        close(linkage.of_robot("forward_dynamics", q=y, qd=yd, tau=tau, **base), ydd, 1e-11)


def test_loops_that_move_joints_of_others_move_them_where_steps_are_tried(tmp_path: Path) -> None:
    """Else one step seems to do where the next loop is written, and nowhere else."""
    linkage = Linkage.of(tmp_path, STACK, STACK_LOOPS)
    assert linkage.robot.closures[1].steps > 2
    (drive,) = (c.limits for c in linkage.robot.coordinates if c.name == "drive")
    assert drive.lower is not None
    assert drive.upper is not None
    assert drive.upper - drive.lower > 1.5
    for t in linkage.positions(4):
        y = t[linkage.free]
        G, _, _ = linkage.motion(t, 0 * y, 0 * y)
        H = linkage.of_tree("inertia_matrix", q=t)
        close(linkage.of_robot("inertia_matrix", q=y), G.T @ H @ G)


def test_kinematics_are_those_of_the_tree(linkage: Linkage) -> None:
    robot = robot_of(evaluator_of(linkage.robot, ["kinematics"], backend="numpy"))
    for t in linkage.positions(4):
        y, G = t[linkage.free], linkage.motion(t, 0 * t[linkage.free], 0 * t[linkage.free])[0]
        for base, target in permutations(("world", "tool", "rocker"), 2):
            of_tree = {x: linkage.of_tree(f"{base}_{x}_{target}", q=t) for x in "XJ"}
            close(robot.transform(base, target, y), of_tree["X"])
            close(robot.jacobian(base, target, y), of_tree["J"] @ G)
