"""Footfall patterns, and what a YAML file asks for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.gait.pattern import Pattern, pattern_by_name
from robcogen_ros.gait.settings import read_settings

SQUARE = [(0.4, 0.2), (0.4, -0.2), (-0.4, 0.2), (-0.4, -0.2)]
FEET = ["lf", "rf", "lh", "rh"]


def standing(gait: str, places=SQUARE, feet=FEET):
    return [
        ("+".join(feet[i] for i in phase.standing), round(phase.share, 6))
        for phase in pattern_by_name(gait, feet, places).phases()
    ]


def test_gaits_of_four_feet_are_those_of_animals():
    """Alexander 1984, of the duty factors that are set."""
    assert standing("trot") == [("lf+rh", 0.5), ("rf+lh", 0.5)]
    assert standing("pace") == [("lf+lh", 0.5), ("rf+rh", 0.5)]
    assert standing("bound") == [("lf+rf", 0.4), ("", 0.1), ("lh+rh", 0.4), ("", 0.1)]
    three = ["lf+rf+lh", "lf+lh+rh", "lf+rf+rh", "rf+lh+rh"]
    assert standing("walk") == [(feet, 0.25) for feet in three]
    assert standing("rack") == [(feet, 0.25) for feet in ["lf+lh", "lf+rh", "rf+rh", "rf+lh"]]


def beats(gait: str) -> list[str]:
    """Feet in the order in which they land, from the first hind foot on after a flight."""
    pattern = pattern_by_name(gait, FEET, SQUARE)
    falls = {}
    for foot, phase in zip(FEET, pattern.phase, strict=True):
        falls.setdefault(round(phase, 6), []).append(foot)
    order = ["+".join(falls[at]) for at in sorted(falls)]
    begins = [phase.begin for phase in pattern.phases() if not phase.standing]
    first = sum(at < begins[0] for at in falls)
    return order[first:] + order[:first]


def test_asymmetrical_gaits_have_a_leading_foot():
    """Hildebrand 1977: the second of a pair leads; fore and hind lead on one side if transverse."""
    assert beats("canter") == ["lh", "lf+rh", "rf"]
    assert beats("transverse_gallop") == ["lh", "rh", "lf", "rf"]
    assert beats("rotary_gallop") == ["rh", "lh", "lf", "rf"]
    pair = ["lf", "lf+rf", "rf"]
    for gait, hind in (("transverse_gallop", ("lh", "rh")), ("rotary_gallop", ("rh", "lh"))):
        one, other = hind
        feet = [*pair, "", one, "+".join(sorted(hind)), other, ""]
        assert standing(gait) == list(zip(feet, [0.1, 0.2, 0.1, 0.1] * 2, strict=True))
    stands = ["lf+lh+rh", "lf+rh", "lf+rf+rh", "rf", "", "lh"]
    assert standing("canter") == list(zip(stands, [0.05, 0.25, 0.05, 0.3, 0.05, 0.3], strict=True))


def test_gaits_of_two_feet():
    pair = ([(0, 0.1), (0, -0.1)], ["l", "r"])
    assert standing("walk", *pair) == [("l+r", 0.1), ("l", 0.4), ("l+r", 0.1), ("r", 0.4)]
    assert standing("run", *pair) == [("l", 0.35), ("", 0.15), ("r", 0.35), ("", 0.15)]


def test_feet_are_told_by_where_they_are():
    order = [2, 0, 3, 1]
    feet, places = [FEET[i] for i in order], [SQUARE[i] for i in order]
    (first, *_), pattern = (
        pattern_by_name("trot", feet, places).phases(),
        pattern_by_name("trot", feet, places),
    )
    assert {feet[i] for i in first.standing} == {"lf", "rh"}
    assert not pattern.half(range(4))
    assert pattern.half([feet.index({"l": "r", "r": "l"}[f[0]] + f[1]) for f in feet])


def test_every_foot_stands_for_its_share_of_a_stride():
    pattern = Pattern((0.6, 0.7, 0.55, 0.3), (0.0, 0.35, 0.8, 0.5))
    phases = pattern.phases()
    assert phases[0].begin == 0
    assert phases[-1].end == 1
    assert all(one.end == two.begin for one, two in pairwise(phases))
    for foot, duty in enumerate(pattern.duty):
        assert sum(p.share for p in phases if foot in p.standing) == pytest.approx(duty)
        assert sum(foot in p.landing for p in phases) == 1


def test_unknown_gaits_are_named():
    with pytest.raises(RobcogenError, match=r"'trott' of 4 feet.*walk, trot, pace"):
        pattern_by_name("trott", FEET, SQUARE)
    with pytest.raises(RobcogenError, match=r"of 3 feet.*duty"):
        pattern_by_name("trot", FEET[:3], SQUARE[:3])


def test_settings_are_read(tmp_path):
    file = tmp_path / "gait.yaml"
    file.write_text(
        "speed: 0.5\nstride: [0.4, 0.9]\nmerit: {energy: 1, time: 1e-1}\naccuracy: 1e-4\n"
    )
    wanted = read_settings(file)
    assert (wanted.speed, wanted.stride) == ((0.5, 0.5), (0.4, 0.9))
    assert wanted.accuracy == 1e-4
    assert wanted.merit == {"energy": 1.0, "time": 0.1}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("gait: trot\nspede: 1\n", "2:1", "unknown setting 'spede'; did you mean 'speed'"),
        ("speed: fast\n", "1:8", r"speed: expected a number, or \[least, greatest\].*'fast'"),
        ("speed: [1, 0.5]\n", "1:8", r"\[least, greatest\] in this order.*found \[1, 0.5\]"),
        ("gait: trot\n\nfriction: 0\n", "3:11", "friction: expected a number from 0.05"),
        ("friction: true\n", "1:11", "found True"),
        ("merit: {speed: 1}\n", "1:8", "weights of energy and time"),
        ("merit: {energy: 0}\n", "1:8", "weights of energy and time, not both 0"),
        ("phases: {lf: 2}\n", "1:9", "share of a stride"),
        ("ground_normal: [0, 0, -1]\n", "1:16", r"normal, z above 0, found \[0, 0, -1\]"),
        ("ground_normal: [0, 1]\n", "1:16", r"\[x, y, z\] of the ground's normal"),
        ("footholds: [0, 1]\n", "1:12", r"as in {lf: \[0.3, 0.2\]"),
        ("footholds: {lf: 0.3}\n", "1:12", "where feet stand"),
        ("footholds: {lf: [0.3, far]}\n", "1:12", "where feet stand"),
        ("rise: high\n", "1:7", "rise: expected a number from -10 to 10"),
        ("stride_length: 0\n", "1:16", "stride_length: expected a number, or"),
        ("intervals: 3\n", "1:12", "whole number from 4"),
        ("stability: dynamic\n", "1:12", "none or static"),
        ("symmetric: maybe\n", "1:12", "true or false"),
        ("gait: trot\ngait: walk\n", "2:1", "given twice"),
        ("gait: [trot\n", "2:1", "not valid YAML"),
        ("- trot\n", "", "expected `name: value`"),
        ("phases: [0, 0.5]\n", "1:9", r"as in {lf: 0, rf: 0.5}.*found \[0, 0.5\]"),
        ("phases: {lf: 0, lf: 0.5}\n", "1:17", "'lf' is given twice, first in line 1"),
        ("? [1]\n: 2\n", "1:3", "expected a name before the colon"),
        ("gait: trot\nspeed: 0.5 \x01\n", "2:12", "character U\\+0001 is not allowed"),
        ("gait: trot\nspeed: !degrees 3\n", "2:8", "without a tag, found !degrees"),
        ("speed: !!python/name:os.system\n", "1:8", "without a tag, found !!python"),
        ("speed: 2026-13-40\n", "1:8", "expected a number.*'2026-13-40'"),
        ("speed: 1:30\n", "1:8", "expected a number.*'1:30'"),
        ("speed: 012\n", "1:8", "expected a number.*'012'"),
        ("speed: &a 1\nduty: *a\n", "1:8", "used again by an alias"),
        ("a: &a [*a]\n", "1:4", "used again by an alias"),
        ("[" * 5000, "1:1", "nested too deeply"),
        ("speed: 1\n---\nspeed: 1\n", "2:1", "another document"),
        ("", "1:1", "the file is empty; expected settings of a gait"),
        (b"# vitesse r\xe9gl\xe9e\ngait: trot\n", "1:12", "byte 0xe9 is not UTF-8"),
        (b"gait: \0", "1:1", "the file is binary"),
    ],
)
def test_mistakes_name_their_line(tmp_path, text, place, words):
    file = tmp_path / "gait.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RobcogenError, match=words) as caught:
        read_settings(file)
    assert str(caught.value).startswith(f"{file}:{place}")


def test_names_are_as_written_and_any_unicode_is_read(tmp_path):
    file = tmp_path / "gait.yaml"
    text = "phases: {off: 0, 012: 0.1, 1:30: 0.2, null: 0.3, 'a: #': 0.4}\nduty: 5e-1\n"
    for encoded in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        file.write_bytes(encoded)
        wanted = read_settings(file)
        assert wanted.phases == {"off": 0, "012": 0.1, "1:30": 0.2, "null": 0.3, "a: #": 0.4}
        assert wanted.duty == 0.5


def test_all_mistakes_are_told_at_once(tmp_path):
    file = tmp_path / "gait.yaml"
    file.write_text("speed: -1\nduty: 2\n")
    with pytest.raises(ModelError) as caught:
        read_settings(file)
    assert len(caught.value.problems) == 2
