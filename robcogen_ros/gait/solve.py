"""Solves a nonlinear program with IPOPT."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.gait.nlp import Program
from robcogen_ros.progress import task

TOLERANCE = 1e-8
ITERATIONS = 500
_METIS = 5
"""Ordering of MUMPS: nested dissection suits problems that are long and narrow."""
_NEAR = 1e-5
"""Barrier of a search that begins near a minimum, and how far from bounds it begins."""
STOPPED = "stopped"
"""Status of a search that Ctrl-C ended."""
_THROWN = "NonIpopt_Exception_Thrown"
"""Word of IPOPT where Ctrl-C ends it; the results it gives then are none."""


Row = tuple[str, float]
"""Words of a row and its place, and by how much it is violated."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Result of a search.

    Attributes:
        x: The variables.
        merit: What was minimised.
        succeeded: Whether it is a minimum, within the tolerance.
        status: How the solver says it.
        iterations: How many it took.
        seconds: Of the solver, and the share of them in functions.
        violated: The rows that are violated most, and by how much; none if it succeeded.
        multipliers: Of the bounds of the variables, and of the rows.
    """

    x: Array
    merit: float
    succeeded: bool
    status: str
    iterations: int
    seconds: tuple[float, float]
    violated: tuple[Row, ...]
    multipliers: tuple[Array, Array]


def solve(
    program: Program,
    start: Array,
    iterations: int = ITERATIONS,
    multipliers: tuple[Array, Array] | None = None,
) -> Solution:
    """The minimum near a start.

    Ctrl-C ends the search and keeps what it has.

    Args:
        program: The program.
        start: Values of the variables.
        iterations: The most that are made.
        multipliers: Of the start, if it is near the minimum.
    """
    functions, scale = program.functions(), np.array(program.scale)
    with task("searching", iterations, "iterations") as step:
        watch = _Watch(len(start), len(program.row_limits[0]), step.advance)
        options = {
            "print_time": False,
            "record_time": True,
            "show_eval_warnings": False,
            "iteration_callback": watch,
            "ipopt": {
                "print_level": 0,
                "sb": "yes",
                "tol": TOLERANCE,
                "constr_viol_tol": 0.1 * TOLERANCE,
                "bound_relax_factor": 0.1 * TOLERANCE,
                "max_iter": iterations,
                "nlp_scaling_method": "none",
                "mumps_pivot_order": _METIS,
                **({} if multipliers is None else _warm()),
            },
            **{name: functions[name] for name in ("grad_f", "jac_g", "hess_lag")},
        }
        solver = casadi.nlpsol("gait", "ipopt", functions["nlp"], options)
        low, high = program.row_limits
        of_variables, of_rows = multipliers or (0.0, 0.0)
        found = solver(
            x0=start / scale,
            lam_x0=of_variables,
            lam_g0=of_rows,
            lbx=np.array(program.lower) / scale,
            ubx=np.array(program.upper) / scale,
            lbg=low,
            ubg=high,
        )
    told = solver.stats()
    x, merit, g = (np.array(found[name]).ravel() for name in ("x", "f", "g"))
    status = str(told["return_status"])
    if status == _THROWN and watch.last is not None:
        (x, merit, g), status = watch.last, STOPPED
    inside = sum(value for name, value in told.items() if name.startswith("t_wall_nlp"))
    return Solution(
        x=x * scale,
        merit=float(merit[0]),
        succeeded=bool(told["success"]),
        status=status,
        iterations=int(told["iter_count"]),
        seconds=(float(told["t_wall_total"]), float(inside / max(told["t_wall_total"], 1e-9))),
        violated=() if told["success"] else _violated(program, g),
        multipliers=(np.array(found["lam_x"]).ravel(), np.array(found["lam_g"]).ravel()),
    )


def _warm() -> dict[str, Any]:
    """Options of IPOPT for a start with multipliers."""
    names = ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push")
    pushes = {f"warm_start_{name}": _NEAR for name in names}
    return {"warm_start_init_point": "yes", "mu_init": _NEAR, **pushes}


def together(*seconds: tuple[float, float]) -> tuple[float, float]:
    """Seconds, and the share of them in functions, of several searches."""
    total = sum(each for each, _ in seconds)
    return total, sum(each * share for each, share in seconds) / max(total, 1e-9)


def _violated(program: Program, g: Array) -> tuple[Row, ...]:
    low, high = program.row_limits
    by = np.maximum(low - g, g - high)
    worst = np.argsort(-by)[:5]
    return tuple((program.row_name(int(i)), float(by[i])) for i in worst if by[i] > TOLERANCE)


class _Watch(casadi.Callback):
    """Tells each iteration, and keeps the last one: variables, merit, rows."""

    last: tuple[Array, Array, Array] | None = None

    def __init__(self, variables: int, rows: int, told: Callable[..., None]) -> None:
        casadi.Callback.__init__(self)
        self._variables, self._rows, self._told = variables, rows, told
        self.construct("watch", {})

    def get_n_in(self) -> int:
        return int(casadi.nlpsol_n_out())

    def get_n_out(self) -> int:
        return 1

    def get_sparsity_in(self, i: int) -> Any:
        sizes = {"x": self._variables, "lam_x": self._variables, "g": self._rows}
        sizes |= {"lam_g": self._rows, "f": 1, "lam_p": 0}
        return casadi.Sparsity.dense(sizes[casadi.nlpsol_out(i)], 1)

    def eval(self, arg: Any) -> list[int]:
        by_name = {casadi.nlpsol_out(i): np.array(value).ravel() for i, value in enumerate(arg)}
        self.last = (by_name["x"], by_name["f"], by_name["g"])
        self._told(1, f"merit {float(by_name['f'][0]):.4g}")
        return [0]
