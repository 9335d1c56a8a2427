"""Which of our functions give the Jacobians of others."""

from __future__ import annotations

from typing import NamedTuple

from robcogen_ros.program.library import Library

_BASE = 6


class Jacobian(NamedTuple):
    """The Jacobian of a function.

    Attributes:
        function: The function that computes it, of the same arguments.
        blocks: By an output and an input, the derivative of one by the other: the matrix that it is
            a part of, its first row and column there, and the sign it takes.
    """

    function: str
    blocks: dict[tuple[str, str], tuple[str, int, int, int]]


def jacobians_of(library: Library) -> dict[str, Jacobian]:
    """Jacobians of functions in a library, by their names."""
    known = _floating() if library.robot.floating_base else _fixed()
    return {name: jacobian for name, jacobian in known.items() if name in library.names}


def _fixed() -> dict[str, Jacobian]:
    return {
        name: Jacobian(
            f"{name}_derivatives",
            {(of, by): (f"d{of}_d{by}", 0, 0, 1) for by in ("q", "qd", last)},
        )
        for name, of, last in (
            ("inverse_dynamics", "tau", "qdd"),
            ("forward_dynamics", "qdd", "tau"),
        )
    }


def _floating() -> dict[str, Jacobian]:
    """Rows and columns of the base come first; what falls is accelerated the other way."""
    forces, motion = {"base_wrench": 0, "tau": _BASE}, {"base_acceleration": 0, "qdd": _BASE}
    state = {"q": ("q", _BASE), "qd": ("qd", _BASE), "base_velocity": ("qd", 0)}
    inverse = {
        (of, by): (f"dtau_d{name}", row, column, 1)
        for of, row in forces.items()
        for by, (name, column) in {**state, **{x: ("qdd", c) for x, c in motion.items()}}.items()
    }
    inverse |= {(of, "gravity"): ("dtau_dqdd", row, 3, -1) for of, row in forces.items()}
    forward = {
        (of, by): (f"dqdd_d{name}", row, column, 1)
        for of, row in motion.items()
        for by, (name, column) in {**state, "tau": ("tau", _BASE)}.items()
    }
    return {
        "inverse_dynamics_fully_actuated": Jacobian("inverse_dynamics_derivatives", inverse),
        "forward_dynamics": Jacobian("forward_dynamics_derivatives", forward),
    }
