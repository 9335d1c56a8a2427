"""Every link within the built site leads to a page and to an anchor on it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sphinx.application import Sphinx
from sphinx.util import logging

_LOG = logging.getLogger(__name__)
_HREF = re.compile(r'\b(?:href|src)="([^"]*)"')
_ID = re.compile(r'\b(?:id|name)="([^"]*)"')
_ELSEWHERE = ("http:", "https:", "mailto:", "data:", "javascript:")


def broken(site: Path) -> list[tuple[str, str]]:
    """Links of a folder of HTML pages that lead nowhere, each with the page that has it."""
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    anchors = {page: set(_ID.findall(text)) for page, text in pages.items()}
    found = []
    for page, text in pages.items():
        for link in sorted(set(_HREF.findall(text))):
            path, _, anchor = unquote(link).partition("#")
            if link.startswith(_ELSEWHERE):
                continue
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            if not target.exists() or (anchor and anchor not in anchors.get(target, {anchor})):
                found.append((page.relative_to(site).as_posix(), link))
    return found


def _check(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for page, link in broken(Path(app.outdir)):
            _LOG.warning("%s: the link %s leads nowhere", page, link)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", _check)
    return {"parallel_read_safe": True}
