"""All functions of all robots of example-robot-data by the interpreter, against their programs.

`python -m test.oracle.interpreted [PART OF A NAME ...]`; a quarter of an hour for all of them.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np

from robcogen_ros.backends.program.graph import graph_of
from robcogen_ros.bench.robots import robot_path
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreter import Code, interpreter
from test.support.operations import evaluated, reference
from test.support.robots import all_robots


def compare(name: str, floating_base: bool) -> str:
    """Compare all functions of a robot; what is to be said."""
    library = Library(
        read(robot_path(name), floating_base=floating_base).robot, ["all", "derivatives"]
    )
    random, largest = np.random.default_rng(1), 0
    for function in library.names:
        entry = library.other([function]).entry(function)
        for program in filter(None, (entry.general, entry.usual)):
            inputs = {a.name: random.uniform(-1, 1, a.size) for a in program.inputs}
            found = evaluated(Code(interpreter(), graph_of(program)), inputs)
            expected = reference(program, inputs)
            for result, values in found.items():
                np.testing.assert_array_equal(values, expected[result], f"{function}.{result}")
            largest = max(largest, len(program.graph.nodes))
    return f"{len(library.names)} functions are equal, up to {largest} nodes"


def main(parts: list[str]) -> int:
    """Compare robots whose names contain one of the parts; returns the exit code."""
    warnings.simplefilter("ignore")
    failed = 0
    for name in all_robots():
        if parts and not any(part in name for part in parts):
            continue
        for floating_base in (False, True):
            start = time.perf_counter()
            try:
                said = compare(name, floating_base)
            except RobcogenError as error:
                said = f"refused: {str(error).splitlines()[0]}"
            except AssertionError as error:
                said, failed = f"DIFFERENT: {error}", failed + 1
            base = "floating" if floating_base else "fixed"
            print(f"{name} {base}: {said} ({time.perf_counter() - start:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
