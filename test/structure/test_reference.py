"""The reference of Python tells every argument of every public method, as the functions have it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.runtime.robots.documented import ARGUMENTS
from test.support.examples import EXAMPLES, example

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "python.rst"
LEFT = {"branch", "guess", "sole_corners", "friction_coefficients"}
"""Whose shape depends on limbs, loops and soles."""


def owners() -> Iterator[Any]:
    """Yields the classes and functions that the reference shows."""
    for kind, path in re.findall(r"auto(class|function|module):: ([\w.]+)", REFERENCE.read_text()):
        module, _, name = path.rpartition(".")
        if kind == "module":
            listed = vars(import_module(path)).values()
            yield from (c for c in listed if inspect.isclass(c) and c.__module__ == path)
        else:
            yield getattr(import_module(module), name)


def methods(owner: Any) -> dict[str, Any]:
    """Methods of a class that are ours, or the function itself."""
    if not inspect.isclass(owner):
        return {owner.__name__: owner}
    found = {}
    for method in (name for name in dir(owner) if not name.startswith("_")):
        whose = next(c for c in owner.__mro__ if method in vars(c))
        if whose.__module__.startswith("robcogen_ros"):
            found[f"{owner.__name__}.{method}"] = getattr(owner, method)
    return {name: call for name, call in found.items() if inspect.isfunction(call)}


OWNERS = [*owners()]
PUBLIC = {name: call for owner in OWNERS for name, call in methods(owner).items()}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_argument_is_told(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    names = [name for name in inspect.signature(PUBLIC[name]).parameters if name != "self"]
    assert [n for n in names if not re.search(rf"^    \*{{0,2}}{n}: ", text, re.MULTILINE)] == []


@pytest.mark.parametrize("floating", [False, True])
def test_arguments_have_the_shapes_and_units_of_the_functions(floating):
    robot = example("quadruped", floating_base=floating, contacts=["LF_foot", "RF_foot"])
    sizes = {"n": robot.n, "6+n": 6 + robot.n, "links": len(robot.links), "m": 6, "contacts": 2}
    catalogue = functions(robot) | functions(replace(robot, contacts=()))
    found = set()
    for argument in (argument for f in catalogue.values() for argument in f.inputs):
        if argument.name in ARGUMENTS.keys() - LEFT:
            text = ARGUMENTS[argument.name]
            shapes = [
                [
                    sizes[part] if part in sizes else int(part)
                    for part in re.split(", ?", shape)
                    if part
                ]
                for shape in re.findall(r"\(([\dnm+, ]*|links, 6|contacts,?(?: \d,? ?)*)\)", text)
            ]
            assert argument.size in map(prod, shapes), (argument.name, shapes)
            units = re.findall(r"\[[^]]*[mN][^]]*\]", argument.meaning)
            told = text.replace("N m, N", "N m or N")
            assert all(u.replace("N m, N", "N m or N") in told for u in units), argument
            found.add(argument.name)
    assert len(found) > 14


EXAMPLE = re.compile(r"^ *(?:>>>|\.\.\.) (.*)$", re.MULTILINE)


def shown() -> dict[str, str]:
    """The code of examples in docstrings, by who has it."""
    calls = {**PUBLIC, **{owner.__name__: owner for owner in OWNERS if inspect.isclass(owner)}}
    texts = {name: inspect.getdoc(call) or "" for name, call in calls.items()}
    codes = {name: "\n".join(EXAMPLE.findall(text)) for name, text in texts.items()}
    return {name: code for name, code in codes.items() if code}


def test_examples_name_what_there_is():
    there = {name for owner in OWNERS for name in dir(owner)} | {*dir(np), *dir(np.ndarray)}
    there |= {field for owner in OWNERS for field in getattr(owner, "__annotations__", ())}
    found = shown()
    for name, code in found.items():
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute):
                assert node.attr in there | {"build"}, f"{name}: {node.attr}"
    assert len(found) > 20


def test_examples_of_functions_run():
    legs = {"floating_base": True, "contacts": ["LF_foot", "RH_foot"]}
    robot = robcogen_ros.build(EXAMPLES / "quadruped.kindsl", backend="numpy", **legs)
    n, zeros = robot.n, np.zeros
    state = {"q": np.full(n, 0.3), "qd": zeros(n), "tau": zeros(n), "base_velocity": zeros(6)}
    given = {"robot": robot, "gravity": np.array([0, 0, -9.81]), **state}
    examples = {name: code for name, code in shown().items() if name.startswith("FloatingBaseR")}
    for name in ("jacobian", "transform", "operational_space", "contact_forward_dynamics"):
        exec(examples[f"FloatingBaseRobot.{name}"], given)
    assert given["place"].shape == (3,) and given["velocity"].shape == (6,)
    assert (given["qdd"].shape, given["forces"].shape) == ((n,), (6,))
