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
from typing import Any, ClassVar
from xml.etree import ElementTree

from docutils import nodes
from project import ROOT
from sphinx.application import Sphinx
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
    for path in (folder / "xml").glob("*.xml"):  # Doxygen drops a blank
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\btypename(?=[A-Z])", "typename ", text), encoding="utf-8")
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
    """What a header declares, without what the option `left-out` matches."""

    required_arguments = 1
    option_spec: ClassVar = {"left-out": str}

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        if not self.config.breathe_projects:
            said = any(self.state.document.findall(nodes.note))
            note = "" if said else f".. note:: {_MISSING}"
            return self.parse_text_to_nodes(f'{note}\n\n``#include "{self.arguments[0]}"``')
        xml = Path(self.config.breathe_projects["robcogen_ros"])
        lines = _rendered(xml, self.arguments[0], self.options.get("left-out", ""))
        return self.parse_text_to_nodes("\n".join(lines))


def _rendered(xml: Path, header: str, left_out: str) -> Iterator[str]:
    """What a header declares, by directives of breathe: functions first, then classes."""
    yield from (f'``#include "{header}"``', "")
    for space in _compounds(xml, "namespace*.xml"):
        for member in space.iter("memberdef"):
            name, kind = member.findtext("name"), member.get("kind")
            if _is_in(member, header) and not re.fullmatch(left_out, name):
                taken = (member.findtext("argsstring") or "").partition(" noexcept")[0]
                which = taken if kind == "function" else ""  # others may bear its name
                yield from (
                    f".. doxygen{kind}:: {space.findtext('compoundname')}::{name}{which}",
                    "",
                )
    for file in _compounds(xml, "*_8hpp.xml"):
        for inner in file.findall("innerclass") if _is_in(file, header) else ():
            if re.fullmatch(left_out, inner.text.rpartition("::")[2]):
                continue
            kind = "class" if inner.get("refid").startswith("class") else "struct"
            yield from (f".. doxygen{kind}:: {inner.text}", "   :members:")
            yield from ("   :undoc-members:", "")


def _compounds(xml: Path, pattern: str) -> Iterator[ElementTree.Element]:
    for path in sorted(xml.glob(pattern)):
        yield ElementTree.parse(path).getroot().find("compounddef")


def _is_in(declared: ElementTree.Element, header: str) -> bool:
    return declared.find("location").get("file") == header


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.setup_extension("breathe")
    app.connect("builder-inited", _read_headers, priority=100)
    app.add_directive("header", Header)
    return {"parallel_read_safe": True}
