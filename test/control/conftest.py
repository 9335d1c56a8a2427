"""What several tests of this folder use; compiled once."""

from __future__ import annotations

import pytest

from test.control.cpp_controller import compiled


@pytest.fixture(scope="session")
def pendulum_library(tmp_path_factory):
    """The controller in C++ of a double pendulum."""
    return compiled(tmp_path_factory.mktemp("pendulum"))
