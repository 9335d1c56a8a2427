"""A robot with loops beside its tree, whose loops Newton's method on multipliers closes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import read
from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.model.reduce import reduction
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library

Array = NDArray[np.float64]


def close(found: Array, expected: Array, tolerance: float = 1e-12) -> None:
    """Compares arrays, by the largest entry or by 1; neither may have NaN."""
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale, equal_nan=False)


@dataclass
class Linkage:
    """A robot with loops, and its tree, which is the oracle.

    Attributes:
        robot: The robot.
        tree: Its tree, all joints free.
        loops: Names of the two frames of each loop, and the rows of the Jacobian between them that
            vanish.
        followers: Numbers of joints that follow others in the file, of these, and the polynomials.
    """

    robot: Robot
    tree: Robot
    loops: list[tuple[str, str, list[int]]]
    followers: list[tuple[int, int, Polynomial]] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path, urdf: str, loops: str, **options: object) -> Linkage:
        """From texts, of which files are made."""
        model, file = folder / "robot.urdf", folder / "loops.yaml"
        model.write_text(urdf)
        file.write_text(loops)
        description = load(model, loops=file)
        assert description.loops is not None
        joints = tuple(replace(joint, mimic=None) for joint in description.joints)
        opened = replace(description, loops=None, joints=joints, closures=())
        tree, _ = reduction(opened, ModelOptions(**options))
        robot = read(model, loops=file, **options).robot
        start = {name: value for name, value, _ in description.loops.positions}
        closed = [(*loop.frames, list(FIXED[loop.fixed])) for loop in description.loops.loops]
        number = tree.joint_names.index
        followers = [
            (number(j.name), number(m.leader), Polynomial([float(m.offset), float(m.multiplier)]))
            for j in description.joints
            if (m := j.mimic)
        ]
        followers += [
            (number(c.dependent[0]), number(c.leader), Polynomial([*map(float, c.curve)]))
            for c in description.closures
        ]
        found = cls(robot, tree, closed, followers)
        found._start = np.array([start.get(name, 0.0) for name in tree.joint_names])
        return found

    def __post_init__(self) -> None:
        names = self.tree.joint_names
        self.free = [names.index(name) for name in self.robot.joint_names]
        self.dependent = [k for k in range(len(names)) if k not in self.free]
        self._start = np.zeros(len(names))
        self._libraries: dict[tuple[int, str], Library] = {}

    def of_robot(self, name: str, **values: Array) -> Array:
        """The first result of a function of the robot, matrices by rows."""
        return _called(self._library(self.robot, name), name, values)

    def results(self, name: str, **values: Array) -> dict[str, Array]:
        """All results of a function of the robot."""
        return _results(self._library(self.robot, name), name, values)

    def of_tree(self, name: str, **values: Array) -> Array:
        """The same of the tree."""
        return _called(self._library(self.tree, name), name, values)

    def _library(self, robot: Robot, name: str) -> Library:
        if (id(robot), name) not in self._libraries:
            self._libraries[id(robot), name] = Library(robot, [name])
        return self._libraries[id(robot), name]

    def gap(self, t: Array) -> Array:
        """What the loops' rows are off at positions of the tree's joints."""
        found = []
        for first, second, rows in self.loops:
            X = self.of_tree(f"{first}_X_{second}", q=t)
            z = X[:3, 2]
            R = (X[:3, :3] - X[:3, :3].T) / 2
            turned = [-z[1], z[0], 0.0] if 2 not in rows else [R[2, 1], R[0, 2], R[1, 0]]
            found.append(np.array([*turned, *X[:3, 3]])[rows])
        found += [np.array([t[k] - p(t[leader])]) for k, leader, p in self.followers]
        return np.concatenate(found)

    def rates(self, t: Array) -> Array:
        """The Jacobian of these rows."""
        of_loops = [self.of_tree(f"{a}_J_{b}", q=t)[rows] for a, b, rows in self.loops]
        others = np.zeros((len(self.followers), len(t)))
        for row, (k, leader, p) in zip(others, self.followers, strict=True):
            row[[k, leader]] = 1, -p.deriv()(t[leader])
        return np.concatenate([*of_loops, others])

    def bias(self, t: Array, td: Array) -> Array:
        """Their accelerations where no joint of the tree accelerates."""
        of_loops = [self.of_tree(f"{a}_JdQd_{b}", q=t, qd=td)[rows] for a, b, rows in self.loops]
        others = [-p.deriv(2)(t[leader]) * td[leader] ** 2 for _, leader, p in self.followers]
        return np.concatenate([*of_loops, others])

    def closed(self, y: Array, guess: Array) -> Array:
        """Positions of the tree's joints where the loop is closed, by Newton's method."""
        t = guess.copy()
        t[self.free] = y
        for _ in range(30):
            K = self.rates(t)[:, self.dependent]
            t[self.dependent] -= np.linalg.lstsq(K, self.gap(t), rcond=None)[0]
        assert np.abs(self.gap(t)).max() < 1e-13
        return t

    def positions(self, count: int, stride: float = 0.1) -> list[Array]:
        """Closed positions of the tree's joints, from one to the next, as far as limits let."""
        random, t = np.random.default_rng(0), self._start
        limits = [c.limits for c in self.robot.coordinates]
        lower = [-np.inf if x.lower is None else x.lower + stride / 2 for x in limits]
        upper = [np.inf if x.upper is None else x.upper - stride / 2 for x in limits]
        found = []
        for _ in range(count):
            y = t[self.free] + random.uniform(-stride, stride, len(self.free))
            t = self.closed(np.clip(y, lower, upper), t)
            found.append(t)
        return found

    def motion(self, t: Array, yd: Array, ydd: Array) -> tuple[Array, Array, Array]:
        """G, and velocities and accelerations of the tree's joints."""
        K = self.rates(t)
        G = np.zeros((len(t), len(self.free)))
        G[self.free] = np.eye(len(self.free))
        own = np.linalg.pinv(K[:, self.dependent])
        G[self.dependent] = -own @ K[:, self.free]
        td = G @ yd
        tdd = G @ ydd
        tdd[self.dependent] -= own @ self.bias(t, td)
        return G, td, tdd


def _called(library: Library, name: str, values: dict[str, Array]) -> Array:
    return next(iter(_results(library, name, values).values()))


def _results(library: Library, name: str, values: dict[str, Array]) -> dict[str, Array]:
    program = library.entry(name).general
    inputs = {
        a.name: list(values.get(a.name, [float(x) for x in a.values_left_out]))
        for a in program.inputs
    }
    found = {}
    results = interpret(program, inputs)
    for argument in (output.argument for output in program.outputs):
        entries = np.array(results[argument.name], dtype=float)
        matrix = argument.columns is not None
        found[argument.name] = entries.reshape(argument.columns, -1).T if matrix else entries
    return found
