"""Parts that the writers of the Motion-DSL and the Transforms-DSL share."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from robcogen_ros.model.scalars import number
from robcogen_ros.transforms.amount import PI, Amount, Symbol
from robcogen_ros.transforms.document import Document, Relation

_STEPS = [f"{word}{axis}" for word in ("rot", "tr", "R", "T") for axis in "xyz"]
_KEYWORDS = frozenset({*_STEPS, "PI", "Pi", "pi", "Model", "Frames", "Params", "Convention"})
_EXACT_DIGITS = 17
_WIDTH = 100


class Names:
    """Texts of names in the languages: letters, digits and underscores, keywords with a caret."""

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._taken: set[str] = set()

    def reserve(self, names: Iterable[str]) -> None:
        """Lets names that are legal keep their text, whatever others become."""
        for name in names:
            if _identifier(name) == name:
                self[name]

    def __getitem__(self, name: str) -> str:
        if name not in self._written:
            candidate = _identifier(name)
            while candidate in self._taken:
                candidate += "_"
            self._taken.add(candidate)
            self._written[name] = candidate
        text = self._written[name]
        return f"^{text}" if text in _KEYWORDS else text

    def changed(self) -> list[tuple[str, str]]:
        """Names that are written differently, each with what is written."""
        return [(name, self[name]) for name, text in self._written.items() if name != text]


class Writer:
    """Writes names and amounts of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.frames, self.symbols = Names(), Names()
        self.frames.reserve(document.frames)
        self._introduced: set[Symbol] = set()
        steps = [step for relation in document.relations for step in relation.steps]
        self.symbols.reserve(s.amount.symbol.name for s in steps if s.amount.symbol)

    def header(self) -> Iterator[str]:
        """The name, the frames, the groups of parameters."""
        if self.document.name:
            yield f"Model {Names()[self.document.name]}"
            yield ""
        if self.document.frames:
            frames = ", ".join(self.frames[frame] for frame in self.document.frames)
            yield from _wrapped("Frames {", frames, "}")
            yield ""
        for group in self.document.groups:
            members = ", ".join(self.symbols[member] for member in group.members)
            yield from _wrapped(f"Params {Names()[group.name]} {{", members, "}")
        if self.document.groups:
            yield ""

    def document_text(self, head: str, relation: Callable[[Relation], str], word: str) -> str:
        """The whole text.

        Args:
            head: The line that says the convention.
            relation: What stands before the steps of a relation.
            word: The two words for a turn and a shift, with a place for the axis.
        """
        turn, shift = word.split()
        lines = []
        for entry in self.document.relations:
            steps = [
                f"{(turn if step.turns else shift)}{'xyz'[step.axis]} ({self.amount(step.amount)})"
                for step in entry.steps
            ]
            name = [f"[{self.symbols[entry.name]}]"] if entry.name else []
            lines += _filled(relation(entry), [*steps, *name])
        header = list(self.header())
        renamed = [
            f"// {written} is {name!a} in the original"
            for names in (self.frames, self.symbols)
            for name, written in names.changed()
        ]
        return "\n".join([*renamed, *header, head, "", *lines, ""])

    def amount(self, amount: Amount) -> str:
        """An amount as it is read back."""
        if amount.symbol is None:
            return decimal(amount.coefficient)
        size = abs(amount.numerator)
        factor = "" if size == number.ONE else f"{decimal(size)} "
        divisor = "" if amount.divisor == number.ONE else f"/{decimal(amount.divisor)}"
        sign = "-" if amount.numerator < 0 else ""
        return f"{sign}{factor}{self._symbol(amount.symbol)}{divisor}"

    def _symbol(self, symbol: Symbol) -> str:
        """A symbol; what its value or default is, is said where it comes first."""
        if symbol == PI:
            return "PI"
        first = symbol not in self._introduced
        self._introduced.add(symbol)
        name = self.symbols[symbol.name]
        value = "" if symbol.value is None or not first else decimal(symbol.value)
        if symbol.kind == "variable":
            return name
        if symbol.kind == "constant":
            return f"c:{name}:{value}" if value else f"c:{name}"
        qualified = f"{Names()[symbol.group]}.{name}" if symbol.group else f"p:{name}"
        return f"{qualified}[{value}]" if value else qualified


def decimal(value: Decimal) -> str:
    """A number with a point and without exponent: as written, or what rounds to the same double."""
    digits = value.normalize().as_tuple().digits
    exact = value if len(digits) <= _EXACT_DIGITS else Decimal(repr(number.to_float(value)))
    text = format(exact.normalize() if exact else Decimal(0), "f")
    return text if "." in text else f"{text}.0"


def _identifier(name: str) -> str:
    text = re.sub(r"[^A-Za-z0-9_]", "_", name, flags=re.ASCII)
    return text if re.match(r"[A-Za-z_]", text) else f"_{text}"


def _wrapped(start: str, middle: str, end: str) -> list[str]:
    line = f"{start} {middle} {end}" if middle else f"{start}{end}"
    if len(line) <= _WIDTH:
        return [line]
    lines = textwrap.wrap(
        middle, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False
    )
    return [start, *lines, end]


def _filled(start: str, words: list[str]) -> list[str]:
    """A line of words that are not parted, continued below where it is full."""
    lines = [start]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines
