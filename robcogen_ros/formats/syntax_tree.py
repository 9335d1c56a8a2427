"""Questions that readers ask of a parse tree."""

from __future__ import annotations

from collections.abc import Container, Iterator

from lark import Token, Tree

from robcogen_ros.errors import Location
from robcogen_ros.formats.source import Source

Node = Tree[Token]


def children(node: Node, *rules: str) -> list[Node]:
    """The child nodes that rules of the grammar made."""
    return [child for child in node.children if isinstance(child, Tree) and child.data in rules]


def child(node: Node, rule: str) -> Node:
    """The first child node that a rule of the grammar made."""
    return children(node, rule)[0]


def nodes(node: Node, rules: Container[str]) -> Iterator[Node]:
    """The nodes below one that given rules of the grammar made, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        if current.data in rules:
            yield current
        pending.extend(part for part in reversed(current.children) if isinstance(part, Tree))


def token(node: Node, *kinds: str) -> str | None:
    """The text of the first token of some kinds directly in a node."""
    texts = (str(t) for t in node.children if isinstance(t, Token) and t.type in kinds)
    return next(texts, None)


def own_name(node: Node) -> str:
    """The name that a node is, without the caret that escapes a keyword."""
    return (token(node, "NAME") or "").removeprefix("^")


def names(node: Node) -> list[str]:
    """The names directly in a node."""
    return [own_name(part) for part in children(node, "name")]


def name(node: Node) -> str:
    """The name that a node bears."""
    return own_name(child(node, "name"))


def escaped(node: Node) -> bool:
    """Returns True if the name that a node bears has a caret."""
    return (token(child(node, "name"), "NAME") or "").startswith("^")


def joined(source: Source, number: Node, factor: Node) -> str:
    """Tells that a number and a name without a space between them are a product, or nothing."""
    if number.meta.end_pos != factor.meta.start_pos:
        return ""
    first, last = (source.text[n.meta.start_pos : n.meta.end_pos] for n in (number, factor))
    product = f"'{first}{last}' is the product {first}*{last}"
    return f"{product}, for numbers are decimal and have no units; write it so if it is meant"


def location(source: Source, node: Node) -> Location:
    """Returns the place where a node begins."""
    return Location(source.name, node.meta.line, node.meta.column)
