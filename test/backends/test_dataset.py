"""Datasets: right to the last digit, and what every language's code is held to."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.dataset import FORMAT, dataset_files
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.cli.main import main
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.c_library import CLibrary
from test.support.examples import example, example_path
from test.support.linkages import ANKLE, ANKLE_LOOPS, FIVE_BAR, FIVE_BAR_LOOPS, linkage
from test.support.model_of import model_of
from test.support.octave import run_octave, write_package
from test.support.parametric import parametric_leg
from test.support.random_robots import arm_with_everything

ROBOTS = ("fancy", "floating_hyl", "quadruped", "hyl", "leg", "floating_leg", "everything")
ROBOTS += ("standing", "floating_standing", "ankle", "floating_five_bar")
"""Of each kind: parameters, either base, limbs, joints of all kinds, contacts, loops."""
IN_CONTACT = (
    *("contact_jacobian", "contact_bias", "delassus_matrix", "contact_forward_dynamics"),
    *("contact_inverse_dynamics", "contact_wrenches", "impact"),
)
LINKAGES = {"ankle": (ANKLE, ANKLE_LOOPS), "floating_five_bar": (FIVE_BAR, FIVE_BAR_LOOPS)}
FUNCTIONS = {
    "quadruped": (
        *("inverse_dynamics", "forward_dynamics", "inertia_matrix"),
        "fr_trunk_inverse_kinematics_LF_foot",
    ),
    "floating_hyl": (
        *("default", "solve_inertia", "joint_wrenches", "center_of_mass_velocity"),
        *("fr_base_JdQd_fr_foot", "full_Jd_fr_foot", "fr_base_pseudoinverse_fr_foot"),
        *("full_position_null_space_fr_foot", "full_position_operational_inertia_fr_foot"),
    ),
    **dict.fromkeys(("standing", "floating_standing"), IN_CONTACT),
    **dict.fromkeys(LINKAGES, ("inverse_dynamics", "forward_dynamics", "world_X_tool")),
    **dict.fromkeys(("hyl", "leg", "floating_leg", "everything"), ("all",)),
}
"""Functions of robots; fewer of the quadruped, which is the largest."""
STATES = {"fancy": 2, "floating_hyl": 2, "quadruped": 2}
TOLERANCE = 1e-13
PENDULUM = """<robot name="pendulum"><link name="base"/>
  <link name="bob"><inertial><origin xyz="0.3 0 0"/><mass value="0.7"/>
    <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/>
    <axis xyz="0 1 0"/></joint></robot>"""
COSINE_OF_A_HALF = Decimal("0.87758256189037271611628158260382965199164519710974405")


@lru_cache
def library(name: str) -> Library:
    plain, floating = name.removeprefix("floating_"), name.startswith("floating_")
    if plain == "everything":
        robot = model_of(arm_with_everything().urdf())
    elif plain == "leg":
        robot = parametric_leg(floating_base=floating)
    elif name in LINKAGES:
        robot = linkage(*LINKAGES[name], floating_base=floating)
    elif plain == "standing":
        contacts = ["fr_foot:position_x", "fr_foot:orientation_y"]
        options = {"contacts": contacts, "parameters": ["lowerleg"], "payload": "fr_foot"}
        robot = example("hyl", floating_base=floating, **options)
    else:
        robot = example(plain, floating_base=floating or name == "quadruped")
    desired = []
    if plain == "leg":
        base, foot = robot.frame_names[0], robot.frame_names[-1]
        named = [f"{base}_{word}_{foot}" for word in ("X", "J", "position_null_space")]
        desired = [*named, "inertia_matrix_and_gravity_torques"]
    return Library(robot, FUNCTIONS.get(name, ()), desired)


@lru_cache
def dataset(name: str) -> dict:
    target = Target("demo", name, f"{name}.kindsl")
    (text,) = dataset_files(library(name), target, STATES.get(name, 1), 0).values()
    return json.loads(text)


def cases(name: str):
    """Each function of a robot with each of its cases."""
    for function in dataset(name)["functions"]:
        for case in function["cases"]:
            yield function, case


def arrays(name: str, function: dict, case: dict) -> dict[str, np.ndarray]:
    """Inputs as Python takes them: matrices by rows, of vectors each."""
    shapes = {argument["name"]: argument["shape"][::-1] for argument in function["inputs"]}
    given = {key: np.reshape(x, shapes[key]) for key, x in case["inputs"].items()}
    matrices = {a.name for a in library(name).function(function["name"]).inputs if a.matrix}
    return given | {key: given[key].T for key in matrices & given.keys()}


def check(found, function: dict, case: dict) -> None:
    """Compare results, each flat and column-major, with the dataset's."""
    for ours, (name, right) in zip(found, case["outputs"].items(), strict=True):
        scale = max(map(abs, right)) or 1.0
        error = max(abs(a - b) for a, b in zip(ours, right, strict=True))
        assert error <= TOLERANCE * scale, (function["name"], name, error)


def flat(results) -> list[list[float]]:
    return [np.ravel(result, order="F").tolist() for result in results]


def test_fifty_digits_are_right():
    pendulum = Library(model_of(PENDULUM), ["gravity_torques"])
    program = pendulum.entry("gravity_torques").fastest
    (torque,) = interpret_exactly(program, {"q": [Decimal("0.5")]})["tau"]
    right = Decimal("-2.0601") * COSINE_OF_A_HALF  # - m g l cos q
    assert abs(torque - right) < Decimal("1e-26")
    (lifted,) = interpret_exactly(program, {"q": [Decimal(0)]})["tau"]
    assert lifted == Decimal("-2.0601")


def test_two_algorithms_agree_to_forty_digits():
    motion = {name: [Decimal(k) / 8 for k in range(5)] for name in ("q", "qd", "tau")}
    qdd = interpret_exactly(library("fancy").entry("forward_dynamics").fastest, motion)["qdd"]
    inverse = library("fancy").entry("inverse_dynamics").fastest
    tau = interpret_exactly(inverse, {**motion, "qdd": qdd})["tau"]
    assert max(abs(a - b) for a, b in zip(tau, motion["tau"], strict=True)) < Decimal("1e-40")


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_double_arithmetic_comes_close(name):
    for function, case in cases(name):
        check(case["in_double"].values(), function, case)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_compiled_cpp(name, monkeypatch):
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O1")
    robot = robot_of(build_compiled(library(name)))
    for function, case in cases(name):
        robot.parameters.update(named_parameters(name, case))
        found = robot.evaluate(function["name"], **arrays(name, function, case))
        check(flat(found.values()), function, case)


def named_parameters(name: str, case: dict) -> dict[str, float]:
    return dict(zip(dataset(name)["parameters"], case.get("parameters", []), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_compiled_c(name, tmp_path):
    made = CLibrary(BACKENDS["c"](library(name), Target("demo", name, "model")), tmp_path)
    for function, case in cases(name):
        entry = library(name).entry(function["name"])
        general = entry.usual is not None and len(case["inputs"]) == len(entry.general.inputs)
        called = f"{function['name']}_general" if general else function["name"]
        program = entry.general if general else entry.fastest
        found = made.call(called, program, case["inputs"], case.get("parameters", []))
        check(flat(found.values()), function, case)


@pytest.mark.parametrize("name", ROBOTS)
def test_python(name):
    target = Target("demo", name, "model")
    (text,) = BACKENDS["python"](library(name), target).values()
    module: dict = {}
    exec(compile(text, f"{name}.py", "exec"), module)
    for function, case in cases(name):
        given: dict = arrays(name, function, case)
        if "parameters" in case:
            given["parameters"] = module["Parameters"](*case["parameters"])
        check(flat(results(module[function["name"]](**given))), function, case)
        many = {key: spread(array, key == next(iter(given))) for key, array in given.items()}
        found = results(module[function["name"]](**many))
        check(flat(result[-1, -1] for result in found), function, case)


def results(found) -> tuple:
    """What a function of a Python module returns, as a tuple."""
    return found if type(found) is tuple else (found,)


def spread(array, first: bool):
    """An argument of many states: two rows of the first argument, three columns of the others."""
    if not isinstance(array, np.ndarray):
        return array
    return np.stack([array[None]] * 2) if first else np.stack([array] * 3)


@pytest.mark.parametrize("name", ROBOTS)
def test_casadi(name):
    pytest.importorskip("casadi", reason="CasADi is not installed")
    (text,) = BACKENDS["casadi"](library(name), Target("demo", name, "model")).values()
    module: dict = {}
    exec(compile(text, f"{name}_casadi.py", "exec"), module)
    for function, case in cases(name):
        general = any(a["optional"] and a["name"] in case["inputs"] for a in function["inputs"])
        call = module["function"](function["name"] + ("_general" if general else ""))
        shapes = {a["name"]: (*a["shape"], 1, 1)[:2] for a in function["inputs"]}
        given = {k: np.reshape(x, shapes[k], order="F") for k, x in case["inputs"].items()}
        given |= {"parameters": case["parameters"]} if "parameters" in case else {}
        results = call.call([given[argument] for argument in call.name_in()])
        check(flat(result.full() for result in results), function, case)


def test_octave(tmp_path):
    calls = []
    for name in ROBOTS:
        write_package(library(name), name, tmp_path)
        calls += [(*octave_call(name, function, case), case) for function, case in cases(name)]
    printed = run_octave(tmp_path, [line for line, _, _ in calls])
    for numbers, (_, function, case) in zip(printed, calls, strict=True):
        ends = np.cumsum([len(right) for right in case["outputs"].values()])[:-1]
        check(np.split(np.array(numbers), ends), function, case)


def octave_call(name: str, function: dict, case: dict) -> tuple[str, dict]:
    """A line that prints all results of a case, column by column."""
    inputs = sorted(function["inputs"], key=lambda argument: argument["optional"])
    words = [octave_matrix(case["inputs"].get(a["name"], []), a["shape"]) for a in inputs]
    values = named_parameters(name, case).items()
    given = [f"'{key.replace('.', '_')}', {x!r}" for key, x in values]
    words += [f"struct({', '.join(given)})"] if given else []
    results = [f"r{k}" for k in range(len(case["outputs"]))]
    call = f"[{', '.join(results)}] = {name}.{function['name']}({', '.join(words)});"
    columns = "; ".join(f"{result}(:)" for result in results)
    return f"{call} printf('%.17g ', [{columns}]); printf('\\n');", function


def octave_matrix(values: list[float], shape: list[int]) -> str:
    if not values:
        return "[]"
    rows, columns = (*shape, 1)[:2]
    return f"reshape([{' '.join(map(repr, values))}], {rows}, {columns})"


def generate(folder: Path, *words: str) -> bytes:
    command = ["generate", str(example_path("fancy")), "--name", "fancy", "-o", str(folder)]
    assert main([*command, *words]) == 0
    return (folder / "fancy.dataset.json").read_bytes()


def test_the_command_repeats_itself(tmp_path):
    text = generate(tmp_path / "a", "--dataset", "2")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["fancy.dataset.json"]
    assert generate(tmp_path / "b", "--dataset", "2", "--seed", "0", "--target", "python") == text
    assert (tmp_path / "b" / "fancy.py").is_file()
    assert generate(tmp_path / "b", "--dataset", "2", "--seed", "1") != text
    one = json.loads(generate(tmp_path / "c", "--dataset", "2", "--function", "inertia_matrix"))
    (found,) = one["functions"]
    assert found in json.loads(text)["functions"]
    assert one["format"] == FORMAT


def test_inputs_are_the_same_numbers_in_float():
    for _, case in cases("fancy"):
        for values in (*case["inputs"].values(), case["parameters"]):
            assert np.array_equal(np.float32(values), values)


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_number_of_states_is_expected(count, tmp_path, capsys):
    words = ["generate", str(example_path("fancy")), "-o", str(tmp_path), f"--dataset={count}"]
    with pytest.raises(SystemExit) as exit:
        main(words)
    assert exit.value.code == 2
    assert f"expected a number of states, found '{count}'" in capsys.readouterr().err


def test_a_function_without_values_is_refused(tmp_path, monkeypatch, capsys):
    def divide_by_zero(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("robcogen_ros.backends.dataset.interpret_exactly", divide_by_zero)
    words = ["generate", str(example_path("fancy")), "-o", str(tmp_path / "out"), "--dataset=1"]
    assert main(words) == 1
    assert "inverse_dynamics has no value at any of 1000 random states" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
