"""Positions of joints in a keyframe of an MJCF."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from robcogen_ros.formats.mjcf.tree import Model
from robcogen_ros.formats.mjcf.values import Values

_NUMBERS = {"free": 7, "ball": 4}
_FIRST = "home"


def key_positions(model: Model, names: Collection[str], values: Values) -> dict[str, float]:
    """Positions of hinges and slides in the keyframe "home", else the first [rad or m].

    Args:
        model: The MJCF.
        names: The joints that are asked for.
        values: Reads numbers.
    """
    keys = [key for section in model.root.all("keyframe") for key in section.all("key")]
    keys = [key for key in keys if "qpos" in key.attributes]
    key = next(
        (key for key in keys if key.attributes.get("name") == _FIRST), next(iter(keys), None)
    )
    if key is None:
        return {}
    joints = [part.item for part in model.joints()]
    kinds = ["free" if j.tag == "freejoint" else j.attributes.get("type", "") for j in joints]
    sizes = [_NUMBERS.get(kind, 1) for kind in kinds]
    q: list[Decimal] = values.numbers(key, "qpos", sum(sizes), "0 " * sum(sizes))
    found: dict[str, float] = {}
    for joint, size in zip(joints, sizes, strict=True):
        own, q = q[:size], q[size:]
        name = joint.attributes.get("name", "")
        if size == 1 and name in names:
            found[name] = float(own[0])
    return found
