"""The model structure of a robot, run by the algorithm that spatial_v2 is published with.

The oracle is Featherstone 2008, table 5.1, written out below in Octave; its joints are those of
spatial_v2. It shares nothing with the generated functions but the structure.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.support.examples import example
from test.support.octave import run_octave, write_package
from test.support.parametric import VALUES, parametric_leg
from test.support.random_robots import arm_with_everything

FUNCTIONS = ("inverse_dynamics", "inverse_dynamics_fully_actuated", "kinematics")
FIXED = ("hyl", "fancy", "leg", "everything")
FLOATING = ("quadruped", "floating")

ID = """
function [tau, v, a, f, X] = ID(model, q, qd, qdd)
  gravity = [0; 0; 0; model.gravity(:)];
  for i = 1:model.NB
    [XJ, S{i}] = jcalc(model.jtype{i}, q(i));
    vJ = S{i} * qd(i);
    Xup{i} = XJ * model.Xtree{i};
    p = model.parent(i);
    if p == 0
      X{i} = Xup{i};
      v{i} = vJ;
      a{i} = S{i} * qdd(i) - Xup{i} * gravity;
    else
      X{i} = Xup{i} * X{p};
      v{i} = Xup{i} * v{p} + vJ;
      a{i} = Xup{i} * a{p} + S{i} * qdd(i) + crm(v{i}) * vJ;
    end
    f{i} = model.I{i} * a{i} - crm(v{i})' * model.I{i} * v{i};
  end
  for i = model.NB:-1:1
    tau(i, 1) = S{i}' * f{i};
    if model.parent(i) > 0
      f{model.parent(i)} = f{model.parent(i)} + Xup{i}' * f{i};
    end
  end
end
"""
JCALC = """
function [X, S] = jcalc(jtype, q)
  k = find(jtype(2) == 'xyz');
  S = zeros(6, 1);
  axis = zeros(3, 1);
  axis(k) = 1;
  K = cross(eye(3), repmat(axis, 1, 3));
  if jtype(1) == 'R'
    E = expm(q * K);
    X = [E, zeros(3); zeros(3), E];
    S(k) = 1;
  else
    X = [eye(3), zeros(3); q * K, eye(3)];
    S(k + 3) = 1;
  end
end
"""
CRM = """
function M = crm(v)
  w = [0, -v(3), v(2); v(3), 0, -v(1); -v(2), v(1), 0];
  u = [0, -v(6), v(5); v(6), 0, -v(4); -v(5), v(4), 0];
  M = [w, zeros(3); u, w];
end
"""


@lru_cache
def robots() -> dict:
    """Robots on fixed and floating bases, with parameters, mimic joints and offsets."""
    everything = Source("everything.urdf", arm_with_everything().urdf())
    return {
        "hyl": example("hyl"),
        "fancy": example("fancy"),
        "leg": parametric_leg(),
        "everything": reduce(load(everything)),
        "quadruped": example("quadruped"),
        "floating": reduce(load(everything), floating_base=True),
    }


def values(robot) -> dict[str, float]:
    return {p.name: VALUES.get(p.name, 0.3) for p in robot.parameters}


def reference(robot):
    """The robot, interpreted."""
    wanted = [name for name in FUNCTIONS if robot.floating_base or "fully" not in name]
    computed = robot_of(NumpyEvaluator(Library(robot, wanted)))
    computed.parameters.update(values(robot))
    return computed


def states() -> dict[str, list[np.ndarray]]:
    """For each robot, q, qd and qdd, with those of a floating base in front."""
    random = np.random.default_rng(0)
    return {
        name: [random.uniform(-2, 2, 6 * robot.floating_base + robot.n) for _ in range(3)]
        for name, robot in robots().items()
    }


def text(array: np.ndarray) -> str:
    return f"[{'; '.join(repr(float(x)) for x in array)}]"


def program(name: str) -> list[str]:
    """Lines that print the results of a robot: one line for each thing that is compared."""
    robot = robots()[name]
    given = [f"'{key}', {value!r}" for key, value in values(robot).items()]
    parameters = f"struct({', '.join(given)})" if given else ""
    q, qd, qdd = (text(array) for array in states()[name])
    show = "printf('%.17g ', {}); printf('\\n');"
    base = 6 if robot.floating_base else 0
    of_base = ["v{6}", "a{6} + X{6} * g", "X{6}(1:3, 1:3) * model.gravity(:)", "f{6}"]
    return [
        f"model = {name}.spatial_v2({parameters});",
        f"q = model.G * {q} + model.q0; qd = model.G * {qd}; qdd = model.G * {qdd};",
        "[tau, v, a, f, X] = ID(model, q, qd, qdd);",
        "g = [0; 0; 0; model.gravity(:)];",
        show.format(f"(model.G' * tau)({base + 1}:end)"),
        *(show.format(each) for each in of_base if base),
        "for k = 1:numel(model.frame_body)",
        f"  M = eye(6); if model.frame_body(k) > {base}, M = X{{model.frame_body(k)}}; end",
        f"  if {base} && model.frame_body(k) > 6, M = M / X{{6}}; end",
        f"  {show.format('model.Xframe{k} * M')}",
        "end",
    ]


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, list[np.ndarray]]:
    """The lines of each robot, all printed by one run of Octave."""
    folder = tmp_path_factory.mktemp("octave")
    for function, body in (("ID", ID), ("jcalc", JCALC), ("crm", CRM)):
        (folder / f"{function}.m").write_text(body)
    for name, robot in robots().items():
        write_package(Library(robot, ["kinematics"]), name, folder)
    lines = run_octave(folder, [line for name in robots() for line in program(name)])
    counts = [1 + 4 * r.floating_base + len(r.frames) for r in robots().values()]
    ends = np.cumsum([0, *counts])
    assert len(lines) == ends[-1]
    arrays = [np.array(line) for line in lines]
    return {name: arrays[ends[k] : ends[k + 1]] for k, name in enumerate(robots())}


def close(found: np.ndarray, right: np.ndarray) -> None:
    assert found == pytest.approx(right, rel=0, abs=1e-12 * max(1, np.abs(right).max()))


@pytest.mark.parametrize("name", FIXED)
def test_published_inverse_dynamics_on_a_fixed_base(name, printed):
    close(printed[name][0], reference(robots()[name]).inverse_dynamics(*states()[name]))


@pytest.mark.parametrize("name", FLOATING)
def test_published_inverse_dynamics_on_a_floating_base(name, printed):
    tau, velocity, acceleration, gravity, wrench = printed[name][:5]
    q, qd, qdd = (array[6:] for array in states()[name])
    found = reference(robots()[name]).inverse_dynamics_fully_actuated(
        q, qd, qdd, velocity, acceleration, gravity
    )
    close(tau, found[0])
    close(wrench, found[1])


@pytest.mark.parametrize("name", FIXED + FLOATING)
def test_frames_are_on_their_bodies(name, printed):
    robot = robots()[name]
    computed = reference(robot)
    base = next(f.name for f in robot.frames if f.link == 0)
    q = states()[name][0][6 if robot.floating_base else 0 :]
    origin = np.reshape(printed[name][-len(robot.frames) + robot.frame_index(base)], (6, 6)).T
    for frame, entries in zip(robot.frame_names, printed[name][-len(robot.frames) :], strict=True):
        right = computed.transform(frame, base, q, kind="motion")
        close(np.reshape(entries, (6, 6)).T @ np.linalg.inv(origin), right)
