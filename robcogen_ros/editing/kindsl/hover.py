"""Facts that an editor shows of names in a robot's description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from robcogen_ros.editing.symbols import Occurrence, Symbol, Symbols, identifier
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX
from robcogen_ros.formats.kindsl.numbers import Terms
from robcogen_ros.model.description import (
    Description,
    Inertial,
    JointDescription,
    LinkDescription,
)
from robcogen_ros.model.joint_kinds import REVOLUTE
from robcogen_ros.model.scalars.expression import ZERO, Expression
from robcogen_ros.model.spatial import Pose

_MOST_PLACES = 20
_MARKUP = re.compile(r"[*_<\[]")
_GROUPS = {"lengths": "length [m]", "angles": "angle [rad]", "inertia": "inertia property"}
_MOVES = {
    "revolute": "turns about z of its frame, within limits if given",
    "continuous": "turns about z of its frame without end",
    "prismatic": "slides along z of its frame",
    "fixed": "does not move",
}


def written_facts(symbols: Symbols, symbol: Symbol) -> list[str]:
    """Returns facts by the text alone, of an argument, a constant, a limb or a prefix."""
    found = symbols.definition(symbol)
    if found is None:
        return []
    if symbol.kind in ("argument", "constant"):
        value = _assigned(symbols, found)
        what = "default" if symbol.kind == "argument" else "value"
        return [f"{what} {_code(value)}"] if value else []
    if symbol.kind == "prefix":
        limb = symbols.document.word(found.statement.head[0])
        return [f"before all names of limb `{limb}` where it is placed here"]
    if symbol.kind == "limb":
        placed = [prefix for prefix, limb, _ in _placements(symbols) if limb == symbol.name]
        return [f"placed as {_codes(placed)}"] if placed else ["nowhere placed"]
    return []


def robot_facts(symbols: Symbols, symbol: Symbol, robot: Description) -> list[str]:
    """Returns facts by a robot's description; of a thing in a limb, as it is placed first."""
    names = list(_full_names(symbols, symbol))[:_MOST_PLACES]
    placed = symbol.scope and symbol.kind in ("link", "joint", "frame")
    facts = [f"placed as {_codes(names)}"] if placed and names else []
    first = names[0] if names else symbol.name
    if symbol.kind == "robot":
        moving = sum(joint.kind != "fixed" for joint in robot.joints)
        base = "floating" if robot.floating_base else "fixed"
        facts.append(f"{len(robot.links)} links, {moving} moving joints, {base} base")
    elif symbol.kind == "link":
        facts += [f for link in robot.links if link.name == first for f in _link(link, robot)]
    elif symbol.kind == "joint":
        facts += [f for joint in robot.joints if joint.name == first for f in _joint(joint)]
    elif symbol.kind == "frame":
        for frame in robot.frames:
            if frame.name == first:
                facts += [f"on link `{frame.link}`", _pose(frame.pose)]
    elif symbol.kind == "parameter":
        for parameter in robot.parameters:
            if parameter.name == symbol.name:
                default = "none" if parameter.default is None else parameter.default
                facts.append(f"{_GROUPS.get(parameter.group, 'unused')}, default {default}")
    return facts


def _assigned(symbols: Symbols, found: Occurrence) -> str:
    """The text behind `name =`, up to the end of the value."""
    words, depth = [], 0
    if symbols.document.word(found.index + 1) != "=":
        return ""
    for token in symbols.document.code[found.index + 2 :]:
        depth += (token.text == "(") - (token.text == ")")
        if depth < 0 or (not depth and token.text in (",", ">")):
            break
        words.append(token)
    if not words:
        return ""
    return symbols.document.text[words[0].start : words[-1].end]


def _placements(symbols: Symbols) -> Iterator[tuple[str, str, str]]:
    """Prefix, limb and scope of every placement."""
    for prefix in symbols.defined("prefix"):
        for each in symbols.of(prefix):
            if each.defines:
                limb = symbols.document.code[each.statement.head[0]]
                yield prefix.name, identifier(limb), prefix.scope


def _full_names(symbols: Symbols, symbol: Symbol) -> Iterator[str]:
    """The names in the whole robot of a thing that may stand in a limb."""
    placements = list(_placements(symbols))
    pending = [(symbol.scope, "")]
    budget = 10 * _MOST_PLACES
    while pending and budget:
        budget -= 1
        scope, prefix = pending.pop()
        if not scope:
            yield _prefixed(symbol, prefix)
        pending += [(where, own + prefix) for own, limb, where in placements[::-1] if limb == scope]


def _prefixed(symbol: Symbol, prefix: str) -> str:
    name = symbol.name
    if symbol.kind == "frame" and name.startswith(LINK_FRAME_PREFIX):
        return LINK_FRAME_PREFIX + prefix + name.removeprefix(LINK_FRAME_PREFIX)
    return prefix + name


def _link(link: LinkDescription, robot: Description) -> Iterator[str]:
    mover = next((joint for joint in robot.joints if joint.child == link.name), None)
    if mover is None:
        yield "the base, floating" if robot.floating_base else "the base"
    else:
        yield f"moved by joint `{mover.name}` on link `{mover.parent}`"
    yield _inertia(link.inertial) if link.inertial else "massless"


def _inertia(inertia: Inertial) -> str:
    """Products are minus the tensor's entries."""
    terms, t = Terms(), inertia.tensor

    def value(amount: Expression) -> str:
        return _code(terms.value(amount))

    frame = f"frame `{inertia.frame}`" if inertia.frame else "the link's frame"
    return _lines(
        f"mass {value(inertia.mass)} kg",
        f"center of mass ({', '.join(map(value, inertia.center))}) m",
        f"Ix {value(t.xx)}, Iy {value(t.yy)}, Iz {value(t.zz)} kg m²",
        f"Ixy {value(-t.xy)}, Ixz {value(-t.xz)}, Iyz {value(-t.yz)} kg m²",
        f"in {frame}, about its origin",
    )


def _joint(joint: JointDescription) -> Iterator[str]:
    kind = joint.motion or REVOLUTE
    position, effort = kind.unit, kind.effort_unit
    yield f"{joint.kind}: {_MOVES.get(joint.kind, '')}; moves link `{joint.child}`"
    yield f"frame on link `{joint.parent}`:  \n{_pose(joint.pose)}"
    limits = joint.limits
    facts = [
        f"{word} {number:g} {unit}"
        for word, number, unit in (
            ("lower limit", limits.lower, position),
            ("upper limit", limits.upper, position),
            ("velocity limit", limits.velocity, f"{position}/s"),
            ("effort limit", limits.effort, effort),
            ("viscous friction", joint.damping or None, f"{effort} s/{position}"),
            ("dry friction", joint.friction or None, effort),
            ("stiffness", joint.stiffness or None, f"{effort}/{position}"),
            ("rest", joint.rest or None, position),
            ("armature", joint.armature or None, kind.inertia_unit.replace("^2", "²")),
        )
        if number is not None
    ]
    if facts:
        yield _lines(*facts)
    if joint.mimic:
        terms = Terms()
        factor = _code(terms.value(joint.mimic.multiplier))
        offset = _code(terms.value(joint.mimic.offset))
        plus = "" if joint.mimic.offset == ZERO else f" plus {offset} {position}"
        yield f"follows {factor} times joint `{joint.mimic.leader}`{plus}"


def _pose(pose: Pose) -> str:
    terms = Terms()
    return _lines(
        f"translation {_code(terms.vector(pose.translation))} m",
        f"rotation {_code(terms.rotation(pose.rotation))} rad",
    )


def _code(text: str) -> str:
    """Returns a text as the document has it; quoted if Markdown would take it for markup."""
    return f"`{text}`" if _MARKUP.search(text) else text


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _lines(*lines: str) -> str:
    return "  \n".join(lines)
