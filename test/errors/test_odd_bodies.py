"""Impossible inertia: what is a warning, what an error, and that formats do not differ in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.read import read

BODY = (2.0, (0.02, 0.03, 0.04))
GROSS = (2.0, (0.003, 0.004, 4.8))
"""Like the ankles of a published iCub."""
HOLLOW = (2.0, (-0.01, 0.03, 0.04))
"""Negative about the center of mass; not about a point that is 0.3 m away along y or z."""
NEGATIVE = (2.0, (-0.5, 0.03, 0.04))
LIGHT = (-0.1, (0.02, 0.03, 0.04))


def urdf(base=BODY, arm=BODY, hand=None, kind="revolute", center=(0.0, 0.0, -0.3), axis="1 0 0"):
    """A base, an arm on it, and perhaps a hand fixed on the arm, at its origin."""

    def link(name, body, com):
        mass, (xx, yy, zz) = body
        return (
            f'<link name="{name}"><inertial><origin xyz="{" ".join(map(repr, com))}"/>'
            f'<mass value="{mass!r}"/><inertia ixx="{xx!r}" iyy="{yy!r}" izz="{zz!r}" ixy="0" '
            'ixz="0" iyz="0"/></inertial></link>'
        )

    fixed = hand and (
        link("hand", hand, (0.0, 0.0, 0.0))
        + '<joint name="wrist" type="fixed"><parent link="arm"/><child link="hand"/></joint>'
    )
    return (
        f'<robot name="r">{link("base", base, (0.0, 0.0, 0.0))}{link("arm", arm, center)}'
        f'<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>'
        f'<axis xyz="{axis}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        f"{fixed or ''}</robot>"
    )


CASES = {
    "a body": ({}, []),
    "gross triangle": ({"arm": GROSS}, ["warning"]),
    "gross triangle of a base": ({"base": GROSS}, ["warning"]),
    "no mass": ({"arm": (0.0, (0.02, 0.03, 0.04))}, ["warning"]),
    "hollow, far from the joint": ({"arm": HOLLOW}, ["warning"]),
    "hollow, at the joint": ({"arm": HOLLOW, "center": (0.0, 0.0, 0.0)}, ["error"]),
    "hollow, at a joint about another axis": (
        {"arm": HOLLOW, "center": (0.0, 0.0, 0.0), "axis": "0 0 1"},
        ["error"],
    ),
    "hollow, sliding": (
        {"arm": HOLLOW, "center": (0.0, 0.0, 0.0), "kind": "prismatic"},
        ["warning"],
    ),
    "negative": ({"arm": NEGATIVE}, ["error"]),
    "negative, but a hand outweighs it": (
        {"arm": NEGATIVE, "hand": (2.0, (0.9, 0.9, 0.9))},
        ["warning"],
    ),
    "negative base that cannot move": ({"base": NEGATIVE}, ["warning"]),
    "negative mass": ({"arm": LIGHT}, ["error"]),
    "negative mass of a base": ({"base": LIGHT}, ["error"]),
}


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="r.urdf"):
        (tmp_path / name).write_text(text)
        return name

    return write


def severities(path, **options):
    try:
        found = read(path, **options).warnings
    except ModelError as error:
        found = error.problems
    return [
        problem.severity
        for problem in found
        if "inertia" in problem.message or "mass" in problem.message
    ]


@pytest.mark.parametrize("case", CASES)
def test_severity(case, model):
    changes, expected = CASES[case]
    path = model(urdf(**changes))
    assert severities(path) == expected
    assert severities(path, accept_inertia=True) == ["warning"] * len(expected)
    assert severities(path, strict=True) == ["error"] * len(expected)


FELT = urdf(arm=HOLLOW, center=(0.0, 0.0, 0.0))
COMMANDS = {
    "check": ["check", "{}"],
    "generate": ["generate", "{}", "-o", "out"],
    "inspect": ["inspect", "{}"],
    "urdf2kindsl": ["urdf2kindsl", "{}", "-o", "out"],
    "kindsl2urdf": ["kindsl2urdf", "{}", "-o", "out"],
    "urdf2mjcf": ["urdf2mjcf", "{}", "-o", "out"],
    "urdf2sdf": ["urdf2sdf", "{}", "-o", "out"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_inertia_matrix_that_is_not_positive_definite_is_never_accepted(
    command, model, tmp_path, capfd
):
    words = [word.format(model(FELT)) for word in COMMANDS[command]]
    assert main([*words, "--accept-inertia"]) == 1
    told = capfd.readouterr().err.splitlines()
    assert told[-1] == (
        "r.urdf:1:1: error: the inertia matrix is not positive definite at 100 of 100 positions: "
        "no body has the inertia of arm"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_nor_in_python(backend, model):
    with pytest.raises(ModelError, match="not positive definite"):
        robcogen_ros.build(model(FELT), accept_inertia=True, backend=backend)


def test_a_base_that_floats_feels_its_own_inertia(model):
    path = model(urdf(base=NEGATIVE))
    assert main(["check", path]) == 0
    assert main(["check", path, "--floating-base"]) == 1


def test_where_it_is_negative_at_some_positions_only(model):
    """By hand, for an arm with an elbow and a load: det H = h22 (I1 - 0.07) - (0.1 cos q2)^2."""
    load = (
        '<link name="load"><inertial><origin xyz="0 0 -0.5"/><mass value="-0.5"/>'
        '<inertia ixx="0.5" iyy="0.5" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="elbow" type="KIND"><origin xyz="0 0 -0.4"/><parent link="arm"/>'
        '<child link="load"/><axis xyz="1 0 0"/>LIMIT</joint></robot>'
    )
    arm = urdf(arm=(1.0, (0.085, 0.085, 0.085)), center=(0.0, 0.0, -0.1))
    text = arm.replace("</robot>", load)
    path = model(text.replace("KIND", "continuous").replace("LIMIT", ""))
    with pytest.raises(ModelError, match="the mass of link 'load' is negative"):
        read(path)
    with pytest.raises(ModelError, match=r"at (4|5)\d of 100 positions: .* of load"):
        robcogen_ros.build(path, backend="numpy", accept_inertia=True)
    limit = '<limit lower="1" upper="2" effort="1" velocity="1"/>'
    path = model(text.replace("KIND", "revolute").replace("LIMIT", limit))
    with pytest.warns(UserWarning, match="is negative"):
        robot = robcogen_ros.build(path, backend="numpy", accept_inertia=True)
    q = np.stack([np.zeros(50), np.linspace(1, 2, 50)], axis=-1)
    determinant = 0.375 * 0.015 - (0.1 * np.cos(q[:, 1])) ** 2
    np.testing.assert_allclose(np.linalg.det(robot.inertia_matrix(q)), determinant, rtol=1e-9)


def converted(path, tmp_path, *options):
    """Exit codes of the way through the Kinematics-DSL and back, and what is read of it."""
    codes = [main(["urdf2kindsl", str(path), "-o", str(tmp_path / "b.kindsl"), *options])]
    if codes == [0]:
        there, back = str(tmp_path / "b.kindsl"), str(tmp_path / "c.urdf")
        codes.append(main(["kindsl2urdf", there, "-o", back, *options]))
        codes.append(main(["urdf2kindsl", back, "-o", str(tmp_path / "d.kindsl"), *options]))
    return codes


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("accepting", [False, True])
def test_what_one_format_accepts_the_other_does_too(case, accepting, model, tmp_path):
    changes, expected = CASES[case]
    path = model(urdf(**changes))
    options = ["--accept-inertia"] * accepting
    codes = converted(path, tmp_path, *options)
    assert codes in ([1], [0, 0, 0])
    if not accepting:
        assert codes == ([1] if "error" in expected else [0, 0, 0])


def test_a_document_with_moments_that_are_negative_about_the_center_becomes_a_urdf(model, tmp_path):
    """As link 6 of the ABB irb4600 of RobCoGen's users."""
    text = (
        "Robot r { RobotBase base { children { arm via j } } link arm { id = 1 inertia_params { "
        "mass = 50.0 CoM = (0.0, 0.0, 0.1) Ix = 0.2 Iy = 0.2 Iz = 0.025 Ixy = 0.0 Ixz = 0.0 "
        "Iyz = 0.0 } children {} } r_joint j { ref_frame { translation = (0.0, 0.0, 0.0) "
        "rotation = (0.0, 0.0, 0.0) } } }"
    )
    path = model(text, "a.kindsl")
    assert main(["kindsl2urdf", path, "-o", "a.urdf"]) == 0
    assert converted("a.urdf", tmp_path) == [0, 0, 0]
    assert severities(path) == severities("a.urdf") == ["warning"]


moments = st.floats(-1.0, 1.0, allow_subnormal=False)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    mass=st.floats(-0.5, 2.0, allow_subnormal=False),
    tensor=st.tuples(moments, moments, moments),
    distance=st.floats(0.0, 1.0, allow_subnormal=False),
    kind=st.sampled_from(["revolute", "prismatic"]),
    options=st.sets(st.sampled_from(["--accept-inertia", "--floating-base"])),
)
def test_any_body_is_judged_alike(tmp_path_factory, mass, tensor, distance, kind, options):
    """And an inertia matrix that is negative is found: of one joint it is a number."""
    folder = tmp_path_factory.mktemp("odd")
    text = urdf(arm=(mass, tensor), center=(0.0, 0.0, -distance), kind=kind)
    (folder / "a.urdf").write_text(text)
    codes = converted(folder / "a.urdf", folder, *options)
    assert codes in ([1], [0, 0, 0])
    if "--floating-base" not in options:
        H = tensor[0] + mass * distance**2 if kind == "revolute" else mass
        if H < -1e-6:
            assert codes == [1]
        if H > 1e-6 and "--accept-inertia" in options:
            assert codes == [0, 0, 0]
