"""Every transcript is found, once, whatever happens to its file; an index that grew answers like one made anew."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.ingest import compaction
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import partitions
from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.passage import PARTITIONS, SPEECH, TOOLS, TRANSCRIPTS_KEY, WHOLE
from recall_tui.index.text.schema import count_number
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.index.contents import everything, open_reader
from tests.makers import transcript

Archive = Callable[..., Path]
SESSION = "5e551011-0000-4000-8000-{:012d}"


class Log:
    """A transcript of Claude Code, written record by record."""

    def __init__(self, store: Store, number: int = 1, folder: str = "-home-u-api") -> None:
        self.session = SESSION.format(number)
        self.path = store.environment.claude / "projects" / folder / f"{self.session}.jsonl"
        self.lines: list[str] = []

    def _record(self, kind: str, message: dict[str, object], **more: object) -> None:
        place = len(self.lines)
        record = {
            "type": kind,
            "uuid": f"{self.session}-{place}",
            "parentUuid": f"{self.session}-{place - 1}" if place else None,
            "sessionId": self.session,
            "cwd": "/home/u/api",
            "gitBranch": "main",
            "isSidechain": False,
            "timestamp": f"2026-03-{1 + place // 1440 % 28:02d}T{place // 60 % 24:02d}:{place % 60:02d}:00Z",
            "message": message,
        }
        self.lines.append(json.dumps(record | more))

    def prompt(self, text: str, **more: object) -> Log:
        self._record("user", {"role": "user", "content": text}, **more)
        return self

    def agent(self, *blocks: dict[str, object], **more: object) -> Log:
        self._record("assistant", {"role": "assistant", "id": f"m{len(self.lines)}", "content": list(blocks)}, **more)
        return self

    def reply(self, text: str, **more: object) -> Log:
        return self.agent({"type": "text", "text": text}, **more)

    def tool(self, name: str, said: str, **arguments: object) -> Log:
        id = f"t{len(self.lines)}"
        self.agent({"type": "tool_use", "id": id, "name": name, "input": arguments})
        self._record("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": said}]})
        return self

    def raw(self, line: str) -> Log:
        self.lines.append(line)
        return self

    def write(self) -> Log:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(f"{line}\n" for line in self.lines))
        return self


def _found(index: Index, field: str, term: str, shelf: str = SPEECH) -> list[str]:
    reader = open_reader(index)
    return sorted(reader.stored(at).body for _, at in reader.top(reader.term(field, term), 100, shelf))


def test_speech_and_tools_stand_on_shelves_of_their_own(index: Index, store: Store) -> None:
    log = Log(store).prompt("why jwt?").agent({"type": "thinking", "thinking": "perhaps sessions"})
    log.tool("Read", "class Login: pass", file_path="src/auth/login.py").reply("because of the api").write()
    assert refresh(index, store).added == 1
    reader = open_reader(index)
    assert [reader.count_of_memory(TRANSCRIPTS_KEY, shelf) for shelf in PARTITIONS] == [2, 3, 1]
    found = {one.roles[0]: one for one in everything(index)}
    assert found["tool_call"].body == "Read src/auth/login.py"
    assert found["tool_result"].roles == ("tool_result", "tool")
    assert found["tool_result"].paths == "src/auth/login.py" and found["tool_result"].lines == (4, 4)
    assert (found["prompt"].project, found["prompt"].session_id) == ("/home/u/api", log.session)
    assert found["prompt"].date is not None and found["prompt"].document == str(log.path)
    assert _found(index, "thought", "session", TOOLS) == ["perhaps sessions"]
    assert not _found(index, "plain", "sessions")


def test_a_turn_is_found_by_the_words_of_its_neighbours(index: Index, store: Store) -> None:
    Log(store).prompt("alpha").reply("beta").tool("Bash", "zebra", command="ls").prompt("gamma").reply("delta").write()
    refresh(index, store)
    assert _found(index, "window", "gamma") == ["beta", "delta", "gamma"]
    assert _found(index, "plain", "gamma") == ["gamma"]


def test_what_was_rewound_and_what_sub_agents_said_is_marked_and_nobodys_neighbour(index: Index, store: Store) -> None:
    log = Log(store).prompt("start").reply("one")
    left = f"{log.session}-1"
    log.prompt("abandoned").reply("dropped").prompt("instead", parentUuid=left).reply("two")
    log.reply("aside", isSidechain=True).write()
    refresh(index, store)
    flags = {one.body: one.roles[1:] for one in everything(index)}
    assert flags["abandoned"] == ("off-chain",) and flags["aside"] == ("sidechain",) and flags["instead"] == ()
    assert "abandoned" not in _found(index, "window", "instead")
    assert _found(index, "window", "abandon") == ["abandoned"]
    assert open_reader(index).count(open_reader(index).term("whole", "abandon"), WHOLE) == 0


def test_a_long_message_is_several_passages_and_nothing_of_it_is_lost(index: Index, store: Store) -> None:
    text = " ".join(f"word{number}" for number in range(5000))
    Log(store).prompt(text).tool("Bash", "x" * 9000, command="y " * 9000).write()
    refresh(index, store)
    spoken = [one for one in everything(index) if one.roles[0] == "prompt"]
    assert len(spoken) > 4 and "".join(one.body for one in spoken) == text
    assert all(len(one.body) < 4200 for one in everything(index) if one.roles[0].startswith("tool"))


def test_secrets_are_nowhere_in_the_index(index: Index, store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    Log(store).prompt(f"use {secret} for it").tool("Bash", f"{'x ' * 1990}{secret}", command=f"curl {secret}").write()
    refresh(index, store)
    assert not any(secret[:12] in one.body for one in everything(index))
    assert not open_reader(index).dictionary("plain", "a1b2c3d4e5", None, 10)


def test_a_transcript_that_grew_costs_its_last_batches(index: Index, store: Store) -> None:
    log = Log(store)
    for number in range(BATCH_PASSAGES * 2):
        log.prompt(f"question {number}").reply(f"answer {number}")
    log.write()
    assert refresh(index, store).passages == BATCH_PASSAGES * 4
    log.prompt("one more").write()
    done = refresh(index, store)
    assert (done.changed, done.passages) == (1, BATCH_PASSAGES + 1)
    assert index.coverage(store).is_whole
    assert len({one.id for one in everything(index)}) == BATCH_PASSAGES * 4 + 1


def test_nothing_new_writes_nothing(index: Index, store: Store) -> None:
    log = Log(store).prompt("alpha").write()
    refresh(index, store)
    edition = partitions.read_version(index.passages_path)
    os.utime(log.path, ns=(1, 1))
    assert refresh(index, store).passages == 0
    assert partitions.read_version(index.passages_path) == edition


def test_a_transcript_that_vanished_keeps_its_passages_through_a_rebuild(index: Index, store: Store) -> None:
    log = Log(store).prompt("alpha").reply("beta").tool("Bash", "zebra", command="ls").write()
    refresh(index, store)
    before = everything(index)
    log.path.unlink()
    refresh(index, store)
    assert index.coverage(store).gone == 1
    rebuild(index, store)
    assert everything(index) == before and index.coverage(store).gone == 1
    assert _found(index, "window", "alpha") == ["alpha", "beta"] and index.coverage(store).is_whole
    log.write()
    refresh(index, store)
    assert index.coverage(store).gone == 0 and everything(index) == before


def test_a_session_whose_file_was_renamed_is_there_once(index: Index, store: Store) -> None:
    log = Log(store).prompt("alpha").write()
    refresh(index, store)
    log.path.rename(log.path.with_name("renamed.jsonl"))
    refresh(index, store)
    assert [one.document for one in everything(index)] == [str(log.path.with_name("renamed.jsonl"))]
    assert index.coverage(store).gone == 0


def test_a_session_in_two_folders_is_there_once(index: Index, store: Store) -> None:
    Log(store).prompt("alpha").reply("beta").write()
    Log(store, folder="-home-u-moved").prompt("alpha").reply("beta").prompt("gamma").write()
    refresh(index, store)
    assert sorted(one.body for one in everything(index)) == ["alpha", "beta", "gamma"]


def test_an_archive_gives_no_more_than_its_summary_when_there_is_a_transcript(
    index: Index, store: Store, archive: Archive
) -> None:
    log = Log(store).prompt("alpha").write()
    text = archive(1, "alpha", "beta", session_id=log.session).read_text()
    path = store.layout.archives[0].folder / "conversation-001.md"
    path.write_text(text.replace("# Conversation", "## Summary\n\nchose jwt\n\n# Conversation", 1))
    log.path.rename(aside := log.path.with_suffix(".aside"))
    refresh(index, store)
    assert len(everything(index, memory_key(store))) == 2
    aside.rename(log.path)
    refresh(index, store)
    assert [one.roles for one in everything(index, memory_key(store))] == [("summary",)]
    assert _found(index, "plain", "alpha") == ["alpha"]
    store.environment.claude.joinpath(".recall-ignore").write_text("*.jsonl")
    refresh(index, store)
    assert len(everything(index, memory_key(store))) == 2


@pytest.mark.long
@pytest.mark.parametrize("pattern", ["-home-u-api/*", "-home-u-api", "~/.claude/projects/-home-u-api", "*/*-u-api/*"])
def test_ignored_transcripts_leave(index: Index, store: Store, pattern: str) -> None:
    Log(store).prompt("alpha").write()
    Log(store, 2, "-home-u-other").prompt("beta").write()
    refresh(index, store)
    store.environment.claude.joinpath(".recall-ignore").write_text(f"# mine\n\n{pattern}\n")
    assert refresh(index, store).removed == 1
    assert [one.body for one in everything(index)] == ["beta"]


def test_the_programs_own_tasks_are_no_memory(index: Index, store: Store) -> None:
    Log(store).prompt("<recall-tui-task>\nsum this up").reply("done").write()
    asked = str(store.environment.state / "models")
    transcript(store.environment, 2, [("user", "sum this up"), ("assistant", "done")], cwd=asked)
    refresh(index, store)
    assert everything(index) == [] and index.coverage(store).is_whole


def test_lines_that_cannot_be_read_are_counted_with_the_first_reason(index: Index, store: Store) -> None:
    Log(store).prompt("alpha").raw("{broken").raw("[1]").reply("beta").write()
    refresh(index, store)
    covered = index.coverage(store)
    assert (covered.sources, covered.indexed, covered.failed, covered.faulty) == (1, 1, 0, 1)
    (one,) = index.faulty(store)
    assert (one.faults, one.fault_line, one.fault) == (2, 2, "not JSON")


def test_a_memory_sees_its_own_and_the_transcripts_of_the_projects_asked_for(
    index: Index, store: Store, archive: Archive
) -> None:
    Log(store).prompt("alpha").write()
    store.layout.memory_file.write_text("alpha too")
    refresh(index, store)
    reader = open_reader(index)
    assert reader.count(reader.within(memory_key(store))) == 2
    assert reader.count(reader.within("another")) == 1
    assert reader.count(reader.within(memory_key(store), ("elsewhere",))) == 1


def test_a_passage_is_counted_with_its_session(index: Index, store: Store) -> None:
    log = Log(store).prompt("alpha").write()
    store.layout.memory_file.write_text("alpha too")
    refresh(index, store)
    reader = open_reader(index)
    hits = reader.top(reader.term("plain", "alpha"), 10)
    places = [at for _, at in hits]
    assert dict(zip(reader.counted_with(places), (reader.stored(at).kind for at in places), strict=True)) == {
        count_number(log.session): "transcript",
        count_number(source_key(memory_key(store), "memory/MEMORY.md")): "memory",
    }


def test_a_run_that_was_stopped_goes_on_where_it_was(index: Index, store: Store) -> None:
    for number in range(1, 5):
        Log(store, number).prompt("alpha " * 50).write()
    calls = iter(range(100))
    done = refresh(index, store, is_cancelled=lambda: next(calls) > 1)
    assert done.is_cancelled and 0 < index.coverage(store).sources < 5
    steps: list[tuple[int, int]] = []
    refresh(index, store, lambda now, all_of_it: steps.append((now, all_of_it)))
    assert index.coverage(store).sources == 4 and index.coverage(store).is_whole
    assert steps[-1][0] == steps[-1][1] and steps == sorted(steps)
    assert len(everything(index)) == 4


def test_a_long_transcript_is_told_to_be_at_work(index: Index, store: Store) -> None:
    log = Log(store)
    for number in range(BATCH_PASSAGES * 3):
        log.prompt(f"question {number}")
    size = log.write().path.stat().st_size
    steps: list[tuple[int, int]] = []
    refresh(index, store, lambda now, all_of_it: steps.append((now, all_of_it)))
    assert steps == [(0, size)] * (len(steps) - 1) + [(size, size)] and len(steps) > 3


@pytest.mark.long
def test_a_rebuild_that_was_stopped_leaves_everything_as_it_was(
    index: Index, store: Store, archive: Archive, environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "other" / "memory").mkdir(parents=True)
    other = Memory(make_layout(tmp_path / "other", "entity"), environment, store.now)
    other.layout.memory_file.write_text("# Redis\n")
    archive(1, "alpha", "beta")
    gone = Log(store).prompt("alpha").write()
    Log(store, 2).prompt("beta").write()
    refresh(index, store)
    refresh(index, other)
    gone.path.unlink()
    refresh(index, store)
    before, edition = everything(index), partitions.read_version(index.passages_path)
    steps = 0
    while True:
        calls = iter(range(100))
        done = rebuild(index, store, is_cancelled=lambda calls=calls, steps=steps: next(calls) >= steps)  # type: ignore[misc]
        if not done.is_cancelled:
            break
        assert done.is_anew and partitions.read_version(index.passages_path) == edition
        assert everything(index) == before and index.coverage(store).is_whole and index.coverage(other).is_whole
        steps += 1
    assert steps > 4 and partitions.read_version(index.passages_path) != edition
    assert everything(index) == before and index.coverage(store).is_whole and index.coverage(other).is_whole


@pytest.mark.long
def test_a_kill_between_text_and_catalogue_is_healed(index: Index, store: Store) -> None:
    log = Log(store).prompt("alpha").reply("beta").write()
    refresh(index, store)
    kept = index.catalogue_path.read_bytes()
    log.prompt("gamma").write()
    refresh(index, store)
    expected = everything(index)
    for ending in ("-wal", "-shm"):
        index.catalogue_path.with_name(f"{index.catalogue_path.name}{ending}").unlink(missing_ok=True)
    index.catalogue_path.write_bytes(kept)
    refresh(index, store)
    assert everything(index) == expected and index.coverage(store).is_whole


def test_a_shelf_is_made_anew_when_many_of_its_passages_are_deleted_ones(
    index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "MAX_SMALL_PASSAGES", 0)
    log = Log(store)
    for number in range(30):
        log.prompt(f"question {number}").reply(f"answer {number}")
    log.write()
    Log(store, 2).prompt("alpha").write()
    refresh(index, store)
    first = partitions.read_version(index.passages_path)
    Log(store, 2).prompt("beta").write()
    refresh(index, store)
    speech, tools, whole = partitions.read_version(index.passages_path).split()[1:]
    assert (speech, tools, whole) == ("0", "0", "1") and first.endswith(" 0 0 0")
    counts = {
        shelf: partitions.count_passages(place)
        for shelf, place in partitions.partition_paths(index.passages_path).items()
    }
    assert counts == {SPEECH: (62, 1), TOOLS: (0, 0), WHOLE: (2, 0)}
    assert index.coverage(store).is_whole


def test_a_shelf_stays_as_it_is_when_making_it_anew_is_cancelled(
    index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partitions, "MAX_SMALL_PASSAGES", 0)
    monkeypatch.setattr(partitions, "MAX_DELETED_RATIO", 1.0)
    Log(store, 2).prompt("gamma").write()
    for words in ("alpha", "beta"):
        Log(store).prompt(words).write()
        refresh(index, store)
    monkeypatch.setattr(partitions, "MAX_DELETED_RATIO", 0.0)
    folder = index.passages_path
    edition, crowded = partitions.read_version(folder), partitions.crowded_partitions(folder)
    with index.facts() as facts:
        assert facts is not None and crowded
        compaction.compact(folder, open_reader(index), facts, lambda: True)
        assert (partitions.read_version(folder), partitions.crowded_partitions(folder)) == (edition, crowded)
        assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == sorted(PARTITIONS)
        compaction.compact(folder, open_reader(index), facts, lambda: False)
        assert partitions.crowded_partitions(folder) == []
    assert {one.body for one in everything(index)} == {"beta", "gamma"}


def test_a_half_made_shelf_is_cleared_away(index: Index, store: Store) -> None:
    Log(store).prompt("alpha").write()
    refresh(index, store)
    stray = partitions.begin_rebuild(index.passages_path, PARTITIONS)
    refresh(index, store)
    assert not any(path.exists() for path in stray.values())
    assert [one.body for one in everything(index)] == ["alpha"]


def test_other_memories_are_carried_over_when_one_is_read_again(
    index: Index, store: Store, archive: Archive, environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "other" / "memory").mkdir(parents=True)
    other = Memory(make_layout(tmp_path / "other", "entity"), environment, store.now)
    other.layout.memory_file.write_text("# Redis\n\n## Eviction\n\nallkeys-lru\n")
    archive(1, "alpha", "beta")
    refresh(index, store)
    refresh(index, other)
    before = everything(index, memory_key(other))
    rebuild(index, store)
    assert everything(index, memory_key(other)) == before and before
    assert refresh(index, other).passages == 0 and index.coverage(other).is_whole
