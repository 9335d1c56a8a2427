"""The command inspect: a robot's tree, and what each of its functions costs."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import write
from robcogen_ros.cli.loop_lines import loop_lines
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.cli.options.without import add_without_option
from robcogen_ros.cli.tables.closed_forms import Notation, formulas
from robcogen_ros.cli.tables.costs import joints_of, picture, table
from robcogen_ros.cli.tables.joint_table import joint_table
from robcogen_ros.cli.tables.motor_space import motor_space
from robcogen_ros.formats.read import Reading
from robcogen_ros.model.names import counted
from robcogen_ros.model.parametrise import available
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Pose
from robcogen_ros.model.terms import QUANTITIES
from robcogen_ros.plots.skeleton import skeleton
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import ALL, FRAME_WORDS
from robcogen_ros.program.summary import FunctionSummary, summarise

_DIGITS = 6
"""Digits of numbers in formulas."""

_SOME_FRAME_WORDS = ("X", "J", "Jd", "inverse_kinematics")
"""Functions of frames that are named where all are counted."""

_NEARLY = 1e-3
"""Distance from a multiple of pi/2 within which an angle is taken for it [rad]."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = command_parser(
        "inspect",
        "Show a robot's kinematic tree and the cost of its functions.",
        "arm.urdf",
        "arm.urdf --symbolic H[0,0]",
        "arm.urdf --joints",
    )
    add_model_options(parser)
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    add_quiet_option(parser)
    parser.add_argument(
        "--parameters",
        action="store_true",
        dest="list_parameters",
        help="list what may become a parameter, and end",
    )
    parser.add_argument(
        "--joints",
        action="store_true",
        help="list the coordinates in their order with limits and joint terms, then what "
        "--motors lists, and end",
    )
    parser.add_argument(
        "--frame-functions",
        action="store_true",
        help="list the functions of named frames, and end; `full` for A stands for space",
    )
    parser.add_argument(
        "--motors",
        action="store_true",
        help="list motors, gears, limits, and the inertia of rotors at the coordinates, and end",
    )
    add_without_option(parser)
    _add_function_options(parser)
    options = parser.parse_args(argv)
    _refuse_idle(parser, options)
    return run(_inspect, options)


def _refuse_idle(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuse options that would do nothing beside the others."""
    if options.svg and not options.function:
        parser.error("--svg is the picture of a function: name it with --function")
    if options.latex and not options.symbolic:
        parser.error("--latex is for formulas: name their entries with --symbolic")
    if options.digits is not None and not options.symbolic:
        parser.error("--digits is for formulas: name their entries with --symbolic")
    lists = {
        "--joints": options.joints,
        "--parameters": options.list_parameters,
        "--frame-functions": options.frame_functions,
        "--motors": options.motors and not options.joints,  # which lists them too
        "--json": options.json,
    }
    asked = [flag for flag, given in lists.items() if given]
    asked += ["--function and --symbolic"] if options.function or options.symbolic else []
    if len(asked) > 1:
        parser.error(f"{asked[0]} shows something else than {asked[1]}: give one of them")


def _add_function_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that ask about single functions."""
    parser.add_argument(
        "--function",
        metavar="NAME",
        help="show where the operations of this function go, step by step; also A_X_B and "
        "A_J_B of frames",
    )
    parser.add_argument("--svg", metavar="FILE", help="with --function: draw it into this file")
    add_background_option(parser)
    parser.add_argument(
        "--symbolic",
        action="append",
        default=[],
        metavar="ENTRY",
        help="a formula for H[0,0], H[shoulder,elbow], gravity_torques.tau[1], A_X_B[0,3], or for "
        "all entries of H (repeatable; needs SymPy)",
    )
    parser.add_argument("--latex", action="store_true", help="with --symbolic: in LaTeX")
    parser.add_argument(
        "--digits", type=int, help="with --symbolic: digits of numbers (default: 6)"
    )


def _inspect(options: argparse.Namespace) -> int:
    reading = read_model(options)
    if options.list_parameters:
        for name, value in available(reading.description).items():
            print(f"{name:40} {float(value)!r}")
        return OK
    if options.frame_functions:
        print("\n".join(_of_frames()))
        return OK
    warn(reading.warnings)
    if options.joints:
        print("\n".join((*joint_table(reading.robot), "", *motor_space(reading.robot))))
        return OK
    if options.symbolic or options.function:
        _functions(reading.robot, options)
        return OK
    if options.motors:
        print("\n".join(motor_space(reading.robot)))
        return OK
    library = Library(reading.robot, without=options.without)
    if options.json:
        print(summarise(library).to_json())
        return OK
    _overview(reading, library, options)
    return OK


def _functions(robot: Robot, options: argparse.Namespace) -> None:
    """Prints what is asked about single functions."""
    notation = Notation(options.latex, max(1, min(50, options.digits or _DIGITS)))
    for entry in options.symbolic:
        for line in formulas(robot, entry, notation):
            print(line)
    if options.function:
        library = Library(robot, [options.function], without=options.without)
        program = library.entry(options.function).fastest
        print(f"{program.name}: {program.summary}\n")
        if library.looped(options.function):
            count = sum(library.operations(options.function).values())
            print(f"C++ runs it in loops, {count} operations; as straight-line code it has these\n")
        joints = joints_of(program, robot)
        if 0 < len(joints) < robot.n:
            print(f"depends on {', '.join(joints)}\n")
        for line in table(program):
            print(line)
        if options.svg:
            write(options.svg, picture(program, skeleton(robot), dark=options.background == "dark"))


def size(robot: Robot) -> str:
    """The numbers of a robot's coordinates and links, and how its base is held."""
    base = "floating" if robot.floating_base else "fixed"
    return f"{counted(robot.n, 'coordinate')}, {counted(len(robot.links), 'link')}, {base} base"


def _overview(reading: Reading, library: Library, options: argparse.Namespace) -> None:
    """The tree, what is optional, and the cost of each function."""
    robot = reading.robot
    print(f"{robot.name}: {size(robot)}\n")
    print("\n".join((*_tree(robot), *loop_lines(reading))))
    for line in _terms(robot):
        print(line)
    if robot.parameters:
        print("\nparameters")
        for p in robot.parameters:
            print(f"  {p.name}  ({p.group}, default {'none' if p.default is None else p.default})")
    for line in (*_limbs(library), *_costs(robot, options.without)):
        print(line)
    for names, reason in library.requested.refusals():
        print(f"\nno {', '.join(names)}: {reason}")
    for line in _snapping(options, library):
        print(line)


def _snapping(options: argparse.Namespace, library: Library) -> Iterator[str]:
    """Yields what becomes of a URDF whose angles are nearly, but not quite, multiples of pi/2."""
    options.snap_angles = max(_NEARLY, options.snap_angles or 0.0)
    snapped = read_model(options).robot
    changes = [
        _largest_change(before.pose, after.pose)
        for before, after in zip(library.robot.joints, snapped.joints, strict=True)
    ]
    if not any(changes):
        return
    counts = [
        sum(operation_counts(each.entry("inverse_dynamics").fastest).values())
        for each in (library, Library(snapped, ["inverse_dynamics"]))
    ]
    yield (
        f"\njoints turned by nearly a multiple of pi/2: {sum(map(bool, changes))}; taking them "
        f"for it (--snap-angles {options.snap_angles:g}) changes their poses by up to "
        f"{max(changes):.1e} and inverse_dynamics from {counts[0]} to {counts[1]} operations"
    )


def _largest_change(before: Pose, after: Pose) -> float:
    return max(
        abs(float(x) - float(y))
        for rows in zip(before.rotation, after.rotation, strict=True)
        for x, y in zip(*rows, strict=True)
    )


def _terms(robot: Robot) -> Iterator[str]:
    """Yields the terms that joints have besides mass, and whether the dynamics have them."""
    for name, (quantity, *_) in QUANTITIES.items():
        count = sum(getattr(coordinate, quantity) != 0 for coordinate in robot.coordinates)
        if count:
            part = "part of" if name in robot.terms.names else f"--with {name}: part of"
            yield f"\n{name} of {counted(count, 'joint')} ({part} the dynamics)"


def _limbs(library: Library) -> Iterator[str]:
    """Limbs of equal shape."""
    for group in library.limbs:
        names = ", ".join(library.robot.links[links[0]].name for links in group.links)
        yield (
            f"\nside by side in C++, where that is cheaper: {names}, "
            f"{counted(len(group.links[0]), 'joint')} each"
        )


def _tree(robot: Robot) -> Iterator[str]:
    """The links, each below the one it hangs on."""
    yield _link(robot, 0, "")
    children: dict[int, list[Joint]] = {}
    for joint in robot.joints:
        children.setdefault(joint.predecessor, []).append(joint)
    pending = [(joint, 1) for joint in reversed(children.get(0, []))]
    while pending:
        joint, depth = pending.pop()
        leaders = " and ".join(robot.joint_names[k] for k, _ in joint.rates)
        follows = f", follows {leaders}" if leaders != joint.name else ""
        yield _link(
            robot, joint.successor, f"{'  ' * depth}{joint.name} ({joint.kind.name}{follows}) -> "
        )
        below = children.get(joint.successor, [])
        pending.extend((child, depth + 1) for child in reversed(below))


def _link(robot: Robot, number: int, prefix: str) -> str:
    link = robot.links[number]
    mass = link.inertia.mass
    shown = f"{float(mass):.4g} kg" if getattr(mass, "is_constant", False) else "parametric mass"
    lumped = sum(f.link == number and f.of_link not in (None, link.name) for f in robot.frames)
    more = f", {lumped} fixed on it" if lumped else ""
    return f"{prefix}{link.name} [{shown}{more}]"


def _costs(robot: Robot, without: Sequence[str]) -> Iterator[str]:
    """Yields operations of functions: the usual ones, then those that are made on request."""
    everything = Library(robot, [ALL], without=without)
    functions = summarise(everything).functions
    named = [f for f in functions if everything.function(f.name).on_request]
    yield f"\n{'function':34}{'mul':>7}{'add':>7}{'div':>6}{'sqrt':>6}{'sin+cos':>9}"
    yield from (_cost(f, everything.looped(f.name)) for f in functions if f not in named)
    yield "\ngenerated only where they are named (--function default --function NAME)"
    yield from (_cost(f, everything.looped(f.name)) for f in named)
    some = ", ".join(f"A_{word}_B" for word in _SOME_FRAME_WORDS)
    text = (
        f"for frames A and B, where they are named: {len(_of_frames())} more kinds, such as {some} "
        "(--frame-functions lists all)"
    )
    yield ""
    yield from textwrap.wrap(text, 98, subsequent_indent="  ", break_on_hyphens=False)


def _of_frames() -> list[str]:
    """Names of functions of frames A, B, C and D."""
    return [*(f"A_{word}_B" for word in FRAME_WORDS), "A_and_B_clearance_C_and_D"]


def _cost(function: FunctionSummary, looped: bool) -> str:
    counts = function.operations

    def total(*names: str) -> int:
        return sum(counts.get(name, 0) for name in names)

    return (
        f"{function.name:34}{total('multiply'):>7}{total('add', 'subtract'):>7}"
        f"{total('divide'):>6}{total('sqrt'):>6}{total('sin', 'cos'):>9}{'  in loops' * looped}"
    )
