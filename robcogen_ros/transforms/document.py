"""Contents of documents of the Motion-DSL and the Transforms-DSL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from robcogen_ros.errors import Location, Problem
from robcogen_ros.transforms.steps import Steps


@dataclass(frozen=True, slots=True)
class Relation:
    """Steps that relate two frames: the pose of one in the other, or a transform between them.

    Attributes:
        left: The frame where a motion starts; to whose coordinates a transform leads.
        right: The frame where a motion ends; from whose coordinates a transform comes.
        steps: The steps as the document writes them.
        name: What the user calls it; empty for nothing.
        location: Where it is written.
    """

    left: str
    right: str
    steps: Steps
    name: str = ""
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A group of parameters that a document declares."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Motions:
    """A document of the Motion-DSL: how frames are reached from others.

    Attributes:
        name: Its name; empty if it has none.
        frames: Its frames, in the order of the document.
        relations: The motions.
        convention: Whether the axes of each step are those of the frame that moved so far
            ("local"), or stay those of the frame where the motion starts ("fixed").
        groups: Groups of parameters.
        warnings: What is odd about it.
    """

    name: str
    frames: tuple[str, ...]
    relations: tuple[Relation, ...]
    convention: Literal["local", "fixed"] = "local"
    groups: tuple[Group, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def sequence(self, relation: Relation) -> Steps:
        """The factors of left_X_right, each of which maps from the moved frame to the other.

        Turns about axes that stay fixed turn the frame in its place, so that shifts add up in any
        order (RobCoGen, JOSER 7(1), 2016, footnote 3); a later turn is a factor before earlier
        ones.
        """
        steps = relation.steps
        if self.convention == "local":
            return steps
        shifts = (step for step in steps if not step.turns)
        return (*shifts, *(step for step in reversed(steps) if step.turns))


@dataclass(frozen=True, slots=True)
class Transforms:
    """A document of the Transforms-DSL: transforms as products of primitive ones.

    Attributes:
        name: Its name; empty if it has none.
        frames: Its frames, in the order of the document.
        relations: The transforms.
        moved: Where the moved frame stands in each primitive transform: "right" if it maps from
            the moved frame's coordinates to the other's, "left" if it maps to the moved frame's.
        groups: Groups of parameters.
        warnings: What is odd about it.
    """

    name: str
    frames: tuple[str, ...]
    relations: tuple[Relation, ...]
    moved: Literal["right", "left"] = "right"
    groups: tuple[Group, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def sequence(self, relation: Relation) -> Steps:
        """The factors of left_X_right, each of which maps from the moved frame to the other."""
        if self.moved == "right":
            return relation.steps
        return tuple(step.inverse() for step in relation.steps)


Document = Motions | Transforms
