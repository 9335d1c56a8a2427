"""Docstrings of methods, completed by what their arguments mean in all of them."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

_OF_BASE = "a floating base in its own coordinates"

ARGUMENTS = {
    "q": "(n,) positions [rad or m], in the order of `joint_names`.",
    "qd": "(n,) velocities [rad/s or m/s].",
    "qdd": "(n,) accelerations [rad/s^2 or m/s^2].",
    "tau": "(n,) joint forces [N m or N], positive along the axes.",
    "b": "(n,) forces [N m or N]; of a floating base (6+n,), the base's first.",
    "gravity": "(3,) acceleration of free fall in base coordinates [m/s^2]; where the base is "
    "fixed, by default `robot.gravity`.",
    "external_forces": "(links, 6) wrench [n; f] on each link, in its coordinates [N m, N], base "
    "first; by default none.",
    "base_velocity": f"(6,) spatial velocity [w; v] of {_OF_BASE} [rad/s, m/s].",
    "base_acceleration": f"(6,) true spatial acceleration of {_OF_BASE} [rad/s^2, m/s^2].",
    "guess": "(joints,) positions of all joints that move, near those sought [rad or m].",
    "contact": "Which contacts are closed: their names, or 1 or 0 of each contact (contacts,) or "
    "of each row (m,); by default all.",
    "contact_rotation": "(3, 3) axes of the ground as columns, in those of the base, z along its "
    "normal; by default the base's.",
    "contact_forces": "(m,) forces of the ground on the robot [N m or N].",
    "contact_acceleration": "(m,) accelerations that closed rows are to have [rad/s^2 or m/s^2]; "
    "by default 0.",
    "contact_poses": "(contacts, 4, 4) poses of the contacts' frames in base coordinates, or their "
    "origins (contacts, 3) where all are points [m].",
    "branch": "(limb joints,) 1 or -1 for each joint of a limb that has two solutions.",
    "damping": "(m,) what is added to the diagonal of the Delassus matrix; by default 0.",
    "restitution": "() impulse of restitution per impulse of compression, 0 to 1; by default 0.",
    "plane_point": "(3,) a point of the plane in base coordinates [m].",
    "plane_normal": "(3,) upward normal of the plane in base axes, of any length; by default that "
    "of the ground where the method has `contact_rotation`, else against gravity.",
    "sole_corners": "(4 flat feet, 3) corners of the soles of contacts with six rows, four a foot, "
    "in the coordinates of its frame [m].",
    "friction_coefficients": "(contacts,) Coulomb friction of each contact with the ground.",
}
"""Meanings of arrays in all methods, by name: shape, meaning, unit."""

_RAISES = {
    "RobcogenError": "If the robot was generated without what this computes, or cannot have it.",
    "TypeError": "If an argument holds no real numbers.",
    "ValueError": "If an argument has another shape.",
}
_SECTION = re.compile(r"^(Args|Returns|Raises|Example):\n", re.MULTILINE)
_ROW = re.compile(r"^    (\*{0,2}\w+): ", re.MULTILINE)


class Documented:
    """A class whose public methods tell their arguments, shapes, units and errors."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Completes the docstrings of a class's own methods."""
        super().__init_subclass__(**options)
        for name, method in vars(cls).items():
            if inspect.isfunction(method) and not name.startswith("_") and method.__doc__:
                method.__doc__ = _completed(method, inspect.cleandoc(method.__doc__))


def _completed(method: Callable[..., Any], text: str) -> str:
    """Returns a docstring with a row for each argument that `ARGUMENTS` has, and with the errors.

    Rows that are written in it stay.
    """
    names = [name for name in inspect.signature(method).parameters if name in ARGUMENTS]
    if not names:
        return text
    head, *parts = _SECTION.split(text)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    order = list(inspect.signature(method).parameters)
    told = {name: ARGUMENTS[name] for name in names} | _rows(sections.get("Args", ""))
    told = dict(sorted(told.items(), key=lambda row: order.index(row[0].strip("*"))))
    sections["Args"] = _section(told)
    sections["Raises"] = _section(_RAISES | _rows(sections.get("Raises", "")))
    names = [name for name in ("Args", "Returns", "Raises", "Example") if name in sections]
    return "\n\n".join([head.strip(), *(f"{n}:\n{sections[n].rstrip()}" for n in names)])


def _rows(section: str) -> dict[str, str]:
    _, *parts = _ROW.split(section)
    return dict(zip(parts[::2], (text.rstrip() for text in parts[1::2]), strict=True))


def _section(rows: dict[str, str]) -> str:
    return "\n".join(
        textwrap.fill(f"{name}: {text}", 96, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, text in rows.items()
    )
