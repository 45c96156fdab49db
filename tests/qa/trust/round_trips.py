"""What must hold beyond reading without an exception: what was read and written again lost nothing.

Each function takes a text of its kind, whatever is in it, and asserts.
"""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from recall_tui.agents.pieces import json_edit
from recall_tui.agents.pieces.hook_settings import Hook, HookSettings
from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.pieces.server_entry import ServerEntry
from recall_tui.agents.pieces.server_table import ServerTable
from recall_tui.agents.pieces.yaml_list_entry import YamlListEntry
from recall_tui.agents.pieces.yaml_server import YamlServer
from recall_tui.agents.target import State
from recall_tui.domain import ArchiveEntry, Message, WindowEntry
from recall_tui.errors import BrokenFileError
from recall_tui.storage import config_file
from recall_tui.storage.archives import body, index_file, summary_file
from recall_tui.storage.documents import day_logs, master_file, period_page, wiki_page, window_file, wisdom_file
from recall_tui.storage.markdown import frontmatter, frontmatter_edit, outline
from recall_tui.storage.markdown.quoting import normalize_lines, quote, unquote
from recall_tui.text import patch
from recall_tui.text.secrets.redact import redact
from tests.qa.trust.seeds import SESSION

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
_PATH = Path("file")
_NEW = "0d0d0d0d-fuzz"
"""A session that no seed is of; guided by coverage, a fuzzer finds it all the same."""
_KEY = "own-fuzz"
_MANY = 10**6


def head(text: str) -> None:
    """The values and the text below them come back, and what is no head is all text."""
    values, body = frontmatter.split_frontmatter(text)
    assert text.endswith(body)
    assert values or body == text or not text[: len(text) - len(body)].strip("\ufeff \t\r\n\v\f\x1c\x1d\x1e\x1f\x85-")
    again, same = frontmatter.split_frontmatter(frontmatter.join_frontmatter(values, body))
    assert repr(again) == repr(values) and same == body
    made = frontmatter_edit.with_values(text, {"own": "x"})
    if made is not None:
        assert repr(frontmatter.split_frontmatter(made)[0]) == repr(values | {"own": "x"})
        assert frontmatter.split_frontmatter(made)[1] == body
        kept = set(made.splitlines())
        assert all(line in kept for line in text[: len(text) - len(body)].splitlines() if line.startswith("#"))


def window(text: str) -> None:
    """An entry comes and goes, and the others and a person's words stay."""
    before = window_file.parse_window(text)
    if _NEW in text:
        return
    entry = WindowEntry(_NEW, NOON, "5m", 2, "conversation-009.md", "A summary.")
    with_it = window_file.add_entry(text, entry, _MANY)
    after = window_file.parse_window(with_it)
    if not window_file.read_last_session(text):
        assert sorted(map(repr, after.entries)) == sorted(map(repr, (*before.entries, entry)))
        assert _words(after.free_text) == _words(before.free_text)
    without = window_file.forget_session(with_it, [_NEW])
    assert window_file.parse_window(without).entries == before.entries
    assert _words(without.replace("---", " ")) == _words(text.replace("---", " "))


def index_table(text: str) -> None:
    """Every line stays when a row is added, and a person's when all rows are made anew."""
    assert index_file.drop_rows(text, lambda _: False) == text
    if "999999" in text:
        return
    entry = ArchiveEntry(999_999, Path("conversation-999999.md"), session_id="s|\\,", date=NOON, topics=("a|b", "c,d"))
    made = index_file.add_row(text, entry)
    rows = [row for row in index_file.parse_rows(made) if row.number == entry.number]
    assert any((row.session_id, row.topics) == (entry.session_id, entry.topics) for row in rows)
    others = [line for line in text.split("\n") if line.strip()]
    assert set(others) <= set(made.split("\n"))
    anew = index_file.rebuild_text(text, archive_entries(text))
    assert {line for line in others if not line.startswith("|")} <= set(anew.split("\n"))


def archive_entries(text: str) -> list[ArchiveEntry]:
    """The rows of a table as archives."""
    rows = index_file.parse_rows(text)
    return [ArchiveEntry(row.number, Path("a.md"), session_id=row.session_id, topics=row.topics) for row in rows]


def archive(text: str) -> None:
    """The parts are the whole, and what two speakers say comes back as two messages, each with its own words."""
    parts = body.split_archive(text)
    assert "".join(parts).rstrip("\n") == normalize_lines(text).rstrip("\n")
    assert unquote(quote(text)).startswith(normalize_lines(text))
    said = (Message("prompt", text), Message("reply", text), Message("tool_result", text))
    out = io.StringIO()
    body.write_body(said, out)
    found = list(body.parse_body(f"# Conversation 001\n\n{out.getvalue()}"))
    if not text.strip():
        return
    assert [one.kind for one in found] == ["prompt", "reply", "tool_result"]
    for one in found[:2]:
        assert _words(one.text).startswith(_words(normalize_lines(text)))
    whole = normalize_lines(text).strip("\n")[: body.MAX_RESULT_CHARS].strip("\n")
    assert found[2].text == whole or len(text) > body.MAX_RESULT_CHARS


def sections(text: str) -> None:
    """The sections of a page tile it, and its lines are the page."""
    lines = outline.split_lines(text)
    assert "".join(lines) == text
    kinds = outline.line_kinds(lines)
    assert len(kinds) == len(lines)
    found = outline.sections_from_kinds(lines, kinds)
    starts = [one.start for one in found]
    assert starts == sorted(starts) and (not lines or starts[0] == 0)
    assert all(one.start < one.end <= len(lines) for one in found)


def wiki(text: str) -> None:
    """A page that is read is written so that it reads the same, and stays as it is when nothing of it changed."""
    page = wiki_page.parse_wiki_page(text, "a-page")
    if isinstance(page, wiki_page.WikiPage):
        assert repr(wiki_page.parse_wiki_page(wiki_page.render_wiki_page(page), "a-page")) == repr(
            _at_line(page, wiki_page.render_wiki_page(page))
        )
    assert "no-such-page" in text.lower() or wiki_page.retarget_links(text, "no-such-page", "other") == text


def _at_line(page: wiki_page.WikiPage, made: str) -> wiki_page.WikiPage:
    from dataclasses import replace

    return replace(page, body_line=made.count("\n", 0, len(made) - len(page.body)) + 1)


def wisdom(text: str) -> None:
    """What is read of a file and written in our shape is the same when it is read again."""
    one = wisdom_file.parse_wisdom(text)
    again = wisdom_file.parse_wisdom(wisdom_file.render_wisdom(one, date(2026, 3, 6)))
    assert wisdom_file.parse_wisdom(wisdom_file.render_wisdom(again, date(2026, 3, 6))).entries == again.entries
    assert len(again.entries) == len(one.entries)


def day(text: str) -> None:
    """A log loses nothing to one that is forgotten and not in it."""
    day_logs.parse_log(text)
    if _NEW[:8] in text:
        return
    assert day_logs.without_sessions(text, [_NEW]) == text
    added = f"{text}\n\n{day_logs.render_line(NOON, 'a title', 'words', 'conversation-999', _NEW)}\n"
    assert _words(day_logs.without_sessions(added, [_NEW])) == _words(text)


def period(text: str) -> None:
    """The page of a week comes back, its own keys and those of others."""
    week = period_page.iso_week(date(2026, 3, 6))
    one = period_page.parse_period_page(text, week)
    again = period_page.parse_period_page(period_page.render_period_page(one), week)
    assert again.body == one.body and again.pointers == one.pointers
    assert repr(again.extra) == repr(one.extra)
    assert not one.made_from or again.made_from == one.made_from


def summary(text: str) -> None:
    """A summary that we seal says what it said, and is known as ours."""
    entry = ArchiveEntry(7, Path("s.md"), session_id=SESSION, title="T")
    summary_file.parse_digest(text)
    summary_file.parse_entry(text, Path("s.md"))
    sealed = summary_file.with_checksum(text, entry)
    assert summary_file.strip_note(sealed) == text.rstrip("\n") + "\n"
    assert summary_file.is_ours_unedited(sealed)


def master(text: str) -> None:
    """A document that is read and written reads the same, and no line of a person's is left out."""
    one = master_file.parse_master(text)
    made = master_file.render_master(one)
    assert (
        repr(master_file.parse_master(made)) == repr(one)
        or master_file.render_master(master_file.parse_master(made)) == made
    )


def toml(text: str) -> None:
    """A setting comes and goes, and every other value of the file stays."""
    before = tomllib.loads(text)
    if _KEY in before:
        return
    made = config_file.with_value(text, f"{_KEY}.key", 3)
    assert tomllib.loads(made)[_KEY]["key"] == 3
    after = tomllib.loads(config_file.without_value(made, f"{_KEY}.key"))
    assert repr({k: v for k, v in after.items() if v != {}}) == repr({k: v for k, v in before.items() if v != {}})


def settings_json(text: str) -> None:
    """A setting of a JSON file comes and goes."""
    try:
        before = json.loads(text)
    except (ValueError, RecursionError):
        before = {}
    if isinstance(before, dict) and _KEY in before:
        return
    made = config_file.with_value(text, f"{_KEY}.key", 3, Path("c.json"))
    assert json.loads(config_file.without_value(made, f"{_KEY}.key", Path("c.json"))).keys() >= before.keys()


HOOKS = HookSettings(
    _PATH, "recall-tui hook --root /m", (Hook("Stop", {"timeout": 5}), Hook("SessionStart", {"timeout": 9}, "startup"))
)


def hooks(text: str) -> None:
    """Our hooks are put in once, and taken out the settings are what they were, byte for byte."""
    HOOKS.state(text)
    bare = HOOKS.removed(text)
    if bare is None:
        return
    made = HOOKS.installed(bare)
    assert HOOKS.installed(made) == made
    assert HOOKS.removed(made) in (bare, None)


def json_text(text: str) -> None:
    """An element that is added and removed leaves the text as it was."""
    plain = json_edit.parse_json(text, _PATH).plain() if text.strip("\ufeff \t\r\n") else {}
    if isinstance(plain, dict) and _KEY in plain:
        return
    made = json_edit.insert_value(text, _PATH, (_KEY, "deep"), {"a": [1]})
    assert json_edit.parse_json(made, _PATH).plain()[_KEY]["deep"][-1] == {"a": [1]}
    removed = json_edit.remove_value(made, _PATH, (_KEY, "deep", 0))
    assert removed == text or (removed is None and not text.strip("\ufeff \t\r\n"))


LIST = YamlListEntry(_PATH, "files to read", "read", ("/m/recall-rules.md", "/m/memory/MEMORY.md"))


def yaml_list(text: str) -> None:
    """Our entries are put in once, and taken out the list is what it was."""
    bare = LIST.removed(text)
    if bare is None or LIST.installed(bare) == bare:
        return
    made = LIST.installed(bare)
    assert LIST.installed(made) == made
    assert LIST.removed(made) == bare


_SERVER = {"command": "/opt/recall-tui", "args": ["--root", "/m", "mcp"]}
SERVER = ServerEntry(_PATH, "mcp", _SERVER)
SERVER_WITH_COMMENTS = ServerEntry(_PATH, "mcp", _SERVER, has_comments=True)
SERVER_TABLE = ServerTable(_PATH, "mcp_servers", _SERVER)
YAML_SERVERS = (
    YamlServer(_PATH, "servers", {"name": "recall", **_SERVER}, is_list=True),
    YamlServer(_PATH, "servers", _SERVER),
)


def servers(*pieces: ServerEntry | ServerTable | YamlServer) -> Callable[[str], None]:
    """Our server is put in once, and taken out the settings are what they were, byte for byte."""

    def run(text: str) -> None:
        for piece in pieces:
            try:
                bare = piece.removed(text)
                if bare is None or piece.state(bare) is not State.ABSENT:
                    continue
                made = piece.installed(bare)
            except BrokenFileError:
                continue
            assert piece.installed(made) == made
            assert piece.removed(made) in (bare, None)

    return run


BLOCK = MarkedBlock(_PATH, "rules", "our words\n", "zed")


def block(text: str) -> None:
    """Our block is put in once, and taken out the file is what it was."""
    if text and BLOCK.state(text) is State.ABSENT and "recall-tui begin" not in text:
        made = BLOCK.installed(text)
        assert BLOCK.installed(made) == made
        assert BLOCK.removed(made) == text


def redaction(text: str) -> None:
    """Redacting twice changes nothing more."""
    once = redact(text)
    assert redact(once) == once


def change(text: str) -> None:
    """A change that is taken back gives what was there; a diff of it is made.

    Without a NUL between what was and what became of it, that is the same lines in another order.
    """
    before, divided, after = text.partition("\x00")
    if not divided:
        lines = text.splitlines(keepends=True)
        after = "".join((*lines[1::2], *lines[::3]))
    assert patch.reverse_change(before, after, after) == before
    assert patch.reverse_change(before, after, before + "\nmore") != ""
    patch.unified_diff(before, after, "a.md")


def _words(text: str) -> str:
    return " ".join(text.lstrip("\ufeff").split())
