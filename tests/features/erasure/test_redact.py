"""Secrets that are stored already are found wherever they are, and taken out for good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import zstandard

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError
from recall_tui.features.capture import archive, archive_draft
from recall_tui.features.curation.remember import remember
from recall_tui.features.erasure.redact import MASK, masked_diff, redact
from recall_tui.index.ingest import conversation_passages, markdown_files
from recall_tui.storage.archives import retained, summary_file
from recall_tui.storage.documents import window_file
from recall_tui.storage.files import atomic
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.markdown import frontmatter
from recall_tui.workbench import Workbench
from tests.features.erasure.erasure_samples import KEY
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.traces import traces

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4"
TALK = [("user", f"Deploy with {KEY} please"), ("assistant", f"Deployed it with the token {TOKEN}.")]


@pytest.fixture
def unknowing(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A program that knows no kind of secret, until `undo` is called: what it wrote then is what is found later."""
    from recall_tui.features.curation import remember

    for module in (archive, archive_draft, retained, conversation_passages, remember):
        monkeypatch.setattr(module, "redact", lambda text: text)
    monkeypatch.setattr(markdown_files, "redact_lines", lambda text: text)
    return monkeypatch


def written(environment: Environment, unknowing: pytest.MonkeyPatch, layout: str = "entity") -> Workbench:
    """A memory in which secrets were written everywhere before their kinds were known."""
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    bench.apply(remember, f"the key is {KEY}")
    bench.apply(remember, f"the token is {TOKEN}", "tokens")
    bench.sync()
    unknowing.undo()
    assert traces(bench, KEY)
    return bench


def places_of(bench: Workbench) -> set[tuple[str, str, int, str]]:
    return {(one.where, one.place, one.line, one.kind) for one in bench.eraser.secrets()}


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_no_secret_is_left_anywhere(environment: Environment, unknowing: pytest.MonkeyPatch, layout: str) -> None:
    bench = written(environment, unknowing, layout)
    entry, cleared = bench.eraser.redact()
    assert entry is not None and entry.title.startswith("Redacted ") and cleared.left == ()
    assert traces(bench, KEY, TOKEN) == []
    assert list(bench.eraser.secrets()) == []
    assert not {KEY, TOKEN} & set(str(bench.search(f"{KEY} {TOKEN} key", passages=True).hits).split())
    assert bench.search("deployed").hits and bench.search("the key is").hits
    assert bench.index.coverage(bench.store).is_whole
    bench.sync(anew=True)
    assert traces(bench, KEY, TOKEN) == []


def test_each_is_named_by_place_line_and_kind(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing)
    found = places_of(bench)
    memory = bench.layout.memory_file.read_text().split("\n")
    line = next(number for number, text in enumerate(memory, 1) if KEY in text)
    assert ("memory", "memory/MEMORY.md", line, "anthropic-key") in found
    assert ("memory", "memory/tokens.md", 3, "github-token") in found
    assert {where for where, *_ in found} == {"memory", "journal", "index"}
    assert KEY not in str(found) and TOKEN not in str(found)


def test_retained_copies_are_looked_through(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing, "claude-project")
    copy = next(environment.kept.glob("*/*"))
    assert ("kept", str(copy), 1, "anthropic-key") in places_of(bench)
    bench.eraser.redact()
    said = zstandard.ZstdDecompressor().decompressobj().decompress(copy.read_bytes()).decode()
    assert "[redacted:anthropic-key]" in said
    assert all(isinstance(json.loads(line), dict) for line in said.splitlines())
    assert list(bench.store.spool.iterdir()) == []


@pytest.mark.long
def test_what_only_the_index_has_is_redacted_there(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.sync()
    path.unlink()
    bench.sync()
    unknowing.undo()
    assert {where for where, *_ in places_of(bench)} == {"index"}
    entry, _ = bench.eraser.redact()
    assert entry is None and traces(bench, KEY, TOKEN) == []
    assert bench.search("deployed").hits and bench.index.coverage(bench.store).is_whole
    bench.sync(anew=True)
    assert bench.search("deployed").hits and traces(bench, KEY, TOKEN) == []


def test_doing_it_again_changes_nothing(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing)
    bench.eraser.redact()
    before = tree(bench.store.root), tree(bench.journal.folder)
    assert bench.eraser.redact()[0] is None
    assert (tree(bench.store.root), tree(bench.journal.folder)) == before


@pytest.mark.long
def test_it_cannot_be_undone_and_earlier_changes_bring_no_secret_back(
    environment: Environment, unknowing: pytest.MonkeyPatch
) -> None:
    bench = written(environment, unknowing)
    wrote = next(entry for entry in bench.journal.entries() if "MEMORY.md" in entry.title)
    bench.eraser.redact()
    with pytest.raises(ConflictError, match="cannot be undone: Redacted"):
        bench.undo()
    undone = bench.undo(wrote.id)
    assert undone is not None and KEY not in undone.title
    assert "the key is" not in bench.layout.memory_file.read_text()
    assert traces(bench, KEY) == []


def test_the_diff_shows_no_secret(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing)
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7Qx7Lm2Vd9RtYb4Wn8Kc1\n" * 8
    with bench.layout.memory_file.open("a") as file:
        file.write(f"\n{key}-----END RSA PRIVATE KEY-----\n")
    diff = masked_diff(bench.preview(redact), bench.store.root, bench.store.environment.home)
    assert f"-- the key is {MASK}" in diff and "+- the key is [redacted:anthropic-key]" in diff
    assert KEY not in diff and "MIIEpAIB" not in diff


def test_what_was_ours_and_unedited_stays_so(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing, "project")
    bench.eraser.redact()
    assert bench.layout.summaries is not None
    summary = bench.layout.summaries / f"{session_id_of(1)}.md"
    text = summary.read_text()
    assert "[redacted:" in text and summary_file.is_ours_unedited(text)
    grown = transcript(environment, 1, [*TALK, ("user", "and now?"), ("assistant", "Done.")])
    assert bench.capture(grown).status == "updated"


def test_a_summary_in_the_window_stays_ours(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing, "user")
    bench.eraser.redact()
    held = window_file.read_last_session(bench.layout.window.read_text())
    assert held is not None and held.session_id == session_id_of(1)


def test_a_head_is_read_as_before(environment: Environment) -> None:
    bench = bench_at(environment)
    archived = bench.layout.archives[0].folder / "conversation-001.md"
    archived.write_text(f"---\nlog: 1\ntitle: {KEY} is ours\nsession_id: abcd-1\n---\n\n# Conversation 001\n\nNo\n")
    bench.eraser.redact()
    values, _ = frontmatter.split_frontmatter(archived.read_text())
    assert values == {"log": 1, "title": "[redacted:anthropic-key] is ours", "session_id": "abcd-1"}


def test_other_state_is_looked_through(environment: Environment) -> None:
    bench = bench_at(environment)
    log = bench.store.state / "logs" / "hook.log"
    atomic.write_file(log, f"one\ntold {KEY}\n".encode())
    assert places_of(bench) == {("state", str(log), 2, "anthropic-key")}
    bench.eraser.redact()
    assert log.read_text() == "one\ntold [redacted:anthropic-key]\n"


def test_the_agents_transcripts_and_the_settings_are_left_alone(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    before = path.read_bytes()
    bench.layout.config.write_text(f'layout = "entity"\n[llm]\napi_key = "{KEY}"\n')
    assert list(bench.eraser.secrets()) == []
    bench.eraser.redact()
    assert path.read_bytes() == before and KEY in bench.layout.config.read_text()


def test_a_redaction_that_lost_its_process_is_finished(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing)
    bench.apply(redact)
    assert not [one for one in bench.eraser.secrets() if one.where == "memory"] and list(bench.eraser.secrets())
    bench.eraser.redact()
    assert traces(bench, KEY, TOKEN) == []


def test_state_files_stay_private(environment: Environment, unknowing: pytest.MonkeyPatch) -> None:
    bench = written(environment, unknowing, "claude-project")
    bench.eraser.redact()
    paths: list[Path] = [path for path in environment.state.rglob("*") if path.is_file()]
    assert paths and not [path for path in paths if path.stat().st_mode & 0o077]
