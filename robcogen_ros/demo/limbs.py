"""Arms and legs on a robot's base, which the demo holds in place."""

from __future__ import annotations

from typing import Any

LIMB = 2
"""Joints within limits, one after the other, from which on a branch is a limb, and no caster."""


def limbs_on_base(robot: Any) -> int:
    """Returns the number of branches with several joints in a row that begin at the base."""
    limited = dict(zip(robot.joint_names, ~robot.continuous, strict=True))
    below: dict[str, list[tuple[str, bool, bool]]] = {}
    for joint, parent, child, fixed in robot.attachments:
        below.setdefault(parent, []).append((child, fixed, limited.get(joint, False)))
    base, limbs = [robot.link_names[0]], 0
    for link in base:
        for child, fixed, within in below.get(link, ()):
            if fixed:
                base.append(child)
            else:
                limbs += _length(child, int(within), below) >= LIMB
    return limbs


def _length(link: str, length: int, below: dict[str, list[tuple[str, bool, bool]]]) -> int:
    """Joints within limits on the longest way from a link to an end, those before it included."""
    longest, pending = length, [(link, length)]
    while pending:
        link, length = pending.pop()
        longest = max(longest, length)
        pending += [(child, length + within) for child, _, within in below.get(link, ())]
    return longest


def note(robot: Any) -> str:
    """Returns a note about a robot with several limbs; empty for others."""
    limbs = limbs_on_base(robot)
    if limbs < 2:
        return ""
    return (
        f"Note: base '{robot.link_names[0]}' carries {limbs} limbs. The demo holds it in place, as "
        "on a stand, above no ground.\nIf they are legs, --foot FRAME for each foot names them."
    )
