"""The reference of Python tells every argument of every public method, as the functions have it."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from importlib import import_module
from math import prod
from pathlib import Path

import pytest

from robcogen_ros.algorithms.functions.catalogue import functions
from robcogen_ros.runtime.robots.documented import ARGUMENTS
from test.support.examples import example

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "python.rst"
LEFT = {"branch", "guess", "sole_corners", "friction_coefficients"}
"""Whose shape depends on limbs, loops and soles."""


def public() -> dict[str, object]:
    """Functions and methods that the reference shows."""
    found = {}
    for kind, path in re.findall(r"auto(class|function|module):: ([\w.]+)", REFERENCE.read_text()):
        module, _, name = path.rpartition(".")
        if kind == "module":
            listed = vars(import_module(path))
            classes = filter(inspect.isclass, listed.values())
            owners = [owner for owner in classes if owner.__module__ == path]
        else:
            owners = [getattr(import_module(module), name)]
        for owner in owners:
            if not inspect.isclass(owner):
                found[path] = owner
                continue
            for method in (name for name in dir(owner) if not name.startswith("_")):
                whose = next(c for c in owner.__mro__ if method in vars(c))
                if whose.__module__.startswith("robcogen_ros"):
                    found[f"{owner.__name__}.{method}"] = getattr(owner, method)
    return {name: call for name, call in found.items() if inspect.isfunction(call)}


PUBLIC = public()


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
