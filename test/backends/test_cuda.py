"""Generated CUDA: compiled for the processor it computes what the C does, and nvcc takes it."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.cli.main import main
from robcogen_ros.program.library import Library
from test.drivers.in_cuda import kernels_of, nvcc
from test.support.c_library import CLibrary
from test.support.examples import example

pytestmark = pytest.mark.slow
STATES = 5


def written(name: str, functions, folder, scalar: str = "double"):
    """The C of a robot, compiled, and its header for CUDA."""
    library, target = Library(example(name), functions), Target("cuda", "robot", name, scalar)
    compiled = CLibrary(BACKENDS["c"](library, target), folder, scalar=scalar)
    ((path, text),) = BACKENDS["cuda"](library, target).items()
    (folder / path).write_text(text)
    return library, compiled, folder / path


def arguments_of(library, name):
    """The program of a function with all its arguments, in the order of its parameters."""
    program = library.entry(name).general
    inputs = [a for a in program.inputs if a.name != "constants"]
    return inputs, [output.argument for output in program.outputs]


@pytest.mark.parametrize(
    ("name", "scalar", "functions"),
    [
        ("fancy", "double", ["inverse_dynamics", "inertia_matrix", "kinematics"]),
        ("hyl", "float", ["forward_dynamics", "gravity_torques"]),
        ("quadruped", "double", ["inverse_dynamics_derivatives"]),
    ],
)
def test_each_state_of_columns_is_that_of_the_c(name, scalar, functions, tmp_path):
    library, compiled, header = written(name, functions, tmp_path, scalar)
    random = np.random.default_rng(1)
    parameters = np.full(len(library.robot.parameters), 0.375)
    calls = []
    for function in library.names:
        inputs, outputs = arguments_of(library, function)
        given = [random.normal(size=(a.size, STATES)) for a in inputs]
        calls.append((function, inputs, outputs, given))
    number = {"double": np.float64, "float": np.float32}[scalar]
    source = [f'#include "{header.name}"', 'extern "C" {']
    for function, inputs, outputs, _ in calls:
        entry = library.entry(function)
        form = function if entry.usual is None else f"{function}_general"
        count = len(inputs) + len(outputs)
        pointers = ", ".join(f"{scalar} * a{i}" for i in range(count))
        columns = [
            f"cuda_robot_columns<{'const ' if i < len(inputs) else ''}{scalar}>{{a{i} + state, n}}"
            for i in range(count)
        ]
        constants = ["constants"] if parameters.size else []
        source += [
            f"void {function}_of_columns(const {scalar} * constants, {pointers})",
            f"{{ (void)constants; const int n = {STATES};",
            f"for (int state = 0; state < n; ++state) cuda_robot_{form}(",
            f"{', '.join([*constants, *columns])}); }}",
        ]
    (tmp_path / "columns.cpp").write_text("\n".join([*source, "}", ""]))
    strict = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-unused-function"]
    command = ["c++", "-std=c++17", "-O1", "-ffp-contract=off", *strict, "-fPIC", "-shared"]
    shared = tmp_path / "columns.so"
    subprocess.run([*command, str(tmp_path / "columns.cpp"), "-o", str(shared)], check=True)
    columns = ctypes.CDLL(str(shared))
    constants = compiled._read(parameters) if parameters.size else None
    for function, inputs, outputs, given in calls:
        values = [array.astype(number) for array in given]
        found = [np.full((a.size, STATES), np.nan, number) for a in outputs]
        pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*values, *found)]
        known = None if constants is None else ctypes.c_void_p(constants.ctypes.data)
        columns[f"{function}_of_columns"](known, *pointers)
        entry = library.entry(function)
        form = function if entry.usual is None else f"{function}_general"
        for state in range(STATES):
            one = {a.name: v[:, state] for a, v in zip(inputs, values, strict=True)}
            expected = compiled.call(form, entry.general, one, parameters.astype(number))
            for argument, result in zip(outputs, found, strict=True):
                flat = np.ravel(expected[argument.name])
                assert np.array_equal(result[:, state], flat), (function, argument.name)


@pytest.mark.skipif(nvcc() is None, reason="there is no nvcc")
def test_nvcc_compiles_each_kernel_without_a_word(tmp_path):
    _, _, header = written("hyl", ["inverse_dynamics", "inertia_matrix"], tmp_path)
    kernels = list(kernels_of(header, nvcc()))
    names = {"inverse_dynamics", "inverse_dynamics_general", "inertia_matrix"}
    assert {name for name, *_ in kernels} == names
    assert all(spilled == "0" for _, _, spilled, *_ in kernels)


def test_the_command_writes_a_header(tmp_path, capsys):
    arguments = ["examples/two_link_arm/two_link_arm.urdf", "--name", "arm", "--target", "cuda"]
    assert main(["generate", *arguments, "--scalar", "float", "-o", str(tmp_path)]) == 0
    text = (tmp_path / "robots_arm.cuh").read_text()
    assert "robots_arm_inverse_dynamics_states(" in text
    assert "double" not in text
