"""The command generate: code of a robot, or of transforms. `robcogen_generate()` calls it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.controller import (
    CONTROL_PLUGINS,
    CONTROLLER,
    control_plugin_files,
    motor_functions,
    plugin_functions,
)
from robcogen_ros.backends.cpp.interface_plugins import INTERFACES, interface_plugin_files
from robcogen_ros.backends.cpp.objects import asked_for, check_objects, needed_functions
from robcogen_ros.backends.dataset import dataset_files
from robcogen_ros.backends.readable.files import LANGUAGES, readable_files
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.cli import generate_transforms
from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import caller, run
from robcogen_ros.cli.files.generated import compilation, write_generated
from robcogen_ros.cli.options.dataset import add_dataset_options
from robcogen_ros.cli.options.desired import add_desired_options, read_desired
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.output import add_output_options, parsed
from robcogen_ros.cli.options.without import add_without_option
from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError, strictly
from robcogen_ros.formats.transforms.motions_or_transforms import is_relations_file
from robcogen_ros.model.description import Description
from robcogen_ros.model.gravity import texts
from robcogen_ros.model.options import option_text
from robcogen_ros.model.robot import STANDARD_GRAVITY, Robot
from robcogen_ros.program.library import Library
from robcogen_ros.program.optimisations import OPTIMISATIONS
from robcogen_ros.runtime.compiling.evidence import evidence
from robcogen_ros.transforms.desired import function_names


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if any(map(is_relations_file, words)):
        return generate_transforms.main(words)
    parser = _parser()
    options = parsed(parser, words)
    if options.readable and not LANGUAGES.keys() & (options.target or ["cpp"]):
        parser.error("--readable is for --target cpp and python")
    return run(_generate, options)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "generate",
        "Generate the dynamics and kinematics code of a robot.",
        "arm.urdf -o generated --name arm",
    )
    add_model_options(parser)
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="generate only this function (repeatable); 'default' stands for the usual ones, 'all' "
        "for all; A_X_B, A_J_B and others name frames: docs/functions.md",
    )
    parser.add_argument(
        "--share",
        action="append",
        default=[],
        metavar="NAME",
        help="C++ function that shares its work on one state: update(q, qd, state), then "
        "NAME(state, ...); 'default' stands for the usual ones (repeatable)",
    )
    parser.add_argument(
        "--batch",
        action="store_true",
        help="C++ calls for many states compute several at once, in the vector registers that "
        "the compiler's flags allow; doubles the compile time",
    )
    parser.add_argument(
        "--readable",
        action="store_true",
        help="also write the algorithm of each C++ or Python function as a textbook does: "
        "docs/readable.md",
    )
    parser.add_argument(
        "--ground",
        action="store_true",
        help="C++: the robot on a simulated ground: docs/simulated_robot.md",
    )
    parser.add_argument(
        "--whole-body",
        action="store_true",
        help="C++: a whole-body controller of the robot: docs/whole_body.md",
    )
    parser.add_argument(
        "--momentum-observer",
        action="store_true",
        help="C++: an observer of external forces: docs/external_forces.md",
    )
    _add_plugin_options(parser)
    add_without_option(parser)
    add_desired_options(parser)
    add_output_options(parser, BACKENDS, name="robot")
    add_dataset_options(parser)
    return parser


def _add_plugin_options(parser: argparse.ArgumentParser) -> None:
    for plugins in CONTROL_PLUGINS:
        parser.add_argument(
            f"--{plugins.name.replace('_', '-')}",
            action="store_true",
            help=f"also write the source of ros2_control plugins: docs/{plugins.page}.md",
        )
    for interface in INTERFACES:
        parser.add_argument(
            f"--{interface.name.replace('_', '-')}",
            action="store_true",
            help=f"also write the source of this plugin: {interface.base}: docs/plugins.md",
        )


def _generate(options: argparse.Namespace) -> int:
    reading = read_model(options)
    warn(reading.warnings)
    for interface in INTERFACES:
        if getattr(options, interface.name):
            reading.description.refuse_closures(f"the plugin of {option_text(interface.name)}")
    desired = read_desired(options)
    names, warnings = function_names(desired, reading.robot) if desired else ((), ())
    warn(strictly(warnings, options.strict))
    objects = asked_for(options.ground, options.whole_body, options.momentum_observer)
    names = (*names, *needed_functions(objects, reading.robot.contacts, reading.robot.has_loops))
    for plugins in CONTROL_PLUGINS:
        if getattr(options, plugins.name):
            names = (*names, *motor_functions(reading.robot), *plugins.useful)
        if getattr(options, plugins.name) and plugins is not CONTROLLER:
            names = (*names, *plugin_functions(plugins, reading.robot))
    library = Library(reading.robot, options.function, names, options.without)
    check_objects(objects, library)
    asked = options.strict or bool(options.function)
    _report_refusals(library, Location(options.model), asked)
    target = Target(
        options.project,
        options.name,
        Path(options.model).name,
        options.scalar,
        tuple(options.share),
        options.batch,
    )
    files = _files(options, library, target)
    plugin_files = _plugin_files(options, reading.alone, library, target)
    warn(strictly(_gravity_of_solver(options, reading.robot), options.strict))
    needed = [*reading.description.files, *(desired.files if desired else ())]
    write_generated(options, files | plugin_files, needed, reading.robot.name)
    sources = any(path.suffix == ".cpp" for path in files)
    if sources and not (plugin_files or options.quiet or caller() == "cmake"):
        print(compilation(Path(options.output), options.name))
    return OK


def _files(
    options: argparse.Namespace, library: Library, target: Target
) -> dict[PurePosixPath, str]:
    """Code in each language, and a dataset, as asked for."""
    languages = options.target or ([] if options.dataset else ["cpp"])
    files: dict[PurePosixPath, str] = {}
    if options.evidence and "c" not in languages:
        raise RobcogenError("--evidence is about C: --target c")
    for name in languages:
        made = BACKENDS[name](library, target)
        files.update(made)
        if name == "c" and options.evidence:
            files[PurePosixPath(f"{target.prefix}evidence.md")] = evidence(made)
    if options.readable:
        same = Library(library.robot, library.names, (), OPTIMISATIONS)
        for name in (name for name in languages if name in LANGUAGES):
            files.update(readable_files(same, target, name))
    if options.dataset:
        files.update(dataset_files(library, target, options.dataset, options.seed))
    return files


def _plugin_files(
    options: argparse.Namespace, description: Description, library: Library, target: Target
) -> dict[PurePosixPath, str]:
    """Sources of the plugins that are asked for."""
    root, tips = options.root or "", options.tips
    files: dict[PurePosixPath, str] = {}
    for plugins in CONTROL_PLUGINS:
        if getattr(options, plugins.name):
            whole = not (root or tips)
            files |= control_plugin_files(plugins, description, library, target, whole)
    for interface in INTERFACES:
        if getattr(options, interface.name):
            files |= interface_plugin_files(interface, description, library, target, root, tips)
    return files


def _gravity_of_solver(options: argparse.Namespace, robot: Robot) -> list[Problem]:
    """A warning that a plugin in KDL's place has KDL's gravity, where the robot has another."""
    if not options.inverse_dynamics_solver or robot.gravity == STANDARD_GRAVITY:
        return []
    message = (
        "the inverse dynamics solver takes gravity as KDL's does, 0 0 -9.81 in the root; for that "
        f"of the other functions set its parameter 'gravity' to [{', '.join(texts(robot.gravity))}]"
    )
    return [Problem(message, Location(options.model), "warning")]


def _report_refusals(library: Library, model: Location, asked: bool) -> None:
    """Say which functions are left out; an error if they were asked for by name."""
    severity = "error" if asked else "warning"
    problems = [
        Problem(f"no {', '.join(names)}: {reason}", model, severity)
        for names, reason in library.requested.refusals()
    ]
    if problems and asked:
        raise ModelError(problems)
    warn(problems)
