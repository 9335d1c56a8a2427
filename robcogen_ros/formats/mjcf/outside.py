"""Parts of an MJCF that change its dynamics and are not read."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import Problem
from robcogen_ros.formats.mjcf.tree import Body, Model
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.options import option_text
from robcogen_ros.model.scalars.number import number

_EARTH = [number(x) for x in ("0", "0", "-9.81")]


def outside(model: Model, values: Values) -> Iterator[Problem]:
    """Errors of elements that make other bodies, warnings of forces that are left out."""
    for option in model.root.all("option"):
        gravity = values.numbers(option, "gravity", 3, "0 0 -9.81")
        if gravity != _EARTH:
            given = option_text("gravity", *map(str, gravity))
            message = f"the file's gravity is left out, it is 0 0 -9.81 here; {given} gives it"
            yield Problem(message, option.attribute_location("gravity"), "warning")
        for key in ("density", "viscosity"):
            if values.one(option, key, "0"):
                message = f"{key} is left out: forces of a fluid are not part of the dynamics"
                yield Problem(message, option.attribute_location(key), "warning")
        for flag in option.all("flag"):
            if flag.attributes.get("gravity") == "disable":
                message = "the file's gravity is disabled, which is left out"
                no_fall = option_text("gravity", "0", "0", "0")
                place = flag.attribute_location("gravity")
                yield Problem(f"{message}; {no_fall} gives it", place, "warning")
    for deformable in model.root.all("deformable"):
        for flex in deformable.all("flex"):
            yield Problem("<flex> is not read: it bends", flex.location)


def of_body(body: Body, values: Values) -> Iterator[Problem]:
    """Warnings of forces on a body that are left out."""
    if values.one(body.item, "gravcomp"):
        message = f"gravcomp of body '{body.name}' is left out: gravity acts on it in full"
        yield Problem(message, body.item.attribute_location("gravcomp"), "warning")
    for plugin in body.item.all("plugin"):
        message = f"the plugin of body '{body.name}' is left out"
        yield Problem(message, plugin.location, "warning")
