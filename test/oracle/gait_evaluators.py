"""The trot of HyQ by three evaluators of its functions: iterations, seconds, what was to be made.

    python -m test.oracle.gait_evaluators [INTERVALS]

CasADi's virtual machine, the interpreter of the project on the same operations, and CasADi's C
compiled with -O1. Seconds are those of the processor in one thread; the least of three searches.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import casadi
import numpy as np

import robcogen_ros
from robcogen_ros.backends.program.graph import Graph
from robcogen_ros.gait import Specification, find_gait, nlp
from robcogen_ros.gait.coordinates import inverse_kinematics
from robcogen_ros.gait.motion import FUNCTIONS
from robcogen_ros.model.contacts import Foot
from robcogen_ros.runtime.evaluators.interpreter import Code, interpreter
from test.support.hyq import FEET, HYQ
from test.support.robots import robot_path

_LEAST = 200
"""Instructions of functions below which CasADi's virtual machine is kept."""
_NAMES = [
    "input",
    "constant",
    "add",
    "subtract",
    "multiply",
    "divide",
    "negate",
    "sin",
    "cos",
    "sqrt",
    "atan2",
    "select",
]
_NUMBER = {name: i for i, name in enumerate(_NAMES)}
_SAME = {
    casadi.OP_ADD: "add",
    casadi.OP_SUB: "subtract",
    casadi.OP_MUL: "multiply",
    casadi.OP_DIV: "divide",
    casadi.OP_NEG: "negate",
    casadi.OP_SIN: "sin",
    casadi.OP_COS: "cos",
    casadi.OP_SQRT: "sqrt",
    casadi.OP_ATAN2: "atan2",
}

Evaluator = Callable[[Sequence[Any], Any], Any]
virtual_machine: Evaluator = nlp._function


class Interpreted:
    """A function by the project's interpreter."""

    def __init__(self, function: Any) -> None:
        self._function, self._code = function, Code(interpreter(), _graph(function))
        self._kept: list[AtPlaces] = []

    def map(self, count: int) -> Any:
        self._kept.append(AtPlaces(self._function, self._code, count))
        return self._kept[-1]


class AtPlaces(casadi.Callback):
    """The function at many places."""

    def __init__(self, function: Any, code: Code, count: int) -> None:
        casadi.Callback.__init__(self)
        self._function, self._code, self._count = function, code, count
        self._widths = [
            (ctypes.c_size_t * count)(*[size(i) for i in range(count)])
            for count, size in (
                (function.n_in(), function.nnz_in),
                (function.n_out(), function.nnz_out),
            )
        ]
        self.construct("interpreted", {})

    def get_n_in(self) -> int:
        return int(self._function.n_in())

    def get_sparsity_in(self, i: int) -> Any:
        return casadi.Sparsity.dense(self._function.nnz_in(i), self._count)

    def get_sparsity_out(self, i: int) -> Any:
        return casadi.Sparsity.dense(self._function.nnz_out(i), self._count)

    def has_eval_buffer(self) -> bool:
        return True

    def eval_buffer(self, arg: Any, res: Any) -> int:
        given, taken = (
            (ctypes.c_void_p * len(part))(*[np.frombuffer(each).ctypes.data for each in part])
            for part in (arg, res)
        )
        self._code.run_many(self._count, given, self._widths[0], taken, self._widths[1])
        return 0


def interpreted(z: Sequence[Any], c: Any) -> Any:
    """By the project's interpreter."""
    function = virtual_machine(z, c)
    return function if function.n_instructions() < _LEAST else Interpreted(function)


def compiled(z: Sequence[Any], c: Any) -> Any:
    """By the C that CasADi writes."""
    function = virtual_machine(z, c)
    if function.n_instructions() < _LEAST:
        return function
    with tempfile.TemporaryDirectory() as folder:
        writer = casadi.CodeGenerator("f.c")
        writer.add(function)
        writer.generate(f"{folder}/")
        library = f"{folder}/f.so"
        subprocess.run(
            ["cc", "-O1", "-shared", "-fPIC", f"{folder}/f.c", "-o", library, "-lm"], check=True
        )
        return casadi.external(function.name(), library)


def _graph(function: Any) -> Graph:
    """Instructions of an SX function as those of the interpreter."""
    nodes: list[tuple[int, ...]] = []
    values: dict[int, Any] = {}
    constants: dict[float, int] = {}
    entries = []

    def node(name: str, *operands: int) -> int:
        nodes.append((_NUMBER[name], *operands, *[0] * (3 - len(operands))))
        return len(nodes) - 1

    def constant(value: float) -> int:
        return node("constant", constants.setdefault(value, len(constants)))

    for i in range(function.n_instructions()):
        code, own = function.instruction_id(i), function.instruction_input(i)
        to = function.instruction_output(i)
        x = [values.get(each) for each in own]
        if code == casadi.OP_OUTPUT:
            entries.append((to[0], to[1], x[0]))
            continue
        if code == casadi.OP_INPUT:
            found: Any = node("input", *own)
        elif code == casadi.OP_CONST:
            found = constant(function.instruction_constant(i))
        elif code in _SAME:
            found = node(_SAME[code], *x)
        elif code == casadi.OP_SQ:
            found = node("multiply", x[0], x[0])
        elif code == casadi.OP_TWICE:
            found = node("add", x[0], x[0])
        elif code == casadi.OP_INV:
            found = node("divide", constant(1.0), x[0])
        elif code == casadi.OP_LE:
            found = node("subtract", x[1], x[0]), True
        elif code == casadi.OP_LT:
            found = node("subtract", x[0], x[1]), False
        elif code == casadi.OP_NOT:
            found = x[0][0], not x[0][1]
        elif code == casadi.OP_IF_ELSE_ZERO:
            (sign, positive), none = x[0], constant(0.0)
            found = node("select", sign, *((x[1], none) if positive else (none, x[1])))
        else:
            raise ValueError(f"operation {code}")
        values[to[0]] = found
    return Graph(
        np.array(nodes, np.uint32),
        np.array(list(constants)),
        tuple((f"i{i}", function.nnz_in(i)) for i in range(function.n_in())),
        tuple((f"o{i}", function.nnz_out(i)) for i in range(function.n_out())),
        np.array(entries, np.uint32),
    )


class Timed:
    """A solver that is asked three times."""

    seconds = 0.0

    def __init__(self, make: Any, options: dict[str, Any], *words: Any) -> None:
        self._solver = make(*words, {**options, "no_nlp_grad": True})

    def __call__(self, **given: Any) -> Any:
        times = []
        for _ in range(3):
            begin = time.process_time()
            found = self._solver(**given)
            times.append(time.process_time() - begin)
        Timed.seconds = min(times)
        return found

    def stats(self) -> Any:
        return self._solver.stats()


def main(intervals: str = "16") -> None:
    """Print a table."""
    wanted = {"gait": "trot", "speed": (0.5, 0.5), "stride": (0.3, 1.0), "symmetric": True}
    feet, make = [Foot() for _ in FEET], casadi.nlpsol
    casadi.nlpsol = lambda name, solver, problem, options: Timed(
        make, options, name, solver, problem
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        described = {"floating_base": True, "contacts": FEET}
        frames = robcogen_ros.build(robot_path(HYQ), **described, backend="numpy")
        names = [*FUNCTIONS, *inverse_kinematics(frames, frames.contact_records)]
        robot = robcogen_ros.build(robot_path(HYQ), **described, functions=names, backend="numpy")
    print("| dynamics | evaluator | made [s] | iterations | search [s] | in functions |")
    print("|---|---|---|---|---|---|")
    for dynamics in ("full", "reduced"):
        for evaluator in (virtual_machine, interpreted, compiled):
            spent = [0.0]

            def timed(z: Any, c: Any, evaluator: Any = evaluator, spent: Any = spent) -> Any:
                begin = time.perf_counter()
                found = evaluator(z, c)
                spent[0] += time.perf_counter() - begin
                return found

            nlp._function = timed
            nlp._derived.cache_clear()
            asked = Specification(
                **wanted, dynamics=dynamics, intervals=int(intervals), accuracy=1.0
            )
            solution = find_gait(robot, feet, asked).solution
            name = getattr(evaluator, "__name__", "").strip("_").replace("function", "CasADi's VM")
            print(
                f"| {dynamics} | {name} | {spent[0]:.1f} | {solution.iterations} "
                f"| {Timed.seconds:.2f} | {100 * solution.seconds[1]:.0f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
