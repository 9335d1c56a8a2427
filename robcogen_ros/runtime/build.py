"""Building of a robot from its file, in one call."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from robcogen_ros.backends.cpp.objects import OBJECTS, asked_for, check_objects, needed_functions
from robcogen_ros.errors import RobcogenError, strictly
from robcogen_ros.formats import source
from robcogen_ros.formats.read import reading_of
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import dtdsl
from robcogen_ros.model import given
from robcogen_ros.model.names import listed
from robcogen_ros.model.options import ModelOptions, by_keyword
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import ALL, DERIVATIVES
from robcogen_ros.program.singular import is_massless
from robcogen_ros.progress import shown
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.compiling.core import core_library
from robcogen_ros.runtime.evaluators.evaluator import Evaluator, NumpyEvaluator
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.transforms.desired import function_names


@dataclass(frozen=True)
class BuildOptions(ModelOptions):
    """Options that choose the robot and what of it is built.

    Attributes:
        model: URDF, xacro, MJCF or Kinematics-DSL file.
        text: The description itself instead of its file.
        functions: Names of the functions wanted; `default` and `all` stand for many. Without any,
            a compiled robot has the default ones, and one that is interpreted has all.
        desired: File of desired transforms and Jacobians (.dtdsl), which become functions too.
        ground: Whether the robot can stand on a ground: `robot.ground()`; it is compiled, has a
            floating base and contacts.
        whole_body: Whether the robot has a controller that moves its trunk and feet:
            `robot.whole_body_controller()`, and a gait: `robot.gait()`; it is compiled, has a
            floating base and contacts.
            Without the headers of proxsuite it keeps no limits, with a warning.
        momentum_observer: Whether external forces can be observed: `robot.momentum_observer()`; it
            is compiled.
        backend: "cpp" compiles; "interpreter" and "numpy" need no compiler, and make each function
            when it is first called. NumPy is slower; see docs/interpreter.md.
        batch: Whether calls for many states are compiled to compute several at once.
        threads: How many threads share the states of a call for many; no result depends on it.
        progress: Whether long work is shown on the standard error, as a bar on a terminal and as
            lines elsewhere. By default it is on a terminal.
    """

    model: str | Path | None = None
    _: KW_ONLY
    text: str | None = None
    functions: Sequence[str] = ()
    desired: str | Path | None = None
    ground: bool = False
    whole_body: bool = False
    momentum_observer: bool = False
    backend: str = "cpp"
    batch: bool = False
    threads: int = 1
    progress: bool | None = None


@by_keyword(BuildOptions)
def build(options: BuildOptions) -> FixedBaseRobot | FloatingBaseRobot:
    """Reads a robot, generates its functions, compiles and loads them.

    What was compiled is kept in the user's cache directory and used again for the same robot. What
    is odd about the description comes as Python's warnings.

    {arguments}

    Raises:
        RobcogenError: If the file (a ModelError) or an argument is wrong, or nothing can compile.
        TypeError: If not just one of `model` and `text` is given, or there is no such argument.
    """
    reading = reading_of(_model(options.model, options.text), options)
    for problem in reading.warnings:
        warnings.warn(str(problem), stacklevel=3)
    if reading.robot.coordinates and is_massless(reading.robot):
        told = f"robot '{reading.robot.name}' has no mass: no effort moves or carries it"
        warnings.warn(told, stacklevel=3)
    wanted = given.names("functions", options.functions)
    batch = given.flag("batch", options.batch)
    wishes = {
        name: getattr(options, name) for name in ("ground", "whole_body", "momentum_observer")
    }
    kinds = asked_for(*(given.flag(name, wish) for name, wish in wishes.items()))
    more = _desired(options.desired, reading.robot, options.strict)
    more += needed_functions(kinds, reading.robot.contacts, reading.robot.has_loops)
    with shown(options.progress):
        evaluator = evaluator_of(reading.robot, wanted, more, options.backend, batch, kinds)
    return robot_of(evaluator, given.count("threads", options.threads))


def _model(model: str | Path | None, text: str | None) -> str | Path | Source:
    if isinstance(model, str) and model.lstrip().startswith("<"):
        raise TypeError("build(): expected a file, found its text; pass that as text=")
    if isinstance(model, str | os.PathLike) and text is None:
        return os.fspath(model)
    if model is None and isinstance(text, str):
        return source.of_text(text, "<text>")
    raise TypeError("build(): expected a file as str or Path or, as str, text=, not both")


def evaluator_of(
    robot: Robot,
    functions: Sequence[str],
    more: Sequence[str] = (),
    backend: str = "cpp",
    batch: bool = False,
    kinds: tuple[str, ...] = (),
) -> Evaluator:
    """Returns an evaluator of a robot's functions; `kinds` are the objects it has besides."""
    if backend == "cpp":
        library = Library(robot, functions, more)
        if not library.names:
            told = [
                f"no {listed([repr(x) for x in n])}: {why}"
                for n, why in library.requested.refusals()
            ]
            raise RobcogenError("; ".join(told))
        check_objects(kinds, library)
        for library_of in dict.fromkeys(OBJECTS[name].library for name in kinds):
            core_library(library_of, len(robot.coordinates), len(robot.contacts))
        return build_compiled(library, batch)
    if not isinstance(backend, str) or backend not in _INTERPRETING:
        raise ValueError(f"backend: expected 'cpp', 'interpreter' or 'numpy', found {backend!r}")
    if kinds:
        raise RobcogenError(f"{OBJECTS[kinds[0]].what} is compiled: use backend='cpp'")
    return _INTERPRETING[backend](Library(robot, functions or [ALL, DERIVATIVES], more))


_INTERPRETING = {"interpreter": InterpretedEvaluator, "numpy": NumpyEvaluator}


def _desired(path: str | Path | None, robot: Robot, strict: bool) -> tuple[str, ...]:
    """Names of the functions that a file of desired transforms and Jacobians asks for."""
    if path is None:
        return ()
    names, odd = function_names(dtdsl.read(source.read(str(path))), robot)
    for problem in strictly(odd, strict):
        warnings.warn(str(problem), stacklevel=4)
    return names
