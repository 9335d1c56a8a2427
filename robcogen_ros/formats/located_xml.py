"""XML with line and column kept for every tag and every attribute.

Entities are never expanded: a document type declaration is refused, so neither an entity bomb nor
a reference to another file can do harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from robcogen_ros.errors import Location, ModelError
from robcogen_ros.formats.source import Source

_ATTRIBUTE = re.compile(r"""\s+([^\s=/>]+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_LATE_DECLARATION = re.compile(r"[\s\ufeff]+<\?xml\s[^>]*\?>")
"""An XML declaration after blank lines, which robot_state_publisher and others read past."""
_NOT_LINE_END = re.compile(r"[^\n]")
_TAG_NAME = re.compile(r"<[^\s/>]+")


@dataclass(slots=True)
class Element:
    """An XML element.

    Attributes:
        tag: Its name, prefix included.
        attributes: Its attributes as written, entities resolved.
        source: The text it stands in.
        offset: Where its start tag begins in the text.
        children: Its child elements, in document order.
        text: What stands in it beside elements.
        literal: Whether that is CDATA.
    """

    tag: str
    attributes: dict[str, str]
    source: Source
    offset: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    literal: bool = False

    @property
    def location(self) -> Location:
        """The place where the start tag begins."""
        return self.source.location(self.offset)

    def attribute_location(self, name: str) -> Location:
        """Returns the place of an attribute's value, or the tag's place without one."""
        span = self.attribute_span(name)
        return self.source.location(span[0]) if span else self.location

    def attribute_span(self, name: str) -> tuple[int, int] | None:
        """Returns begin and end of an attribute's value in the text; None if it has none."""
        for found in self._attributes():
            if found.group(1) == name:
                quote = re.search(r"""["']""", found.group())
                return found.start() + (quote.end() if quote else 0), found.end() - 1
        return None

    def tag_end(self) -> int:
        """Returns the place in the text where the last attribute ends, or the name without any."""
        tag = _TAG_NAME.match(self.source.text, self.offset)
        ends = [found.end() for found in self._attributes()]
        return ends[-1] if ends else tag.end() if tag else self.offset

    def _attributes(self) -> Iterator[re.Match[str]]:
        """The attributes as they stand in the text."""
        tag = _TAG_NAME.match(self.source.text, self.offset)
        position = tag.end() if tag else self.offset
        while found := _ATTRIBUTE.match(self.source.text, position):
            yield found
            position = found.end()

    def all(self, *tags: str) -> list[Element]:
        """The child elements of the given tags."""
        return [child for child in self.children if child.tag in tags]

    def first(self, tag: str) -> Element | None:
        """The first child element of a tag, if any."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Element]:
        """The element and all below it, in document order."""
        pending = [self]
        while pending:
            element = pending.pop()
            yield element
            pending.extend(reversed(element.children))


def parse(source: Source) -> Element:
    """The root element of a text.

    Raises:
        ModelError: If the text is not well-formed XML, or declares a document type.
    """
    builder = _Builder(source)
    parser = expat.ParserCreate("utf-8")
    builder.attach(parser)
    try:
        parser.Parse(builder.data, True)
    except expat.ExpatError as error:
        location = Location(source.name, error.lineno, error.offset + 1)
        raise ModelError.at(location, builder.explain(error)) from error
    assert builder.root is not None
    return builder.root


def _without_late_declaration(text: str) -> str:
    """The text, with blanks in the place of a declaration that is not at its start."""
    late = _LATE_DECLARATION.match(text)
    return _NOT_LINE_END.sub(" ", late.group()) + text[late.end() :] if late else text


class _Builder:
    """Collects elements from expat's events."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = _without_late_declaration(source.text).encode()
        self.root: Element | None = None
        self.open: list[Element] = []
        self.bytes_seen = self.characters_seen = 0

    def attach(self, parser: expat.XMLParserType) -> None:
        """Receives a parser's events."""
        self.parser = parser
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartCdataSectionHandler = self.literally
        parser.StartDoctypeDeclHandler = self.doctype

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.source, self.character_offset())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].text += text

    def literally(self) -> None:
        self.open[-1].literal = True

    def doctype(self, *_declaration: object) -> None:
        start = self.source.text.rfind("<!DOCTYPE", 0, self.character_offset())
        raise ModelError.at(
            self.source.location(start),
            "a document type declaration is not allowed: entities are not expanded",
        )

    def character_offset(self) -> int:
        """Expat counts bytes, a Python text characters; events come in rising order."""
        position = self.parser.CurrentByteIndex
        self.characters_seen += len(self.data[self.bytes_seen : position].decode())
        self.bytes_seen = position
        return self.characters_seen

    def explain(self, error: expat.ExpatError) -> str:
        reason = expat.errors.messages.get(error.code, "malformed")
        if (begun := self.data.lstrip(b" \t\r\n\xef\xbb\xbf")) and not begun.startswith(b"<"):
            word = begun.split(None, 1)[0].decode(errors="replace")[:40]
            return f"the file is not XML, which begins with '<', not with '{word}'"
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_MISPLACED_XML_PI]:
            advice = "move what stands before it, or leave the declaration out"
            return f"invalid XML: <?xml ...?> is not at the start; {advice}"
        if self.open and error.code in (
            expat.errors.codes[expat.errors.XML_ERROR_TAG_MISMATCH],
            expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        ):
            unclosed = self.open[-1]
            line = unclosed.location.line
            return f"invalid XML: expected </{unclosed.tag}> for the tag opened on line {line}"
        if reason == expat.errors.XML_ERROR_NO_ELEMENTS:
            return "invalid XML: there is no element in it"
        return f"invalid XML: {reason}"
