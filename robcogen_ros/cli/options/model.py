"""The options by which every command names a robot."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from robcogen_ros.cli.common.parser import robot_group
from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import found, urdf_document
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.read import Reading, reading_of
from robcogen_ros.formats.source import Source
from robcogen_ros.model.options import MOST_SNAPPED, MOUNT, OPTIONS, Group, ModelOptions
from robcogen_ros.progress import task

_T = TypeVar("_T")


def add_model_options(
    parser: argparse.ArgumentParser, name: str = "model", *, more_formats: Sequence[str] = ()
) -> None:
    """Declares the options that say which robot, which part of it, and what stays open.

    Args:
        parser: Where.
        name: The argument, or option, that names the file.
        more_formats: Formats that the command reads beside those of robots.
    """
    add_robot_options(parser, name, more_formats=more_formats)
    add_options(parser, "open")


def add_robot_options(
    parser: argparse.ArgumentParser, name: str = "model", *, more_formats: Sequence[str] = ()
) -> None:
    """Declares the options that say which robot, and which part of it; as `add_model_options`."""
    told = parser.add_argument(
        name,
        metavar="MODEL",
        help="URDF, xacro, MJCF or .kindsl file, package://PACKAGE/FILE; - is stdin. Arguments of "
        "a xacro follow it: NAME:=VALUE ...",
    )
    told.required, told.dest = True, "model"
    add_options(parser, "file", "part", "severity", more_formats=more_formats)


def add_options(
    parser: argparse.ArgumentParser, *groups: Group, more_formats: Sequence[str] = ()
) -> None:
    """Declares the fields of `ModelOptions` that are in some groups; as `add_model_options`."""
    for name, option in OPTIONS.items():
        if option.group in groups:
            add_option(parser, name, more_formats if name == "format" else ())


def add_option(
    parser: argparse.ArgumentParser, name: str, more_choices: Sequence[str] = ()
) -> None:
    """Declares one field of `ModelOptions`."""
    option = OPTIONS[name]
    words: dict[str, Any] = {"dest": name, "help": option.help}
    if option.takes == "switch":
        words |= {"action": "store_true"}
    elif name == "gravity":
        words |= {"action": _Gravity, "nargs": "+", "help": f"{option.help}; write it after MODEL"}
    elif option.takes == "multiple":
        words |= {"action": "append", "default": [], "help": f"{option.help} (repeatable)"}
    if name in _PARSED:
        words |= {"type": _PARSED[name]}
    if option.metavar:
        words |= {"metavar": option.metavar}
    if option.choices:
        words |= {"choices": (*option.choices, *more_choices)}
    robot_group(parser).add_argument(option.flag, **words)


def model_options(options: argparse.Namespace) -> ModelOptions:
    """The options of a command that say which robot; those that it does not have are left out.

    Raises:
        RobcogenError: If one is given twice, or is no such value.
    """
    given = {name: value for name, value in vars(options).items() if name in OPTIONS}
    for name in given.keys() & _WHAT.keys():
        given[name] = _once(_WHAT[name], given[name])
    given["floating_base"] = given.get("floating_base") or None  # the file decides
    return ModelOptions(**given)


def read_model(options: argparse.Namespace, text: Source | None = None) -> Reading:
    """The robot that the options name.

    Args:
        options: The options.
        text: Its description, if it is at hand.

    Raises:
        RobcogenError: If the model or an option is wrong.
    """
    with task(f"reading {options.model}"):
        return reading_of(text or options.model, model_options(options))


def read_text(options: argparse.Namespace) -> Source:
    """The description that the options name, as text.

    Raises:
        RobcogenError: If it cannot be read.
    """
    return source.read(found(options.model, dict(options.package_paths)))


def read_urdf(options: argparse.Namespace, text: Source) -> Element | None:
    """The root element of a URDF, of what a xacro expands to; None of other descriptions.

    Raises:
        RobcogenError: If it cannot be read.
    """
    asked = model_options(options)
    return urdf_document(text, asked.xacro_args, asked.package_paths, asked.format)


def warn(problems: Iterable[Problem]) -> None:
    """Prints warnings where diagnostics go."""
    for problem in problems:
        print(problem, file=sys.stderr)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_SNAPPED:
        raise argparse.ArgumentTypeError(f"expected 0 to {MOST_SNAPPED} rad, found '{text}'")
    return value


def _xacro_assignment(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected NAME:=VALUE, found '{text}'")
    return name, value


def _package_path(text: str) -> tuple[str, str]:
    name, folder = _xacro_assignment(text)
    if not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{name}: there is no folder '{folder}'")
    return name, folder


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
    if not separator or not name or name.endswith(":"):
        raise argparse.ArgumentTypeError(f"expected JOINT=NUMBER, found '{text}'")
    return name, position


_PARSED: dict[str, Callable[[str], Any]] = {
    "xacro_args": _xacro_assignment,
    "package_paths": _package_path,
    "lock": _position,
    "snap_angles": _tolerance,
}
"""Readers of values from words."""
_WHAT = {"xacro_args": "xacro argument", "package_paths": "package", "lock": "joint"}
"""Words for things that are given by name, once each."""
