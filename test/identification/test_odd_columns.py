"""Columns of other joints, of other signs, and efforts that are late: found with their numbers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.identification import contradictions
from robcogen_ros.identification.delay import delay
from robcogen_ros.identification.exchanged import better_columns, better_fit
from robcogen_ros.identification.physical import Physical
from robcogen_ros.identification.sample import Sample
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import write_npz
from test.support.robots import robot_path

UR5 = robot_path("ur_description/urdf/ur5_robot.urdf")
STATES, STEP = 1500, 0.02
SAME, PLUS = [0, 1, 2, 3, 4, 5], [1] * 6
TURNED = [1, -1, 1, 1, 1, 1]


@pytest.fixture(scope="module")
def robot():
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "inertial_parameters"]
    return robcogen_ros.build(UR5, backend="numpy", functions=names)


def motion(shift: float = 0.0):
    """Sums of sines with exact derivatives, a moment earlier than the others."""
    rate, phase, size = np.random.default_rng(0).uniform((1, 0, 0.2), (6, 6, 1), (4, 6, 3)).T
    angle = (STEP * np.arange(STATES) - shift)[:, None, None] * rate + phase
    return (
        (size * np.sin(angle)).sum(axis=-1),
        (size * rate * np.cos(angle)).sum(axis=-1),
        -(size * rate**2 * np.sin(angle)).sum(axis=-1),
    )


def efforts(robot, late: float = 0.0) -> np.ndarray:
    """Of a robot whose masses are 30 % off its file's, with friction and noise."""
    q, qd, qdd = motion(late)
    tau = robot.inverse_dynamics(q, qd, qdd) * np.linspace(0.7, 1.3, 6)
    tau += 0.5 * qd + 2 * np.tanh(50 * qd)
    return tau + 0.02 * tau.std(axis=0) * np.random.default_rng(1).normal(size=tau.shape)


def recorded(robot, order, motion_sign, effort_sign, late: float = 0.0) -> Motion:
    states = (each[:, order] * motion_sign for each in motion())
    return Motion(STEP * np.arange(STATES), *states, efforts(robot, late)[:, order] * effort_sign)


@pytest.mark.parametrize(
    ("order", "motion_sign", "effort_sign", "found"),
    [
        (SAME, PLUS, PLUS, None),
        ([1, 0, 2, 3, 4, 5], PLUS, PLUS, (1, 0, 2, 3, 4, 5)),
        ([0, 1, 2, 4, 3, 5], PLUS, PLUS, (0, 1, 2, 4, 3, 5)),
        ([2, 0, 1, 3, 4, 5], PLUS, PLUS, (1, 2, 0, 3, 4, 5)),
        (SAME, TURNED, TURNED, tuple(SAME)),
        (SAME, TURNED, PLUS, tuple(SAME)),
    ],
)
def test_columns_are_found(robot, order, motion_sign, effort_sign, found):
    sample = Sample()
    sample.add(recorded(robot, order, motion_sign, effort_sign))
    first, columns = better_columns(sample, robot.inverse_dynamics)
    if found is None:
        assert columns is first
        return
    assert columns.order == found
    assert columns.motion == tuple(motion_sign)
    assert columns.effort == tuple(effort_sign)
    assert max(columns.left) < 0.05
    assert max(first.left) > 0.2


@pytest.mark.parametrize(("order", "surely"), [(SAME, 0), ([0, 1, 2, 3, 5, 4], 1)])
def test_wrists_whose_friction_hides_their_weight_are_told_apart(robot, order, surely):
    states = recorded(robot, order, PLUS, PLUS)
    rubbing = np.array([0, 0, 0, 0, 3, 3]) * np.sign(states.qd)
    sample, taken = Sample(), robot.identification(terms=["damping", "friction"])
    sample.add(states := replace(states, tau=states.tau + rubbing))
    taken.add(states.q, states.qd, states.qdd, states.tau)
    found = taken.solve("residuals")
    pair, sure = better_fit(sample, found)
    assert (pair == (4, 5)) == bool(surely)
    assert (sure > 3) == bool(surely)
    told, perhaps = contradictions.exchanged("abcdef", sample, found)
    assert len(told) == surely
    assert not perhaps
    assert all("--rename e=f --rename f=e" in text for text in told)


def test_columns_may_be_where_loops_do_not_close(robot):
    """As those of rams that are exchanged, out of reach: no error, and no better ones."""
    states, taken, sample = recorded(robot, SAME, PLUS, PLUS), robot.identification(), Sample()
    low, high = states.q.min(axis=0), states.q.max(axis=0)
    sample.add(states)

    def open_(q):
        return ((q < low) | (q > high)).any(axis=-1)[..., None]

    def predict(q, qd, qdd):
        return np.where(open_(q), np.nan, robot.inverse_dynamics(q, qd, qdd))

    first, columns = better_columns(sample, predict)
    assert columns is first
    taken.add(states.q, states.qd, states.qdd, states.tau)
    found = taken.solve("residuals")

    def regressor(q, qd, qdd):
        return np.where(open_(q)[..., None], np.nan, found.regressor(q=q, qd=qd, qdd=qdd))

    assert better_fit(sample, replace(found, regressor=regressor))[0] == (0, 0)


@pytest.mark.parametrize("late", [-0.006, 0.0, 0.006])
def test_a_delay_is_found_within_its_error(robot, late):
    sample, states = Sample(), recorded(robot, SAME, PLUS, PLUS, late)
    sample.add(states)
    taken = robot.identification(terms=["damping", "friction"])
    taken.add(states.q, states.qd, states.qdd, states.tau)
    found, error = delay(sample, (identified := taken.solve("residuals")))
    told = contradictions.late(sample, identified)
    assert [note.endswith(f"--delay {found:.4f}") for note in told] == [True] * bool(late)
    assert found == pytest.approx(late, abs=max(4 * error, 0.15 * abs(late)))
    assert error < 0.001


def test_exchanged_columns_are_told_and_renamed(robot, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(identify, "build_compiled", NumpyEvaluator)
    names = list(robot.joint_names)
    write_npz(tmp_path / "a.npz", recorded(robot, SAME, PLUS, PLUS), [*names[1::-1], *names[2:]])
    words = ["identify", str(UR5), str(tmp_path / "a.npz"), "--with", "damping"]
    one, other = names[:2]
    renaming = ["--rename", f"{other}={one}", "--rename", f"{one}={other}"]
    assert main([*words, "-o", str(tmp_path / "new.urdf")]) == 1
    said = capsys.readouterr().err
    assert not (tmp_path / "new.urdf").exists()
    assert f"columns of {other} are those of {one}" in said
    assert " ".join(renaming) in said
    assert main([*words, *renaming]) == 0
    assert "are those of" not in capsys.readouterr().err


@pytest.mark.parametrize(("left", "errors", "told"), [(2.1, 6.0, 1), (1.9, 6.0, 0), (2.1, 4.0, 0)])
def test_bodies_that_say_nothing_of_the_efforts_are_told(left, errors, told):
    none = np.zeros(0)
    bodies = Physical(none, none, {}, none, np.array([1.0, -errors]), none, {})
    rows = np.array([[9.0, 1.0, 1.0], [9.0, 1.0, left]])
    notes = contradictions.useless(["one", "other"], rows, bodies)
    assert len(notes) == told
    assert all("efforts of other" in note for note in notes)


def test_joints_that_would_be_predicted_worse_are_told():
    left = np.array([[2.0, 1.0, 1.0], [0.5, 0.2, 0.6]])
    assert [note.split()[2] for note in contradictions.worse(["one", "other"], left)] == ["other"]


def test_efforts_that_are_surely_reactions_write_no_file():
    """As recorded, of another unit, surely and perhaps of another sign."""
    agreement = np.array([1.0, 0.1, -1.0, -0.6]), np.array([0.99, 0.95, -0.97, -0.7])
    recorded = SimpleNamespace(agreement=lambda described: agreement)
    sure, odd = contradictions.efforts("abcd", recorded, np.zeros(1))
    assert [text.split()[2] for text in sure] == ["c", "d"]
    assert [text.split()[2] for text in odd] == ["b"]
    assert sure[0].endswith("--torque-constant c=-1")
    agreement[1][2] = -0.8
    assert [len(told) for told in contradictions.efforts("abcd", recorded, np.zeros(1))] == [0, 3]
