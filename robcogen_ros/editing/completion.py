"""Words that may be written at a place: keywords and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from robcogen_ros.editing import languages
from robcogen_ros.editing.desired.completion import desired_words
from robcogen_ros.editing.keywords import KEYWORDS
from robcogen_ros.editing.kindsl.completion import kindsl_words
from robcogen_ros.editing.place import Place, Words
from robcogen_ros.editing.relations.completion import relations_words
from robcogen_ros.editing.scan import COMMENT, UNKNOWN, Token
from robcogen_ros.formats.source import Source

_WORDS = {
    ".kindsl": kindsl_words,
    ".motdsl": relations_words,
    ".ctdsl": relations_words,
    ".dtdsl": desired_words,
}
_BEGUN = re.compile(r"(?:[pc]:)?\^?[A-Za-z_0-9]*\Z")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word that may be written.

    Attributes:
        text: The word.
        kind: "keyword", or the kind of the thing that it names.
        meaning: What it means; empty where nothing is to be said.
    """

    text: str
    kind: str
    meaning: str = ""


def completions(source: Source, offset: int) -> tuple[int, list[Suggestion]]:
    """Returns the words that may be written at an offset, and where the one they replace begins.

    All that fits the place is listed, however much of the word is there already.
    """
    suffix = languages.suffix(source.name)
    begun = _BEGUN.search(source.text, max(0, offset - 300), offset)
    start = begun.start() if begun else offset
    before = languages.document(source.name, source.text[:start])
    if _in_comment(before.tokens[-1:], source.text[:start]):
        return start, []
    rest = source.text[:start] + " " + source.text[offset:]
    place = Place(before, languages.symbols(source.name, rest))
    words: Words = _WORDS[suffix](place, suffix)
    return start, list(dict.fromkeys([*_keywords(suffix, words), *_names(words)]))


def _in_comment(last: Iterable[Token], text: str) -> bool:
    for token in last:
        if token.kind == COMMENT:
            return token.text.startswith("//") and "\n" not in text[token.end :]
        return token.kind == UNKNOWN and token.text.startswith("/*")
    return False


def _keywords(suffix: str, words: Words) -> Iterable[Suggestion]:
    for word in words.keywords:
        yield Suggestion(word, "keyword", KEYWORDS[suffix].get(word, ""))


def _names(words: Words) -> Iterable[Suggestion]:
    for kind, text in words.names:
        yield Suggestion(text, kind, kind)
