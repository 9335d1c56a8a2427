"""Formatting: lines change, nothing else."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robcogen_ros.cli.main import main
from robcogen_ros.editing.layout import formatted
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.source import Source
from test.editing.documents import DOCUMENTS, meaning

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
GAPS = [" ", " ", "\n", "\n\n\n", "\t", " /* a note */ ", " // another\n", "\n/* two\n lines */\n"]


def comments(text: str) -> list[list[str]]:
    return [comment.split() for comment in COMMENT.findall(text)]


def format_text(name: str, text: str) -> str:
    return formatted(Source(name, text))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_a_document_says_stays(name):
    text = DOCUMENTS[name]
    result = format_text(name, text)
    assert meaning(name, result) == meaning(name, text)
    assert comments(result) == comments(text)
    assert format_text(name, result) == result


@settings(max_examples=15)
@given(st.sampled_from(sorted(DOCUMENTS)), st.randoms(use_true_random=False))
def test_however_it_is_laid_out(name, rng):
    bare = COMMENT.sub("", DOCUMENTS[name])
    expected = meaning(name, bare)
    gaps = rng.sample(GAPS, rng.randint(1, len(GAPS)))
    text = re.sub(r"\s+", lambda _: rng.choice(gaps), re.sub(r"\s*=\s*", "=", bare))
    result = format_text(name, text)
    assert meaning(name, result) == expected
    assert comments(result) == comments(text)
    assert format_text(name, result) == result


@settings(max_examples=15)
@given(st.sampled_from(sorted(DOCUMENTS)), st.integers(0, 10**6))
def test_documents_that_are_wrong_keep_every_character(name, seed):
    words = re.findall(r"\w+|[^\w\s]", COMMENT.sub("", DOCUMENTS[name]))
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 4)):
        words[rng.randrange(len(words))] = rng.choice(["x", "1", "(", "=", "via", ",", "", "-"])
    text = " ".join(words)
    try:
        result = format_text(name, text)
    except ModelError as error:
        assert "has no partner" in str(error) or "unexpected" in str(error)
        return
    assert result.split() != [] and "".join(result.split()) == "".join(text.split())
    assert format_text(name, result) == result


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name.startswith("kinematics_dsl")])
def test_our_own_documents_are_formatted(name):
    text = DOCUMENTS[name]
    assert format_text(name, text) == text
    written, _ = meaning(name, text)
    assert format_text(name, written) == written


def test_the_layout_of_a_robot():
    text = """Robot  r{RobotBase b {children{a via j}}


// the arm
link a{id=1 inertia_params{mass=2*m CoM=(-x,y -1,<c=-2>) Ix=1 Iy=1 Iz=1 Ixy=0 Ixz=0 Iyz=0}//!
children{ }}
r_joint j{ref_frame{translation=(0,sin( x )
,-(1)) rotation=(PI / 2,0,0)}}}"""
    assert (
        format_text("r.kindsl", text)
        == """Robot r {
    RobotBase b { children { a via j } }

    // the arm
    link a {
        id = 1
        inertia_params {
            mass = 2*m
            CoM = (-x, y - 1, <c=-2>)
            Ix = 1
            Iy = 1
            Iz = 1
            Ixy = 0
            Ixz = 0
            Iyz = 0
        }  //!
        children {}
    }
    r_joint j {
        ref_frame {
            translation = (0, sin(x), -(1))  rotation = (PI/2, 0, 0)
        }
    }
}
"""
    )


def test_long_lines_are_parted_between_steps():
    steps = " ".join(f"trx ({k}.5)" for k in range(20))
    lines = format_text("m.motdsl", f"Convention=local a->b:{steps}").splitlines()
    assert lines[:2] == ["Convention = local", "a -> b : " + steps[: len(lines[1]) - 9]]
    assert all(len(line) <= 100 for line in lines)
    assert all(line.startswith("    trx") for line in lines[2:])


def test_windows_line_ends_are_kept():
    assert format_text("d.dtdsl", "Robot r\r\nFrames {a,\r\nb}\r\n") == (
        "Robot r\r\nFrames {\r\n    a,\r\n    b\r\n}\r\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Robot r {\n link a {", "r.kindsl:1:9: error: '{' has no partner"),
        ("Robot r { } }", "r.kindsl:1:13: error: '}' has no partner"),
        ("Robot r { /* }", "r.kindsl:1:11: error: this comment is never closed"),
        ("Robot r { # }", "r.kindsl:1:11: error: unexpected '#'"),
    ],
)
def test_what_cannot_be_formatted(text, expected):
    with pytest.raises(ModelError, match=re.escape(expected)):
        format_text("r.kindsl", text)


def test_the_command(tmp_path, capsys):
    ugly, fine = tmp_path / "ugly.dtdsl", tmp_path / "fine.dtdsl"
    ugly.write_text("Robot   r  Frames{a,b}")
    fine.write_text("Robot r\nFrames { a, b }\n")
    assert main(["format", "--check", str(ugly), str(fine)]) == 1
    assert capsys.readouterr().err == f"{ugly}: not formatted\n"
    assert main(["format", "--stdout", str(ugly)]) == 0
    assert capsys.readouterr().out == fine.read_text() != ugly.read_text()
    assert main(["format", str(ugly), str(fine)]) == 0
    assert ugly.read_text() == fine.read_text()
    assert main(["format", "--check", str(ugly)]) == 0


def test_the_command_leaves_alone_what_it_cannot_read(tmp_path, capsys):
    broken, other = tmp_path / "broken.kindsl", tmp_path / "robot.urdf"
    broken.write_text("Robot r {")
    other.write_text("<robot/>")
    assert main(["format", str(broken), str(other), str(tmp_path / "none.ctdsl")]) == 1
    errors = capsys.readouterr().err
    assert f"{broken}:1:9: error" in errors
    assert "expected a .kindsl, .motdsl, .ctdsl, .dtdsl file" in errors
    assert "cannot read the file" in errors
    assert broken.read_text() == "Robot r {"
