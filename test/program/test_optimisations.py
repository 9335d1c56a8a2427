"""Means of saving operations: without any of them results are the same, and most cost more then."""

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.choose import operation_counts
from robcogen_ros.program.interpret import interpret
from robcogen_ros.program.library import Library
from robcogen_ros.program.optimisations import (
    LOOPS,
    OPTIMISATIONS,
    PREFETCHING,
    SIDE_BY_SIDE,
)
from test.support.model_of import model_of
from test.support.random_robots import Joint, Link, Tree

NAMES = ("inverse_dynamics", "inertia_matrix", "forward_dynamics")
NO_OPERATIONS = (
    "conditioning",
    SIDE_BY_SIDE,
    LOOPS,
    PREFETCHING,
)


def results(library):
    """All that the functions give at a state, in one row."""
    random = np.random.default_rng(5)
    state = {name: list(random.uniform(-2, 2, library.robot.n)) for name in ("q", "qd", "qdd")}
    state |= {"tau": [1.0] * library.robot.n}
    found = []
    for name in NAMES:
        program = library.entry(name).fastest
        given = interpret(program, {a.name: state[a.name] for a in program.inputs})
        found += [entry for entries in given.values() for entry in entries]
    return found


def operations(library):
    counts = (operation_counts(library.entry(name).fastest).values() for name in NAMES)
    return sum(map(sum, counts))


def arm():
    """Two joints, an axis aslant and the other parallel to it, as a document."""
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    links = tuple(Link(f"link{i}", 1.0 + i, (0.1, -0.2, 0.3), tensor=tensor) for i in range(3))
    turn = ((0.1, 0.2, 0.3), (0, 0, 0))
    joints = tuple(
        Joint(f"j{i}", "revolute", f"link{i}", f"link{i + 1}", (0.3, 0.1, 0.2), turn[i], (0, 1, 0))
        for i in range(2)
    )
    return Tree(links, joints).urdf()


@pytest.fixture(scope="module")
def whole():
    return Library(model_of(arm()), NAMES)


@pytest.mark.parametrize("name", OPTIMISATIONS)
def test_without_one_of_them_results_are_the_same(whole, name):
    left = Library(whole.robot, NAMES, without=[name])
    assert results(left) == pytest.approx(results(whole), rel=1e-11)
    if name in NO_OPERATIONS:
        assert operations(left) == operations(whole)
    else:
        assert operations(left) > operations(whole)


def test_an_unknown_one_is_an_error_that_lists_them(whole):
    with pytest.raises(RobcogenError, match=r"did you mean 'cancelling'.*chosen-frames"):
        Library(whole.robot, without=["cancellin"])


def test_commands_leave_them_out(capsys, tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(arm())
    counted = []
    for words in ([], ["--without", "chosen-frames"]):
        assert main(["inspect", str(file), "--function", "inverse_dynamics", *words]) == 0
        counted.append(capsys.readouterr().out)
    assert counted[0] != counted[1]
