"""Words that may be written at a place of a document of motions or transforms."""

from __future__ import annotations

from robcogen_ros.editing.place import Place, Words

_STEPS = {
    ".motdsl": tuple(f"{word}{axis}" for word in ("rot", "tr") for axis in "xyz"),
    ".ctdsl": tuple(f"{word}{axis}" for word in "RT" for axis in "xyz"),
}
_CHOICES = {
    "Convention": ("local", "currentFrame", "fixed", "fixedFrame"),
    "MovedFramePos": ("left", "right"),
    "TransformedFramePos": ("left", "right"),
}
_HEADS = {
    ".motdsl": ("Model", "Frames", "Params", "Convention"),
    ".ctdsl": ("Model", "Frames", "Params", "MovedFramePos", "TransformedFramePos"),
}
_POSITIONS = {"MovedFramePos", "TransformedFramePos"}


def relations_words(place: Place, suffix: str) -> Words:
    """The keywords and names that fit a place."""
    words = Words(place)
    keyword = place.words[0] if place.words else ""
    if place.owner is not place.before.root:
        _listed(place, words)
    elif place.depth:
        _amount(place, words)
    elif keyword in _CHOICES:
        _setting(place, words, suffix)
    elif not place.words or _is_header(place):
        _start(place, words, suffix)
    elif keyword in _HEADS[suffix]:
        pass
    else:
        _relation(place, words, suffix)
    return words


def _is_header(place: Place) -> bool:
    return place.words[0] == "Model" and len(place.words) == 2


def _setting(place: Place, words: Words, suffix: str) -> None:
    if place.previous == "=":
        words.keywords += _CHOICES[place.words[0]]
    elif len(place.words) > 2:
        _start(place, words, suffix)


def _start(place: Place, words: Words, suffix: str) -> None:
    """Adds the words that begin a statement: heads until there is a convention, then frames."""
    used = {place.before.keyword(each) for each in place.before.root.inner}
    if not used & set(_CHOICES):
        words.keywords += [w for w in _HEADS[suffix] if w not in used or w == "Params"]
    elif suffix == ".motdsl":
        words.add(place.symbols.named("frame"))


def _listed(place: Place, words: Words) -> None:
    """Adds the frames that are used but not yet in a list."""
    if place.before.keyword(place.owner) == "Frames":
        listed = set(place.symbols.defined("frame"))
        words.add(s for s in place.symbols.named("frame") if s not in listed)


def _amount(place: Place, words: Words) -> None:
    symbols = place.symbols
    if place.previous == ".":
        words.add(symbols.named("parameter", place.words[-2]))
    elif not place.ends_value or place.previous[-1:].isdigit():
        words.keywords.append("PI")
        words.add(symbols.named("variable"))
        words.add(symbols.named("parameter", ""), "p:")
        words.add(symbols.named("constant"), "c:")
        for group in symbols.named("group"):
            lead = f"{place.spelled(group)}."
            words.add(symbols.named("parameter", group.name), lead)


def _relation(place: Place, words: Words, suffix: str) -> None:
    """Adds frames before the steps of a motion or transform, then steps, or what comes next."""
    if place.previous in ("->", "{"):
        words.add(place.symbols.named("frame"))
    elif place.previous == "}" and "=" not in place.words and place.words.count("}") == 1:
        words.keywords.append("_X_")
    elif ":" in place.words or "=" in place.words:
        if place.previous in (":", "=", ")"):
            words.keywords += _STEPS[suffix]
        if place.previous in (")", "]", ":") and suffix == ".motdsl":
            words.add(place.symbols.named("frame"))
