"""What is indexed of a session is given back as it was said, although its transcript is gone."""

from __future__ import annotations

from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.index.sources.retained_sessions import retained_messages
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.registry import read_transcript
from tests.conftest import NOON
from tests.makers import session_id_of, sub_agent, transcript

TURNS = [
    ("user", "Why do tokens expire?"),
    ("Read", "/home/u/api/auth.py"),
    ("assistant", "Because a stolen one must not last."),
    ("user", "And sessions?"),
    ("assistant", "They do as well. " * 900),
]


def test_a_session_is_given_back_in_its_order(store: Store, index: Index, environment: Environment) -> None:
    path = transcript(environment, 1, TURNS)
    sub_agent(path, [("user", "Look it up."), ("assistant", "Found.")], start=NOON)
    refresh(index, store)
    conversation = read_transcript(path)
    said = [(one.kind, one.text[:30], one.is_sidechain) for one in conversation.messages()]  # type: ignore[union-attr]
    path.unlink()
    refresh(index, store)
    found = list(retained_messages(index, session_id_of(1)))
    kept = list(dict.fromkeys((one.kind, one.text[:30], one.is_sidechain) for one in found))
    assert [one for one in kept if not one[2]][:4] == [one for one in said if not one[2]][:4]
    assert "".join(one.text for one in found).count("They do as well.") == 900
    assert found[1].tool is not None and found[1].tool.name == "Read"


def test_of_what_was_never_indexed_there_is_nothing(store: Store, index: Index, environment: Environment) -> None:
    assert list(retained_messages(index, "nobody")) == []
    transcript(environment, 1, TURNS)
    refresh(index, store)
    assert list(retained_messages(index, "nobody")) == []
