"""Functions in loops over the joints: the same results, and only where that is worth it."""

import re
from dataclasses import replace
from decimal import Decimal
from random import Random

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.load import load
from robcogen_ros.formats.read import read
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from robcogen_ros.program.sweeps.trace import NotAlikeError
from robcogen_ros.program.sweeps.unroll import unrolled
from test.support.compiler import clang
from test.support.examples import example
from test.support.random_robots import Joint, Link, Tree
from test.support.robots import robot_path


def tree(parents, slides=()):
    """A robot of joints in general places: joint i moves link i + 1, on the link of that number."""
    random = Random(len(parents))

    def three(scale):
        return tuple(round(random.uniform(-scale, scale), 3) for _ in range(3))

    links = [
        Link(f"link{i}", 1.0 + i / 10, three(0.1), three(1), (0.01, 0.001, 0.002, 0.02, 0.0, 0.03))
        for i in range(len(parents) + 1)
    ]
    joints = [
        Joint(
            f"joint{i}",
            "prismatic" if i in slides else "revolute",
            f"link{parent}",
            f"link{i + 1}",
            three(0.3),
            three(3),
            three(1),
            terms=(0.1 + i / 20, 0.3 + i / 30, 0.5 + i / 10),
        )
        for i, parent in enumerate(parents)
    ]
    return Tree(tuple(links), tuple(joints))


BUSH = tree([i // 2 for i in range(11)])
"""Level after level, so that subtrees are not in one piece as they are in q."""

SHRUB = tree([i // 2 for i in range(6)])

CHAINS = tree([max(0, i - (5 if i % 4 == 3 else 0)) for i in range(17)])
"""Chains, from one of which the others branch off; numbered one after the other."""

TURNING = tree([0, 1, 2, 3, 2, 5, 6, 6, 8, 0, 10, 11, 12, 11, 14, 15, 16, 17, 18])
"""Two trees on one base, of joints that all turn."""


@pytest.fixture(autouse=True)
def room_for_results_is_not_zero(monkeypatch):
    """Whoever leaves a number out is seen."""
    empty = np.empty

    def filled(*arguments, **options):
        room = empty(*arguments, **options)
        if room.dtype == float:
            room.fill(np.nan)
        return room

    monkeypatch.setattr(np, "empty", filled)


def robot_of(robot, tmp_path, **options):
    """A robot as it is read."""
    path = tmp_path / "robot.urdf"
    path.write_text(robot.urdf(), encoding="utf-8")
    return read(path, **options).robot


def written_backwards(robot, path):
    """A Kinematics-DSL document in which each joint comes before those that carry it."""
    path.with_suffix(".urdf").write_text(robot.urdf(), encoding="utf-8")
    text = kindsl_writer.write(load(path.with_suffix(".urdf")))
    last = len(robot.joints) + 1
    path.write_text(re.sub(r"\bid = (\d+)", lambda m: f"id = {last - int(m[1])}", text))
    return path


def in_loops(robot, functions=("inertia_matrix",)):
    """The functions that are written as loops."""
    library = Library(robot, functions)
    return {name for name in functions if library.looped(name)}


DERIVATIVES = ("inverse_dynamics_derivatives", "inverse_dynamics_derivatives_entries")
IN_LOOPS = (
    "inertia_matrix",
    "inertia_matrix_entries",
    "inverse_dynamics",
    "forward_dynamics",
    "coriolis_torques",
    "generalized_momentum",
    "inertia_factor",
    "inertia_matrix_inverse",
    "solve_inertia",
    "forward_dynamics_derivatives",
    "center_of_mass_jacobian",
    "centroidal_momentum_matrix",
    "kinetic_energy",
    "link_velocities",
    "link_accelerations",
    *DERIVATIVES,
)
OF_BASE = (*IN_LOOPS, "inverse_dynamics_fully_actuated")


def values(random, function, states):
    """Values of the arguments of a function, with those that may be left out and without."""
    every = {a.name: random.uniform(-2, 2, (states, a.size)) for a in function.inputs}
    for name in {"external_forces"} & every.keys():
        every[name] = every[name].reshape(states, -1, 6)
    yield {a.name: every[a.name] for a in function.inputs if not a.optional}
    if any(argument.optional for argument in function.inputs):
        yield every


def results(robot, name, given):
    return tuple(robot.evaluate(name, **given).values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("robot", "floating", "flags"),
    [
        (BUSH, True, "-O1 -march=native"),
        (CHAINS, False, "-O1"),
        (CHAINS, True, "-O1 -march=native"),
    ],
)
def test_in_loops_results_are_the_same(robot, floating, flags, tmp_path, monkeypatch):
    functions = OF_BASE if floating else IN_LOOPS
    terms = ["armature", "damping", "friction"]
    options = {"floating": floating, "functions": functions, "terms": terms}
    expected = robot.build(**options)
    monkeypatch.setattr(Library, "looped", lambda library, name: name in functions)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", f"{flags} -Wall -Wextra -Wpedantic -Wshadow -Werror")
    if not floating and (other := clang()):
        monkeypatch.setenv("CXX", other)
    compiled = robot.build(backend="cpp", **options)
    library = Library(robot_of(robot, tmp_path, floating_base=floating), functions)
    random = np.random.default_rng(1)
    for name in functions:
        check_function(compiled, expected, library.function(name), random)
    q = random.uniform(-2, 2, (9, compiled.n))
    for H in (compiled.inertia_matrix(q), compiled.inertia_matrix(q[0])[None]):
        check_matrix(H, expected.inertia_matrix(q[: len(H)]))
    inverse, factor = compiled.inertia_matrix_inverse(q), compiled.inertia_factor(q)
    assert (np.swapaxes(inverse, 1, 2) == inverse).all()
    assert ((factor == 0) == (expected.inertia_factor(q) == 0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("flags", ["-O0", "-O1 -march=native"])
def test_where_all_joints_turn_nothing_is_left_out(flags, tmp_path, monkeypatch):
    functions = ("inverse_dynamics", "forward_dynamics", "coriolis_torques")
    functions += ("inertia_matrix", "inverse_dynamics_derivatives")
    expected = TURNING.build(functions=functions)
    monkeypatch.setattr(Library, "looped", lambda library, name: name in functions)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", flags)
    compiled = TURNING.build(backend="cpp", functions=functions)
    library = Library(robot_of(TURNING, tmp_path), functions)
    random = np.random.default_rng(2)
    for name in functions:
        check_function(compiled, expected, library.function(name), random)


@pytest.mark.slow
def test_impact_derivatives_in_loops_are_those_of_each_state_in_batches(monkeypatch):
    functions = ("impact", "impact_derivatives")
    options = {"floating": True, "functions": functions, "contacts": ["link3", "link6"]}
    expected = SHRUB.build(**options)
    for way in ("looped", "only_looped"):
        monkeypatch.setattr(Library, way, lambda _, name: name in (*OF_BASE, functions[1]))
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native")
    compiled = SHRUB.build(backend="cpp", batch=True, **options)
    random = np.random.default_rng(3)
    moving = [random.normal(size=(11, size)) for size in (compiled.n, compiled.n, 6)]
    for hit in ({}, {"restitution": np.linspace(0, 1, 11)}):
        found = compiled.impact_derivatives(*moving, **hit)
        for one, right in zip(found, expected.impact_derivatives(*moving, **hit), strict=True):
            np.testing.assert_allclose(one, right, rtol=0, atol=1e-11 * np.abs(right).max())


def check_function(compiled, expected, function, random):
    """The same of several states and of one, with all arguments and without those left out."""
    name = function.name
    for given in values(random, function, states=11):
        several = results(compiled, name, given)
        for i, other in enumerate(several):
            right = results(expected, name, given)[i]
            atol = 2e-13 * np.abs(right).max()
            np.testing.assert_allclose(other, right, rtol=0, atol=atol, err_msg=name)
            one = results(compiled, name, {key: value[0] for key, value in given.items()})[i]
            np.testing.assert_allclose(one, right[0], rtol=0, atol=atol, err_msg=name)


def check_matrix(H, other):
    """Symmetric, the same in every digit that counts, and zero where it must be."""
    size = np.sqrt(np.einsum("kii->ki", other))
    scale = size[:, :, None] * size[:, None, :]
    np.testing.assert_allclose(H / scale, other / scale, rtol=0, atol=1e-14)
    assert (np.swapaxes(H, 1, 2) == H).all()
    assert ((H == 0) == (other == 0)).all()


AFTER_STEPS = {"inertia_factor", "inertia_matrix_inverse", "solve_inertia"}
AFTER_STEPS |= {"forward_dynamics_derivatives"}
SWEPT = [name for name in OF_BASE if name not in AFTER_STEPS]


def with_massless_links(robot, numbers):
    """The same, some of whose links have no inertia of their own."""
    links = (Link(link.name) if i in numbers else link for i, link in enumerate(robot.links))
    return Tree(tuple(links), robot.joints)


UNIVERSAL = with_massless_links(BUSH, (1, 4))
"""Joints whose axes meet on links without mass."""


SCREWS = Tree(SHRUB.links, tuple(replace(joint, kind="helical") for joint in SHRUB.joints))


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize(
    "robot", [BUSH, CHAINS, UNIVERSAL, tree(range(5), slides=range(5)), SCREWS]
)
def test_a_step_for_all_joints_is_that_of_each(robot, floating, tmp_path):
    """Sweep by sweep and joint by joint, with 50 digits, beside the algorithm on each joint."""
    names = SWEPT if floating else SWEPT[:-1]
    terms = ["armature", "damping", "friction"]
    read_robot = robot_of(robot, tmp_path, floating_base=floating, terms=terms)
    library, random = Library(read_robot, names), Random(1)
    for name in names:
        function = library.function(name)
        given = {
            a.name: [Decimal(random.uniform(-2, 2)) for _ in range(a.size)] for a in function.inputs
        }
        loops = unrolled(library.swept(name, general=True), library.joint_rows.parents)
        found, expected = (
            interpret_exactly(program, given) for program in (loops, library.entry(name).general)
        )
        for output, entries in expected.items():
            most = max(map(abs, entries))
            for one, other in zip(entries, found[output], strict=True):
                assert abs(one - other) <= most * Decimal("1e-40"), (name, output)


def test_what_fits_the_cache_of_instructions_is_straight_line_code(tmp_path):
    assert not in_loops(robot_of(tree(range(6)), tmp_path), IN_LOOPS)
    assert not in_loops(example("hyl"), IN_LOOPS)
    bush = robot_of(tree([i // 3 for i in range(60)]), tmp_path)
    long = {"forward_dynamics", *DERIVATIVES}
    assert in_loops(bush, long) == long
    hyq = read(robot_path("hyq_description/robots/hyq_no_sensors.urdf"), floating_base=True).robot
    assert in_loops(hyq, OF_BASE) == {"forward_dynamics_derivatives"}
    library = Library(hyq)
    assert not any(library.only_looped(name) for name in OF_BASE)


def test_humanoids_have_their_derivatives_in_loops():
    talos = read(robot_path("talos_data/robots/talos_reduced.urdf"), floating_base=True).robot
    long = {*DERIVATIVES, "forward_dynamics_derivatives"}
    assert in_loops(talos, long) == long
    assert Library(talos).only_looped("forward_dynamics_derivatives")
    assert not Library(talos).only_looped("inverse_dynamics_derivatives")


def test_a_factor_with_other_entries_than_the_tree_stays_out_of_loops(tmp_path):
    """In reversed order, children come first: L'L = H has more entries than H."""
    robot = robot_of(tree(range(24)), tmp_path)
    reversed_order = [replace(j, coordinate=23 - j.coordinate) for j in robot.joints]
    other = replace(robot, joints=tuple(reversed_order))
    names = {"inertia_factor", "inertia_matrix_inverse"}
    assert in_loops(robot, names) == names
    assert in_loops(other, names) == {"inertia_matrix_inverse"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("floating", "batch", "several"),
    [(False, True, True), (False, True, False), (True, False, True)],
)
def test_coordinates_may_be_in_any_order(floating, batch, several, tmp_path, monkeypatch):
    """Children come before those that carry them; several states may take the same loops."""
    names = ("inertia_matrix", "inertia_matrix_inverse", "solve_inertia", DERIVATIVES[0])
    names += ("forward_dynamics_derivatives",)
    path = written_backwards(SHRUB, tmp_path / "backwards.kindsl")
    options = {"floating_base": floating, "functions": names}
    expected = robcogen_ros.build(path, backend="numpy", **options)
    monkeypatch.setattr(Library, "looped", lambda library, name: name in names)
    monkeypatch.setattr(Library, "only_looped", lambda library, name: several)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native -Wall -Wextra -Wshadow -Werror")
    compiled = robcogen_ros.build(path, backend="cpp", batch=batch, **options)
    assert compiled.joint_names.index("joint2") < compiled.joint_names.index("joint0")
    library = Library(read(path, floating_base=floating).robot, names)
    for name in names:
        check_function(compiled, expected, library.function(name), np.random.default_rng(3))


@pytest.mark.slow
def test_several_states_at_once_take_straight_line_code(monkeypatch):
    monkeypatch.setattr(Library, "looped", lambda library, name: True)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0")
    options = {"backend": "cpp", "functions": ["inertia_matrix"]}
    several, single = BUSH.build(batch=True, **options), BUSH.build(**options)
    q = np.random.default_rng(1).uniform(-2, 2, (9, several.n))
    one = np.array([several.inertia_matrix(each) for each in q])
    np.testing.assert_array_equal(one, single.inertia_matrix(q))
    np.testing.assert_allclose(several.inertia_matrix(q), one, rtol=0, atol=1e-12)


def test_long_code_is_not_made_where_there_are_loops(tmp_path):
    library = Library(robot_of(tree([max(0, i - 2) for i in range(100)]), tmp_path), DERIVATIVES)
    assert all(library.only_looped(name) for name in DERIVATIVES)
    files = cpp_files(library, Target("demo", "robot", "robot.urdf"))
    assert max(map(len, files.values())) < 1_000_000
    variables = {name for text in files.values() for name in re.findall(r"const V (\w+)", text)}
    assert {"w_x", "ww_xy", "Omega_yz", "p_x", "I_xy", "twice_w_x"} <= variables
    assert not any("__" in name for name in variables), "reserved in C++"


def test_open_parameters_and_joints_of_both_kinds_stay_out_of_loops(tmp_path):
    robot = tree([i // 3 for i in range(60)])
    assert in_loops(robot_of(robot, tmp_path), DERIVATIVES)
    assert not in_loops(robot_of(robot, tmp_path, parameters=["link7.mass"]), DERIVATIVES)
    both = robot_of(tree([i // 3 for i in range(12)], slides=(2,)), tmp_path)
    with pytest.raises(NotAlikeError, match="some joints slide, others turn"):
        Library(both, DERIVATIVES).swept(DERIVATIVES[0], general=False)


def with_follower(robot):
    """The same, whose last joint follows another one."""
    (*others, last) = robot.joints
    follows = Joint(
        last.name, last.kind, last.parent, last.child, last.xyz, mimic=("joint2", 2.0, 0.1)
    )
    return Tree(robot.links, (*others, follows))


@pytest.mark.slow
@pytest.mark.parametrize("floating", [False, True])
def test_followers_are_in_loops(floating, tmp_path, monkeypatch):
    robot = with_follower(BUSH)
    names = [name for name in SWEPT if name != "articulated_inertia_matrix"]
    names = names if floating else [n for n in names if n != "inverse_dynamics_fully_actuated"]
    options = {"floating": floating, "functions": names}
    expected = robot.build(**options)
    monkeypatch.setattr(Library, "looped", lambda library, name: name in names)
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0 -march=native -Wall -Wextra -Wshadow -Werror")
    compiled = robot.build(backend="cpp", **options)
    library = Library(robot_of(robot, tmp_path, floating_base=floating), names)
    for name in names:
        check_function(compiled, expected, library.function(name), np.random.default_rng(5))
