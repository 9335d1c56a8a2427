"""Templates to files: one Jinja environment, files rewritten only where their text changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

from robcogen_ros.backends.wrap import documented, enclosed

_PACKAGE = Path(__file__).resolve().parent.parent


def template_directory() -> Path:
    """Where the templates are: inside the installed package, else beside it in a checkout."""
    inside = _PACKAGE / "templates"
    return inside if inside.is_dir() else _PACKAGE.parent / "templates"


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_directory()),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    environment.filters["between"] = lambda items, head, tail, indent="": enclosed(
        head, items, tail, indent
    )
    environment.filters["documented"] = documented
    return environment


def render(template: str, context: Mapping[str, Any]) -> str:
    """The text of a template, named by its path below the template directory."""
    return _environment().get_template(template).render(context)


def load(templates: Iterable[str]) -> None:
    """Let templates be ready when they are rendered."""
    for template in templates:
        _environment().get_template(template)


def write_changed(files: Mapping[Path, str]) -> None:
    """Write files, but leave alone those that have their text already.

    All texts are ready before the first is written, so that no error leaves half of them.
    """
    for path, text in files.items():
        data = text.encode()
        if path.is_file() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.partial")
        partial.write_bytes(data)
        partial.replace(path)


def generator_files() -> list[Path]:
    """Every file whose change may change what is generated."""
    sources = sorted(_PACKAGE.rglob("*.py")) + sorted(_PACKAGE.rglob("*.lark"))
    templates = sorted(path for path in template_directory().rglob("*") if path.is_file())
    return [*sources, *templates]


def include_directory() -> Path:
    """Where `robcogen_ros/model.h` is: in the package, in a checkout, or in an install prefix."""
    candidates = [_PACKAGE / "include", _PACKAGE.parent / "include"]
    candidates += [parent / "include" / "robcogen_ros" for parent in _PACKAGE.parents]
    for candidate in candidates:
        if (candidate / "robcogen_ros" / "model.h").is_file():
            return candidate
    raise FileNotFoundError("robcogen_ros/model.h is missing: reinstall robcogen_ros")
