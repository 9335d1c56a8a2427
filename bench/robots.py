"""Many real robots, as their files have them: the dynamics beside Pinocchio's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from robcogen_ros.bench.comparison import Comparison, Row
from robcogen_ros.bench.measured import PINOCCHIO, measured
from robcogen_ros.bench.peers import PEERS
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from test.support.robots import oracle_robots, robot_path

FEWEST, MOST = 4, 18
"""Coordinates of the robots."""

LIMITS = {
    "inverse_dynamics": 10.0,
    "inertia_matrix": 7.0,
    "forward_dynamics": 10.0,
    "inverse_dynamics_derivatives": 8.0,
}
"""How many times as long as ours Pinocchio is to take with full caches; with empty ones, once."""

NEARLY = 1e-4
"""Angles [rad] that are so near a right one are taken for it in a row of their own."""


@dataclass(frozen=True)
class Times:
    """The functions of a robot.

    Attributes:
        robot: Its name, and whether its angles were made right ones.
        coordinates: How many there are.
        rows: For each function our row and Pinocchio's.
    """

    robot: str
    coordinates: int
    rows: dict[str, tuple[Row, Row]]

    def below(self) -> Iterator[str]:
        """Functions that are slower than they are to be."""
        for name, (ours, theirs) in self.rows.items():
            hot, cold = theirs.hot / ours.hot, theirs.cold / ours.cold
            if hot < LIMITS[name] or cold < 1:
                yield f"{self.robot}, {name}: {hot:.1f} times, {cold:.1f} with empty caches"


def rows() -> Iterator[Times]:
    """One robot of each directory and size, on the base that its file has."""
    seen: set[tuple[str, int]] = set()
    for name in oracle_robots():
        robot = _read(name, 0.0)
        directory = name.split("/")[0]
        if robot is None or robot.has_mimic or (directory, robot.n) in seen:
            continue
        seen.add((directory, robot.n))
        yield _times(name, robot)
        snapped = _read(name, NEARLY)
        if snapped is not None and snapped.joints != robot.joints:
            yield _times(f"{name}, snapped", snapped)


def _read(name: str, snapping: float) -> Robot | None:
    """A robot of the sizes that are measured."""
    try:
        robot = read(robot_path(name), snap_angles=snapping).robot
    except RobcogenError:
        return None
    return robot if FEWEST <= robot.n <= MOST else None


def _times(name: str, robot: Robot) -> Times:
    comparison = Comparison(robot, [peer for peer in PEERS if peer.name == PINOCCHIO])
    found = {}
    for function in map(measured, LIMITS):
        ours, theirs = comparison.rows([function])
        found[function.name] = (ours, theirs)
    return Times(name, robot.n, found)
