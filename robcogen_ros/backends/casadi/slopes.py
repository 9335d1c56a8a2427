"""Which of our functions give the Jacobians of others."""

from __future__ import annotations

from dataclasses import dataclass

from robcogen_ros.program.library import Library

_BASE = 6


@dataclass(frozen=True, slots=True)
class Block:
    """Derivative of an output by an input: a part of a matrix.

    Attributes:
        output: The output.
        input: The input.
        matrix: The result that has it.
        row: Its first row there.
        column: Its first column.
        sign: "-" where it is what is there with the other sign.
    """

    output: str
    input: str
    matrix: str
    row: int
    column: int
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Slopes:
    """Derivatives of a function.

    Attributes:
        function: The function that computes them, of the same arguments.
        blocks: Its parts.
    """

    function: str
    blocks: tuple[Block, ...]


def slopes_of(library: Library) -> dict[str, Slopes]:
    """The functions in a library that have derivatives of ours."""
    known = _floating() if library.robot.floating_base else _fixed()
    return {name: slopes for name, slopes in known.items() if name in library.names}


def _fixed() -> dict[str, Slopes]:
    return {
        name: Slopes(
            f"{name}_derivatives",
            tuple(Block(of, by, f"d{of}_d{by}", 0, 0) for by in ("q", "qd", last)),
        )
        for name, of, last in (
            ("inverse_dynamics", "tau", "qdd"),
            ("forward_dynamics", "qdd", "tau"),
        )
    }


def _floating() -> dict[str, Slopes]:
    """Rows and columns of the base come first."""
    forces, motion = {"base_wrench": 0, "tau": _BASE}, {"base_acceleration": 0, "qdd": _BASE}
    by_state = [("q", "q", _BASE), ("qd", "qd", _BASE), ("base_velocity", "qd", 0)]
    falling = [
        Block(of, "gravity", "dtau_dqdd", row, _BASE // 2, "-") for of, row in forces.items()
    ]
    return {
        "inverse_dynamics_fully_actuated": Slopes(
            "inverse_dynamics_derivatives",
            (
                *_blocks(forces, "tau", [*by_state, *((x, "qdd", c) for x, c in motion.items())]),
                *falling,
            ),
        ),
        "forward_dynamics": Slopes(
            "forward_dynamics_derivatives",
            _blocks(motion, "qdd", [*by_state, ("tau", "tau", _BASE)]),
        ),
    }


def _blocks(
    rows: dict[str, int], of: str, columns: list[tuple[str, str, int]]
) -> tuple[Block, ...]:
    return tuple(
        Block(output, given, f"d{of}_d{by}", row, column)
        for output, row in rows.items()
        for given, by, column in columns
    )
