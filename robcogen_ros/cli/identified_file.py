"""The description that `robcogen identify` writes: the one that it read, with other numbers."""

from __future__ import annotations

import argparse

import numpy as np

from robcogen_ros.cli.writing import check_output
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.changed_numbers import BodyNumbers, changed_urdf
from robcogen_ros.formats.load import kind_of
from robcogen_ros.formats.source import Source
from robcogen_ros.identification.pseudo_inertia import central
from robcogen_ros.identification.result import Result
from robcogen_ros.model.description import Description

_WRITTEN = ("damping", "friction", "armature")
"""Terms of joints that a description has."""


def check_file(options: argparse.Namespace, text: Source) -> None:
    """Refuse a description whose numbers cannot be changed in place.

    Raises:
        RobcogenError: If it is one, or the output cannot be written.
    """
    check_output(options.output, ".urdf")
    kind = kind_of(text, options.format)
    if kind != "urdf":
        what = {"xacro": "`xacro FILE > robot.urdf` makes a URDF of it first"}.get(
            kind, "`--json` has all that was found"
        )
        raise RobcogenError(f"{text.name}: numbers of {kind} files are not changed yet; {what}")


def changed_file(text: Source, description: Description, result: Result) -> str:
    """Returns the description with the bodies and joint terms that were found."""
    assert result.bodies is not None
    bodies = {}
    for row, name in enumerate(result.carriers.names):
        if name is None:
            continue
        mass, center, tensor = central(result.carriers.own(row, result.bodies.bodies[row]))
        x, y, z = center.tolist()
        rows, columns = np.triu_indices(3)
        bodies[name] = BodyNumbers(mass, (x, y, z), tuple(tensor[rows, columns].tolist()))
    return changed_urdf(text, bodies, _joints(description, result))


def _joints(description: Description, result: Result) -> dict[str, dict[str, float]]:
    """Returns what each joint's own terms are: without those of joints that follow it."""
    assert result.bodies is not None
    own = {joint.name: joint for joint in description.joints}
    found: dict[str, dict[str, float]] = {c.name: {} for c in result.robot.coordinates}
    for term in _WRITTEN:
        for c, value in zip(
            result.robot.coordinates, result.bodies.joints.get(term, ()), strict=False
        ):
            others = getattr(c, term) - getattr(own[c.name], term)
            if value < others:
                raise RobcogenError(
                    f"{term} {value:.4g} was found for joint '{c.name}', less than the "
                    f"{others:.4g} of joints that follow it: the file would need a negative one"
                )
            found[c.name][term] = float(value - others)
    return found
