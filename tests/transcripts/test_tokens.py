"""The tokens of a session are those that its agent recorded, each request once."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation, ConversationHead
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript
from recall_tui.transcripts.shared_file import session_path
from tests.transcripts.codex_samples import SESSION, START, Rollout, id_at
from tests.transcripts.log_samples import PI, written
from tests.transcripts.opencode_samples import SESSION as OPENCODE_SESSION
from tests.transcripts.opencode_samples import Store


def opened(path: Path) -> Conversation:
    found = read_transcript(path)
    assert isinstance(found, Conversation), found
    return found


def head(path: Path) -> ConversationHead:
    return opened(path).head


def answer(number: int, message: str, usage: Any, **more: Any) -> dict[str, Any]:
    """A record of Claude Code's with a piece of an answer."""
    said = {"id": message, "model": "m", "content": [{"type": "text", "text": f"piece {number}"}], "usage": usage}
    return {"type": "assistant", "uuid": f"u{number}", "parentUuid": None, "sessionId": "s", "message": said} | more


def test_an_answer_in_several_records_counts_once_as_the_last_of_them_says(tmp_path: Path) -> None:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 100}
    records = [
        {"type": "user", "uuid": "u0", "sessionId": "s", "message": {"role": "user", "content": "why?"}},
        answer(1, "a", usage | {"output_tokens": 1}),
        answer(2, "a", usage | {"output_tokens": 5}),
        answer(3, "b", {"input_tokens": 2, "output_tokens": 3}),
        answer(3, "b", {"input_tokens": 2, "output_tokens": 3}),
        answer(4, "c", {"input_tokens": 900, "output_tokens": 9}, isSidechain=True),
    ]
    assert head(written(tmp_path / "s.jsonl", records)).tokens == 1115 + 5


@pytest.mark.parametrize("usage", ["many", [], {"input_tokens": -5}, {"output_tokens": "7"}, {"input_tokens": True}])
def test_what_is_no_count_is_none_and_no_fault(tmp_path: Path, usage: Any) -> None:
    found = head(written(tmp_path / "s.jsonl", [answer(1, "a", usage)]))
    assert (found.tokens, found.fault_count) == (0, 0)


def test_codex_counts_on_and_a_fork_goes_on_from_the_session_before(tmp_path: Path) -> None:
    def used(log: Rollout, count: int) -> Rollout:
        total = {"input_tokens": count, "cached_input_tokens": count, "output_tokens": 1, "total_tokens": count + 1}
        return log.event("token_count", info={"total_token_usage": total, "last_token_usage": total})

    log = used(used(used(Rollout().meta().turn(id_at(START)).user("first"), 100), 250), 250)
    assert head(log.write(tmp_path)).tokens == 251
    later = START + timedelta(hours=1)
    fork = Rollout(id_at(later), later).meta(forked_from_id=SESSION).meta(SESSION).turn(id_at(START)).user("first")
    fork = used(used(fork, 250).turn(id_at(later + timedelta(seconds=9))).user("second"), 300)
    assert head(fork.write(tmp_path)).tokens == 50


def test_a_branch_that_was_left_was_paid_for(tmp_path: Path) -> None:
    usage = {"input": 3, "output": 4, "cacheRead": 5, "cacheWrite": 6, "totalTokens": 18}
    records = json.loads(json.dumps(PI))
    answers = [one for one in records if one.get("message", {}).get("role") == "assistant"]
    for one in answers:
        one["message"]["usage"] = usage
    assert len(answers) > 1
    assert head(written(tmp_path / "2026-03-06T09-00-00-000Z_p.jsonl", records)).tokens == 18 * len(answers)


def test_a_database_counts_and_its_lines_stay_the_same(tmp_path: Path) -> None:
    store = Store(tmp_path / "opencode.db").session()
    store.message("why?")
    store.answer("Because.")
    path = session_path(store.path, OPENCODE_SESSION)
    before = head(path)
    assert before.tokens == 0
    store.connection.execute("ALTER TABLE session ADD COLUMN tokens_input integer DEFAULT 40")
    store.connection.execute("ALTER TABLE session ADD COLUMN tokens_cache_read integer DEFAULT 'none'")
    store.close()
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("ALTER TABLE session ADD COLUMN tokens_output integer DEFAULT 2")
    after = head(path)
    assert after.tokens == 42
    assert after.content_hash == before.content_hash


def test_aider_adds_up_what_each_answer_took(tmp_path: Path) -> None:
    history = tmp_path / ".aider.chat.history.md"
    history.write_text(
        "\n# aider chat started at 2026-03-06 09:00:00\n\n#### why?  \nBecause.\n"
        "> Tokens: 2.4k sent, 1.1k cache write, 31 received. Cost: $0.01 message, $0.01 session.  \n"
        "\n#### and now?  \nNow.\n> Tokens: 12k sent, 1.0k received.  \n> Tokens: many sent, 3 received.  \n"
        "\n# aider chat started at 2026-03-06 10:00:00\n\n#### again?  \nAgain.\n> Tokens: 5 sent, 6 received.  \n",
        encoding="utf-8",
    )
    from recall_tui.transcripts.aider.history import list_sessions

    first, second = list_sessions(history)
    assert head(session_path(history, first)).tokens == 2_431 + 13_000
    assert head(session_path(history, second)).tokens == 11


def test_copies_of_one_session_are_not_added_up(tmp_path: Path) -> None:
    records = [answer(1, "a", {"input_tokens": 10, "output_tokens": 1})]
    more = [*records, answer(2, "b", {"input_tokens": 20, "output_tokens": 2})]
    parts = [opened(written(tmp_path / name / "s.jsonl", found)) for name, found in (("a", records), ("b", more))]
    assert merge(parts).head.tokens == 33
