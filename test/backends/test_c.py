"""Generated C: it compiles anywhere, needs math.h alone, and computes what the reference does."""

from __future__ import annotations

import shutil
import subprocess
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.text import float_literal
from robcogen_ros.backends.registry import BACKENDS, TRANSFORM_BACKENDS
from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.frame_transforms import VARIABLES, TransformPrograms
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.transforms.convert import transforms
from test.support.c_library import STRICT, CLibrary
from test.support.examples import example, example_path
from test.support.model_of import model_of
from test.transforms.documents import motions

CROSS = "arm-none-eabi-gcc"
TRANSFORMS = """Params g { m }
Convention = local
f0 -> f1 : trz (2.5) rotz (a) roty (b) trx (PI/4)
f1 -> f2 : trx (g.m) roty (-b) trz (-0.5*c) rotx (PI/2.0) rotz (2.0 a)
"""
TOLERANCE = 1e-5
"""In float; in double, functions are compared with datasets (`test_dataset`)."""


@lru_cache
def library(name: str) -> Library:
    return Library(example(name))


def files(name: str, scalar: str = "double"):
    return BACKENDS["c"](library(name), Target("demo", name, f"{name}.kindsl", scalar))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Compiled C by robot and scalar, each made once."""

    @lru_cache
    def make(name: str, scalar: str) -> CLibrary:
        folder = tmp_path_factory.mktemp(f"{name}_{scalar}")
        return CLibrary(files(name, scalar), folder, scalar=scalar)

    return make


def forms(name: str):
    """Every function of a robot as it is called, with its program."""
    for function in library(name).names:
        entry = library(name).entry(function)
        yield function, entry.fastest
        if entry.usual is not None:
            yield f"{function}_general", entry.general


def agree(found, expected, tolerance: float) -> bool:
    """Whether arrays agree relative to the largest entry."""
    expected = np.asarray(expected, float)
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    return bool(np.abs(found - expected).max(initial=0.0) <= tolerance * scale)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fancy", "hyl"])
def test_every_function_in_float_gives_the_numbers_of_the_reference(name, compiled):
    random = np.random.default_rng(4)
    names = [parameter.name for parameter in library(name).robot.parameters]
    parameters = dict.fromkeys(names, 0.375)
    for called, program in forms(name):
        inputs = {a.name: random.integers(-64, 65, a.size) / 64 for a in program.inputs}
        found = compiled(name, "float").call(called, program, inputs, list(parameters.values()))
        for output, expected in interpret(program, inputs, parameters).items():
            assert agree(found[output], expected, TOLERANCE), (called, output)


@pytest.mark.slow
def test_defaults_of_parameters(compiled):
    (parameter,) = library("fancy").robot.parameters
    assert parameter.default is None
    assert np.isnan(compiled("fancy", "float").defaults(1)).all()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_it_needs_nothing_but_math_and_keeps_nothing(compiled):
    listed = subprocess.run(
        ["nm", str(compiled("hyl", "double").object)], capture_output=True, text=True
    ).stdout
    symbols = [(line.split()[-2], line.split()[-1]) for line in listed.splitlines()]
    needed = {name for kind, name in symbols if kind == "U"} - {"_GLOBAL_OFFSET_TABLE_"}
    assert needed <= {"sin", "cos", "sincos", "sqrt"}
    assert not [name for kind, name in symbols if kind in "dDbBcC"]
    assert all(name.startswith("demo_hyl_") for kind, name in symbols if kind == "T")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
@pytest.mark.parametrize("scalar", ["double", "float"])
def test_clang_finds_nothing_either(scalar, tmp_path):
    CLibrary(files("fancy", scalar), tmp_path, scalar=scalar, compiler="clang")


@pytest.mark.skipif(shutil.which(CROSS) is None, reason=f"{CROSS} is not installed")
def test_it_compiles_for_a_microcontroller_with_single_precision_alone(tmp_path):
    source = written(files("fancy", "float"), tmp_path)
    machine = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]
    output = str(tmp_path / "arm.o")
    subprocess.run([CROSS, *machine, *STRICT, "-O2", "-c", str(source), "-o", output], check=True)
    nm = CROSS.replace("gcc", "nm")
    needed = subprocess.run([nm, "-u", output], capture_output=True, text=True).stdout.split()
    assert set(needed) - {"U"} <= {"sinf", "cosf", "sqrtf"}  # no __aeabi_dmul and the like


def written(texts, folder: Path) -> Path:
    """Write generated files; the path of the source among them."""
    for path, text in texts.items():
        (folder / path).write_text(text)
    return folder / next(path for path in texts if path.suffix == ".c")


@pytest.mark.slow
def test_cpp_includes_the_header(tmp_path):
    written(files("fancy"), tmp_path)
    user = tmp_path / "user.cpp"
    user.write_text(
        '#include "demo_fancy.h"\n'
        "double last(const double * p, const double (&q)[DEMO_FANCY_JOINTS]) {\n"
        "  double tau[DEMO_FANCY_JOINTS], c[DEMO_FANCY_CONSTANTS];\n"
        "  demo_fancy_update_parameters(p, c);\n"
        "  demo_fancy_gravity_torques(c, q, tau);\n"
        "  return tau[DEMO_FANCY_JOINT_jE];\n}\n"
    )
    output = str(tmp_path / "user.o")
    command = ["c++", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", str(user), "-o", output]
    subprocess.run(command, check=True)
    listed = subprocess.run(["nm", "-u", output], capture_output=True, text=True).stdout
    assert "demo_fancy_gravity_torques" in listed.split()  # not mangled


@pytest.mark.slow
@pytest.mark.parametrize("scalar", ["double", "float"])
def test_transforms_give_the_numbers_of_the_reference(scalar, tmp_path):
    programs = TransformPrograms(transforms(motions(TRANSFORMS)))
    texts = TRANSFORM_BACKENDS["c"](programs, Target("site", "crane", "crane.motdsl", scalar))
    made = CLibrary(texts, tmp_path, scalar=scalar)
    variables, parameters = [0.25, -0.5, 1.5], [0.75]
    assert np.isnan(made.defaults(1)).all()
    for entry in programs.entries:
        inputs = {VARIABLES: variables} if entry.program.inputs else {}
        found = made.call(entry.name, entry.program, inputs, parameters)["X"]
        keys = [symbol.key for symbol in programs.parameters]
        expected = interpret(entry.program, inputs, dict(zip(keys, parameters, strict=True)))["X"]
        assert agree(found, expected, {"double": 1e-15, "float": 1e-6}[scalar]), entry.name


def test_floats_are_rounded_once():
    just_above_the_middle = 1 + Decimal(2) ** -24 + Decimal("1e-20")
    assert float_literal(just_above_the_middle) == "1.0000001f"  # by way of a double: 1.0
    assert float_literal(Decimal("0.1")) == "0.1f"
    assert float_literal(Decimal(-3)) == "-3.0f"
    assert float_literal(Decimal("1.5e-7")) == "1.5e-07f"


def test_what_is_no_float_is_refused():
    with pytest.raises(RobcogenError, match='too large for float: use scalar="double"'):
        float_literal(Decimal("1e39"))


HOSTILE = """<robot name="r??/"><link name="a\u00e9\u00e9/"/><link name="b'*/%{??/"/>
  <joint name="int" type="revolute"><parent link="a\u00e9\u00e9/"/>
    <child link="b'*/%{??/"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.slow
def test_names_of_a_model_stay_text(tmp_path):
    robot = model_of(HOSTILE)
    few = Library(robot, ["gravity_torques", "kinetic_energy"])
    CLibrary(BACKENDS["c"](few, Target("p", "r", "m\n*/??/")), tmp_path)


def test_the_command(tmp_path):
    words = ["generate", str(example_path("hyl")), "--target", "c", "--name", "leg"]
    function = ["--function", "gravity_torques"]
    assert main([*words, *function, "--scalar", "float", "-o", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["robots_leg.c", "robots_leg.h"]
    assert "const float * q" in (tmp_path / "robots_leg.h").read_text()


@pytest.mark.parametrize("model", ["hyl.kindsl", "crane.motdsl"])
def test_float_without_c_is_refused(model, tmp_path, capsys):
    with pytest.raises(SystemExit) as exit:
        main(["generate", model, "--scalar", "float", "-o", str(tmp_path / "out")])
    assert exit.value.code == 2
    assert "--scalar float is for --target c" in capsys.readouterr().err
