"""Lines of C and C++, broken as clang-format breaks them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

WIDTH = 100
"""Characters in a line."""


def filled(items: Sequence[str], width: int = WIDTH, indent: str = "  ", *, last: str = "") -> str:
    """Items between commas, on as many lines as they need.

    Args:
        items: The items.
        width: Characters in a line.
        indent: What every line but the first begins with; the first is written after as much.
        last: What follows the last item.
    """
    ends = [*[","] * (len(items) - 1), last]
    lines = [""]
    for item, end in zip(items, ends, strict=False):
        gap = 1 if lines[-1] else 0
        if gap and len(indent) + len(lines[-1]) + gap + len(item) + len(end) > width:
            lines.append("")
            gap = 0
        lines[-1] += " " * gap + item + end
    return f"\n{indent}".join(lines) or last


def enclosed(head: str, items: Sequence[str], tail: str, indent: str = "") -> str:
    """A head, items between commas, a tail: on one line, or the items on lines of their own.

    Args:
        head: What comes first, up to the opening bracket.
        items: The items.
        tail: The closing bracket and what follows.
        indent: What the line begins with.
    """
    line = f"{indent}{head}{', '.join(items)}{tail}"
    if len(line) <= WIDTH or not items:
        return line
    inner = indent + "  "
    target, equals, call = head.rpartition(" = ")
    below = f"{inner}{call}{', '.join(items)}{tail}"
    if equals and head.endswith("(") and len(below) <= WIDTH:
        return f"{indent}{target} =\n{below}"
    first = f"{indent}{head}".rstrip()
    return f"{first}\n{inner}{filled(items, WIDTH, inner, last=tail)}"


def statement(target: str, value: str, indent: str = "  ") -> str:
    """A line `target = value;`.

    A value that is too long for it is on the next line, a longer sum broken between its terms.
    """
    line = f"{indent}{target} = {value};"
    if len(line) <= WIDTH:
        return line
    head, terms = f"{indent}{target} =", list(_terms(f"{value};"))
    beside = _broken(head, terms, " " * (len(head) + 1))
    below = [head, *_broken(indent + "  " + terms[0], terms[1:], indent + "  ")]
    return "\n".join(below if len(below) < len(beside) or len(below) == 2 else beside)


def _broken(line: str, terms: Sequence[str], indent: str) -> list[str]:
    """A line and what follows in it, on as many lines as it needs."""
    lines = [line]
    for term in terms:
        if len(lines[-1]) + 1 + len(term) > WIDTH:
            lines.append(indent + term)
        else:
            lines[-1] += f" {term}"
    return lines


def _terms(value: str) -> Iterator[str]:
    """The terms of a sum, each with the sign of the next."""
    begin = depth = 0
    for at, character in enumerate(value):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and value[at : at + 3] in (" + ", " - "):
            yield value[begin : at + 2]
            begin = at + 3
    yield value[begin:]


def documented(text: str, indent: str = "") -> str:
    """Text of a comment that begins with `/// `, on as many lines as it needs."""
    return "\n/// ".join(textwrap.wrap(text, WIDTH - 4, subsequent_indent=indent))
