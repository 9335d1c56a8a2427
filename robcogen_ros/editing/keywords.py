"""The keywords of the four languages and what they mean."""

from __future__ import annotations

_AXES = "xyz"

_KINDSL = {
    "Robot": "a robot: its links, joints and limbs",
    "RobotBase": "the link that all others hang on",
    "floating": "the base moves freely",
    "virtual": "a link without mass",
    "link": "a rigid body",
    "limb": "links and joints described once, to be placed many times",
    "r_joint": "a joint that turns about z of its frame [rad]",
    "p_joint": "a joint that slides along z of its frame [m]",
    "fixed_joint": "a joint that does not move",
    "continuous": "the joint turns without end",
    "id": "place of the link, and of the joint that moves it, in the robot's order",
    "inertia_params": "mass, center of mass, moments of inertia",
    "inertia_properties": "mass, center of mass, moments of inertia",
    "mass": "mass [kg]",
    "CoM": "center of mass (x, y, z) [m], in the frame of the link or of ref_frame",
    "Ix": "moment of inertia about x of the frame, the sum of m (y^2 + z^2) [kg m^2]",
    "Iy": "moment of inertia about y of the frame, the sum of m (x^2 + z^2) [kg m^2]",
    "Iz": "moment of inertia about z of the frame, the sum of m (x^2 + y^2) [kg m^2]",
    "Ixy": "product of inertia, the sum of m x y [kg m^2]: minus the entry of the tensor",
    "Ixz": "product of inertia, the sum of m x z [kg m^2]: minus the entry of the tensor",
    "Iyz": "product of inertia, the sum of m y z [kg m^2]: minus the entry of the tensor",
    "children": "what hangs on the link: LINK via JOINT, or placed limbs",
    "via": "before the joint that moves the link",
    "frames": "more frames, fixed on the link",
    "ref_frame": "of a joint: its frame on the predecessor; of an inertia: the frame it is in",
    "translation": "origin (x, y, z) [m] in the link's frame",
    "rotation": "angles about x, the new y, the new z [rad], after the translation",
    "limits": "limits of the joint, each optional",
    "lower": "least position [rad or m]",
    "upper": "greatest position [rad or m]",
    "velocity": "greatest speed [rad/s or m/s]",
    "effort": "greatest torque or force [N m or N]",
    "friction": "friction of the joint; not in the dynamics unless asked for",
    "viscous": "friction per speed [N m s/rad or N s/m]",
    "dry": "friction at any speed [N m or N]",
    "armature": "inertia of the rotor, felt at the joint [kg m^2 or kg]",
    "spring": "of a joint, to its rest, or between frames; not in the dynamics unless asked for",
    "stiffness": "force per way from the rest [N m/rad or N/m]",
    "length": "length at which a spring between frames does not pull [m]",
    "rest": "position at which the spring does not pull [rad or m]",
    "screw_thread_pitch": "the joint slides along z, too: so far in one turn [m]",
    "mimic": "the joint follows another: multiplier times its position, plus offset",
    "joint": "the joint that is followed",
    "multiplier": "factor of the position of the joint that is followed",
    "offset": "position where the joint that is followed is at 0 [rad or m]",
    "loop": "two frames that stay together",
    "predecessor": "the first frame of a loop or spring",
    "successor": "the second frame of a loop or spring",
    "fixed": "what stays together: point, axis_x, axis_y, axis_z or all",
    "independent": "joints that are coordinates where loops leave a choice",
    "position": "positions of joints near which the loops are closed [rad or m]",
    "PI": "pi, exactly",
}
_AMOUNTS = {
    "Model": "name of the document",
    "Frames": "all frames that may be used",
    "Params": "a group of parameters",
    "PI": "pi, exactly",
}
_MOTDSL = {
    **_AMOUNTS,
    "Convention": "whose axes the steps are about: of the moved frame, or of the first one",
    "local": "each step is along or about the axes of the frame as moved so far",
    "currentFrame": "each step is along or about the axes of the frame as moved so far",
    "fixed": "each step is along or about the axes of the first frame; turns move no origin",
    "fixedFrame": "each step is along or about the axes of the first frame; turns move no origin",
    **{f"rot{axis}": f"turn about {axis} [rad]" for axis in _AXES},
    **{f"tr{axis}": f"shift along {axis} [m]" for axis in _AXES},
}
_CTDSL = {
    **_AMOUNTS,
    "MovedFramePos": "where the moved frame stands in each primitive transform",
    "TransformedFramePos": "where the moved frame stands in each primitive transform",
    "left": "each primitive transform maps to the moved frame's coordinates",
    "right": "each primitive transform maps from the moved frame's coordinates",
    "_X_": "{A}_X_{B} maps coordinates in B to coordinates in A",
    **{f"R{axis}": f"turn about {axis} [rad]" for axis in _AXES},
    **{f"T{axis}": f"shift along {axis} [m]" for axis in _AXES},
}
_TO, _FROM = "frame to whose coordinates it leads", "frame from whose coordinates it comes"
_DTDSL = {
    "Robot": "the robot whose frames these are",
    "Model": "the robot whose frames these are",
    "Frames": "all frames that may be used",
    "Transforms": "the transforms that are wanted",
    "Jacobians": "the Jacobians that are wanted",
    **dict.fromkeys(("left", "left_frame", "base"), f"of a transform or Jacobian: {_TO}"),
    **dict.fromkeys(("right", "right_frame", "target"), f"of a transform or Jacobian: {_FROM}"),
}

KEYWORDS = {".kindsl": _KINDSL, ".motdsl": _MOTDSL, ".ctdsl": _CTDSL, ".dtdsl": _DTDSL}
"""Keywords of each language and what they mean."""

_NUMBERS = frozenset({"PI", "Pi", "pI", "pi"})


def written(suffix: str, name: str) -> str:
    """A name as a language writes it: keywords have a caret."""
    return f"^{name}" if name in KEYWORDS[suffix] or name in _NUMBERS else name
