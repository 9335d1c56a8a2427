"""Noise of positions takes nothing away from inertias."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.identification.noise import Disturbed
from robcogen_ros.recordings import Recording

PENDULUM = """<robot name="p"><link name="base"/><link name="rod"><inertial>
  <origin xyz="0.3 0 0"/><mass value="1"/>
  <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/>
  <limit effort="9" velocity="9"/></joint></robot>"""


def test_a_flywheel_keeps_its_inertia(tmp_path):
    """Accelerations of 9 rad/s^2 with noise of 2 in them, which would make it a twentieth less."""
    robot = robcogen_ros.build(text=PENDULUM, backend="numpy")
    inertia = 0.02 + 0.3**2
    plain, better, errors = [], [], []
    for run in range(4):
        random, t = np.random.default_rng(run), 0.001 * np.arange(30_000)
        q, qdd = np.sin(3 * t)[:, None], -9 * np.sin(3 * t)[:, None]
        noisy = q + 2e-3 * random.normal(size=q.shape)
        path = tmp_path / f"{run}.npz"
        np.savez(path, time=t, q=noisy, tau=inertia * qdd)
        recording = Recording(path, ["j"])
        assert recording.survey.noise["q"] == pytest.approx(2e-3, rel=0.03)
        disturbed = Disturbed(robot.identification())
        for motion in recording:
            disturbed.add(recording, motion, 1.0)
        found = disturbed.solve("residuals")
        plain.append(disturbed.measured.solve("residuals").values[0])
        better.append(found.values[0])
        errors.append(found.standard_errors[0])
    assert np.mean(plain) < 0.95 * inertia
    assert np.mean(better) == pytest.approx(inertia, rel=0.025)
    assert np.mean(errors) < 0.02 * inertia
