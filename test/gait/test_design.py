"""Numbers of a robot that are sought with its gait."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

pytest.importorskip("casadi")

import casadi

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Specification, find_gait
from robcogen_ros.gait.design import find_design, image
from robcogen_ros.gait.motion import FUNCTIONS
from robcogen_ros.gait.nlp import Program
from robcogen_ros.gait.settings import read_settings
from robcogen_ros.model.contacts import Foot
from test.support.examples import EXAMPLES

MODEL = EXAMPLES / "gait_design" / "quadruped.kindsl"
FEET = ("fr_LF_foot", "fr_RF_foot", "fr_LH_foot", "fr_RH_foot")
SOLES = [Foot() for _ in FEET]
KNEES = tuple(f"{leg}_KFE.origin.x" for leg in ("LF", "RF", "LH", "RH"))
TROT = {"gait": "trot", "speed": (1.2, 1.2), "stride": (0.8, 0.8), "height": (0.3, 2.0)}


@lru_cache(maxsize=2)
def robot(*parameters: str):
    return robcogen_ros.build(
        MODEL,
        contacts=FEET,
        functions=FUNCTIONS,
        parameters=parameters,
        backend="numpy",
    )


def gait(shank: float, **more):
    robot().parameters["shank"] = shank
    found = find_gait(robot(), SOLES, Specification(**TROT, intervals=6, refinements=0, **more))
    assert found.solution.status in ("Solve_Succeeded", "grid too coarse")
    return found


@pytest.mark.slow
def test_the_length_that_is_found_is_the_best_of_a_sweep():
    found = gait(0.29, design={"shank": (0.2, 0.5)})
    best, step = found.design["shank"], 0.04
    assert 0.21 < best < 0.49
    assert robot().parameters["shank"] == best
    below, above = gait(best - step).merit, gait(best + step).merit
    assert min(below, above) > found.merit
    vertex = best + 0.5 * step * (below - above) / (below - 2 * found.merit + above)
    assert vertex == pytest.approx(best, abs=0.15 * step)


def test_variables_that_enter_at_all_places_have_their_derivatives():
    program, z, shared = Program(), casadi.SX.sym("z", 2), casadi.SX.sym("p")
    x = program.variables(["x"] * 6, 0.3, -1.0, 1.0, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    program.shared = (shared, program.variables(["p"], 0.5, 0.0, 1.0, 4.0))
    places = x.reshape(3, 2)
    program.constrain(["row"], z, z[0] ** 2 * casadi.sin(shared) + z[1], places, ["here"] * 3)
    program.constrain(["other"], z, casadi.sumsqr(z), places, ["here"] * 3)
    program.minimise(z, z[0] * z[1], places)
    functions, at = program.functions(), np.linspace(0.1, 0.7, 7)
    seen, rows = functions["nlp"]["x"], functions["nlp"]["g"]
    exact = casadi.Function("j", [seen], [casadi.jacobian(rows, seen)])
    np.testing.assert_allclose(functions["jac_g"](at, [])[1], exact(at), atol=1e-14)
    weights = np.arange(1.0, 7.0)
    lagrangian = 2.0 * functions["nlp"]["f"] + casadi.dot(weights, rows)
    hessian = casadi.Function("h", [seen], [casadi.triu(casadi.hessian(lagrangian, seen)[0])])
    found = functions["hess_lag"](at, [], 2.0, weights)
    np.testing.assert_allclose(found.full(), hessian(at).full(), atol=1e-13)


def test_parameters_whose_names_match_have_one_value():
    four = robot(*KNEES, "trunk.mass")
    wanted = Specification(design={"*_KFE.origin.x": (0.3, 0.4), "trunk.mass": (20.0, 30.0)})
    design = find_design(four, SOLES, wanted, None)
    assert design.names == (KNEES, ("trunk.mass",))
    np.testing.assert_array_equal(design.start, [0.35, 25.0])
    assert {four.parameters[knee] for knee in KNEES} == {0.35}
    assert max(design.heights) - min(design.heights) > 0.05
    assert image(four, design).error < 1e-9


def test_a_robot_with_other_legs_left_than_right_has_no_mirror_image():
    four = robot(*KNEES, "trunk.mass")
    one = find_design(four, SOLES, Specification(design={KNEES[0]: (0.3, 0.4)}), None)
    assert image(four, one) is None
    assert {four.parameters[knee] for knee in KNEES} == {0.35}


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"shanc": (0.2, 0.4)}, "no parameter 'shanc'; did you mean 'shank'"),
        ({"thigh*": (0.2, 0.4)}, r"no parameter 'thigh\*'; it has shank"),
        ({"shank": (0.2, 0.4), "sh*": (0.2, 0.4)}, "stands for 'shank' once more"),
    ],
)
def test_a_design_that_cannot_be_is_told(design, words):
    with pytest.raises(RobcogenError, match=words):
        find_design(robot(), SOLES, Specification(design=design), None)


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({"trunk.mass": (-1.0, 30.0)}, r"with trunk\.mass = -1 link 'trunk' has a negative mass"),
        ({KNEES[0]: (0.3, 3.0)}, rf"with {KNEES[0]} = 3 robot 'Quadruped'"),
    ],
)
def test_bounds_at_which_the_robot_is_impossible_are_told(design, words):
    with pytest.raises(RobcogenError, match=words):
        find_design(robot(*KNEES, "trunk.mass"), SOLES, Specification(design=design), None)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("gait: trot\ndesign: 0.3\n", "2:9"),
        ("design: {shank: 0.3}\n", "1:9"),
        ("design: {shank: [0.5, 0.2]}\n", "1:9"),
        ("design: {shank: [0.2, 0.3, 0.4]}\n", "1:9"),
        ("design: {shank: [a, b]}\n", "1:9"),
    ],
)
def test_mistakes_in_a_design_name_their_line(tmp_path, text, place):
    file = tmp_path / "gait.yaml"
    file.write_text(text)
    with pytest.raises(
        RobcogenError, match=r"design: expected parameters.*\[least, greatest\]"
    ) as e:
        read_settings(file)
    assert str(e.value).startswith(f"{file}:{place}")


def test_what_the_model_does_not_have_is_told_with_its_line(tmp_path, capsys):
    (tmp_path / "gait.yaml").write_text("gait: trot\ndesign: {shakn: [0.2, 0.5]}\n")
    command = ["gait", str(MODEL), str(tmp_path / "gait.yaml"), "--quiet"]
    assert main(command) == 1
    told = capsys.readouterr().err
    assert "gait.yaml:2:" in told and "no parameter 'shakn'; did you mean 'shank'" in told
