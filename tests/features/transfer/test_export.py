"""Exporting: what goes out reads well, holds no secrets, changes nothing, and no words of others pass for ours."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from recall_tui.domain import Message
from recall_tui.environment import Environment
from recall_tui.errors import ConflictError, NotFoundError, UsageError
from recall_tui.features.transfer.export import parts_renderer, search_renderer, write_export
from recall_tui.features.transfer.export_items import ExportCounts, ExportedSession, group_steps, prompt_heading
from recall_tui.features.transfer.markdown import render_items
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, sub_agent, transcript, tree
from tests.text.page_samples import HARM, Seen

SECRET = "hunter2-Zq9x7Lm3"
TALK = [
    ("user", "Why did we pick <b>JWT</b> over sessions?\n\nSecond line of it."),
    ("Edit", "/home/u/api/src/token.py"),
    ("assistant", "# Because\n\nThe API is **stateless**.\n\n## User\n\n[x](javascript:alert(1))"),
    ("user", "Good."),
    ("assistant", f"<script>alert(1)</script>\n\npassword = {SECRET}"),
]


def filled(environment: Environment, name: str = "entity") -> Workbench:
    bench = bench_at(environment, name)
    path = transcript(environment, 1, TALK)
    sub_agent(path, [("user", "Look at the tests"), ("assistant", "They pass.")], start=NOON + timedelta(seconds=90))
    bench.capture(path)
    bench.layout.memory_file.write_text("# Memory\r\n\r\n- JWT keys rotate weekly\n\x1b[31mred")
    return bench


def text_of(bench: Workbench, to: Path, *items: str) -> str:
    bench.export(list(items), to)
    return to.read_bytes().decode()


def headings(markdown: str) -> list[tuple[str, str]]:
    """The headings of the first two levels that a reader of Markdown sees."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    found = [(one.tag, tokens[at + 1].content) for at, one in enumerate(tokens) if one.type == "heading_open"]
    return [(tag, words) for tag, words in found if tag in ("h1", "h2")]


def test_a_document_alone_keeps_its_text(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    assert text_of(bench, tmp_path / "m.md", "memory") == "# Memory\r\n\r\n- JWT keys rotate weekly\n\x1b[31mred"
    assert text_of(bench, tmp_path / "part.md", "memory:3") == "- JWT keys rotate weekly\n"


def test_a_session_as_markdown_has_its_prompts_as_headings(environment: Environment, tmp_path: Path) -> None:
    text = text_of(filled(environment), tmp_path / "one.md", "1")
    title, *prompts = headings(text)
    assert title == ("h1", r"Why did we pick \<b>JWT\</b> over sessions?")
    assert [words for _, words in prompts] == [
        r"Why did we pick \<b>JWT\</b> over sessions? Second line of it.",
        "Good.",
    ]
    for words in ("2026-03-06 12:00", "claude", "api · branch main", session_id_of(1), "conversation-001.md"):
        assert words in text, words
    assert "> Second line of it." in text and "**Edit** `/home/u/api/src/token.py`" in text
    assert "<summary>Sub-agent</summary>" in text and "They pass." in text
    assert "#### User" in text and SECRET not in text and "1 secret" not in text


def test_a_session_as_html_is_one_page_that_does_nothing(environment: Environment, tmp_path: Path) -> None:
    text = text_of(filled(environment), tmp_path / "one.html", "1")
    seen = Seen(text)
    assert seen.open == [] and "script" not in seen.tags and "b" in seen.tags
    assert (
        "<title>Why did we pick &lt;b&gt;JWT" in text
        and text.count("<h2") == 2
        and "prefers-color-scheme: dark" in text
    )
    assert "<b>Edit</b> <code>/home/u/api/src/token.py</code>" in text
    assert "&lt;script&gt;alert(1)" in text and SECRET not in text
    assert not [value for _, name, value in seen.attributes if name == "href" and value.startswith("javascript")]
    assert "<summary>Sub-agent</summary>" in text and "stateless" in seen.words


def test_a_session_as_json_has_its_messages(environment: Environment, tmp_path: Path) -> None:
    made = json.loads(text_of(filled(environment), tmp_path / "one.json", "1"))
    assert (made["schema"], made["version"], made["content"]) == ("recall-tui/export", 1, "items")
    (session,) = made["items"]
    assert list(session) == [
        "type", "title", "path", "archive", "session_id", "agent", "project", "branch", "model", "started_at",
        "ended_at", "summary", "topics", "messages", "sha256", "bytes", "masked", "text",
    ]  # fmt: skip
    assert session["session_id"] == session_id_of(1) and session["archive"] == "conversation-001.md"
    told = [(one["role"], one["kind"], one["tool"]) for one in session["messages"] if not one["is_sidechain"]]
    assert told == [
        ("user", "prompt", None),
        ("assistant", "tool_call", {"name": "Edit", "target": "/home/u/api/src/token.py"}),
        ("assistant", "reply", None),
        ("user", "prompt", None),
        ("assistant", "reply", None),
    ]
    assert session["messages"][0]["at"] == "2026-03-06T12:00:00Z"
    assert hashlib.sha256(session["text"].encode()).hexdigest() == session["sha256"]


def test_a_transcript_without_an_archive_goes_out_by_its_session(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 7, TALK)
    done = bench.export([path.stem], tmp_path / "one.md")
    text = done.path.read_text()
    assert "Why did we pick" in headings(text)[0][1] and SECRET not in text
    assert done.masked == 1 and "*1 secret masked*" in text


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("ending", ["md", "html", "json"])
def test_every_layout_goes_out_in_every_form(name: str, ending: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, name)
    before = tree(bench.store.root)
    done = bench.export(None, tmp_path / f"all.{ending}")
    text = done.path.read_text(encoding="utf-8")
    assert "JWT keys rotate weekly" in text and done.items > 2
    assert tree(bench.store.root) == before
    assert bench.journal.entries()[0].title.startswith(("Archived", "Set up"))
    if ending == "html":
        assert Seen(text).open == []


def test_several_archives_go_into_one_file(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    bench.capture(transcript(environment, 2, [("user", "Fix the race"), ("assistant", "Done.")]))
    documents = [bench.document(entry.path) for entry in bench.archive.entries()]
    done = bench.export(documents, tmp_path / "two.html")
    text = done.path.read_text()
    assert done.items == 2 and text.count("<article") == 2
    assert '<a href="#n1">' in text and '<a href="#n2">Fix the race · api · claude · 6 Mar 2026 · 1m</a>' in text
    markdown = text_of(bench, tmp_path / "two.md", "1", "2", "memory")
    assert [words for tag, words in headings(markdown) if tag == "h1"][1:] == ["Fix the race", "MEMORY.md"]


def test_a_search_goes_out_with_its_passages_and_where_they_stand(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    answer = bench.search("jwt keys", limit=2)
    render = search_renderer(bench.store, answer, lambda hit: f"# whole {hit.id}\n\npassword = {SECRET}")
    for ending in ("md", "html", "json"):
        done = write_export(bench.store, render, tmp_path / f"hits.{ending}")
        text = done.path.read_text()
        assert (done.items, done.masked) == (2, 2) and SECRET not in text
        assert "memory/MEMORY.md" in text and answer.hits[0].id in text
    made = json.loads((tmp_path / "hits.json").read_text())
    assert made["query"] == "jwt keys" and made["hits"][0]["citation"].startswith("memory/MEMORY.md:")
    assert [words for tag, words in headings((tmp_path / "hits.md").read_text()) if tag == "h1"][:1] == [
        "Search: jwt keys"
    ]
    with pytest.raises(NotFoundError):
        search_renderer(bench.store, bench.search("xylophone"), lambda hit: "")


def test_secrets_of_the_settings_stay_behind(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    bench.layout.config.write_text('layout = "entity"\n[llm]\napi_key = "plainword"\n')
    done = bench.export(None, tmp_path / "all.json")
    assert "plainword" not in done.path.read_text() and done.masked >= 1


def test_a_file_is_private_whole_and_never_written_over_unasked(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    to = tmp_path / "one.md"
    done = bench.export(["1"], to)
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    assert done.sha256 == hashlib.sha256(to.read_bytes()).hexdigest() and done.bytes == to.stat().st_size
    with pytest.raises(ConflictError):
        bench.export(["memory"], to)
    assert to.read_text().startswith("# Why")
    to.chmod(0o644)
    bench.export(["memory"], to, is_forced=True)
    assert to.read_bytes().startswith(b"# Memory") and stat.S_IMODE(to.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".recall")] == []


def test_a_link_that_leads_nowhere_is_not_written_through(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    (tmp_path / "link.md").symlink_to(tmp_path / "gone.md")
    with pytest.raises(ConflictError):
        bench.export(["memory"], tmp_path / "link.md")
    assert not (tmp_path / "gone.md").exists()
    (tmp_path / "ring.md").symlink_to(tmp_path / "ring.md")
    with pytest.raises(ConflictError):
        bench.export(["memory"], tmp_path / "ring.md")


def test_a_place_where_no_export_can_be_is_a_usage_error(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    before = tree(bench.store.root)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "way").symlink_to(bench.layout.base)
    for to in (
        tmp_path,
        tmp_path / "no" / "x.md",
        tmp_path / "x.pdf",
        tmp_path / "pipe.md",
        bench.layout.topics / "x.md",
        bench.layout.memory_file,
        tmp_path / "way" / "x.md",
    ):
        with pytest.raises(UsageError):
            bench.export(["1"], to, is_forced=True)
    assert tree(bench.store.root) == before


def test_a_failure_leaves_no_half_file(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)

    def broken(form: str, tally: ExportCounts) -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(NotFoundError):
        write_export(bench.store, parts_renderer(bench.store, []), tmp_path / "x.json")
    with pytest.raises(KeyboardInterrupt):
        write_export(bench.store, broken, tmp_path / "x.md")
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in (".md", ".json", ".tmp")]


def test_a_tools_result_stands_beside_its_call() -> None:
    def made(*kinds: str) -> list[tuple[str, str]]:
        messages = [Message(kind, f"{kind}{at}") for at, kind in enumerate(kinds)]  # type: ignore[arg-type]
        found = group_steps(messages)
        return [(one.call.text if one.call else "", one.result.text if one.result else "") for one in found]  # type: ignore[union-attr]

    call, result = "tool_call", "tool_result"
    assert made(call, call, result, result) == [("tool_call0", "tool_result2"), ("tool_call1", "tool_result3")]
    assert made(call, call, result) == [("tool_call0", ""), ("tool_call1", "tool_result2")]
    assert made(result, call, result, result, call) == [
        ("", "tool_result0"),
        ("tool_call1", "tool_result2"),
        ("", "tool_result3"),
        ("tool_call4", ""),
    ]


TRICKS = (
    *HARM,
    "# Heading",
    "Heading\n===",
    "Heading\n---",
    "## User",
    "### User",
    "- ```\n  x",
    "```\nopen",
    "~~~",
    "- a\n  ```",
    "<!-- open",
    "<script>",
    "<details>",
    "</details>",
    "<details><summary>Result</summary>",
    "> **Edit** `x`",
    "    code",
    "1. a",
    "\t# x",
    "---",
    "***",
    "<div>",
    "$$",
)


@pytest.mark.long
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.one_of(st.sampled_from(TRICKS), st.sampled_from(["\n", "\n\n", " ", "  "]), st.text(max_size=8)), max_size=9
    )
)
def test_no_words_pass_for_a_prompt_or_swallow_one(parts: list[str]) -> None:
    text = "".join(parts)
    messages = (Message("prompt", "First"), Message("reply", text), Message("prompt", text), Message("reply", "ok"))
    session = ExportedSession("Title", "p", "", (*messages, Message("prompt", "Last")), 0)
    made = "".join(render_items([session], ExportCounts(), is_one=True))
    tokens = MarkdownIt("commonmark").parse(made)
    own = [
        tokens[at + 1].content
        for at, one in enumerate(tokens)
        if one.type == "heading_open" and one.tag in ("h1", "h2") and not one.level
    ]
    assert (own[0], own[1], own[-1]) == ("Title", "First", "Last")
    assert len(own) == 4


def test_everything_a_session_can_hold_goes_out(environment: Environment, tmp_path: Path) -> None:
    kinds = ("prompt", "reply", "thought", "plan", "tool_call", "tool_result", "compact_summary", "command")
    told = [Message(kind, f"{kind} words") for kind in kinds]  # type: ignore[arg-type]
    told += [Message("tool_result", "failed", is_error=True), Message("prompt", "aside", is_sidechain=True)]
    told += [Message("reply", "gone back", is_off_chain=True)]
    session = ExportedSession("Title", "p", "", tuple(told), 0)
    from recall_tui.features.transfer import html_page

    pages: list[Callable[[], str]] = [
        lambda: "".join(render_items([session], ExportCounts(), is_one=True)),
        lambda: "".join(html_page.render_items([session], ExportCounts(), "Title")),
    ]
    for page in pages:
        text = page()
        for message in told:
            assert message.text in text, message


def test_a_pasted_plan_is_headed_by_its_own_title() -> None:
    text = "Implement the following plan:\n\n# Rework the login\n\n## Context\n\nThe login is slow."
    assert prompt_heading(Message("prompt", text)) == ("Rework the login", False)
