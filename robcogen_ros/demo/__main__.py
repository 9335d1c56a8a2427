"""`python -m robcogen_ros.demo`: see a robot move under its generated controller."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import robcogen_ros
from robcogen_ros.demo.limbs import note
from robcogen_ros.demo.motion import plan
from robcogen_ros.demo.plot import plot
from robcogen_ros.demo.processes import by_hand, confinement
from robcogen_ros.demo.recording import evaluate
from robcogen_ros.demo.report import report
from robcogen_ros.demo.timing import costs
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.load import found
from robcogen_ros.model.names import counted
from robcogen_ros.parameters.assignments import assignments, divided
from robcogen_ros.parameters.table import names
from robcogen_ros.progress import say, shown
from robcogen_ros.standing.footing import find_footing

DURATION = 10.0
"""Length of the motion, if none is asked for [s]."""


def main(args: Sequence[str] | None = None) -> int:
    """Runs the demo."""
    options = _options(args)
    try:
        os.environ.update(confinement())
        with shown():
            _demo(options)
    except RobcogenError as error:
        print(f"\nerror: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return 0


def _options(args: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m robcogen_ros.demo", description=__doc__)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--model", help="a compiled robot, '<package>/<target>'")
    which.add_argument(
        "--robot",
        help="a robot's URDF, xacro, MJCF or Kinematics-DSL file, or package://PACKAGE/FILE",
    )
    parser.add_argument(
        "xacro_args", nargs="*", metavar="NAME:=VALUE", help="arguments of a xacro file"
    )
    parser.add_argument(
        "--xacro-args",
        dest="more_xacro_args",
        default="",
        metavar="'NAME:=VALUE ...'",
        help="the same as one text",
    )
    parser.add_argument("--loops", metavar="FILE", help="what closes loops of the robot")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="directory of the results")
    parser.add_argument(
        "--duration",
        type=_number(0.0, 3600.0),
        default=0.0,
        help="length of the motion [s]; 0: 10, of a robot on legs 20",
    )
    parser.add_argument(
        "--fixed-base", action="store_true", help="show a robot on legs as on a stand"
    )
    parser.add_argument(
        "--foot",
        dest="feet",
        action="append",
        default=[],
        metavar="FRAME[:pose]",
        help="a foot of a robot on legs, a point or, with :pose, a flat sole; by default found",
    )
    parser.add_argument(
        "--posture", type=Path, metavar="SRDF", help="file with a state in which it stands"
    )
    parser.add_argument(
        "--exact-base",
        action="store_true",
        help="let a robot on legs step on the exact state of its base, in place of an estimate of "
        "it by noisy sensors",
    )
    parser.add_argument(
        "--background", choices=("light", "dark"), default="light", help="of the plot"
    )
    parser.add_argument(
        "--rate", type=_number(1.0, 10000.0), default=1000.0, help="cycles a second [Hz]"
    )
    own, _ = divided(sys.argv[1:] if args is None else args)
    options = parser.parse_intermixed_args(own)
    options.xacro_args += names(options.more_xacro_args)
    return options


def _number(least: float, most: float) -> Callable[[str], float]:
    """Reads a number within bounds."""

    def number(text: str) -> float:
        value = float(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not within {least:g} and {most:g}")
        return value

    return number


def _demo(options: argparse.Namespace) -> None:
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RobcogenError(f"--out {options.out}: {error.strerror}") from None
    if options.robot and not options.fixed_base and _stands(options):
        return
    from robcogen_ros.demo.arm_nodes import nodes_of, through_nodes

    duration = options.duration or DURATION
    robot, source = _robot(options)
    motion, nodes = plan(robot, duration), nodes_of(source, options.rate)
    say(f"Starting {', '.join(nodes)}, in simulated time")
    progress = _progress(duration)
    recordings = through_nodes(robot, nodes, motion, options.out, progress)
    print()
    first, second = (evaluate(recording, motion.trajectory()) for recording in recordings)
    results = first, second
    told = report(robot, options.rate, results, costs(robot)), note(robot)
    text = "\n\n".join(filter(None, told))
    picture = options.out / "demo.png"
    plot(robot, results, picture, dark=options.background == "dark")
    (options.out / "report.txt").write_text(text + "\n", encoding="utf-8")
    print(f"\n{text}\n\nPlot of motion and error: {picture.resolve()}\n{by_hand(nodes)}")


def _stands(options: argparse.Namespace) -> bool:
    """Shows a robot on legs on them; whether it is one."""
    words = assignments("xacro arguments", options.xacro_args)
    file = found(options.robot, {})
    given = {"contacts": options.feet, "posture": options.posture, "loops": options.loops}
    footing = find_footing(file, xacro_args=words, **given)
    if not footing.contacts:
        say(f"Shown on a fixed base, for {footing.reason}")
        return False
    from robcogen_ros.demo.standing import show

    how = options.rate, options.duration, options.out
    ways = {"estimates": not options.exact_base, "dark": options.background == "dark"}
    show(file, words, footing, *how, options.loops, **ways)
    return True


def _robot(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """The robot, and the parameter by which nodes find it."""
    if options.model and options.xacro_args:
        raise RobcogenError(f"'{options.model}' is compiled: it takes no xacro arguments")
    if options.model and options.loops:
        raise RobcogenError(f"'{options.model}' is compiled: its loops are known")
    if options.model:
        robot, source = robcogen_ros.load(options.model), {"model": options.model}
    else:
        words = options.xacro_args
        say(f"Generating and compiling code for {' '.join([options.robot, *words])}")
        arguments = assignments("xacro arguments", words)
        robot = robcogen_ros.build(options.robot, xacro_args=arguments, loops=options.loops)
        source = {"model_file": options.robot, "xacro_args": words, "loops": options.loops}
        source = {name: value for name, value in source.items() if value}
    if robot.floating_base:
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base, and no legs that it is seen to stand on; "
            "--foot FRAME for each foot names them. Without the joint that floats it is shown as "
            "on a stand"
        )
    if robot.n == 0:
        raise RobcogenError(f"robot '{robot.name}' has no joint that moves")
    say(f"Robot '{robot.name}': {counted(robot.n, 'joint')}, code in {robot.library_path}")
    if note(robot):
        say(note(robot))
    return robot, source


def _progress(duration: float) -> Callable[[bool, float], None]:
    """A line for each motion, that grows with it on a terminal."""
    last = ("", -1)

    def show(feed_forward: bool, time: float) -> None:
        nonlocal last
        title = f"Moving {duration:g} s {'with' if feed_forward else 'without'} feed-forward"
        done = title, int(20 * time / duration)
        if title != last[0]:
            print("\n" * bool(last[0]) + title, end="", flush=True)
        if done != last and sys.stdout.isatty():
            print(f"\r{title:<36} [{'=' * done[1]:<20}]", end="", flush=True)
        last = done

    return show


if __name__ == "__main__":
    sys.exit(main())
