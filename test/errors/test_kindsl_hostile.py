"""Kinematics-DSL documents made to do harm: they are refused, or read, in bounded time."""

from __future__ import annotations

import time

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce

SECONDS = 20
"""For what takes one second on an idle machine."""


def document(x: str = "1.0", link: str = "l", limbs: str = "", children: str = "") -> str:
    return f"""Robot R {{ {limbs}
        RobotBase b {{ children {{ {link} via j {children} }} }}
        link {link} {{ id = 1 children {{}} }}
        r_joint j {{ ref_frame {{
            translation = ({x}, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) }} }} }}"""


def refusal(text: str) -> str:
    start = time.monotonic()
    with pytest.raises(ModelError) as caught:
        kindsl.read(Source("r.kindsl", text))
    assert time.monotonic() - start < SECONDS
    message = caught.value.problems[0].message
    assert len(message) < 1000
    return message


@pytest.mark.slow
@pytest.mark.parametrize(
    "x",
    [
        "(" * 9000 + "1" + ")" * 9000,
        "-" * 9000 + "1",
        "+".join(["x"] * 9000),
        "*".join(["2.0"] * 9000),
        "sin(" * 9000 + "x" + ")" * 9000,
    ],
    ids=["parentheses", "signs", "sum", "product", "functions"],
)
def test_endless_expressions(x):
    assert refusal(document(x)) == "the value is too long; make it simpler"


@pytest.mark.parametrize("x", ["1" * 10_000, "0." + "0" * 10_000, "1e" + "9" * 10_000])
def test_endless_numbers(x):
    assert "characters is too long" in refusal(document(x))


@pytest.mark.parametrize("x", ["1e999999999", "1e30*1e30", "1/1e-300*1e300", "9" * 300])
def test_numbers_beyond_any_robot(x):
    assert "larger than any quantity of a robot" in refusal(document(x))


def test_names_of_ten_thousand_characters():
    assert refusal(document(link="x" * 10_000)) == "a name of 10000 characters is too long"


def test_a_hundred_thousand_links():
    links = "".join(f"virtual link l{i} {{ children {{}} }}\n" for i in range(100_000))
    text = f"Robot R {{ RobotBase b {{ children {{}} }} {links} }}"
    assert refusal(text) == "the file is larger than the model of any robot"


def test_a_thousand_links_are_read():
    start = time.monotonic()
    limb = """limb bead () { children { l via j } link l { children {} }
        r_joint j { ref_frame { translation = (0, 0, 1) rotation = (0, 0.1, 0) } } }"""
    placed = " ".join(f"bead p{i}_ ()" for i in range(1000))
    robot = kindsl.read(Source("r.kindsl", document(limbs=limb, children=placed)))
    assert len(robot.links) == 1002
    assert time.monotonic() - start < SECONDS


def test_many_unknown_names():
    links = " ".join(f"m{i} via k{i}" for i in range(1000))
    start = time.monotonic()
    with pytest.raises(ModelError) as caught:
        kindsl.read(Source("r.kindsl", document(children=links)))
    assert len(caught.value.problems) == 2000
    assert time.monotonic() - start < SECONDS


def nested_limbs(levels: int, times: int, argument: str) -> str:
    inner = []
    for i in range(levels):
        placed = " ".join(f"a{i + 1} p{k} (x = {argument})" for k in range(times))
        inner.append(f"limb a{i} (x) {{ children {{ {placed} }} }}")
    last = f"""limb a{levels} (x) {{ children {{ l via j }} link l {{ children {{}} }}
        r_joint j {{ ref_frame {{ translation = (x, 0, 0) rotation = (0, 0, 0) }} }} }}"""
    return document(limbs="\n".join([*inner, last]), children="a0 q (x = y)")


@pytest.mark.slow
def test_limbs_that_multiply():
    message = refusal(nested_limbs(12, 10, "x"))
    assert message == "limbs are placed so many times that no robot could be so large"


def test_arguments_that_multiply():
    assert refusal(nested_limbs(12, 1, "x + x + x")) == "the value is too long; make it simpler"


def test_limbs_nested_without_end():
    assert refusal(nested_limbs(30, 1, "x")) == "limbs in limbs are nested too deeply"


def test_limbs_in_a_circle():
    limbs = """limb a () { children { b p_ () } } limb b () { children { c q_ () } }
        limb c () { children { a r_ () } }"""
    message = refusal(document(limbs=limbs, children="a s_ ()"))
    assert message == "limb 'a' contains itself: a -> b -> c -> a"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "{" * 15_000,
        "/" * 15_000,
        "/*" * 15_000,
        "Robot R {" * 9000,
        "^" * 15_000,
        "\0\1\2",
        "\u202e",
    ],
)
def test_what_is_no_document(text):
    assert refusal(text)


@pytest.mark.parametrize("name", ["../x", "a/b", 'a"b', "a\\b", "\u00fcber", "a b", "a;b", "$(x)"])
def test_names_are_letters_digits_and_underscores(name):
    assert refusal(document(link=name))


@pytest.mark.parametrize(
    "name", ["class", "int", "__init__", "end", "lambda", "M_PI", "Eigen", "q"]
)
def test_words_of_other_languages_are_names(name):
    description = kindsl.read(Source("r.kindsl", document(link=name)))
    assert reduce(description).link_names == ("b", name)
    again = kindsl.read(Source("r.kindsl", kindsl_writer.write(description)))
    assert [link.name for link in again.links] == ["b", name]
