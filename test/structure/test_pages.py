"""Pages are whole: no leftovers of a merge, links lead somewhere, each keyword is named."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()
PAGES = [name for name in TEXT if name.endswith(".md")]
CMAKE = (ROOT / "cmake" / "robcogen_generate.cmake").read_text(encoding="utf-8")


def keywords(variables: str) -> set[str]:
    """What `robcogen_generate()` takes, as it tells `cmake_parse_arguments()`."""
    lists = re.findall(rf"set\((?:{variables}) ([^)]*)\)", CMAKE)
    return {word for words in lists for word in words.split()} - {"${of_plugins}"}


TAKEN = keywords("of_plugins|options|single|multiple")


@pytest.mark.skipif(not TEXT, reason="no git repository: nothing says which files are its own")
def test_no_file_holds_both_sides_of_a_merge():
    marks = re.compile(rb"^(<{7} |>{7} |={7}$)", re.MULTILINE)
    files = [ROOT / name for name in TEXT]
    assert not [f for f in files if f.is_file() and marks.search(f.read_bytes())]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files(name):
    page = ROOT / name
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", prose)
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_index_names_every_page_once():
    docs = ROOT / "docs"
    pages = [page for kind in ("*.md", "*.rst") for page in docs.rglob(kind)]
    lists = re.findall(r"^- \[[^\]]+\]\(([^)]+)\)", (docs / "index.md").read_text(), re.MULTILINE)
    names = sorted(page.relative_to(docs).as_posix() for page in pages)
    assert sorted([*lists, "index.md"]) == names


def test_page_and_header_name_every_keyword_once():
    synopsis = re.search(r"robcogen_generate\(<target>(.*?)\)\n", _page(), re.DOTALL).group(1)
    assert sorted(re.findall(r"\b[A-Z][A-Z_]{3,}\b", synopsis)) == sorted(TAKEN)
    header = re.findall(r"^#   ([A-Z_]{4,}.*?)(?:   |$)", CMAKE, re.MULTILINE)
    assert sorted(re.findall(r"\b[A-Z][A-Z_]{3,}\b", " ".join(header))) == sorted(TAKEN)


def test_what_is_for_robots_alone_is_taken():
    assert keywords("of_robots") < TAKEN


def _page() -> str:
    return (ROOT / "docs" / "cmake.md").read_text(encoding="utf-8")
