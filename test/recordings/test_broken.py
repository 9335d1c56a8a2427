"""Recordings that are written otherwise are read as what they hold, or refused with the place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings import Conventions, Motion, Recording
from robcogen_ros.recordings.delayed import in_time
from test.support.broken_recordings import FILES, JOINTS, motion, table
from test.support.recordings import Bag, write_npz

ENDLESS = Conventions(endless=frozenset(["j1"]))


def whole(recording: Recording) -> dict[str, np.ndarray]:
    blocks = list(recording)
    return {
        name: np.concatenate([getattr(block, name) for block in blocks])
        for name in ("q", "qd", "qdd", "tau")
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "a.npz"
    write_npz(path, motion(), JOINTS)
    return whole(Recording(path, JOINTS, window=0.1))


@pytest.mark.parametrize("kind", [*FILES])
def test_a_file_is_read_or_told(tmp_path, expected, kind):
    made, error, note = FILES[kind]
    text = made()
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    recording = Recording(path, JOINTS, conventions=ENDLESS)
    if error:
        with pytest.raises(RobcogenError) as raised:
            list(recording)
        assert error in str(raised.value)
        return
    found = whole(recording)
    for name, array in expected.items():
        tolerance = 0.06 if name in ("qdd", "tau") else 4e-3
        np.testing.assert_allclose(found[name], array, atol=tolerance)
    told = "\n".join(recording.notes)
    assert note in told if note else not told


def test_the_page_tells_what_is_said_of_each():
    page = (Path(__file__).parents[2] / "docs" / "identification.md").read_text(encoding="utf-8")
    assert "\n".join(table()) in page


def test_what_is_not_told_is_converted(tmp_path):
    """Degrees, milliseconds, currents, signs and names of a recorder; a joint that slides."""
    m, path = motion(), tmp_path / "a.npz"
    scale = np.array([180 / np.pi, 1.0])
    arrays = {"q": m.q * scale, "qd": m.qd * scale, "tau": m.tau * [4.0, -1.0]}
    np.savez(path, time=1000 * m.time, joint_names=["left/arm1", "left/arm2"], **arrays)
    conventions = Conventions(
        rename=[("arm", "j")],
        prefix="left/",
        degrees=True,
        time_unit="ms",
        efforts={"j1": 0.25, "j2": -1.0},
        sliding=frozenset(["j2"]),
    )
    recording = Recording(path, JOINTS, every=1, conventions=conventions)
    (found,) = recording
    inner = slice(25, -25)
    for name, tolerance in (("q", 1e-5), ("qd", 1e-3), ("qdd", 0.03), ("tau", 1e-3)):
        expected = getattr(m, name)[inner]
        np.testing.assert_allclose(getattr(found, name), expected, atol=tolerance)
    assert recording.notes == []


def test_names_that_are_there_are_told(tmp_path):
    with Bag(tmp_path / "bag", "mcap") as made:
        made.joint_state(10**18, ["fer_joint1", "fer_joint2"], *[[0.0, 0.0]] * 3)
    joints = ["panda_joint1", "panda_joint2"]
    with pytest.raises(RobcogenError) as raised:
        list(Recording(tmp_path / "bag", joints))
    told = str(raised.value)
    assert "no message has panda_joint1, panda_joint2; there are fer_joint1, fer_joint2" in told
    assert told.endswith("; perhaps rename fer_joint=panda_joint")


def test_the_window_follows_the_rate(tmp_path):
    """At 30 Hz it is nine states, at 1 kHz 0.1 s."""
    for rate, window, states in ((30, 8 / 30, 9), (1000, 0.1, 101)):
        path, time = tmp_path / f"{rate}.npz", np.arange(0, 3, 1 / rate)
        q = np.sin(time)[:, None]
        np.savez(path, time=time, q=q, tau=q)
        recording = Recording(path, ["j"], every=1)
        smoothing = recording.smoothing
        assert (smoothing.window, 2 * smoothing.half + 1) == (pytest.approx(window), states)
        blocks = list(recording)
        at = np.concatenate([block.time for block in blocks])
        qdd = np.concatenate([block.qdd[:, 0] for block in blocks])
        np.testing.assert_allclose(qdd, -np.sin(at), atol=1e-3)


@pytest.mark.parametrize("storage", ["mcap", "sqlite3"])
def test_broken_bags_are_refused(tmp_path, storage):
    """Wherever a bag ends, or a byte of it is another one, it is read or refused."""
    with Bag(tmp_path / "bag", storage) as made:
        for k in range(200):
            state = [[np.sin(0.01 * k), 0.1]] * 3
            made.joint_state(10**18 + k * 10**7, JOINTS, *state)
    file = next((tmp_path / "bag").glob("bag.*"))
    text, random = file.read_bytes(), np.random.default_rng(0)
    for _ in range(5):
        cut = bytearray(text[: random.integers(len(text))])
        other = bytearray(text)
        other[random.integers(len(text))] ^= 255
        for broken in (cut, other):
            path = tmp_path / f"broken{file.suffix}"
            path.write_bytes(broken)
            try:
                list(Recording(path, JOINTS))
            except RobcogenError as error:
                assert str(error).startswith(str(path))


@pytest.mark.parametrize("delay", [0.013, -0.013])
def test_efforts_of_another_moment_are_put_right(delay):
    time = 0.001 * np.arange(1000)

    def block(rows: slice) -> Motion:
        q = np.sin(5 * time[rows, None])
        return Motion(time[rows], q, None, None, np.cos(7 * (time[rows, None] - delay)))

    found = list(in_time([block(slice(k, k + 9)) for k in range(0, 1000, 9)], delay))
    times = np.concatenate([each.time for each in found])
    assert (np.diff(times) > 0).all()
    assert len(times) == 1000 - 13
    for each in found:
        np.testing.assert_allclose(each.q[:, 0], np.sin(5 * each.time))
        np.testing.assert_allclose(each.tau[:, 0], np.cos(7 * each.time), atol=1e-5)
