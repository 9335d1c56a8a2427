"""Ours against other libraries, function by function: `robcogen bench` over robots of all kinds."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.scaling import random_tree
from robcogen_ros.bench.chart import write_chart
from robcogen_ros.bench.comparison import OURS, Comparison, Row
from robcogen_ros.bench.measured import CODEGEN, FUNCTIONS, MORE, PINOCCHIO, WHOLE, Measured
from robcogen_ros.bench.peers import PEERS, Peer
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from test.support.robots import robot_path

_MOST_DERIVED = 40
"""Coordinates of the largest robot whose derivatives are compared: counting takes minutes."""

_MOST_GENERATED = 38
"""Coordinates of the largest robot for which CppADCodeGen generates code."""


@dataclass(frozen=True)
class Subject:
    """A robot to measure.

    Attributes:
        title: What it is called in the table.
        file: Its URDF, below the directory of robots; empty for a random tree.
        floating: Whether its base floats.
        lock: Joints locked at zero.
        joints: Joints of a random tree.
    """

    title: str
    file: str
    floating: bool = False
    lock: tuple[str, ...] = ()
    joints: int = 0

    def read(self) -> Robot:
        """The robot."""
        if self.joints:
            with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
                file.write(random_tree(self.joints).urdf())
                file.flush()
                return read(file.name).robot
        lock = dict.fromkeys(self.lock, 0.0)
        return read(robot_path(self.file), floating_base=self.floating, lock=lock).robot


PEER_TITLES = tuple(peer.title for peer in PEERS if peer.name != WHOLE)
"""What all functions are compared with, in order of columns."""

CHARTS = Path("build/bench")
"""Where charts go."""

_HYQ = "hyq_description/robots/hyq_no_sensors.urdf"

SUBJECTS = (
    Subject("Panda", "panda_description/urdf/panda.urdf", lock=("panda_finger_joint1",)),
    Subject("UR5", "ur_description/urdf/ur5_robot.urdf"),
    Subject("HyQ", _HYQ),
    Subject("HyQ, floating", _HYQ, True),
    Subject("Solo12, floating", "solo_description/robots/solo12.urdf", True),
    Subject("Talos, floating", "talos_data/robots/talos_reduced.urdf", True),
    *(Subject(f"tree of {n} joints", "", joints=n) for n in (10, 20, 40, 60, 100)),
)

OTHERS = ("Panda", "HyQ, floating", "Talos, floating", "tree of 20 joints", "tree of 60 joints")
"""Robots whose other functions are compared with Pinocchio's."""


def rows(exceeded: list[str]) -> Iterator[tuple[str, list[Row]]]:
    """Robot, and a function of it by all libraries; what cannot be measured is said on stderr.

    Args:
        exceeded: What exceeds its limit, or fails, is appended.
    """
    for subject in SUBJECTS:
        robot = subject.read()
        comparison = Comparison(robot, _peers(robot))
        for function in _functions(robot):
            try:
                found = list(comparison.rows([function]))
            except RobcogenError as error:
                exceeded.append(f"{subject.title}, {function.name}: not measured: {error}")
                continue
            if found:
                yield subject.title, found
            for name in exceeding(found):
                exceeded.append(f"{subject.title}, {name}: over half of Pinocchio's instructions")
        for note in comparison.notes:
            print(f"{subject.title}: {note}", file=sys.stderr)


def other_rows(exceeded: list[str]) -> Iterator[tuple[str, list[Row]]]:
    """Robot, and a function of it that only Pinocchio has, by both.

    Args:
        exceeded: What is slower than Pinocchio's, or fails, is appended.
    """
    pinocchio = [peer for peer in PEERS if peer.name == PINOCCHIO]
    for subject in SUBJECTS:
        if subject.title not in OTHERS:
            continue
        comparison = Comparison(subject.read(), pinocchio)
        for function in MORE:
            try:
                found = list(comparison.rows([function]))
            except RobcogenError as error:
                exceeded.append(f"{subject.title}, {function.name}: not measured: {error}")
                continue
            if len(found) < 2:  # Pinocchio leaves out the mass of a base that is fixed
                continue
            yield subject.title, found
            ours, theirs = found
            if theirs.hot < ours.hot or theirs.cold < ours.cold:
                exceeded.append(f"{subject.title}, {function.name}: slower than Pinocchio")


def ratios(rows: Sequence[Row]) -> Iterator[str]:
    """How many times as long as ours each library takes for a function, hot / cold."""
    found = {row.library: row for row in rows}
    ours = found[OURS]
    for row in map(found.get, PEER_TITLES):
        yield f"{_short(row.hot / ours.hot)} / {_short(row.cold / ours.cold)}" if row else ""


def draw(measured: Sequence[tuple[str, Sequence[Row]]]) -> None:
    """A chart of each robot, below build/bench; none where matplotlib is not installed."""
    CHARTS.mkdir(parents=True, exist_ok=True)
    for title in dict.fromkeys(title for title, _ in measured):
        rows = [row for robot, rows in measured if robot == title for row in rows]
        path = CHARTS / f"{title.replace(',', '').replace(' ', '_').lower()}.svg"
        try:
            write_chart(rows, title, str(path))
        except RobcogenError as error:
            print(f"no charts: {error}", file=sys.stderr)
            return


def _short(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def exceeding(rows: Sequence[Row]) -> Iterator[str]:
    """Functions that take over half of Pinocchio's instructions."""
    assert PEERS[0].name == PINOCCHIO
    theirs = {row.function: row.instructions for row in rows if row.library == PEERS[0].title}
    for row in rows:
        limit = theirs.get(row.function) if row.library == OURS else None
        if row.instructions is not None and limit is not None and row.instructions > limit / 2:
            yield row.function


def _functions(robot: Robot) -> list[Measured]:
    small = robot.n <= _MOST_DERIVED
    return [function for function in FUNCTIONS if small or not function.derivative]


def _peers(robot: Robot) -> list[Peer]:
    small = robot.n <= _MOST_GENERATED
    return [peer for peer in PEERS if small or peer.name != CODEGEN]
