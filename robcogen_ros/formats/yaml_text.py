"""YAML with a place for every value, and names written so that all readers take them for names.

Numbers are decimal and keys are as written, so that `on`, `1:30` and `012`, of which versions of
YAML make other values, are texts. Tags and aliases are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.source import Source

_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(\.[0-9]*)?|(\.[0-9]+))([eE][-+]?[0-9]+)?")
_WORDS = dict.fromkeys(("true", "yes", "on"), True) | dict.fromkeys(("false", "no", "off"), False)
_NOTHING = ("", "~", "null")
_PLAIN = re.compile(r"[A-Za-z_](?:[\w./-]*\w)?", re.ASCII)
_NO_NAMES = (*_WORDS, *_NOTHING, "y", "n", "nan", "inf", "infinity")
_PLAIN_TAGS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a mapping.

    Attributes:
        value: Text, float, int, bool, None, a list or a mapping of these.
        key_location: Where its key is.
        location: Where it is.
    """

    value: Any
    key_location: Location
    location: Location


def mapping(source: Source) -> Mapping[str, Entry]:
    """The entries of a text that is one mapping.

    Raises:
        ModelError: If it is none, or a key is given twice, or it uses tags or aliases.
    """
    return _entries(source, _Reading.value)


def located(source: Source) -> Mapping[str, Entry]:
    """Returns entries that have places, also in lists and mappings below."""
    return _entries(source, _Reading.located)


def _entries(source: Source, value: Callable[[_Reading, yaml.Node], Any]) -> Mapping[str, Entry]:
    try:
        root = yaml.compose(source.text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = source.whole if mark is None else _location(source, mark)
        raise ModelError.at(place, f"not valid YAML: {error.problem}") from None
    except yaml.reader.ReaderError as error:
        message = f"not valid YAML: the character U+{error.character:04X} is not allowed in it"
        raise ModelError.at(source.location(error.position), message) from None
    except RecursionError:
        raise ModelError.at(source.whole, "not valid YAML: nested too deeply") from None
    if not isinstance(root, yaml.MappingNode):
        raise ModelError.at(source.whole, "expected `name: value` lines, found none")
    reading = _Reading(source)
    return {
        name: Entry(
            value(reading, node),
            _location(source, key.start_mark),
            _location(source, node.start_mark),
        )
        for name, key, node in reading.pairs(root)
    }


def name(text: str) -> str:
    """A name as YAML, quoted where some reader would take it for something else."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NO_NAMES:
        return text
    quoted: str = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf"))
    return quoted.rstrip("\n")


class _Reading:
    """The values of nodes."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seen = set[int]()

    def value(self, node: yaml.Node) -> Any:
        self._refuse(node)
        if isinstance(node, yaml.MappingNode):
            return {name: self.value(each) for name, _, each in self.pairs(node)}
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each) for each in node.value]
        return _scalar(node.value) if node.style is None else node.value

    def located(self, node: yaml.Node) -> Any:
        """A value; the entries of a list or mapping with their places."""
        if isinstance(node, yaml.MappingNode):
            self._refuse(node)
            return {name: self._entry(key, each) for name, key, each in self.pairs(node)}
        if isinstance(node, yaml.SequenceNode):
            self._refuse(node)
            return [self._entry(each, each) for each in node.value]
        return self.value(node)

    def _entry(self, key: yaml.Node, node: yaml.Node) -> Entry:
        places = (_location(self._source, each.start_mark) for each in (key, node))
        return Entry(self.located(node), *places)

    def pairs(self, node: yaml.MappingNode) -> list[tuple[str, yaml.Node, yaml.Node]]:
        """Names, keys and values of a mapping."""
        found: dict[str, tuple[str, yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            self._refuse(key)
            place = _location(self._source, key.start_mark)
            if not isinstance(key, yaml.ScalarNode):
                raise ModelError.at(place, "expected a name before the colon, found a list")
            if key.value in found:
                before = found[key.value][1].start_mark.line + 1
                message = f"'{key.value}' is given twice, first in line {before}"
                raise ModelError.at(place, message)
            found[key.value] = key.value, key, value
        return list(found.values())

    def _refuse(self, node: yaml.Node) -> None:
        """Refuses tags, and aliases: nodes that are met again."""
        place = _location(self._source, node.start_mark)
        if node.tag not in _PLAIN_TAGS:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            raise ModelError.at(place, f"expected a value without a tag, found {tag}")
        if id(node) in self._seen:
            message = "this value is used again by an alias (*); write it where it is used"
            raise ModelError.at(place, message)
        self._seen.add(id(node))


def _scalar(text: str) -> Any:
    """Returns the value of a text without quotes."""
    if number := _NUMBER.fullmatch(text):
        return float(text) if any(number.groups()) else int(text)
    if text in _NOTHING:
        return None
    return _WORDS.get(text.lower(), text)


def _location(source: Source, mark: yaml.Mark) -> Location:
    return Location(source.name, mark.line + 1, mark.column + 1)
