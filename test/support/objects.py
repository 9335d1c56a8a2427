"""Objects of the core, called by a program in C++ that counts what they allocate."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.cpp.objects import OBJECTS
from robcogen_ros.runtime.compiling.core import core_library
from test.support.compiler import compile_program

PROGRAM = Path(__file__).with_name("objects.cpp")
SYMBOL = "robcogen_model_robcogen_cache__robot"


def rounds(
    robot: Any,
    name: str,
    methods: Sequence[str],
    inputs: NDArray[np.float64],
    folder: Path,
    *,
    text: str = "",
) -> NDArray[np.float64]:
    """For each row of inputs calls of the allocator and faults, then results of the last method.

    Args:
        robot: A compiled robot.
        name: The object.
        methods: What is called, one after another.
        inputs: A row has the inputs of all these.
        folder: Where the program goes.
        text: What its settings are that have to be texts.
    """
    program = compile_program(PROGRAM, folder, "-ldl")
    core = core_library(
        OBJECTS[name].library, len(robot.joint_names), len(robot.contacts or ())
    )._name
    said = subprocess.run(
        [program, robot.library_path, SYMBOL, core, name, text, *methods],
        input=inputs.tobytes(),
        capture_output=True,
        check=True,
    )
    return np.frombuffer(said.stdout).reshape(len(inputs), -1)
