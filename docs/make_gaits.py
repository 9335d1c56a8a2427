"""Makes the figures of gaits.md: `python docs/make_gaits.py [trot] [walk] [shank]`, or all.

Needs CasADi and Matplotlib; HyQ and Talos are those of the package example-robot-data.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

import robcogen_ros  # noqa: E402
from robcogen_ros.bench.robots import robot_path  # noqa: E402
from robcogen_ros.gait import find_gait, read_settings  # noqa: E402
from robcogen_ros.gait.motion import FUNCTIONS  # noqa: E402
from robcogen_ros.plots import style  # noqa: E402
from robcogen_ros.standing.footing import find_footing  # noqa: E402

PICTURES = DOCS / "images" / "gaits"
EXAMPLE = DOCS.parent / "examples" / "gait_design"
TALOS = "talos_data/robots/talos_reduced.urdf"
TROT = "gait: trot\nspeed: 0.5\nstride: [0.3, 1.0]\n"
WALK = (
    "gait: walk\nspeed: 0.15\nstride: [0.8, 1.6]\nduty: 0.6\nstep_height: 0.03\nstability: static\n"
)
LENGTHS = np.linspace(0.2, 0.4, 9)
"""Of shanks, that are tried beside the one that is found [m]."""


def main(parts: Sequence[str]) -> None:
    """Make what is asked for."""
    steps = {"trot": make_trot, "walk": make_walk, "shank": make_shank}
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in parts or steps:
        steps[name]()


def make_trot() -> None:
    """HyQ's trot."""
    draw("hyq_description/robots/hyq_no_sensors.urdf", TROT, "trot")


def make_walk() -> None:
    """Talos walks; its arms, its torso and its head are locked."""
    legs = {f"leg_{side}_{i}_joint" for side in ("left", "right") for i in range(1, 7)}
    joints = set(robcogen_ros.build(robot_path(TALOS), backend="numpy").joint_names) - legs
    bent = {"_2_": 0.3, "_4_": -0.5}
    words = []
    for joint in sorted(joints):
        arm = next((angle for part, angle in bent.items() if part in joint and "arm" in joint), 0.0)
        sign = -1 if "arm_right_2" in joint else 1
        words += ["--lock", f"{joint}={sign * arm}"]
    draw(TALOS, WALK, "walk", *words)


def draw(robot: str, settings: str, name: str, *words: str) -> None:
    """Find a gait and draw it."""
    file = PICTURES / f"{name}.yaml"
    file.write_text(settings, encoding="utf-8")
    picture = str(PICTURES / f"{name}.png")
    line = [sys.executable, "-m", "robcogen_ros", "gait", str(robot_path(robot)), *words]
    subprocess.run([*line, str(file), "-o", picture, "--quiet"], check=True, cwd=DOCS.parent)
    file.unlink()
    shrink(Path(picture))


def make_shank() -> None:
    """Effort by the length of the shank, and the length that was found."""
    model, wanted = EXAMPLE / "quadruped.kindsl", read_settings(EXAMPLE / "shank.yaml")
    footing = find_footing(model)
    robot = robcogen_ros.build(model, contacts=footing.names, functions=FUNCTIONS, backend="numpy")
    found = find_gait(robot, footing.feet, wanted, standing=footing.standing)
    merits = []
    for length in LENGTHS:
        robot.parameters["shank"] = length
        gait = find_gait(robot, footing.feet, replace(wanted, design={}), standing=footing.standing)
        merits.append(gait.merit)
        print(f"{length:.3f} m: {gait.merit:.5f} ({gait.solution.status})")
    print(f"{found.design['shank']:.4f} m was found: {found.merit:.5f}")
    with style.picture(PICTURES / "shank.png", (6.0, 3.2)) as figure:
        axes = figure.subplots()
        axes.plot(LENGTHS, merits, "o-", label="lengths that are set")
        axes.plot(found.design["shank"], found.merit, "D", label="length found with the gait")
        axes.set_xlabel("length of the shanks [m]")
        axes.set_ylabel("merit of the trot")
        axes.margins(0.03)
        axes.legend()
    shrink(PICTURES / "shank.png")


def shrink(path: Path) -> None:
    """Few enough colours that the file is small."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB")
    small.quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
