"""The example of a leg with an impedance, for another leg than its default."""

from __future__ import annotations

import shutil
import subprocess
import sys

import numpy as np
import pytest

from test.support.eigen import eigen_directory
from test.support.examples import EXAMPLES

STIFFNESS = np.array([2000.0, 1000.0, 4000.0])
PUSH = np.array([20.0, -5.0, 40.0])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_a_foot_gives_way_as_its_stiffness_says(tmp_path):
    command = [
        *("make", "-C", EXAMPLES / "leg_impedance", "run", "LEG=RH", "CXXFLAGS=-O0"),
        *(f"BUILD={tmp_path}", f"EIGEN={eigen_directory()}"),
        f"ROBCOGEN=PYTHONPATH={EXAMPLES.parent} {sys.executable} -m robcogen_ros",
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert result.returncode == 0, result.stderr
    (told,) = (line for line in result.stdout.splitlines() if line.startswith("RH_foot"))
    given = np.array(told.split("by")[-1].split()[:3], dtype=float)
    np.testing.assert_allclose(given, 1e3 * PUSH / STIFFNESS, rtol=1e-4)
