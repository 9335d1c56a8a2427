"""Pages are whole: no file has two versions of itself, the synopsis names each keyword."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^(<{7}|>{7}) \S", re.MULTILINE)


def test_no_file_has_two_versions_of_itself():
    found = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    files = [ROOT / name for name in found.stdout.split("\0") if name]
    pages = [path for path in files if path.suffix in {".md", ".rst", ".yaml", ".py", ".xml"}]
    assert not [path for path in pages if path.is_file() and MARK.search(path.read_text())]


def test_the_synopsis_names_each_keyword_of_robcogen_generate():
    text = (ROOT / "cmake" / "robcogen_generate.cmake").read_text()
    readme = (ROOT / "README.md").read_text()
    synopsis = readme.partition("    robcogen_generate(<target>")[2].partition(
        "before `ament_package"
    )[0]
    lists = re.findall(r"set\((?:of_plugins|options|single|multiple) ([^)]*)\)", text)
    keywords = {
        word for words in lists for word in words.split() if word.isupper() and "$" not in word
    }
    assert "WHOLE_BODY" in keywords and "MODEL" in keywords
    assert not keywords - set(re.findall(r"[A-Z_]+", synopsis))
