"""Words that may be written at a place of a document of desired transforms."""

from __future__ import annotations

from robcogen_ros.editing.place import Place, Words

_SECTIONS = ("Frames", "Transforms", "Jacobians")
_LEFT, _RIGHT = ("left", "left_frame", "base"), ("right", "right_frame", "target")


def desired_words(place: Place, suffix: str) -> Words:
    """The keywords and names that fit a place."""
    words = Words(place)
    frames = place.symbols.named("frame")
    if place.owner is place.before.root:
        if not place.before.root.inner:
            words.keywords += ["Robot", "Model"]
        elif len(place.words) != 1:
            words.keywords += place.unused(_SECTIONS)
    elif place.before.keyword(place.owner) == "Frames":
        listed = set(place.symbols.defined("frame"))
        words.add(frame for frame in frames if frame not in listed)
    elif place.previous in ("=", "->", "<-"):
        words.add(frames)
    elif place.words.count("=") == 1:
        words.keywords += _RIGHT if place.words[0] in _LEFT else _LEFT
    elif len(place.words) != 1:
        words.keywords += ["base", "target", "left", "right", "left_frame", "right_frame"]
        words.add(frames)
    return words
