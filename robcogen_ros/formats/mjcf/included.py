"""The document of an MJCF with the files that it includes in their places."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import located_xml, source
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.source import Source

ROOT, PART = "mujoco", "mujocoinclude"
"""Root elements of an MJCF, and of a file that is only included."""
_DEEPEST = 200
"""Greatest depth to which elements may nest."""


class Included:
    """The document of one file, with what it includes.

    Attributes:
        root: Its root element, without `<include>`.
        files: Every file that was read, absolute, the main one first.
    """

    def __init__(self, root: Element) -> None:
        """Reads what a document includes.

        Raises:
            ModelError: If a file cannot be read, is no MJCF, or is included twice.
        """
        self._main = root.source
        self._seen = {_identity(root.source): root}
        self.files = list(root.source.files)
        self.root = self._expanded(root, root.source)

    def _expanded(self, element: Element, text: Source, depth: int = 0) -> Element:
        if depth > _DEEPEST:
            message = f"elements nest more than {_DEEPEST} deep, which cannot be worked with"
            raise ModelError.at(element.location, message)
        children: list[Element] = []
        for child in element.children:
            if child.tag == "include":
                children += self._content(child, text, depth)
            else:
                children.append(self._expanded(child, text, depth + 1))
        return replace(element, children=children)

    def _content(self, include: Element, text: Source, depth: int) -> list[Element]:
        """Returns the elements in the root of an included file."""
        root = read_named(include, text, self._main, "an MJCF")
        known = self._seen.get(_identity(root.source))
        place = include.attribute_location("file")
        if known is not None:
            name = include.attributes["file"]
            message = f"'{name}' is included a second time, or includes itself; MuJoCo takes a file"
            raise ModelError.at(place, f"{message} once")
        if root.tag not in (ROOT, PART):
            message = f"expected <mujocoinclude> or <mujoco>, found <{root.tag}>"
            raise ModelError.at(root.location, message)
        self._seen[_identity(root.source)] = root
        self.files += root.source.files
        return self._expanded(root, root.source, depth).children


def read_named(element: Element, text: Source, main: Source, expected: str) -> Element:
    """The root element of the file that an element names.

    It is looked for beside the main file, then beside the one that the element stands in.

    Raises:
        ModelError: If it cannot be read.
    """
    name = element.attributes.get("file", "").strip()
    place = element.attribute_location("file")
    if not name:
        raise ModelError.at(place, f"<{element.tag}> expects file, the name of {expected}")
    paths = [_folder(each) / name for each in (main, text)]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise ModelError.at(place, f"there is no file '{paths[0]}'")
    return located_xml.parse(source.read(str(path), expected))


def _folder(text: Source) -> Path:
    """The folder of a file, as messages name it."""
    return Path(text.name).parent if text.files else Path()


def _identity(text: Source) -> str:
    return text.files[0] if text.files else text.name
