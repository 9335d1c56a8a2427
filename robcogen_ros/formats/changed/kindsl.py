"""Other numbers in a document of the Kinematics-DSL."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import syntax_tree as syntax
from robcogen_ros.formats.changed.edits import (
    Array,
    BodyNumbers,
    Edits,
    Terms,
    text,
    wanted,
)
from robcogen_ros.formats.kindsl.syntax import GRAMMAR
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import Node, child, children, token
from robcogen_ros.model.description import Description
from robcogen_ros.model.spatial import Pose

_BLOCKS = {
    "friction": ("rub", "RUB", {"damping": "viscous", "friction": "dry"}),
    "spring": ("pull", "PULL", {"stiffness": "stiffness", "rest": "rest"}),
}
"""Blocks of a joint, what their settings and words are called, and the words of terms."""
_OPEN = ("parameter", "constant")


def changed_kindsl(
    source: Source,
    description: Description,
    bodies: Mapping[str, BodyNumbers],
    joints: Mapping[str, Terms],
) -> str:
    """Returns a document with other numbers of inertia, in the frames it gives them in, and joints.

    Args:
        source: The text.
        description: What it describes.
        bodies: New parameters of links.
        joints: New damping (viscous), friction (dry), armature, stiffness, rest of joints.

    Raises:
        ModelError: If what changes is computed of parameters, or is written once for several.
    """
    document = GRAMMAR.parse(source)
    nodes = {
        syntax.location(source, node): node
        for node in syntax.nodes(document, ("link", "base", "joint"))
    }
    edits = Edits(source)
    for link in wanted(description.links, set(bodies)):
        assert link.location is not None
        assert link.inertial is not None
        numbers = bodies[link.name].seen_from(*_matrices(link.inertial.pose))
        _body(edits, child(nodes[link.location], "inertia"), numbers)
    for joint in wanted(description.joints, {name for name, terms in joints.items() if terms}):
        assert joint.location is not None
        _joint(edits, nodes[joint.location], joints[joint.name])
    return edits.result()


def _matrices(pose: Pose) -> tuple[Array, Array]:
    """Returns (3, 3) rotation and (3,) translation."""
    rotation = np.array([[float(x) for x in row] for row in pose.rotation])
    return rotation, np.array([float(x) for x in pose.translation])


def _body(edits: Edits, inertia: Node, numbers: BodyNumbers) -> None:
    """Changes mass, center, and moments about the frame, whose products are minus the tensor's."""
    _value(edits, child(child(inertia, "mass"), "value"), numbers.mass)
    places = children(child(child(inertia, "com"), "vector"), "value")
    for node, value in zip(places, numbers.center.tolist(), strict=True):
        _value(edits, node, value)
    center = numbers.center
    about_frame = (
        numbers.tensor
        + numbers.mass * (center @ center * np.eye(3))
        - (numbers.mass * np.outer(center, center))
    )
    entries = BodyNumbers(numbers.mass, center, about_frame).moments
    signs = (1, -1, -1, 1, -1, 1)
    words = ("Ix", "Ixy", "Ixz", "Iy", "Iyz", "Iz")
    moments = {w: s * x for w, s, x in zip(words, signs, entries, strict=True)}
    for node in children(inertia, "moment"):
        _value(edits, child(node, "value"), moments[token(node, "MOMENT") or ""])


def _joint(edits: Edits, joint: Node, terms: Terms) -> None:
    """Changes what a joint has of its terms, and adds the others at its end."""
    added = []
    for name, (kind, word_of, words) in _BLOCKS.items():
        blocks = children(joint, name)
        new = {words[term]: value for term, value in terms.items() if term in words}
        for node in children(blocks[0], kind) if blocks else []:
            word = token(node, word_of) or ""
            if word in new:
                _value(edits, child(node, "value"), new.pop(word))
        settings = " ".join(f"{word} = {text(value)}" for word, value in new.items())
        if settings and blocks:
            end = blocks[0].meta.end_pos - 1
            edits.replace(end, end, f"{settings} ")
        elif settings:
            added.append(f"{name} {{ {settings} }}")
    if "armature" in terms:
        rotors = children(joint, "armature")
        if rotors:
            _value(edits, child(rotors[0], "value"), terms["armature"])
        else:
            added.append(f"armature = {text(terms['armature'])}")
    if added:
        _append(edits, joint, added)


def _append(edits: Edits, joint: Node, lines: list[str]) -> None:
    """Writes lines before the brace that closes a joint, as far in as what stands before it."""
    end = joint.meta.end_pos - 1
    before = edits.source.text[:end]
    last = children(joint, "pose")[0].meta
    begin = edits.source.text.rindex("\n", 0, last.start_pos) + 1
    if before.rstrip(" \t").endswith("\n"):
        row = edits.source.text[begin : last.start_pos]
        indent = row[: len(row) - len(row.lstrip())]
        close = before[len(before.rstrip(" \t")) :]
        start = end - len(close)
        edits.replace(start, start, "".join(f"{indent}{line}\n" for line in lines))
    else:
        edits.replace(end, end, " ".join(lines) + " ")


def _value(edits: Edits, node: Node, value: float) -> None:
    """Puts a number in the place of a value.

    Raises:
        ModelError: If it depends on parameters or constants.
    """
    if next(syntax.nodes(node, _OPEN), None) is not None:
        written = edits.source.text[node.meta.start_pos : node.meta.end_pos]
        message = (
            f"'{written}' is computed of names, which other values may use too: {text(value)} was "
            "found; write a number in its place first, or let -o name a .yaml file"
        )
        raise ModelError.at(syntax.location(edits.source, node), message)
    edits.replace(node.meta.start_pos, node.meta.end_pos, text(value))
