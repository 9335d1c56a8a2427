"""Parameters and payload on the command line, and from Python."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from test.support.examples import example_path

HYL = str(example_path("hyl"))


def test_inspect_lists_what_may_become_a_parameter(capsys):
    assert main(["inspect", HYL, "--parameters"]) == 0
    lines = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert lines["lowerleg.mass"] == "0.9" and lines["HFE.origin.y"] == "0.13"


def test_generated_code_has_them(tmp_path):
    words = ["--parameter", "lowerleg.mass", "--payload", "fr_foot", "--function", "inertia_matrix"]
    assert main(["generate", HYL, *words, "--name", "leg", "-o", str(tmp_path)]) == 0
    header = (tmp_path / "include" / "robots" / "leg" / "names.hpp").read_text()
    assert "lowerleg_mass = T(0.9)" in header and "payload_mass = T(0.0)" in header


def test_an_unknown_one_is_an_error_with_the_nearest(capsys, tmp_path):
    words = ["generate", HYL, "--parameter", "lowerlg.mass", "-o", str(tmp_path)]
    assert main(words) == 1
    assert "did you mean 'lowerleg'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_motions_name_them_without_dots(capsys):
    assert main(["motions2transforms", HYL, "--parameter", "KFE.origin.x"]) == 0
    assert "KFE_origin_x" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["numpy", "cpp"])
def test_python_sets_them_by_name(backend):
    names = ["lowerleg.mass", "KFE.origin.x"]
    leg = robcogen_ros.build(
        HYL, parameters=names, functions=["gravity_torques", "kinematics"], backend=backend
    )
    q = np.array([0.1, 0.4, -0.9])
    before = leg.gravity_torques(q)
    assert leg.parameters["lowerleg.mass"] == 0.9
    leg.parameters["lowerleg.mass"] = 1.9
    assert (leg.gravity_torques(q) - before)[0] == pytest.approx(9.81)
    leg.parameters["KFE.origin.x"] = 0.5
    foot = leg.transform("fr_upperleg", "fr_lowerleg", q)
    assert foot[0, 3] == pytest.approx(0.5)
