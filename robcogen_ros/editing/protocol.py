"""Our results in the words of the Language Server Protocol."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from robcogen_ros.editing.completion import Suggestion
from robcogen_ros.editing.lines import Lines
from robcogen_ros.editing.outline import Entry
from robcogen_ros.errors import Problem

_REFUSED = -32803
"""The protocol's RequestFailed."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_KINDS = {
    "robot": types.SymbolKind.Module,
    "model": types.SymbolKind.Module,
    "section": types.SymbolKind.Module,
    "group": types.SymbolKind.Module,
    "link": types.SymbolKind.Class,
    "limb": types.SymbolKind.Class,
    "joint": types.SymbolKind.Interface,
    "frame": types.SymbolKind.Field,
    "parameter": types.SymbolKind.Variable,
    "relation": types.SymbolKind.Function,
}
_ITEMS = {
    "keyword": types.CompletionItemKind.Keyword,
    "link": types.CompletionItemKind.Class,
    "limb": types.CompletionItemKind.Class,
    "joint": types.CompletionItemKind.Interface,
    "frame": types.CompletionItemKind.Field,
    "constant": types.CompletionItemKind.Constant,
}


def range_of(lines: Lines, start: int, end: int) -> types.Range:
    """The range between two offsets."""
    first, last = (types.Position(*lines.position(offset)) for offset in (start, end))
    return types.Range(first, last)


def diagnostic(problem: Problem, place: types.Range) -> types.Diagnostic:
    """A finding."""
    severity = _SEVERITIES[problem.severity]
    return types.Diagnostic(place, problem.message, severity=severity, source="robcogen")


def completion_item(suggestion: Suggestion, place: types.Range) -> types.CompletionItem:
    """A word that may be written in the place of what is there."""
    return types.CompletionItem(
        label=suggestion.text,
        kind=_ITEMS.get(suggestion.kind, types.CompletionItemKind.Variable),
        detail=suggestion.meaning or None,
        text_edit=types.TextEdit(place, suggestion.text),
    )


def document_symbol(entry: Entry, lines: Lines) -> types.DocumentSymbol:
    """An entry of the outline, with those in it."""
    return types.DocumentSymbol(
        name=entry.name,
        kind=_KINDS[entry.kind],
        range=range_of(lines, *entry.extent),
        selection_range=range_of(lines, *entry.place),
        detail=entry.kind,
        children=[document_symbol(inner, lines) for inner in entry.inner],
    )


def refusal(message: str) -> JsonRpcException:
    """The answer that says why there is none."""
    return JsonRpcException(message, _REFUSED)
