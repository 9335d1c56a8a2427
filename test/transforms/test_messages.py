"""Every wrong document gives just the messages that expected.txt has for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import ctdsl, dtdsl, motdsl, source

HERE = Path(__file__).parent
DOCUMENTS = sorted(path.name for path in (HERE / "wrong").iterdir())
EXPECTED = (HERE / "expected.txt").read_text().splitlines()
READ = {".motdsl": motdsl.read, ".ctdsl": ctdsl.read, ".dtdsl": dtdsl.read}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_fault_is_told_with_its_place(name, monkeypatch):
    monkeypatch.chdir(HERE / "wrong")
    with pytest.raises(ModelError) as caught:
        READ[Path(name).suffix](source.read(name))
    assert str(caught.value).splitlines() == [t for t in EXPECTED if t.startswith(f"{name}:")]


def test_every_expected_message_has_its_document():
    assert {line.split(":")[0] for line in EXPECTED} == set(DOCUMENTS)
