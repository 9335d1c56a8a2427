"""Advice writes options as its reader does; what does nothing beside the rest is refused."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.model.options import called_from, option_text
from test.support.examples import EXAMPLES, example_path

HYL = str(example_path("hyl"))
LOOP = EXAMPLES.parent / "test" / "errors" / "models" / "two_parents.urdf"


@pytest.mark.parametrize(
    ("caller", "flag", "numbers", "word", "lock", "functions"),
    [
        ("cli", "--keep-attached", "--gravity 0 1 2", "--gravity mount", "--lock", "--function"),
        ("cmake", "KEEP_ATTACHED", "GRAVITY 0 1 2", "GRAVITY mount", "LOCK_JOINTS", "FUNCTIONS"),
        (
            "python",
            "keep_attached=True",
            "gravity=(0, 1, 2)",
            'gravity="mount"',
            "lock=",
            "functions=",
        ),
    ],
)
def test_options_are_spelled_for_the_caller(caller, flag, numbers, word, lock, functions):
    with called_from(caller):
        assert option_text("keep_attached", flag=True) == flag
        assert option_text("gravity", "0", "1", "2") == numbers
        assert option_text("gravity", "mount") == word
        assert (option_text("lock"), option_text("functions")) == (lock, functions)


def test_advice_is_for_the_caller(monkeypatch, capsys, tmp_path):
    with pytest.raises(robcogen_ros.ModelError, match=r"cut loops: cut_loops=True$"):
        robcogen_ros.build(LOOP)
    command = ["generate", str(LOOP), "-o", str(tmp_path)]
    assert main(command) == 1
    assert capsys.readouterr().err.endswith("cut loops: --cut-loops\n")
    monkeypatch.setenv("ROBCOGEN_CALLER", "cmake")
    assert main(command) == 1
    assert capsys.readouterr().err.endswith("cut loops: CUT_LOOPS\n")


def test_functions_that_were_not_generated_are_asked_for_where_they_were_chosen():
    robot = robcogen_ros.build(HYL, backend="numpy", functions=["inertia_matrix"])
    with pytest.raises(robcogen_ros.RobcogenError, match="without kinematics; name it in functio"):
        robot.frame_poses([0.0] * 3)


FRAMES = "fr_base, fr_slider, fr_upperleg, fr_lowerleg, fr_SLIDE, fr_HFE and 6 more"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fr_base_X_tool", f": robot 'HyL' has no frame 'tool'; it has {FRAMES}"),
        ("fr_base_J_fr_fot", ": robot 'HyL' has no frame 'fr_fot'; did you mean 'fr_foot'?"),
        ("fr_bas_J_fr_foot", ": robot 'HyL' has no frame 'fr_bas'; did you mean 'fr_base'?"),
        ("a_X_b", f": robot 'HyL' has no frame 'a'; it has {FRAMES}; nor 'b'"),
        ("full_X_fr_foot", ": 'full' is the space in which a base moves, and this one is fixed"),
        ("gravity_torqes", "; did you mean 'gravity_torques'?"),
        ("inertia_matrix_and_tau", ": none 'tau'; docs/functions.md lists them"),
        (
            "inertia_matrix_and_fr_base_X_tool",
            f": none 'fr_base_X_tool': robot 'HyL' has no frame 'tool'; it has {FRAMES}",
        ),
    ],
)
def test_a_function_that_there_is_not_names_the_frame_that_is_missing(name, message, capsys):
    assert main(["inspect", HYL, "--function", name]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == f"there is no function '{name}'{message}"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--svg", "x.svg"], "--svg is the picture of a function: name it with --function"),
        (["--latex"], "--latex is for formulas: name their entries with --symbolic"),
        (["--digits", "3"], "--digits is for formulas: name their entries with --symbolic"),
        (["--json", "--function", "inertia_matrix"], "--json shows something else than --function"),
        (["--json", "--parameters"], "--parameters shows something else than --json"),
        (["--json", "--frame-functions"], "--frame-functions shows something else than --json"),
    ],
)
def test_options_that_would_do_nothing_are_refused(words, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["inspect", HYL, *words])
    assert message in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys):
    version = ElementTree.parse(EXAMPLES.parent / "package.xml").findtext("version")
    assert robcogen_ros.__version__ == version
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"robcogen {version}\n"
