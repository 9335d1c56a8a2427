"""CasADi functions of robots beside the compiled ones: differences, instructions, times of a call.

    python -m test.oracle.casadi_graphs [ROBOTS]

ROBOTS are beginnings of titles, separated by commas; by default the ten of the benches.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from timeit import Timer
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.bench.robots import SUBJECTS, Subject, chosen

_STATES = 3

Inputs = dict[str, np.ndarray]


def compared(
    subject: Subject, functions: Sequence[str] = ("default", "derivatives")
) -> Iterator[tuple[Any, Inputs, float]]:
    """Functions of a robot: the one of CasADi, a state, and the largest difference.

    Differences are over some random states, relative to the largest entry of a result.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = robcogen_ros.build(
            subject.path,
            floating_base=subject.floating,
            lock=dict.fromkeys(subject.lock, 0.0),
            functions=functions,
        )
    random = np.random.default_rng(0)
    for name in robot.required_inputs:
        graph, differences = robot.casadi(name), []
        for _ in range(_STATES):
            given = {k: random.normal(size=graph.size_in(k)) for k in graph.name_in()}
            right = robot.evaluate(name, **{k: value[:, 0] for k, value in given.items()})
            found = graph(**given)
            for output, values in right.items():
                scale = np.abs(values).max(initial=0) or 1.0
                ours = found[output].full().reshape(values.shape, order="F")
                differences.append(np.abs(ours - values).max(initial=0) / scale)
        yield graph, given, float(np.max(differences))


def microseconds(graph: Any, given: Inputs) -> float:
    """Time of a call, the shortest of some."""
    call, run = graph.buffer()
    arrays = [np.ascontiguousarray(array) for array in given.values()]
    results = [np.zeros(graph.nnz_out(i)) for i in range(graph.n_out())]
    for i, array in enumerate(arrays):
        call.set_arg(i, memoryview(array))
    for i, array in enumerate(results):
        call.set_res(i, memoryview(array))
    timer = Timer(run)
    count, _ = timer.autorange()
    return 1e6 * min(timer.repeat(5, count)) / count


def main(titles: str = "") -> None:
    """Print a table."""
    print("| robot | function | difference | instructions | time [us] |\n|---|---|---|---|---|")
    for subject in chosen(titles) if titles else SUBJECTS:
        for graph, given, difference in compared(subject):
            row = (subject.title, graph.name(), f"{difference:.1e}", graph.n_instructions())
            line = " | ".join([*map(str, row), f"{microseconds(graph, given):.2f}"])
            print(f"| {line} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
