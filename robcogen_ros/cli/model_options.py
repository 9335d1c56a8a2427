"""The options by which every command names a robot."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from robcogen_ros.cli.parser import robot_group
from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.angles import MOST_SNAPPED
from robcogen_ros.formats.load import FORMATS, found, urdf_document
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.formats.source import Source
from robcogen_ros.model.gravity import MOUNT
from robcogen_ros.model.terms import TERMS
from robcogen_ros.progress import task

_T = TypeVar("_T")


def add_model_options(
    parser: argparse.ArgumentParser, name: str = "model", *, more_formats: Sequence[str] = ()
) -> None:
    """Declare the options that say which robot, which part of it, and what stays open.

    Args:
        parser: Where.
        name: The argument, or option, that names the file.
        more_formats: Formats that the command reads beside those of robots.
    """
    add_robot_options(parser, name, more_formats=more_formats)
    robot_group(parser).add_argument(
        "--with",
        dest="terms",
        action="append",
        default=[],
        choices=TERMS,
        help="joint term that becomes part of the dynamics (repeatable)",
    )
    _add_parameter_options(parser)


def add_robot_options(
    parser: argparse.ArgumentParser, name: str = "model", *, more_formats: Sequence[str] = ()
) -> None:
    """Declare the options that say which robot, and which part of it; as `add_model_options`."""
    _add_source_options(parser, name, more_formats)
    _add_part_options(parser)
    parser.set_defaults(terms=[], parameter=[], payload=None, contact=[])
    add_severity_options(parser)
    add_snap_angles(parser)
    add_cut_loops(parser)


def _add_source_options(
    parser: argparse.ArgumentParser, name: str, more_formats: Sequence[str]
) -> None:
    """Declare the argument or option `name` that says which file, and what reads it."""
    told = parser.add_argument(
        name,
        metavar="MODEL",
        help="URDF, xacro or .kindsl file, package://PACKAGE/FILE; - is stdin. Arguments of a "
        "xacro follow it: NAME:=VALUE ...",
    )
    told.required, told.dest = True, "model"
    group = robot_group(parser)
    group.add_argument(
        "--format",
        choices=(*FORMATS, *more_formats),
        help="format, if the file's name does not tell it",
    )
    group.add_argument(
        "--xacro-arg",
        action="append",
        default=[],
        type=_xacro_assignment,
        metavar="NAME:=VALUE",
        help="the same as NAME:=VALUE",
    )
    group.add_argument(
        "--package-path",
        action="append",
        default=[],
        type=_xacro_assignment,
        metavar="PACKAGE:=DIR",
        help="directory that $(find PACKAGE) stands for in a xacro",
    )


def add_snap_angles(parser: argparse.ArgumentParser) -> None:
    """Declare the option that says which angles are taken for multiples of pi/2."""
    robot_group(parser).add_argument(
        "--snap-angles",
        type=_tolerance,
        metavar="TOLERANCE",
        help="tolerance by which rounded right angles are restored [rad]; 0 keeps what is "
        "written (default: 1e-5 for angles of five digits and more, such as 1.5708)",
    )


def add_cut_loops(parser: argparse.ArgumentParser) -> None:
    """Declare the option that takes trees of what is none."""
    robot_group(parser).add_argument(
        "--cut-loops",
        action="store_true",
        help="leave out what closes loops of links, and the later of two parents of a link",
    )


def add_severity_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say what of a file is an error."""
    group = robot_group(parser)
    group.add_argument(
        "--accept-inertia",
        action="store_true",
        help="negative masses and moments of inertia are only warnings if the inertia matrix "
        "is positive definite",
    )
    group.add_argument("--strict", action="store_true", help="all warnings are errors")


def _add_part_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say which part of the robot, and how it stands."""
    group = robot_group(parser)
    group.add_argument("--floating-base", action="store_true", help="the base moves freely")
    group.add_argument("--root", metavar="LINK", help="start from this link")
    group.add_argument(
        "--tip", action="append", default=[], metavar="LINK", help="end at this link (repeatable)"
    )
    group.add_argument(
        "--keep-attached",
        action="store_true",
        help="keep links outside of --root and --tip that can only move with the others: fixed"
        " on them, or following their joints",
    )
    group.add_argument(
        "--lock",
        action="append",
        default=[],
        type=_position,
        metavar="JOINT=VALUE",
        help="fix a joint at a position (repeatable)",
    )
    group.add_argument(
        "--gravity",
        nargs="+",
        action=_Gravity,
        metavar="X",
        help="gravity in the base frame if a call gives none: three numbers [m/s^2], or mount,"
        " that of the upright file seen from --root (default: 0 0 -9.81); write it after "
        "MODEL",
    )


def _add_parameter_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say what stays open until run time."""
    group = robot_group(parser)
    group.add_argument(
        "--parameter",
        action="append",
        default=[],
        metavar="NAME",
        help="number that is set at run time: LINK.mass, LINK.com.x, LINK.inertia.ixx, "
        "JOINT.origin.z, or LINK, LINK.com, JOINT.origin for all of them (repeatable)",
    )
    group.add_argument(
        "--payload", metavar="FRAME", help="frame that carries a payload, which is set at run time"
    )
    group.add_argument(
        "--contact",
        action="append",
        default=[],
        metavar="FRAME[:ROWS]",
        help="frame that may touch something: adds the contact functions. ROWS: position (a "
        "point, the default), pose, orientation, position_z, ... (repeatable)",
    )


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_SNAPPED:
        raise argparse.ArgumentTypeError(f"expected 0 to {MOST_SNAPPED} rad, found '{text}'")
    return value


def read_model(options: argparse.Namespace, text: Source | None = None) -> Reading:
    """The robot that the options name.

    Args:
        options: The options.
        text: Its description, if it is at hand.

    Raises:
        RobcogenError: If the model or an option is wrong.
    """
    with task(f"reading {options.model}"):
        return read(
            text or options.model,
            floating_base=True if options.floating_base else None,
            root=options.root,
            tips=options.tip,
            lock=_once("joint", options.lock),
            xacro_args=_once("xacro argument", options.xacro_arg),
            package_paths=dict(options.package_path),
            terms=options.terms,
            parameters=options.parameter,
            payload=options.payload,
            contacts=options.contact,
            snap_angles=options.snap_angles,
            accept_inertia=options.accept_inertia,
            strict=options.strict,
            cut_loops=options.cut_loops,
            format=options.format,
            gravity=options.gravity,
            keep_attached=options.keep_attached,
        )


def read_text(options: argparse.Namespace) -> Source:
    """The description that the options name, as text.

    Raises:
        RobcogenError: If it cannot be read.
    """
    return source.read(found(options.model, dict(options.package_path)))


def read_urdf(options: argparse.Namespace, text: Source) -> Element | None:
    """The root element of a URDF, of what a xacro expands to; None of other descriptions.

    Raises:
        RobcogenError: If it cannot be read.
    """
    arguments, packages = _once("xacro argument", options.xacro_arg), dict(options.package_path)
    return urdf_document(text, arguments, packages, options.format)


def warn(problems: Iterable[Problem]) -> None:
    """Print warnings where diagnostics go."""
    for problem in problems:
        print(problem, file=sys.stderr)


def _xacro_assignment(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected NAME:=VALUE, found '{text}'")
    return name, value


def _once(what: str, pairs: Sequence[tuple[str, _T]]) -> dict[str, _T]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise RobcogenError(f"{what} '{name}' is given twice")
    return dict(pairs)


class _Gravity(argparse.Action):
    """Three numbers, or `mount`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, values[0] if values == [MOUNT] else self._numbers(values))

    def _numbers(self, texts: Sequence[str]) -> list[float]:
        try:
            numbers = [float(text) for text in texts]
        except ValueError:
            numbers = []
        if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
            found = " ".join(texts)
            message = f"expected X Y Z or {MOUNT} after MODEL, found '{found}'"
            raise argparse.ArgumentError(self, message)
        return numbers


def _position(text: str) -> tuple[str, float]:
    name, separator, value = text.rpartition("=")
    try:
        position = float(value)
        separator = separator if math.isfinite(position) else ""
    except ValueError:
        separator = ""
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected JOINT=NUMBER, found '{text}'")
    return name, position
