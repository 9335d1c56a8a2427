"""The transmission in C++ beside the functions of robots, there and back; what it refuses."""

from __future__ import annotations

import ctypes
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from robcogen_ros.backends.render import include_directory
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.runtime.test_transmission import BY_FOOT, FORMS, GEARED
from test.support.eigen import eigen_directory
from test.support.linkage_oracle import Linkage

pytestmark = pytest.mark.slow

Array = NDArray[np.float64]

CPP = Path(__file__).parent / "cpp" / "transmission.cpp"
NAMES = ["transmission", "joint_positions", "coordinate_jacobian"]
SIDES = {
    "from the foot": ["pitch", "roll"],
    "from the motors": ["pitch", "roll"],
    "one motor and one angle": ["right_motor", "pitch"],
    "two drivers": ["wrist", "swing", "pin"],
}


class Transmission:
    """The class in C++."""

    def __init__(self, library: ctypes.CDLL, linkage: Linkage, motors, joints, gears) -> None:
        self.robot = robot_of(NumpyEvaluator(Library(linkage.robot, [], NAMES)))
        self._library, self.n, error = library, len(motors), ctypes.create_string_buffer(500)
        lists = [(ctypes.c_char_p * len(x))(*(n.encode() for n in x)) for x in (motors, joints)]
        library.transmission_make.restype = ctypes.c_void_p
        self._object = library.transmission_make(
            ctypes.c_void_p(self.robot._evaluator.model_address),
            len(motors),
            len(joints),
            *lists,
            np.asarray(gears, float).ctypes,
            error,
        )
        if not self._object:
            raise ValueError(error.value.decode())

    def at(self, motors: bool, positions: Array) -> bool:
        given = np.ascontiguousarray(positions)
        at = self._library.transmission_at
        return bool(at(ctypes.c_void_p(self._object), int(motors), given.ctypes))

    def ask(self, what: int, given: Array | None = None, limits: Array | None = None) -> Array:
        x, bounds = (np.zeros(self.n) if v is None else v.copy() for v in (given, limits))
        found = np.full((self.n, self.n) if what == 9 else self.n, np.nan)
        ask = self._library.transmission_ask
        ask(ctypes.c_void_p(self._object), what, x.ctypes, bounds.ctypes, found.ctypes)
        return found.T

    def end(self) -> None:
        self._library.transmission_end(ctypes.c_void_p(self._object))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    path = tmp_path_factory.mktemp("transmission") / "transmission.so"
    command = ["c++", "-std=c++17", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra", "-Wpedantic"]
    include = [f"-I{include_directory()}", "-isystem", str(eigen_directory())]
    subprocess.run([*command, "-Werror", *include, str(CPP), "-o", str(path)], check=True)
    return ctypes.CDLL(str(path))


@pytest.fixture(params=FORMS)
def form(request, library, tmp_path):
    urdf, loops, motors, gears = FORMS[request.param]
    linkage = Linkage.of(tmp_path, urdf, loops)
    made = Transmission(library, linkage, motors, SIDES[request.param], gears)
    yield made, linkage, motors, SIDES[request.param], np.asarray(gears)
    made.end()


def test_there_and_back_as_the_tree_moves_with_the_same_power(form) -> None:
    made, linkage, motors, joints, gears = form
    names, random = list(linkage.tree.joint_names), np.random.default_rng(3)
    M, J = ([names.index(name) for name in side] for side in (motors, joints))
    places = linkage.positions(12)
    if any(np.abs(a - b).max() > 2 for a, b in pairwise(places)):
        pytest.fail("the walk jumps")
    told = made.robot.joint_positions(places[0][linkage.free])
    order = [list(made.robot.moving_joint_names).index(name) for name in names]
    turns = told[order] - places[0]
    for t in (place + turns for place in places):  # the tree's joints may have turned
        for from_motors in (True, False):
            x = t[M] * gears if from_motors else t[J]
            assert made.at(from_motors, x)
            np.testing.assert_allclose(made.ask(0), t[M] * gears, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(made.ask(1), t[J], rtol=1e-12, atol=1e-12)
        qd = random.uniform(-2, 2, len(linkage.free))
        td = linkage.motion(t - turns, qd, 0 * qd)[1]
        v, w = td[M] * gears, td[J]
        np.testing.assert_allclose(made.ask(2, w), v, rtol=1e-10, atol=1e-11)
        np.testing.assert_allclose(made.ask(3, v), w, rtol=1e-10, atol=1e-11)
        u = random.uniform(-5, 5, made.n)
        tau = made.ask(5, u)
        assert tau @ w == pytest.approx(u @ v, rel=1e-10, abs=1e-11)
        np.testing.assert_allclose(made.ask(4, tau), u, rtol=1e-10, atol=1e-11)
        limits = random.uniform(0.5, 3, made.n)
        held = made.ask(6, tau, limits)
        share = min(1.0, (limits / np.abs(u)).min())
        np.testing.assert_allclose(held, share * u, rtol=1e-10, atol=1e-11)
        for k in range(made.n):
            for what, back in ((7, 4), (8, 2)):
                one = np.zeros(made.n)
                one[k] = made.ask(what, None, limits)[k]
                most = np.abs(made.ask(back, one)) / limits
                assert most.max() == pytest.approx(1.0, rel=1e-10)
        rotors = random.uniform(0.1, 1, made.n)
        H = made.ask(9, rotors)
        assert w @ H @ w == pytest.approx(v @ (rotors * v), rel=1e-9, abs=1e-11)


def test_it_stays_where_it_was_if_no_loops_close(library, tmp_path) -> None:
    linkage = Linkage.of(tmp_path, GEARED, BY_FOOT)
    made = Transmission(library, linkage, ["left_motor", "right_motor"], ["pitch", "roll"], [1, 1])
    assert made.at(True, np.array([0.1, 0.2]))
    before = made.ask(1)
    for wrong in ([3.0, -3.0], [np.nan, 0.0], [np.inf, 0.0]):
        assert not made.at(True, np.array(wrong))
        np.testing.assert_array_equal(made.ask(1), before)
    made.end()


@pytest.mark.parametrize(
    ("motors", "joints", "gears", "told"),
    [
        (["left_moto", "roll"], ["pitch", "roll"], [1, 1], "no moving joint 'left_moto'"),
        (["left_motor"], ["pitch", "roll"], [1], "as many joints as motors, and has 2 and 1"),
        (["roll", "roll"], ["pitch", "roll"], [1, 1], "'roll' is twice"),
        (["left_motor", "right_motor"], ["pitch", "roll"], [1, 0], "a gear other than 0"),
        (["roll"], ["pitch"], [1], "do not determine each other"),
    ],
)
def test_what_makes_no_transmission_is_told(library, tmp_path, motors, joints, gears, told) -> None:
    linkage = Linkage.of(tmp_path, GEARED, BY_FOOT)
    with pytest.raises(ValueError, match=told):
        Transmission(library, linkage, motors, joints, gears)
