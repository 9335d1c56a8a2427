"""Links of pages to files outside of docs/ lead to the repository; a file that is gone fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from project import ROOT, url
from sphinx.application import Sphinx
from sphinx.util import logging

_LINK = re.compile(r"\]\(((?:\.\./)+[^)#:\s]*)")
_LOG = logging.getLogger(__name__)


def _lead_outside(app: Sphinx, name: str, text: list[str]) -> None:
    folder = (ROOT / "docs" / name).parent

    def replaced(match: re.Match[str]) -> str:
        path = (folder / match[1]).resolve()
        if path.is_relative_to(ROOT / "docs"):
            return match[0]
        if not path.exists():
            line = text[0].count("\n", 0, match.start()) + 1
            _LOG.warning("there is no %s", match[1], location=(name, line))
        return f"]({url(path)}"

    if Path(app.env.doc2path(name)).suffix == ".md":
        text[0] = _LINK.sub(replaced, text[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("source-read", _lead_outside)
    return {"parallel_read_safe": True}
