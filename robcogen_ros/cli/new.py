"""The command new: a ROS 2 package around a robot's description, that builds and has a test."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from robcogen_ros.backends.cpp.text import RESERVED
from robcogen_ros.backends.render import render
from robcogen_ros.cli.model_options import (
    add_severity_options,
    add_source_options,
    spelled_out,
    warn,
)
from robcogen_ros.cli.running import OK, run
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import Reading, read
from robcogen_ros.program.definite import refuse_indefinite

_NAMED = re.compile(r"\$\(find ([A-Za-z]\w*)\)|package://([A-Za-z]\w*)/")
_FILES = {
    "package.xml": "package.xml.jinja",
    "CMakeLists.txt": "CMakeLists.txt.jinja",
    "README.md": "README.md.jinja",
    "test/test_robot.cpp": "test_robot.cpp.jinja",
}
_PLAIN = re.compile(r"[\w./:=+,@~^%-]*", re.ASCII)
_NOT_PLAIN = re.compile(r"[^\w.-]", re.ASCII)
"""What means something in CMake, in make, or in a file of dependencies."""
_ARGUMENTS = "description/arguments.txt"
_SOME_VALUE = Decimal("0.5")
_LAUNCH = {"launch/simulation.launch.xml": "simulation.launch.xml.jinja"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well, 1 if the model is wrong, 2 for wrong usage."""
    return run(_make, _parser().parse_args([*spelled_out(argv)]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="new",
        description="Write a ROS 2 package around a robot's description: it builds with colcon, "
        "is simulated by a launch file, and has a test.",
    )
    parser.add_argument("package", type=_package_name, help="name of the package and of its folder")
    add_source_options(parser, "--urdf")
    parser.add_argument("--floating-base", action="store_true", help="the base moves freely")
    parser.add_argument(
        "--contact",
        action="append",
        default=[],
        metavar="FRAME[:ROWS]",
        help="foot of a robot on legs, which is simulated on a ground (repeatable)",
    )
    parser.add_argument(
        "-o",
        "--output",
        default=".",
        metavar="DIR",
        help="where the folder is written (default: here)",
    )
    add_severity_options(parser)
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
    reading = _read(options, options.urdf)
    warn(reading.warnings)
    refuse_indefinite(reading.robot)
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{options.package}.") as made:
        package = Path(made) / options.package
        model = _copy_description(reading, package)
        _read_again(options, package / model, reading)
        _write(options, reading, package, model)
        package.rename(place)
    print(f"{place}: colcon build --packages-select {options.package}")
    return OK


def _read(options: argparse.Namespace, file: str | Path) -> Reading:
    return read(
        file,
        floating_base=True if options.floating_base else None,
        xacro_args=dict(options.xacro_arg),
        package_paths=dict(options.package_path),
        contacts=options.contact,
        accept_inertia=options.accept_inertia,
        strict=options.strict,
        format=options.format,
    )


def _copy_description(reading: Reading, package: Path) -> str:
    """Copy the files of the robot's own package, or folder; the path of the first one there."""
    files = [Path(file) for file in reading.description.files]
    if not files:
        raise RobcogenError("a package needs a file to copy; the standard input is none")
    own = [file for file in files if _package_of(file) == _package_of(files[0])]
    root = Path(os.path.commonpath([file.parent for file in own]))
    for file in own:
        target = package / "description" / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    model = Path("description") / files[0].relative_to(root)
    if any(map(_NOT_PLAIN.search, model.parent.parts)):
        folder = model.parent.relative_to("description")
        raise RobcogenError(
            f"{files[0]}: CMake does not take a folder '{folder}'; give it a name of letters, "
            "digits and _"
        )
    plain = model.with_name(_NOT_PLAIN.sub("_", model.name))
    if plain != model:
        while (package / plain).exists():
            plain = plain.with_name(f"_{plain.name}")
        (package / model).rename(package / plain)
        print(
            f"{model.name} is called {plain.name} there, a name that CMake takes", file=sys.stderr
        )
    return str(plain)


def _package_of(file: Path) -> Path | None:
    """The folder of the ROS package that a file is in."""
    return next((folder for folder in file.parents if (folder / "package.xml").exists()), None)


def _read_again(options: argparse.Namespace, model: Path, reading: Reading) -> None:
    """Make sure that what was copied is the robot that was meant."""
    again = _read(options, model).robot
    if again.joint_names != reading.robot.joint_names:
        raise RobcogenError(
            f"{options.urdf}: copied to {model.name}, it has other joints: a file that it includes "
            "depends on where it lies; name it by $(find PACKAGE)"
        )


def _write(options: argparse.Namespace, reading: Reading, package: Path, model: str) -> None:
    floating = reading.robot.floating_base
    simulated = bool(options.contact) or not floating
    values = {p.name: p.default or _SOME_VALUE for p in reading.robot.parameters}
    keywords, words = _keywords(options, floating)
    if words:
        (package / _ARGUMENTS).write_text(words, encoding="utf-8")
    context = {
        "package": options.package,
        "robot": reading.description.name,
        "model": model,
        "keywords": keywords,
        "arguments": _ARGUMENTS if words else "",
        "packages": _packages(package / "description"),
        "contacts": bool(options.contact),
        "simulated": simulated,
        "floating": floating,
        "parameters": {name.replace(".", "_"): float(value) for name, value in values.items()},
        "mass": float(sum(link.inertia.mass.evaluate(values) for link in reading.robot.links)),
    }
    for name, template in {**_FILES, **(_LAUNCH if simulated else {})}.items():
        (package / name).parent.mkdir(exist_ok=True)
        (package / name).write_text(render(f"package/{template}", context), encoding="utf-8")


def _keywords(options: argparse.Namespace, floating: bool) -> tuple[str, str]:
    """What `robcogen_generate()` is told beside the file, and words in a file that CMake skips."""
    paths = [(name, str(Path(value).resolve())) for name, value in options.package_path]
    given = (
        ("XACRO_ARGS", "--xacro-arg", [f"{name}:={value}" for name, value in options.xacro_arg]),
        ("PACKAGE_PATHS", "--package-path", [f"{name}:={value}" for name, value in paths]),
        ("CONTACTS", "--contact", options.contact),
    )
    keywords, words = list[str](), list[str]()
    for keyword, option, values in given:
        if any("\n" in value for value in values):
            raise RobcogenError(f"{option}: a line break cannot be written into a package")
        plain = [value for value in values if _PLAIN.fullmatch(value)]
        keywords += [f"{keyword} {' '.join(plain)}"] if plain else []
        words += [word for value in values if value not in plain for word in (option, value)]
    keywords += ["FLOATING_BASE"] if floating else []
    keywords += ["GROUND WHOLE_BODY"] if options.contact else []
    keywords += ["ACCEPT_INERTIA"] if options.accept_inertia else []
    keywords += [f"ARGUMENTS {_ARGUMENTS}"] if words else []
    return "".join(f"\n  {each}" for each in keywords), "".join(f"{word}\n" for word in words)


def _packages(description: Path) -> list[str]:
    """The packages that the copied files name."""
    texts = (file.read_text(errors="replace") for file in description.rglob("*") if file.is_file())
    return sorted({first or second for text in texts for first, second in _NAMED.findall(text)})
