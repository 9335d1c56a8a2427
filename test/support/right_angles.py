"""Right angles in a URDF as we read them: 1.5708 means pi/2, not an angle 4e-6 beyond it.

An oracle that takes the digits literally differs by that much, so it is given the angle meant.
"""

from __future__ import annotations

import math
import re

_ANGLES = re.compile(r"""(rpy\s*=\s*)(["'])(.*?)\2""", re.DOTALL)


def with_exact_right_angles(urdf: str) -> str:
    """A URDF with each angle that is meant as a multiple of pi/2 written in full.

    Such an angle is within 1e-14 of it if it has 15 significant digits or more, else within 1e-11,
    or within 1e-5 if it has five and does not mean zero.
    """
    return _ANGLES.sub(lambda found: f"{found[1]}{found[2]}{_exact(found[3])}{found[2]}", urdf)


def _exact(angles: str) -> str:
    words = angles.split()
    return " ".join(_exact_angle(word) for word in words) if len(words) == 3 else angles


def _exact_angle(word: str) -> str:
    try:
        angle = float(word)
    except ValueError:
        return word
    meant = round(angle / (math.pi / 2)) * (math.pi / 2)
    digits = len(repr(angle).lower().partition("e")[0].replace(".", "").strip("-0"))
    tolerance = 1e-14 if digits >= 15 else 1e-5 if meant and digits >= 5 else 1e-11
    return repr(meant) if abs(angle - meant) < tolerance else word
