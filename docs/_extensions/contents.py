"""The site's navigation is the index: each of its headings with links to pages is a part.

So the index reads as a page, on the web too, and no page is listed twice.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_PART = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_WHAT = re.compile(r"^(- \[[^\]]+\]\([^)]+\)): ", re.MULTILINE)
_PAGE = re.compile(r"\[([^\]]+)\]\(([\w/]+)\.(?:md|rst)\)")


def _add_toctrees(app: Sphinx, name: str, text: list[str]) -> None:
    if name != app.config.root_doc:
        return
    for heading, body in _PART.findall(text[0]):
        entries = [f"{title} <{page}>" for title, page in _PAGE.findall(body)]
        if entries:
            lines = ["```{toctree}", ":hidden:", f":caption: {heading}", "", *entries, "```"]
            text[0] += "\n" + "\n".join(lines) + "\n"
    text[0] = _WHAT.sub("\\1\\\\\n  ", text[0])  # a card: title, then what it tells


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _add_toctrees)
    return {"parallel_read_safe": True}
