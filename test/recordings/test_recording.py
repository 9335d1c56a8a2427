"""Recorded motions: the same from every format, whatever blocks are; what is wrong is told."""

from __future__ import annotations

import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings import Motion, Recording, archive, bag, csv_table, table
from robcogen_ros.recordings.written_bag import BEGIN, write_bag
from test.support.recordings import (
    Bag,
    sines,
    write_csv,
    write_npz,
    write_parquet,
)
from test.support.recordings import table as columns_of

JOINTS = ("shoulder", "elbow", "wrist")
MIXED = [2, 0, 1]
"""Another order of them, as files may have it."""


@pytest.fixture(params=["one block", "small blocks"])
def blocks(request, monkeypatch):
    if request.param == "small blocks":
        for module in (archive, csv_table, table, bag):
            monkeypatch.setattr(module, "BLOCK", 7)


def write(path: Path, motion: Motion, joints=JOINTS) -> Path:
    by_kind = {".npz": write_npz, ".csv": write_csv, ".parquet": write_parquet}
    by_kind[path.suffix](path, motion, joints)
    return path


def mixed(motion: Motion) -> Motion:
    arrays = {name: array[:, MIXED] for name, array in motion.arrays()}
    return replace(motion, **arrays)


NAMES = [JOINTS[k] for k in MIXED]


def whole(recording: Recording) -> Motion:
    motions = list(recording)
    return Motion(
        *(
            np.concatenate([getattr(motion, name) for motion in motions])
            for name in ("time", "q", "qd", "qdd", "tau")
        )
    )


def same(found: Motion, expected: Motion, tolerance: float = 1e-12) -> None:
    for name in ("time", "q", "qd", "qdd", "tau"):
        one, other = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(one, other, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".parquet"])
def test_tables_and_arrays_are_read_as_they_are(tmp_path, blocks, suffix):
    motion = sines(3, 50)
    path = write(tmp_path / f"run{suffix}", mixed(motion), NAMES)
    same(whole(Recording(path, JOINTS)), motion)


@pytest.mark.parametrize("storage", ["mcap", "sqlite3"])
def test_bags_are_differentiated(tmp_path, blocks, storage):
    motion = sines(3, 300)
    write_bag(tmp_path / "bag", mixed(motion), NAMES, storage)
    found = whole(Recording(tmp_path / "bag", JOINTS, every=1))
    assert len(found) == 200
    np.testing.assert_allclose(found.time, motion.time[50:250], atol=1e-9)
    for name, tolerance in (("q", 2e-6), ("qd", 2e-5), ("qdd", 1e-3), ("tau", 2e-5)):
        expected = getattr(motion, name)[50:250]
        np.testing.assert_allclose(getattr(found, name), expected, atol=tolerance, err_msg=name)
    only = next((tmp_path / "bag").glob("bag.*"))
    same(whole(Recording(only, JOINTS, every=1)), found)


@pytest.mark.parametrize("given", [("qd",), ()])
def test_polynomials_are_differentiated_exactly(tmp_path, given):
    time = 0.01 * np.arange(200)
    q = np.polynomial.Polynomial([0.3, -1, 2, 0.5, -0.7])
    qd, qdd = q.deriv(), q.deriv(2)
    parts = {"qd": qd(time)[:, None]} if given else {}
    motion = Motion(time, q(time)[:, None], parts.get("qd"), None, qdd(time)[:, None])
    path = write(tmp_path / "run.npz", motion, ("joint",))
    found = whole(Recording(path, ("joint",), window=0.2, every=1))
    inner = time[10:190]
    expected = Motion(inner, *(f(inner)[:, None] for f in (q, qd, qdd, qdd)))
    same(found, expected, 1e-8)


@pytest.mark.parametrize("every", [None, 1, 3])
def test_what_is_derived_does_not_depend_on_blocks(tmp_path, monkeypatch, every):
    motion = sines(3, 700)
    random = np.random.default_rng(0)
    uneven = np.sort(random.choice(700, 600, replace=False))
    motion = motion.rows(uneven[(uneven < 300) | (uneven > 420)])
    path = write(tmp_path / "run.npz", replace(motion, qdd=None))
    monkeypatch.setattr("robcogen_ros.recordings.survey._STEPS", 10)
    found = whole(Recording(path, JOINTS, window=0.02, every=every))
    for block in (11, 100):
        monkeypatch.setattr(archive, "BLOCK", block)
        same(whole(Recording(path, JOINTS, window=0.02, every=every)), found)


def test_smoothed_states_are_as_many_as_are_independent(tmp_path):
    """Noise of the states that are kept is not correlated."""
    random = np.random.default_rng(3)
    noise = random.normal(size=(40_000, 3))
    motion = Motion(0.001 * np.arange(40_000), noise, noise, None, noise)
    found = whole(Recording(write(tmp_path / "run.npz", motion), JOINTS)).tau
    assert len(found) == -(-39_900 // 31)
    after = (found[1:] * found[:-1]).mean() / (found**2).mean()
    assert abs(after) < 0.1


def test_turns_of_joints_are_told(tmp_path):
    time = 0.001 * np.arange(2000)
    q = np.sin(np.pi * time)[:, None]  # turns at 0.5 and 1.5 s
    motion = Motion(time, q, None, None, q)
    blocks = list(Recording(write(tmp_path / "a.npz", motion, ("j",)), ("j",), every=1))
    turns = np.concatenate([block.turns[:, 0] for block in blocks])
    times = np.concatenate([block.time for block in blocks])
    near = np.minimum(abs(times - 0.5), abs(times - 1.5))
    assert turns[near < 0.049].all() and not turns[near > 0.051].any()


def test_each_side_of_a_gap_is_differentiated_alone(tmp_path):
    motion = sines(3, 900)
    cut = motion.rows((np.arange(900) < 400) | (np.arange(900) >= 450))
    recording = Recording(
        write(tmp_path / "a.npz", replace(cut, qdd=None)), JOINTS, window=0.02, every=1
    )
    found = whole(recording)
    assert len(found) == 850 - 2 * 20
    expected = motion.rows(np.searchsorted(motion.time, found.time - 1e-9))
    np.testing.assert_allclose(found.qdd, expected.qdd, atol=1e-3)
    assert recording.notes == [
        f"{tmp_path}/a.npz: 1 gaps, the longest of 0.051 s before 0.450 s; motion is "
        "differentiated on each side of them alone"
    ]


def test_uneven_times_are_interpolated(tmp_path):
    even = sines(3, 3000)
    random = np.random.default_rng(0)
    time = even.time + 1e-4 * random.uniform(-1, 1, size=3000)
    uneven = Motion(
        time, *(np.stack([np.interp(time, even.time, c) for c in a.T], 1) for _, a in even.arrays())
    )
    found = whole(Recording(write(tmp_path / "a.npz", replace(uneven, qdd=None)), JOINTS, every=1))
    for k, joint in enumerate(JOINTS):
        expected = np.interp(found.time + time[0], even.time, even.qdd[:, k])
        np.testing.assert_allclose(found.qdd[:, k], expected, atol=0.02, err_msg=joint)


def test_a_rate_stands_for_times(tmp_path):
    motion = sines(3, 300)
    path = write(tmp_path / "run.csv", replace(motion, time=None, qdd=None))
    found = whole(Recording(path, JOINTS, rate=1000, every=1))
    np.testing.assert_allclose(found.qdd, motion.qdd[50:250], atol=1e-3)
    with pytest.raises(RobcogenError, match="no times, which accelerations need; name a column"):
        list(Recording(path, JOINTS))


def test_columns_are_named_in_several_ways(tmp_path):
    motion = sines(3, 20)
    columns = columns_of(motion, JOINTS)
    names = {
        "time": "__time",
        "shoulder.position": "/joint_states/shoulder/position",
        "elbow.velocity": "qd.elbow",
        "wrist.effort": "wrist.torque",
    }
    header = ",".join(f'"{names.get(name, name)}"' for name in columns)
    rows = np.column_stack(list(columns.values()))
    np.savetxt(tmp_path / "a.csv", rows, fmt="%.17g", delimiter=",", header=header, comments="")
    same(whole(Recording(tmp_path / "a.csv", JOINTS)), motion)


def test_messages_about_other_joints_are_left_out(tmp_path, blocks):
    motion = sines(3, 300)
    write_bag(tmp_path / "alone", motion, JOINTS)
    with Bag(tmp_path / "both", "mcap") as both:
        for k in range(300):
            stamp = BEGIN + k * 10**6
            both.joint_state(stamp + 1, ["finger"], [k], [0], [0])
            frame = "a" * (k % 3)
            order = NAMES if k % 2 else JOINTS
            at = [JOINTS.index(name) for name in order]
            state = (motion.q[k, at], motion.qd[k, at], motion.tau[k, at])
            both.joint_state(stamp, order, *state, frame=frame)
        both.text("/chatter")
    same(
        whole(Recording(tmp_path / "both", JOINTS, every=1)),
        whole(Recording(tmp_path / "alone", JOINTS, every=1)),
        1e-9,
    )


def written(tmp_path: Path, *states, topics=("/joint_states",)) -> Recording:
    """A bag of some states: stamp [s], names, positions, velocities, efforts."""
    with Bag(tmp_path / "bag", "mcap") as made:
        for topic in topics:
            for stamp, *state in states:
                made.joint_state(BEGIN + round(1e9 * stamp), *state, topic=topic)
    return Recording(tmp_path / "bag", JOINTS)


THREE = [1.0, 2.0, 3.0]
GOOD = [(0.001 * k, JOINTS, THREE, THREE, THREE) for k in range(3)]


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ([*GOOD, (0.5, JOINTS[:2], *([1, 2],) * 3)], "message at 0.500000 s has no wrist, but sho"),
        ([*GOOD, (0.5, JOINTS, THREE, THREE, [])], "0.500000 s has 0 numbers in effort, for 3 joi"),
        (
            [*GOOD, (0.5, JOINTS, THREE, THREE, [np.nan, 0, 0])],
            "effort of shoulder is nan at 0.5",
        ),
        (
            [*GOOD, (0.001, JOINTS, THREE, THREE, THREE)],
            "time goes back from 0.002000 s to 0.00100",
        ),
        ([(0, ["finger"], [0], [0], [0])], "no message has shoulder, elbow, wrist"),
        (GOOD[:1], "a single state cannot be differentiated"),
    ],
)
def test_bags_that_lack_something(tmp_path, states, message):
    with pytest.raises(RobcogenError, match=message):
        list(written(tmp_path, *states))


def test_states_of_the_same_time_count_once(tmp_path):
    motion = sines(3, 300)
    path = write(tmp_path / "a.npz", motion.rows(np.sort(np.r_[0:300, 100:105])))
    recording = Recording(path, JOINTS)
    same(whole(recording), motion)
    assert recording.notes == [f"{path}: 5 states have the time of the one before and are left out"]


def test_topics(tmp_path):
    recording = written(tmp_path, *GOOD, topics=("/left", "/right"))
    with pytest.raises(RobcogenError, match="joint states on /left, /right; choose with topic"):
        list(recording)
    with pytest.raises(RobcogenError, match=r"JointState on /middle; it has /left \(sensor_msgs"):
        list(replace(recording, topic="/middle"))


def test_messages_without_a_time_have_that_of_the_recording(tmp_path):
    with Bag(tmp_path / "bag", "mcap") as made:
        made.joint_state(0, JOINTS, THREE, THREE, THREE)
    (motion,) = bag.read_bag(str(tmp_path / "bag"), JOINTS)
    assert motion.time.tolist() == [0.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position of shoulder, elbow, wrist; expected a column such as shoulder.position"),
        (
            "time,{h}\n0,{r}\n0.1,1,2,3,4,x,6\n",
            r"a.csv:3:1: error: elbow.effort: expected a number, ",
        ),
        (
            "time,{h}\n0,{r}\n0.1,1,2,,4,5,6\n",
            r"a.csv:3:1: error: wrist.position: .* found nothing",
        ),
        ("time,{h}\n0,{r}\n\n0.1,1,2,3\n", "a.csv:4:1: error: 4 columns, expected 7"),
        ("time,{h}\n0,{r}\n0.1,1,2,3,4,nan,6\n", r"effort of elbow is nan at 0.100000 s"),
        ("time,{h}\n", "no states"),
        ("q.wrist,{h}\n", "q.wrist and wrist.position are both q of wrist"),
        ("shoulder.qd,{h}\n0,{r}\n", "no velocity of elbow, wrist"),
    ],
)
def test_tables_that_lack_something(tmp_path, text, message):
    h = ",".join(f"{j}.{w}" for w in ("position", "effort") for j in JOINTS)
    path = tmp_path / "a.csv"
    path.write_text(text.format(h=h, r="1,2,3,4,5,6"))
    with pytest.raises(RobcogenError, match=message):
        list(Recording(path, JOINTS, rate=10))


def test_archives_that_lack_something(tmp_path):
    motion, path = sines(3, 40), tmp_path / "a.npz"
    names = {"joint_names": np.array(JOINTS)}
    arrays = dict(motion.arrays())
    for given, message in [
        ({"q": motion.q}, "no array tau; expected time, q, qd, qdd, tau, found joint_names, q"),
        ({**arrays, "tau": motion.tau[:, :2]}, r"tau has shape \(40, 2\), expected \(40, 3\)"),
        ({**arrays, "time": motion.time[:9]}, r"time has shape \(9,\), expected \(40,\)"),
        ({**arrays, "q": motion.q.astype(str)}, "q holds no real numbers"),
        ({**arrays, "q": np.asfortranarray(motion.q)}, "q is stored column by column"),
        (
            {**arrays, "joint_names": np.array(["a", "b", "c"])},
            "no joint 'shoulder' in joint_names",
        ),
    ]:
        np.savez(path, **{**names, **given})
        with pytest.raises(RobcogenError, match=message):
            list(Recording(path, JOINTS))
    np.savez(path, **arrays)
    same(whole(Recording(path, JOINTS, rate=1000)), motion)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(RobcogenError, match=r"cannot be read as an \.npz file"):
        list(Recording(path, JOINTS))


def test_files_that_are_no_recordings(tmp_path):
    with pytest.raises(RobcogenError, match=r"none\.npz: no such file"):
        list(Recording(tmp_path / "none.npz", JOINTS))
    for name, message in [
        ("a.doc", "not known as a recording; expected .npz, .csv, .parquet, .mcap"),
        ("a.parquet", "cannot be read as Parquet"),
        ("a.mcap", "cannot be read as a bag"),
        ("a.db3", "cannot be read as a bag"),
    ]:
        (tmp_path / name).write_text("nothing that is known " * 20)
        with pytest.raises(RobcogenError, match=message):
            list(Recording(tmp_path / name, JOINTS))


@pytest.mark.parametrize(("module", "suffix"), [("pyarrow", ".parquet"), ("rosbags", ".mcap")])
def test_a_library_that_is_missing_is_named(tmp_path, monkeypatch, module, suffix):
    for name in [*sys.modules]:
        if name.split(".")[0] == module:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    path = tmp_path / f"a{suffix}"
    path.write_text("")
    with pytest.raises(RobcogenError, match=f"pip install {module}, or robcogen_ros.recordings"):
        list(Recording(path, JOINTS))


def test_a_window_shorter_than_its_polynomial(tmp_path):
    path = write(tmp_path / "a.npz", replace(sines(3, 40), qdd=None))
    with pytest.raises(
        RobcogenError, match=r"window of 0\.002 s has 3 states of 0.001 s; expected"
    ):
        list(Recording(path, JOINTS, window=0.002))


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".parquet"])
def test_memory_is_that_of_a_block(tmp_path, suffix):
    """Twice as many states take no more of it."""
    motion = replace(sines(3, 20_000), qdd=None)
    peaks = [
        peak(write(tmp_path / f"{n}{suffix}", motion.rows(slice(n)))) for n in (10_000, 20_000)
    ]
    assert peaks[1] < 1.1 * peaks[0]


def peak(path: Path) -> int:
    """Bytes that reading a recording takes at most."""
    tracemalloc.start()
    for _ in Recording(path, JOINTS):
        pass
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found
