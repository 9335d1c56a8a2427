"""Whatever a method is given, it computes or says what is wrong: nothing ends the process."""

from __future__ import annotations

import inspect
import multiprocessing
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import robcogen_ros
from robcogen_ros.runtime.inverse_kinematics import PlacedRobot
from robcogen_ros.runtime.robots.loop_functions import LoopFunctions
from robcogen_ros.runtime.robots.reduced_functions import ReducedFunctions
from robcogen_ros.runtime.robots.robot_data import RobotData
from robcogen_ros.runtime.robots.stability_functions import StabilityFunctions
from test.support.examples import example_path, free_leg
from test.support.wrong_values import no_numbers, wrong_numbers

NAMES = ["all", "derivatives"]
SHAPES = {
    **dict.fromkeys(("q", "qd", "qdd", "tau"), (3,)),
    **dict.fromkeys(("base_velocity", "base_acceleration", "damping"), (6,)),
    "gravity": (3,),
    "external_forces": (4, 6),
}
OF_OBJECTS = {"base_estimator", "gait", "ground", "momentum_observer", "whole_body_controller"}
FRAMES = {"to": "fr_foot", "frm": "fr_base", "base": "fr_base", "target": "fr_foot"}
FRAMES |= {"frame": "fr_foot"}
WORDS = {
    "kind": "motion",
    "task": "pose",
    "kinematic": True,
    "seed": 1,
    "name": "inertia_matrix",
    "terms": ("friction",),
    "language": "python",
}
ALLOWED = (TypeError, ValueError, robcogen_ros.RobcogenError)


def build(backend: str, floating: bool):
    with TemporaryDirectory() as folder:
        return robcogen_ros.build(
            free_leg(Path(folder)),
            backend=backend,
            floating_base=floating,
            functions=NAMES,
            parameters=["lowerleg.mass"],
            batch=backend == "cpp",
        )


def methods(robot) -> dict[str, Callable[..., Any]]:
    """All that may be called of a robot without contacts, loops and objects that keep something."""
    of_others = {*dir(StabilityFunctions), *dir(ReducedFunctions)} - {*dir(RobotData)}
    of_others |= {name for name in vars(LoopFunctions) if not name.startswith("_")}
    of_others |= {*vars(PlacedRobot), "task_joints", *OF_OBJECTS}
    public = (name for name in {*dir(type(robot))} - of_others if not name.startswith("_"))
    found = {name: getattr(robot, name) for name in public}
    return {name: method for name, method in found.items() if callable(method)}


def sound(robot, method: Callable[..., Any]) -> dict[str, Any]:
    """Arguments that a method takes."""
    shapes = {**SHAPES, "b": (9,) if robot.floating_base else (3,)}
    values = {name: np.full(shape, 0.25) for name, shape in shapes.items()}
    names = inspect.signature(method).parameters
    if "arguments" in names:
        return {"name": "inertia_matrix", "q": values["q"]}
    return {name: {**values, **FRAMES, **WORDS}[name] for name in names}


def each_wrong_value_is_named(backend: str, floating: bool) -> int:
    """How many calls were refused, each by the name of the argument."""
    robot, refused = build(backend, floating), 0
    for name, method in methods(robot).items():
        given = sound(robot, method)
        method(**given)
        optional = {n for n, p in inspect.signature(method).parameters.items() if p.default is None}
        for argument in given.keys() & {*SHAPES, "b"}:
            values = [(value, TypeError) for value in no_numbers()]
            values += [(value, ValueError) for value in wrong_numbers()]
            values += [] if argument in optional else [(None, TypeError)]
            for value, kind in values:
                with pytest.raises(kind, match=rf"^{argument}: expected \w+") as error:
                    method(**{**given, argument: value})
                assert re.search(r"\((\.\.\., )?\d", str(error.value)), (name, error.value)
                refused += 1
        for argument in given.keys() & {*FRAMES, "kind", "task", "seed"}:
            values = [3.5, [], object(), b"fr_foot", "fr_fot"]
            values += [] if argument in ("base", "seed") else [None]
            for value in values:
                with pytest.raises(ALLOWED, match=f"^{argument}: |.fr_fot."):
                    method(**{**given, argument: value})
                refused += 1
    return refused


def numbers() -> st.SearchStrategy[Any]:
    """Arrays of any type, shape and layout, some of which fit."""
    sides = st.lists(st.sampled_from([0, 1, 2, 17, 300]), max_size=2).map(tuple)
    ends = st.sampled_from([(3,), (6,), (9,), (4, 6), (6, 4), (), (0,), (4,)])
    shapes = st.tuples(sides, ends).map(lambda pair: pair[0] + pair[1])
    types = st.one_of(
        st.sampled_from([np.dtype(float), np.dtype(">f8"), np.dtype("f4"), np.dtype(int)]),
        arrays.scalar_dtypes(),
    )
    return st.builds(laid_out, shapes, types, st.sampled_from(LAYOUTS))


LAYOUTS: list[Callable[[Any], Any]] = [
    lambda a: a,
    lambda a: a[..., ::-1],
    lambda a: np.asfortranarray(a),
    lambda a: np.ma.masked_array(a),
    lambda a: np.lib.stride_tricks.as_strided(a, strides=(0,) * a.ndim, writeable=False),
    lambda a: np.frombuffer(b"\1" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape),
    lambda a: a.tolist(),
]


def laid_out(shape: tuple[int, ...], dtype: np.dtype, layout: Callable[[Any], Any]) -> Any:
    whole = np.zeros(shape, dtype)
    try:
        return layout(whole)
    except (ValueError, TypeError, IndexError):
        return whole


def anything_is_answered(backend: str, floating: bool) -> None:
    """Random calls, most of them with some arguments that are sound."""
    robot = build(backend, floating)
    callable_ = methods(robot)
    values = st.one_of(
        numbers(),
        st.sampled_from([*no_numbers(), *wrong_numbers(), None, "fr_foot", Decimal(1), -1, 10**30]),
        st.recursive(st.none() | st.floats() | st.text(max_size=3), st.lists, max_leaves=5),
    )
    names = [*SHAPES, *FRAMES, *WORDS, "b", "nothing"]

    @settings(
        max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(sorted(callable_)), st.data())
    def answered(name: str, data: st.DataObject) -> None:
        method = callable_[name]
        usual = sound(robot, method)
        keywords = data.draw(st.dictionaries(st.sampled_from([*usual, *names]), values, max_size=3))
        positional = data.draw(st.lists(values, max_size=2))
        rest = dict(list(usual.items())[len(positional) :])
        with suppress(ALLOWED):
            method(*positional, **{**rest, **keywords})

    answered()


def in_a_process(run: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns in a process of its own, whose end is an error here."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(run, *arguments).result()


@pytest.fixture(autouse=True)
def quickly_compiled(monkeypatch):
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0")


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "floating"), [("numpy", False), ("cpp", True)])
@pytest.mark.filterwarnings("ignore")
def test_nothing_ends_the_process(backend, floating):
    assert in_a_process(each_wrong_value_is_named, backend, floating) > 500
    in_a_process(anything_is_answered, backend, floating)


@pytest.fixture(scope="module")
def leg():
    return robcogen_ros.build(example_path("hyl"), backend="numpy")


@pytest.mark.parametrize(
    "q",
    [
        (1, 0, 1),
        np.array([1, 0, 1], dtype=np.int8),
        np.array([True, False, True]),
        np.array([1, 0, 1], dtype=">f4"),
        [Decimal(1), Fraction(0), 1],
        [np.float32(1), np.array(0.0), 1.0],
        np.ma.masked_array([1.0, 0.0, 1.0]),
        np.broadcast_to(np.array([1.0, 0.0, 1.0]), (2, 3))[0],
    ],
)
def test_real_numbers_of_all_types_are_taken(leg, q):
    np.testing.assert_array_equal(leg.inertia_matrix(q), leg.inertia_matrix([1.0, 0.0, 1.0]))
