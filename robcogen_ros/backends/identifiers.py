"""Identifiers for names of any kind, and text that may stand in comments."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from robcogen_ros.errors import RobcogenError


def identifiers(
    names: Iterable[str],
    reserved: Collection[str],
    longest: int | None = None,
    *,
    as_files: bool = False,
) -> list[str]:
    """Identifiers that differ, as like the names as a language allows.

    A name that is an identifier stays what it is, whatever others before it become.

    Args:
        names: The names.
        reserved: Words that no identifier may be.
        longest: How many characters of an identifier count.
        as_files: Whether they name files, which some systems do not tell apart by case.
    """
    taken: set[str] = set()
    result = list(names)
    stems = [_stem(name)[:longest].rstrip("_") for name in result]
    stems = [f"{stem}_" if stem in reserved else stem for stem in stems]
    for i in sorted(range(len(stems)), key=lambda i: stems[i] != result[i]):
        result[i] = _unused(stems[i], taken, longest, as_files)
    return result


def _unused(stem: str, taken: set[str], longest: int | None, as_files: bool) -> str:
    """An identifier, numbered where it is taken, which it then is."""
    unique, k = stem, 1
    while (unique.lower() if as_files else unique) in taken:
        k += 1
        short = stem[: longest - len(str(k)) - 1] if longest else stem
        unique = f"{short.rstrip('_')}_{k}"
    taken.add(unique.lower() if as_files else unique)
    return unique


def refuse_keywords(names: Iterable[str], reserved: Collection[str], language: str) -> None:
    """Names that users choose for modules, packages and namespaces are not changed.

    Raises:
        RobcogenError: If one is reserved.
    """
    for name in names:
        if name in reserved:
            raise RobcogenError(f"'{name}' is a word of {language}; choose another name")


def comment(text: str) -> str:
    """Text that can stand in a comment of any language: one line, nothing that ends it."""
    clean = text
    if not (text.isascii() and text.isprintable()):
        clean = "".join(c if c.isascii() and c.isprintable() else "?" for c in text)
    clean = clean.replace("\\", "/").replace('"""', "'''")
    return clean.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /")


def _stem(name: str) -> str:
    stem = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    stem = stem.strip("_") or "unnamed"
    while "__" in stem:
        stem = stem.replace("__", "_")
    return f"n{stem}" if stem[0].isdigit() else stem
