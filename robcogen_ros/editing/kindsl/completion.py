"""Words that may be written at a place of a Kinematics-DSL document."""

from __future__ import annotations

from robcogen_ros.editing.kindsl.symbols import FUNCTIONS, JOINT_WORDS, name_of, scope_of
from robcogen_ros.editing.place import Place, Words
from robcogen_ros.editing.symbols import Symbol
from robcogen_ros.formats.kindsl.names import LINK_FRAME_PREFIX

_POSE = ("translation", "rotation")
_INERTIA = ("mass", "CoM", "Ix", "Iy", "Iz", "Ixy", "Ixz", "Iyz", "ref_frame")
_BASE = ("inertia_params", "children", "frames")
_JOINT = (
    *("id", "ref_frame", "limits", "friction", "armature", "spring", "screw_thread_pitch", "mimic"),
)
_PARTS = ("link", "virtual", *JOINT_WORDS)
_IN_BLOCK = {
    "": ("Robot",),
    "Robot": ("RobotBase", *_PARTS, "limb", "loop", "spring", "independent", "position"),
    "loop": ("predecessor", "successor", "fixed"),
    "limb": ("children", *_PARTS),
    "RobotBase": _BASE,
    "link": ("id", *_BASE),
    "virtual": ("id", *_BASE),
    "inertia_params": _INERTIA,
    "inertia_properties": _INERTIA,
    "ref_frame": _POSE,
    "limits": ("lower", "upper", "velocity", "effort"),
    "friction": ("viscous", "dry"),
    "spring": ("stiffness", "rest", "predecessor", "successor", "length"),
    "mimic": ("joint", "multiplier", "offset"),
    **dict.fromkeys(JOINT_WORDS, _JOINT),
}
_REPEATED = frozenset((*_PARTS, "limb", "loop", "spring"))


def kindsl_words(place: Place, suffix: str) -> Words:
    """The keywords and names that fit a place."""
    words = Words(place)
    keyword = place.before.keyword(place.owner)
    if keyword == "children":
        _in_children(place, words)
    elif place.words and place.words[0] == "limb":
        if place.depth and place.previous == "=":
            _values(place, words, "")
    elif place.current and place.current.settles and place.words:
        _in_setting(place, words, scope_of(place.before, place.owner))
    elif place.words:
        words.keywords += _after_name(place.words)
    else:
        words.keywords += _of_block(place)
    return words


def _of_block(place: Place) -> list[str]:
    """The keywords by which the statements of a block begin, but those that are there already."""
    keyword = place.before.keyword(place.owner)
    in_frames = place.before.keyword(place.owner.parent) == "frames"
    known = _POSE if in_frames else _IN_BLOCK.get(keyword, ())
    left = place.unused(known)
    return [word for word in known if word in left or word in _REPEATED]


def _after_name(words: list[str]) -> list[str]:
    if words == ["virtual"]:
        return ["link"]
    if len(words) == 2:
        return {"RobotBase": ["floating"], "r_joint": ["continuous"]}.get(words[0], [])
    return []


def _in_setting(place: Place, words: Words, scope: str) -> None:
    """Adds the words after `word =`: a name or value, or what follows when that is whole."""
    if place.ends_value and not place.depth:
        words.keywords += _of_block(place)
    elif place.words[0] == "joint":
        words.add(place.symbols.defined("joint", scope))
        words.add(place.symbols.defined("joint", "") if scope else [])
    elif place.words[0] == "ref_frame":
        link = name_of(place.before, place.owner.parent)
        words.add([Symbol("frame", LINK_FRAME_PREFIX + link, scope)])
        words.add(s for s in place.symbols.defined("frame", scope) if _is_on(place, s, link))
    elif place.words[0] != "id" and not place.ends_value:
        _values(place, words, scope)


def _is_on(place: Place, frame: Symbol, link: str) -> bool:
    """Returns True if a frame is one of a link."""
    symbols = place.symbols
    found = symbols.definition(frame)
    frames = found.statement.parent if found else None
    return frames is not None and name_of(symbols.document, frames.parent) == link


def _values(place: Place, words: Words, scope: str) -> None:
    constants = place.symbols.named("constant")
    if place.previous == "<":
        words.add(constants)
        return
    words.add(place.symbols.defined("argument", scope) if scope else [])
    words.add(place.symbols.named("parameter"))
    words.add(constants, "<", ">")
    words.keywords += ["PI", *FUNCTIONS]


def _in_children(place: Place, words: Words) -> None:
    """`LINK via JOINT`, or a placed limb."""
    scope = scope_of(place.before, place.owner)
    written = place.words
    if place.depth:
        if place.previous in ("(", ","):
            words.add(place.symbols.defined("argument", written[0]))
        elif not place.ends_value:
            _values(place, words, scope)
    elif written and written[-1] == "via":
        words.add(_unattached(place, "joint", scope))
    elif len(written) == 1:
        words.keywords.append("via")
    elif len(written) != 2:
        words.add(_unattached(place, "link", scope))
        words.add(place.symbols.defined("limb"))


def _unattached(place: Place, kind: str, scope: str) -> list[Symbol]:
    """The links or joints that are in no `children` block yet; all if there are none."""
    symbols = place.symbols
    known = symbols.defined(kind, scope)
    free = [symbol for symbol in known if not _is_attached(place, symbol)]
    return free or known


def _is_attached(place: Place, symbol: Symbol) -> bool:
    symbols = place.symbols
    for each in symbols.of(symbol):
        if symbols.document.keyword(each.statement) == "RobotBase":
            return True
        if symbols.document.keyword(each.statement.parent) == "children":
            return True
    return False
