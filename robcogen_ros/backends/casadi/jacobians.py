"""Functions that give the Jacobians of others."""

from __future__ import annotations

from typing import NamedTuple

from robcogen_ros.program.library import Library


class Jacobian(NamedTuple):
    """The Jacobian of a function.

    Attributes:
        function: The function that computes it, of the same arguments.
        blocks: By an output and an input, the derivative of one by the other: what it is of `m`,
            the results of that function by name.
        free: Whether the blocks are those of a given acceleration of the base, which here follows.
    """

    function: str
    blocks: dict[tuple[str, str], str]
    free: bool = False


def jacobians_of(library: Library) -> dict[str, Jacobian]:
    """Jacobians of functions in a library, by their names; CasADi finds those of others."""
    robot, lacking = library.robot, library.requested.unavailable
    known = _floating(robot.n) if robot.floating_base else _fixed()
    return {
        name: jacobian
        for name, jacobian in known.items()
        if name in library.names and jacobian.function not in lacking
    }


def _fixed() -> dict[str, Jacobian]:
    return {
        name: Jacobian(
            f"{name}_derivatives",
            {(of, by): f'm["d{of}_d{by}"]' for by in ("q", "qd", last)},
        )
        for name, of, last in (
            ("inverse_dynamics", "tau", "qdd"),
            ("forward_dynamics", "qdd", "tau"),
        )
    }


def _floating(n: int) -> dict[str, Jacobian]:
    """Rows and columns of the base come first; what falls is accelerated the other way."""
    base, joints = "0:6", f"6:{6 + n}"
    forces, motion = (
        {"base_wrench": base, "tau": joints},
        {"base_acceleration": base, "qdd": joints},
    )
    state = {"q": ("q", joints), "qd": ("qd", joints), "base_velocity": ("qd", base)}
    inverse = {
        (of, by): f'm["dtau_d{name}"][{rows}, {columns}]'
        for of, rows in forces.items()
        for by, (name, columns) in {**state, **{x: ("qdd", c) for x, c in motion.items()}}.items()
    }
    forward = {
        (of, by): f'm["dqdd_d{name}"][{rows}, {columns}]'
        for of, rows in motion.items()
        for by, (name, columns) in {**state, "tau": ("tau", joints)}.items()
    }
    falling = {(of, "gravity"): f'-m["dtau_dqdd"][{rows}, 3:6]' for of, rows in forces.items()}
    given = "inverse_dynamics_derivatives"
    return {
        "inverse_dynamics": Jacobian(given, inverse, free=True),
        "inverse_dynamics_fully_actuated": Jacobian(given, inverse | falling),
        "forward_dynamics": Jacobian("forward_dynamics_derivatives", forward),
    }
