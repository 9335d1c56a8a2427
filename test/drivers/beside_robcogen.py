"""Code that RobCoGen 0.4 has generated beside ours of the same document, in one interleaved run.

    python -m test.drivers.beside_robcogen HEADERS GENERATED MODEL.kindsl

HEADERS has `iit/rbd`, the library that its code needs, GENERATED the code with its `traits.h`.
The lines that are printed have instructions, nanoseconds with warm caches and how far results
differ, theirs relative to ours; constants of theirs are rounded to 32 bits, 3e-8. Of the matrix's
inverse it is also told how far its product with the matrix is from the identity.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.compilers import Compiler, compilers, flags, version
from robcogen_ros.bench.generated import compile_function, write_sources
from robcogen_ros.bench.kept import SOURCES
from robcogen_ros.bench.measured import measured
from robcogen_ros.bench.meter import Meter, Subject, machine
from robcogen_ros.bench.peers import include_folders
from robcogen_ros.bench.states import States
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.compiling.commands import run
from test.drivers.usage import usage

Array = NDArray[np.float64]
FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "inertia_matrix_inverse")
SIDE = Path(__file__).parent / "cpp" / "robcogen.cpp"
RUNS = 5


def theirs(headers: Path, generated: Path, compiler: Compiler, folder: Path) -> Path:
    """The library of RobCoGen's functions."""
    traits = (generated / "traits.h").read_text(encoding="utf-8")
    (name,) = re.findall(r"namespace iit \{\s*namespace (\w+) \{", traits)
    floating = int("floating_base = true" in traits)
    includes = [f"-I{path}" for path in (generated, headers, SOURCES)]
    includes += [f"-isystem{path}" for path in include_folders() if path != Path("/usr/include")]
    defined = [f"-DROBCOGEN_NAME={name}", f"-DROBCOGEN_FLOATING={floating}"]
    library = folder / "theirs.so"
    line = [*compiler.command, "-std=c++17", "-w", *flags(), "-fPIC", "-shared", *includes]
    run([*line, *defined, str(SIDE), "-o", str(library)])
    return library


def line(robot: Robot, name: str, library: Path, compiler: Compiler, folder: Path) -> str:
    """A function on both sides: its costs, and how far results differ."""
    function = measured(name).of(robot.floating_base)
    sources = folder / name
    sources.mkdir()
    write_sources(robot, function, sources)
    ours, _ = compile_function(sources, compiler, sources)
    states, given = States(robot), folder / "states"
    states.ours(Library(robot, [function]).function(function)).tofile(given)
    sides = [
        Subject(path, "robot", function, given, folder / f"results{i}")
        for i, path in enumerate((ours, library))
    ]
    meter = Meter(compiler, folder)
    own, other = (meter.results(side).reshape(len(states), -1) for side in sides)
    counts = [count or np.nan for count in meter.instructions(sides)]
    times = np.median([meter.hot(sides) for _ in range(RUNS)], axis=0)
    costs = "".join(f"{a:9.0f}{b:9.0f}{b / a:7.2f}" for a, b in (counts, times))
    return f"{name:24}{costs}   {np.abs(other - own).max() / np.abs(own).max():.1e}"


def products(robot: Robot, folder: Path) -> list[float]:
    """How far the product of inverse and matrix is from the identity: ours, and theirs."""
    size = robot.n + (6 if robot.floating_base else 0)
    found = []
    for side in (0, 1):
        inverse = np.fromfile(folder / "of_inverse" / f"results{side}").reshape(-1, size, size)
        matrix = np.fromfile(folder / "of_matrix" / f"results{side}").reshape(-1, size, size)
        found.append(float(np.abs(inverse @ matrix - np.eye(size)).max()))
    return found


def main() -> None:
    """Prints a line a function."""
    headers, generated, document = map(Path, sys.argv[1:])
    compiler = compilers()[0]
    robot = read(str(document)).robot
    print(f"{robot.name}, n = {robot.n}, {version(compiler)}, {machine()}")
    print(f"{'':24}{'instructions: ours, theirs':25}{'ns: ours, theirs':25}   difference")
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        library = theirs(headers, generated, compiler, folder)
        for name in FUNCTIONS:
            own = folder / {"inertia_matrix": "of_matrix"}.get(name, f"of_{name.split('_')[-1]}")
            own.mkdir(exist_ok=True)
            print(line(robot, name, library, compiler, own))
        mine, other = products(robot, folder)
        print(f"inverse times matrix less the identity: ours {mine:.0e}, theirs {other:.0e}")


if __name__ == "__main__":
    with usage(__doc__, 3):
        main()
