"""Rotors, friction and springs of joints are parts of the dynamics where that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.control.simulation import Simulation
from test.support.full_calls import FullCalls
from test.support.robots import robot_path

TERMS = ("armature", "damping", "friction", "springs")
LINK = """<link name="{0}"><inertial><origin xyz="0.1 0.02 0.3"/><mass value="2"/>
  <inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.04" iyz="0.002" izz="0.03"/></inertial></link>"""
JOINT = """<joint name="j{0}" type="{1}"><parent link="l{2}"/><child link="l{3}"/>
  <origin xyz="0.1 0.3 0.2" rpy="0.3 {0} 0.1"/><axis xyz="0 1 0"/>{4}
  <limit effort="50" velocity="9" lower="-9" upper="9"/></joint>"""
SPRING = 'spring_stiffness="{}" spring_reference="{}"'


def text(mimic: bool = False) -> str:
    follow = '<mimic joint="j0" multiplier="-2" offset="0.1"/>' if mimic else ""
    rubs = f'<dynamics friction="0.4" armature="0.1" {SPRING.format(5, -0.4)}/>{follow}'
    joints = [
        JOINT.format(
            0, "revolute", 0, 1, '<dynamics damping="0.5" friction="0.7" armature="0.2"/>'
        ),
        JOINT.format(1, "prismatic", 1, 2, f'<dynamics damping="0.3" {SPRING.format(8, 0.2)}/>'),
        JOINT.format(2, "revolute", 1, 3, rubs),
    ]
    links = [LINK.format(f"l{i}") for i in range(4)]
    return f'<robot name="r">{"".join(links)}{"".join(joints)}</robot>'


def build(tmp_path, mimic=False, floating=False, terms=TERMS, backend="numpy"):
    path = tmp_path / "r.urdf"
    path.write_text(text(mimic))
    return robcogen_ros.build(path, floating_base=floating, terms=terms, backend=backend)


def smooth_sign(qd):
    return 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("mimic", [False, True])
def test_they_are_added_to_the_rigid_robot(mimic, floating, tmp_path):
    full, plain = (build(tmp_path, mimic, floating, terms) for terms in (TERMS, ()))
    assert full.terms == TERMS and plain.terms == ()
    if mimic:  # the third joint moves twice as fast as the first
        damping, friction = np.array([0.5, 0.3]), np.array([0.7 + 2 * 0.4, 0.0])
        armature = np.array([0.2 + 4 * 0.1, 0.0])
        stiffness, rest = np.array([4 * 5.0, 8.0]), np.array([(-0.4 - 0.1) / -2, 0.2])
    else:
        damping, friction = np.array([0.5, 0.3, 0.0]), np.array([0.7, 0.0, 0.4])
        armature = np.array([0.2, 0.0, 0.1])
        stiffness, rest = np.array([0.0, 8.0, 5.0]), np.array([0.0, 0.2, -0.4])
    assert full.damping == pytest.approx(damping)
    assert full.stiffness == pytest.approx(stiffness) and full.rest == pytest.approx(rest)
    random = np.random.default_rng(4)
    n, base = full.n, 6 if floating else 0
    q, v, a = random.normal(size=n), random.normal(size=base + n), random.normal(size=base + n)
    g = np.array([0.5, -1.0, -9.0])
    ours, rigid = FullCalls(full), FullCalls(plain)
    rotors = np.diag(np.concatenate([np.zeros(base), armature]))
    assert full.inertia_matrix(q) == pytest.approx(plain.inertia_matrix(q) + rotors)
    qd = v[base:]
    losses = np.concatenate([np.zeros(base), damping * qd + friction * smooth_sign(qd)])
    springs = np.concatenate([np.zeros(base), stiffness * (q - rest)])
    tau = rigid.inverse_dynamics(q, v, a, g) + rotors @ a + losses + springs
    assert ours.inverse_dynamics(q, v, a, g) == pytest.approx(tau)
    assert ours.coriolis_torques(q, v) == pytest.approx(rigid.coriolis_torques(q, v))
    assert ours.gravity_torques(q, g) == pytest.approx(rigid.gravity_torques(q, g) + springs)
    stored = springs[base:] @ (q - rest) / 2
    energies = [robot.potential_energy(q, gravity=g) for robot in (full, plain)]
    assert energies[0] - energies[1] == pytest.approx(stored)
    energy = rigid.kinetic_energy(q, v) + qd @ (armature * qd) / 2
    assert ours.kinetic_energy(q, v) == pytest.approx(energy)
    forces = random.normal(size=n)
    found = ours.forward_dynamics(q, v, forces, g)
    back = ours.inverse_dynamics(q, v, found, g)
    assert back == pytest.approx(np.concatenate([np.zeros(base), forces]), abs=1e-12)


def test_hybrid_dynamics_of_a_floating_base(tmp_path):
    robot = build(tmp_path, floating=True)
    random = np.random.default_rng(5)
    q, qd, qdd, v0 = (random.normal(size=k) for k in (3, 3, 3, 6))
    g = np.array([0.0, 0.0, -9.81])
    tau, a0 = robot.inverse_dynamics(q, qd, qdd, v0, g)
    found, base = robot.forward_dynamics(q, qd, tau, v0, g)
    assert found == pytest.approx(qdd) and base == pytest.approx(a0)


def test_the_equation_of_motion_equals_mujocos(tmp_path):
    """MuJoCo calls it armature and damping too; its dry friction is a constraint."""
    mujoco = pytest.importorskip("mujoco")
    robot = build(tmp_path, terms=("armature", "damping", "springs"))
    spec = mujoco.MjSpec.from_string(text())
    spec.compiler.fusestatic = False
    model = spec.compile()
    model.dof_armature[:], model.dof_damping[:] = (0.2, 0, 0.1), (0.5, 0.3, 0.0)
    model.jnt_stiffness[:], model.qpos_spring[:] = (0, 8, 5), (0, 0.2, -0.4)
    model.dof_frictionloss[:] = 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    order = [model.joint(name).qposadr[0] for name in robot.joint_names]
    random = np.random.default_rng(6)
    q, qd, tau = (random.normal(size=3) for _ in range(3))
    data.qpos[order], data.qvel[order], data.qfrc_applied[order] = q, qd, tau
    mujoco.mj_forward(model, data)
    assert robot.forward_dynamics(q, qd, tau) == pytest.approx(data.qacc[order], rel=1e-9)


def test_the_simulation_does_not_count_friction_twice(tmp_path):
    plain, full = (build(tmp_path, terms=terms) for terms in ((), ("damping", "friction")))
    ends = []
    for robot in (plain, full):
        simulation = Simulation(robot, np.array([0.3, 0.1, -0.4]))
        for step in range(300):
            simulation.advance(np.array([4.0, -3.0, 2.0]) * np.sin(0.02 * step), 1e-3)
        ends.append(np.concatenate([simulation.q, simulation.qd]))
    assert ends[0] == pytest.approx(ends[1], abs=1e-10)


def test_commands_know_them_and_the_code_says_them(tmp_path, capsys):
    path = tmp_path / "r.urdf"
    path.write_text(text())
    assert main(["generate", str(path), "-o", str(tmp_path), "--with", "damping"]) == 0
    assert "contain damping of the joints" in (tmp_path / "include/robots/robot.hpp").read_text()
    assert main(["inspect", str(path), "--with", "damping"]) == 0
    printed = capsys.readouterr().out
    assert "damping of 2 joints (part of the dynamics)" in printed
    assert "armature of 2 joints (--with armature: part of the dynamics)" in printed


def test_conversion_keeps_them(tmp_path):
    robot = build(tmp_path)
    kindsl, urdf = tmp_path / "r.kindsl", tmp_path / "again.urdf"
    assert main(["urdf2kindsl", str(tmp_path / "r.urdf"), "-o", str(kindsl)]) == 0
    assert main(["kindsl2urdf", str(kindsl), "-o", str(urdf)]) == 0
    for path in (kindsl, urdf):
        again = robcogen_ros.build(path, backend="numpy")
        for name in ("armature", "damping", "friction", "stiffness", "rest"):
            assert np.array_equal(getattr(again, name), getattr(robot, name)), (path, name)


def test_the_compiled_robot_has_them(tmp_path):
    compiled, interpreted = (build(tmp_path, backend=backend) for backend in ("cpp", "numpy"))
    assert compiled.terms == TERMS
    q, qd, tau = np.random.default_rng(7).normal(size=(3, 3))
    assert compiled.forward_dynamics(q, qd, tau) == pytest.approx(
        interpreted.forward_dynamics(q, qd, tau), rel=1e-12
    )


def test_real_robots_have_damping():
    robot = robcogen_ros.build(
        robot_path("panda_description/urdf/panda.urdf"), terms=["damping"], backend="numpy"
    )
    assert robot.damping.all()


def test_an_unknown_term_is_told(tmp_path):
    with pytest.raises(robcogen_ros.RobcogenError, match="no joint term 'dampng'"):
        build(tmp_path, terms=("dampng",))


def test_rotors_of_drakes_transmissions(tmp_path):
    rotor = """<transmission xmlns:drake="d"><joint name="{}"/><actuator name="m">
      <drake:rotor_inertia value="{}"/>{}</actuator></transmission></robot>"""
    urdf = text().replace("</robot>", rotor.format("j1", "1e-4", '<drake:gear_ratio value="50"/>'))
    path = tmp_path / "r.urdf"
    path.write_text(urdf)
    robot = robcogen_ros.build(path, terms=["armature"], backend="numpy")
    assert robot.armature == pytest.approx([0.2, 0.25, 0.1])
    path.write_text(text().replace("</robot>", rotor.format("j1", "heavy", "")))
    with pytest.raises(robcogen_ros.ModelError, match="value of <drake:rotor_inertia>: 'heavy'"):
        robcogen_ros.build(path, backend="numpy")
