"""ROS packages of checked-out repositories, as a sourced workspace has them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree


def workspace(repositories: Iterable[Path], prefix: Path) -> None:
    """Writes a prefix with links to the packages of repositories; the first of a name is taken."""
    index = prefix / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True, exist_ok=True)
    for manifest in (m for r in repositories for m in sorted(r.rglob("package.xml"))):
        name, link = _name(manifest), prefix / "share"
        if name and not (link / name).exists():
            (link / name).symlink_to(manifest.parent.resolve())
            (index / name).touch()


def sourced(prefix: Path) -> dict[str, str]:
    """The environment in which the packages of a prefix are found."""
    others = os.environ.get("AMENT_PREFIX_PATH", "")
    paths = os.pathsep.join(filter(None, (str(prefix), others)))
    return {**os.environ, "AMENT_PREFIX_PATH": paths, "ROS_VERSION": "2"}


def _name(manifest: Path) -> str:
    try:
        return (ElementTree.parse(manifest).getroot().findtext("name") or "").strip()
    except ElementTree.ParseError:
        return ""
