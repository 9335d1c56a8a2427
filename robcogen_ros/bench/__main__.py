"""Measurements for developers; `robcogen bench` is the one for users.

    python -m robcogen_ros.bench peers        our functions beside those of other libraries
    python -m robcogen_ros.bench compare OLD  this checkout beside another one, in one run
    python -m robcogen_ros.bench generation   seconds, memory and bytes that a robot takes
    python -m robcogen_ros.bench python       generated Python modules beside Pinocchio's bindings
    python -m robcogen_ros.bench publisher    CPU time of transform_publisher (needs ROS 2)
    python -m robcogen_ros.bench standing     how robots on legs stand, walk and answer pushes

ROBCOGEN_CXXFLAGS=-march=x86-64-v3 measures AVX2 on a processor that has AVX-512.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from robcogen_ros.backends.render import write_files
from robcogen_ros.bench import compare, generation, publisher, python_module, standing, table
from robcogen_ros.bench.comparison import Comparison
from robcogen_ros.bench.compilers import compilers, flags, version
from robcogen_ros.bench.measured import FUNCTIONS, measured
from robcogen_ros.bench.meter import machine
from robcogen_ros.bench.peers import PEERS
from robcogen_ros.bench.robots import SUBJECTS, chosen
from robcogen_ros.errors import RobcogenError
from robcogen_ros.progress import say, shown

Part = Callable[[argparse.Namespace], Iterator[str]]


def main(words: Sequence[str] | None = None) -> int:
    """Measures and prints; the exit code is 1 where that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m robcogen_ros.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(dest="part", required=True)
    peers = _part(parts, "peers", _peers)
    peers.add_argument("--out", type=Path, help="write the table here, too")
    other = _part(parts, "compare", _compare)
    other.add_argument("checkout", type=Path, help="the other checkout")
    other.add_argument("--runs", type=int, default=3, help="medians over so many")
    _part(parts, "generation", _generation)
    _part(parts, "python", lambda options: python_module.lines(chosen(options.robots)))
    node = parts.add_parser("publisher")
    node.set_defaults(run=lambda o: publisher.lines(o.robot, o.rate, o.seconds))
    node.add_argument("robot", type=Path, help="URDF")
    node.add_argument("--rate", type=float, default=100.0, help="joint states a second")
    node.add_argument("--seconds", type=int, default=20, help="how long to measure")
    legs = parts.add_parser("standing", description=standing.__doc__)
    legs.set_defaults(run=lambda o: standing.lines(o.robot, o.seconds, o.mujoco))
    known = ", ".join(standing.FILES)
    legs.add_argument("robot", nargs="*", help=f"a file, or one of {known} (all of these)")
    legs.add_argument("--seconds", type=float, default=60.0, help="how long to stand (60)")
    legs.add_argument("--mujoco", action="store_true", help="stand in MuJoCo, too")
    options = parser.parse_args(words)
    try:
        with shown(True):
            for line in options.run(options):
                say(line)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except (RobcogenError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _part(parts: Any, name: str, run: Part) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = parts.add_parser(name)
    parser.set_defaults(run=run)
    robots = ",".join(subject.title.split(",")[0] for subject in SUBJECTS)
    parser.add_argument("--robots", default=robots, help="beginnings of titles (%(default)s)")
    parser.add_argument("--functions", default="", help="separated by commas")
    return parser


def _function_names(options: argparse.Namespace) -> list[str]:
    return [name for name in options.functions.split(",") if name]


def _conditions() -> str:
    return f"{machine()}; {', '.join(map(version, compilers()))}; {' '.join(flags())}"


def _peers(options: argparse.Namespace) -> Iterator[str]:
    rows = [_conditions(), "", *table.markdown_head()]
    yield from rows
    functions = [measured(name) for name in _function_names(options)] or list(FUNCTIONS)
    for subject in chosen(options.robots):
        comparison = Comparison(subject.read(), PEERS)
        for function in functions:
            lines = list(table.markdown(list(comparison.rows([function])), subject.title))
            yield from lines
            rows += lines
            if options.out:
                write_files({options.out: "\n".join([*rows, ""])})
        for note in comparison.notes:
            print(f"{subject.title}: {note}", file=sys.stderr)


def _compare(options: argparse.Namespace) -> Iterator[str]:
    functions = [measured(name) for name in _function_names(options) or compare.FUNCTIONS]
    yield _conditions()
    yield compare.heading()
    found: list[compare.Line] = []
    for line in compare.lines(
        options.checkout.resolve(), chosen(options.robots), functions, options.runs
    ):
        found.append(line)
        yield str(line)
    yield compare.means(found)


def _generation(options: argparse.Namespace) -> Iterator[str]:
    return generation.lines(chosen(options.robots), _function_names(options))


if __name__ == "__main__":
    sys.exit(main())
