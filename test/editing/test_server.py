"""The language server, asked by an editor over stdin and stdout."""

from __future__ import annotations

import builtins

import pytest

pytest.importorskip("pygls", reason="the language server needs pygls")

from lsprotocol import types

from robcogen_ros.cli.main import main
from test.editing.client import Editor
from test.editing.documents import DOCUMENTS

ARM = DOCUMENTS["kinematics_dsl0.kindsl"]
MOTIONS = DOCUMENTS["crane.motdsl"]


@pytest.fixture(scope="module")
def editor():
    editor = Editor()
    yield editor
    editor.close()


@pytest.fixture(scope="module")
def arm(editor):
    uri = editor.open("arm.kindsl", ARM)
    assert editor.diagnostics(uri) == []
    return uri


@pytest.mark.slow
def test_what_is_wrong_is_told_while_typing(editor):
    uri = editor.open("typed.kindsl", ARM.replace("via elbow", "via elbw"))
    (found,) = editor.diagnostics(uri)
    assert found.severity == types.DiagnosticSeverity.Error
    assert "did you mean 'elbow'?" in found.message
    assert editor.text(uri, found.range) == "lower via elbw"
    for k in range(5):
        editor.change(uri, ARM.replace("via elbow", "via elb" + "o" * k))
    editor.change(uri, ARM)
    assert editor.diagnostics(uri) == []


def test_warnings_and_several_errors(editor):
    text = ARM.replace("Ix = 0.002", "Ix = -0.002").replace(
        "rotation = (0.0, PI/2.0", "rotation = (0.0, 90"
    )
    uri = editor.open("wrong.kindsl", text)
    found = editor.diagnostics(uri)
    severities = {d.severity for d in found}
    assert severities == {types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning}
    assert [editor.text(uri, d.range) for d in found if "radians" in d.message] == ["90", "90"]


@pytest.mark.parametrize("name", ["crane.motdsl", "crane.ctdsl", "hyl.dtdsl"])
def test_the_other_languages(editor, name):
    uri = editor.open(name, DOCUMENTS[name].replace("Frames {", "Frame {"))
    (found,) = editor.diagnostics(uri)
    assert editor.text(uri, found.range).startswith("Frame")
    editor.change(uri, DOCUMENTS[name])
    assert editor.diagnostics(uri) == []
    document = types.TextDocumentIdentifier(uri)
    symbols = editor.wait(
        editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    )
    assert len(symbols) > 3


def test_completion(editor, arm):
    uri = editor.open("new.kindsl", ARM.replace("lower via elbow", "lower via el"))
    params = types.CompletionParams(**editor.at(uri, "lower via el|"))
    items = editor.wait(editor.client.text_document_completion_async(params))
    assert [(item.label, item.kind) for item in items] == [
        ("elbow", types.CompletionItemKind.Interface)
    ]
    assert "lower via elbow }" in editor.edited(uri, [items[0].text_edit])


def test_hover(editor, arm):
    params = types.HoverParams(**editor.at(arm, "r_joint sh|oulder"))
    shown = editor.wait(editor.client.text_document_hover_async(params))
    assert editor.text(arm, shown.range) == "shoulder"
    for words in (
        "turns about z",
        "upper limit 1.5708 rad",
        "effort limit 40 N m",
        "on link `base`",
    ):
        assert words in shown.contents.value


def test_hover_goes_on_while_the_document_is_wrong(editor):
    uri = editor.open("hover.kindsl", ARM)
    assert editor.diagnostics(uri) == []
    editor.change(uri, ARM.replace("p_joint elbow {", "p_joint elbow { !"))
    assert editor.diagnostics(uri) != []
    params = types.HoverParams(**editor.at(uri, "link up|per"))
    assert (
        "mass `m[2.0]` kg"
        in editor.wait(editor.client.text_document_hover_async(params)).contents.value
    )


def test_definition_and_references(editor, arm):
    place = editor.at(arm, "upper via shou|lder")
    found = editor.wait(
        editor.client.text_document_definition_async(types.DefinitionParams(**place))
    )
    assert found.range.start.line == ARM[: ARM.index("r_joint shoulder")].count("\n")
    context = types.ReferenceContext(include_declaration=False)
    params = types.ReferenceParams(context=context, **place)
    places = editor.wait(editor.client.text_document_references_async(params))
    assert [editor.text(arm, each.range) for each in places] == ["shoulder"] * 2


def test_rename(editor, arm):
    params = types.RenameParams(new_name="hip", **editor.at(arm, "r_joint sh|oulder"))
    edit = editor.wait(editor.client.text_document_rename_async(params))
    assert editor.edited(arm, edit.changes[arm]) == ARM.replace("shoulder", "hip")
    taken = types.RenameParams(new_name="elbow", **editor.at(arm, "r_joint sh|oulder"))
    with pytest.raises(Exception, match="is the name of another joint"):
        editor.wait(editor.client.text_document_rename_async(taken))


def test_formatting(editor):
    uri = editor.open("ugly.kindsl", ARM.replace("\n    ", "\n "))
    editor.diagnostics(uri)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), options)
    edits = editor.wait(editor.client.text_document_formatting_async(params))
    assert editor.edited(uri, edits) == ARM


def test_characters_beyond_two_bytes(editor):
    uri = editor.open("wide.motdsl", MOTIONS.replace("trz (2.5)", "/* 🤖 */ trz (p:🤖)"))
    (found,) = editor.diagnostics(uri)
    line = editor.texts[uri].split("\n")[found.range.start.line]
    before_colon = line[: line.rindex("🤖") - 1]
    assert found.range.start.character == len(before_colon.encode("utf-16-le")) // 2


def test_without_pygls_it_is_said_what_to_install(monkeypatch, capsys):
    real = builtins.__import__

    def no_pygls(name, *rest):
        if name.startswith(("robcogen_ros.editing.server", "pygls")):
            raise ModuleNotFoundError("No module named 'pygls'", name="pygls")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_pygls)
    assert main(["lsp"]) == 1
    assert "python3 -m pip install pygls" in capsys.readouterr().err
