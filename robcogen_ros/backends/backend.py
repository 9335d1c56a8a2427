"""Target of generation: a language's files for a robot's functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from robcogen_ros.program.frame_transforms import TransformPrograms
from robcogen_ros.program.library import Library


@dataclass(frozen=True, slots=True)
class Target:
    """Names under which code is generated.

    Attributes:
        project: The user's package.
        name: The target in it.
        model: File name of the robot's description, for the comment at the top of each file.
        scalar: Type of numbers, `double` or `float`, of languages that have to choose one.
        shared: Functions that go on from what they share of one state, in C++.
        batch: Whether many states are computed several at once, in C++.
    """

    project: str
    name: str
    model: str
    scalar: str = "double"
    shared: tuple[str, ...] = ()
    batch: bool = False

    @property
    def prefix(self) -> str:
        """The beginning of names in a language without namespaces."""
        return f"{self.project}_{self.name}_"


Backend = Callable[[Library, Target], dict[PurePosixPath, str]]
"""Texts of the files of a robot, by path below the output directory."""

TransformBackend = Callable[[TransformPrograms, Target], dict[PurePosixPath, str]]
"""Texts of the files of transforms that belong to no robot, by path below the output directory."""
