"""The command new: a ROS 2 package around a robot's description, that builds and has a test."""

from __future__ import annotations

import argparse
import copy
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from robcogen_ros.backends.cpp.text import RESERVED
from robcogen_ros.backends.render import render
from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.new_description import Written, as_it_is, in_one_file, with_loops
from robcogen_ros.cli.options.model import (
    add_model_options,
    model_options,
    read_model,
    read_text,
    warn,
)
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.load import found, kind_of
from robcogen_ros.formats.packages import mesh
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.xacro import expansion as xacro
from robcogen_ros.model.options import OPTIONS, ModelOptions
from robcogen_ros.program.definite import ordinary_position, refuse_indefinite
from robcogen_ros.program.library import Library

_FILES = {
    "package.xml": "package.xml.jinja",
    "CMakeLists.txt": "CMakeLists.txt.jinja",
    "README.md": "README.md.jinja",
    "test/test_robot.cpp": "test_robot.cpp.jinja",
}
_PLAIN = re.compile(r"[\w./:=+,@~^%-]*", re.ASCII)
"""Text that means nothing of its own in CMake."""
_ARGUMENTS = "description/arguments.txt"
_SOME_VALUE = Decimal("0.5")
_LAUNCH = {"launch/simulation.launch.xml": "simulation.launch.xml.jinja"}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return run(_make, _parser().parse_args(argv))


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "new",
        "Write a ROS 2 package around a robot's description: it builds with colcon, "
        "is simulated by a launch file, and has a test.",
        "my_arm --urdf arm.urdf.xacro hand:=true",
    )
    parser.add_argument(
        "package",
        type=_package_name,
        metavar="PACKAGE",
        help="name of the package and of its folder",
    )
    add_model_options(parser, "--urdf")
    parser.add_argument(
        "-o",
        "--output",
        default=".",
        metavar="DIR",
        help="where the folder is written (default: here)",
    )
    return parser


def _package_name(text: str) -> str:
    if not re.fullmatch(r"[a-z](_?[a-z0-9])+", text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is no name of a ROS package: lower-case letters, digits and single "
            "underscores, two at least, a letter first"
        )
    if text in RESERVED:
        raise argparse.ArgumentTypeError(
            f"'{text}' has a meaning of its own in generated C++; choose another name"
        )
    return text


def _make(options: argparse.Namespace) -> int:
    place = Path(options.output) / options.package
    if place.exists():
        raise RobcogenError(f"{place} exists; choose another name or folder, or remove it")
    text = read_text(options)
    reading = read_model(options, text)
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{options.package}.") as made:
        package = Path(made) / options.package
        written = _description(options, text, reading, package)
        _write(options, reading, package, written)
        package.rename(place)
    warn(written.problems)
    print(f"{place / written.model}: {written.told}")
    print(f"{place}: colcon build --packages-select {options.package}")
    return OK


def _description(
    options: argparse.Namespace, text: Source, reading: Reading, package: Path
) -> Written:
    """Writes the description in the first way in which it is the same robot there."""
    for written in _ways(options, text, reading, package):
        there = copy.copy(options)
        there.model, there.format = str(package / written.model), None
        there.xacro_args, there.package_paths = [*written.arguments.items()], []
        if written.loops:
            there.loops = str(package / written.loops)
            shutil.copyfile(found(options.loops, dict(options.package_paths)), there.loops)
        with suppress(ModelError):
            again = read_model(there)
            inside = all(package.resolve() in Path(f).parents for f in again.description.files)
            if inside and again.robot == reading.robot:
                return written
        shutil.rmtree(package)
    raise RobcogenError(
        f"{options.model}: its copy is another robot, for something in it depends on where it lies"
    )


def _ways(
    options: argparse.Namespace, text: Source, reading: Reading, package: Path
) -> Iterator[Written]:
    """Writes the description in one way after another."""
    arguments, paths = dict(options.xacro_args), dict(options.package_paths)
    shapes, expansion = reading.description.shapes, None
    kind, files = kind_of(text, options.format), tuple[str, ...]()
    if kind == "xacro":
        expansion = xacro.expand(text, arguments, paths)
        named = any(shape.mesh for shape in shapes) or expansion.packages
        away = named or any(value.startswith("/") for value in arguments.values())
        files = () if away else expansion.files
    elif kind == "mjcf":
        meshes = {str(mesh(shape, paths).resolve()) for shape in shapes if shape.mesh}
        files = (*reading.description.files, *sorted(filter(os.path.isfile, meshes)))
    if whole := as_it_is(package, files, arguments):
        yield with_loops(whole, options.loops)
    yield with_loops(in_one_file(package, text, expansion, shapes, paths), options.loops)


def _write(options: argparse.Namespace, reading: Reading, package: Path, written: Written) -> None:
    floating = reading.robot.floating_base
    simulated = (bool(options.contacts) or not floating) and not options.loops
    values = {p.name: p.default or _SOME_VALUE for p in reading.robot.parameters}
    keywords, words = _keywords(model_options(options), written)
    if words:
        (package / _ARGUMENTS).write_text(words, encoding="utf-8")
    context = {
        "package": options.package,
        "robot": reading.description.name,
        "model": written.model,
        "keywords": keywords,
        "arguments": _ARGUMENTS if words else "",
        "packages": written.packages,
        "contacts": bool(options.contacts),
        "simulated": simulated,
        "accelerates": not values and "forward_dynamics" in Library(reading.robot).names,
        "floating": floating,
        "position": ordinary_position(reading.robot) if reading.robot.has_loops else (),
        "parameters": {name.replace(".", "_"): float(value) for name, value in values.items()},
        "mass": float(sum(link.inertia.mass.evaluate(values) for link in reading.robot.links)),
    }
    for name, template in {**_FILES, **(_LAUNCH if simulated else {})}.items():
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text(render(f"package/{template}", context), encoding="utf-8")


def _keywords(options: ModelOptions, written: Written) -> tuple[str, str]:
    """Returns keywords of `robcogen_generate()` beside the file, and words that CMake skips."""
    options = replace(options, xacro_args=written.arguments, package_paths=None, format=None)
    options = replace(options, loops=str(written.loops) if written.loops else None)
    keywords, words = list[str](), list[str]()
    for name, option in OPTIONS.items():
        values = option.words(getattr(options, name))
        if any("\n" in value for value in values):
            raise RobcogenError(f"{option.flag}: a line break cannot be written into a package")
        plain = [value for value in values if _PLAIN.fullmatch(value)]
        keywords += [f"{option.keyword} {' '.join(plain)}".rstrip()] if plain else []
        odd = [value for value in values if not _PLAIN.fullmatch(value)]
        words += [word for value in odd for word in (option.flag, value)]
    keywords += ["GROUND WHOLE_BODY"] if options.contacts else []
    keywords += [f"ARGUMENTS {_ARGUMENTS}"] if words else []
    return "".join(f"\n  {each}" for each in keywords), "".join(f"{word}\n" for word in words)
