"""Whatever is done to a file, it is read or refused; nothing else happens."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import load
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce

MODELS = Path(__file__).parent / "models"
FILES = ["misspelt_link.urdf", "mimic_cycle.urdf", "fault_in_macro.urdf.xacro", "orphan.kindsl"]
FRAGMENTS = [
    b'"',
    b"<",
    b">",
    b"{",
    b"}",
    b"nan",
    b"1e400",
    b"-",
    b"&a;",
    b"&#0;",
    b"${",
    b"$(arg ",
]
NUMBERS = [b"0", b"-1", b"1e308", b"1e-320", b"9" * 60, b"1e99999999999999999999", b"0x10", b"1_0"]


def mutated(text: bytes, chance: random.Random) -> bytes:
    place, length = chance.randrange(len(text)), chance.randrange(1, 30)
    number = chance.choice(list(re.finditer(rb"[0-9.]+", text)))
    other = chance.randrange(len(text))
    return chance.choice(
        [
            text[:place] + text[place + length :],
            text[:place] + chance.choice(FRAGMENTS) + text[place:],
            text[:place] + text[other : other + length] + text[place:],
            text[:place] + bytes([chance.randrange(256)]) + text[place:],
            text[: number.start()] + chance.choice(NUMBERS) + text[number.end() :],
        ]
    )


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("name", FILES)
def test_a_mutated_file_is_read_or_refused(name, seed):
    chance = random.Random(f"{name} {seed}")
    text = (MODELS / name).read_bytes()
    for _ in range(chance.randrange(1, 4)):
        text = mutated(text, chance)
    try:
        description = load(source.decode(text, name))
        if all(problem.severity == "warning" for problem in check(description)):
            reduce(description)
    except ModelError as error:
        assert all(problem.location for problem in error.problems)
