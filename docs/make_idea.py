"""Draws the picture of README: a description, the code that is made of it, and what a call takes.

`python docs/make_idea.py`; text and code are those of examples/two_link_arm, the bars are those of
docs/data/dynamics.csv.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path, PurePosixPath
from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.formats.read import read
from robcogen_ros.plots.style import picture
from robcogen_ros.program.library import Library

DOCS = Path(__file__).resolve().parent
ARM = DOCS.parent / "examples" / "two_link_arm" / "two_link_arm.urdf"
PICTURE = DOCS / "images" / "idea.png"
FUNCTION, ROBOT = "inverse_dynamics", "Panda"
PEERS = ("Pinocchio", "Pinocchio + CppADCodeGen", "KDL")


def description() -> str:
    """The forearm and its joint."""
    text = ARM.read_text(encoding="utf-8")
    forearm = re.search(r'  <link name="forearm">.*?</link>', text, re.DOTALL)
    elbow = re.search(r'  <joint name="elbow".*?</joint>', text, re.DOTALL)
    assert forearm and elbow
    return "\n".join(line[2:] for found in (forearm, elbow) for line in found[0].splitlines())


def code() -> str:
    """The body of the generated inertia matrix."""
    library = Library(read(ARM).robot, ["inertia_matrix"])
    files = cpp_files(library, Target("my_robot", "arm", ARM.name))
    text = files[PurePosixPath("include/my_robot/arm/inertia_matrix.hpp")]
    body = re.search(r"template <typename T>.*?\n}", text, re.DOTALL)
    assert body
    return body[0].replace("  using std::cos;\n", "")


def ratios() -> dict[str, float]:
    """How long each peer takes beside ours, with warm caches."""
    with (DOCS / "data" / "dynamics.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["robot"] == ROBOT]
    (row,) = [row for row in rows if row["function"] == FUNCTION]
    return {"robcogen_ros": 1.0, **{peer: float(row[f"{peer} full"]) for peer in PEERS}}


def draw_text(axes: Any, title: str, text: str) -> None:
    """A text in the type of programs."""
    axes.set_axis_off()
    axes.set_title(title, fontsize=11, fontweight="bold")
    axes.text(0, 0.98, text, family="monospace", fontsize=8.2, va="top", linespacing=1.3)


def draw_bars(axes: Any) -> None:
    """What a call takes."""
    axes.set_title("What a call takes", fontsize=11, fontweight="bold")
    found = ratios()
    titles = [name.replace(" + ", "\n+ ") for name in found]
    bars = axes.barh(titles, list(found.values()), color=["#2a9d4e", *["#5f6b76"] * len(PEERS)])
    axes.bar_label(bars, [f"{value:g}" for value in found.values()], padding=3)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set_xlabel(f"{FUNCTION} of a {ROBOT}; ours is 1")
    axes.set_xlim(0, 1.15 * max(found.values()))


def main() -> None:
    """Draw the picture."""
    with picture(PICTURE, (13.6, 3.7)) as figure:
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.3, 1.1, 0.8))
        draw_text(left, "Your URDF", description())
        draw_text(middle, "C++ that is made of it: H(q)", code())
        draw_bars(right)


if __name__ == "__main__":
    main()
