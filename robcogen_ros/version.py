"""The version of this package, which is told in `package.xml` alone."""

from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

_SOURCE = Path(__file__).resolve().parents[1] / "package.xml"


def _version() -> str:
    """Returns the version of the sources where they run in place, else of the installed package."""
    told = ElementTree.parse(_SOURCE).findtext("version") if _SOURCE.exists() else None
    return told or metadata.version("robcogen_ros")


__version__ = _version()
