"""Pages are whole: no leftovers of a merge, links lead somewhere, and nothing nameable is missing.

Functions are held by `test_functions_page`, parameters and faults by the tests of their nodes.
"""

import re
import subprocess
from collections.abc import Iterable
from inspect import signature
from pathlib import Path

import pytest

from robcogen_ros import build, load
from robcogen_ros.cli.main import COMMANDS, main
from robcogen_ros.model import options
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
from test import pages

ROOT = Path(__file__).resolve().parents[2]
TEXT = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
PAGES = [name for name in TEXT if name.endswith(".md")]
CMAKE = (ROOT / "cmake" / "robcogen_generate.cmake").read_text(encoding="utf-8")


def keywords() -> set[str]:
    """What `robcogen_generate()` takes: the options of robots, and what it names itself."""
    lists = re.findall(r"set\((?:of_plugins|code|lists|once) ([^)]*)\)", CMAKE)
    lists += re.findall(r"cmake_parse_arguments\(([^)]*)\)", CMAKE)
    words = {word for words in lists for word in re.findall(r"(?<![{\w])[A-Z][A-Z_]+\b", words)}
    named = {option.keyword for option in options.OPTIONS.values()} - {"FORMAT"}
    return (words | named) - {"PARSE_ARGV"}


TAKEN = keywords()


@pytest.mark.skipif(not TEXT, reason="no git repository: nothing says which files are its own")
def test_no_file_holds_both_sides_of_a_merge():
    marks = re.compile(rb"^(<{7} |>{7} |={7}$)", re.MULTILINE)
    files = [ROOT / name for name in TEXT]
    assert not [f for f in files if f.is_file() and marks.search(f.read_bytes())]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files_and_headings(name):
    page = ROOT / name
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for file, heading in re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", prose):
        target = page.parent / file if file else page
        assert target.exists(), file
        assert not heading or heading in headings(target), f"{file}#{heading}"


def headings(page: Path) -> list[str]:
    """What links call the headings and anchors of a page."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    names = [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]
    return names + re.findall(r'<a id="(\w+)">', text)


@pytest.mark.parametrize("name", pages.PAGES)
def test_blocks_of_shell_have_a_mark_that_says_whether_they_run(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    found = [block for block in pages.blocks(text) if not block.name]
    assert found and text.count("<!-- shell: ") == sum(bool(block.mark) for block in found)
    assert {block.mark for block in found} <= {"", *pages.MARKS}
    assert all(
        "".join(block.lines) == "".join(block.commands()).replace("\n", "") for block in found
    )


def test_lines_of_shell_that_belong_together_are_one_command():
    shell = "    a b \\\n      'c\n    d' # e\n    f\n"
    page = f"\n<!-- shell: ros -->\n\n{shell}\n```text\nx\n...\n```\n"
    (block,) = pages.blocks(page)
    assert (block.line, block.mark, block.printed) == (4, "ros", "x\n...\n")
    assert [*block.commands()] == ["a b \\\n  'c\nd' # e", "f"]
    assert pages._has("1\nx\ny\n", block.printed) and not pages._has("1\ny\n", block.printed)


def test_the_index_names_every_page_once():
    docs = ROOT / "docs"
    pages = [page for kind in ("*.md", "*.rst") for page in docs.rglob(kind)]
    lists = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", (docs / "index.md").read_text(), re.MULTILINE)
    names = sorted(page.relative_to(docs).as_posix() for page in pages)
    assert sorted([*lists, "index.md"]) == names


def test_the_page_on_installing_names_every_extra():
    project = (ROOT / "pyproject.toml").read_text()
    extras = project.partition("[project.optional-dependencies]\n")[2].partition("\n\n")[0]
    table = (ROOT / "docs" / "install.md").read_text().partition("robcogen_ros[...]'` | for |")[2]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(named) == sorted(line.split(" = ")[0] for line in extras.splitlines())


def test_page_and_header_name_every_keyword_once():
    synopsis = re.search(r"robcogen_generate\(<target>(.*?)\)\n", _page(), re.DOTALL).group(1)
    assert sorted(re.findall(r"\b[A-Z][A-Z_]{3,}\b", synopsis)) == sorted(TAKEN)
    header = re.findall(r"^#   ([A-Z_]{4,}.*?)(?:   |$)", CMAKE, re.MULTILINE)
    assert sorted(re.findall(r"\b[A-Z][A-Z_]{3,}\b", " ".join(header))) == sorted(TAKEN)


def test_the_keywords_of_cmake_are_those_of_the_record():
    rendered = ROOT / "cmake" / "robcogen_options.cmake"
    assert rendered.read_text(encoding="utf-8") == options.cmake(), "its head says how to render it"


def _page() -> str:
    return (ROOT / "docs" / "cmake.md").read_text(encoding="utf-8")


def _pages() -> str:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def _missing(names: Iterable[str], text: str) -> list[str]:
    """Those of some names that a text does not have as words of their own."""
    return [n for n in names if not re.search(rf"(?<![\w-]){re.escape(n)}(?![\w-])", text)]


@pytest.mark.parametrize("command", COMMANDS)
def test_pages_name_every_command_and_option(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = re.findall(r"(?<![\w-])--[a-z][\w-]*", capsys.readouterr().out)
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") + _page()
    assert re.search(rf"^\|.*`{command}\b", text, re.MULTILINE)
    assert not _missing({*told} - {"--help"}, text)


def test_pages_name_every_argument_of_python():
    arguments = [name for call in (build, load) for name in signature(call).parameters]
    assert not _missing([f"`{name}`" for name in arguments if name != "name"], _page())


@pytest.mark.parametrize("kind", [FixedBaseRobot, FloatingBaseRobot])
def test_pages_name_every_method_of_a_robot(kind):
    assert not _missing([name for name in dir(kind) if not name.startswith("_")], _pages())


def test_pages_name_every_topic_and_service():
    """Those that nodes and plugins make, by the text of their names in the sources."""
    made = re.compile(r'create_(?:publisher|subscription|service)\b[^;{"]*"([~\w/]*\w)", ')
    sources = [*(ROOT / "robcogen_ros/ros").glob("*.py"), *(ROOT / "include").rglob("*.hpp")]
    topics = {t for source in sources for t in made.findall(source.read_text(encoding="utf-8"))}
    assert len(topics) > 15
    assert not [topic for topic in topics if f"`{topic}`" not in _pages()]


def test_pages_name_every_fault():
    """What whole-body controllers count, in C++ and in Python."""
    command = (ROOT / "include/robcogen_ros/whole_body/command.hpp").read_text(encoding="utf-8")
    faults = set(re.findall(r"^  (\w+) = 1u << ", command, re.MULTILINE))
    for source in (ROOT / "robcogen_ros/control").glob("*.py"):
        faults.update(re.findall(r'faults\["(\w+)"\]', source.read_text(encoding="utf-8")))
    assert len(faults) > 10
    assert not [fault for fault in faults if f"`{fault}`" not in _pages()]


def test_pages_name_every_keyword_in_a_table():
    rows = [line for line in _page().splitlines() if line.startswith("| ")]
    assert not _missing(TAKEN, "\n".join(rows))


def test_each_room_has_tests_or_a_line_that_says_where_they_are():
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(\w+)/`", table))
    folders = [*(ROOT / "robcogen_ros").iterdir(), *(ROOT / "include" / "robcogen_ros").iterdir()]
    rooms = {folder.name for folder in folders if folder.is_dir() and folder.name[0] != "_"}
    tested = {folder.name for folder in (ROOT / "test").iterdir() if folder.is_dir()}
    assert rooms <= tested | told
    for path in re.findall(r"`(test/[^`*]+)`", table):
        assert (ROOT / path).exists(), path
