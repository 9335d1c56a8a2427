"""What several tests of this folder use; compiled once."""

from __future__ import annotations

from functools import partial

import pytest

from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from test.control import cpp_controller, cpp_legged
from test.control.arms import interpreted
from test.control.core_controller import CoreController
from test.support.built import built
from test.support.examples import example_path


@pytest.fixture(scope="session")
def pendulum_library(tmp_path_factory):
    """The controller in C++ of a double pendulum."""
    return cpp_controller.loaded(built(tmp_path_factory, "pendulum", cpp_controller.compile_into))


@pytest.fixture(params=["core", "compiled"])
def make_controller(request):
    """What makes controllers of the double pendulum: of the core, and compiled for it."""
    if request.param == "core":
        return partial(CoreController, interpreted(cpp_controller.ARM))
    library = request.getfixturevalue("pendulum_library")
    return partial(cpp_controller.CppController, library)


@pytest.fixture(scope="session")
def legged_library(tmp_path_factory):
    """The controller in C++ of a quadruped, and its world."""
    return cpp_legged.loaded(built(tmp_path_factory, "quadruped", cpp_legged.compile_into))


@pytest.fixture
def world(legged_library):
    """The quadruped, standing at rest on what its feet feel."""
    world = cpp_legged.World(legged_library)
    assert not world.fault
    loop = cpp_legged.Loop(legged_library, contact_source="schedule")
    for _ in range(5):
        world.advance(loop.update(world.readings()).efforts)
    return world


@pytest.fixture(scope="module")
def quadruped():
    """A compiled robot and its posture."""
    file = str(example_path("quadruped"))
    footing = find_footing(file)
    robot = build_standing(file, {}, footing)
    return robot, Legs(robot, footing.feet).standing()


@pytest.fixture
def readings(world):
    """What the quadruped measures at rest."""
    return world.readings()


@pytest.fixture
def start(legged_library):
    """What makes loops of the quadruped, by parameters."""
    return partial(cpp_legged.Loop, legged_library)
