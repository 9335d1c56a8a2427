"""What names stand for: found, listed, renamed, in documents right and wrong."""

from __future__ import annotations

import re

import pytest

from robcogen_ros.editing import languages
from robcogen_ros.editing.diagnostics import read
from robcogen_ros.editing.keywords import KEYWORDS
from robcogen_ros.editing.outline import outline
from robcogen_ros.editing.rename import apply, rename
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.source import Source
from test.editing.documents import DOCUMENTS, meaning

ARM, HAND = DOCUMENTS["kinematics_dsl0.kindsl"], DOCUMENTS["kinematics_dsl1.kindsl"]
SEVERAL = DOCUMENTS["several.motdsl"]
RENAMED = ["kinematics_dsl1.kindsl", *(n for n in DOCUMENTS if not n.endswith(".kindsl"))]


def renamed(name: str, text: str, words: str, new: str) -> str:
    """A text after what stands at the `|` in some of its words got a new name."""
    before, _, after = words.partition("|")
    offset = text.index(before + after) + len(before)
    return apply(text, rename(Source(name, text), offset, new))


@pytest.mark.slow
@pytest.mark.parametrize("name", RENAMED)
def test_everything_can_be_renamed_and_back(name):
    """The document then says the same, with the new names in the places of the old ones."""
    text = DOCUMENTS[name]
    occurrences = languages.symbols(name, text).occurrences
    symbols = list(dict.fromkeys(each.symbol for each in occurrences))
    places = [[each.symbol for each in occurrences].index(symbol) for symbol in symbols]

    def with_names(text: str, names: list[str]) -> str:
        for place, new in zip(places, names, strict=True):
            start = languages.symbols(name, text).occurrences[place].start
            text = apply(text, rename(Source(name, text), start, new))
        return text

    old = [symbol.name for symbol in symbols]
    changed = with_names(text, [f"n{k}_" for k in range(len(old))])
    words = set(re.findall(r"(?:[pc]:)?\^?(\w+)", changed))
    assert not words & set(old) - set(KEYWORDS[languages.suffix(name)])
    said, _ = meaning(name, changed)
    translated = re.sub(r"n(\d+)_", lambda found: old[int(found[1])], said)
    assert translated.split() == meaning(name, text)[0].replace("^", "").split()
    assert meaning(name, with_names(changed, old)) == meaning(name, text)


def test_names_in_limbs_are_their_own():
    changed = renamed("hand.kindsl", HAND, "via kn|uckle", "hinge")
    assert changed == HAND.replace("knuckle", "hinge")
    changed = renamed("hand.kindsl", HAND, "(x|, length", "at")
    assert changed == HAND.replace("(x, l", "(at, l").replace("(x, 0", "(at, 0").replace(
        "(x =", "(at ="
    )
    joints = [joint.name for joint in read(Source("h.kindsl", changed)).content.joints]
    assert joints == ["index_knuckle", "middle_knuckle", "ring_knuckle"]


def test_names_made_of_a_prefix_follow_both_their_parts():
    follower = "p_joint follower { ref_frame { translation = (0, 0, 0) rotation = (0, 0, 0) } "
    text = HAND.replace("finger ring_", "pad via follower finger ring_").rstrip()[:-1] + (
        "virtual link pad { children {} }" + follower + "mimic { joint = index_knuckle } } }"
    )
    assert not [p for p in read(Source("h.kindsl", text)).problems if p.severity == "error"]
    assert "joint = index_hinge }" in renamed("h.kindsl", text, "r_joint kn|uckle", "hinge")
    assert "joint = first_knuckle }" in renamed("h.kindsl", text, "finger index|_ (", "first_")


def test_the_own_frame_of_a_link_follows_it():
    text = ARM.replace("Iyz = 0.0\n", "Iyz = 0.0 ref_frame = fr_upper\n")
    assert "ref_frame = fr_arm" in renamed("a.kindsl", text, "link up|per", "arm")


def test_keywords_get_a_caret():
    assert "link ^mass {" in renamed("a.kindsl", ARM, "link up|per", "mass")
    assert "first" not in renamed("m.motdsl", SEVERAL, "[fir|st]", "^rotx")
    assert "Model plain" in renamed("m.motdsl", SEVERAL, "Model ^ro|tx", "plain")
    changed = renamed("m.motdsl", SEVERAL, "p:|k[", "trx")
    assert "p:^trx[-0.5]" in changed
    assert not read(Source("m.motdsl", changed)).problems


@pytest.mark.parametrize(
    ("name", "text", "words", "new", "reason"),
    [
        ("a.kindsl", ARM, "link up|per", "lower", "is the name of another link, see line"),
        ("a.kindsl", ARM, "link up|per", "2nd", "is no name"),
        ("a.kindsl", ARM, "link up|per", "a-b", "is no name"),
        ("a.kindsl", ARM, "li|nk upper", "a", "there is no name here"),
        ("a.kindsl", ARM, "tool_|x", "m", "is the name of another parameter"),
        ("h.kindsl", HAND, "(x|, length", "length", "another argument"),
        ("a.kindsl", ARM, "too|l {", "fr_base", "the document would be wrong"),
        ("m.motdsl", SEVERAL, "Frames { |a", "c", "is the name of another frame"),
        ("m.motdsl", SEVERAL, "lengths { l|1", "l2", "is the name of another parameter"),
        ("d.dtdsl", DOCUMENTS["hyl.dtdsl"], "{\n    fr_b|ase", "fr_foot", "another frame"),
    ],
)
def test_names_that_are_refused(name, text, words, new, reason):
    with pytest.raises(RobcogenError, match=reason):
        renamed(name, text, words, new)


def test_documents_that_are_wrong_have_names_too():
    text = "Robot r { RobotBase b { children { arm via } } link arm { inertia_params { mass = "
    symbols = languages.symbols("r.kindsl", text)
    found = [(each.symbol.kind, each.symbol.name) for each in symbols.occurrences]
    assert found == [("robot", "r"), ("link", "b"), ("link", "arm"), ("link", "arm")]
    assert symbols.definition(symbols.occurrences[2].symbol).start == text.index("arm {")


def test_outlines():
    def shape(entries):
        return [(e.kind, e.name, shape(e.inner)) if e.inner else (e.kind, e.name) for e in entries]

    assert shape(outline(languages.symbols("h.kindsl", HAND))) == [
        (
            "robot",
            "Hand",
            [
                ("limb", "finger", [("link", "bone", [("frame", "tip")]), ("joint", "knuckle")]),
                ("link", "palm"),
            ],
        )
    ]
    relations = shape(outline(languages.symbols("m.motdsl", SEVERAL)))
    assert ("relation", "c -> d") in relations
    assert ("group", "lengths", [("parameter", "l1"), ("parameter", "l2")]) in relations
    wanted = outline(languages.symbols("d.dtdsl", DOCUMENTS["hyl.dtdsl"]))
    (section,) = (entry for entry in wanted if entry.name == "Transforms")
    assert [entry.name for entry in section.inner][1:] == [
        "fr_base <- fr_foot",
        "fr_base -> fr_foot",
    ]
