"""What the values in a Kinematics-DSL document mean, and what its parameters are."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.model.scalars.expression import PI
from test.formats.kindsl_document import MASSLESS, document, read


def length(text: str):
    return read(document(x=text)).joints[0].pose.translation.x


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        (".5", 0.5),
        ("-.5", -0.5),
        ("+2.0", 2.0),
        ("- 2.0", -2.0),
        ("2", 2.0),
        ("1e-3", 1e-3),
        ("2.5E+1", 25.0),
        ("2.0 PI", 2 * math.pi),
        ("2.0*PI", 2 * math.pi),
        ("-0.5 PI", -math.pi / 2),
        ("PI/2", math.pi / 2),
        ("-PI/4.0", -math.pi / 4),
    ],
)
def test_constants(text, value):
    assert float(length(text)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", 4),
        ("-x", -4),
        ("- x", -4),
        ("2.0 x", 8),
        ("2.0*x", 8),
        ("-0.5 x", -2),
        ("2.0 -x", -8),
        ("x/2.0", 2),
        ("x*3", 12),
        ("x + 2 - 1.0", 5),
        ("2*(x - 1)/3", 2),
        ("-x*x + 1", -15),
        ("2.0 - x", -8),
        ("2.0 - x + 0", -2),
        ("(2.0) - x", -2),
        ("sqrt(x)", 2),
        ("<k=0.5>*x", 2),
        ("1.5 sqrt(x)/3", 1),
        ("x^2", 16),
        ("-x^2", -16),
        ("2 x^2/x", 8),
        ("3^2*(x - 1)^3 - x^1", 239),
        ("2.0/x^2 - sqrt(x)^3", -7.875),
    ],
)
def test_expressions_of_a_parameter(text, value):
    assert length(text).evaluate({"x": Decimal(4)}) == value


def test_pi_is_exact():
    assert length("PI/2.0") == PI / 2
    pose = read(document(angle="-PI/2.0")).joints[0].pose
    assert pose.rotation.y.z.value == 1


def test_lower_case_pi_is_a_parameter_in_the_first_version_of_the_language():
    robot = read(document(x="0.5 pi"))
    assert [parameter.name for parameter in robot.parameters] == ["pi"]
    (warning,) = robot.warnings
    assert warning.message == "'pi' is a parameter; the number is written PI"


@pytest.mark.parametrize("text", ["pi/2", "0.5*pi", "5e-1 Pi", "(pi)/2.0"])
def test_lower_case_pi_is_pi_where_a_later_version_is_written(text):
    assert length(text) == PI / 2


def test_a_caret_makes_pi_a_parameter():
    assert [parameter.name for parameter in length("2*^pi").parameters()] == ["pi"]


def test_a_number_and_a_signed_name_are_a_product_in_the_first_version_only():
    (warning,) = read(document(x="2.0 -x")).warnings
    assert warning.message.startswith("this is a product, as in the first version")
    assert read(document(x="2.0 -x", angle="0")).warnings == ()
    assert float(read(document(x="2.0 -x[0.5]")).joints[0].pose.translation.x) == 1.5


def test_the_place_of_a_parameter_is_its_group():
    mass = MASSLESS.replace("mass = 0.0", "mass = m")
    parameters = read(document(x="a", angle="b", inertia=mass)).parameters
    assert {p.name: p.group for p in parameters} == {"m": "inertia", "a": "lengths", "b": "angles"}


def inertia(mass: str = "1.0", center: str = "0.0", moment: str = "0.0") -> str:
    return f"""inertia_params {{ mass = {mass} CoM = ({center}, 0.0, 0.0) Ix = 0.0 Iy = {moment}
        Iz = {moment} Ixy = 0.0 Ixz = 0.0 Iyz = 0.0 }}"""


@pytest.mark.parametrize(
    ("x", "angle", "given", "groups"),
    [
        ("L", "0.0", inertia("r*L", "L/2", "r*L^3/3"), {"r": "inertia", "L": "lengths"}),
        ("L/2", "0.0", inertia("2.7*L", "L + 0.1", "L*L*0.9"), {"L": "lengths"}),
        ("L*cos(a)", "2*a", inertia("m", "L*a*m", "m*(L + a)"), {"m", "L", "a"}),
        ("0.1", "0.0", inertia("m", "c", "m*c^2"), {"m": "inertia", "c": "inertia"}),
        ("0.1", "k*L", inertia("3*L", "L"), {"L": "angles", "k": "angles"}),
        ("L + w", "0.0", inertia("L*w*h", "0.0", "L*w*h*(w*w + h*h)/12"), {"L", "w", "h"}),
        ("sqrt(L*L - w^2)", "0.0", inertia("m", "w"), {"L", "w", "m"}),
    ],
)
def test_one_parameter_is_a_length_and_a_factor_of_masses_and_moments(x, angle, given, groups):
    parameters = read(document(x=x, angle=angle, inertia=given)).parameters
    assert {p.name for p in parameters} == set(groups)
    if isinstance(groups, dict):
        assert {p.name: p.group for p in parameters} == groups


@pytest.mark.parametrize(
    ("x", "angle", "given", "line", "here"),
    [
        ("L", "L/2", inertia(), 7, "an angle here and as a length"),
        ("a*L - a/2", "0.1 - 2*a", inertia(), 7, "an angle here and as a length"),
        ("L", "0.0", inertia("L"), 7, "a length here and as an inertia property"),
        ("m/2", "0.0", inertia("2*m + 0.1", "0.0", "m"), 7, "a length here and as an inertia"),
        ("0.0", "a", inertia("3*a"), 5, "an inertia property here and as an angle"),
        ("0.0", "a", inertia("1.0", "a/2"), 5, "a length here and as an angle"),
        ("L*sin(L)", "0.0", inertia("1.0", "L"), 7, "an angle here and as a length"),
    ],
)
def test_a_parameter_is_no_two_things(x, angle, given, line, here):
    with pytest.raises(ModelError) as caught:
        read(document(x=x, angle=angle, inertia=given))
    (problem,) = caught.value.problems
    assert f"is used as {here}" in problem.message
    assert problem.location.line == line
    assert ("factor" in problem.message) == ("length" in here and "inertia" in here)


@pytest.mark.parametrize("exponent", ["0", "10", "0.5", "2.0", "1e1"])
def test_exponents_are_whole(exponent):
    with pytest.raises(ModelError, match="expected a whole number from 1 to 9 as exponent, found"):
        length(f"x^{exponent}")


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ("1/(x[0.3] - x)", "x = 0.3: division by zero"),
        ("y[2]/x[0]", "y = 2, x = 0: division by zero"),
        ("sqrt(x[0.5] - 1)", "x = 0.5: square root of a negative number"),
        ("x[1e9]^4", "x = 1e+09: the value is larger than any quantity of a robot"),
        ("1/x[0.0] + y", "x = 0, y = none: division by zero"),
    ],
)
def test_a_value_has_to_be_one_at_the_defaults(value, trouble):
    for text in (document(x=value), document(inertia=inertia(moment=f"2*({value})"))):
        with pytest.raises(ModelError) as caught:
            read(text)
        assert {p.message for p in caught.value.problems} == {f"at the defaults {trouble}"}


def test_a_power_counts_as_the_product_that_it_is():
    with pytest.raises(ModelError, match="the value is too long"):
        length("(((x + 1)^9)^9)^9")


def test_a_radius_may_be_the_ratio_of_a_rack_and_its_pinion():
    text = document(x="r", frames="").replace(
        "children {} }", "children { rack via slide } } virtual link rack { id = 2 children {} }"
    )
    slide = """p_joint slide { ref_frame { translation = (0.0, r, 0.0) rotation = (0.0, 0.0, 0.0) }
        mimic { joint = j multiplier = r } } }"""
    (parameter,) = read(f"{text.rstrip().removesuffix('}')} {slide}").parameters
    assert (parameter.name, parameter.group) == ("r", "lengths")


def test_a_parameter_used_twice_is_one():
    frames = "frames { f { translation = (a, a, 0.0) rotation = (0.0, 0.0, 0.0) } }"
    assert [p.name for p in read(document(x="a", frames=frames)).parameters] == ["a"]


def test_a_parameter_may_have_a_default():
    assert float(length("x[1.5]")) == 1.5


def test_a_default_given_anywhere_is_the_parameters():
    frames = "frames { f { translation = (a[0.5], 0, 0) rotation = (0, 0, 0) } }"
    robot = read(document(x="a", frames=frames))
    assert [float(p.default) for p in robot.parameters] == [0.5]


def test_a_named_constant_may_be_used_before_it_is_given():
    text = document(x="2*<len>", inertia=MASSLESS.replace("mass = 0.0", "mass = <len=1.5>"))
    assert float(read(text).joints[0].pose.translation.x) == 3
