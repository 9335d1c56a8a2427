"""What the plugins compute, without ROS: chains of real arms against Pinocchio."""

from __future__ import annotations

import re

import numpy as np
import pytest

from robcogen_ros.formats.read import read
from test.plugins.chains import Array, Chains, Refused
from test.support.robots import robot_path, robots_directory

pinocchio = pytest.importorskip("pinocchio")
if robots_directory() is None:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)

from test.support.pinocchio_oracle import PinocchioOracle  # noqa: E402  (after the skips)

PANDA = robot_path("panda_description/urdf/panda.urdf")
RANDOM = np.random.default_rng(6)
LINEAR_FIRST = [3, 4, 5, 0, 1, 2]
FIELD = np.array([3.0, -1.0, -8.0])


@pytest.fixture(scope="module")
def panda(tmp_path_factory: pytest.TempPathFactory) -> Chains:
    """A Panda whose joints rub, so that all terms are there."""
    folder = tmp_path_factory.mktemp("panda")
    text, count = re.subn(
        "<dynamics .*/>", '<dynamics damping="0.4" friction="1.5"/>', PANDA.read_text()
    )
    assert count == 9
    (folder / "panda.urdf").write_text(text)
    return Chains(read(folder / "panda.urdf", terms=("damping", "friction")).robot, folder)


def test_a_chain_lists_its_joints_outwards(panda: Chains) -> None:
    arm = [f"panda_joint{i}" for i in range(1, 8)]
    assert panda.joints("", "panda_hand") == arm
    assert panda.joints("panda_link2", "panda_link5") == arm[2:5]
    assert panda.joints("", "panda_leftfinger") == [*arm, "panda_finger_joint1"]
    assert panda.joints("", "")[:7] == arm


def test_chains_that_are_none_are_refused(panda: Chains) -> None:
    with pytest.raises(
        Refused, match="no joints lead outwards from 'panda_link5' to 'panda_link2'"
    ):
        panda.joints("panda_link5", "panda_link2")
    with pytest.raises(Refused, match="no joints lead outwards"):
        panda.joints("panda_link7", "panda_hand")
    with pytest.raises(Refused, match="no link 'hand'; it has panda_link0 panda_link1 "):
        panda.joints("", "hand")


def test_a_chain_places_what_its_joints_move_and_nothing_else(panda: Chains) -> None:
    chain = "panda_link1", "panda_link5"
    placed = [
        name for name in ("panda_link1", "panda_link3", "panda_link5") if panda.places(*chain, name)
    ]
    assert placed == ["panda_link1", "panda_link3", "panda_link5"]
    assert not panda.places(*chain, "panda_link0")
    assert not panda.places(*chain, "panda_link6")


@pytest.mark.parametrize(
    ("root", "tip", "frame"),
    [
        ("", "panda_hand", "panda_hand"),
        ("", "panda_hand", "panda_link4"),
        ("panda_link1", "panda_hand", "panda_link8"),
        ("panda_link2", "panda_link5", "panda_link5"),
        ("panda_link2", "panda_link5", "panda_link2"),
    ],
)
def test_poses_and_jacobians_are_pinocchios(panda: Chains, root: str, tip: str, frame: str) -> None:
    oracle = PinocchioOracle(PANDA)
    joints = [oracle.joint_names.index(name) for name in panda.joints(root, tip)]
    base = root or "panda_link0"
    for _ in range(5):
        q = RANDOM.uniform(-2, 2, len(joints))
        everywhere = RANDOM.uniform(-0.1, 0.1, oracle.n)  # other joints do not matter
        everywhere[joints] = q
        pose, jacobian, _ = panda.kinematics(root, tip, frame, q)
        of_base, of_frame = (oracle.frame_pose(name, everywhere) for name in (base, frame))
        np.testing.assert_allclose(pose, np.linalg.inv(of_base) @ of_frame, atol=1e-14)
        expected = oracle.jacobian(base, frame, everywhere)[LINEAR_FIRST][:, joints]
        np.testing.assert_allclose(jacobian, expected, atol=1e-14)


@pytest.mark.parametrize(
    ("root", "tip"), [("", "panda_hand"), ("panda_link2", "panda_link5"), ("", "panda_link6")]
)
@pytest.mark.parametrize("damping", [5e-6, 0.1])
def test_inverses_are_damped_least_squares(
    panda: Chains, root: str, tip: str, damping: float
) -> None:
    n = len(panda.joints(root, tip))
    for _ in range(5):
        _, jacobian, inverse = panda.kinematics(root, tip, tip, RANDOM.uniform(-2, 2, n), damping)
        augmented = np.vstack([jacobian, np.sqrt(damping) * np.eye(n)])
        expected = np.linalg.pinv(augmented)[:, :6]
        np.testing.assert_allclose(inverse, expected, atol=1e-9 * np.abs(expected).max())


def test_terms_of_the_dynamics_are_pinocchios(panda: Chains) -> None:
    oracle, zero = PinocchioOracle(PANDA), np.zeros(panda.n)
    for field in (None, FIELD):
        gravity = np.array([0, 0, -9.81]) if field is None else field
        q, qd, qdd = RANDOM.uniform(-3, 3, (3, panda.n))
        terms = panda.dynamics("panda_link0", "", q, qd, qdd, field)
        np.testing.assert_allclose(terms.inertia, oracle.inertia_matrix(q), atol=1e-12)
        at_rest = oracle.inverse_dynamics(q, zero, zero, gravity)
        np.testing.assert_allclose(terms.gravity, at_rest, atol=1e-11)
        no_weight = oracle.inverse_dynamics(q, qd, zero, np.zeros(3))
        np.testing.assert_allclose(terms.coriolis, no_weight, atol=1e-11)
        whole = oracle.inverse_dynamics(q, qd, qdd, gravity)
        np.testing.assert_allclose(terms.torques, whole, atol=1e-11)


def test_friction_is_a_term_of_its_own(panda: Chains) -> None:
    qd, zero = RANDOM.uniform(0.1, 2, panda.n) * [-1, *[1] * (panda.n - 1)], np.zeros(panda.n)
    terms = panda.dynamics("", "", zero, qd, zero)
    np.testing.assert_allclose(terms.friction[:7], (0.4 * qd + 1.5 * np.sign(qd))[:7], rtol=1e-4)


def test_a_solver_needs_all_joints_of_its_robot(panda: Chains) -> None:
    zero = np.zeros(panda.n)
    with pytest.raises(Refused, match=r"joints are panda_joint1 .* ROOT <link> TIPS <link>"):
        panda.dynamics("", "panda_hand", zero, zero, zero)
    with pytest.raises(Refused, match="the root 'panda_link1' is not the base"):
        panda.dynamics("panda_link1", "", zero, zero, zero)


def test_the_difference_of_poses_is_the_twist_between_them(panda: Chains) -> None:
    start = _pose([0.1, 0.2, 0.3], [0.4, -0.2, 0.9])
    turn = np.array([0.3, -1.9, 0.7])
    rotation = pinocchio.exp3(turn) @ pinocchio.Quaternion(start[3:]).toRotationMatrix()
    end = np.concatenate([start[:3] + np.array([1, 2, 3]), pinocchio.Quaternion(rotation).coeffs()])
    for sign in (1, -1):
        end[3:] *= sign
        np.testing.assert_allclose(panda.difference(start, end, 0.5), 2 * np.r_[1, 2, 3, turn])
    np.testing.assert_array_equal(panda.difference(start, start, 1.0), np.zeros(6))


def _pose(position: list[float], turn: list[float]) -> Array:
    rotation = pinocchio.exp3(np.array(turn))
    return np.concatenate([position, pinocchio.Quaternion(rotation).coeffs()])
