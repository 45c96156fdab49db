"""Whoever waits for a lock is told who holds it, whatever stands in its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.storage.lock import held, holder_of


def test_the_holder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with held(path, "archiving"):
        assert holder_of(path).startswith("process ") and holder_of(path).endswith("(archiving)")


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"pid": 1}', "null", "[" * 100_000, "\udc80"])
def test_what_names_nobody_is_another_process(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lock"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert holder_of(path) == "another process"
