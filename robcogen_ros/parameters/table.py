"""The tables of parameters, `*.yaml` beside this file.

A table is in the schema of generate_parameter_library, with four keys of ours: `unit`; `changes`,
when a parameter may change (`always`, `inactive`, `unconfigured`); `same_as`, a table whose row of
the same name holds here too, but for the keys that follow; and `instead_of`, names that a
parameter had before or has in the other controller of such robots: they are refused.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
KINDS = {
    "bool": "true or false",
    "int": "a whole number",
    "double": "a number",
    "string": "a text",
    "double_array": "numbers",
    "string_array": "a list of names",
}
"""Words for the values that each type expects."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A row of a table.

    Attributes:
        name: Name of the parameter.
        type: One of `KINDS`. One number is taken for a list of one, and one text with spaces or
            brackets for a list of names.
        default: Its default. An empty list stands for numbers that are known elsewhere.
        description: What it does.
        changes: When it may change: always, inactive or unconfigured.
        unit: Unit of its numbers; empty if there is none.
        low: Smallest number.
        high: Largest number.
        exclusive: Whether the smallest number is refused, too, and an infinite one allowed.
        choices: All allowed texts; empty: any.
        size: Length of the list; 0: any.
        instead_of: Names that are refused in its favour.
    """

    name: str
    type: str
    default: Any
    description: str
    changes: str
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    exclusive: bool = False
    choices: tuple[str, ...] = ()
    size: int = 0
    instead_of: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """True if it is a number, or numbers."""
        return self.type in ("int", "double", "double_array")

    def problem(self, value: Any) -> str | None:
        """Returns a message if a value is not allowed, else None."""
        try:
            read = self._as_list(value)
        except ValueError:
            read = [None]
        if not all(map(self._is_kind, read)):
            return f"{self.name}: expected {KINDS[self.type]}, found {value!r}"
        if self.size and len(read) != self.size and (read or self.default):
            return f"{self.name}: expected {self.size} numbers{self._or_none}, found {len(read)}"
        if not read and self.default:
            return f"{self.name}: expected {KINDS[self.type]}, found none"
        return next(filter(None, map(self.problem_of_item, read)), None)

    def read(self, value: Any) -> Any:
        """The value as the program wants it: numbers as float, lists, names without empty ones."""
        listed = self._as_list(value)
        if self.type in ("double", "double_array"):
            listed = [float(number) for number in listed]
        elif self.type == "int":
            listed = [int(number) for number in listed]
        return [x for x in listed if x != ""] if self.type.endswith("_array") else listed[0]

    @property
    def _or_none(self) -> str:
        return "" if self.default else " or none"

    def _as_list(self, value: Any) -> Sequence[Any]:
        """The values of a list, or the one value."""
        if self.type == "string_array" and isinstance(value, str):
            return names(value)
        listed = isinstance(value, Sequence) and not isinstance(value, str)
        return value if listed and self.type.endswith("_array") else [value]

    def _is_kind(self, item: Any) -> bool:
        if self.type == "bool":
            return isinstance(item, bool)
        if not self.numeric:
            return isinstance(item, str)
        whole = isinstance(item, int) or (self.type != "int" and isinstance(item, float))
        return whole and not isinstance(item, bool)

    def problem_of_item(self, item: Any) -> str | None:
        """Returns a message if a value is not allowed as the number or text, or in the list."""
        blank = self.type == "string_array" and item == ""  # of an empty list, as ROS has it
        if self.choices and item not in self.choices and not blank:
            return f"{self.name}: expected one of {', '.join(self.choices)}, found '{item}'"
        if not self.numeric:
            return None
        within = self.low < item if self.exclusive else self.low <= item <= self.high
        if within and (self.exclusive or math.isfinite(item)):
            return None
        return f"{self.name}: expected {self._range}, found {item:g}"

    @property
    def _range(self) -> str:
        """The range of its numbers, in words."""
        if self.exclusive:
            return f"more than {self.low:g}"
        if math.isfinite(self.high):
            return f"{self.low:g} to {self.high:g}"
        return "a finite number" + f", {self.low:g} or more" * math.isfinite(self.low)


@lru_cache
def table(name: str) -> tuple[Parameter, ...]:
    """The parameters of a controller or node."""
    return tuple(_parameter(row, entry) for row, entry in _rows(name).items())


def names(text: str) -> list[str]:
    """The names in a text: words as a shell has them, or a list in brackets, with commas."""
    listed = text.strip().startswith("[")
    words = shlex.shlex(text.strip()[1:].removesuffix("]") if listed else text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    words.whitespace = "," if listed else " \t\r\n"
    return [word.strip() for word in words]


@lru_cache
def _rows(name: str) -> dict[str, dict[str, Any]]:
    """The rows of a file, with what they take from others."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    rows: dict[str, dict[str, Any]] = yaml.load(text, Loader=loader)[name]
    return {row: _whole(row, entry) for row, entry in rows.items()}


def _whole(row: str, entry: dict[str, Any]) -> dict[str, Any]:
    same_as = entry.pop("same_as", None)
    if same_as is None:
        return entry
    return _rows(same_as)[row] | entry


def _parameter(name: str, entry: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name,
        entry["type"],
        entry["default_value"],
        entry["description"],
        entry["changes"],
        entry.get("unit", ""),
        **_rules(entry.get("validation", {})),
        instead_of=tuple(entry.get("instead_of", ())),
    )


def _rules(validation: Mapping[str, Any]) -> dict[str, Any]:
    """Returns bounds and choices by validators of generate_parameter_library and of ours."""
    rules: dict[str, Any] = {}
    for validator, given in validation.items():
        kind = validator.removesuffix("<>")
        if kind in ("bounds", "element_bounds"):
            rules |= {"low": given[0], "high": given[1]}
        elif kind in ("gt_eq", "lower_element_bounds"):
            rules["low"] = given[0]
        elif kind == "robcogen_ros::elements_gt":
            rules |= {"low": given[0], "exclusive": True}
        elif kind in ("one_of", "subset_of"):
            rules["choices"] = tuple(given[0])
        elif kind == "fixed_size":
            rules["size"] = given
        else:
            raise ValueError(f"no such validator: {validator}")
    return rules
