"""All constants are those of the robot whose joints are where doubles can have them."""

from decimal import Decimal

from robcogen_ros.algorithms.link_frames import with_chosen_frames
from robcogen_ros.algorithms.rounded_positions import with_rounded_positions
from robcogen_ros.formats.load import parse
from robcogen_ros.formats.source import Source
from robcogen_ros.model import number
from robcogen_ros.model.reduce import reduce
from robcogen_ros.program.interpret import interpret_exactly
from robcogen_ros.program.library import Library
from test.support.random_robots import Joint, Link, Tree

THIGH = "0.3"
"""No double is this length [m]."""

BALANCED, UNBALANCED = -0.3, -0.31
"""Where 1 kg balances 3 kg at 0.1 m or does not [m]."""


def robot_of(tree, written="", instead=""):
    urdf = tree.urdf().replace(written, instead)
    return reduce(parse(Source("robot.urdf", urdf)))


def leg(length):
    """A leg of two links, the joints of which are so far apart."""
    tree = Tree(
        (Link("base"), Link("thigh", 1.0, (0.1, 0.0, 0.0)), Link("shank", 2.0, (-0.3, 0.01, 0.0))),
        (
            Joint("hip", "revolute", "base", "thigh"),
            Joint("knee", "revolute", "thigh", "shank", xyz=(float(THIGH), 0.0, 0.0)),
        ),
    )
    return robot_of(tree, f'xyz="{THIGH} 0.0 0.0"', f'xyz="{length} 0.0 0.0"')


def inertia_matrix(robot):
    program = Library(robot, ["inertia_matrix"]).entry("inertia_matrix").general
    return interpret_exactly(program, {"q": [Decimal("0.1"), Decimal("3.1")]})["H"]


def seesaw(counterweight):
    """A link with a counterweight of what it carries."""
    tree = Tree(
        (Link("base"), Link("beam", 1.0, (counterweight, 0.0, 0.0)), Link("load", 3.0)),
        (
            Joint("pivot", "revolute", "base", "beam"),
            Joint("turn", "revolute", "beam", "load", xyz=(0.1, 0.0, 0.0)),
        ),
    )
    return with_chosen_frames(robot_of(tree))


def test_constants_are_those_of_the_robot_with_rounded_positions():
    written, exact = inertia_matrix(leg(THIGH)), inertia_matrix(leg(Decimal(float(THIGH))))
    assert max(abs(a - b) for a, b in zip(written, exact, strict=True)) < Decimal("1e-45")
    elsewhere = inertia_matrix(leg("0.3000000000000001"))
    assert max(abs(a - b) for a, b in zip(written, elsewhere, strict=True)) > Decimal("1e-17")


def test_joints_move_by_less_than_their_last_digit():
    robot = seesaw(UNBALANCED)
    joints = (robot.joints[1], with_rounded_positions(robot).joints[1])
    given, found = (joint.pose.translation.x.value for joint in joints)
    assert given != found == number.rounded(given)
    assert float(given) == float(found)


def test_what_vanishes_still_vanishes():
    robot = seesaw(BALANCED)
    assert with_rounded_positions(robot) is robot
