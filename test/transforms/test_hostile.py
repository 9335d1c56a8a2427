"""Whatever a document holds, it is read or refused, soon, and nothing of it escapes."""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl, ctdsl_writer, dtdsl, motdsl, motdsl_writer
from robcogen_ros.transforms.amount import Amount, Symbol
from robcogen_ros.transforms.convert import transforms as convert
from robcogen_ros.transforms.document import Motions, Relation
from robcogen_ros.transforms.steps import Step
from test.transforms.documents import motions

HERE = Path(__file__).parent
READERS = {"motdsl": motdsl.read, "ctdsl": ctdsl.read, "dtdsl": dtdsl.read}
TEXT = """Model Robot Frames Params Convention MovedFramePos Transforms Jacobians local fixedFrame
    right left base target A B C rotx tryy Rx Tz PI x g.x p:x p:x[1] c:k:2 c:k 1 1e9 -0.5 ^rotx _X_
    { } ( ) [ ] = -> <- : , ; . * / + - // /* */ # " é"""
WORDS = [*TEXT.split(), "\n"]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(READERS)), st.lists(st.sampled_from(WORDS), max_size=40))
def test_any_words(language, words):
    try:
        READERS[language](Source("any", " ".join(words)))
    except RobcogenError as error:
        assert "any:" in str(error)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_documents_with_words_changed(data):
    path = data.draw(st.sampled_from(sorted((HERE / "wrong").iterdir())))
    words = path.read_text().split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(WORDS))
    try:
        READERS[path.suffix[1:]](Source("any", " ".join(words)))
    except RobcogenError as error:
        assert "any:" in str(error)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Convention = local A -> B : " + "rotx(" * 50_000,
        "Convention = local A -> B : trx(" + "-" * 200_000,
        "Convention = local A -> " + "x" * 200_000,
        "/*" * 100_000,
        "Frames { " + ", ".join(["a"] * 10_000) + " } Convention = local",
        "Convention = local " + " ".join(f"f{i} -> g{i} : trx(1)" for i in range(1000)),
        "Frames { " + ", ".join(f"f{i}" for i in range(1000)) + " } Convention = local "
        + " ".join(f"g{i} -> h{i} : trx(1)" for i in range(1000)),
    ],
    ids=range(7),
)  # fmt: skip
def test_large_documents_take_no_more_than_their_length(text):
    start = time.process_time()
    try:
        motdsl.read(Source("large", text))
    except RobcogenError as error:
        assert max(map(len, str(error).splitlines())) < 500
    assert time.process_time() - start < 10


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1), min_size=4, max_size=4, unique=True))
@example(["m", "a" * 200, "b" * 200, "q" * 200])
def test_names_of_any_kind_are_made_legal_and_kept_apart(names):
    """Names of a robot's frames and joints, which come from URDF, may be anything."""
    document, a, b, q = names
    step = Step(True, 2, Amount(Decimal(1), Symbol(f"q_{q}")))
    written = Motions(document, (a, b), (Relation(a, b, (step,)),))
    again = motions(motdsl_writer.write(written))
    assert len(again.frames) == 2
    assert len(again.relations[0].steps) == 1
    assert ctdsl.read(Source("t.ctdsl", ctdsl_writer.write(convert(written)))).relations
