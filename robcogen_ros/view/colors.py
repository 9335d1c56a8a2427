"""Colors that say something."""

from __future__ import annotations

import numpy as np

from robcogen_ros.view.surfaces import Color

IMPOSSIBLE: Color = (214, 39, 40)
"""Color of inertia that no body has, and of efforts beyond their limit."""
POSSIBLE: Color = (64, 132, 190)
"""Color of inertia that a body can have."""
SPEEDS: Color = (128, 90, 192)
"""Color of what a frame can do."""
FORCE: Color = (34, 139, 84)
"""Color of the ground's forces."""
CENTER: Color = (242, 160, 32)
"""Color of the center of mass."""
BONE: Color = (120, 130, 145)
"""Color of links without surfaces."""
_BODIES: tuple[Color, ...] = (
    (78, 121, 167),
    (242, 142, 43),
    (89, 161, 79),
    (225, 87, 89),
    (118, 183, 178),
    (237, 201, 72),
    (176, 122, 161),
    (156, 117, 95),
)
_SCALE = np.array([(226, 238, 250), (120, 180, 222), (42, 110, 180), (10, 42, 96)], float)
_NO_LIMIT: Color = (176, 180, 186)


def of_body(number: int, lumped: bool) -> Color:
    """A body's color; of what is lumped into it a lighter one."""
    color = _BODIES[number % len(_BODIES)]
    return _mixed(color, (255, 255, 255), 0.6) if lumped else color


def of_share(share: float) -> Color:
    """Returns a color from pale, of nothing, to dark blue, of the whole."""
    place = min(1.0, max(0.0, share)) * (len(_SCALE) - 1)
    below = min(int(place), len(_SCALE) - 2)
    color = _SCALE[below] + (place - below) * (_SCALE[below + 1] - _SCALE[below])
    return int(color[0]), int(color[1]), int(color[2])


def of_load(load: float) -> Color:
    """Returns the color of an effort by its share of the limit: green, yellow, red beyond it."""
    if np.isnan(load):
        return _NO_LIMIT
    if load > 1.0:
        return IMPOSSIBLE
    if load < 0.5:
        return _mixed((89, 161, 79), (237, 201, 72), 2 * load)
    return _mixed((237, 201, 72), (242, 122, 43), 2 * load - 1)


def of_ghost(color: Color) -> Color:
    """Returns the color of a surface that is seen through: on white and on black alike."""
    return _mixed(color, (96, 104, 120), 0.6)


def css(color: Color) -> str:
    """Returns a color as style sheets write it."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def _mixed(a: Color, b: Color, share: float) -> Color:
    mixed = [round(x + share * (y - x)) for x, y in zip(a, b, strict=True)]
    return mixed[0], mixed[1], mixed[2]
