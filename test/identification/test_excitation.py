"""Motions that tell parameters: what they keep, and what they are worth."""

from __future__ import annotations

import coal
import numpy as np
import pytest
import yaml

import robcogen_ros
from robcogen_ros.cli import excite, identify
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.identification.capsules import Clearance, between, capsules
from robcogen_ros.identification.excitation import Bounds, Search
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator

LINK = """<link name="{name}"><inertial><origin xyz="0.01 0.02 0.15"/><mass value="{mass}"/>
  <inertia ixx="0.02" iyy="0.02" izz="0.004" ixy="0.001" ixz="0" iyz="0"/></inertial>
  <collision><origin xyz="0 0 {middle}"/><geometry>{shape}</geometry></collision></link>"""
JOINT = """<joint name="j{k}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
  <origin xyz="0 0 {z}"/><axis xyz="{axis}"/>
  <limit lower="-2.8" upper="2.8" effort="{effort}" velocity="3"/></joint>"""


def arm(effort: float = 60.0) -> str:
    """An arm of three joints whose last link may hit the first."""
    parts = [
        LINK.format(name="base", mass=1, middle=0.05, shape='<box size="0.16 0.16 0.1"/>'),
        JOINT.format(k=1, parent="base", child="l1", z=0.1, axis="0 0 1", effort=effort),
        LINK.format(name="l1", mass=3, middle=0.1, shape='<cylinder radius="0.06" length="0.2"/>'),
        JOINT.format(k=2, parent="l1", child="l2", z=0.2, axis="0 1 0", effort=effort),
        LINK.format(name="l2", mass=2, middle=0.15, shape='<box size="0.08 0.08 0.3"/>'),
        JOINT.format(k=3, parent="l2", child="l3", z=0.3, axis="0 1 0", effort=effort),
        LINK.format(name="l3", mass=1, middle=0.2, shape='<capsule radius="0.04" length="0.3"/>'),
    ]
    return f'<robot name="arm">{"".join(parts)}</robot>'


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("arm") / "arm.urdf"
    path.write_text(arm())
    return path


@pytest.fixture(scope="module")
def robot(file):
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "kinematics"]
    return robcogen_ros.build(file, backend="numpy", functions=names)


def clearance_of(file, robot, least=0.02) -> Clearance:
    reading = read(file)
    found, others = capsules(reading.description.shapes)
    assert not others
    return Clearance(reading.robot, robot, found, least)


@pytest.fixture(scope="module")
def search(file, robot) -> Search:
    bounds = Bounds.of(robot, 0.7)
    return Search(
        robot, robot.base_parameters(), bounds, harmonics=3, clearance=clearance_of(file, robot)
    )


@pytest.fixture(scope="module")
def motion(search):
    return search.solve(0, iterations=15)


def test_it_rests_at_both_ends_and_keeps_a_share_of_all_limits(robot, motion) -> None:
    time, q, qd, qdd = motion.sampled(1000)
    np.testing.assert_allclose(np.gradient(q, time, axis=0)[1:-1], qd[1:-1], atol=1e-4)
    np.testing.assert_allclose(np.gradient(qd, time, axis=0)[1:-1], qdd[1:-1], atol=1e-4)
    for end in (0, -1):
        np.testing.assert_allclose(qd[end], 0, atol=1e-9)
        np.testing.assert_allclose(qdd[end], 0, atol=1e-9)
    assert np.abs(q).max() < 0.7 * 2.8 + 1e-4
    assert np.abs(qd).max() < 0.7 * 3 + 1e-4
    assert np.abs(robot.inverse_dynamics(q, qd, qdd)).max() < 0.7 * 60


def test_it_tells_more_than_random_motions(search, motion) -> None:
    assert np.median([search.errors(search.random(k), motion) for k in range(3)]) > 1.5


def test_distances_are_those_of_another_library() -> None:
    random = np.random.default_rng(0)
    lines = random.normal(size=(200, 4, 3))
    lines[:20, 1] = lines[:20, 0]
    lines[10:30, 3] = lines[10:30, 2]
    lines[30:40, 3] = lines[30:40, 2] + lines[30:40, 1] - lines[30:40, 0]
    found = between(*lines.swapaxes(0, 1))
    for row, distance in zip(lines, found, strict=True):
        shapes = []
        for one, other in (row[:2], row[2:]):
            along = other - one
            place = coal.Transform3s.Identity()
            if np.linalg.norm(along) > 0:
                place.setRotation(_onto(along / np.linalg.norm(along)))
            place.setTranslation((one + other) / 2)
            shapes.append((coal.Capsule(1e-6, float(np.linalg.norm(along))), place))
        result = coal.DistanceResult()
        (a, at), (b, bt) = shapes
        coal.distance(a, at, b, bt, coal.DistanceRequest(), result)
        assert distance == pytest.approx(result.min_distance, abs=1e-4)


def _onto(z: np.ndarray) -> np.ndarray:
    """A rotation that turns the z axis onto a direction."""
    other = np.array([1.0, 0, 0]) if abs(z[0]) < 0.5 else np.array([0, 1.0, 0])
    y = np.cross(z, other)
    y /= np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1)


def test_links_stay_apart(file, robot, search, motion) -> None:
    clearance = clearance_of(file, robot)
    assert clearance(motion.sampled(100)[1]).min() >= 1
    folded = np.array([[0.0, 0.3, 2.8]])  # the last link lies along the first
    assert clearance(folded)[0] < 1
    # Upright, the capsule around the base's box is nearest to the one around the box of l2.
    apart = 0.25 - np.hypot(0.08, 0.05) - np.hypot(0.04, 0.04)
    assert clearance(np.zeros((1, 3)))[0] * 0.02 == pytest.approx(apart, abs=1e-9)


def test_efforts_that_gravity_exceeds_are_told(tmp_path) -> None:
    path = tmp_path / "weak.urdf"
    path.write_text(arm(effort=0.5))
    names = ["inverse_dynamics", "inverse_dynamics_regressor"]
    weak = robcogen_ros.build(path, backend="numpy", functions=names)
    search = Search(weak, weak.base_parameters(), Bounds.of(weak, 0.7), harmonics=2)
    with pytest.raises(RobcogenError, match=r"no motion is found: j2 needs .* of the 0.35 allowed"):
        search.random(0)


def test_the_command_writes_a_trajectory_and_a_recording(
    file, tmp_path, monkeypatch, capsys
) -> None:
    for module in (excite, identify):
        monkeypatch.setattr(module, "build_compiled", NumpyEvaluator)
    out = [tmp_path / name for name in ("motion.yaml", "motion.npz", "motion", "motion.html")]
    words = ["--harmonics", "2", "--duration", "6", "--rate", "50"]
    words += [word for path in out for word in ("-o", str(path))]
    assert main(["excite", str(file), *words]) == 0
    said = capsys.readouterr()
    assert "from rest to rest, condition number" in said.out
    assert "surroundings is not checked" in said.err
    message = yaml.safe_load(out[0].read_text())
    assert message["joint_names"] == ["j1", "j2", "j3"]
    last = message["points"][-1]
    assert len(message["points"]) == 301
    assert last["time_from_start"] == {"sec": 6, "nanosec": 0}
    np.testing.assert_allclose(last["velocities"], 0, atol=1e-6)
    np.testing.assert_allclose(last["positions"], message["points"][0]["positions"], atol=1e-6)
    assert "<html" in out[3].read_text()
    for recording in out[1:3]:
        assert main(["identify", str(file), str(recording), "--all"]) == 0
        assert "l3.ixx - l3.izz" in capsys.readouterr().out
    assert main(["excite", str(file), *words]) == 1
    assert f"cannot write {out[2]}: Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "motion.bag"], "ends in .yaml, .npz or .html"),
        (["--share", "2"], "expected a part up to 1"),
        (["--harmonics", "1"], "expected 2 to 20"),
        (["--floating-base"], "floating base"),
    ],
)
def test_wrong_words_are_told(file, words, said, monkeypatch, capsys) -> None:
    monkeypatch.setattr(excite, "build_compiled", NumpyEvaluator)
    try:
        code = main(["excite", str(file), *words])
    except SystemExit as stop:
        code = stop.code
    assert code in (1, 2)
    assert said in capsys.readouterr().err
