"""Default classes of an MJCF: elements with the attributes that their class gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from robcogen_ros.errors import Location, Problem
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.names import nearest

ACTUATORS = (
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
)
_EQUALITIES = ("connect", "weld", "joint", "tendon", "flex", "flexstrain")
_TENDONS = ("spatial", "fixed")
_MAIN = "main"


@dataclass(slots=True)
class Item(Element):
    """An element with the attributes of its class.

    Attributes:
        origins: Of attributes from the class, the elements of the class that have them.
    """

    origins: Mapping[str, Element] = field(default_factory=dict)

    def attribute_location(self, name: str) -> Location:
        """Returns the place of an attribute's value, in the element or its class."""
        origin = self.origins.get(name)
        return origin.attribute_location(name) if origin else Element.attribute_location(self, name)

    def changed(self, attributes: Mapping[str, str]) -> Item:
        """Returns this item with other values of attributes."""
        return replace(self, attributes={**self.attributes, **attributes})


_Given = dict[str, Element]
"""Attributes of a class by name, each by the element that gives it."""


class Classes:
    """The default classes of a document."""

    def __init__(self, root: Element, problems: list[Problem]) -> None:
        """Reads them; findings go to `problems`."""
        self._problems = problems
        self._known: dict[str, dict[str, _Given]] = {_MAIN: {}}
        for default in root.all("default"):
            name = default.attributes.get("class", _MAIN)
            if name != _MAIN:
                message = f"the outermost default is class main, not '{name}'; nest it in another"
                problems.append(Problem(message, default.attribute_location("class")))
            self._fill(default, self._known[_MAIN])

    def _read(self, default: Element, name: str, above: Mapping[str, _Given]) -> None:
        own = {tag: dict(given) for tag, given in above.items()}
        if name in self._known:
            message = f"there is a second class '{name}'"
            self._problems.append(Problem(message, default.attribute_location("class")))
        self._known[name] = own
        self._fill(default, own)

    def _fill(self, default: Element, own: dict[str, _Given]) -> None:
        for child in default.children:
            if child.tag != "default":
                given = own.setdefault(_kind(child.tag, "default"), {})
                given.update(dict.fromkeys(child.attributes, child))
        for child in default.all("default"):
            if "class" in child.attributes:
                self._read(child, child.attributes["class"], own)
            else:
                message = "a default within another expects class, its name"
                self._problems.append(Problem(message, child.location))

    def resolved(self, element: Element, inherited: str = _MAIN, section: str = "") -> Item:
        """An element with what its class gives it, its children as they are.

        Args:
            element: The element.
            inherited: The class that it has without one of its own.
            section: The section that it stands in.
        """
        name = element.attributes.get("class", inherited)
        given = self._known[name] if self.known(element, "class") else self._known[inherited]
        own = given.get(_kind(element.tag, section), {})
        origins = {key: origin for key, origin in own.items() if key not in element.attributes}
        attributes = {key: origin.attributes[key] for key, origin in origins.items()}
        return Item(
            element.tag,
            {**attributes, **element.attributes},
            element.source,
            element.offset,
            element.children,
            element.text,
            element.literal,
            origins,
        )

    def known(self, element: Element, key: str) -> bool:
        """Returns True if the class that an attribute names is there, or none is named."""
        name = element.attributes.get(key)
        if name is None or name in self._known:
            return True
        message = f"{key} of <{element.tag}>: there is no class '{name}'"
        place = element.attribute_location(key)
        self._problems.append(Problem(message + nearest(name, self._known), place))
        return False

    def within(self, body: Element, inherited: str) -> str:
        """The class of what stands in a body or frame."""
        named = body.attributes.get("childclass", inherited)
        return named if self.known(body, "childclass") else inherited

    def section(self, root: Element, tag: str) -> Iterator[Item]:
        """The elements of all sections of a kind, with what their classes give them."""
        for section in root.all(tag):
            for element in section.children:
                yield self.resolved(element, section=tag)


def _kind(tag: str, section: str) -> str:
    """Returns the tag that keeps an element's defaults; all actuators share one."""
    if section == "equality" and tag in _EQUALITIES:
        return "equality"
    if section == "tendon" and tag in _TENDONS:
        return "tendon"
    return "general" if tag in ACTUATORS and section in ("actuator", "default") else tag
