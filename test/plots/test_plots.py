"""Plots: every joint told apart, units by the kind of joint, one scale, no text cut off."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.text import Text

import robcogen_ros
from robcogen_ros.bench import chart
from robcogen_ros.bench.comparison import Row
from robcogen_ros.cli.tables.costs import costs, picture
from robcogen_ros.demo import plot as demo_plot
from robcogen_ros.demo.recording import Result
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.plots import style
from robcogen_ros.plots.skeleton import limbs, skeleton, stick_figure
from robcogen_ros.program.library import Library
from robcogen_ros.realtime import plot as realtime_plot
from robcogen_ros.realtime.computer import Computer
from robcogen_ros.realtime.outcome import Histogram, Outcome
from robcogen_ros.realtime.report import Run
from robcogen_ros.study import chart as study_chart
from robcogen_ros.study.points import Points
from robcogen_ros.study.table import Table
from test.support.model_of import model_of
from test.support.pictures import curves, outside
from test.support.robots import robot_path

LONG = "joint_of_the_extremely_long_left_front_upper_manipulator_segment_number"


def long_names() -> str:
    """A robot with twelve joints that turn and slide in turns, all of long names."""
    links = "".join(
        f'<link name="l{i}"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        for i in range(13)
    )
    joints = "".join(
        f'<joint name="{LONG}_{i}" type="{("revolute", "prismatic")[i % 2]}">'
        '<origin xyz="0 0 0.2"/>'
        f'<parent link="l{i}"/><child link="l{i + 1}"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for i in range(12)
    )
    return f'<robot name="long">{links}{joints}</robot>'


ROBOTS = {
    "panda": lambda: read(robot_path("panda_description/urdf/panda.urdf")).robot,
    "hyq": lambda: read(robot_path("hyq_description/robots/hyq_no_sensors.urdf")).robot,
    "talos": lambda: read(robot_path("talos_data/robots/talos_reduced.urdf")).robot,
    "long": lambda: model_of(long_names()),
}
each_robot = pytest.mark.parametrize("name", ["panda", "talos", "long"])
each_ground = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def results(n: int) -> tuple[Result, Result]:
    """A motion with small errors, and with large ones."""
    time = np.linspace(0.0, 2.0, 30)
    wanted = np.sin(time[:, None] + np.arange(n))
    found = []
    for size in (1e-4, 1e-2):
        position = wanted - size * np.cos(3 * time[:, None] + np.arange(n))
        effort = 10 * wanted
        more = {"unanswered": 0, "cycle": np.zeros(1), "response": np.zeros(1), "controller": {}}
        found.append(Result(time=time, position=position, wanted=wanted, effort=effort, **more))
    return found[0], found[1]


@each_robot
def test_the_demo_draws_every_joint_once_in_each_panel_with_its_units(name):
    shape = skeleton(ROBOTS[name]())
    with style.canvas(demo_plot.size(shape)) as figure:
        demo_plot.fill(figure, shape, results(len(shape.joints)))
        assert outside(figure) == []
    rows = np.array(figure.axes).reshape(-1, 5)
    shown = []
    for robot, motion, effort, with_, without in rows:
        title = robot._left_title.get_window_extent()
        assert title.x1 < motion.get_window_extent().x0
        names = [line.get_label() for line in curves(motion)]
        shown += names
        lengths = {shape.lengths[shape.joints.index(joint)] for joint in names}
        assert len(lengths) == 1
        units = ("[m]", "[N]", "[mm]") if lengths == {True} else ("[rad]", "[N m]", "[mrad]")
        assert (motion.get_ylabel(), effort.get_ylabel(), with_.get_ylabel()) == units
        for axes in (motion, effort, with_, without):
            assert [line.get_label() for line in curves(axes)] == names
            looks = {(line.get_color(), line.get_linestyle()) for line in curves(axes)}
            assert len(looks) == len(names) <= 10
        assert with_.get_ylim() == without.get_ylim()
        assert [text.get_text() for text in without.get_legend().get_texts()] == names
    assert sorted(shown) == sorted(shape.joints)


def test_the_picture_of_a_compiled_robot_is_that_of_its_description():
    robot = robcogen_ros.build(text=long_names(), backend="numpy")
    drawn = stick_figure(robot, np.full(12, 0.1))
    described = skeleton(ROBOTS["long"]())
    assert (drawn.joints, drawn.lengths) == (described.joints, described.lengths)
    assert drawn.parents == described.parents == tuple(range(-1, 11))
    lengths = [np.linalg.norm(end - start) for _, start, end in drawn.bones]
    assert np.count_nonzero(lengths) == 12


def test_legs_and_arms_are_limbs():
    found = {limb.title: limb.joints for limb in limbs(skeleton(ROBOTS["hyq"]()))}
    assert list(found) == ["lf", "rf", "lh", "rh"]
    talos = limbs(skeleton(ROBOTS["talos"]()))
    assert len(talos) == 5 and sum(len(limb.joints) for limb in talos) == 32


@each_ground
def test_the_ground_is_dark_where_that_is_asked_for(dark, tmp_path):
    from matplotlib.image import imread

    with style.picture(tmp_path / "plot.png", (2, 2), dark=dark) as figure:
        figure.subplots().plot([0, 1])
    red, green, blue = imread(tmp_path / "plot.png")[0, 0, :3]
    assert (max(red, green, blue) < 0.2) == dark and (min(red, green, blue) > 0.9) != dark


def test_dollars_in_names_are_letters_and_powers_stay_powers(tmp_path):
    words = [r"arm$_1$", "$\\frac$ joint", "100$"]
    with style.picture(tmp_path / "plot.svg", (4, 3)) as figure:
        left, right = figure.subplots(1, 2)
        left.set_title(words[0])
        left.plot([0, 1], label=words[1])
        left.set_yticks([0, 1], ["0", words[2]])
        left.legend()
        right.semilogy([1, 1e4])
    visible = [text for text in figure.findobj(Text) if text.get_visible()]
    plain = [text.get_text() for text in visible if not text.get_parse_math()]
    assert set(words) <= set(plain)
    assert not [text for text in plain if "mathdefault" in text]


def histogram(worst: int) -> Histogram:
    bins = tuple((k, 2 * k - 1, 10) for k in (100, 200, 400, worst // 2))
    return Histogram(bins, 40, 300.0, worst)


def test_the_histograms_of_a_real_time_run_have_one_scale():
    robot = ROBOTS["long"]()
    spare = dict.fromkeys(Outcome.__dataclass_fields__, 0)
    times = {"wake_up": histogram(90000), "execution": histogram(2000)}
    outcome = Outcome(**{**spare, **times, "simulation": histogram(4000)})
    run = Run("long", 12, "law", 1000.0, 1.0, 0, None, 0, Computer.here(), outcome)
    with style.canvas((11, 6)) as figure:
        realtime_plot.fill(figure, run, robot)
        assert outside(figure) == []
    _, late, law = figure.axes
    assert late.get_xlim() == law.get_xlim() and late.get_ylim() == law.get_ylim()
    assert law.get_xlabel() == "time [us]"


def test_a_chart_of_measurements_has_a_bar_for_each_library_and_whole_names():
    functions = ["inverse_dynamics", "a_function_of_which_the_name_is_" + "very_" * 8 + "long"]
    libraries = ["robcogen_ros", "Pinocchio", "MuJoCo"]
    rows = [
        Row(f, lib, "", 1, 1, 1, 10.0**k, 12.0**k, 1, 1.0, None)
        for f in functions
        for k, lib in enumerate(libraries, 1)
    ]
    with style.canvas(chart.size(rows)) as figure:
        chart.fill(figure, rows, ROBOTS["hyq"](), "hyq")
        assert outside(figure) == []
    _, hot, cold = figure.axes
    assert hot.get_xlim() == cold.get_xlim()
    assert len(hot.patches) == len(cold.patches) == 6
    assert [label.get_text() for label in hot.get_yticklabels()] == functions
    assert [text.get_text() for text in cold.get_legend().get_texts()] == libraries


@pytest.mark.parametrize("names", [("shank",), ("shank", "thigh"), ("shank", "thigh", "foot")])
def test_a_study_has_a_row_for_each_result(names):
    values = np.random.default_rng(0).uniform(size=(20, len(names)))
    columns = {f"{LONG}_{k}": values.sum(axis=1) for k in range(2)}
    table = Table(Points(names, values), columns)
    with style.canvas(study_chart.size(table)) as figure:
        study_chart.fill(figure, table)
        assert outside(figure) == []
    labels = {axes.get_ylabel() for axes in figure.axes}
    assert set(columns) <= labels


@each_ground
def test_the_picture_of_costs_has_room_for_long_names(dark):
    robot = ROBOTS["long"]()
    program = Library(robot, ["inverse_dynamics"]).entry("inverse_dynamics").fastest
    text = picture(program, skeleton(robot), dark=dark)
    longest = max(map(len, costs(program)))
    ends = [float(x) for x in re.findall(r'<text x="(\d+)" [^>]*text-anchor="end"', text)]
    assert len(ends) == len(costs(program)) and min(ends) > 6 * longest
    assert text.count("<line") == len(skeleton(robot).bones)
    assert ("#1b1e24" in text) == dark


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    for name, message in (("none/plot.png", "cannot write"), ("plot.abc", "abc")):
        with pytest.raises(RobcogenError, match=message), style.picture(tmp_path / name, (2, 2)):
            pass
