"""Positions of tags and attributes."""

from __future__ import annotations

from robcogen_ros.formats.located_xml import parse
from robcogen_ros.formats.source import decode

TEXT = """<?xml version="1.0"?>
<!-- ü -->
<robot name='é'
       version = "1.0"><link name="a>b"
  other="x"/>
</robot>
"""


def place(location) -> tuple[int, int]:
    return location.line, location.column


def test_tags_know_their_places():
    robot = parse(decode(TEXT.encode(), "r"))
    assert place(robot.location) == (3, 1)
    assert place(robot.children[0].location) == (4, 24)


def test_attributes_know_their_places():
    robot = parse(decode(TEXT.encode(), "r"))
    assert place(robot.attribute_location("name")) == (3, 14)
    assert place(robot.attribute_location("version")) == (4, 19)
    assert place(robot.children[0].attribute_location("other")) == (5, 10)


def test_a_missing_attribute_is_placed_at_its_tag():
    robot = parse(decode(TEXT.encode(), "r"))
    assert robot.attribute_location("none") == robot.location


def test_columns_count_characters_in_any_encoding():
    header = '<?xml version="1.0" encoding="latin-1"?>'
    robot = parse(decode(f"{header}<!--é--><robot/>".encode("latin-1"), "r"))
    assert place(robot.location) == (1, len(header) + 9)


def test_walk_is_in_document_order():
    root = parse(decode(b"<a><b><c/></b><d/></a>", "r"))
    assert [element.tag for element in root.walk()] == ["a", "b", "c", "d"]
