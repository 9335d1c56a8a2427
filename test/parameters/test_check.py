"""Which values of parameters are sound, from Python and from C++."""

from __future__ import annotations

import math
import subprocess

import pytest

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.backends.render import include_directory, write_changed
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.eigen import eigen_directory
from test.support.examples import example_path
from test.support.parametric import VALUES, parametric_leg

HYL = example_path("hyl")
OPTIONS = {"parameters": ["lowerleg.mass", "lowerleg.inertia", "KFE.origin.x"]}
OPTIONS |= {"payload": "fr_foot"}

CASES = [
    ({}, []),
    ({"KFE.origin.x": math.nan}, ["parameter 'KFE.origin.x' is no number"]),
    ({"lowerleg.mass": -1.0}, ["link 'lowerleg' has a negative mass"]),
    ({"payload.mass": 2.0, "payload.inertia.ixx": -0.1}, ["the payload has a rotational inertia"]),
    ({"payload.inertia.ixx": 0.1}, ["the payload has a"]),
    ({"payload.inertia.ixx": 0.1, "payload.inertia.iyy": 0.1}, []),
    ({"lowerleg.inertia.ixy": 0.5}, ["link 'lowerleg' has a rotational inertia"]),
    ({"lowerleg.mass": -1.0, "payload.mass": -1.0}, ["link 'lowerleg' has", "the payload has"]),
]
"""Changes, and how the sentences about them begin."""


def agree(found: list[str], beginnings: list[str]) -> bool:
    return len(found) == len(beginnings) and all(map(str.startswith, found, beginnings))


@pytest.fixture(scope="module", params=["numpy", "cpp"])
def leg(request):
    return robcogen_ros.build(HYL, functions=["gravity_torques"], backend=request.param, **OPTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "beginnings"), CASES)
def test_python_tells_what_is_wrong_before_it_is_set(leg, changes, beginnings):
    assert agree(leg.parameters.check(changes), beginnings)
    assert leg.parameters.check() == []


@pytest.mark.slow
def test_unknown_names_are_refused(leg):
    with pytest.raises(KeyError, match=r"no parameter 'lowerleg.mas'; did you mean"):
        leg.parameters.check({"lowerleg.mas": 1.0})


def test_a_parameter_of_the_document_is_named_with_the_link_it_makes_wrong():
    robot = parametric_leg()
    (body,) = robot.bodies
    assert body.described == "link 'thigh' (of m, c, ixx)"


def test_the_tensor_is_judged_about_the_center_of_mass():
    """The document gives it about the link's origin; heavier, the same is that of no body."""
    leg = robot_of(NumpyEvaluator(Library(parametric_leg(), ["gravity_torques"])))
    leg.parameters.update(VALUES)
    assert leg.parameters.check() == []
    assert "is not positive" in leg.parameters.check({"m": 12.0})[0]


@pytest.mark.slow
def test_cpp_tells_the_same(tmp_path):
    library = Library(read(HYL, **OPTIONS).robot, ["gravity_torques"])
    files = BACKENDS["cpp"](library, Target("demo", "leg", "hyl.kindsl"))
    write_changed({tmp_path / path: text for path, text in files.items()})
    names = {p.name: p.name.replace(".", "_") for p in library.robot.parameters}
    include = [f"-I{tmp_path / 'include'}", f"-I{include_directory()}"]
    include += ["-isystem", str(eigen_directory())]
    blocks = []
    for changes, _ in CASES:
        values = {name: "NAN" if math.isnan(x) else repr(x) for name, x in changes.items()}
        sets = " ".join(f"parameters.{names[name]} = {x};" for name, x in values.items())
        blocks.append(sets)
    source = tmp_path / "use.cpp"
    source.write_text(program(blocks))
    sources = [source, tmp_path / "src" / "more.cpp"]
    command = ["c++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", *include]
    subprocess.run([*command, *map(str, sources), "-o", str(tmp_path / "use")], check=True)
    printed = subprocess.run([tmp_path / "use"], capture_output=True, text=True, check=True).stdout
    for text, (_, beginnings) in zip(printed.split("--\n")[:-1], CASES, strict=True):
        assert agree(text.splitlines(), beginnings)


def program(blocks: list[str]) -> str:
    """A program that prints the problems of several values."""
    calls = "\n".join(
        f"  {{ Parameters parameters; {sets} print(parameters); }}" for sets in blocks
    )
    return f"""#include <cmath>
#include <cstdio>
#include "demo/leg/parameters.hpp"
using demo::leg::Parameters;
void print(const Parameters & parameters) {{
  for (const auto & problem : demo::leg::problems(parameters)) {{
    std::puts(problem.c_str());
  }}
  std::puts("--");
}}
struct Scale : demo::leg::ParameterSource {{
  double payload_mass() const override {{ return 3.5; }}
}};
int main() {{
{calls}
  const Parameters measured = Scale().get();
  return measured.payload_mass == 3.5 && measured.lowerleg_mass == 0.9 ? 0 : 1;
}}
"""
