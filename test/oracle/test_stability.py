"""How robots stand, against the forces of contacts, hulls, a minimiser, differences."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import robcogen_ros
from test.support.robots import robot_path, robots_directory

if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
TALOS = "talos_data/robots/talos_reduced.urdf"
FEET = ("lf_foot", "rf_foot", "lh_foot", "rh_foot")
SOLES = ("left_sole_link:pose", "right_sole_link:pose")
NAMES = ("zero_moment_point", "center_of_pressure", "capture_point", "support_margin")
NAMES = (*NAMES, "dynamic_support_margin", "friction_cone_margins", "contact_clearance")
LIMBS = {
    "capsules": (("lf_upperleg", "lf_foot"), ("rh_upperleg", "rh_foot")),
    "neighbours": (("trunk", "lf_hipassembly"), ("lf_lowerleg", "lf_foot")),
    "a sphere": ("lf_foot", ("rf_upperleg", "rf_foot")),
    "spheres": ("lf_foot", "rh_foot"),
}


@cache
def built(floating=True, file=HYQ, contacts=FEET, backend="numpy", more=()):
    names = [*NAMES, *more] if backend == "cpp" else ["default", *NAMES, *more]
    return robcogen_ros.build(
        robot_path(file),
        floating_base=floating,
        contacts=contacts,
        functions=names,
        backend=backend,
    )


def quadruped():
    sides = [
        ["_and_".join([s] if isinstance(s, str) else s) for s in pair] for pair in LIMBS.values()
    ]
    return built(more=tuple("_clearance_".join(pair) for pair in sides))


def state(robot, seed=0):
    random = np.random.default_rng(seed)
    n = robot.n
    return random.uniform(-0.5, 0.5, n), *random.normal(size=(2, n)), *random.normal(size=(2, 6))


def hull_of(points):
    """Corners of the convex hull, counterclockwise (Andrew's monotone chain)."""
    chains = []
    for ordered in (sorted(map(tuple, points)), sorted(map(tuple, points), reverse=True)):
        chain: list = []
        for point in map(np.array, ordered):
            while len(chain) > 1 and turns(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1] or chain)
    return [*chains[0], *chains[1]]


def turns(a, b, c):
    return (b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0]


def signed_distance(point, points):
    """To the convex hull of points of a plane, positive inside."""
    corners = hull_of(points)
    edges = [*zip(corners, [*corners[1:], corners[0]], strict=True)]
    near = []
    for a, b in edges:
        t = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-300), 0, 1)
        near.append(np.linalg.norm(a + t * (b - a) - point))
    inside = len(points) > 2 and all(turns(a, b, point) >= 0 for a, b in edges)
    return min(near) if inside else -min(near)


def least_distance(p, d, r, e):
    """Of the segments from p along d and from r along e: ever finer grids about the best point."""
    low, high = np.zeros(2), np.ones(2)
    for _ in range(40):
        s, t = np.linspace(low, high, 9).T
        apart = (p - r) + s[:, None, None] * d - t[None, :, None] * e
        found = (apart * apart).sum(axis=-1)
        i, j = np.unravel_index(found.argmin(), found.shape)
        size = (high - low) / 3
        low = np.clip(np.array([s[i], t[j]]) - size, 0, 1)
        high = np.clip(np.array([s[i], t[j]]) + size, 0, 1)
    return np.sqrt(found.min())


def feet_of(robot, q, names=FEET):
    return robot.frame_poses(q)[[robot.frame_names.index(name) for name in names], :3, 3]


@pytest.mark.parametrize("seed", range(4))
def test_the_zero_moment_point_is_the_center_of_pressure_of_coplanar_contacts(seed):
    """Three points are in a plane; what their forces do to the robot tells the same point."""
    robot = quadruped()
    q, qd, tau, v0, _ = state(robot, seed)
    gravity = np.array([0.3, 0.2, -90.0])
    qdd, a0, forces = robot.contact_forward_dynamics(
        q, qd, 9 * tau, v0, gravity, contact=[1, 1, 0, 1]
    )
    feet = feet_of(robot, q)
    u = np.cross(feet[1] - feet[0], feet[3] - feet[0])
    pressures = forces.reshape(4, 3) @ u
    u, pressures = u * np.sign(pressures.sum()), pressures * np.sign(pressures.sum())
    expected = pressures @ feet / pressures.sum()
    plane = {"plane_point": feet[0], "plane_normal": u}
    found = robot.zero_moment_point(q, qd, qdd, v0, a0, gravity, **plane)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(robot.center_of_pressure(q, forces, **plane), expected, atol=1e-12)
    plane["plane_normal"] = -u
    assert np.isnan(robot.zero_moment_point(q, qd, qdd, v0, a0, gravity, **plane)).all()
    assert np.isnan(robot.center_of_pressure(q, forces, **plane)).all()
    assert np.isnan(robot.center_of_pressure(q, 0 * forces, **plane)).all()


def test_flat_feet_and_tilted_ground_count_in_the_center_of_pressure():
    robot = built(file=TALOS, contacts=SOLES)
    q, *_ = state(robot)
    random = np.random.default_rng(2)
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    turn = turn * np.linalg.det(turn)
    forces = random.normal(size=(2, 6)) + np.array([0, 0, 0, 0, 0, 9])
    point = random.normal(size=3)
    found = robot.center_of_pressure(q, forces.ravel(), plane_point=point, contact_rotation=turn)
    feet = feet_of(robot, q, [name.partition(":")[0] for name in SOLES])
    moment = sum(
        turn @ six[:3] + np.cross(foot - found, turn @ six[3:])
        for foot, six in zip(feet, forces, strict=True)
    )
    np.testing.assert_allclose(np.cross(moment, turn[:, 2]), 0, atol=1e-12)
    assert abs((found - point) @ turn[:, 2]) < 1e-12


def test_a_robot_at_rest_has_its_points_below_the_center_of_mass():
    robot, fixed = quadruped(), built(floating=False)
    q, qd, qdd, _, still = (*state(robot)[:4], np.zeros(6))
    gravity, ground = np.array([1.0, -0.5, -9.0]), np.array([0.1, 0.2, -0.7])
    center = robot.center_of_mass(q)
    below = center + gravity * (gravity @ (ground - center)) / (gravity @ gravity)
    zero = np.zeros(robot.n)
    found = robot.zero_moment_point(q, zero, zero, still, still, gravity, plane_point=ground)
    np.testing.assert_allclose(found, below, atol=1e-12)
    found = robot.capture_point(q, zero, still, gravity, plane_point=ground)
    np.testing.assert_allclose(found, below, atol=1e-12)
    moving = robot.zero_moment_point(q, qd, qdd, still, still, gravity, plane_point=ground)
    found = fixed.zero_moment_point(q, qd, qdd, gravity=gravity, plane_point=ground)
    np.testing.assert_allclose(found, moving, atol=1e-12)
    # a pendulum that falls as gravity has it comes to rest above the capture point
    v0 = np.array([0.1, 0.2, 0.3, 1.0, 2.0, 3.0])
    speed = robot.center_of_mass_jacobian(q) @ np.concatenate([v0, qd])
    n = -gravity / np.linalg.norm(gravity)
    along = speed - n * (n @ speed)
    omega = np.sqrt(np.linalg.norm(gravity) / (n @ (center - ground)))
    found = robot.capture_point(q, qd, v0, gravity, plane_point=ground)
    np.testing.assert_allclose(found, below + along / omega, atol=1e-12)
    above = robot.capture_point(q, qd, v0, gravity, plane_point=center - gravity)
    assert np.isnan(above).all()


@pytest.mark.parametrize("feet", [[1, 1, 1, 1], [1, 1, 0, 1], [0, 1, 1, 0], [0, 0, 1, 0]])
def test_margins_are_distances_to_the_hull_of_the_closed_contacts(feet):
    robot = quadruped()
    for seed in range(8):
        q, qd, qdd, v0, a0 = state(robot, seed)
        gravity = np.array([0.5, 0.7, -9.0]) * (1 if seed % 2 else [1, 1, -1])
        n = -gravity / np.linalg.norm(gravity)
        across = np.linalg.svd(n[None])[2][1:]
        closed = feet_of(robot, q)[np.array(feet, dtype=bool)] @ across.T
        expected = signed_distance(across @ robot.center_of_mass(q), closed)
        found = robot.support_margin(q, gravity, contact=feet)
        np.testing.assert_allclose(found, expected, atol=1e-12)
        motion = (q, qd, 0.1 * qdd, v0, 0.1 * a0, gravity)
        zmp = robot.zero_moment_point(*motion, plane_point=[0, 0, -0.6])
        found = robot.dynamic_support_margin(*motion, plane_point=[0, 0, -0.6], contact=feet)
        if np.isfinite(zmp).all():
            np.testing.assert_allclose(found, signed_distance(across @ zmp, closed), rtol=1e-9)
        else:
            assert np.isnan(found)


def test_flat_feet_have_corners_and_masks_are_checked():
    robot = built(file=TALOS, contacts=SOLES)
    q, corners = (
        np.zeros(robot.n),
        np.array([[x, y, 0.0] for x in (-0.1, 0.1) for y in (-0.06, 0.06)]),
    )
    poses = [robot.frame_poses(q)[robot.frame_names.index(s.partition(":")[0])] for s in SOLES]
    ground = np.concatenate([corners @ X[:3, :3].T + X[:3, 3] for X in poses])
    gravity = [0, 0, -9.81]
    for closed in ([1, 1], [0, 1]):
        own = ground[np.repeat(closed, 4).astype(bool), :2]
        found = robot.support_margin(
            q, gravity, sole_corners=np.tile(corners, (2, 1)), contact=closed
        )
        np.testing.assert_allclose(
            found, signed_distance(robot.center_of_mass(q)[:2], own), atol=1e-12
        )
    bare = built()
    general = {"q": np.zeros(12), "gravity": gravity}
    for mask in (np.zeros(12), np.full(12, 0.5), np.r_[2.0, np.ones(11)]):
        assert np.isnan(bare.evaluate("support_margin", contact=mask, **general)["margin"])
    with pytest.raises(ValueError, match="contact: expected 0 and 1 only"):
        bare.support_margin(np.zeros(12), gravity, contact=[2, 1, 1, 1])


def test_cones_and_heights_of_contacts():
    robot = quadruped()
    q, *_ = state(robot)
    forces = np.random.default_rng(3).normal(size=(5, 12))
    mu = np.array([0.2, 0.4, 0.6, 0.8])
    x, y, z = np.moveaxis(forces.reshape(5, 4, 3), -1, 0)
    expected = mu * z - np.hypot(x, y)
    np.testing.assert_allclose(robot.friction_cone_margins(forces, mu), expected)
    gravity, point, u = [0, 0, -9.81], np.array([0.1, 0.2, -0.5]), np.array([0.3, 0.2, 2.0])
    height, gradient = robot.contact_clearance(q, gravity, plane_point=point, plane_normal=u)
    feet = feet_of(robot, q)
    np.testing.assert_allclose(height, (feet - point) @ u / np.linalg.norm(u))
    J = robot.contact_jacobian(q).reshape(4, 3, 18)
    np.testing.assert_allclose(gradient, u @ J / np.linalg.norm(u), atol=1e-14)
    height, _ = robot.contact_clearance(q, gravity, plane_point=point)
    np.testing.assert_allclose(height, feet[:, 2] - point[2])


def test_gradients_of_margins_come_from_casadi():
    pytest.importorskip("casadi")
    robot, (q, *_) = built(), state(built())
    given = {"q": q, "gravity": np.array([0.4, -0.3, -9.7])}
    by_q, _ = robot.casadi("support_margin").jacobian()(*given.values(), 0)
    h = 1e-6
    moved = [given | {"q": q + np.array([[-h], [h]]) * unit} for unit in np.eye(12)]
    pairs = [robot.support_margin(**each) for each in moved]
    differences = [(after - before) / (2 * h) for before, after in pairs]
    np.testing.assert_allclose(by_q.full().ravel(), differences, atol=1e-8)
    assert np.abs(differences).max() > 0.1


def ends(robot, q, side):
    at = feet_of(robot, q, [side] if isinstance(side, str) else side)
    return at[0], at[-1] - at[0]


@pytest.mark.parametrize("limbs", LIMBS)
def test_clearance_is_the_least_distance_of_the_segments(limbs):
    robot, (first, second) = quadruped(), LIMBS[limbs]
    for seed in range(10):
        q = 3 * state(robot, seed)[0]
        (p, d), (r, e) = ends(robot, q, first), ends(robot, q, second)
        least = least_distance(p, d, r, e)
        found, gradient = robot.clearance(first, second, q, [0.1, 0.05])
        np.testing.assert_allclose(found + 0.15, least, atol=1e-7)
        if least < 1e-4:
            continue
        errors = []
        for h in (2e-3, 1e-3):  # central differences are of second order
            steps = h * np.eye(robot.n)
            ahead, back = (
                robot.clearance(first, second, q + s, [0, 0])[0] for s in (steps, -steps)
            )
            errors.append(np.abs((ahead - back) / (2 * h) - gradient).max())
        assert errors[1] < 1e-5
        assert errors[0] < 1e-8 or 3 < errors[0] / errors[1] < 5 or errors[1] < 1e-8


def test_parallel_and_crossing_segments():
    from robcogen_ros.algorithms.mechanics.capsules import distance
    from robcogen_ros.model.spatial import Vector

    def between(*points):
        ends = [Vector(*map(float, point)) for point in points]
        return distance(ends[:2], ends[2:])[0]

    zero, one = (0, 0, 0), (1, 0, 0)
    assert between(zero, one, (0.2, 1, 0), (0.7, 1, 0)) == 1.0
    assert between(zero, one, (3, 1, 0), (2, 1, 0)) == np.sqrt(2)
    assert between(zero, one, (-2, 0, 0), (-1, 0, 0)) == 1.0
    assert between(zero, zero, (1, 1, 0), (-1, 1, 0)) == 1.0
    assert between(zero, zero, (1, 1, 0), (1, 1, 0)) == np.sqrt(2)
    with np.errstate(all="ignore"):
        assert between(zero, one, (0.5, -1, 0), (0.5, 1, 0)) == 0.0


def test_limbs_that_there_are_not_are_named():
    for name, message in (
        ("lf_foot_clearance_rf_fot", "no frame 'rf_fot'; did you mean 'rf_foot'"),
        ("trunk_and_lf_foot_clearance_lf_foot", "both limbs have 'lf_foot'"),
        ("lf_hfe_clearance_lf_kfe", "no frame 'lf_hfe'"),
        ("trunk_and_lf_foot_and_rf_foot_clearance_lh_foot", "there is no function"),
    ):
        with pytest.raises(robcogen_ros.RobcogenError, match=message):
            robcogen_ros.build(robot_path(HYQ), backend="numpy", functions=[name])
    with pytest.raises(robcogen_ros.RobcogenError, match="touch at every position"):
        built(more=("trunk_clearance_base_link",)).clearance(
            "trunk", "base_link", np.zeros(12), [0, 0]
        )


@pytest.mark.slow
def test_compiled_functions_are_those_of_numpy():
    limb = "lf_upperleg_and_lf_foot_clearance_rh_upperleg_and_rh_foot"
    ours, theirs = built(backend="cpp", more=(limb,)), quadruped()
    q, qd, qdd, v0, a0 = state(theirs)
    given = {
        "q": q, "qd": qd, "qdd": 0.1 * qdd, "base_velocity": v0, "base_acceleration": 0.1 * a0,
        "gravity": np.array([0.1, 0.2, -9.0]), "plane_point": np.array([0, 0, -0.6]),
        "contact_forces": np.arange(12.0), "friction_coefficients": np.full(4, 0.5),
        "radii": np.array([0.1, 0.2]), "contact": np.repeat([1.0, 0, 1, 1], 3),
        "plane_normal": np.array([0.1, 0.3, 2.0]),
    }  # fmt: skip
    for name in (*NAMES, limb):
        taken = ours.required_inputs[name]
        taken += tuple(
            {"support_margin": ["contact"], "zero_moment_point": ["plane_normal"]}.get(name, ())
        )
        inputs = {k: v for k, v in given.items() if k in taken}
        for key, value in theirs.evaluate(name, **inputs).items():
            np.testing.assert_allclose(
                ours.evaluate(name, **inputs)[key], value, rtol=1e-10, atol=1e-12
            )
