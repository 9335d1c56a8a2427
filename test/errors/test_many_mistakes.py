"""Several mistakes of syntax in a document: each is told once, and nothing that follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl, dtdsl, motdsl

SOUND = (Path(__file__).parent / "sound.kindsl").read_text()
MOTIONS = """Model m
Convention = local
a -> b : rotx(1) trx(x)
b -> c : try(p:l[0.5]) [mine]
c -> d : rotz(-PI/2)
"""
TRANSFORMS = """Model m
MovedFramePos = right
{a}_X_{b} = Rx(1) Tx(x)
{b}_X_{c} = Ty(p:l[0.5]) [mine]
{c}_X_{d} = Rz(-PI/2)
"""
DESIRED = """Robot r
Frames { a, b }
Transforms {
  left = a, right = b
  a -> b
  base = b target = a
}
Jacobians { b <- a }
"""
LANGUAGES = {kindsl: SOUND, motdsl: MOTIONS, ctdsl: TRANSFORMS, dtdsl: DESIRED}


def problems(language, text: str) -> tuple[Problem, ...]:
    try:
        language.read(Source("f", text))
    except ModelError as error:
        return error.problems
    return ()


def told(language, *changes: tuple[str, str]) -> list[str]:
    text = LANGUAGES[language]
    for right, wrong in changes:
        assert right in text
        text = text.replace(right, wrong, 1)
    return [str(problem).removeprefix("f:") for problem in problems(language, text)]


def test_misspelt_keywords_a_missing_comma_and_a_missing_sign():
    changes = [
        ("mass = 5.0", "masss = 5.0"),
        ("via elbow", "va elbow"),
        ("(0, 0, b/2)", "(0, 0 b/2)"),
        ("r_joint shoulder", "joint shoulder"),
        ("limits {", "limit {"),
        ("multiplier = 0.5", "multiplier 0.5"),
    ]
    top = "expected 'fixed_joint', 'independent', 'limb', 'link', 'loop', 'p_joint', 'position', "
    top += "'r_joint', 'spring', 'virtual' or '}'"
    assert told(kindsl, *changes) == [
        "8:22: error: expected 'mass' or '}', found 'masss'; did you mean 'mass'?",
        "14:22: error: expected 'via' or a name, found 'va'; did you mean 'via'?",
        "19:44: error: expected ',', found ')'",
        f"21:3: error: {top}, found 'joint'; did you mean 'r_joint'?",
        "23:5: error: expected 'armature', 'friction', 'limits', 'mimic', 'screw_thread_pitch', "
        "'spring' or '}', found 'limit'; did you mean 'limits'?",
        "28:30: error: expected '=' after 'multiplier'",
    ]


def test_a_brace_too_few_and_one_too_many():
    changes = [
        ("via elbow }\n  }", "via elbow }"),
        ("rotation = (c, 0, 0) }", "rotation = (c, 0, 0) } }\n  }"),
    ]
    found = told(kindsl, *changes)
    assert found[0] == "15:3: error: expected 'frames' or '}', found 'virtual'"
    assert [line.partition(":")[0] for line in found] == ["15", "23"]


def test_mistakes_in_motions():
    changes = [
        ("Convention", "Convntion"),
        ("rotx(1) trx", "rotx(1 trx"),
        ("-> c", "> c"),
        ("rotz(-PI/2)", "Rz(-PI/)"),
    ]
    assert told(motdsl, *changes) == [
        "2:1: error: expected 'Convention', 'Frames' or 'Params', found 'Convntion'; "
        "did you mean 'Convention'?",
        "3:20: error: expected ')', found '('",
        "4:3: error: expected '->', found '>'",
        "5:10: error: expected '[', a name, one of rotx, roty, rotz, trx, try, trz or the end of "
        "the file, found 'Rz'; that is rotz here",
        "5:17: error: expected a number, found ')'",
    ]


def test_mistakes_in_transforms():
    changes = [("right", "rigt"), ("Tx(x)", "trx(x)"), ("_{c} =", "_{c} :"), ("{c}_X_", "{c} X ")]
    assert [line.split(":")[0] for line in told(ctdsl, *changes)] == ["2", "3", "4", "5"]


def test_mistakes_in_desired_transforms():
    changes = [
        ("a, right = b", "a, right b"),
        ("  a -> b", "  a => b"),
        ("base = b", "bse = b"),
        ("Jacobians", "Jacobian"),
    ]
    assert told(dtdsl, *changes) == [
        "4:13: error: expected '=' after 'right'",
        "5:5: error: expected '->' or '<-', found '='",
        "6:3: error: expected '}', a name, one of left, left_frame, base or one of right, "
        "right_frame, target, found 'bse'; did you mean 'base'?",
        "8:1: error: expected 'Jacobians' or the end of the file, found 'Jacobian'; "
        "did you mean 'Jacobians'?",
    ]


def test_twenty_are_told_at_most():
    text = "Convention = local\n" + "a -> b : rotx(1) $\n" * 1000
    assert len(problems(motdsl, text)) == 20


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.__name__[-6:])
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_what_is_told_stands_in_the_text_in_its_order(language, data):
    text = LANGUAGES[language]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start, min(len(text), start + 6)))
        text = text[:start] + data.draw(st.text("{}()=,->x1 \n/*;", max_size=3)) + text[end:]
    found = problems(language, text)
    places = [(p.location.line, p.location.column) for p in found if p.severity == "error"]
    lines = text.split("\n")
    assert all(p.message and p.location for p in found)
    assert places == sorted(places)
    assert all(line <= len(lines) and column <= len(lines[line - 1]) + 1 for line, column in places)
