"""Makes the gallery: `python docs/make_gallery.py [pictures] [page]`, or both.

Pictures come from `robcogen view`, which needs the extra `view` and Chromium; speed comes from
docs/data/dynamics.csv and docs/data/gallery.csv. The robots are those of the package
example-robot-data.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

from robcogen_ros.bench.robots import robot_path  # noqa: E402
from robcogen_ros.cli.tables.closed_forms import Notation, formulas  # noqa: E402
from robcogen_ros.formats.read import read  # noqa: E402
from robcogen_ros.model.robot import Robot  # noqa: E402
from robcogen_ros.program.choose import operation_counts  # noqa: E402
from robcogen_ros.program.library import Library  # noqa: E402

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix")
MEASURED = (DOCS / "data" / "dynamics.csv", DOCS / "data" / "gallery.csv")
"""Each of one machine."""
PICTURES = DOCS / "images" / "gallery"
SIZE = (480, 360)
LONGEST = 260
"""Characters of a formula that is short enough to be shown."""


@dataclass(frozen=True)
class Shown:
    """A robot of the gallery.

    Attributes:
        title: What it is called.
        file: Its URDF, below the directory of robots.
        text: What it is.
        floating: Whether its base floats.
        lock: Joints locked at zero.
        view: More words for `robcogen view`.
    """

    title: str
    file: str
    text: str
    floating: bool = False
    lock: tuple[str, ...] = ()
    view: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its name in names of files."""
        return re.sub(r"\W+", "_", self.title.lower())

    @property
    def options(self) -> list[str]:
        """Options of every command."""
        locked = [word for joint in self.lock for word in ("--lock", f"{joint}=0")]
        return [*(["--floating-base"] if self.floating else []), *locked]

    def read(self) -> Robot:
        """The robot."""
        lock = dict.fromkeys(self.lock, 0.0)
        return read(robot_path(self.file), floating_base=self.floating, lock=lock).robot


ROBOTS = (
    Shown(
        "Panda",
        "panda_description/urdf/panda.urdf",
        "An arm of seven joints; its fingers are locked.",
        lock=("panda_finger_joint1",),
    ),
    Shown(
        "UR5",
        "ur_description/urdf/ur5_robot.urdf",
        "An arm of six joints, of which three in a row are parallel.",
        view=("--posture", "shoulder_lift_joint=-1.3", "elbow_joint=1.7", "wrist_1_joint=-1.9"),
    ),
    Shown("xArm 7", "xarm_description/urdf/xarm7.urdf", "An arm of seven joints."),
    Shown(
        "Allegro hand",
        "allegro_hand_description/urdf/allegro_left_hand.urdf",
        "Four fingers of four joints, which are computed side by side.",
    ),
    Shown("HyQ", "hyq_description/robots/hyq_no_sensors.urdf", "A hydraulic quadruped.", True),
    Shown("Solo12", "solo_description/robots/solo12.urdf", "A quadruped of 2.5 kg.", True),
    Shown(
        "ANYmal C", "anymal_c_simple_description/urdf/anymal.urdf", "A quadruped of 50 kg.", True
    ),
    Shown("Talos", "talos_data/robots/talos_reduced.urdf", "A humanoid of 32 joints.", True),
    Shown("G1", "g1_description/urdf/g1_29dof_rev_1_0.urdf", "A humanoid of 29 joints.", True),
    Shown(
        "Baxter",
        "baxter_description/urdf/baxter.urdf",
        "Two arms of seven joints and a head; the grippers are locked.",
        lock=("r_gripper_l_finger_joint", "l_gripper_l_finger_joint"),
    ),
)


def main(parts: Sequence[str]) -> None:
    """Make what is asked for."""
    steps = {"pictures": make_pictures, "page": make_page}
    for name in parts or steps:
        steps[name]()


def make_pictures() -> None:
    """Draw each robot, in few enough colours that its file is small."""
    from PIL import Image

    PICTURES.mkdir(parents=True, exist_ok=True)
    for shown in ROBOTS:
        path = PICTURES / f"{shown.key}.png"
        words = ["--size", f"{2 * SIZE[0]}x{2 * SIZE[1]}", "--png", str(path)]
        run("view", shown, [*shown.view, *words])
        with Image.open(path) as picture:
            small = picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
        small.quantize(96).save(path, optimize=True)


def run(command: str, shown: Shown, words: Sequence[str]) -> None:
    """Run a command on a robot."""
    model = str(robot_path(shown.file))
    line = [sys.executable, "-m", "robcogen_ros", command, model, *shown.options, *words]
    subprocess.run(line, check=True, cwd=DOCS.parent, stderr=subprocess.DEVNULL)


def make_page() -> None:
    """Write the page from the robots and from what was measured."""
    sections = ["\n".join(section(shown)) for shown in ROBOTS]
    (DOCS / "gallery.md").write_text("\n\n".join([HEAD, *sections]) + "\n", encoding="utf-8")


HEAD = """# Gallery

Ten robots of the package `example-robot-data`, and what their generated code costs. Operations are
those of one call: multiplications, divisions, additions, subtractions, sines, cosines and roots.
The Pinocchio columns are its time divided by ours, with warm and with cold caches;
[performance.md](performance.md) tells the machine and how to measure yours; the robots of
[gallery.csv](data/gallery.csv) were measured with g++ 12 on an Intel Xeon with AVX-512.
`python docs/make_gallery.py` makes this page and its pictures."""


def section(shown: Shown) -> Iterator[str]:
    """The page's part about one robot."""
    robot = shown.read()
    base = "on a floating base" if robot.floating_base else "on a fixed base"
    yield f"## {shown.title}\n"
    yield f"![{shown.title}](images/gallery/{shown.key}.png)\n"
    yield f"{shown.text} {robot.n} coordinates {base}.\n"
    yield from table(shown, robot)
    entry, formula, angles = shortest(robot)
    yield f"\nOne entry of H, with the angles {angles}:\n\n$$\n{formula}\n$$\n"
    file, options = Path(shown.file).name, " ".join(["", *shown.options])
    yield f"    robcogen inspect {file}{options} --symbolic '{entry}' --latex"
    yield f"    robcogen bench {file}{options}"
    yield f"    robcogen view {file}"


def table(shown: Shown, robot: Robot) -> Iterator[str]:
    """Operations of the functions, and how long Pinocchio takes where that was measured."""
    title = f"{shown.title}, floating" if shown.floating else shown.title
    rows = {row["function"]: row for row in measured() if row["robot"] == title}
    yield "| function | operations |" + (" Pinocchio: full, empty |" if rows else "")
    yield "|---|---|" + ("---|" if rows else "")
    for name in FUNCTIONS:
        count = sum(operation_counts(Library(robot, [name]).entry(name).fastest).values())
        times = [rows[name][f"Pinocchio {caches}"] for caches in ("full", "empty")] if rows else []
        yield f"| `{name}` | {count} |" + (f" {' x, '.join(times)} x |" if rows else "")


def measured() -> Iterator[dict[str, str]]:
    """All rows of the files of measurements."""
    for path in MEASURED:
        with path.open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)


def shortest(robot: Robot) -> tuple[str, str, str]:
    """The first entry on the diagonal of H that moves and is short, its formula, its angles."""
    first = 6 if robot.floating_base else 0
    for row in range(first, first + robot.n):
        entry = f"H[{row},{row}]"
        lines = list(formulas(robot, entry, Notation(latex=True, digits=3)))
        said = [re.match(r"% (\w+?)_(\d+): \w+ of (\S+)", line) for line in lines]
        angles = ", ".join(f"$q_{{{each[2]}}}$ of `{each[3]}`" for each in said if each)
        body = [line for line in lines if not line.startswith("%")]
        if angles and len("".join(body)) < LONGEST:
            return entry, _aligned(body), angles
    raise LookupError(f"no entry of H of {robot.name} is short")


def _aligned(lines: Sequence[str]) -> str:
    """Equations below each other, with arguments of sines written without parentheses."""
    argument = r"\\(sin|cos)(\^\{2\})?\{\\left\((q_\{\d+\}) \\right\)\}"
    plain = [re.sub(argument, r"\\\1\2\\, \3", line.removesuffix(" \\\\")) for line in lines]
    if len(plain) == 1:
        return plain[0]
    rows = " \\\\\n".join(line.replace(" = ", " &= ", 1) for line in plain)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


if __name__ == "__main__":
    main(sys.argv[1:])
