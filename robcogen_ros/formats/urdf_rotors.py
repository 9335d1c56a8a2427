"""The inertia of rotors, as Drake's tags in the transmissions of a URDF give it.

<transmission><joint name="j"/><actuator name="motor">
  <drake:rotor_inertia value="1e-5"/><drake:gear_ratio value="100"/></actuator></transmission>
"""

from __future__ import annotations

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import numeral
from robcogen_ros.formats.located_xml import Element


def armatures(root: Element) -> dict[str, float]:
    """Rotor inertia times the square of the gear ratio, by joint [kg m^2 or kg].

    Raises:
        ModelError: If a value is no number.
    """
    found: dict[str, float] = {}
    for transmission in root.all("transmission"):
        joint, actuator = transmission.first("joint"), transmission.first("actuator")
        if joint is None or actuator is None:
            continue
        rotor = actuator.first("drake:rotor_inertia")
        if rotor is not None:
            gear = actuator.first("drake:gear_ratio")
            ratio = 1.0 if gear is None else _value(gear)
            name = joint.attributes.get("name", "")
            found[name] = found.get(name, 0.0) + _value(rotor) * ratio * ratio
    return found


def _value(element: Element) -> float:
    text = element.attributes.get("value", "").strip()
    complaint = numeral.complaint(text)
    if complaint:
        raise ModelError.at(element.location, f"value of <{element.tag}>: {complaint}")
    return float(text)
