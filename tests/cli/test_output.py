"""What is printed: data and narration apart, nothing that steers a terminal, JSON that any reader takes."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.cli.output import Output, format_size, one_line
from recall_tui.text.json_text import to_json
from tests.terminal import shown_on_terminal


def test_data_and_narration_go_apart(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output()
    out.line("data")
    out.note("done")
    out.warn("careful")
    out.error("failed", "try again")
    captured = capsys.readouterr()
    assert captured.out == "data\n"
    assert captured.err == "done\n! careful\n✗ failed\n  try again\n"


def test_quiet_keeps_warnings_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    out = Output(quiet=True)
    out.note("done")
    out.detail("how")
    out.warn("careful")
    assert capsys.readouterr().err == "! careful\n"


def test_a_table_is_aligned_by_columns_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Output().table(("name", "lines"), [("日本", 7), ("a", 12)], right=(1,))
    assert capsys.readouterr().out == "name  lines\n日本      7\na        12\n"


def test_a_cell_is_one_line_without_control_characters() -> None:
    assert one_line("a\n\tb\x1b[31m\x07") == "a b[31m" or "\x1b" not in one_line("a\n\tb\x1b[31m\x07")
    assert "\n" not in one_line("a\n\tb")


@given(st.text(alphabet=st.characters(codec=None)))
def test_json_comes_back_as_it_went_in_but_for_lone_surrogates(text: str) -> None:
    printed = to_json({"text": text})
    assert json.loads(printed)["text"] == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    printed.encode("utf-8")
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in printed)


def test_json_turns_no_line_around_on_a_terminal() -> None:
    turning = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    printed = to_json({"text": f"caf\u00e9 {turning}\u200d"})
    assert "caf\u00e9 \\u061c" in printed and not set(turning) & set(printed)
    assert json.loads(printed)["text"] == f"caf\u00e9 {turning}\u200d"


def test_json_knows_dates_and_paths() -> None:
    value = {"at": datetime(2026, 3, 6, 10, 30, tzinfo=UTC), "path": Path("/a/b"), "lines": (40, 58)}
    assert json.loads(to_json(value)) == {"at": "2026-03-06T10:30:00Z", "path": "/a/b", "lines": [40, 58]}


def test_exact_text_keeps_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", errors="replace"))
    Output().exact("caf\u00e9 \udcff\x1b")
    assert raw.getvalue() == b"caf\xc3\xa9 \xff\x1b"


@pytest.mark.parametrize(("count", "text"), [(12, "12 B"), (1536, "1.5 KB"), (3 << 20, "3.0 MB")])
def test_sizes_are_for_a_person(count: int, text: str) -> None:
    assert format_size(count) == text


TALK = """
from recall_tui.cli.output import Output
out = Output(color={color})
out.line(out.style("[bold]x[/bold]\\x1b]0;title\\x07", fg="green"))
out.table(("head",), [("[red]cell[/red] \\x1b[2J",)])
out.exact("text\\x1b[2J")
"""


def on_terminal(color: bool) -> str:
    """What TALK prints on a terminal."""
    return shown_on_terminal(TALK.format(color=color))


def test_text_from_disk_cannot_steer_a_terminal() -> None:
    text = on_terminal(color=False)
    assert "\x1b" not in text and "\x07" not in text
    assert "[bold]x[/bold]" in text
    assert "[red]cell[/red]" in text


def test_colour_is_for_terminals_that_take_it() -> None:
    assert "\x1b[32m" in on_terminal(color=True)
