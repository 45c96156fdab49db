"""The parsers of what this program keeps for itself: files of the state folder and databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import date
from functools import cache

import msgspec

from recall_tui.domain import Conversation
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.dreaming.state import Insight, PendingDiaryEntry, SignalAnalysis, WikiOperation, WisdomPatch
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.summaries import synthesis_state
from recall_tui.index import catalogue
from recall_tui.index.text.commit_batch import parse_batches
from recall_tui.index.vectors import file as vector_file
from recall_tui.llm import usage_ledger
from recall_tui.llm.model import Usage
from recall_tui.llm.usage_ledger import CallRequest, UsageLedger, UsageLimits
from recall_tui.storage import trust
from recall_tui.storage.archives import retained
from recall_tui.storage.documents.wiki_page import SupersededClaim
from recall_tui.storage.files import atomic, lock
from recall_tui.storage.journal.record import JournalRecord
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import (
    app_state,
    hint_log,
    hook_log,
    job_queue,
    live_sessions,
    proposals,
    saved_searches,
    search_log,
    server_log,
    tombstones,
)
from recall_tui.storage.state.backup_record import Backup
from recall_tui.transcripts.session_recall_database import SessionRecallDatabase
from tests.qa.trust import seed_records, seeds
from tests.qa.trust.parsing import Parser, folder, in_state, written
from tests.qa.trust.round_trips import NOON
from tests.session_recall import Recalled


def spoiled(data: bytes, text: str) -> bytes:
    """The bytes of a database with the text in them, at a place that it says itself."""
    made = bytearray(data)
    wild = atomic.encode(text)
    start = sum(wild) * 97 % len(made)
    made[start : start + len(wild)] = wild
    return bytes(made[:200_000])


def _session_index(text: str) -> None:
    """Spoiled by the text; then the text is what it holds."""
    path = folder() / "index" / "session-index.db"
    path.parent.mkdir(exist_ok=True)
    for content in (_recalled(text[:2000]), spoiled(_empty_recalled(), text)):
        path.write_bytes(content)
        with SessionRecallDatabase(path) as database:
            for session in database.sessions():
                found = database.conversation(session)
                if isinstance(found, Conversation):
                    list(found.messages())


@cache
def _empty_recalled() -> bytes:
    return _recalled("")


def _recalled(text: str) -> bytes:
    path = folder() / "made" / "session-index.db"
    path.unlink(missing_ok=True)
    with Recalled(path) as made:
        made.session(seeds.SESSION, "a title").row(
            seeds.SESSION, "user", text.encode("utf-8", "replace").decode().replace("\x00", "") or "why?"
        )
    return path.read_bytes()


def _proposals(store: Store) -> Iterable[object]:
    found = proposals.list_all(store)
    return [proposals.document_state(store, one, change) for one in found for change in one.changes]


def _backup(text: str) -> object:
    """A record that is whole, whatever it says."""
    import zstandard

    body = zstandard.ZstdCompressor(level=1).compress(atomic.encode(text))
    return Backup.of(folder() / "day.backup", f"{atomic.content_digest(body)}\n".encode() + body)


def _journal(text: str) -> object:
    return JournalRecord.read(written(text, folder() / "record.json"))


def _dreams() -> str:
    line = SourceLine("Tokens expire.", "memory/2026-03-06.md", (4, 6), (("memory/2026-03-05.md", 1, 1),))
    insight = Insight("It expires.", ("memory/2026-03-06.md:4",), "auth")
    operation = WikiOperation(
        "auth", "concept", "Auth", "asked often", (line,), (SupersededClaim("a", "b", "2026-03-06", "c"),)
    )
    analysis = SignalAnalysis(
        (operation,), (insight,), (insight,), (insight,), (WisdomPatch("add", "a", line),), ("left out",)
    )
    told = {"analyses": {"k": analysis}, "settled": {"k": "aa"}, "untold": PendingDiaryEntry("## 2026-03-06", "aa")}
    return msgspec.json.encode(told).decode()


def _dreaming(store: Store) -> None:
    found = dream_state.load_state(store)
    dream_state.save_state(store, found)
    assert dream_state.load_state(store) == found
    dream_state.drop_documents(store, ["memory/2026-03-06.md"])


def _master_known(store: Store) -> None:
    found = synthesis_state.find_record(store, "# Master\n\n- a line\n", {"a.md": "00"})
    if found is not None:
        synthesis_state.adopt_record(store, found, {"a.md": "00"}, frozenset(["a.md"]))
    synthesis_state.save_proposed(store, {"a.md": "00"})


def _hints(store: Store) -> None:
    hint_log.has_hint(store, "s", "a")
    hint_log.add_hints(store, "s", ["a"], NOON)
    assert hint_log.has_hint(store, "s", "a")


def _hint_file() -> str:
    return f"{hint_log.HINTS_FOLDER}/{atomic.content_digest('s')[:16]}.json"


def _copy(text: str) -> None:
    """A retained copy whose packed bytes are spoiled, and one that holds the text."""
    import zstandard

    path = folder() / "kept" / "s" / "a.jsonl.zst"
    packed = zstandard.ZstdCompressor().compress(atomic.encode(text))
    for data in (packed, spoiled(packed, text)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        with suppress(zstandard.ZstdError):
            list(retained.read_lines(path))


_CALL = CallRequest(NOON, "summary", "m", "s", Usage(10, 10))


@cache
def _ledger() -> bytes:
    path = folder() / "made" / "ledger"
    path.mkdir(parents=True, exist_ok=True)
    made = UsageLedger(path)
    row = made.begin(_CALL, UsageLimits(9, 9_999, 9))
    assert isinstance(row, int)
    made.end(row, Usage(3, 4, 0.5), 12.0, "answered")
    return (path / usage_ledger.LEDGER_FILE).read_bytes()


def _spent(text: str) -> None:
    path = folder() / "ledger"
    path.mkdir(exist_ok=True)
    for old in path.glob("*"):
        old.unlink()
    (path / usage_ledger.LEDGER_FILE).write_bytes(spoiled(_ledger(), text))
    found = UsageLedger(path)
    found.calls()
    found.spent(date(2026, 3, 1))
    found.begin(_CALL, UsageLimits(9, 9_999, 9))


@cache
def _catalogue() -> bytes:
    path = folder() / "made" / "catalogue.db"
    path.parent.mkdir(exist_ok=True)
    with catalogue.open_to_write(path, lambda _: None) as made:
        made.begin_anew("g1")
        made.name_memory("m", "/m", "entity")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def _facts(text: str) -> None:
    """A damaged catalogue says so as a database, by which it is known and made anew."""
    path = folder() / "catalogue.db"
    path.write_bytes(spoiled(_catalogue(), text))
    with suppress(sqlite3.Error):
        found = catalogue.open_to_read(path)
        if found is not None:
            with found:
                found.roots()
                found.known("m")
                found.totals("m")
                found.titles("m")
    with suppress(sqlite3.Error):
        parse_batches(text)


@cache
def _vectors() -> bytes:
    path = folder() / "made" / "vectors"
    made = vector_file.open_to_write(path, "m", 4, lambda _: None)
    made.connection.execute("PRAGMA journal_mode = DELETE")
    made.connection.close()
    return (path / "rows.db").read_bytes()


def _vector_file(text: str) -> None:
    path = folder() / "vectors"
    path.mkdir(exist_ok=True)
    for old in path.glob("*"):
        old.unlink()
    (path / "rows.db").write_bytes(spoiled(_vectors(), text))
    with suppress(sqlite3.Error):
        found = vector_file.open_to_read(path)
        if found is not None:
            with closing(found.connection):
                found.kept()
                found.alive()
                found.users()
                assert found.is_whole in (True, False)


def _holder(text: str) -> object:
    return lock.owner_of(written(text, folder() / "a.lock"))


STATE = (
    Parser("session index", _session_index, (seed_records.CLAUDE, seeds.MEMORY), is_slow=True),
    Parser(
        "search log",
        in_state("searches/search-log-2026-03.jsonl", lambda store: search_log.read_searches(store, NOON)),
        (seed_records.SEARCH_LOG,),
    ),
    Parser("searches", in_state("searches.json", saved_searches.read_searches), (seed_records.SEARCHES,), ('{"a":',)),
    Parser("proposals", in_state("proposals/00112233.json", _proposals), (seed_records.PROPOSAL,), ('{"a":',)),
    Parser(
        "hook log",
        in_state("hooks.jsonl", lambda store: hook_log.read_decisions(store, 9)),
        (seed_records.HOOK, seed_records.SEARCH_LOG),
    ),
    Parser(
        "server log",
        in_state(
            server_log.CALLS_FILE,
            lambda store: (server_log.read_calls(store), server_log.record_call(store, "a client")),
        ),
        ('{"client": "Zed", "at": "2026-03-06T12:00:00+00:00"}',),
        ('{"client": "a{n}", "at": "2026-03-06T12:00:00+00:00"}\n', '{"a":'),
    ),
    Parser(
        "server errors",
        in_state(server_log.ERRORS_FILE, server_log.read_errors),
        ('{"client": "Zed", "tool": "read", "message": "no", "at": "2026-03-06T12:00:00+00:00"}',),
        ('{"a":',),
    ),
    Parser(
        "session marks",
        in_state("sessions/a.json", lambda store: live_sessions.list_all(store.state)),
        (seed_records.HOOK,),
        ('{"a":',),
    ),
    Parser(
        "jobs", in_state("jobs/a.json", lambda store: job_queue.list_all(store.state)), (seed_records.HOOK,), ('{"a":',)
    ),
    Parser("bookmark", in_state("app.json", app_state.read_state), (seed_records.SEARCHES,), ('{"a":',)),
    Parser(
        "tombstones",
        in_state("tombstones.json", lambda store: tombstones.read_tombstones(store.state)),
        (seed_records.SEARCHES,),
        ('{"a":',),
    ),
    Parser("backup record", _backup, (seed_records.BACKUP,), ('{"files":',)),
    Parser("journal record", _journal, (seed_records.JOURNAL,), ('{"a":',)),
    Parser(
        "dreams",
        in_state("dreams/analyses.json", _dreaming),
        (_dreams(),),
        ('{"a":',),
    ),
    Parser("hints", in_state(_hint_file(), _hints), ('["aa", "bb"]',), ("[", '"a",')),
    Parser(
        "known to the master", in_state(synthesis_state.STATE_FILE, _master_known), (seed_records.MASTERED,), ('{"a":',)
    ),
    Parser("trusted", in_state("trusted.json", trust.is_trusted), ('{"models": ["aa"]}',), ('{"a":',)),
    Parser("lock", _holder, ('{"pid": 1, "host": "h", "purpose": "p"}',), ('{"a":', "[")),
    Parser("retained copy", _copy, (seed_records.CLAUDE,)),
    Parser("ledger", _spent, ("2026-03-06", "summary"), is_slow=True),
    Parser("catalogue", _facts, ('{"a": ["bb", 3]}', "entity"), is_slow=True),
    Parser("vectors", _vector_file, ("dimensions", "4"), is_slow=True),
)
"""All of them."""
