"""Everything that is wrong or odd about a document, and what it says if nothing is wrong."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from robcogen_ros.editing.languages import document, suffix
from robcogen_ros.editing.lines import Lines
from robcogen_ros.editing.tree import Document, Statement
from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import dtdsl, motions_or_transforms
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.description import Description
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.transforms.desired import Desired
from robcogen_ros.transforms.document import Motions, Transforms

_MOST_JOINTS = 40
"""Most joints of robots whose functions are looked at while somebody types; of larger ones that
takes long."""

Content = Description | Motions | Transforms | Desired


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read.

    Attributes:
        problems: What is wrong or odd, in the order of the text.
        content: What it says; None if something is wrong.
    """

    problems: tuple[Problem, ...]
    content: Content | None = None


def read(source: Source) -> Reading:
    """Reads and checks a document; its file's name tells its language."""
    try:
        return _read(source)
    except ModelError as error:
        return Reading(error.problems)
    except RobcogenError as error:
        return Reading((Problem(str(error), source.whole),))


def refused(robot: Robot, place: Location) -> list[Problem]:
    """Warnings of the functions that a robot cannot have."""
    return [
        Problem(f"no {', '.join(names)}: {reason}", place, "warning")
        for names, reason in Library(robot).requested.refusals()
    ]


def extents(source: Source, problems: Iterable[Problem]) -> list[tuple[int, int]]:
    """Offsets of the words that findings are about: those of a statement, or a single one."""
    tree = document(source.name, source.text)
    lines = Lines(source.text)
    starts = [token.start for token in tree.code]
    statements = {each.head[0]: each for each in tree.root.walk()}
    found = []
    for problem in problems:
        offset = lines.located(problem.location) if problem.location else 0
        index = bisect_left(starts, offset)
        if index == len(starts) or starts[index] != offset:
            found.append((offset, min(offset + 1, len(source.text))))
            continue
        last = _last_word(tree, statements[index]) if index in statements else index
        found.append((offset, tree.code[last].end))
    return found


def _last_word(tree: Document, statement: Statement) -> int:
    """The last word of a statement before its blocks, and on its first line."""
    end = statement.blocks[0][0] if statement.blocks else len(tree.code)
    last = statement.head[0]
    for index in statement.head[1:]:
        if index > end or tree.code[index].breaks:
            break
        last = index
    return last


def _read(source: Source) -> Reading:
    language = suffix(source.name)
    if language == ".dtdsl":
        desired = dtdsl.read(source)
        return Reading(desired.warnings, desired)
    if language != ".kindsl":
        relations = motions_or_transforms.parse(source)
        return Reading(relations.warnings, relations)
    description = kindsl.read(source)
    problems = [*description.warnings, *check(description)]
    if any(problem.severity == "error" for problem in problems):
        return Reading(tuple(problems))
    robot = reduce(description)
    if robot.n <= _MOST_JOINTS:
        problems += refused(robot, source.whole)
    return Reading(tuple(problems), description)
