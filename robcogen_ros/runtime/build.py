"""From a file to a robot in one call."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from robcogen_ros.backends.cpp.objects import OBJECTS, asked_for, needed_functions
from robcogen_ros.errors import RobcogenError, strictly
from robcogen_ros.formats import dtdsl, source
from robcogen_ros.formats.read import read
from robcogen_ros.formats.source import Source
from robcogen_ros.model import given
from robcogen_ros.model.gravity import GivenGravity
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.program.requested import ALL, DERIVATIVES
from robcogen_ros.progress import shown
from robcogen_ros.runtime.compile import build_compiled
from robcogen_ros.runtime.evaluator import Evaluator, NumpyEvaluator
from robcogen_ros.runtime.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.robot_of import robot_of
from robcogen_ros.transforms.desired import function_names


def build(
    model: str | Path | None = None,
    *,
    text: str | None = None,
    floating_base: bool | None = None,
    root: str | None = None,
    tips: Sequence[str] = (),
    lock: Mapping[str, float] | None = None,
    xacro_args: Mapping[str, object] | None = None,
    package_paths: Mapping[str, str] | None = None,
    functions: Sequence[str] = (),
    desired: str | Path | None = None,
    terms: Sequence[str] = (),
    parameters: Sequence[str] = (),
    payload: str | None = None,
    contacts: Sequence[str] = (),
    ground: bool = False,
    whole_body: bool = False,
    momentum_observer: bool = False,
    snap_angles: float | None = None,
    accept_inertia: bool = False,
    strict: bool = False,
    cut_loops: bool = False,
    backend: str = "cpp",
    batch: bool = False,
    threads: int = 1,
    gravity: GivenGravity = None,
    keep_attached: bool = False,
    progress: bool | None = None,
) -> FixedBaseRobot | FloatingBaseRobot:
    """Read a robot, generate its functions, compile and load them.

    What was compiled is kept in the user's cache directory and used again for the same robot. What
    is odd about the description comes as Python's warnings.

    Args:
        model: URDF, xacro or Kinematics-DSL file.
        text: The description itself instead of its file.
        floating_base: Whether the base moves freely; None leaves it to the file.
        root: Link to start from instead of the file's root.
        tips: Links to end at.
        lock: Positions [rad or m] of joints to fix.
        xacro_args: Arguments of a xacro: texts, numbers, True and False, lists and dicts of these.
        package_paths: Directories that `$(find package)` stands for in a xacro.
        functions: Names of the functions wanted; `default` and `all` stand for many. Without any,
            a compiled robot has the default ones, and one that is interpreted has all.
        desired: File of desired transforms and Jacobians (.dtdsl), which become functions too.
        terms: What of the joints becomes part of the dynamics: armature, damping, friction.
        parameters: What stays open, such as "link7.mass", "joint3.origin.z": robot.parameters.
        payload: Frame that carries a body given by parameters `payload.mass` and so on.
        contacts: Frames that may touch something: "LF_foot" (a point), "RF_foot:pose", ...;
            they give the contact functions, see docs/legged.md.
        ground: Whether the robot can stand on a ground: `robot.ground()`; it is compiled, has a
            floating base and contacts.
        whole_body: Whether the robot has a controller that moves its trunk and feet:
            `robot.whole_body_controller()`, and a gait: `robot.gait()`; it is compiled, has a
            floating base and contacts.
            Without the headers of proxsuite it keeps no limits, with a warning.
        momentum_observer: Whether external forces can be observed: `robot.momentum_observer()`; it
            is compiled.
        snap_angles: How near the angles of a file are taken for multiples of pi/2 [rad]; 0 keeps
            them as written. By default those that are rounded to five digits or more, and within
            1e-5 of one, are, with a warning.
        accept_inertia: Whether negative masses and moments of inertia are warnings, as long as the
            inertia matrix is positive definite.
        strict: Whether all warnings are errors.
        cut_loops: Whether what closes a loop of links is left out, of two parents of a link the
            later; if not, it is an error.
        backend: "cpp" compiles; "interpreter" and "numpy" need no compiler, and make each function
            when it is first called. NumPy is slower; see docs/interpreter.md.
        batch: Whether calls for many states are compiled to compute several at once.
        threads: How many threads share the states of a call for many; no result depends on it.
        gravity: (3,) gravity in the base frame [m/s^2] where calls give none, or "mount": as it is
            in the file's root, seen from `root`. By default (0, 0, -9.81); an error if `root` is
            turned against the file's root. Not for a floating base, whose calls always give it.
        keep_attached: Whether links stay that `root` and `tips` leave out although they cannot but
            move with what stays: what is fixed on it, and what follows its joints.
        progress: Whether long work is shown on the standard error, as a bar on a terminal and as
            lines elsewhere. By default it is on a terminal.

    Raises:
        RobcogenError: If the file (a ModelError) or an argument is wrong, or nothing can compile.
        TypeError: If not just one of `model` and `text` is given.
    """
    reading = read(
        _model(model, text),
        floating_base=floating_base,
        root=root,
        tips=tips,
        lock=lock,
        xacro_args=xacro_args,
        package_paths=package_paths,
        terms=terms,
        parameters=parameters,
        payload=payload,
        contacts=contacts,
        snap_angles=snap_angles,
        accept_inertia=accept_inertia,
        strict=strict,
        gravity=gravity,
        keep_attached=keep_attached,
        cut_loops=cut_loops,
    )
    for problem in reading.warnings:
        warnings.warn(str(problem), stacklevel=2)
    wanted, batch = given.names("functions", functions), given.flag("batch", batch)
    objects = {"ground": ground, "whole_body": whole_body, "momentum_observer": momentum_observer}
    kinds = asked_for(*(given.flag(name, wish) for name, wish in objects.items()))
    more = _desired(desired, reading.robot, strict) + needed_functions(kinds, reading.robot)
    with shown(progress):
        evaluator = evaluator_of(reading.robot, wanted, more, backend, batch, kinds)
    return robot_of(evaluator, given.count("threads", threads))


def _model(model: str | Path | None, text: str | None) -> str | Path | Source:
    if model is not None and text is None:
        return model
    if model is None and isinstance(text, str):
        return source.of_text(text, "<text>")
    raise TypeError("build(): expected a file or, as str, text=, not both")


def evaluator_of(
    robot: Robot,
    functions: Sequence[str],
    more: Sequence[str] = (),
    backend: str = "cpp",
    batch: bool = False,
    kinds: tuple[str, ...] = (),
) -> Evaluator:
    """Who computes the functions of a robot; `kinds` are the objects that it has beside them."""
    if backend == "cpp":
        return build_compiled(Library(robot, functions, more), batch, kinds)
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
        warnings.warn(str(problem), stacklevel=3)
    return names
