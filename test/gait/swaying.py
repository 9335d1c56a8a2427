"""A robot whose two feet slide along all axes, and a gait of it that is sines."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

import robcogen_ros
from robcogen_ros.gait import Gait
from robcogen_ros.gait.solve import Solution
from robcogen_ros.gait.terrain import angles_of, ground_axes

DURATION, SPEED, HEIGHT = 0.6, 0.5, 0.5
TURNS = 2 * np.pi / DURATION
JOINT = """
  <joint name="{foot}_{axis}" type="prismatic"><axis xyz="{way}"/>
    <origin xyz="{origin}"/><limit lower="-2" upper="2" effort="100" velocity="9"/>
    <parent link="{parent}"/><child link="{child}"/></joint>
  <link name="{child}"><inertial><mass value="0.1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
SIDES = {"left": 0.1, "right": -0.1}
FLYING = ((0.35, 0.6), (0.0, 0.5))
"""Duties and phases of feet that stand for unlike times, with a flight after the left one."""


@lru_cache(maxsize=1)
def slider():
    """A base with two feet that slide along all axes, so that any motion of them is one."""
    joints = ""
    for foot, side in SIDES.items():
        links = ("base", f"{foot}_1", f"{foot}_2", foot)
        for i, axis in enumerate("xyz"):
            origin = f"0 {side} {-HEIGHT}" if i == 0 else "0 0 0"
            way = " ".join("1" if k == i else "0" for k in range(3))
            joints += JOINT.format(
                foot=foot, axis=axis, way=way, origin=origin, parent=links[i], child=links[i + 1]
            )
    base = """<link name="base"><inertial><mass value="9"/>
      <inertia ixx="0.3" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
    text = f'<robot name="slider">{base}{joints}</robot>'
    return robcogen_ros.build(text=text, floating_base=True, contacts=list(SIDES), whole_body=True)


def angles(t):
    """Roll, pitch and yaw."""
    return np.array([0.1, -0.2, 0.15]) * np.sin(TURNS * t)


def turn(e):
    (cr, cp, cy), (sr, sp, sy) = np.cos(e), np.sin(e)
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    return about_z @ about_y @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])


def place(t):
    """Of the base: it goes ahead, and sways."""
    s, c = np.sin(TURNS * t), np.cos(TURNS * t)
    return np.array([SPEED * t + 0.02 * s, 0.03 * c, HEIGHT + 0.01 * s])


def foot(t, later, side, duty=0.5):
    """Of a foot that stands for a share of a stride, from `later` of it after the beginning on."""
    strides, share = divmod(t / DURATION - later + 1.0, 1.0)
    strides += later - 1.0
    swing = max((share - duty) / (1 - duty), 0.0)
    way = swing**3 * (10 - 15 * swing + 6 * swing**2)
    ahead = SPEED * DURATION * (strides + way + 0.25)
    return np.array([ahead, side, 3.2 * (swing * (1 - swing)) ** 3])


def joints(t, duties=(0.5, 0.5), phases=(0.0, 0.5)):
    base, rotated = place(t), turn(angles(t)).T
    rest = np.array([[0, side, -HEIGHT] for side in SIDES.values()])
    feet = [foot(t, *each) for each in zip(phases, SIDES.values(), duties, strict=True)]
    return (np.array([rotated @ (f - base) for f in feet]) - rest).ravel()


def rates(function, t, side=0.0, h=1e-4):
    """First and second derivatives by time, from the past or the future where `side` says so."""
    t0, t1, t2 = (t + h * (k + side * 1.0) for k in (-1, 0, 1))
    first = (function(t2) - function(t0)) / (2 * h)
    second = (function(t2) - 2 * function(t1) + function(t0)) / h**2
    return first - side * h * second, second


def spin(t, h=1e-4):
    """Angular velocity in axes of the base."""
    after, before = turn(angles(t + h)), turn(angles(t - h))
    matrix = turn(angles(t)).T @ (after - before) / (2 * h)
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


@lru_cache(maxsize=2)
def swaying(duties=(0.5, 0.5), phases=(0.0, 0.5)):
    """A stride of sines of a robot whose two feet take turns, as a search would find it."""
    lifts = np.add(phases, duties) % 1.0
    ends = np.unique(np.round([0.0, *phases, *lifts, 1.0], 9))
    parts = [np.linspace(*part, 25) for part in pairwise(ends)]
    times = DURATION * np.concatenate(parts)
    sides = np.tile([1.0, *[0.0] * 23, -1.0], len(parts))
    turned = [turn(angles(t)) for t in times]
    moved = [rates(place, t) for t in times]
    spins = np.array([spin(t) for t in times])
    linear = np.array([R.T @ v for R, (v, _) in zip(turned, moved, strict=True)])
    pushed = np.array([R.T @ a for R, (_, a) in zip(turned, moved, strict=True)])
    faster = np.array([rates(spin, t)[0] for t in times])

    def at(t):
        return joints(t, duties, phases)

    of_joints = [rates(at, t, side) for t, side in zip(times, sides, strict=True)]
    middles = np.repeat([np.mean(part) for part in parts], 25)
    stands = (middles[:, None] - phases) % 1.0 < duties
    n = len(joints(0.0))
    return Gait(
        joint_names=slider().joint_names,
        contacts=slider().contacts,
        feet=slider().contacts,
        times=times,
        position=np.array([place(t) for t in times]),
        orientation=np.array([angles(t) for t in times]),
        q=np.array([at(t) for t in times]),
        base_velocity=np.column_stack([spins, linear]),
        qd=np.array([v for v, _ in of_joints]),
        base_acceleration=np.column_stack([faster, pushed - np.cross(spins, linear)]),
        qdd=np.array([a for _, a in of_joints]),
        tau=np.outer(times, np.arange(n)),
        forces=np.repeat(times, 6).reshape(-1, 2, 3) * stands[:, :, None],
        standing=stands,
        duty=np.array(duties),
        phases=np.array(phases),
        friction=0.5,
        effort_limits=np.full((len(times), n), 100.0),
        impulses=np.zeros((0, 7)),
        duration=DURATION,
        speed=SPEED,
        merit=0.0,
        error=0.0,
        knots=np.array([0.0, 1.0]),
        solution=Solution.__new__(Solution),
    )


def leaning(normal):
    """The same gait on a slope, by turning all of it."""
    gait, axes = swaying(), ground_axes(normal)
    turned = np.array([axes @ turn(e) for e in gait.orientation])
    return replace(
        gait,
        position=gait.position @ axes.T,
        orientation=angles_of(turned),
        forces=gait.forces @ axes.T,
        ground_normal=axes[:, 2],
    )
