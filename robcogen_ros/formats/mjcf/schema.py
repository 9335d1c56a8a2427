"""The attributes of those elements of MJCF from which dynamics are read."""

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
_WITHIN = ("worldbody", "default", "body", "frame", "replicate")
"""Elements whose children are looked at."""


def misspelt(root: Element) -> Iterator[Problem]:
    """Errors of attributes that no element of the kind has."""
    pending = [root]
    while pending:
        holder = pending.pop()
        for child in holder.children:
            known = _ATTRIBUTES.get(child.tag, frozenset(child.attributes))
            for name in child.attributes.keys() - known:
                message = f"<{child.tag}> has no attribute '{name}'{nearest(name, known)}"
                yield Problem(message, child.attribute_location(name))
            if child.tag in _WITHIN:
                pending.append(child)
