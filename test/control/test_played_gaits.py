"""Gaits of files are played while their velocity is commanded, from standing to standing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from test.control.balance_loop import Loop
from test.support.examples import example_path
from test.support.fault_table import fault

pytestmark = pytest.mark.slow


def found(folder, stride):
    """Returns the file of a trot with strides of so many seconds that was found for the robot."""
    pytest.importorskip("casadi")
    file = folder / f"trot_{stride}.csv"
    settings = file.with_suffix(".yaml")
    settings.write_text(f"speed: 0.4\nstride: {stride}\nfriction: 0.4\nreach: 0.9\nintervals: 8\n")
    model = str(example_path("quadruped"))
    main(["gait", model, str(settings), "-o", str(file), "--quiet"])
    return str(file)


@pytest.fixture(scope="module")
def gait_file(quadruped, tmp_path_factory):
    """A trot that was found for the robot."""
    return found(tmp_path_factory.mktemp("gait"), 0.4)


PLAYED = {"gait": 3.0}


def playing(loop, steps, velocity=0.4, force=(0.0, 0.0, 0.0)):
    """Whether a gait is played, a number a step of 2 ms."""
    told = []
    for _ in range(steps):
        loop.balance.command((velocity, 0.0, 0.0), loop.time)
        loop.run(1, force)
        told.append(loop.balance.estimate["playing"].item())
    return np.array(told)


def test_a_gait_is_played_while_its_velocity_is_commanded(quadruped, gait_file):
    """From standing to standing; another velocity is followed by steps."""
    loop = Loop(*quadruped, PLAYED, gait_file=gait_file)
    assert not playing(loop, 100, velocity=0.2).any()
    told = playing(loop, 1200)
    assert told[700:].all()
    start = loop.ground.position
    playing(loop, 400)  # two strides
    way = loop.ground.position - start
    assert way[0] == pytest.approx(0.8 * 0.4, rel=0.04)
    assert abs(way[1]) < 0.02
    assert not loop.balance.faults["velocity_cut"]
    assert not playing(loop, 400, velocity=0.0)[-100:].any()
    loop.run(700)
    assert loop.ground.touches.all()
    assert np.linalg.norm(loop.ground.base_velocity) < 0.02
    assert not loop.balance.lost


@fault("a played gait is pushed")
def test_a_played_gait_is_pushed_and_played_again(quadruped, gait_file):
    loop = Loop(*quadruped, PLAYED, gait_file=gait_file)
    assert playing(loop, 1200)[-1]
    mass = loop.robot.total_mass()
    told = playing(loop, 50, force=(0.0, 0.4 * mass / 0.1, 0.0))  # 0.4 m/s
    told = np.append(told, playing(loop, 2000))
    assert not loop.balance.lost
    assert told[-1]
    assert loop.ground.base_velocity[4] == pytest.approx(0.0, abs=0.15)


@fault("a gait that is asked for does not begin at twelve lift-offs")
def test_a_gait_that_does_not_begin_is_told(quadruped, tmp_path):
    """Its trunk sways more than in steps of so long a stride, which lift off twice in each."""
    loop = Loop(*quadruped, PLAYED, gait_file=found(tmp_path, 0.6))
    stride = 300
    assert not playing(loop, 5 * stride).any()
    assert not loop.balance.faults["gait_not_played"]
    assert not playing(loop, 3 * stride).any()
    told = loop.balance.faults["gait_not_played"]
    assert told > 0.5 * stride
    playing(loop, stride, velocity=0.2)
    assert loop.balance.faults["gait_not_played"] == told


@fault("`gait_file` is of another robot, or its feet fly")
@pytest.mark.parametrize(
    ("column", "value", "since", "until", "said"),
    [
        ("LF_foot.stance", "0", 0.0, 0.1, r"feet stand for 0\.18\d* to 0\.5\d* of a stride"),
        ("LF_foot.stance", "1", 0.2, 0.2, r"feet stand for 0\.50* to 0\.53\d* of a stride"),
        ("ground_normal.x", "-0.003", 0.0, 0.4, "a robot that steps gets into gaits on level"),
    ],
)
def test_gaits_that_no_steps_lead_into_are_refused(
    quadruped, gait_file, tmp_path, column, value, since, until, said
):
    head, *rows = (line.split(",") for line in Path(gait_file).read_text().splitlines())
    for row in rows:
        if since <= float(row[0]) <= until:
            row[head.index(column)] = value
    file = tmp_path / "changed.csv"
    file.write_text("\n".join(",".join(row) for row in (head, *rows)) + "\n")
    with pytest.raises(RobcogenError, match=f"changed.csv: {said}"):
        Loop(*quadruped, PLAYED, gait_file=str(file))


def test_no_gait_is_played_without_a_file_that_is_one(quadruped, tmp_path):
    with pytest.raises(RobcogenError, match="gait: 'played' needs gait_file"):
        Loop(*quadruped, PLAYED)
    with pytest.raises(RobcogenError, match=r"none\.csv: cannot be read"):
        Loop(*quadruped, PLAYED, gait_file=str(tmp_path / "none.csv"))
