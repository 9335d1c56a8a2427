"""Sharing: functions of one state, divided into an update and what each does alone."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.share import share
from test.program.programs import program
from test.support.examples import example

NAMES = ("inverse_dynamics", "coriolis_torques", "inertia_matrix", "forward_dynamics", "kinematics")


def count(program) -> int:
    return sum(operation_counts(program).values())


def values_of(arguments: tuple[Argument, ...], random) -> dict[str, list[float]]:
    return {a.name: list(random.uniform(-1, 1, a.size)) for a in arguments}


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", ["fancy", "hyl"])
def test_update_and_read_give_what_the_function_gives(name, floating):
    random = np.random.default_rng(1)
    library = Library(example(name, floating_base=floating))
    parameters = {p.name: float(p.default or 0.3) for p in library.robot.parameters}
    programs = {name: library.entry(name).fastest for name in NAMES if name in library.names}
    general = {name: library.entry(name).general for name in programs}
    divided = share(programs, general)
    inputs = values_of([a for p in general.values() for a in p.inputs], random)
    state = {}
    for update in (divided.positions, divided.velocities):
        state |= interpret(update, {**inputs, **state}, parameters)
    for wholes, reads in ((programs, divided.reads), (general, divided.others)):
        assert set(reads) == set(wholes)
        for function, whole in wholes.items():
            found = interpret(reads[function], {**inputs, **state}, parameters)
            for output, expected in interpret(whole, inputs, parameters).items():
                np.testing.assert_allclose(found[output], expected, rtol=1e-12, atol=1e-12)


def test_all_reads_together_take_fewer_operations():
    library = Library(example("quadruped", floating_base=True))
    programs = {name: library.entry(name).fastest for name in NAMES}
    divided = share(programs)
    parts = (divided.positions, divided.velocities, *divided.reads.values())
    assert sum(map(count, parts)) < 0.9 * sum(map(count, programs.values()))


def test_reads_take_the_state_and_what_it_does_not_tell():
    library = Library(example("hyl", floating_base=True))
    divided = share({name: library.entry(name).fastest for name in NAMES})
    taken = {name: [a.name for a in read.inputs] for name, read in divided.reads.items()}
    assert taken["inertia_matrix"] == ["positions", "velocities"]
    assert taken["inverse_dynamics"] == ["positions", "velocities", "qdd", "gravity"]
    assert [a.name for a in divided.positions.inputs] == ["q"]
    assert [a.name for a in divided.velocities.inputs] == ["positions", "qd", "base_velocity"]


def test_what_one_function_needs_alone_is_left_to_it():
    one = program("one", {"q": 2}, lambda g, v: {"a": [(v["q"][0] * v["q"][1]) * v["q"][0]]})
    two = program("two", {"q": 2}, lambda g, v: {"b": [v["q"][0] * v["q"][1] + 1]})
    divided = share({"one": one, "two": two})
    assert [count(p) for p in (divided.positions, divided.velocities)] == [1, 0]
    assert {name: count(read) for name, read in divided.reads.items()} == {"one": 1, "two": 1}
