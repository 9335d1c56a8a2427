"""CasADi functions of robots beside the compiled ones: differences, instructions, times of a call.

    python -m test.oracle.casadi_graphs [ROBOTS]

ROBOTS are beginnings of titles, separated by commas; by default the ten of the benches.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from timeit import Timer

import numpy as np

import robcogen_ros
from robcogen_ros.bench.robots import SUBJECTS, Subject, chosen

_STATES = 3


@dataclass(frozen=True)
class Row:
    """One function of one robot.

    Attributes:
        robot: The robot.
        function: The function.
        difference: Largest one over some random states, relative to the largest entry of a result.
        instructions: Of CasADi's virtual machine.
        microseconds: Of a call of it.
    """

    robot: str
    function: str
    difference: float
    instructions: int
    microseconds: float

    def __str__(self) -> str:
        return (
            f"| {self.robot} | {self.function} | {self.difference:.1e} | {self.instructions} "
            f"| {self.microseconds:.2f} |"
        )


def rows(subject: Subject) -> Iterator[Row]:
    """All default functions of a robot, and derivatives of the dynamics."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = robcogen_ros.build(
            subject.path,
            floating_base=subject.floating,
            lock=dict.fromkeys(subject.lock, 0.0),
            functions=["default", "inverse_dynamics_derivatives"],
        )
    random = np.random.default_rng(0)
    for name in robot.required_inputs:
        graph, differences = robot.casadi(name), []
        for _ in range(_STATES):
            given = {k: random.normal(size=graph.size_in(k)) for k in graph.name_in()}
            right = robot.evaluate(name, **{k: value[:, 0] for k, value in given.items()})
            found = graph(**given)
            for output, values in right.items():
                scale = np.abs(values).max() or 1.0
                ours = found[output].full().reshape(values.shape, order="F")
                differences.append(float(np.abs(ours - values).max() / scale))
        call, run = graph.buffer()
        for i, array in enumerate(given.values()):
            call.set_arg(i, memoryview(np.ascontiguousarray(array)))
        results = [np.zeros(graph.nnz_out(i)) for i in range(graph.n_out())]
        for i, array in enumerate(results):
            call.set_res(i, memoryview(array))
        count, seconds = Timer(run).autorange()
        yield Row(
            subject.title, name, max(differences), graph.n_instructions(), 1e6 * seconds / count
        )


def main(titles: str = "") -> None:
    """Print a table."""
    print("| robot | function | difference | instructions | time [us] |\n|---|---|---|---|---|")
    for subject in chosen(titles) if titles else SUBJECTS:
        for row in rows(subject):
            print(row, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
