"""What documents of the Motion-DSL and Transforms-DSL mean, in both versions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.transforms import ctdsl_writer, motdsl_writer
from robcogen_ros.transforms.agreement import matrix
from robcogen_ros.transforms.convert import all_pairs, star_pairs
from robcogen_ros.transforms.convert import transforms as convert
from robcogen_ros.transforms.network import Network
from test.transforms.documents import desired, motions, transforms

FIRST = """Model arm
Frames { base, elbow, hand }
Params lengths { upper, fore }
Params angles { }
Convention = local
base -> elbow : rotz(q1) trx(lengths.upper) [upper_arm]
elbow -> hand : rotz(q2) trx(lengths.fore)
"""
SECOND = """Model arm
Convention = currentFrame
base -> elbow : rotz(q1) trx(p:upper[0.5])
elbow -> hand : rotz(q2) trx(p:fore) try(c:offset:-0.1) trz(2*c:offset)
"""


def amount(text: str):
    (relation,) = motions(f"Params g {{ x }} Convention = local A -> B : rotx({text})").relations
    return relation.steps[0].amount


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        ("-.5", -0.5),
        ("2", 2.0),
        ("1e-3", 1e-3),
        ("1/2", 0.5),
        ("PI/2.0", math.pi / 2),
        ("-pi", -math.pi),
        ("0.5*Pi", math.pi / 2),
        ("2.0 PI", 2 * math.pi),
        ("c:k:0.25", 0.25),
        ("-c:k:-0.25", 0.25),
    ],
)
def test_constants(text, value):
    assert float(amount(text).constant) == value


@pytest.mark.parametrize(
    ("text", "key", "factor"),
    [
        ("x", "x", 1),
        ("- x", "x", -1),
        ("2.0 x", "x", 2),
        ("2*x", "x", 2),
        ("2.0 -x", "x", -2),
        ("x/4", "x", 0.25),
        ("3*x/4", "x", 0.75),
        ("g.x", "g.x", 1),
        ("-g.x/2.0", "g.x", -0.5),
        ("p:x", "x", 1),
        ("2*p:x[0.1]", "x", 2),
        ("consts.tx_j", "consts.tx_j", 1),
        ("^rotx", "rotx", 1),
    ],
)
def test_variables_and_parameters(text, key, factor):
    found = amount(text)
    assert found.open_symbol.key == key
    assert float(found.coefficient) == factor


def test_names_are_variables_unless_they_are_said_to_be_parameters():
    assert amount("x").symbol.kind == "variable"
    assert {amount(text).symbol.kind for text in ("g.x", "p:x", "consts.x")} == {"parameter"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("trx(0x10)", "'0x10' is the product 0*x10"),
        ("trx(2 x) try(2*x) trz(x*2) rotx(2PI) roty(-4/2)", ""),
        ("trx(x) try(90deg/2)", "'90deg' is the product 90*deg"),
        ("rotz(90)", "90 is more than a turn; angles are in radians"),
        ("trz(90)", ""),
    ],
)
def test_units_and_numbers_that_are_not_decimal_are_told(text, told):
    warnings = motions(f"Convention = local A -> B : {text}").warnings
    assert [told in problem.message for problem in warnings] == [True] * bool(told)


def test_the_first_default_wins():
    document = motions("Convention = fixed A -> B : trx(p:l) try(p:l[0.1]) trz(p:l[0.2])")
    assert {float(step.amount.symbol.value) for step in document.relations[0].steps} == {0.1}
    assert "ignored" in document.warnings[0].message


def test_the_first_version():
    document = motions(FIRST)
    assert (document.name, document.convention) == ("arm", "local")
    assert document.frames == ("base", "elbow", "hand")
    assert [group.members for group in document.groups] == [("upper", "fore"), ()]
    assert document.relations[0].name == "upper_arm"


def test_the_second_version():
    document = motions(SECOND)
    assert (document.convention, document.frames) == ("local", ("base", "elbow", "hand"))
    assert float(document.relations[0].steps[1].amount.symbol.value) == 0.5
    assert float(document.relations[1].steps[3].amount.constant) == -0.2


@pytest.mark.parametrize(("word", "meaning"), [("local", "local"), ("fixedFrame", "fixed")])
def test_conventions(word, meaning):
    assert motions(f"Convention = {word} A -> B : rotx(a)").convention == meaning


def test_turns_about_fixed_axes_are_local_ones_in_reverse():
    fixed = motions("Convention = fixed A -> B : rotx(a) roty(b) rotz(c)")
    local = motions("Convention = local A -> B : rotz(c) roty(b) rotx(a)")
    assert fixed.sequence(fixed.relations[0]) == local.sequence(local.relations[0])


@pytest.mark.parametrize(
    "steps",
    ["trx(1) rotz(PI/2)", "rotz(PI/2) trx(1)", "try(2) trx(1) rotz(PI/2) try(-2)"],
)
def test_the_order_of_shifts_does_not_matter_along_fixed_axes(steps):
    document = motions(f"Convention = fixed A -> B : {steps}")
    expected = [[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert matrix(document.sequence(document.relations[0]), 0) == pytest.approx(np.array(expected))
    back = convert(document, [("B", "A")])
    X = matrix(back.sequence(back.relations[0]), 0)
    assert pytest.approx(np.array(expected)) == np.linalg.inv(X)


def test_the_moved_frame_on_the_left_turns_each_factor_round():
    right = transforms("MovedFramePos = right {A}_X_{B} = Rx(a) Ty(b)")
    left = transforms("TransformedFramePos = left {A}_X_{B} = Rx(-a) Ty(-b)")
    assert right.sequence(right.relations[0]) == left.sequence(left.relations[0])


@pytest.mark.parametrize("moved", ["right", "left"])
@pytest.mark.parametrize("convention", ["local", "fixed"])
def test_transforms_compose_whatever_the_convention(moved, convention):
    document = motions(
        f"Convention = {convention} A -> B : rotx(a) try(b) rotz(c) C -> B : trz(d) roty(PI/3)"
    )
    made = convert(document, moved=moved)
    X = {(r.left, r.right): matrix(made.sequence(r), 0) for r in made.relations}
    assert len(X) == 6
    for left, middle, right in ("ABC", "BAC", "CBA", "ACB"):
        product = X[left, middle] @ X[middle, right]
        assert product == pytest.approx(X[left, right], abs=1e-14)
    assert X["A", "B"] @ X["B", "A"] == pytest.approx(np.eye(4), abs=1e-14)


def test_the_way_between_frames_is_the_shortest():
    document = motions("Convention = local A -> B : trx(x) B -> C : try(y) A -> C : trx(x) try(y)")
    network = Network(document)
    assert network.sequence("A", "C") == document.relations[2].steps
    assert "can be removed" in document.warnings[0].message


def test_frames_that_nothing_relates():
    document = motions("Convention = local A -> B : trx(x) C -> D : try(y)")
    assert "no transform between" in document.warnings[0].message
    assert ("A", "C") not in all_pairs(Network(document))
    with pytest.raises(RobcogenError, match="nothing relates 'A' to 'D'"):
        convert(document, [("A", "D")])


def test_an_unknown_frame_of_a_pair():
    with pytest.raises(RobcogenError, match="no frame 'hnad'; did you mean 'hand'"):
        convert(motions(FIRST), [("base", "hnad")])


def test_too_many_pairs_are_not_made_unasked():
    lines = "\n".join(f"f{i} -> f{i + 1} : trx(0.1)" for i in range(300))
    document = motions(f"Convention = local {lines}")
    with pytest.raises(RobcogenError, match="name those that are wanted"):
        convert(document)
    assert len(star_pairs(Network(document), "f0")) == 2 * 300 + 2 * 299


def said(document):
    return [(r.left, r.right, r.steps, r.name) for r in document.relations]


@pytest.mark.parametrize("text", [FIRST, SECOND])
def test_writing_keeps_everything_and_is_stable(text):
    document = motions(text)
    written = motdsl_writer.write(document)
    assert said(motions(written)) == said(document)
    assert motdsl_writer.write(motions(written)) == written


def test_transforms_are_written_in_the_words_of_either_version():
    made = convert(motions(FIRST))
    paper, program = (ctdsl_writer.write(made, word) for word in ctdsl_writer.KEYWORDS)
    assert program == paper.replace("MovedFramePos", "TransformedFramePos")
    assert ctdsl_writer.write(transforms(program)) == paper
    assert "{base}_X_{elbow} = Rz (q1) Tx (lengths.upper) [upper_arm]" in paper


def test_a_name_that_is_a_keyword_gets_a_caret():
    document = motions("Convention = local ^rotx -> B : rotx(^PI)")
    written = motdsl_writer.write(document)
    assert "^rotx -> B : rotx (^PI)" in written
    assert motions(written).frames == ("rotx", "B")


@pytest.mark.parametrize(
    ("pair", "left", "right"),
    [
        ("left = A right = B", "A", "B"),
        ("left_frame = A, right_frame = B", "A", "B"),
        ("base = A target = B", "A", "B"),
        ("base=A, right=B", "A", "B"),
        ("target = B left = A", "A", "B"),
        ("A <- B", "A", "B"),
        ("A -> B", "B", "A"),
    ],
)
def test_desired_pairs(pair, left, right):
    found = desired(f"Model m Frames {{ A, B }} Transforms {{ {pair} }} Jacobians {{ {pair} }}")
    assert [(p.left, p.right) for p in (*found.transforms, *found.jacobians)] == [(left, right)] * 2


def test_a_frame_may_be_called_as_the_words_are():
    (pair,) = desired(
        "Robot r Frames { base, left } Transforms { base = base, right = left }"
    ).transforms
    assert (pair.left, pair.right) == ("base", "left")


def test_tolerant_reading_warns():
    text = "Robot r Frames { A } Transforms { A <- B } Jacobians { }"
    with pytest.raises(ModelError):
        desired(text)
    found = desired(text, tolerant=True)
    assert [(p.left, p.right) for p in found.transforms] == [("A", "B")]
    assert [p.severity for p in found.warnings] == ["warning"]
