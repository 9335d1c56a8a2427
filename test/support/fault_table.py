"""Tables of faults on pages, and the tests that hold their lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., None])


def fault(*lines: str) -> Callable[[Test], Test]:
    """Says which lines of a table a test holds, by their first cells."""

    def of_table(test: Test) -> Test:
        vars(test)["fault_lines"] = lines
        return test

    return of_table


def held_lines(names: Mapping[str, Any]) -> set[str]:
    """The lines that the tests of a module hold, from its `globals()`."""
    return {line for test in names.values() for line in getattr(test, "fault_lines", ())}


def table_lines(page: Path, head: str) -> set[str]:
    """The first cells of the table that begins with the row `head`."""
    after = page.read_text(encoding="utf-8").split(f"\n{head}\n", 1)[1].splitlines()[1:]
    rows = after[: next(i for i, row in enumerate(after) if not row.startswith("|"))]
    return {row.split(" | ")[0].removeprefix("| ") for row in rows}
