"""Completion and hovering: whatever a right document has, is offered where it stands."""

from __future__ import annotations

import pytest

from robcogen_ros.editing.completion import completions
from robcogen_ros.editing.diagnostics import read
from robcogen_ros.editing.hover import hover
from robcogen_ros.editing.keywords import KEYWORDS
from robcogen_ros.editing.languages import suffix, symbols
from robcogen_ros.formats.source import Source
from test.editing.documents import DOCUMENTS
from test.editing.grammar_words import keywords

ARM, HAND = DOCUMENTS["kinematics_dsl0.kindsl"], DOCUMENTS["kinematics_dsl1.kindsl"]
LONG = ("quadruped.kindsl", "fancy.kindsl", "hyl.kindsl", "sound.kindsl")
CRANE = DOCUMENTS["crane.motdsl"]


def offered(name: str, text: str) -> list[str]:
    """What is offered at the `|` in a text."""
    offset = text.index("|")
    source = Source(name, text.replace("|", ""))
    return [suggestion.text for suggestion in completions(source, offset)[1]]


def shown(name: str, text: str, words: str) -> str:
    """What is shown at the `|` in some words of a text."""
    before, _, after = words.partition("|")
    source = Source(name, text)
    found = hover(source, text.index(before + after) + len(before), read(source).content)
    return found.text if found else ""


@pytest.mark.parametrize("language", KEYWORDS)
def test_every_keyword_of_the_grammar_has_a_meaning(language):
    assert set(KEYWORDS[language]) == keywords(language) - {"Pi", "pi"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in DOCUMENTS if n not in LONG])
def test_what_is_there_is_offered(name):
    """A word is a keyword, describes a thing, or names one that stands elsewhere too."""
    text = DOCUMENTS[name]
    known = symbols(name, text)
    named = {each.index: each for each in known.occurrences}
    for index, token in enumerate(known.document.code):
        found = named.get(index)
        alone = found and (found.defines or len(known.of(found.symbol)) == 1)
        if alone or not (found or token.text in KEYWORDS[suffix(name)]):
            continue
        for cursor in (token.start, token.start + 1):
            source = Source(name, text[:cursor] + text[token.end :])
            start, words = completions(source, cursor)
            assert start == token.start
            texts = [word.text for word in words]
            members = [text for text in texts if text.startswith(f"{token.text}.")]
            assert members or {token.text, f"<{token.text}>"} & set(texts)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("r.kindsl", "|", ["Robot"]),
        ("r.kindsl", "Robot r { RobotBase b |", ["floating"]),
        ("r.kindsl", ARM.replace("virtual link", "virtual |"), ["link"]),
        ("r.kindsl", ARM.replace("effort = 40.0", "|"), ["effort"]),
        ("r.kindsl", ARM.replace("offset = 0.1", "joint = |"), ["shoulder", "elbow"]),
        ("r.kindsl", ARM.replace("<len>, 0.0, 0.0", "<|"), ["len"]),
        ("r.kindsl", HAND.replace("ring_ (x", "ring_ (|"), ["x", "length"]),
        ("r.kindsl", "Robot r { // |", []),
        ("r.kindsl", "Robot r { /* |", []),
        ("m.motdsl", "Convention = |", ["local", "currentFrame", "fixed", "fixedFrame"]),
        ("m.motdsl", CRANE.replace("boom, hook }", "|}"), ["boom", "hook"]),
        ("m.motdsl", CRANE.replace("lengths.boom", "lengths.|"), ["boom"]),
        ("c.ctdsl", "MovedFramePos = right {a}|", ["_X_"]),
        ("c.ctdsl", "MovedFramePos = |", ["left", "right"]),
        ("d.dtdsl", "Robot r Frames { a, b } Jacobians { base = |", ["a", "b"]),
        ("d.dtdsl", "Robot r Frames { a } Transforms { } |", ["Jacobians"]),
    ],
)
def test_what_fits_is_all_that_is_offered(name, text, expected):
    assert offered(name, text) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in DOCUMENTS if n not in LONG])
def test_there_is_something_to_say_of_every_word(name):
    source = Source(name, DOCUMENTS[name])
    content = read(source).content
    for token in symbols(name, source.text).document.code:
        if token.kind == "name" and token.text not in ("sqrt", "sin", "cos"):
            found = hover(source, token.start + len(token.text) // 2, content)
            assert found is not None and len(found.text) > 5, token


def test_hovering_over_a_robot():
    assert "center of mass (0.2, 0.0, 0.0) m" in shown("a.kindsl", ARM, "link up|per")
    assert "follows 0.05 times joint `shoulder` plus 0.1 m" in shown("a.kindsl", ARM, "p_joint el|")
    assert "rotation (-PI/2.0, 0.0, 0.0) rad" in shown("a.kindsl", ARM, "r_joint sh|")
    assert "armature 0.02 kg m²" in shown("a.kindsl", ARM, "r_joint sh|")
    assert "inertia property, default 2.0" in shown("a.kindsl", ARM, "= m|[2.0]")
    assert "length [m], default none" in shown("a.kindsl", ARM, "(tool|_x")
    assert "value 0.4" in shown("a.kindsl", ARM, "<len|>, 0")
    assert "on link `lower`" in shown("a.kindsl", ARM, "to|ol {")
    assert "3 links, 2 moving joints, fixed base" in shown("a.kindsl", ARM, "Robot A|rm")
    assert "minus the entry of the tensor" in shown("a.kindsl", ARM, "Ix|y = 0.0")
    assert "`index_bone`, `middle_bone`, `ring_bone`" in shown("h.kindsl", HAND, "link bo|ne")
    assert "default 0.08" in shown("h.kindsl", HAND, "CoM = (len|gth")
    assert "placed as `index_`, `middle_`, `ring_`" in shown("h.kindsl", HAND, "fin|ger index_")


def test_what_markdown_takes_for_markup_is_quoted():
    arm = ARM.replace("tool_x", "2*k_*tool_x")
    assert "translation `(2.0 k_*tool_x, 0.0, 0.0)` m" in shown("a.kindsl", arm, "to|ol {")
    hand = HAND.replace("index_", "__index__").replace("length = 0.08", "length = 2*k*0.04")
    assert "placed as `__index__`, `middle_`" in shown("h.kindsl", hand, "fin|ger __index__")
    assert "default `2*k*0.04`" in shown("h.kindsl", hand, "CoM = (len|gth")


def test_hovering_over_motions():
    rows = [line.split("  ") for line in shown("m.motdsl", CRANE, "base -|>").splitlines()[2:6]]
    assert [[entry.strip() for entry in row if entry] for row in rows] == [
        ["cos(slew)*cos(luff)", "-sin(slew)", "cos(slew)*sin(luff)", "0.0"],
        ["sin(slew)*cos(luff)", "cos(slew)", "sin(slew)*sin(luff)", "0.0"],
        ["-sin(luff)", "0.0", "cos(luff)", "2.5"],
        ["0.0", "0.0", "0.0", "1.0"],
    ]
    assert "[m]\n\ndefault 12.0" in shown("m.motdsl", CRANE, "lengths.bo|om[")
    assert "[rad]" in shown("m.motdsl", CRANE, "(sl|ew)")
