"""An index that grew answers like one made anew: the same passages, the same hits, whatever was done to the files."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.opener import Index, open_index
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.index.contents import scores_in, state_of
from tests.makers import records, session_id_of

pytestmark = pytest.mark.long

SAID = (
    "alpha beta",
    "why createTestApp?",
    "İß 日本語 alpha",
    "beta " * 40,
    "gamma in src/auth/login.py",
    "alpha\n\n## beta",
)
QUESTIONS = (
    "alpha", "createTestApp", "日本語", "gama", "kind:conversation alpha", "kind:topic beta", "alpha -gamma",
    "file:login.py gamma", "kind:tool ls",
)  # fmt: skip
LOOSE = (
    "beta gamma", '"alpha beta"', "create test app", "Deploys alpha", "what was said in March", "session:000a11ce",
    "kind:memory,topic",
)  # fmt: skip
"""Questions to which many passages are equally good an answer, or with words whose nearness Tantivy counts segment by
segment: what they find is the same, and not how it stands there."""
TRANSCRIPT_ACTIONS = (
    "append", "append", "tool", "rewind", "rewrite", "truncate", "tear", "rename", "move", "copy", "side",
    "delete", "ignore",
)  # fmt: skip
MARKDOWN_ACTIONS = ("append", "append", "rewrite", "truncate", "rename", "delete")
STEPS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.one_of(
            st.sampled_from([("transcript", action) for action in TRANSCRIPT_ACTIONS]),
            st.sampled_from([(kind, action) for kind in ("archive", "topic", "memory") for action in MARKDOWN_ACTIONS]),
        ),
        st.sampled_from(SAID),
        st.booleans(),
    ),
    min_size=1,
    max_size=14,
)


@dataclass(frozen=True)
class Trial:
    """A memory and transcripts to which things happen."""

    store: Store
    index: Index
    lines: dict[int, list[str]] = field(default_factory=dict)
    """What each transcript holds."""

    def take(self, number: int, kind: str, action: str, text: str) -> None:
        """Let one thing happen."""
        if kind == "transcript":
            self._transcript(number, action, text)
        else:
            self._markdown(kind, number, action, text)

    def _paths(self, number: int) -> list[Path]:
        return sorted((self.store.environment.claude / "projects").glob(f"*/*{session_id_of(number)[-6:]}.jsonl"))

    def _transcript(self, number: int, action: str, text: str) -> None:
        session, found = session_id_of(number), self._paths(number)
        lines = self.lines.setdefault(number, [])
        path = found[0] if found else self.store.environment.claude / "projects" / "-home-u-api" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        match action:
            case "append":
                lines += self._said(number, [("user", text), ("assistant", text[::-1])])
            case "tool":
                lines += self._said(
                    number, [("user", "look"), ("Read", f"src/{text.split()[0]}.py"), ("Bash", f"ls {text}")]
                )
            case "rewind" if lines:
                (more,) = self._said(number, [("user", f"instead {text}")])
                lines.append(json.dumps(json.loads(more) | {"parentUuid": json.loads(lines[0])["uuid"]}))
            case "rewrite":
                lines[:] = self._said(number, [("user", f"anew {text}")])
            case "truncate":
                del lines[len(lines) // 2 :]
            case "tear" if found:
                path.write_bytes(path.read_bytes()[:-9])
                return
            case "rename" if found:
                path.rename(path.with_name(f"renamed-{session[-6:]}.jsonl"))
                return
            case "move" if found:
                other = path.parent.with_name("-home-u-moved") / path.name
                other.parent.mkdir(exist_ok=True)
                path.rename(other)
                return
            case "copy" if found:
                other = path.parent.with_name("-home-u-copied") / path.name
                other.parent.mkdir(exist_ok=True)
                other.write_bytes(path.read_bytes())
                return
            case "side" if found:
                aside = path.parent / path.stem / "subagents" / "agent-1.jsonl"
                aside.parent.mkdir(parents=True, exist_ok=True)
                aside.write_text("".join(f"{line}\n" for line in self._said(number, [("assistant", text)], "aside")))
                return
            case "delete":
                for each in found:
                    each.unlink()
                return
            case "ignore":
                ignored = self.store.environment.claude / ".recall-ignore"
                ignored.write_text("" if ignored.exists() and ignored.read_text() else f"*{session[-6:]}.jsonl\n")
                return
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def _said(self, number: int, turns: list[tuple[str, str]], seed: str = "") -> list[str]:
        """The next lines of a transcript, each with the one before as its parent."""
        before = self.lines[number]
        start = NOON + timedelta(days=number, minutes=len(before), seconds=30 * bool(seed))
        made = records(session_id_of(number), turns, start=start, seed=seed or f"{len(before)}")
        if before and made and not seed:
            made[0]["parentUuid"] = json.loads(before[-1])["uuid"]
        return [json.dumps(record | ({"isSidechain": True} if seed else {}), ensure_ascii=False) for record in made]

    def _markdown(self, kind: str, number: int, action: str, text: str) -> None:
        path = self._document(kind, number)
        other = self._document(kind, number + 3)
        if not path.exists() and other.exists():
            path, other = other, path
        match action:
            case "append" if path.exists():
                turn = (
                    f"\n---\n\n### User\n\n{text}\n"
                    if kind == "archive"
                    else f"\n## More {text.split()[0]}\n\n{text}\n"
                )
                path.write_text(path.read_text(encoding="utf-8") + turn, encoding="utf-8")
            case "append" | "rewrite":
                path.write_text(_document(kind, number, text), encoding="utf-8")
            case "truncate" if path.exists():
                data = path.read_bytes()
                path.write_bytes(data[: len(data) // 2])
            case "rename" if path.exists():
                path.rename(other)
            case "delete":
                path.unlink(missing_ok=True)

    def _document(self, kind: str, number: int) -> Path:
        memory = self.store.root / "memory"
        if kind == "archive":
            return memory / "conversations" / f"conversation-{number:03d}.md"
        return memory / f"topic-{number}.md" if kind == "topic" else memory / "MEMORY.md"


def _document(kind: str, number: int, text: str) -> str:
    if kind == "archive":
        head = f'---\nlog: {number}\ndate: "2026-03-0{number}T10:00:00Z"\nsession_id: {session_id_of(number)}\n---\n\n'
        summary = f"## Summary\n\nchose {text.split()[0]}\n\n# Conversation {number:03d}\n\n"
        return f"{head}{summary}---\n\n### User\n\n{text}\n\n---\n\n### Assistant\n\n{text[::-1]}\n"
    return f"---\ntitle: {kind} {number}\n---\n\n# Deploys\n\n{text}\n\n## Alpha\n\n{text} again\n"


def _answers(index: Index, store: Store) -> list[object]:
    """What the questions find: sessions and documents with their scores, and single passages with all that is told.

    Of passages that are equally good any may stand for a session.
    """
    found: list[object] = []
    for question in QUESTIONS:
        whole, single = (search(index, store, question, limit=50, passages=is_single) for is_single in (False, True))
        named = sorted((hit.session_id or hit.document, hit.score) for hit in whole.hits)
        found.append((whole.rung, whole.total, whole.notes, named, single.hits))
    for question in LOOSE:
        whole = search(index, store, question, limit=50)
        found.append((whole.total, whole.notes, sorted(hit.session_id or hit.document for hit in whole.hits)))
    return found


def _all_of_it(index: Index, store: Store) -> tuple[object, ...]:
    return state_of(index, store), scores_in(index), _answers(index, store)


def _machine(folder: Path) -> Trial:
    (folder / "home").mkdir()
    root = folder / "agent"
    (root / "memory" / "conversations").mkdir(parents=True)
    environment = Environment(home=folder / "home", cwd=folder, env={"RECALL_STATE": str(folder / "state")})
    return Trial(Memory(make_layout(root, "entity"), environment, lambda: NOON), open_index(environment))


@settings(max_examples=15, deadline=None)
@given(steps=STEPS)
def test_bit_by_bit_gives_the_same_as_from_nothing(steps: list[tuple[int, tuple[str, str], str, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trial = _machine(Path(folder))
        index, store = trial.index, trial.store
        for step, (number, (kind, action), text, is_synced) in enumerate(steps):
            trial.take(number, kind, action, f"{text} step{step:02d}")
            if is_synced:
                refresh(index, store)
                assert index.coverage(store).is_whole
        refresh(index, store)
        grown = _all_of_it(index, store)
        assert refresh(index, store).passages == 0
        rebuild(index, store)
        assert index.coverage(store).is_whole
        assert _all_of_it(index, store) == grown
        if not index.coverage(store).gone:
            _from_nothing(trial, grown)


def _from_nothing(trial: Trial, grown: object) -> None:
    """Where nothing vanished, an index that knows of nothing but the files is the same too."""
    environment = trial.store.environment._replace(
        env={"RECALL_STATE": f"{trial.store.environment.env['RECALL_STATE']}-anew"}
    )
    store, index = trial.store._replace(environment=environment), open_index(environment)
    refresh(index, store)
    assert _all_of_it(index, store) == grown
