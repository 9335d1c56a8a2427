"""The directive `cmake-keywords`: what `robcogen_generate()` takes, from the head of its file."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from project import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = ROOT / "cmake" / "robcogen_generate.cmake"
_KEYWORD = re.compile(r"(?P<words>[A-Z][A-Z_]{3,}.*?)(?: {2,}(?P<text>\S.*))?$")


def keywords() -> list[tuple[str, str]]:
    """Keywords with what follows them, and what they mean."""
    found: list[tuple[str, str]] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        match = _KEYWORD.match(line.removeprefix("#   ")) if line.startswith("#   ") else None
        if match:
            found.append((match["words"], match["text"] or ""))
        elif found and line.startswith("#    "):
            words, text = found[-1]
            found[-1] = (words, f"{text} {line[1:].strip()}")
    return found


class Keywords(SphinxDirective):
    """A definition list of the keywords."""

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        self.env.note_dependency(str(FILE))
        lines = [line for pair in keywords() for line in (f"``{pair[0]}``", f"    {pair[1]}", "")]
        return self.parse_text_to_nodes("\n".join(lines).replace("*", "\\*"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("cmake-keywords", Keywords)
    return {"parallel_read_safe": True}
