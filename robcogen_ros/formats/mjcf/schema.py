"""The elements of MJCF from which dynamics are read: what stands in them, and their attributes."""

from __future__ import annotations

from collections.abc import Iterator

from robcogen_ros.errors import Problem
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.names import nearest

_PLACE = "pos quat axisangle euler xyaxes zaxis"
_ATTRIBUTES = {
    tag: frozenset(names.split())
    for tag, names in {
        "compiler": "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass "
        "conflict convexhull coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic "
        "inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled "
        "saveinertial settotalmass strippath texturedir usethread",
        "body": f"{_PLACE} childclass fuse gravcomp mocap name simple sleep user",
        "frame": f"{_PLACE} childclass name",
        "replicate": "count euler offset sep prefix childclass",
        "attach": "model body frame prefix",
        "inertial": f"{_PLACE} diaginertia fullinertia mass",
        "joint": "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping "
        "frictionloss group limited margin name pos range ref solimpfriction solimplimit "
        "solreffriction solreflimit springdamper springref springyield stiffness type user",
        "freejoint": "align group name",
        "geom": f"{_PLACE} adhesion castshadow class conaffinity condim contype density fitscale "
        "fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh name "
        "priority rgba shellinertia size solimp solmix solref surfacevel type user",
        "site": f"{_PLACE} class fromto group material mesh name rgba size type user",
    }.items()
}
_IN_BODIES = (
    "inertial joint freejoint geom attach site camera light plugin composite flexcomp body frame "
    "replicate"
)
_MOTORS = (
    "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion "
    "dcmotor"
)
_CHILDREN = {
    tag: frozenset(names.split())
    for tag, names in {
        "mujoco": "compiler option size statistic visual default extension asset worldbody "
        "deformable contact tendon equality actuator sensor custom keyframe",
        "worldbody": "geom attach site camera light plugin composite flexcomp body frame replicate",
        **dict.fromkeys(("body", "frame", "replicate"), _IN_BODIES),
        "default": "default mesh texture material joint geom site camera light pair equality "
        f"tendon {_MOTORS}",
        "equality": "connect weld joint tendon flex flexvert flexstrain distance",
        "actuator": f"plugin {_MOTORS}",
        "tendon": "spatial fixed",
        "keyframe": "key",
    }.items()
}
"""Elements that may stand in those that are looked at, by MuJoCo's schema."""

_OF_BODIES = ("mujoco", "worldbody", "default", "body", "frame", "replicate")
"""Elements whose children have these attributes."""


def misspelt(root: Element) -> Iterator[Problem]:
    """Errors of elements that do not belong where they stand, and of attributes that none has."""
    pending = [root]
    while pending:
        holder = pending.pop()
        there = _CHILDREN[holder.tag]
        for child in holder.children:
            if child.tag not in there:
                homes = [f"<{tag}>" for tag, names in _CHILDREN.items() if child.tag in names]
                hint = f"; it stands in {homes[0]}" if homes else nearest(child.tag, there)
                message = f"<{holder.tag}> has no element '{child.tag}'{hint}"
                yield Problem(message, child.location)
            known = _ATTRIBUTES.get(child.tag) if holder.tag in _OF_BODIES else None
            known = frozenset(child.attributes) if known is None else known
            for name in child.attributes.keys() - known:
                message = f"<{child.tag}> has no attribute '{name}'{nearest(name, known)}"
                yield Problem(message, child.attribute_location(name))
            if child.tag in there & _CHILDREN.keys():
                pending.append(child)
