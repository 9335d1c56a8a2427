"""Documents of the Kinematics-DSL made at random, sound ones and broken ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.source import Source
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TEXTS = [
    (ROOT / "examples" / "quadruped.kindsl").read_text(),
    (ROOT / "test" / "errors" / "sound.kindsl").read_text(),
]
WORDS = sorted(set(re.findall(r"\w+|[^\w\s]", "".join(TEXTS))))
few = settings(
    max_examples=int(os.environ.get("KINDSL_FUZZ", "60")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

numbers = st.floats(-9, 9).map(repr) | st.sampled_from(
    ["0", "2", ".5", "1e-3", "3.", "PI", "2.0 PI"]
)
names = st.sampled_from(["a", "b", "c", "^mass", "x1"])
values = st.recursive(
    numbers | names | st.just("<k=0.25>") | st.just("d[1.5]"),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*", " - ", " + "]), inner).map("".join)
        | inner.map("({})".format)
        | inner.map("-({})".format)
        | inner.map("sin(0.5*({}))".format)
        | inner.map("({})^3".format)
        | inner.map("({})/3".format)
        | names.map("2.5 {}".format)
    ),
    max_leaves=6,
)


@st.composite
def documents(draw) -> str:
    """A sound document: a tree of links with any inertia, frames and joints."""
    places = [draw(st.integers(0, i)) for i in range(draw(st.integers(1, 4)))]
    links, joints = [], []
    for i in range(len(places) + 1):
        below = " ".join(f"l{k} via j{k}" for k, place in enumerate(places, 1) if place == i)
        head = f"link l{i} {{ id = {i}" if i else "RobotBase l0 {"
        moments = " ".join(
            f"{m} = {draw(numbers | st.sampled_from(['m*a^2/3', 'm*a*b']))}"
            for m in ("Iz", "Ix", "Iy", "Ixz", "Ixy", "Iyz")
        )
        mass = draw(st.sampled_from(["1.5", "m", "2*m", "m - 0.5", "2.7*a", "m*a"]))
        inertia = f"inertia_params {{ mass = {mass} CoM = ({draw(numbers)}, r, a/2) {moments} }}"
        frames = f"frames {{ f{i} {{ {draw(poses())} }} }}" if draw(st.booleans()) else ""
        links.append(
            f"{head} {draw(st.sampled_from([inertia, '']))} children {{ {below} }} {frames} }}"
        )
    for i in range(1, len(places) + 1):
        word = draw(st.sampled_from(["r_joint", "p_joint", "fixed_joint"]))
        limits = f"limits {{ upper = {draw(st.floats(0, 9))} }}" if word != "fixed_joint" else ""
        joints.append(f"{word} j{i} {{ ref_frame {{ {draw(poses())} }} {limits} }}")
    return "\n".join(["Robot R {", *links, *joints, "}"])


@st.composite
def poses(draw) -> str:
    """A pose; angles have names of their own, for no parameter is an angle and a length."""
    lengths = ", ".join(draw(values) for _ in range(3))
    angles = ", ".join(re.sub(r"\b([abcd]|mass|x1)\b", r"\1_", draw(values)) for _ in range(3))
    return f"translation = ({lengths}) rotation = ({angles})"


@few
@given(documents())
@example(
    "Robot R { RobotBase b { inertia_params { mass = -1*m*m CoM = (5e-324/3 + r, 1 on*-1, 0)"
    " Ix = 0 Iy = 0 Iz = 0 Ixy = 0 Ixz = 0 Iyz = 0 } children {} } }"
)
def test_formatting_twice_is_formatting_once(text):
    once = kindsl_writer.write(kindsl.read(Source("r.kindsl", text)))
    again = kindsl.read(Source("r.kindsl", once))
    assert kindsl_writer.write(again) == once


@st.composite
def broken(draw) -> str:
    """A sound text in which words were dropped, doubled, exchanged or put in."""
    text = draw(st.sampled_from(TEXTS))
    words = re.findall(r"\s+|\w+|[^\w\s]", text)
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(words) - 1))
        other = draw(st.integers(0, len(words) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                words[place] = ""
            case 1:
                words[place] = words[other]
            case 2:
                words[place : place + 1] = [draw(st.sampled_from(WORDS)), " ", words[place]]
            case _:
                words[place] = draw(st.text(max_size=4))
    return "".join(words)


@few
@given(broken())
def test_a_broken_document_is_read_or_refused(text):
    try:
        description = kindsl.read(Source("r.kindsl", text))
    except ModelError as error:
        assert all(problem.location for problem in error.problems)
        return
    if all(problem.severity == "warning" for problem in check(description)):
        once = kindsl_writer.write(description)
        assert kindsl_writer.write(kindsl.read(Source("r.kindsl", once))) == once
        reduce(description)
