"""Values of names, `name:=value`, as parameters and the command lines of nodes list them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from robcogen_ros.errors import RobcogenError

USAGE = "[FILE [NAME:=VALUE ...]] [--ros-args -p PARAMETER:=VALUE ... -r NAME:=OTHER ...]"
BEGIN_OF_ROS, END_OF_ROS = "--ros-args", "--"


@dataclass(frozen=True, slots=True)
class NodeArguments:
    """The robot that the command line of a node names.

    Attributes:
        file: Its file; empty if none is given.
        xacro_args: Arguments of a xacro, each `name:=value`.
    """

    file: str = ""
    xacro_args: tuple[str, ...] = ()

    @classmethod
    def of(cls, words: Iterable[str]) -> NodeArguments:
        """The robot that words without those of ROS name.

        Raises:
            RobcogenError: If a word is an option, or a second file.
        """
        given = [word for word in words if word not in ("", END_OF_ROS)]
        for word in given:
            if word.startswith("-"):
                raise RobcogenError(f"unknown option '{word}'; usage: {USAGE}")
        files = [word for word in given if ":=" not in word]
        if len(files) > 1:
            raise RobcogenError(f"expected one file, found {', '.join(files)}; usage: {USAGE}")
        return cls(files[0] if files else "", tuple(word for word in given if ":=" in word))

    def merged(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters of a node with the file as `model_file`, and more `xacro_args`.

        Raises:
            RobcogenError: If parameters name another robot, or no file takes the arguments.
        """
        named = ("model", "model_file", "use_robot_description_topic")
        rivals = [name for name in named if values.get(name)]
        if self.file and rivals:
            raise RobcogenError(
                f"'{self.file}' and the parameter {rivals[0]} both name a robot; give one of them"
            )
        file = self.file or values.get("model_file", "")
        if self.xacro_args and not file:
            raise RobcogenError(
                f"no file takes the argument '{self.xacro_args[0]}': a xacro goes before it, and "
                f"names that ROS is to remap come after {BEGIN_OF_ROS} -r"
            )
        arguments = [*values.get("xacro_args", ()), *self.xacro_args]
        return {**values, **({"model_file": file, "xacro_args": arguments} if file else {})}


NO_ROBOT = NodeArguments()


def divided(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a command line that are for a program, and those that are for ROS.

    ROS has all from `--ros-args` to `--` or the end, and remappings before it whose names no
    argument of a xacro has: `__ns:=/left`, `/joint_states:=/left/joint_states`. Other words
    `name:=value`, which ROS would take for remappings, too, are the program's.
    """
    own, of_ros, inside = list[str](), list[str](), False
    for word in words:
        inside = inside or word == BEGIN_OF_ROS
        (of_ros if inside or _remaps(word) else own).append(word)
        inside = inside and word != END_OF_ROS
    return own, of_ros


def _remaps(word: str) -> bool:
    name, assigned, _ = word.partition(":=")
    return bool(assigned) and (name.startswith("__") or not set(name).isdisjoint("/~:"))


def assignments(parameter: str, texts: Iterable[str]) -> dict[str, str]:
    """The value of each name.

    Raises:
        RobcogenError: If a text is no assignment, or a name is given twice.
    """
    values: dict[str, str] = {}
    for text in texts:
        name, assigned, value = text.partition(":=")
        if not name or not assigned:
            raise RobcogenError(f"{parameter}: expected name:=value, found '{text}'")
        if name in values:
            raise RobcogenError(f"{parameter}: '{name}' is given twice")
        values[name] = value
    return values


def numbers(parameter: str, texts: Iterable[str]) -> dict[str, float]:
    """The number of each name.

    Raises:
        RobcogenError: If a text assigns no finite number, or a name is given twice.
    """
    values = {}
    for name, text in assignments(parameter, texts).items():
        try:
            values[name] = float(text)
        except ValueError:
            values[name] = math.nan
        if not math.isfinite(values[name]):
            raise RobcogenError(f"{parameter}: expected a number for '{name}', found '{text}'")
    return values
