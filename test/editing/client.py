"""An editor, as far as the protocol goes: a language server in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")

from lsprotocol import types

try:
    from pygls.lsp.client import LanguageClient as Client
except ImportError:
    from pygls.lsp.client import BaseLanguageClient as Client

TIMEOUT = 30


class Editor:
    """Starts the server, opens and changes documents, asks about places in them."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.client: Any = Client("test", "1")
        self.published: dict[str, asyncio.Queue] = {}
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(self._receiver())
        self.capabilities = self.wait(self._start()).capabilities

    def _receiver(self):
        def receive(params: types.PublishDiagnosticsParams) -> None:
            self.published.setdefault(params.uri, asyncio.Queue()).put_nowait(
                list(params.diagnostics)
            )

        return receive

    async def _start(self):
        await self.client.start_io(sys.executable, "-m", "robcogen_ros", "lsp")
        params = types.InitializeParams(capabilities=types.ClientCapabilities())
        result = await self.client.initialize_async(params)
        self.client.initialized(types.InitializedParams())
        return result

    def wait(self, work):
        """The result of a coroutine or a future."""
        return self.loop.run_until_complete(asyncio.wait_for(work, TIMEOUT))

    def open(self, name: str, text: str) -> str:
        """Open a document; returns its address."""
        uri = f"file:///robots/{name}"
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, name.rpartition(".")[2], 1, text)
        self._send(self.client.text_document_did_open, types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, text: str) -> None:
        """Replace a document's text."""
        self.versions[uri] += 1
        self.texts[uri] = text
        document = types.VersionedTextDocumentIdentifier(version=self.versions[uri], uri=uri)
        changes = (
            [types.TextDocumentContentChangeWholeDocument(text)]
            if hasattr(types, "TextDocumentContentChangeWholeDocument")
            else [types.TextDocumentContentChangeEvent_Type2(text)]
        )
        params = types.DidChangeTextDocumentParams(document, changes)
        self._send(self.client.text_document_did_change, params)

    def _send(self, send, params) -> None:
        async def sending():
            send(params)

        self.wait(sending())

    def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """What the server says next of what is wrong with a document."""

        async def next_one():
            return await self.published.setdefault(uri, asyncio.Queue()).get()

        return self.wait(next_one())

    def at(self, uri: str, words: str) -> dict[str, Any]:
        """The place in a document where some words stand; `|` in them is the cursor."""
        before, bar, after = words.partition("|")
        offset = self.texts[uri].index(before + after) + (len(before) if bar else 0)
        lines = self.texts[uri][:offset].split("\n")
        position = types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
        return {"text_document": types.TextDocumentIdentifier(uri), "position": position}

    def text(self, uri: str, place: types.Range) -> str:
        """What stands in a range."""
        lines = [line.encode("utf-16-le") for line in self.texts[uri].split("\n")]
        if place.start.line == place.end.line:
            line = lines[place.start.line]
            return line[2 * place.start.character : 2 * place.end.character].decode("utf-16-le")
        first = lines[place.start.line][2 * place.start.character :]
        last = lines[place.end.line][: 2 * place.end.character]
        between = lines[place.start.line + 1 : place.end.line]
        return b"\n\0".join([first, *between, last]).decode("utf-16-le")

    def edited(self, uri: str, edits: list[types.TextEdit]) -> str:
        """A document's text after edits."""
        lines = self.texts[uri].split("\n")
        for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character))[
            ::-1
        ]:
            start, end = edit.range.start, edit.range.end
            head, tail = lines[start.line][: start.character], lines[end.line][end.character :]
            lines[start.line : end.line + 1] = (head + edit.new_text + tail).split("\n")
        return "\n".join(lines)

    def close(self) -> None:
        """End the server."""

        async def ending():
            await self.client.shutdown_async(None)
            self.client.exit(None)
            await self.client.stop()

        self.wait(ending())
        self.loop.close()
