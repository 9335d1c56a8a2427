"""Springs of joints and between frames: MuJoCo's forces and energy, derivatives, conservation."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.formats.read import read
from test.support.full_calls import FullCalls

_BODY = """<body name="{0}" pos="{1}">{2}
<inertial pos="0.1 0.02 0.05" mass="1" diaginertia="0.02 0.03 0.025"/>
<site name="s{0}" pos="0.1 0.05 0.02"/>{3}</body>"""
_SPRING = """<spatial name="{}" stiffness="{}" {}><site site="{}"/><site site="{}"/></spatial>"""
_TENDONS = [
    _SPRING.format("long", 200, 'springlength="0.2"', "sa", "sc"),
    _SPRING.format("as_drawn", 100, "", "sd", "sc"),
    _SPRING.format("without_length", 50, 'springlength="0"', "sc", "sb"),
]
FUNCTIONS = ["inverse_dynamics", "forward_dynamics", "gravity_torques", "potential_energy"]
FUNCTIONS += ["inverse_dynamics_derivatives", "inverse_dynamics_derivatives_entries"]
FUNCTIONS += ["forward_dynamics_derivatives"]
G = np.array([0.0, 0.0, -9.81])


def mjcf(floating: bool) -> str:
    """Two branches with springs, one of them between the branches, and one to the world."""
    sprung = '<joint name="j1" axis="0 1 0" stiffness="5" springref="0.3"/>'
    c = _BODY.format("c", "0.3 0 0", '<joint name="j2" axis="1 1 0" ref="0.2"/>', "")
    b = _BODY.format("b", "0.3 0 0", sprung, c)
    slides = '<joint name="j4" type="slide" axis="0 0 1" stiffness="30" springref="-0.1"/>'
    d = _BODY.format("d", "-0.2 0.1 0", f'<joint name="j3" axis="0 1 1"/>{slides}', "")
    moved = "<freejoint/>" if floating else '<joint name="j0" axis="0 1 0"/>'
    a = _BODY.format("a", "0 0 1", moved, b + d)
    tendons = _TENDONS + [_SPRING.format("up", 70, 'springlength="0.1"', "s", "sc")] * (
        not floating
    )
    return (
        f'<mujoco model="sprung"><compiler angle="radian"/><worldbody>{a}'
        '<site name="s" pos="0.3 0.1 0.9"/></worldbody>'
        f"<tendon>{''.join(tendons)}</tendon></mujoco>"
    )


def build(path: Path, **options):
    floating = ["inverse_dynamics_fully_actuated"] * ("freejoint" in path.read_text())
    given = {"terms": ["springs"], "backend": "numpy", "functions": [*FUNCTIONS, *floating]}
    return robcogen_ros.build(path, **given | options)


@pytest.fixture(params=[False, True])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "sprung.xml"
    path.write_text(mjcf(request.param))
    return path


def test_forces_and_energy_are_mujocos(file: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot, plain = build(file), build(file, terms=[])
    model = mujoco.MjModel.from_xml_path(str(file))
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    data = mujoco.MjData(model)
    q = np.random.default_rng(1).normal(size=robot.n)
    if robot.floating_base:
        data.qpos[:7] = 0, 0, 0, 1, 0, 0, 0
    data.qpos[[model.joint(name).qposadr[0] for name in robot.joint_names]] = q
    mujoco.mj_forward(model, data)
    held = FullCalls(robot).gravity_torques(q, G) - FullCalls(plain).gravity_torques(q, G)
    assert held == pytest.approx(-data.qfrc_spring, abs=1e-12)
    assert robot.potential_energy(q, gravity=G) == pytest.approx(data.energy[0], rel=1e-13)


def test_derivatives_are_differences(file: Path) -> None:
    robot = build(file)
    calls, base = FullCalls(robot), 6 if robot.floating_base else 0
    random = np.random.default_rng(2)
    q, tau = random.normal(size=(2, robot.n))
    v, a = random.normal(size=(2, base + robot.n))
    units = 1e-6 * np.eye(robot.n)

    def differences(function):
        return np.stack([(function(q + e) - function(q - e)) / 2e-6 for e in units], axis=-1)

    dtau = calls.inverse_dynamics_derivatives(q, v, a, G)[0][:, base:]
    assert dtau == pytest.approx(
        differences(lambda x: calls.inverse_dynamics(x, v, a, G)), abs=1e-6
    )
    dqdd = calls.forward_dynamics_derivatives(q, v, tau, G)[0][:, base:]
    assert dqdd == pytest.approx(
        differences(lambda x: calls.forward_dynamics(x, v, tau, G)), abs=1e-4
    )
    energy = differences(lambda x: np.atleast_1d(robot.potential_energy(x, gravity=G)))
    assert energy[0] == pytest.approx(calls.gravity_torques(q, G)[base:], abs=1e-6)
    split = (v[:base], a[:base], G) if base else ()
    entries = robot.inverse_dynamics_derivatives_entries(q, v[base:], a[base:], *split)
    rows, starts = robot.derivative_patterns.dtau_dq
    whole = np.zeros((base + robot.n, base + robot.n))
    whole[rows, np.repeat(range(len(starts) - 1), np.diff(starts))] = entries[0]
    assert whole[:, base:] == pytest.approx(dtau, abs=1e-12)


def test_derivatives_in_contact_are_differences(file: Path) -> None:
    functions = ["contact_forward_dynamics", "contact_forward_dynamics_derivatives"]
    robot = build(file, contacts=["sc"], functions=functions)
    base, random = 6 if robot.floating_base else 0, np.random.default_rng(4)
    q, qd, tau = random.normal(size=(3, robot.n))
    moving = (random.normal(size=6), G) if base else ()

    def motion(x):
        qdd, *rest = robot.contact_forward_dynamics(x, qd, tau, *moving)
        return np.concatenate([*rest[:-1], qdd]), rest[-1]

    found = robot.contact_forward_dynamics_derivatives(q, qd, tau, *moving)
    for k, step in enumerate(1e-6 * np.eye(robot.n)):
        (after, pressed), (before, held) = motion(q + step), motion(q - step)
        own = found.dqdd_dq[:, base + k], found.dforces_dq[:, base + k]
        assert own[0] == pytest.approx((after - before) / 2e-6, abs=2e-4)
        assert own[1] == pytest.approx((pressed - held) / 2e-6, abs=2e-4)


@pytest.mark.slow
def test_many_states_at_once_are_single_ones(file: Path) -> None:
    robot = build(file, backend="cpp", functions=["forward_dynamics", "gravity_torques"])
    q, qd, tau = np.random.default_rng(5).normal(size=(3, 37, robot.n))
    base = 6 if robot.floating_base else 0
    moving = (np.full((37, 6), 0.3), np.tile(G, (37, 1))) if base else ()
    many = robot.forward_dynamics(q, qd, tau, *moving)
    for k in range(37):
        one = robot.forward_dynamics(q[k], qd[k], tau[k], *(x[k] for x in moving))
        for single, of_many in zip(one if base else [one], many if base else [many], strict=True):
            assert of_many[k] == pytest.approx(single, rel=1e-11, abs=1e-11)


@pytest.mark.slow
def test_energy_stays_over_ten_seconds(tmp_path: Path) -> None:
    """By Runge and Kutta's method of fourth order."""
    file = tmp_path / "sprung.xml"
    file.write_text(mjcf(False))
    functions = ["forward_dynamics", "kinetic_energy", "potential_energy"]
    robot = build(file, backend="cpp", functions=functions)
    q, qd, none = np.full(robot.n, 0.2), np.zeros(robot.n), np.zeros(robot.n)

    def energy() -> float:
        return float(robot.kinetic_energy(q, qd) + robot.potential_energy(q))

    start, h = energy(), 2e-3
    for _ in range(5000):
        stages = [(qd, robot.forward_dynamics(q, qd, none))]
        for share in (0.5, 0.5, 1.0):
            v, a = stages[-1]
            at = q + share * h * v, qd + share * h * a
            stages.append((at[1], robot.forward_dynamics(*at, none)))
        weights = np.array([1, 2, 2, 1]) * h / 6
        q = q + sum(w * v for w, (v, _) in zip(weights, stages, strict=True))
        qd = qd + sum(w * a for w, (_, a) in zip(weights, stages, strict=True))
    assert abs(energy() - start) < 1e-9 * abs(start)


def same_springs(one, other) -> None:
    q = np.random.default_rng(3).normal(size=one.n)
    order = [other.joint_names.index(name) for name in one.joint_names]
    there = np.empty(one.n)
    there[order] = q
    found = FullCalls(other).gravity_torques(there, G)
    base = len(found) - one.n
    found[base:] = found[base:][order]
    assert found == pytest.approx(FullCalls(one).gravity_torques(q, G), abs=1e-12)


def test_conversions_keep_them(file: Path, tmp_path: Path) -> None:
    kindsl, again = tmp_path / "sprung.kindsl", tmp_path / "again.xml"
    assert main(["urdf2kindsl", str(file), "-o", str(kindsl)]) == 0
    assert main(["urdf2mjcf", str(kindsl), "-o", str(again)]) == 0
    robot = build(file, functions=["gravity_torques"])
    for path in (kindsl, again):
        same_springs(robot, build(path, functions=["gravity_torques"]))


def test_springs_of_two_files_are_compared(file: Path, tmp_path: Path, capsys) -> None:
    pytest.importorskip("mujoco")
    kindsl, again = tmp_path / "sprung.kindsl", tmp_path / "again.xml"
    assert main(["urdf2kindsl", str(file), "-o", str(kindsl)]) == 0
    assert main(["urdf2mjcf", str(kindsl), "-o", str(again)]) == 0
    assert main(["check", str(kindsl), "--against", str(again)]) == 0
    again.write_text(again.read_text().replace('stiffness="200"', 'stiffness="210"'))
    assert main(["check", str(kindsl), "--against", str(again)]) == 1
    assert "there the stiffness of tendon 'long' (210), " in capsys.readouterr().out


def test_what_cannot_say_them_says_so(file: Path, tmp_path: Path, capsys) -> None:
    kindsl = tmp_path / "sprung.kindsl"
    assert main(["urdf2kindsl", str(file), "-o", str(kindsl)]) == 0
    assert main(["kindsl2urdf", str(kindsl), "-o", str(tmp_path / "r.urdf")]) == 1
    assert "spring 'long' is between two frames, which a URDF without" in capsys.readouterr().err
    assert main(["urdf2sdf", str(file), "-o", str(tmp_path / "r.sdf")]) == 0
    assert "SDF has no springs between frames: left out are 'long'" in capsys.readouterr().err


def test_a_part_of_the_robot_has_the_springs_whose_ends_it_has(file: Path) -> None:
    with pytest.warns(UserWarning, match="spring 'long' is left out: the chosen part"):
        part = build(file, tips=["d"], functions=["gravity_torques"])
    assert part.terms == ("springs",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{frames: [a, nobody], stiffness: 1, length: 0}", "spring 's': robot 'sprung' has no"),
        ("{frames: [a, b], stiffness: -1, length: 0}", "stiffness -1 of spring 's' is negative"),
        ("{frames: [a, b], stiffness: 1, length: -1}", "length -1 of spring 's' is negative"),
        ("{frames: [a, b], stiffness: 1}", "spring 's': length expected, found none"),
        ("{frames: [a], stiffness: 1, length: 0}", "frames: expected two frames, [A, B]"),
        ("{frames: [a, b], stiffness: k, length: 0}", "stiffness: expected a number, found 'k'"),
        ("{frames: [a, b], stifness: 1}", "unknown key of spring 's' 'stifness'"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, text: str, message: str) -> None:
    file, beside = tmp_path / "sprung.xml", tmp_path / "beside.yaml"
    file.write_text(mjcf(False))
    beside.write_text(f"springs:\n  s: {text}\n")
    with pytest.raises(robcogen_ros.ModelError, match=re.escape(message)) as told:
        build(file, loops=beside)
    assert re.search(r"beside.yaml:2:\d+: ", str(told.value))


@pytest.mark.parametrize(
    ("written", "instead", "message"),
    [
        ('springref="0.3"', 'springref="30"', "rests at 30 rad, more than a turn away; if degrees"),
        ('stiffness="5"', "", "springs of j1 have a position of rest and no stiffness"),
    ],
)
def test_springs_that_cannot_be_meant_are_told(
    tmp_path: Path, written: str, instead: str, message: str
) -> None:
    file = tmp_path / "sprung.xml"
    file.write_text(mjcf(False).replace(written, instead))
    told = [str(problem) for problem in read(file).warnings]
    assert any(re.search(rf"sprung.xml:\d+:\d+: warning: .*{message}", each) for each in told), told


def test_a_file_beside_adds_them(tmp_path: Path) -> None:
    """The Kinematics-DSL has them beside its loops."""
    file, beside = tmp_path / "sprung.xml", tmp_path / "beside.yaml"
    file.write_text(mjcf(False))
    bare = tmp_path / "bare.xml"
    bare.write_text(re.sub("<tendon>.*</tendon>", "", mjcf(False)))
    beside.write_text(
        "springs:\n"
        "  long: {frames: [sa, sc], stiffness: 200, length: 0.2}\n"
        "  without_length: {frames: [sb, {link: c, xyz: [0.1, 0.05, 0.02]}], stiffness: 50, "
        "length: 0}\n"
        "  up: {frames: [s, sc], stiffness: 70, length: 0.1}\n"
        "  as_drawn: {frames: [sd, sc], stiffness: 100, length: LENGTH}\n".replace(
            "LENGTH", repr(_as_drawn(file))
        )
    )
    functions = ["gravity_torques"]
    same_springs(build(file, functions=functions), build(bare, loops=beside, functions=functions))


def _as_drawn(file: Path) -> float:
    """The length of the spring that has none of its own, where springs of joints do not pull."""
    plain = robcogen_ros.build(file, backend="numpy", functions=["kinematics"])
    return float(np.linalg.norm(plain.transform("sd", "sc", plain.rest)[:3, 3]))
