"""Makes the table and the picture of loops.md, of the robots of examples/linkages.

`python docs/make_loops.py` draws docs/images/linkages.png and prints the table.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

import robcogen_ros  # noqa: E402
from robcogen_ros.plots.style import picture  # noqa: E402

ROBOTS = DOCS.parent / "examples" / "linkages"
PICTURE = DOCS / "images" / "linkages.png"
PITCHES, ROLL = (-0.4, -0.2, 0.0, 0.2, 0.4), 0.2
MOTORS = ("left_motor", "right_motor")
KNEE = (-0.1, 0.25, 0.55)
"""Positions of the leg's motor that are drawn [rad]."""


def robot(name: str, *functions: str) -> Any:
    """A robot of the examples, interpreted."""
    files = ROBOTS / f"{name}.urdf", ROBOTS / f"{name}.yaml"
    return robcogen_ros.build(files[0], loops=files[1], functions=functions, backend="numpy")


def reflected(ankle: Any, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Inertia (2, 2) of two rotors of inertia 1 along pitch and roll."""
    rows = [ankle.moving_joint_names.index(name) for name in MOTORS]
    G = ankle.evaluate("coordinate_jacobian", q=q)["G"][rows]
    return np.asarray(G.T @ G)


def table() -> list[str]:
    """Exact reflected inertia at some positions, in units of a rotor's, as a table of the page."""
    ankle = robot("ankle", "coordinate_jacobian")
    lines = [
        "| pitch [rad] | roll [rad] | along pitch | along roll | between them |",
        "|" + "---|" * 5,
    ]
    for roll in (0.0, ROLL):
        for pitch in PITCHES:
            H = reflected(ankle, np.array([pitch, roll]))
            numbers = (H[0, 0], H[1, 1], H[0, 1])
            cells = [
                f"{pitch:g}",
                f"{roll:g}",
                *(f"{x:.2f}".replace("-0.00", "0.00") for x in numbers),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def draw_leg(axes: Any) -> None:
    """The leg at some positions of its motor, seen from the side."""
    leg = robot("leg", "default")
    names = list(leg.frame_names)
    lines = (("thigh", "shank", "toe"), ("crank", "rod", "closing_knee_rod_1", "shank"))
    for k, motor in enumerate(KNEE):
        places = leg.frame_poses(np.array([0.0, motor]))[:, :3, 3]
        for line, width in zip(lines, (3.0, 1.2), strict=True):
            points = places[[names.index(name) for name in line]]
            axes.plot(points[:, 0], points[:, 2], "o-", color=f"C{k}", lw=width, ms=3)
    axes.set_aspect("equal")
    axes.margins(0.15)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("z [m]")
    axes.set_title("leg.urdf: a motor at the hip")


def draw_inertia(axes: Any) -> None:
    """Exact reflected inertia of the ankle's rotors over pitch, and what is often taken for it."""
    ankle = robot("ankle", "coordinate_jacobian")
    pitches = np.linspace(PITCHES[0], PITCHES[-1], 80)
    H = np.array([reflected(ankle, np.array([pitch, ROLL])) for pitch in pitches])
    for (row, column), label in (((0, 0), "pitch"), ((1, 1), "roll"), ((0, 1), "coupling")):
        axes.plot(pitches, H[:, row, column], label=label)
    axes.axhline(2.0, ls="--", color="C7", label="2 x rotor")
    axes.set_xlabel(f"pitch [rad], at roll = {ROLL:g}")
    axes.set_ylabel("inertia / that of a rotor")
    axes.set_title("ankle.urdf: inertia of its two rotors")
    axes.legend()


def main() -> None:
    """Draw the picture, print the table."""
    with picture(PICTURE, (9.0, 3.6)) as figure:
        left, right = figure.subplots(1, 2)
        draw_leg(left)
        draw_inertia(right)
    print("\n".join(table()))


if __name__ == "__main__":
    main()
