"""examples/identification: its commands, as they are written, end with the truth of record.py."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pinocchio
import pytest
import yaml

from robcogen_ros.cli.main import main

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "identification"
BLOCK = re.compile(r"^ {4}(.+)\n(?:\n```text\n((?:(?!```).*\n)*)```$)?", re.MULTILINE)


@pytest.mark.slow
def test_five_commands_find_the_arm_and_its_payload(tmp_path, monkeypatch, capsys):
    for file in FOLDER.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    commands = BLOCK.findall((FOLDER / "README.md").read_text())
    assert len(commands) == 5
    for command, printed in commands:
        program, *words = command.split()
        if program == "python":
            subprocess.run([sys.executable, *words], check=True, env={"PYTHONPATH": str(ROOT)})
            continue
        assert main(words) == 0, command
        parts = [re.escape(part.strip("\n")) for part in printed.split("...")]
        assert re.search(r"[\s\S]*".join(parts), capsys.readouterr().out), command
    carried = yaml.safe_load(Path("payload.yaml").read_text())["/**"]["ros__parameters"]
    assert carried["payload_mass"] == pytest.approx(0.8, rel=0.02)
    np.testing.assert_allclose(carried["payload_com"], [0.03, 0, -0.02], atol=0.004)
    assert "Known worst" in Path("report.html").read_text()
    masses = pinocchio.buildModelFromUrdf("better.urdf")
    truth = pinocchio.buildModelFromUrdf("arm.urdf")
    forearm = truth.inertias[3]
    forearm.mass, forearm.lever = 1.6, np.array([0.07, 0, 0])
    forearm.inertia = np.diag([0.001, 0.009, 0.004])
    truth.inertias[3] = forearm
    random = np.random.default_rng(0)
    for _ in range(20):
        q, qd, qdd = random.uniform(-2, 2, (3, 3))
        told, true = (
            pinocchio.rnea(model, model.createData(), q, qd, qdd) for model in (masses, truth)
        )
        np.testing.assert_allclose(told, true, atol=0.15)
