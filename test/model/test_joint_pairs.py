from hypothesis import given
from hypothesis import strategies as st

from robcogen_ros.model.joint_pairs import joint_pairs


@st.composite
def trees(draw):
    """What carries each joint of a tree: one before it, or the base."""
    return [draw(st.integers(-1, i - 1)) for i in range(draw(st.integers(1, 40)))]


@given(trees())
def test_all_joints_come_once_and_none_before_those_that_it_carries(carriers):
    done = set()
    for pair in joint_pairs(carriers):
        joints = [joint for joint in pair if joint >= 0]
        for joint in joints:
            assert {i for i, carrier in enumerate(carriers) if carrier == joint} <= done
        assert not done & set(joints)
        done |= set(joints)
    assert done == set(range(len(carriers)))


@given(trees())
def test_the_first_of_a_pair_is_always_there(carriers):
    assert all(first >= 0 for first, _ in joint_pairs(carriers))


def test_two_chains_go_side_by_side_each_in_its_place():
    assert joint_pairs([-1, 0, 1, -1, 3, 4]) == [(2, 5), (1, 4), (0, 3)]


def test_the_longest_chain_is_never_waited_for():
    long = [-1, *range(9)]
    branches = [0, 2, 4, 6]
    assert len(joint_pairs([*long, *branches])) == len(long)
