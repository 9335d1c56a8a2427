"""C++ headers and templates: includes go one way, sizes stay small, lanes know no mechanics."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include" / "robcogen_ros"
HEADERS = sorted(path for path in INCLUDE.rglob("*") if path.is_file())
TEMPLATES = sorted((ROOT / "templates").rglob("*.jinja"))

MAY_INCLUDE = {
    "": set(),
    "simd": {""},
    "interpreter": set(),
    "interface": {"", "simd"},
    "inverse_kinematics": {""},
    "core": {
        *("", "control", "estimator", "ground", "whole_body", "legged", "observer", "parameters"),
        "inverse_kinematics",
    },
    "sparse": {"", "simd"},
    "parameters": {""},
    "ground": {"", "parameters"},
    "whole_body": {"", "ground", "parameters"},
    "legged": {"", "ground", "whole_body", "parameters"},
    "observer": {"", "ground", "parameters"},
    "estimator": {"", "parameters"},
    "control": {
        *("", "estimator", "ground", "legged", "whole_body", "observer", "parameters"),
    },
    "ros2_control": {
        *("", "core", "control", "ground", "whole_body", "observer", "parameters"),
    },
    "plugins": {"", "control", "core", "inverse_kinematics"},
    "realtime": {"", "control", "parameters"},
    "xla": {""},
}
"""Which rooms a room's headers may include beside their own; the room of public headers is ""."""

MECHANICS = re.compile(
    r"joint|link|limb|robot|inertia|mass|gravity|torque|wrench|force|veloc|accel|momentum|dynamics"
)


def room(header: str) -> str:
    folder = Path(header).parent
    return "" if folder == Path() else folder.parts[0]


def test_includes_go_one_way():
    for path in HEADERS:
        here = room(str(path.relative_to(INCLUDE)))
        for header in re.findall(r'#include "robcogen_ros/(.*)"', path.read_text()):
            assert (INCLUDE / header).is_file(), path
            assert room(header) in MAY_INCLUDE[here] | {here}, path


def test_files_stay_small():
    for path in (*HEADERS, *TEMPLATES):
        most = 130 if path.name == "model.cpp.jinja" else 400 if path in HEADERS else 250
        assert len(path.read_text().splitlines()) <= most, path


def test_functions_stay_small():
    """All but those that list the parameters of a table, a line each."""
    for path in HEADERS:
        if path.parent.name == "parameters":
            continue
        text = path.read_text()
        for begin in re.finditer(r"^( *)\{\n", text, re.MULTILINE):
            head = text[: begin.start()].rsplit("\n\n", 1)[-1]
            if not re.search(r"\b(class|struct|namespace)\b[^()]*$|extern \"C\"\s*$", head):
                end = text.index(f"\n{begin[1]}}}", begin.start())
                lines = text.count("\n", begin.end(), end)
                assert lines < 60, (path, head.splitlines()[-1])


def test_lanes_know_no_mechanics():
    for path in (INCLUDE / "simd").iterdir():
        text = path.read_text().lower().replace("robcogen", "")
        assert not MECHANICS.search(text), path
