"""The file that `robcogen identify -o` writes: the description with other numbers, or a table."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from robcogen_ros.cli.files.writing import STDOUT, check_output
from robcogen_ros.cli.options.model import model_options
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.changed.edits import MOMENTS, BodyNumbers, Terms, text, texts
from robcogen_ros.formats.changed.kindsl import changed_kindsl
from robcogen_ros.formats.changed.mjcf import changed_mjcf
from robcogen_ros.formats.changed.urdf import changed_urdf
from robcogen_ros.formats.load import kind_of, load
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.xacro import arguments as xacro_arguments
from robcogen_ros.formats.xacro import expansion as xacro
from robcogen_ros.identification.pseudo_inertia import central
from robcogen_ros.identification.result import Result
from robcogen_ros.model.description import Description, JointDescription
from robcogen_ros.model.robot import Coordinate
from robcogen_ros.model.scalars.quantities import link_part

_WRITTEN = ("damping", "friction", "armature", "stiffness")
"""Terms of joints that a description has, and that add up over joints that follow."""
_ENDINGS = {"urdf": ".urdf", "xacro": ".urdf", "kindsl": ".kindsl", "mjcf": ".xml"}
"""The end of a file's name for each format."""
_TABLES = (".yaml", ".yml")
_CLOSE = 1e-6
"""Part by which what is read from the written file may differ from what was found."""


def check_file(options: argparse.Namespace, source: Source) -> Source:
    """Returns the text whose numbers change: a xacro's is what it expands to.

    Raises:
        RobcogenError: If `-o` names a file of another format, or one that cannot be written.
    """
    kind = kind_of(source, options.format)
    ending = _ENDINGS[kind]
    own = Path(options.output).suffix
    if options.output != STDOUT and own not in (ending, *_TABLES):
        raise RobcogenError(
            f"{options.output}: identify writes a {kind} file's numbers to a file that ends in "
            f"{ending}, or a table of them to .yaml: name another file"
        )
    if options.controller_parameters and own in _TABLES:
        raise RobcogenError("--controller-parameters are those of a description: let -o name one")
    check_output(options.output, ending)
    if kind != "xacro" or own in _TABLES:
        return source
    asked = model_options(options)
    arguments = xacro_arguments.texts(asked.xacro_args)
    expanded = xacro.expand(source, arguments, asked.package_paths or {})
    options.xacro_args, options.format = [], "urdf"
    return Source(source.name, expanded.text, expanded.files)


def changed_file(
    options: argparse.Namespace, source: Source, description: Description, result: Result
) -> str:
    """Returns the description with the bodies and joint terms that were found, or their table.

    Raises:
        RobcogenError: If the text cannot say them, with the place.
    """
    bodies, joints = _bodies(result), _joints(description, result)
    if Path(options.output).suffix in _TABLES:
        return _table(bodies, joints)
    kind = kind_of(source, options.format)
    if kind == "kindsl":
        changed = changed_kindsl(source, description, bodies, joints)
    elif kind == "mjcf":
        changed = changed_mjcf(source, description, bodies, joints)
    else:
        changed = changed_urdf(source, bodies, joints)
    _refuse_misread(options, replace(source, text=changed), bodies, joints)
    return changed


def controller_parameters(
    options: argparse.Namespace, source: Source, changed: str, result: Result
) -> str:
    """Returns the parameters of a controller whose model leaves links open: those that changed.

    Args:
        options: Those of the command.
        source: The description that was read.
        changed: The one that is written.
        result: What was found.
    """
    links = set(result.carriers.names)
    comment = (
        "# Of the links that robcogen identify changed, for a model made with PARAMETERS LINK."
    )
    lines = [comment, "/**:", "  ros__parameters:"]
    for link in _read(options, replace(source, text=changed)).links:
        if link.name in links:
            values = link_part(link).values.items()
            lines += [f"    model.{link.name}.{name}: {float(x)!r}" for name, x in values]
    return "\n".join(lines) + "\n"


def _read(options: argparse.Namespace, source: Source) -> Description:
    """Returns what is read from a text, as the options have it."""
    asked = model_options(options)
    keep = ("package_paths", "format", "snap_angles", "cut_loops", "root")
    return load(source, **{name: getattr(asked, name) for name in keep})


def _refuse_misread(
    options: argparse.Namespace,
    changed: Source,
    bodies: dict[str, BodyNumbers],
    joints: dict[str, Terms],
) -> None:
    """Refuses a text from which other bodies or springs are read than were written."""
    read = _read(options, changed)
    for joint in read.joints:
        rest = joints.get(joint.name, {}).get("rest", joint.rest)
        if abs(joint.rest - rest) > _CLOSE * max(abs(rest), 1.0):
            raise RobcogenError(
                f"{joint.location}: the spring of {joint.name} would be read with its rest at "
                f"{joint.rest:.6g} where {rest:.6g} was found: settings of an included file give "
                "angles another unit; let -o name a .yaml file"
            )
    for link in read.links:
        if link.name not in bodies:
            continue
        wanted, mass = bodies[link.name].mass, float(link.inertial.mass) if link.inertial else 0.0
        if abs(mass - wanted) > _CLOSE * wanted:
            raise RobcogenError(
                f"{link.location}: {link.name} would be read with {mass:.6g} kg where "
                f"{wanted:.6g} kg was found: settings of the file give bodies other masses; take "
                "them out, or let -o name a .yaml file"
            )


def _bodies(result: Result) -> dict[str, BodyNumbers]:
    """Returns what was found of each body, in the frame of its link."""
    assert result.bodies is not None
    return {
        name: BodyNumbers(*central(result.carriers.own(row, result.bodies.bodies[row])))
        for row, name in enumerate(result.carriers.names)
        if name is not None
    }


def _joints(description: Description, result: Result) -> dict[str, Terms]:
    """Returns what each joint's own terms are: without those of joints that follow it."""
    assert result.bodies is not None
    own = {joint.name: joint for joint in description.joints}
    terms = result.joint_terms()
    found: dict[str, dict[str, float]] = {c.name: {} for c in result.robot.coordinates}
    for term in _WRITTEN:
        for c in result.robot.coordinates:
            if c.name not in terms.get(term, {}):
                continue
            value, _ = terms[term][c.name]
            others = getattr(c, term) - getattr(own[c.name], term)
            if value < others:
                raise RobcogenError(
                    f"{term} {value:.4g} was found for joint '{c.name}', less than the "
                    f"{others:.4g} of joints that follow it: the file would need a negative one"
                )
            found[c.name][term] = float(value - others)
            if term == "stiffness":
                found[c.name]["rest"] = _rest(c, own[c.name], value, terms["rest"][c.name][0])
    return dict(found)


def _rest(coordinate: Coordinate, joint: JointDescription, stiffness: float, rest: float) -> float:
    """Returns where a joint's own spring rests, beside those of joints that follow it."""
    others = coordinate.stiffness - joint.stiffness
    load = coordinate.stiffness * coordinate.rest - joint.stiffness * joint.rest
    own = stiffness - others
    return float((stiffness * rest - load) / own) if own else 0.0


def _table(bodies: dict[str, BodyNumbers], joints: dict[str, Terms]) -> str:
    """Returns a table, in YAML, that a xacro can load: links and joints by their names."""
    lines = [
        "# By robcogen identify; bodies in the axes of their links' frames: kg, m, kg m^2; joints:",
        "# N m s/rad, N m, kg m^2, N m/rad, rad of those that turn.",
        "links:",
    ]
    for name, body in bodies.items():
        pairs = zip(MOMENTS, body.moments, strict=True)
        moments = ", ".join(f"{moment[1:]}: {text(value)}" for moment, value in pairs)
        lines += [
            f"  {json.dumps(name)}:",
            f"    origin: {{xyz: {texts(body.center)}, rpy: 0 0 0}}",
            f"    mass: {text(body.mass)}",
            f"    inertia: {{{moments}}}",
        ]
    written = {name: terms for name, terms in joints.items() if terms}
    lines += ["joints:"] if written else []
    for name, terms in written.items():
        settings = ", ".join(f"{term}: {text(value)}" for term, value in terms.items())
        lines.append(f"  {json.dumps(name)}: {{{settings}}}")
    return "\n".join(lines) + "\n"
