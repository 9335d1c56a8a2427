"""Tendons of an MJCF: those that are springs between two sites, and what is left out of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from robcogen_ros.errors import Problem
from robcogen_ros.formats.mjcf.tree import Model
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.description import Description, FrameDescription, SpringDescription
from robcogen_ros.model.mimicry import placed
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.operation import sqrt

_FORCES = ("stiffness", "damping", "frictionloss", "armature")


def springs(
    description: Description, model: Model, sites: Mapping[str, FrameDescription], values: Values
) -> Iterator[SpringDescription]:
    """The springs between sites; what else tendons exert is told.

    One without a length does not pull where springs of joints do not.

    Args:
        description: The robot, without springs between frames.
        model: The MJCF.
        sites: Frames of its sites, by the names of these.
        values: Reads numbers.
    """
    rests = {joint.name: expression(joint.rest) for joint in description.joints}
    places = placed(description, rests) if model.sections["tendon"] else {}
    for number, tendon in enumerate(model.sections["tendon"], 1):
        name = tendon.attributes.get("name", f"tendon{number}")
        path = [each.attributes.get("site", "") for each in tendon.children]
        between = tendon.tag == "spatial" and len(path) == 2 and all(end in sites for end in path)
        stiffness, *curved = values.some(tendon, "stiffness", 3, "0")
        pulls = between and bool(stiffness) and not any(curved)
        shortest, *others = values.some(tendon, "springlength", 2, "-1")
        pulls = pulls and others in ([], [shortest])
        left = [key for key in _FORCES[pulls:] if any(values.some(tendon, key, 3))]
        if left:
            message = f"{left[0]} of tendon '{name}' is left out: "
            place, what = tendon.attribute_location(left[0]), "springs between two sites are read"
            values.problems.append(Problem(f"{message}only {what}", place, "warning"))
        if pulls:
            ends = [sites[end] for end in path]
            first, second = (places[end.link] @ end.pose for end in ends)
            way = second.translation - first.translation
            length = float(sqrt(way.dot(way)) if shortest < 0 else shortest)
            frames = ends[0].name, ends[1].name
            yield SpringDescription(name, frames, float(stiffness), length, tendon.location)
