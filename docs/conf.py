"""How Sphinx makes the site of these pages: `make docs`; rosdoc2 reads this file too."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "_extensions"))

from project import ROOT  # noqa: E402
from sphinx.util.inspect import TypeAliasForwardRef  # noqa: E402

sys.path.insert(0, str(ROOT))

_package = ElementTree.parse(ROOT / "package.xml").getroot()

project = "robcogen_ros"
author = _package.findtext("author")
copyright = f"{author}, BSD-3-Clause"
release = version = _package.findtext("version")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "contents",
    "outside",
    "highlighting",
    "commands",
    "cmake_keywords",
    "cpp",
    "links",
]
# Without latex2mathml (rosdoc2 has none) formulas are left to MathJax, which needs a network.
extensions += ["mathml"] if find_spec("latex2mathml") else ["sphinx.ext.mathjax"]

# What rosdoc2 writes beside these pages: an index, the standard documents, a page a module.
exclude_patterns = [
    "_extensions",
    "index.rst",
    "__*.rst",
    "standard*",
    "robcogen_ros*.rst",
    "modules.rst",
]
rosdoc2_settings = {
    "enable_breathe": False,
    "enable_exhale": False,
    "enable_intersphinx": False,
    "automatically_extend_intersphinx_mapping": False,
}

myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Array", "ArrayLike", "GivenGravity")}
TypeAliasForwardRef.__repr__ = lambda alias: alias.name
default_role = "literal"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
add_module_names = False

html_math_renderer = "mathml" if "mathml" in extensions else "mathjax"
html_theme = "furo" if find_spec("furo") else "alabaster"
html_title = f"robcogen_ros {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(DOCS / "_static" / "scorer.js")
html_copy_source = html_show_sourcelink = False
toc_object_entries_show_parents = "hide"
