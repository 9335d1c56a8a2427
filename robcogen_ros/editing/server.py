"""The language server: what an editor asks, in its protocol (LSP 3.17), by pygls 1 or 2."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import Any

from lsprotocol import types

from robcogen_ros.editing import languages, protocol
from robcogen_ros.editing.completion import completions
from robcogen_ros.editing.diagnostics import Content, extents, read
from robcogen_ros.editing.hover import hover
from robcogen_ros.editing.layout import formatted
from robcogen_ros.editing.lines import Lines
from robcogen_ros.editing.outline import outline
from robcogen_ros.editing.rename import rename
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.source import Source

try:
    from pygls.lsp.server import LanguageServer
except ImportError:
    from pygls.server import LanguageServer

_PAUSE = 0.2
"""Seconds without a key before a document is checked."""


def make_server() -> LanguageServer:
    """A server of all four languages; `start_io()` runs it over stdin and stdout."""
    server = LanguageServer(
        "robcogen", "1", text_document_sync_kind=types.TextDocumentSyncKind.Full
    )
    session = _Session(server)
    handlers: dict[str, Callable[..., Any]] = {
        types.TEXT_DOCUMENT_DID_OPEN: session.opened,
        types.TEXT_DOCUMENT_DID_CHANGE: session.changed,
        types.TEXT_DOCUMENT_DID_CLOSE: session.closed,
        types.TEXT_DOCUMENT_HOVER: session.hover,
        types.TEXT_DOCUMENT_DEFINITION: session.definition,
        types.TEXT_DOCUMENT_REFERENCES: session.references,
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: session.highlights,
        types.TEXT_DOCUMENT_FORMATTING: session.formatting,
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: session.symbols,
    }
    for name, handler in handlers.items():
        server.feature(name)(partial(handler))
    signs = types.CompletionOptions(trigger_characters=list("<.:({="))
    server.feature(types.TEXT_DOCUMENT_COMPLETION, signs)(partial(session.completion))
    asked = types.RenameOptions(prepare_provider=True)
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(partial(session.prepare_rename))
    server.feature(types.TEXT_DOCUMENT_RENAME, asked)(partial(session.rename))
    return server


class _Session:
    """Answers an editor.

    What a document said when it was right the last time is kept, for hovering meanwhile.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._protocol = server.protocol if hasattr(server, "protocol") else server.lsp
        self._contents: dict[str, Content] = {}
        self._changes: dict[str, int] = {}

    async def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        await self._check(params.text_document.uri, 0.0)

    async def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        await self._check(params.text_document.uri, _PAUSE)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self._contents.pop(uri, None)
        self._changes[uri] = self._changes.get(uri, 0) + 1
        self._publish(uri, [])

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        source, lines, offset = self._place(params)
        found = hover(source, offset, self._contents.get(params.text_document.uri))
        if found is None:
            return None
        text = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(text, protocol.range_of(lines, found.start, found.end))

    def completion(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        source, lines, offset = self._place(params)
        start, suggestions = completions(source, offset)
        place = protocol.range_of(lines, start, offset)
        return [protocol.completion_item(suggestion, place) for suggestion in suggestions]

    def definition(self, params: types.DefinitionParams) -> types.Location | None:
        source, lines, offset = self._place(params)
        symbols = languages.symbols(source.name, source.text)
        found = symbols.at(offset)
        place = symbols.definition(found.symbol) if found else None
        if place is None:
            return None
        extent = protocol.range_of(lines, place.start, place.end)
        return types.Location(params.text_document.uri, extent)

    def references(self, params: types.ReferenceParams) -> list[types.Location]:
        uri = params.text_document.uri
        return [
            types.Location(uri, extent)
            for extent, defines in self._places(params)
            if params.context.include_declaration or not defines
        ]

    def highlights(self, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        return [types.DocumentHighlight(extent) for extent, _ in self._places(params)]

    def prepare_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        source, lines, offset = self._place(params)
        found = languages.symbols(source.name, source.text).at(offset)
        return protocol.range_of(lines, found.start, found.end) if found else None

    def rename(self, params: types.RenameParams) -> types.WorkspaceEdit:
        source, lines, offset = self._place(params)
        try:
            edits = rename(source, offset, params.new_name)
        except RobcogenError as error:
            raise protocol.refusal(str(error)) from error
        changes = [
            types.TextEdit(protocol.range_of(lines, edit.start, edit.end), edit.text)
            for edit in edits
        ]
        return types.WorkspaceEdit(changes={params.text_document.uri: changes})

    def formatting(self, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        source = self._source(params.text_document.uri)
        try:
            text = formatted(source)
        except RobcogenError as error:
            raise protocol.refusal(str(error)) from error
        if text == source.text:
            return []
        whole = protocol.range_of(self._lines(source), 0, len(source.text))
        return [types.TextEdit(whole, text)]

    def symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        source = self._source(params.text_document.uri)
        lines = self._lines(source)
        entries = outline(languages.symbols(source.name, source.text))
        return [protocol.document_symbol(entry, lines) for entry in entries]

    async def _check(self, uri: str, pause: float) -> None:
        """Checks a document, unless it changes again before or meanwhile."""
        change = self._changes[uri] = self._changes.get(uri, 0) + 1
        await asyncio.sleep(pause)
        if self._changes[uri] != change:
            return
        source = self._source(uri)
        reading, diagnostics = await asyncio.to_thread(self._checked, source)
        if self._changes[uri] == change:
            if reading.content is not None:
                self._contents[uri] = reading.content
            self._publish(uri, diagnostics)

    def _checked(self, source: Source) -> tuple[Any, list[types.Diagnostic]]:
        reading, lines = read(source), self._lines(source)
        places = extents(source, reading.problems)
        return reading, [
            protocol.diagnostic(problem, protocol.range_of(lines, *place))
            for problem, place in zip(reading.problems, places, strict=True)
        ]

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(uri, diagnostics)
        self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _source(self, uri: str) -> Source:
        """A document's text; a new one without a file is in the language the editor says."""
        document = self._server.workspace.get_text_document(uri)
        name = PurePath(document.path or "").name
        if not languages.suffix(name):
            name = f"untitled.{document.language_id}"
        if not languages.suffix(name):
            raise protocol.refusal(f"{uri} is in none of the languages")
        return Source(name, document.source)

    def _lines(self, source: Source) -> Lines:
        encoding = self._server.workspace.position_encoding
        return Lines(source.text, getattr(encoding, "value", encoding) or "utf-16")

    def _place(self, params: Any) -> tuple[Source, Lines, int]:
        """The document, its lines and the offset that an editor asks about."""
        source = self._source(params.text_document.uri)
        lines = self._lines(source)
        return source, lines, lines.offset((params.position.line, params.position.character))

    def _places(self, params: Any) -> list[tuple[types.Range, bool]]:
        """Returns the places of the thing at a place, each with True if it is described there."""
        source, lines, offset = self._place(params)
        symbols = languages.symbols(source.name, source.text)
        found = symbols.at(offset)
        return [
            (protocol.range_of(lines, each.start, each.end), each.defines)
            for each in (symbols.of(found.symbol) if found else ())
        ]
