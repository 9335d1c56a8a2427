"""The command bench: how fast a robot's functions are, beside other libraries."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence

from robcogen_ros.bench import table
from robcogen_ros.bench.batch import STATES, batch_rows
from robcogen_ros.bench.chart import write_chart
from robcogen_ros.bench.comparison import Comparison
from robcogen_ros.bench.compilers import compilers, flags, version
from robcogen_ros.bench.measured import FUNCTIONS, MORE, Measured, measured
from robcogen_ros.bench.meter import machine
from robcogen_ros.bench.peers import PEERS, Peer
from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run, wants_progress
from robcogen_ros.cli.files.writing import check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.progress import say

_SECONDS_OF_A_FILE = 85.0
"""CPU time that g++ takes for one of the files that call Pinocchio: 40 to 120 s."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "bench",
        "Measure the functions of a robot, beside the same of other libraries: "
        "operations, instructions, nanoseconds with warm and with cold caches, size.",
        "arm.urdf --peers none --function inverse_dynamics",
    )
    add_model_options(parser)
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="measure this function (repeatable; default: the dynamics and their derivatives; "
        f"Pinocchio also has {', '.join(function.name for function in MORE)})",
    )
    names = ", ".join(peer.name for peer in PEERS)
    parser.add_argument(
        "--peers",
        type=_peers,
        default=PEERS,
        metavar="LIST",
        help=f"compare with these, separated by commas, or none (default: {names})",
    )
    parser.add_argument("--json", metavar="FILE", help="write the measurements as JSON")
    parser.add_argument(
        "--chart", metavar="FILE", help="draw the measurements (.png, .svg; needs matplotlib)"
    )
    add_background_option(parser)
    add_quiet_option(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--batch",
        type=_whole_number_from(1),
        nargs="?",
        const=STATES,
        metavar="STATES",
        help="instead: nanoseconds a state, in calls for this many states on one core "
        "(default: %(const)s)",
    )
    instead.add_argument(
        "--tail",
        type=_whole_number_from(1000),
        metavar="CALLS",
        help="instead: the distribution of the times of this many single calls",
    )
    return run(_bench, parser.parse_args(argv))


def _bench(options: argparse.Namespace) -> int:
    check_output(options.json)
    check_output(options.chart)
    reading = read_model(options)
    warn(reading.warnings)
    robot = reading.robot
    functions = [measured(name) for name in options.function] or list(FUNCTIONS)
    peers = () if options.tail else options.peers
    comparison = Comparison(robot, peers)
    where = f"{machine()}; {', '.join(map(version, compilers()))}; {' '.join(flags())}"
    print(f"{robot.name}, {robot.n} coordinates; {where}\n", flush=True)
    if wants_progress(options) and (files := comparison.slow_to_compile(functions)):
        print(_announced(files, len(functions)), file=sys.stderr, flush=True)
    if options.tail:
        print(table.tail_head())
        for name, tails in comparison.tails(functions, options.tail):
            say("\n".join(table.tail_lines(name, tails)))
    elif options.batch:
        print("\n".join(table.batch_lines(list(batch_rows(comparison, functions, options.batch)))))
    else:
        _compare(comparison, functions, options, (robot.name, where))
    for note in comparison.notes:
        print(note, file=sys.stderr)
    return OK


def _compare(
    comparison: Comparison,
    functions: Sequence[Measured],
    options: argparse.Namespace,
    titles: tuple[str, str],
) -> None:
    """Prints the table, and writes it wherever it is asked for."""
    name, where = titles
    rows = list(comparison.rows(functions))
    print("\n".join(table.text(rows)))
    if options.json:
        write(options.json, table.data(rows, name, where, comparison.notes))
    if options.chart and rows:
        write_chart(rows, comparison.robot, name, options.chart, dark=options.background == "dark")


def _announced(files: int, functions: int) -> str:
    """Returns the time to compile a number of files of Pinocchio in words, and ways to less."""
    side_by_side = min(files, os.cpu_count() or 1)
    minutes = math.ceil(files * _SECONDS_OF_A_FILE / side_by_side / 60)
    fewer = f", and --function {FUNCTIONS[0].name} less of it" if functions > 1 else ""
    return (
        f"Pinocchio is compiled first, which takes about {minutes} min here and is kept for the "
        f"next time; --peers none, kdl or mujoco compiles nothing of it{fewer}"
    )


def _peers(text: str) -> tuple[Peer, ...]:
    known = {peer.name: peer for peer in PEERS}
    names = [] if text == "none" else text.split(",")
    for name in names:
        if name not in known:
            expected = ", ".join(known)
            raise argparse.ArgumentTypeError(f"expected none, or of {expected}; found '{name}'")
    return tuple(known[name] for name in names)


def _whole_number_from(least: int) -> Callable[[str], int]:
    """Returns a reader of whole numbers that are not below the least one."""

    def number(text: str) -> int:
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a number from {least} on, found '{text}'")
        return int(text)

    return number
