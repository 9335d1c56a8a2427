"""The page of functions names each one, with its arguments and results, and no other."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.algorithms.functions.frames import WORDS, frame_function
from robcogen_ros.algorithms.functions.loops import loop_functions
from robcogen_ros.algorithms.functions.multipliers import multiplier_functions
from robcogen_ros.algorithms.functions.task_rows import TASKS
from robcogen_ros.algorithms.functions.tasks import RESULTS
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
from test.support.examples import EXAMPLES, example
from test.support.linkages import FOUR_BAR_LOOPS, reading

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"
OF_BASE = ("base_velocity", "base_acceleration")
ROW = re.compile(r"\| <a id=\"\w+\"></a>`(\w+)\(([^)]*)\)`( \*named\*)? \| ([^|]*) \|")


def rows(*sections: str) -> dict[str, tuple[list[str], bool, list[str]]]:
    """Inputs, whether it has to be named, and outputs of each function in some sections."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        if section.split("\n")[0] in sections:
            for name, inputs, named, outputs in ROW.findall(section):
                names = re.findall(r"`(\w+)`", outputs)
                found[name] = inputs.split(", "), bool(named), names
    return found


@pytest.mark.parametrize(
    ("floating", "section"), [(False, "A fixed base"), (True, "A floating base")]
)
def test_every_function_is_on_the_page(floating, section):
    robot = example("hyl", floating_base=floating)
    common, special = rows("Every robot", "Derivatives"), rows(section)
    catalogue = functions(robot)
    assert catalogue.keys() == common.keys() | special.keys()
    for name, function in catalogue.items():
        inputs = [argument.name for argument in function.inputs]
        if name in common:
            inputs = [i for i in inputs if i not in OF_BASE]
        outputs = [argument.name for argument in function.outputs]
        told = (common | special)[name]
        assert told == (inputs, function.on_request, outputs), name


@pytest.mark.parametrize("floating", [False, True])
def test_every_function_of_contacts_is_on_the_page(floating):
    robot = example("hyl", floating_base=floating, contacts=["fr_foot"])
    told = rows("Contacts")
    bare = functions(replace(robot, contacts=()))
    found = {name: f for name, f in functions(robot).items() if name not in bare}
    assert found.keys() == told.keys()
    for name, function in found.items():
        inputs = [argument.name for argument in function.inputs if argument.name not in OF_BASE]
        outputs = [argument.name for argument in function.outputs]
        of_base = [output for output in told[name][2] if floating or "base_" not in output]
        assert (inputs, function.on_request, outputs) == (told[name][0], told[name][1], of_base)


@pytest.mark.parametrize(
    ("way", "section", "every"),
    [
        ("coordinates", "Joints that follow others", loop_functions),
        ("multipliers", "Loops that forces hold", multiplier_functions),
    ],
)
def test_every_function_of_loops_is_on_the_page(tmp_path, way, section, every):
    told = rows(section)
    linkage = reading(tmp_path, FOUR_BAR_LOOPS, loops_as=way).robot
    found = {f.name: f for f in every(linkage)}
    assert found.keys() == told.keys()
    for name, function in found.items():
        inputs = [argument.name for argument in function.inputs]
        outputs = [argument.name for argument in function.outputs]
        assert told[name] == (inputs, function.on_request, outputs), name


def test_every_function_of_named_frames_is_on_the_page():
    robot = example("hyl")
    told = rows("Named frames", "Operational space")
    words = {name.removeprefix("A_").removesuffix("_B"): row for name, row in told.items()}
    of_rows = {f"{task}{word}" for task in TASKS if task for word in (*RESULTS, "J", "Jd", "JdQd")}
    expected = set(WORDS) - of_rows
    assert words.keys() == expected
    legs = example("quadruped")
    for word, (inputs, _, outputs) in words.items():
        if word == "inverse_kinematics":
            function = frame_function(legs, f"fr_trunk_{word}_LF_foot")
        else:
            function = frame_function(robot, f"base_{word}_fr_foot")
        assert inputs == [argument.name for argument in function.inputs], word
        assert outputs == [argument.name for argument in function.outputs], word


def test_the_examples_run():
    def build(file, **options):
        return robcogen_ros.build(EXAMPLES / file, backend="numpy", **options)

    q, qd = np.random.default_rng(0).normal(size=(2, 12))
    names = {"robcogen_ros": SimpleNamespace(build=build), "q": q, "qd": qd, "b": np.ones(18)}
    for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(text, names)
    H = names["robot"].inertia_matrix(q)
    np.testing.assert_allclose(H @ names["x"], names["b"], atol=1e-10)
    np.testing.assert_allclose(names["bias"], names["dJqd"], atol=1e-10)
    np.testing.assert_allclose(names["M"] @ names["Lambda"], np.eye(3), atol=1e-10)
    assert names["damped"].shape == (18, 6)


def test_each_row_can_be_linked_to():
    text = PAGE.read_text(encoding="utf-8")
    anchors = re.findall(r"<a id=\"(\w+)\"></a>`(\w+)\(", text)
    assert len({anchor for anchor, _ in anchors}) == len(anchors) == len(ROW.findall(text))
    assert all(anchor.startswith(name) for anchor, name in anchors)


def test_the_words_for_parts_of_a_task_are_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`A_{task}..._B`" in text for task in TASKS if task)


@pytest.mark.parametrize("floating", [False, True])
def test_methods_take_what_the_page_says(floating):
    """What must be given comes in the page's order; what may be left out is given by name."""
    method_of = vars(FloatingBaseRobot if floating else FixedBaseRobot) | vars(Robot)
    found = 0
    for name, function in functions(example("hyl", floating_base=floating)).items():
        if name in method_of:
            parameters = list(inspect.signature(method_of[name]).parameters.values())[1:]
            needed = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
            by_name = {p.name for p in parameters if p.kind is p.KEYWORD_ONLY}
            assert needed == [a.name for a in function.inputs if not a.optional], name
            assert by_name == {a.name for a in function.inputs if a.optional}, name
            found += 1
    assert found > 20
