"""Documents that are nearly right."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

NUMBERS = (
    b"0",
    b"-1",
    b"1e308",
    b"1e-320",
    b"9" * 60,
    b"1e99999999",
    b"0x10",
    b"1_0",
    b"nan",
    b"-.5",
)
NOISE = (
    b'"',
    b"<",
    b">",
    b"{",
    b"}",
    b"(",
    b")",
    b"^",
    b"//",
    b"/*",
    b"&a;",
    b"${",
    b"\x00",
    b"\xff",
)
_WORD = re.compile(rb"\s+|[\w.]+|[^\w\s]")


def mutated(text: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """A document with a few of its words dropped, doubled, exchanged, or put in from others."""
    words = _WORD.findall(text) or [b""]
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        chance.choice(_CHANGES)(words, chance, others)
    return b"".join(words)


def _drop(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    start = chance.randrange(len(words))
    del words[start : start + chance.choice((1, 1, 3, 20))]
    words.append(b"")


def _double(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    start = chance.randrange(len(words))
    words[start:start] = words[start : start + chance.choice((1, 5, 40))]


def _exchange(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    i, j = chance.randrange(len(words)), chance.randrange(len(words))
    words[i], words[j] = words[j], words[i]


def _rename(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    words[chance.randrange(len(words))] = words[chance.randrange(len(words))]


def _number(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    numbers = [i for i, word in enumerate(words) if word[:1].isdigit()]
    if numbers:
        words[chance.choice(numbers)] = chance.choice(NUMBERS)


def _noise(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    words.insert(chance.randrange(len(words)), chance.choice(NOISE))


def _graft(words: list[bytes], chance: random.Random, others: Sequence[bytes]) -> None:
    donor = _WORD.findall(chance.choice(others)) or [b""]
    start = chance.randrange(len(donor))
    place = chance.randrange(len(words))
    words[place:place] = donor[start : start + chance.choice((1, 4, 30))]


_CHANGES = (_drop, _double, _exchange, _rename, _number, _noise, _graft)
