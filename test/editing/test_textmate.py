"""The TextMate grammars, applied to documents: what the grammars call keywords is coloured."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from test.editing.documents import DOCUMENTS
from test.editing.grammar_words import keywords, tokens

EDITORS = Path(__file__).resolve().parents[2] / "editors"
EXTENSION = EDITORS / "vscode"
LANGUAGES = ("kindsl", "motdsl", "ctdsl", "dtdsl")
OF_WORDS = ("storage.", "keyword.", "support.", "constant.language")
OF_NAMES = ("entity.name", "variable")


def grammar(language: str) -> dict:
    return json.loads((EXTENSION / "syntaxes" / f"{language}.tmLanguage.json").read_text())


def scopes(language: str, text: str) -> list[str]:
    """The scope of each character, by the rules of TextMate: line by line, the first match."""
    patterns = grammar(language)["patterns"]
    result: list[str] = []
    open_rule = None
    for line in text.splitlines(keepends=True):
        offset, row = 0, [""] * len(line)
        while offset < len(line):
            if open_rule:
                end = re.compile(open_rule["end"]).search(line, offset)
                stop = end.end() if end else len(line)
                row[offset:stop] = [open_rule["name"]] * (stop - offset)
                offset, open_rule = stop, None if end else open_rule
                continue
            found = [
                (match.start(), k, match)
                for k, rule in enumerate(patterns)
                if (match := re.compile(rule.get("match") or rule["begin"]).search(line, offset))
            ]
            if not found:
                break
            _, k, match = min(found, key=lambda each: each[:2])
            rule = patterns[k]
            row[match.start() : match.end()] = [rule.get("name", "")] * len(match.group())
            for group, capture in rule.get("captures", {}).items():
                if match.group(int(group)) is not None:
                    start, stop = match.span(int(group))
                    row[start:stop] = [capture["name"]] * (stop - start)
            open_rule = rule if "begin" in rule else None
            offset = max(match.end(), offset + 1)
        result += row
    return result


@pytest.mark.parametrize("name", DOCUMENTS)
def test_words_and_names_have_their_colours(name):
    text, language = DOCUMENTS[name], name.rpartition(".")[2]
    coloured = scopes(language, text)
    for token in tokens(f".{language}", text):
        found = set(coloured[token.start_pos : token.end_pos])
        assert len(found) == 1 or ":" in token, token
        (scope, *_) = found
        if token.type == "NUMBER":
            assert scope == "constant.numeric", token
        elif token.type == "NAME":
            function = scope == "support.function" and token in ("sqrt", "sin", "cos")
            assert scope.startswith(OF_NAMES) or function, (token, scope)
        elif re.fullmatch(r"\w+", token):
            assert scope.startswith(OF_WORDS), (token, scope)


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_are_coloured(language):
    text = "Model /* Frames\n link */ a // Robot\n"
    found = scopes(language, text)
    assert {s for s in found[text.index("/*") : text.index(" a ")] if s} == {"comment.block"}
    assert found[text.index("Robot")] == "comment.line.double-slash"
    assert not found[text.index("a //")].startswith("comment")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_keyword_is_in_the_grammar_and_in_the_modes(language):
    spelled = json.dumps(grammar(language)["patterns"])
    modes = [path.read_text() for path in (EDITORS / "nvim/robcogen.lua",)]
    for word in keywords(f".{language}"):
        stepped = re.fullmatch(r"(rot|tr|R|T|I)([xyz]{1,2})", word)
        assert re.search(rf"\b{stepped[1] if stepped else word}", spelled), word
        assert all(re.search(rf"\b{word}\b", mode) for mode in modes), word


def test_the_extension_names_files_that_exist():
    package = json.loads((EXTENSION / "package.json").read_text())
    contributed = package["contributes"]
    assert [entry["id"] for entry in contributed["languages"]] == list(LANGUAGES)
    assert [entry["scopeName"] for entry in contributed["grammars"]] == [
        grammar(language)["scopeName"] for language in LANGUAGES
    ]
    paths = [package["main"], *(entry["path"] for entry in contributed["grammars"])]
    paths += [entry["configuration"] for entry in contributed["languages"]]
    assert all((EXTENSION / path).is_file() for path in paths)
    configuration = json.loads((EXTENSION / "language-configuration.json").read_text())
    assert configuration["comments"]["lineComment"] == "//"
    for rule in configuration["indentationRules"].values():
        re.compile(rule)
