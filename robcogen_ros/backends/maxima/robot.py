"""The Maxima file of a robot: closed forms of its transforms and Jacobians."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from robcogen_ros.algorithms.functions.frames import frame_function
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, identifiers
from robcogen_ros.backends.maxima.text import LANGUAGE, TAKEN, valued
from robcogen_ros.backends.render import render
from robcogen_ros.backends.robot_scripts import parameter_fields
from robcogen_ros.backends.script import rows, script
from robcogen_ros.backends.transform_fields import Field
from robcogen_ros.backends.transform_scripts import TransformScript
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.transforms.of_robot import VARIABLE_PREFIX

_KINEMATICS = "kinematics"
_OWN = ("position_cross", "motion_transform", "force_transform")


def maxima_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the file, by path.

    It has the transforms and Jacobians that are asked for by the names of frames, and where
    `kinematics` is among the functions, those of every frame relative to the base.

    Raises:
        RobcogenError: If nothing of that is asked for.
    """
    robot = library.robot
    names = tuple(dict.fromkeys(_names(library)))
    if not names and _KINEMATICS not in library.names:
        raise RobcogenError(
            f"Maxima has transforms and Jacobians alone, not {', '.join(library.names)}: "
            f"ask for {_KINEMATICS}, or for A_X_B and A_J_B between frames"
        )
    writer = _Writer(Library(robot, [_KINEMATICS], names), names)
    left_out = [name for name in library.names if name not in (*names, _KINEMATICS)]
    context = {
        "model": comment(target.model),
        "robot": comment(robot.name),
        "left_out": ", ".join(left_out),
        "variables": writer.variables,
        "parameters": valued(writer.parameters),
        "transforms": [writer.function(name) for name in names],
    }
    return {PurePosixPath(f"{target.name}.mac"): render("maxima/robot.mac.jinja", context)}


def _names(library: Library) -> Iterator[str]:
    """Names of the functions that the file has."""
    if _KINEMATICS in library.names:
        base, *others = _frames(library.robot)
        for infix in ("_X_", "_J_"):
            yield from (f"{base}{infix}{other}" for other in others)
    yield from (name for name in library.names if _is_closed_form(library, name))


def _is_closed_form(library: Library, name: str) -> bool:
    """Returns True if a function is a matrix between frames that depends on positions alone."""
    function = library.function(name)
    return (
        frame_function(library.robot, name) is not None
        and [argument.name for argument in function.inputs] == ["q"]
        and [argument.columns is None for argument in function.outputs] == [False]
    )


def _frames(robot: Robot) -> list[str]:
    """Names of the frames, that of the base first."""
    base = next(frame.name for frame in robot.frames if frame.of_link == robot.links[0].name)
    return [base, *(name for name in robot.frame_names if name != base)]


class _Writer:
    """Writes functions of one robot.

    Attributes:
        variables: The joint positions.
        parameters: The robot's parameters.
    """

    def __init__(self, library: Library, names: tuple[str, ...]) -> None:
        self._library = library
        robot = library.robot
        known = [*TAKEN, *_OWN]
        self._identifiers = dict(
            zip(names, identifiers([*known, *names], LANGUAGE.reserved)[len(known) :], strict=True)
        )
        positions = [f"{VARIABLE_PREFIX}{name}" for name in robot.joint_names]
        fields = parameter_fields(robot, LANGUAGE)
        unique = identifiers([*positions, *(f.name for f in fields)], LANGUAGE.reserved)
        meanings = [*map(comment, robot.joint_names), *(f.meaning for f in fields)]
        values = [None] * robot.n + [f.default for f in robot.parameters]
        every = [Field(*each) for each in zip(unique, values, meanings, strict=True)]
        self.variables, self.parameters = every[: robot.n], every[robot.n :]
        self._labels = {
            (argument, i): field.name
            for argument, group in (("q", self.variables), (PARAMETERS, self.parameters))
            for i, field in enumerate(group)
        }

    def function(self, name: str) -> TransformScript:
        """A transform or Jacobian; its matrix is written entry by entry."""
        entry = self._library.entry(name)
        parameters = tuple(p.name for p in self._library.robot.parameters)
        taken = frozenset({*TAKEN, *_OWN, *self._identifiers.values()})
        body = script(entry.fastest, LANGUAGE, parameters, self._labels, taken)
        (output,) = entry.function.outputs
        variables, given = (
            tuple((r.variable, "", r.index) for r in body.reads if r.argument == argument)
            for argument in ("q", PARAMETERS)
        )
        return TransformScript(
            name=self._identifiers[name],
            summary=comment(entry.function.summary),
            size=output.rows,
            body=body,
            rows=rows(body.entries[output.name], output.rows),
            changing=(),
            constants=[],
            reads=variables,
            parameters=given,
        )
