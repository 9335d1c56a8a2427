"""All places where a text is not in a language, not only the first.

At each the text is read on as a person would: as if one token were left out, put in or another
(after G. Fischer, D. Milton, S. Quiring, Efficient LL(1) error correction, 1980; here the choice
that can be read on farthest). Where none helps, text is skipped up to a token with which something
that was begun can go on.
"""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

END = "$END"
_LINE_END = re.compile(r"[ \t\r\f]*(//[^\n]*)?\n")
_MOST = 20
_FARTHEST = 10
_FAR_ENOUGH = 5
_RESUMES = re.compile(r"[A-Za-z^}]")
_MOST_TRIED = 100_000
_LONGEST_WORD = 40

Stack = tuple[int, Any]
"""States of the parser: the last, and the stack below it."""

Words = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A place where a text is not in a language.

    Attributes:
        offset: Where, in characters from the start.
        found: The token there; empty at the end of the text.
        expected: Names of the terminals that could stand there.
    """

    offset: int
    found: str
    expected: frozenset[str]

    def unclosed_comment(self, text: str) -> bool:
        """Returns True if it is a comment without an end."""
        return "/*" in text[max(0, self.offset - 1) : self.offset + 2]


def mistakes(parser: Lark, words: Words, text: str) -> list[Mistake]:
    """The mistakes of a text, in its order; the first twenty if there are more.

    Args:
        parser: The parser of the language.
        words: The words that its terminals stand for, of those which stand for words.
        text: The text.
    """
    reading: _Reading | None = _Reading.start(parser, words, text)
    found: list[Mistake] = []
    while reading is not None and len(found) < _MOST:
        stop = reading.read()
        if stop is None:
            break
        mistake, reading = _resumed(stop)
        found.append(mistake)
        if mistake.unclosed_comment(text):
            break
    return found


def close(word: str, words: Iterable[str]) -> str:
    """The one of some words that is nearest to a misspelt one; empty if none is near."""
    spelt = {each.lower(): each for each in words if each[0].isalpha()}
    found = difflib.get_close_matches(word.lower()[:_LONGEST_WORD], spelt, n=1)
    return spelt[found[0]] if found else ""


@dataclass(slots=True)
class _Reading:
    """A text read up to some place: the state of a parser, without the tree it makes."""

    table: Any
    words: Words
    text: str
    lexer: Any
    stack: Stack
    tried: list[int] = field(default_factory=lambda: [0])
    lines: set[int] = field(default_factory=set)

    @classmethod
    def start(cls, parser: Lark, words: Words, text: str) -> _Reading:
        """The beginning of a text."""
        state = parser.parse_interactive(text).parser_state
        table = state.parse_conf
        return cls(table, words, text, state.lexer, (table.start_state, None))

    def copy(self, stack: Stack | None = None) -> _Reading:
        """Returns the same place, to be read on from in another way."""
        lexer = copy.copy(self.lexer)
        here = stack or self.stack
        return _Reading(self.table, self.words, self.text, lexer, here, self.tried, self.lines)

    def token(self) -> Token:
        """The next token; one of no type for a character that begins none."""
        self.tried[0] += 1
        try:
            token: Token = next(self.lexer.lex(SimpleNamespace(position=self.stack[0])))
        except StopIteration:
            return Token(END, "", len(self.text.rstrip()))
        except UnexpectedToken as error:
            token = error.token
        except UnexpectedCharacters as error:
            place = error.pos_in_stream or 0
            self.lexer.state.line_ctr.feed(self.text[place])
            token = Token("", self.text[place], place)
        return token

    def shift(self, kind: str) -> bool:
        """Takes a token; returns False, with nothing changed, where it cannot stand."""
        states, stack = self.table.states, self.stack
        while not (kind == END and stack[0] == self.table.end_state):
            action = states[stack[0]].get(kind)
            if action is None:
                return False
            if isinstance(action[1], int):
                self.stack = (action[1], stack)
                return True
            for _ in action[1].expansion:
                stack = stack[1]
            stack = (states[stack[0]][action[1].origin.name][1], stack)
        return True

    def accepted(self) -> frozenset[str]:
        """The terminals that can stand here."""
        kinds = (kind for kind in self.table.states[self.stack[0]] if kind.isupper() or kind == END)
        return frozenset(kind for kind in kinds if self.copy().shift(kind))

    def read(self) -> _Stop | None:
        """Reads up to the next mistake; returns None if there is none."""
        before, last = self.copy(), None
        while True:
            here = self.copy()
            token = self.token()
            if not self.shift(token.type):
                return _Stop(here, self, token, before, last)
            if token.type == END:
                return None
            if here.begins_line():
                self.lines.add(self.stack[1][0])
            before, last = here, token

    def misspelt(self, mistake: Mistake) -> bool:
        """Returns True if a word is near to one that could stand there."""
        words = (word for kind in mistake.expected for word in self.words.get(kind, ()))
        return bool(close(mistake.found, words))

    def misnames(self) -> bool:
        """Returns True if a keyword would be taken for a name."""
        token = self.copy().token()
        return token.type == "NAME" and any(str(token) in words for words in self.words.values())

    def begins_line(self) -> bool:
        """Returns True if the next token is the first on its line."""
        return _LINE_END.match(self.text, self.lexer.state.line_ctr.char_pos) is not None

    def goes_on_with_a_line(self) -> bool:
        """Returns True if the next token can stand here, as one that began a line did."""
        return self.shift(self.token().type) and self.stack[1][0] in self.lines

    def progress(self) -> int:
        """Returns the number of tokens that can be read from here, at most as many as matter."""
        for count in range(_FARTHEST):
            token = self.token()
            if not self.shift(token.type):
                return count
            if token.type == END:
                break
        return _FARTHEST


@dataclass(frozen=True, slots=True)
class _Stop:
    """Place where reading stopped.

    Attributes:
        here: Before the token that cannot stand there.
        after: After that token.
        token: That token.
        before: Before the token that precedes it.
        last: The token that precedes it.
    """

    here: _Reading
    after: _Reading
    token: Token
    before: _Reading
    last: Token | None


def _resumed(stop: _Stop) -> tuple[Mistake, _Reading | None]:
    """Returns the mistake, and the place to read on from; None where that cannot be told."""
    here = Mistake(stop.token.start_pos or 0, str(stop.token), stop.here.accepted())
    best, farthest = None, _FAR_ENOUGH - 1
    for mistake, changed in (*_other_word_before(stop), *_changes(stop, here)):
        progress = changed.copy().progress()
        if mistake is not here and progress and stop.here.misspelt(mistake):
            progress += _FARTHEST
        if progress > farthest:
            best, farthest = (mistake, changed), progress
    return best or (here, _skipped(stop))


def _other_word_before(stop: _Stop) -> Iterator[tuple[Mistake, _Reading]]:
    """The mistake may be a word before, taken for a name since it is no keyword."""
    if stop.last is None or stop.last.type != "NAME":
        return
    there = Mistake(stop.last.start_pos or 0, str(stop.last), stop.before.accepted())
    for kind in sorted(there.expected - {"NAME"}):
        replaced = stop.here.copy(stop.before.stack)
        if stop.here.words.get(kind, "")[:1] and replaced.shift(kind):
            yield there, replaced


def _changes(stop: _Stop, here: Mistake) -> Iterator[tuple[Mistake, _Reading]]:
    """The token that cannot stand there left out, another for it, one or two put in before it."""
    yield here, stop.after
    for replaced in _with_one_more(stop.after.copy(stop.here.stack)):
        yield here, replaced
    for inserted in _with_one_more(stop.here):
        yield here, inserted
    for inserted in _with_one_more(stop.here):
        for both in _with_one_more(inserted):
            yield here, both


def _with_one_more(reading: _Reading) -> Iterator[_Reading]:
    """Yields this place as if one more token had been before it, any that can be."""
    for kind in sorted(reading.accepted() - {END}):
        changed = reading.copy()
        if changed.shift(kind):
            yield changed


def _skipped(stop: _Stop) -> _Reading | None:
    """The first place after a mistake where something that was begun can go on.

    It is at a word or a closing brace, in no block that was skipped.
    """
    place, depth = stop.here.copy(), 0
    while place.tried[0] < _MOST_TRIED:
        here = place.copy()
        token = place.token()
        if token.type == END:
            break
        if not depth and _RESUMES.match(token):
            resumed = _going_on(here, here.begins_line() and token != "}")
            if resumed:
                return resumed
        depth = max(0, depth + (token == "{") - (token == "}"))
    return None


def _going_on(here: _Reading, begins_line: bool) -> _Reading | None:
    """The innermost thing that can go on from here for long.

    A line may have mistakes of its own: there it is the one that goes on longest of those whose
    lines before began in the same way.
    """
    best, farthest = None, 0
    for stack in _begun(here.stack):
        resumed = here.copy(stack)
        progress = 0 if resumed.misnames() else resumed.copy().progress()
        if progress == _FARTHEST:
            return resumed
        if begins_line and progress > farthest and resumed.copy().goes_on_with_a_line():
            best, farthest = resumed, progress
    return best


def _begun(stack: Stack) -> Iterator[Stack]:
    """Yields the rules that have been begun, innermost first."""
    seen: set[int] = set()
    while stack is not None:
        if stack[0] not in seen:
            yield stack
        seen.add(stack[0])
        stack = stack[1]
