"""What is made while garbage is collected seldom is old afterwards."""

import gc

import pytest

from robcogen_ros.program.garbage_collection import rare_collections


@pytest.fixture
def freezing():
    gc.freeze()
    yield
    gc.unfreeze()


def test_what_was_made_is_no_young_object():
    usual = gc.get_threshold()
    with rare_collections():
        made = [[] for _ in range(10)]
    young = {id(each) for generation in (0, 1) for each in gc.get_objects(generation)}
    assert not young & set(map(id, made))
    assert gc.get_threshold() == usual


@pytest.mark.usefixtures("freezing")
def test_what_others_have_frozen_stays_so():
    with rare_collections():
        pass
    assert gc.get_freeze_count() > 0
