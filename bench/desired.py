"""How long the functions of HyQ take that the original's users asked for: 50 s there (2016)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

from test.support.robots import robot_path

LIMIT = 5.0
"""Seconds of one processor that it may take."""

_MODEL = "hyq_description/robots/hyq_no_sensors.urdf"
_LEGS = ("lf", "rf", "lh", "rh")
_PARTS = ("hipassembly", "upperleg", "lowerleg", "foot")
_RUNS = 3


@dataclass(frozen=True, slots=True)
class Generation:
    """How long it took to write some files.

    Attributes:
        title: What was generated.
        seconds: Wall-clock time of the command, the best of some runs.
        cpu_seconds: Time of processors that it took, the best of some runs.
        lines: Lines that it wrote.
    """

    title: str
    seconds: float
    cpu_seconds: float
    lines: int


def rows() -> Iterator[Generation]:
    """HyQ as a document of the Kinematics-DSL: what is desired alone, and with everything else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, wish = folder / "hyq.kindsl", folder / "hyq.dtdsl"
        _robcogen("urdf2kindsl", robot_path(_MODEL), "-o", model)
        transforms, jacobians = _pairs()
        robot = model.read_text(encoding="utf-8").split("Robot ", 1)[1].split()[0]
        wish.write_text(_document(robot, transforms, jacobians), encoding="utf-8")
        desired = [f"{a}_X_{b}" for a, b in transforms] + [f"{a}_J_{b}" for a, b in jacobians]
        title = f"HyQ, {len(jacobians)} Jacobians and {len(transforms)} transforms"
        alone = [word for function in desired for word in ("--function", function)]
        yield _generation(title, folder, model, *alone)
        yield _generation(f"{title}, all dynamics", folder, model, "--desired", wish)


def _pairs() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """53 transforms and 16 Jacobians between the trunk and the links of the legs."""
    links = [f"{leg}_{part}" for leg, part in product(_LEGS, _PARTS)]
    transforms = [("trunk", link) for link in links] + [(link, "trunk") for link in links]
    for leg in _LEGS:
        chain = [f"{leg}_{part}" for part in _PARTS]
        transforms += [pair for a, b in pairwise(chain) for pair in ((a, b), (b, a))]
    return transforms[:53], [("trunk", link) for link in links]


def _document(
    robot: str, transforms: list[tuple[str, str]], jacobians: list[tuple[str, str]]
) -> str:
    names = dict.fromkeys(frame for pair in (*transforms, *jacobians) for frame in pair)
    sections = (
        "\n".join(f"    base = {a}  target = {b}" for a, b in pairs)
        for pairs in (transforms, jacobians)
    )
    frames, (first, second) = ", ".join(names), sections
    return (
        f"Robot {robot}\nFrames {{ {frames} }}\n"
        f"Transforms {{\n{first}\n}}\nJacobians {{\n{second}\n}}\n"
    )


def _generation(title: str, folder: Path, model: Path, *options: str | Path) -> Generation:
    best = cheapest = float("inf")
    for run in range(_RUNS):
        output = folder / f"{len(options)}_{run}"
        begin, before = time.perf_counter(), _cpu_seconds()
        _robcogen("generate", model, "--floating-base", *options, "-o", output)
        best = min(best, time.perf_counter() - begin)
        cheapest = min(cheapest, _cpu_seconds() - before)
    texts = (path.read_text(encoding="utf-8") for path in output.rglob("*") if path.is_file())
    return Generation(title, best, cheapest, sum(text.count("\n") for text in texts))


def _cpu_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _robcogen(*words: str | Path) -> None:
    command = [sys.executable, "-m", "robcogen_ros", *map(str, words)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
