"""The directive `header`: what Doxygen reads in a C++ header, rendered by breathe.

Headers are those of include/robcogen_ros that pages name, and those of a robot that is generated
for these pages. Without Doxygen the reference of C++ is left out, and says so.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from project import ROOT
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from robcogen_ros.cli.main import main

_LOG = logging.getLogger(__name__)
_NAMED = re.compile(r"^\.\. header:: (\S+)", re.MULTILINE)
_MISSING = "SKIPPED: the C++ reference needs Doxygen (Debian, Ubuntu: apt install doxygen)."
_ROBOT = ROOT / "examples" / "hyl.kindsl"
_SETTINGS = """
INPUT = {headers}
STRIP_FROM_PATH = {include} {generated}
STRIP_FROM_INC_PATH = {include} {generated}
OUTPUT_DIRECTORY = {output}
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
GENERATE_HTML = NO
GENERATE_LATEX = NO
EXTRACT_ALL = YES
EXTRACT_PRIVATE = NO
HIDE_FRIEND_COMPOUNDS = YES
ENABLE_PREPROCESSING = YES
SEARCH_INCLUDES = NO
AUTOLINK_SUPPORT = NO
MARKDOWN_SUPPORT = YES
WARN_IF_UNDOCUMENTED = NO
WARN_IF_INCOMPLETE_DOC = NO
QUIET = YES
"""


def _read_headers(app: Sphinx) -> None:
    """Generate the robot and run Doxygen over the headers that pages name."""
    app.config.breathe_projects = {}
    if not shutil.which("doxygen"):
        _LOG.info(_MISSING)
        return
    folder = Path(app.outdir).parent / "cpp"
    generated = folder / "robot"
    shutil.rmtree(folder, ignore_errors=True)
    words = ["generate", str(_ROBOT), "--name", "leg", "--quiet", "-o", str(generated)]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        if main(words) != 0:
            raise ExtensionError(said.getvalue())
    includes = (ROOT / "include", generated / "include")
    headers = [_found(name, includes) for name in _names(Path(app.srcdir))]
    settings = _SETTINGS.format(
        headers=" ".join(map(str, headers)),
        include=includes[0],
        generated=includes[1],
        output=folder,
    )
    run = subprocess.run(
        ["doxygen", "-"], input=settings, capture_output=True, text=True, check=False
    )
    if run.returncode != 0 or run.stderr.strip():
        _LOG.warning("Doxygen: %s", run.stderr.strip())
    app.config.breathe_projects = {"robcogen_ros": str(folder / "xml")}
    app.config.breathe_default_project = "robcogen_ros"


def _names(pages: Path) -> list[str]:
    texts = [page.read_text(encoding="utf-8") for page in sorted(pages.rglob("*.rst"))]
    return [name for text in texts for name in _NAMED.findall(text)]


def _found(name: str, includes: tuple[Path, ...]) -> Path:
    for include in includes:
        if (include / name).is_file():
            return include / name
    raise ExtensionError(f"docs: there is no header {name}")


class Header(SphinxDirective):
    """What a header declares."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        if not self.config.breathe_projects:
            return self.parse_text_to_nodes(f".. note:: {_MISSING}\n")
        return self.parse_text_to_nodes("\n".join(_rendered(self.config, self.arguments[0])))


def _rendered(config: Config, header: str) -> Iterator[str]:
    """What a header declares, by directives of breathe: functions first, then classes."""
    yield from (f'``#include "{header}"``', "")
    for path in Path(config.breathe_projects["robcogen_ros"]).glob("*_8hpp.xml"):
        file = ElementTree.parse(path).getroot().find("compounddef")
        if file.find("location").get("file") != header:
            continue
        if file.find("sectiondef") is not None:
            name = file.findtext("compoundname")
            yield from (f".. doxygenfile:: {name}", "   :sections: detaileddescription enum func define var", "")
        for inner in file.findall("innerclass"):
            kind = "class" if inner.get("refid").startswith("class") else "struct"
            yield from (
                f".. doxygen{kind}:: {inner.text}",
                "   :members:",
                "   :undoc-members:",
                "",
            )


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.setup_extension("breathe")
    app.connect("builder-inited", _read_headers, priority=100)
    app.add_directive("header", Header)
    return {"parallel_read_safe": True}
