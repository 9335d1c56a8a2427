"""Robots with loops beside their trees at 50 digits: a line of a table for each.

    python -m test.drivers.linkage_table [--states 10000] [--exact 100] FILE[,LOOPS] ...

The base is fixed. At closed positions with a margin above 1e-3: how far frames of loops are apart,
by the size, and, at the first of them, how far inverse and forward dynamics are off the tree
with multipliers, which is computed with 50 digits. Forces are compared with their largest value,
accelerations by what is left of the equations of motion, beside their terms.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.model.closures.closed_loops import ClosedLoops
from robcogen_ros.model.closures.closure import FIXED
from robcogen_ros.model.closures.forms import rounded
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.model.reduce import reduction
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import usage

Array = NDArray[np.float64]
Exact = list[Decimal]

_FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "joint_positions",
    "closure_residual",
    "closure_margin",
)
_MARGIN = 1e-3
_BATCH = 2000
_CLOSED = Decimal("1e-40")


class Tree:
    """The spanning tree of a robot with loops, at 50 digits.

    Attributes:
        robot: The tree; none of its joints is dependent.
        size: A length to compare gaps with [m].
        start: Where the loops are written.
    """

    def __init__(self, path: str, loops: str | None, reading: Reading) -> None:
        """The tree of a file, whose reading tells which joints are independent.

        Rows that do not count are left out: numbers of files agree with them to their digits only.

        Raises:
            ArithmeticError: If as many rows as joints follow are not to be found.
        """
        description = load(path, loops=loops)
        assert description.loops is not None
        self.robot, _ = reduction(
            replace(description, loops=None), ModelOptions(floating_base=False)
        )
        at = ClosedLoops(description, description.loops)
        self.size, names = at.tree.size, at.names
        self.start = np.array([rounded(x) for x in at.begin])
        counted = {
            loop.name: rows
            for closure in reading.description.closures
            for loop, rows in zip(closure.loops, closure.rows, strict=False)
        }
        self.loops = [(*x.frames, FIXED[x.fixed]) for x in description.loops.loops]
        self.free = [names.index(name) for name in reading.robot.joint_names]
        held = {joint.name for joint in reading.description.joints if joint.kind == "fixed"}
        moving = [k for k, name in enumerate(names) if name not in held]
        self.others = [k for k in moving if k not in self.free]
        self._rows: list[list[int]] = [[] for _ in self.loops]
        rows = [(k, row) for k, (*_, fixed) in enumerate(self.loops) for row in fixed]
        rows.sort(key=lambda x: x[1] not in counted.get(at.tree.rings[x[0]].name, ()))
        every, chosen = at.tree.jacobians(at.begin), np.zeros((0, len(self.others)))
        for k, row in rows:
            own = every[k][self.loops[k][2].index(row)][self.others]
            if at.tree.rank(np.vstack([chosen, own])) > len(chosen):
                chosen = np.vstack([chosen, own])
                self._rows[k].append(row)
        if len(chosen) < len(self.others):
            raise ArithmeticError("too few rows of loops count")
        words = [f"{a}_{word}_{b}" for a, b, _ in self.loops for word in ("X", "J", "JdQd")]
        self._library = Library(self.robot, ["inverse_dynamics", *words])

    def call(self, name: str, **values: Sequence[Decimal]) -> Exact:
        """The first result of a function; what is left out is zero."""
        program = self._library.entry(name).general
        inputs = {
            a.name: [*values.get(a.name, (number.number(x) for x in a.values_left_out))]
            for a in program.inputs
        }
        return next(iter(interpret_exactly(program, inputs).values()))

    def closed(self, t: Exact) -> tuple[Exact, list[Exact]]:
        """A closed position next to another, and the rows of the loops there."""
        for _ in range(20):
            gap, K = [], list[Exact]()
            for (first, second, fixed), rows in zip(self.loops, self._rows, strict=True):
                X, J = (self.call(f"{first}_{word}_{second}", q=t) for word in ("X", "J"))
                off = _off(X, fixed)
                gap += [off[row] for row in rows]
                K += [[J[row + 6 * k] for k in range(len(t))] for row in rows]
            ways = _least([[row[k] for k in self.others] for row in K], gap)
            if max(map(abs, ways)) < _CLOSED:
                return t, K
            t = list(t)
            for k, x in zip(self.others, ways, strict=True):
                t[k] -= x
        raise ArithmeticError(f"loops do not close: {max(map(abs, gap)):.1e} are left")

    def forces(self, near: Array, yd: Array, ydd: Array) -> Array:
        """Forces along the coordinates that a motion takes, (n,), next to positions of all."""
        t, K = self.closed([number.number(float(x)) for x in near])
        own = [[row[k] for k in self.others] for row in K]

        def rates(along: Array, bias: Exact) -> Exact:
            found = [Decimal(0)] * len(t)
            for k, x in zip(self.free, along, strict=True):
                found[k] = number.number(float(x))
            moved = [_dot(row, found) + b for row, b in zip(K, bias, strict=True)]
            for k, x in zip(self.others, _least(own, moved), strict=True):
                found[k] = -x
            return found

        still = [Decimal(0)] * len(K)
        td, bias = rates(yd, still), Exact()
        for (first, second, _), rows in zip(self.loops, self._rows, strict=True):
            rest = self.call(f"{first}_JdQd_{second}", q=t, qd=td)
            bias += [rest[row] for row in rows]
        forces = self.call("inverse_dynamics", q=t, qd=td, qdd=rates(ydd, bias))
        columns = [rates(column, still) for column in np.eye(len(self.free))]
        return np.array([float(_dot(column, forces)) for column in columns])


def _off(X: Exact, fixed: Sequence[int]) -> Exact:
    """What a frame is off another, of its pose in it, column-major (4, 4)."""
    free = [k for k in range(3) if k not in fixed]
    turned = [(X[6] - X[9]) / 2, (X[8] - X[2]) / 2, (X[1] - X[4]) / 2]
    if len(free) == 1:
        (k,) = free
        i, j = (k + 1) % 3, (k + 2) % 3
        turned[i], turned[j] = -X[4 * k + j], X[4 * k + i]
    return [*turned, *X[12:15]]


def _dot(a: Sequence[Decimal], b: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for x, y in zip(a, b, strict=True):
        if x and y:
            total += x * y
    return total


def _least(A: list[Exact], b: Exact) -> Exact:
    """x with least |A x - b|, of a matrix whose columns are independent, by A'A."""
    size = range(len(A[0]))
    columns = [[row[k] for row in A] for k in size]
    M = [[*(_dot(c, other) for other in columns), _dot(c, b)] for c in columns]
    for k in size:
        best = max(range(k, len(M)), key=lambda row: abs(M[row][k]))
        M[k], M[best] = M[best], M[k]
        for row in M[k + 1 :]:
            if factor := row[k] / M[k][k]:
                row[k:] = [x - factor * y for x, y in zip(row[k:], M[k][k:], strict=True)]
    x = [Decimal(0)] * len(M)
    for k in reversed(size):
        x[k] = (M[k][-1] - _dot(M[k][k + 1 : -1], x[k + 1 :])) / M[k][k]
    return x


class Beside:
    """A robot with loops beside its tree."""

    def __init__(self, path: str, loops: str | None) -> None:
        """The robot of a file."""
        self.reading: Reading = read(path, loops=loops, floating_base=False)
        self.robot: Robot = self.reading.robot
        self.tree = Tree(path, loops, self.reading)
        names = _FUNCTIONS if self.robot.closures else _FUNCTIONS[:4]
        self.ours = robot_of(NumpyEvaluator(Library(self.robot, [], names)))
        self._random = np.random.default_rng(17)

    def call(self, name: str, **values: Array) -> Array:
        """The first result of a function of the robot, over states."""
        with np.errstate(all="ignore"):
            return next(iter(self.ours.evaluate(name, **values).values()))

    def positions(self, count: int) -> Array:
        """Closed positions, (count, n), as far from the written one as enough are closed.

        Raises:
            ArithmeticError: If there are none.
        """
        middle, n = self.tree.start[self.tree.free], self.robot.n
        limits = [c.limits for c in self.robot.coordinates]
        low = np.array([-np.inf if x.lower is None else x.lower for x in limits])
        high = np.array([np.inf if x.upper is None else x.upper for x in limits])
        found, far = [np.zeros((0, n))], 1.0
        while sum(map(len, found)) < count:
            tried = self._random.uniform(-far, far, (_BATCH, n)) + middle
            tried = tried[((tried > low) & (tried < high)).all(axis=1)]
            if self.robot.closures and len(tried):
                tried = tried[(self.call("closure_margin", q=tried) > _MARGIN).all(axis=1)]
            if len(tried) < _BATCH / 20:
                found, far = [np.zeros((0, n))], 0.8 * far
            if far < _MARGIN:
                raise ArithmeticError("no positions close well")
            found.append(tried)
        return np.concatenate(found)[:count]

    def closure(self, q: Array) -> float:
        """How far frames of loops are apart at most along rows that count, by the size."""
        if not self.robot.closures:
            return 0.0
        loops = [loop for closure in self.robot.closures for loop in closure.loops]
        counted = [row in loop.rows for loop in loops for row in loop.fixed]
        left = np.abs(self.call("closure_residual", q=q)[:, counted])
        return float(left.max()) / self.tree.size

    def dynamics(self, q: Array) -> tuple[float, float]:
        """How far off inverse and forward dynamics are at most."""
        qd, qdd, tau = self._random.uniform(-2, 2, (3, *q.shape))
        found = self.call("inverse_dynamics", q=q, qd=qd, qdd=qdd)
        moved = self.call("forward_dynamics", q=q, qd=qd, tau=tau)
        still = self.call("inverse_dynamics", q=q, qd=qd, qdd=0 * qdd)
        H = self.call("inertia_matrix", q=q)
        joints = [joint.name for joint in self.robot.joints]
        near = np.tile(self.tree.start, (len(q), 1))
        angles = self.call("joint_positions", q=q)
        for k, name in enumerate(self.tree.robot.joint_names):
            if name in joints:
                near[:, k] = angles[:, joints.index(name)]
        near[:, self.tree.free] = q
        forces = np.array([self.tree.forces(*x) for x in zip(near, qd, qdd, strict=True)])
        left = np.array([self.tree.forces(*x) for x in zip(near, qd, moved, strict=True)]) - tau
        terms = np.abs(tau) + np.abs(still)
        terms += np.einsum("mij,mj->mi", np.abs(H), np.abs(moved))
        off = np.abs(found - forces).max(axis=0) / np.abs(forces).max(axis=0)
        return float(off.max()), float((np.abs(left) / terms).max())

    def ways(self) -> str:
        """How the loops are solved."""
        words = []
        for closure in self.robot.closures:
            plane = "slider-crank" if len(closure.signs) == 1 else "triangle"
            words.append(f"Newton in {closure.steps}" if closure.steps else plane)
            if closure.rods and not closure.steps:
                words[-1] = "rod"
        return ", ".join(dict.fromkeys(words)) or "linear"


def line(path: str, loops: str | None, states: int, exact: int) -> str:
    """A line of the table."""
    name = Path(path).parent.name if Path(path).stem in ("robot", "model") else Path(path).stem
    try:
        beside = Beside(path, loops)
        tree, robot = beside.tree, beside.robot
        rows, count = sum(len(fixed) for *_, fixed in tree.loops), len(tree.others)
        q = beside.positions(states)
        with localcontext() as context:
            context.prec = 50
            numbers = beside.closure(q), *beside.dynamics(q[:exact])
    except (RobcogenError, ArithmeticError) as error:
        return f"| {name} | {str(error).splitlines()[0]} |"
    sizes = f"{len(tree.loops)}, {rows}, {count} | {robot.n}, {len(robot.actuated) or robot.n}"
    figures = " | ".join(f"{x:.0e}" for x in numbers)
    return f"| {name} | {sizes} | {beside.ways()} | {figures} |"


def lines(arguments: Sequence[str] | None = None) -> Iterator[str]:
    """The lines of the table that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--states", type=int, default=10000)
    parser.add_argument("--exact", type=int, default=100)
    options = parser.parse_args(arguments)
    for file in options.files:
        path, _, loops = file.partition(",")
        yield line(path, loops or None, options.states, options.exact)


if __name__ == "__main__":
    with usage():
        for each in lines():
            print(each, flush=True)
