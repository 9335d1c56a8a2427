"""Motors of an MJCF: which joints they move, with which force at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from robcogen_ros.errors import Problem
from robcogen_ros.formats.mjcf.classes import Item
from robcogen_ros.formats.mjcf.tree import Model
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.description import JointDescription
from robcogen_ros.model.names import nearest

_DIRECT = ("joint", "jointinparent")


def with_motors(
    joints: Iterable[JointDescription], model: Model, values: Values
) -> list[JointDescription]:
    """Joints with the limits of effort and the rotors of their motors; findings go to `values`.

    Motors of balls and of other trees are left out.
    """
    named = {part.item.attributes.get("name", "") for part in model.joints()}
    found = {joint.name: joint for joint in joints}
    moved: dict[str, Item] = {}
    for item in model.sections["actuator"]:
        key = next((key for key in _DIRECT if key in item.attributes), None)
        if key is None:
            continue
        name = item.attributes[key]
        if name not in found:
            if name not in named:
                values.fail(item, key, f"there is no joint '{name}'{nearest(name, named)}")
            continue
        ratio = float(values.some(item, "gear", 6, "1")[0])
        gear = abs(ratio)
        _tell(item, name, gear, values)
        joint = _with_rotor(found[name], item, gear, values)
        effort = joint.limits.effort
        if name not in moved and (own := _effort(item, gear, values)) is not None:
            effort = own if effort is None else min(own, effort)
        limits = replace(joint.limits, effort=effort)
        found[name] = replace(joint, limits=limits, gear=ratio or 1.0)
        moved.setdefault(name, item)
    _tell_order(list(moved), [name for name in found if name in moved], moved, values)
    return list(found.values())


def driven(actuators: Iterable[Item], names: Mapping[str, object]) -> dict[str, Item]:
    """The joints that motors move, of those of the given names."""
    found = {}
    for item in actuators:
        for key in _DIRECT:
            if item.attributes.get(key) in names:
                found[item.attributes[key]] = item
    return found


def are_direct(actuators: Iterable[Item]) -> bool:
    """Returns True if each of them moves a joint, none a tendon or a body."""
    return all(any(key in item.attributes for key in _DIRECT) for item in actuators)


def of_leaders(
    joints: Sequence[JointDescription], motors: Mapping[str, Item], values: Values
) -> tuple[tuple[JointDescription, ...], dict[str, Item]]:
    """Returns joints and motors, those of joints that follow as motors of these' leaders.

    What such a motor gives at most is a limit of the effort of the joint that leads, unless that
    has a motor of its own.
    """
    found, moved = {joint.name: joint for joint in joints}, dict[str, Item]()
    for name, item in motors.items():
        leader, factor = name, 1.0
        while mimic := found[leader].mimic:
            leader, factor = mimic.leader, factor * float(mimic.multiplier)
        moved.setdefault(leader, item)
        if leader == name:
            continue
        message = f"joint '{name}' follows joint '{leader}': its motor counts as one of that"
        values.problems.append(Problem(message, item.attribute_location("joint"), "note"))
        effort, led = found[name].limits.effort, found[leader]
        if effort is not None and leader not in motors:
            effort *= abs(factor)
            most = effort if led.limits.effort is None else min(effort, led.limits.effort)
            found[leader] = replace(led, limits=replace(led.limits, effort=most))
    return tuple(found.values()), moved


def _with_rotor(
    joint: JointDescription, item: Item, gear: float, values: Values
) -> JointDescription:
    """A joint with what a motor's rotor and damping, seen through its gear, add to it."""
    armature, damping = (
        gear * gear * float(values.some(item, key, 3, "0")[0]) for key in ("armature", "damping")
    )
    return replace(joint, armature=joint.armature + armature, damping=joint.damping + damping)


def _effort(item: Item, gear: float, values: Values) -> float | None:
    """The greatest force of a motor at its joint; None if it has no limit."""
    ranges = [("forcelimited", "forcerange")]
    if item.tag == "motor":
        ranges.append(("ctrllimited", "ctrlrange"))
    limits = []
    for flag, key in ranges:
        if key in item.attributes and item.attributes.get(flag, "auto") != "false":
            low, high = values.numbers(item, key, 2, "0 0")
            limits.append(gear * float(max(abs(low), abs(high))))
    return min(limits, default=None)


def _tell_order(
    actuators: Sequence[str], joints: Sequence[str], items: Mapping[str, Item], values: Values
) -> None:
    """Tells the order of actuators, in which policies command, where joints have another."""
    other = next((a for a, j in zip(actuators, joints, strict=True) if a != j), None)
    if other is not None:
        message = f"actuators move, in their order, {', '.join(actuators)}; motors are listed in "
        place = items[other].location
        values.problems.append(Problem(f"{message}the order of joints", place, "note"))


def _tell(item: Item, joint: str, gear: float, values: Values) -> None:
    if gear != 1:
        name = item.attributes.get("name", joint)
        message = f"motor '{name}' has the gear {gear:g}: efforts are those of joint '{joint}'"
        place = item.attribute_location("gear")
        values.problems.append(Problem(f"{message}, {gear:g} times the motor's", place, "note"))
