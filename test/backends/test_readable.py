"""Pages to read: they give what the fast functions give, and every name on them is explained."""

from __future__ import annotations

import ast
import re
import subprocess
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.readable.files import readable_files
from robcogen_ros.cli.generate import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.optimisations import OPTIMISATIONS
from test.support.compiler import compilers
from test.support.examples import EXAMPLES, example
from test.support.parametric import parametric_leg
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.random_robots import arm_with_everything
from test.support.robots import robot_path

ARM = EXAMPLES / "two_link_arm" / "two_link_arm.urdf"
PANDA = "panda_description/urdf/panda.urdf"
HYQ = "hyq_description/robots/hyq_no_sensors.urdf"
DYNAMICS = ["inverse_dynamics", "forward_dynamics", "inertia_matrix"]

SUBJECTS = {
    "arm": (lambda: read(ARM).robot, ["all", "derivatives"]),
    "panda": (
        lambda: read(robot_path(PANDA), terms=["armature", "damping", "friction"]).robot,
        [*DYNAMICS, "kinematics", "centroidal_momentum_matrix", "joint_wrenches", "solve_inertia"],
    ),
    "hyq": (
        lambda: (
            read(robot_path(HYQ), floating_base=True, contacts=["lf_foot", "rf_foot:pose"]).robot
        ),
        [
            *DYNAMICS,
            "contact_forward_dynamics",
            "impact",
            "zero_moment_point",
            "base_link_X_lf_foot",
        ],
    ),
    "hyl": (lambda: example("hyl"), ["default", "derivatives"]),
    "leg": (parametric_leg, [*DYNAMICS, "derivatives"]),
}
"""An arm; joints that follow others and slide; a floating base in contact; parameters."""


@lru_cache
def subject(name: str) -> SimpleNamespace:
    """A robot's functions and its pages in Python."""
    reading, functions = SUBJECTS[name]
    library = Library(reading(), functions)
    plain = Library(library.robot, library.names, (), OPTIMISATIONS)
    pages = readable_files(plain, Target("demo", "robot", "model"), "python")
    texts = dict(zip(plain.names, pages.values(), strict=True))
    return SimpleNamespace(library=library, pages=texts)


def shaped(argument, values):
    """An input of a page: vectors that are columns of a matrix one after the other."""
    if argument.scalar:
        return values[0]
    if argument.columns is None:
        return values
    columns = np.array(values).reshape(argument.columns, argument.rows)
    return (columns.T if argument.matrix else columns).tolist()


def flat(argument, result):
    """A result of a page, column-major."""
    array = np.array(result, dtype=float)
    return array.T.ravel() if argument.columns else array.ravel()


def state(function, seed=1):
    """Values of a function's inputs."""
    rng = np.random.default_rng(seed)
    values = {}
    for argument in function.inputs:
        values[argument.name] = rng.uniform(-1, 1, argument.size).tolist()
        if argument.choices:
            values[argument.name] = rng.choice(argument.choices, argument.size).tolist()
        if argument.name == "contact_rotation":
            values[argument.name] = list(map(float, argument.default))
    return values


def read_out(name, text, function, values, parameters=()):
    """What a page in Python gives."""
    names: dict = {}
    exec(compile(text, f"{name}.py", "exec"), names)
    given = [shaped(argument, values[argument.name]) for argument in function.inputs]
    results = names[name](*[list(parameters)] * bool(parameters), *given)
    results = [results] if len(function.outputs) == 1 else results
    return {a.name: flat(a, r) for a, r in zip(function.outputs, results, strict=True)}


each_robot = pytest.mark.parametrize("robot", SUBJECTS)


@pytest.mark.filterwarnings("ignore:invalid value encountered in sqrt")
@each_robot
def test_pages_give_what_the_fast_functions_give(robot):
    for name, text in subject(robot).pages.items():
        check_equal(subject(robot).library, name, text)


def check_equal(library, name, text):
    function, values = library.function(name), state(library.function(name))
    parameters = [float(p.default or 0.5) for p in library.robot.parameters]
    found = read_out(name, text, function, values, parameters)
    given = {p.name: v for p, v in zip(library.robot.parameters, parameters, strict=True)}
    wanted = interpret(library.entry(name).general, values, given)
    for argument in function.outputs:
        expected = np.array(wanted[argument.name], dtype=float)
        scale = 1 + np.abs(np.nan_to_num(expected)).max(initial=0)
        np.testing.assert_allclose(
            found[argument.name], expected, rtol=0, atol=1e-10 * scale, err_msg=name
        )


def test_pages_of_an_arm_give_what_pinocchio_gives():
    pages, library = subject("arm").pages, subject("arm").library
    oracle, values = PinocchioOracle(ARM), {}
    for seed in range(3):
        for name in DYNAMICS:
            values[name] = state(library.function(name), seed)
            values[name]["external_forces"] = [0.0] * 18
            values[name]["gravity"] = [0.0, 0.0, -9.81]
        found = {
            name: read_out(name, pages[name], library.function(name), values[name])
            for name in DYNAMICS
        }
        q, qd, qdd = (np.array(values["inverse_dynamics"][x]) for x in ("q", "qd", "qdd"))
        tau = found["inverse_dynamics"]["tau"]
        np.testing.assert_allclose(tau, oracle.inverse_dynamics(q, qd, qdd), atol=1e-12)
        moved = values["forward_dynamics"]
        back = oracle.inverse_dynamics(
            np.array(moved["q"]), np.array(moved["qd"]), found["forward_dynamics"]["qdd"]
        )
        np.testing.assert_allclose(back, moved["tau"], atol=1e-12)


@each_robot
def test_no_two_quantities_of_a_page_have_one_name(robot):
    for name, text in subject(robot).pages.items():
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
        stored = [node.id for node in nodes if isinstance(node.ctx, ast.Store)]
        assert len(stored) == len(set(stored)), name


def symbols(text, known):
    """The symbols of what the code of a page computes, names without their numbers."""
    tree = ast.parse(text)
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef)][-1:]
    names = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {re.match(r"twice_[a-z]+|[A-Za-z]+", name)[0] for name in names - known}


@each_robot
def test_the_glossary_has_every_name_and_no_other(robot):
    for name, text in subject(robot).pages.items():
        check_glossary(text, subject(robot).library.function(name))


def check_glossary(text, function):
    head = text[text.index("# Quantities") : text.index("# Link 0 is")]
    explained = set(re.findall(r"^#   (\S+) ", head, re.M))
    known = {"x_", "parameters_", *(a.name for a in (*function.inputs, *function.outputs))}
    known |= {label for a in function.inputs for label in a.labels}
    assert symbols(text, known) == explained, function.name


def test_contact_derivatives_of_a_robot_with_a_screw_have_pages():
    tree = arm_with_everything()
    screw = replace(tree.joints[0], kind="helical")
    names = ["contact_forward_dynamics_derivatives", "impact_derivatives"]
    options = {"contacts": ["link5"], "functions": names}
    robot = tree.with_joint(screw).build(True, "numpy", **options)
    for name in names:
        page = robot.readable(name)
        assert "slides" in page
        assert re.search(r"^# +pitch +how far the helical joint slides", page, re.M)


def test_robots_in_python_have_pages():
    robot = robcogen_ros.build(ARM, backend="numpy")
    assert robot.readable("gravity_torques").startswith("# gravity_torques of two_link_arm:")
    assert robot.readable("gravity_torques", "cpp").startswith("// gravity_torques of two_link")
    with pytest.raises(RobcogenError, match="no pages in 'c'; there are cpp, python"):
        robot.readable("gravity_torques", "c")
    with pytest.raises(RobcogenError, match="gravity_torque"):
        robot.readable("gravity_torque")


def test_a_page_names_the_links_in_the_titles_of_its_steps():
    text = subject("panda").pages["inverse_dynamics"]
    for link in ("link 1, panda_link1", "link 9, panda_rightfinger"):
        assert f"# {link}: velocity, acceleration\n" in text
        assert f"# {link}: net force\n" in text


def test_the_page_beside_the_book_is_what_is_generated(tmp_path):
    options = ["--project", "examples", "--name", "two_link_arm", "--quiet", "--readable"]
    functions = ["--function", "inverse_dynamics", "--function", "forward_dynamics"]
    targets = ["--target", "cpp", "--target", "python"]
    assert main([str(ARM), "-o", str(tmp_path), *options, *functions, *targets]) == 0
    for path in (tmp_path / "readable").iterdir():
        kept = ARM.parent / path.name
        if kept.exists():
            assert path.read_text() == kept.read_text(), f"generate {kept} anew"
    assert (ARM.parent / "inverse_dynamics.hpp").exists()


def test_the_book_quotes_the_page_beside_it():
    book = (ARM.parents[2] / "docs" / "readable.md").read_text()
    page = re.sub(r"\n  ", "\n", (ARM.parent / "inverse_dynamics.hpp").read_text())
    quoted = re.findall(r"```cpp\n(.*?)```", book, re.S)
    assert len(quoted) == 3
    for code in quoted:
        assert code in page


def test_pages_leave_the_other_files_as_they_are(tmp_path):
    texts = []
    for folder, more in (("with", ["--readable"]), ("without", [])):
        main([str(ARM), "-o", str(tmp_path / folder), "--quiet", *more])
        found = {p.relative_to(tmp_path / folder): p for p in (tmp_path / folder).rglob("*.*")}
        texts.append({k: p.read_text() for k, p in found.items() if k.parts[0] != "readable"})
    assert texts[0] == texts[1]


def test_pages_are_for_languages_that_have_them(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(ARM), "-o", str(tmp_path), "--readable", "--target", "octave"])
    assert "--readable is for --target cpp and python" in capsys.readouterr().err


@pytest.mark.slow
def test_pages_in_cpp_compile_by_themselves_and_give_the_same(tmp_path):
    library = subject("hyq").library
    names = ["inverse_dynamics", "contact_forward_dynamics"]
    plain = Library(library.robot, names, (), OPTIMISATIONS)
    pages = readable_files(plain, Target("demo", "hyq", "model"), "cpp")
    lines, wanted = [], []
    for name, (path, text) in zip(names, pages.items(), strict=True):
        (tmp_path / path.name).write_text(text)
        function = library.function(name)
        values = state(function)
        given = [cpp_array(a, values[a.name]) for a in function.inputs]
        results = list(function.outputs)
        lines += [f"{{ {' '.join(declaration for declaration in given)}"]
        lines += [f"double result_{a.name}[{a.size}];" for a in results]
        called = [*(f"a_{a.name}" for a in function.inputs), *(f"result_{a.name}" for a in results)]
        lines += [f"demo::hyq::readable::{name}({', '.join(called)});"]
        lines += [f'for (double v : result_{a.name}) std::printf("%.17g\\n", v);' for a in results]
        lines += ["}"]
        found = interpret(library.entry(name).general, values)
        wanted += [value for a in results for value in found[a.name]]
    includes = "".join(f'#include "{path.name}"\n' for path in pages)
    source = tmp_path / "main.cpp"
    source.write_text(f"#include <cstdio>\n{includes}int main()\n{{\n{chr(10).join(lines)}\n}}\n")
    compiler, *_ = compilers()
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow"]
    subprocess.run(
        [compiler, *flags, "-Werror", str(source), "-o", str(tmp_path / "main")], check=True
    )
    output = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout
    found = np.array(output.split(), dtype=float)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


def cpp_array(argument, values):
    """The declaration of an input with its values."""
    if argument.scalar:
        return f"const double a_{argument.name} = {values[0]!r};"
    shaped_values = shaped(argument, values)
    if argument.columns is None:
        return f"const double a_{argument.name}[] = {{{', '.join(map(repr, shaped_values))}}};"
    rows = ", ".join(f"{{{', '.join(map(repr, row))}}}" for row in shaped_values)
    return f"const double a_{argument.name}[][{len(shaped_values[0])}] = {{{rows}}};"
