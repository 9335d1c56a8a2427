"""Right angles in a URDF as we read them: 1.57079632679 means pi/2, not an angle 5e-12 short of it.

An oracle that takes the digits literally differs by that much, so it is given the angle meant.
"""

from __future__ import annotations

import math
import re

_ANGLES = re.compile(r'(rpy\s*=\s*")([^"]*)(")')


def with_exact_right_angles(urdf: str) -> str:
    """A URDF with each angle that is meant as a multiple of pi/2 written in full.

    Such an angle is within 1e-11 of it, or within 1e-14 if it has 15 digits or more.
    """
    return _ANGLES.sub(lambda found: found[1] + _exact(found[2]) + found[3], urdf)


def _exact(angles: str) -> str:
    words = angles.split()
    return " ".join(_exact_angle(word) for word in words) if len(words) == 3 else angles


def _exact_angle(word: str) -> str:
    try:
        angle = float(word)
    except ValueError:
        return word
    meant = round(angle / (math.pi / 2)) * (math.pi / 2)
    digits = repr(angle).lower().partition("e")[0].replace(".", "").strip("-0")
    return repr(meant) if abs(angle - meant) < (1e-14 if len(digits) >= 15 else 1e-11) else word
