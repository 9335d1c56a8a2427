"""Motors of joints, their gears, and the inertia of rotors in Drake's tags.

<transmission><joint name="j"/><actuator name="motor">
  <drake:rotor_inertia value="1e-5"/><drake:gear_ratio value="100"/></actuator></transmission>
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import product

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.names import listed

_REDUCTION = ("mechanicalReduction", "mechanical_reduction")


def armatures(root: Element) -> dict[str, float]:
    """Rotor inertia times the square of the gear ratio, by joint [kg m^2 or kg].

    Raises:
        ModelError: If a value is no number.
    """
    found: dict[str, float] = {}
    for joint, rotor, gear in rotors(root):
        ratio = 1.0 if gear is None else _value(gear)
        name = joint.attributes.get("name", "")
        found[name] = found.get(name, 0.0) + _value(rotor) * ratio * ratio
    return found


def rotors(root: Element) -> Iterator[tuple[Element, Element, Element | None]]:
    """The joint, rotor and, where it is given, gear of each transmission that has a rotor."""
    for transmission in root.all("transmission"):
        joint, actuator = transmission.first("joint"), transmission.first("actuator")
        rotor = actuator.first("drake:rotor_inertia") if actuator else None
        if joint is not None and actuator is not None and rotor is not None:
            yield joint, rotor, actuator.first("drake:gear_ratio")


def gears(root: Element) -> dict[str, float]:
    """Returns the turn of motors per unit motion of joints, where a transmission tells it."""
    found = {joint: _reduction(gear.text) for joint, gear in reductions(root)}
    return {joint: gear for joint, gear in found.items() if gear}


def odd_gears(root: Element) -> Iterator[Problem]:
    """Warns about gears that are no numbers other than zero, once for each text."""
    odd: dict[tuple[str, str], list[tuple[str, Element]]] = {}
    for joint, gear in reductions(root):
        if not _reduction(gear.text):
            odd.setdefault((gear.tag, gear.text.strip()), []).append((joint, gear))
    for (tag, text), found in odd.items():
        joints = listed([f"'{joint}'" for joint, _ in found])
        message = f"<{tag}> of joint{'s' * (len(found) > 1)} {joints} is '{text}', no gear"
        yield Problem(f"{message}: it is left out", found[0][1].location, "warning")


def reductions(root: Element) -> Iterator[tuple[str, Element]]:
    """The gear of each transmission from one actuator to one joint, with the joint's name."""
    places = (root, *root.all("ros2_control"))
    for transmission in (each for place in places for each in place.all("transmission")):
        joints, actuators = transmission.all("joint"), transmission.all("actuator")
        if len(joints) == len(actuators) == 1:
            for part, tag in product((*actuators, *joints), _REDUCTION):
                if gear := part.first(tag):
                    yield joints[0].attributes.get("name", ""), gear
                    break


def _reduction(text: str) -> float:
    return 0.0 if numeral.complaint(text.strip()) else float(text)


def motors(root: Element, moving: Container[str]) -> tuple[str, ...]:
    """The joints that transmissions and `<ros2_control>` command, of those that move."""
    found = [
        joint.attributes.get("name", "")
        for transmission in root.all("transmission")
        for joint in transmission.all("joint")
    ]
    found += [
        joint.attributes.get("name", "")
        for system in root.all("ros2_control")
        for joint in system.all("joint")
        if joint.first("command_interface")
    ]
    return tuple(name for name in dict.fromkeys(found) if name in moving)


def _value(element: Element) -> float:
    text = element.attributes.get("value", "").strip()
    complaint = numeral.complaint(text)
    if complaint:
        raise ModelError.at(element.location, f"value of <{element.tag}>: {complaint}")
    return float(text)
