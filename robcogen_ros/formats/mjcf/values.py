"""Values of attributes of an MJCF, and what is wrong with them."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.number import number
from robcogen_ros.model.spatial import Vector


class Values:
    """Reads values of attributes.

    Attributes:
        problems: All that is wrong.
    """

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems

    def fail(self, element: Element, key: str, message: str) -> None:
        """Complains of the value of an attribute."""
        text = f"{key} of <{element.tag}>: {message}"
        self.problems.append(Problem(text, element.attribute_location(key)))

    def warn(self, element: Element, key: str, message: str, severity: str = "warning") -> None:
        """Tells something about an attribute."""
        self.problems.append(Problem(message, element.attribute_location(key), severity))

    def numbers(self, element: Element, key: str, count: int, default: str = "") -> list[Decimal]:
        """Returns `count` numbers of an attribute; those of the default if they are wrong."""
        text = element.attributes.get(key)
        if text is not None:
            if complaint := numeral.complaint_of_several(text, count):
                self.fail(element, key, complaint)
            else:
                return [number(word) for word in text.split()]
        return [number(word) for word in default.split()]

    def some(self, element: Element, key: str, most: int, default: str = "") -> list[Decimal]:
        """Returns at most `most` numbers of an attribute."""
        text = element.attributes.get(key, default)
        count = min(len(text.split()), most) or 1
        return self.numbers(element, key, count, default)

    def one(
        self, element: Element, key: str, default: str = "0", least: int | None = None
    ) -> Decimal:
        """A number of an attribute, not below `least`."""
        (found,) = self.numbers(element, key, 1, default)
        if least is not None and found < least:
            self.fail(element, key, f"expected no less than {least}, found '{found}'")
            return number(default)
        return found

    def vector(self, element: Element, key: str, default: str = "0 0 0") -> Vector:
        """Three numbers of an attribute."""
        return vector(self.numbers(element, key, 3, default))

    def word(self, element: Element, key: str, words: tuple[str, ...], default: str) -> str:
        """A word of an attribute."""
        found = element.attributes.get(key, default)
        if found in words:
            return found
        self.fail(element, key, f"expected one of {', '.join(words)}, found '{found}'")
        return default

    def flag(self, element: Element, key: str, default: bool = False) -> bool:
        """Returns True if an attribute is true."""
        return self.word(element, key, ("true", "false"), str(default).lower()) == "true"


def vector(entries: list[Decimal]) -> Vector:
    """A vector of three numbers."""
    return Vector(*(expression(entry) for entry in entries))
