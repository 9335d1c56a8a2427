"""Shapes that a URDF gives its links, to be seen and to collide.

What is wrong with one is a warning that says what is left out: dynamics are the same without, and
urdfdom reads on as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from robcogen_ros.errors import Problem
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf.origin import Origins
from robcogen_ros.formats.urdf.schema import FORMS, distill
from robcogen_ros.model.description import ShapeDescription

_Color = tuple[float, ...]
_ONCE = (("origin",), ("geometry",), tuple(FORMS))
"""Elements that stand once in a visual or collision."""


def shapes(robot: Element, origins: Origins, problems: list[Problem]) -> Iterator[ShapeDescription]:
    """The shapes of all links of a URDF, but those with an error; findings go to `problems`."""
    colors = _colors(robot, problems)
    for link in robot.all("link"):
        for part in link.all("visual", "collision"):
            found = list[Problem]()
            single = _single(part, found)
            distill(single, found)
            origin, form = part.first("origin"), _form(single, found)
            found += origins.findings(origin) if origin else ()
            found += _odd_sizes(form) if form and not found else ()
            problems += _warnings(found, f"this {part.tag} is left out")
            if form is not None and not any(problem.severity == "error" for problem in found):
                yield ShapeDescription(
                    link.attributes.get("name", ""),
                    part.tag == "visual",
                    form.tag,  # type: ignore[arg-type]
                    tuple(_sizes(form)),
                    origins.pose(origin),
                    form.attributes.get("filename", "").strip(),
                    _color(part.first("material"), colors),
                    form.source.files,
                    form.location,
                )


def _warnings(problems: Iterable[Problem], consequence: str) -> Iterator[Problem]:
    """Yields problems with errors turned into warnings that name the consequence."""
    for problem in problems:
        if problem.severity == "error":
            message = f"{problem.message}; {consequence}"
            yield replace(problem, message=message, severity="warning")
        else:
            yield problem


def _single(part: Element, problems: list[Problem]) -> Element:
    """A visual or collision with its first place, geometry and form alone, as urdfdom has it."""
    children = list[Element]()
    for child in part.children:
        kinds = next((kinds for kinds in _ONCE if child.tag in kinds), ())
        if any(other.tag in kinds for other in children):
            message = f"a second {'shape' if child.tag in FORMS else f'<{child.tag}>'} is ignored"
            problems.append(Problem(message, child.location, "warning"))
        else:
            deeper = child.tag == "geometry" != part.tag
            children.append(_single(child, problems) if deeper else child)
    return replace(part, children=children)


def _form(part: Element, problems: list[Problem]) -> Element | None:
    geometry = part.first("geometry")
    if geometry is None:
        return None
    form = next(iter(geometry.all(*FORMS)), None)
    if form is None:
        message = f"<geometry> has none of {', '.join(f'<{form}>' for form in FORMS)}"
        problems.append(Problem(message, geometry.location))
    return form


def _sizes(form: Element) -> Iterator[float]:
    for name, attribute in FORMS[form.tag].attributes.items():
        if attribute.kind != "name":
            yield from map(float, form.attributes.get(name, attribute.default or "").split())


def _odd_sizes(form: Element) -> Iterator[Problem]:
    """Errors of sizes that nothing has; what is flat or a point is something."""
    for name in form.attributes.keys() & FORMS[form.tag].attributes.keys() - {"filename"}:
        text = form.attributes[name]
        sizes = [*map(float, text.split())]
        if form.tag == "mesh" and 0 in sizes:
            why = f"'{text}' leaves nothing of it"
        elif form.tag != "mesh" and min(sizes) < 0:
            why = f"expected no less than 0, found '{text}'"
        else:
            continue
        yield Problem(f"{name} of <{form.tag}>: {why}", form.attribute_location(name))


def _colors(robot: Element, problems: list[Problem]) -> dict[str, _Color]:
    """Colors by the names of materials, of which the first counts."""
    colors: dict[str, _Color] = {}
    links = (part for link in robot.all("link") for part in link.all("visual"))
    for holder in (robot, *links):
        for material in holder.all("material"):
            color = _own_color(material, problems)
            if color is not None:
                colors.setdefault(material.attributes.get("name", ""), color)
    return colors


def _color(material: Element | None, colors: Mapping[str, _Color]) -> _Color | None:
    if material is None:
        return None
    return _own_color(material, []) or colors.get(material.attributes.get("name", ""))


def _own_color(material: Element, problems: list[Problem]) -> _Color | None:
    color = material.first("color")
    found: list[Problem] = []
    distill(material, found)
    problems += _warnings(found, "this color is left out")
    if color is None or any(problem.severity == "error" for problem in found):
        return None
    return tuple(map(float, color.attributes["rgba"].split()))
