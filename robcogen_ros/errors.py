"""Errors and warnings of a user's file, written as a compiler writes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a text file.

    Attributes:
        file: Path as the user gave it.
        line: Line, counted from 1; 0 means the file as a whole.
        column: Column, counted from 1.
    """

    file: str
    line: int = 0
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}:1:1"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a model.

    Attributes:
        message: What was found, what was expected and what to do.
        location: Where, if a text file is to blame.
        severity: "error", "warning" or, of what is usual but should be known, "note".
    """

    message: str
    location: Location | None = None
    severity: str = "error"

    def __str__(self) -> str:
        text = f"{self.severity}: {self.message}"
        return f"{self.location}: {text}" if self.location else text


def strictly(problems: Iterable[Problem], strict: bool = True) -> list[Problem]:
    """The findings, where it is `strict` with warnings as errors.

    Raises:
        ModelError: If one is an error.
    """
    findings = list(problems)
    if strict:
        findings = [
            replace(problem, severity="error") if problem.severity == "warning" else problem
            for problem in findings
        ]
    if any(problem.severity == "error" for problem in findings):
        raise ModelError(findings)
    return findings


class RobcogenError(Exception):
    """Root of all errors that a user can cause; its text is for the user."""


class ModelError(RobcogenError):
    """A robot's description is wrong.

    Attributes:
        problems: All findings, in the order of the file.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ModelError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)

    @classmethod
    def at(cls, location: Location | None, message: str) -> ModelError:
        """An error with a single finding."""
        return cls([Problem(message, location)])
