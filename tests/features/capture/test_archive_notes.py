"""An archive that is brought up to date keeps what stands in it: a person's words, and records that are gone."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.archives import parts
from recall_tui.storage.archives.body import parse_body
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.features.capture.note_samples import LAST, MORE, NAMES, TALK
from tests.makers import bench_at, records, session_id_of, sub_agent, transcript, tree, write_transcript
from tests.transcripts.codex_samples import Rollout
from tests.transcripts.gemini_samples import agent, lines, opening, user


def said(bench: Workbench) -> list[str]:
    """What was said, in the order of the session's archive."""
    found = parse_body(bench.archive.get(1).path.read_text(encoding="utf-8"))
    return [message.text for message in found if message.kind in ("prompt", "reply")]


@pytest.mark.parametrize("name", NAMES)
def test_notes_and_corrections_stay_where_they_were_put(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    text = path.read_text()
    for before, after in (
        ("\n# Conversation 001", "\nNOTE above the turns.\n\n# Conversation 001"),
        ("We decided to take Redis.\n\nIt is", "We decided to take Redis (WRONG: Valkey, see #12).\n\nIt is"),
        ("The port is 6379.\n", "The port is 6379.\n\nNOTE below the port.\n"),
        ("## Tags", "NOTE above the tags.\n\n## Tags"),
        ("log: 1\n", "log: 1\nreviewed: yes # NOTE in the head\n"),
    ):
        assert before in text
        # The last of them: the summary above the turns tells the same.
        text = after.join(text.rsplit(before, 1))
    text += "\n## My notes\n\n- NOTE at the end.\n"
    path.write_text(text)
    notes = [line for line in text.splitlines() if "NOTE" in line or "WRONG" in line]
    for number, turns in enumerate(([*TALK, *MORE], [*TALK, *MORE, *LAST]), 1):
        done = bench.capture(transcript(environment, 1, turns), by="hook")
        assert (done.status, done.reason, done.messages) == ("updated", "your notes kept", 4 + 2 * number)
        assert "your notes kept" in bench.journal.entries()[0].title
        held = path.read_text().splitlines()
        assert [line for line in held if line in notes] == notes
        assert sum("We decided to take Redis" in line for line in held if not line.startswith("- ")) <= 2
        assert bench.capture(transcript(environment, 1, turns)).status == "unchanged"
    held = path.read_text()
    assert held.index("6379") < held.index("NOTE below the port") < held.index("Released.") < held.index("They know.")
    assert (
        held.count("Released.") == held.count("They know.") == 1 + held.split("# Conversation")[0].count("They know.")
    )
    newest = bench.journal.entries()[0]
    assert newest.by == "hook" and bench.undo(newest.id)
    assert "They know." not in path.read_text() and "Released." in path.read_text()


def test_what_a_person_took_out_stays_out(environment: Environment) -> None:
    bench = bench_at(environment)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    path.write_text(path.read_text().replace("It is the faster one of the two.\n", ""))
    bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    body = path.read_text().split("# Conversation 001")[1]
    assert "faster one" not in body and "Released." in body


def test_a_checkpoint_with_a_note_becomes_final_with_it(environment: Environment) -> None:
    bench = bench_at(environment)
    made = Path(bench.capture(transcript(environment, 1, TALK), source="checkpoint").archive)
    made.write_text(made.read_text() + "\nMINE\n")
    for turns in (TALK, [*TALK, *MORE]):
        assert bench.capture(transcript(environment, 1, turns)).status == "updated"
        assert "MINE" in made.read_text() and bench.archive.get(1).source == "session"


def test_an_archive_that_nobody_touched_is_as_if_it_were_made_now(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    grown = transcript(environment, 1, [*TALK, *MORE, *LAST])
    bench.capture(grown)
    other = bench_at(environment, root=tmp_path / "other")
    other.capture(grown)
    first, second = (one.archive.get(1).path.read_text().partition("# Conversation") for one in (bench, other))
    assert first[2] == second[2]


def test_a_long_archive_gets_what_is_new_at_its_end(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MAX_LOADED_BYTES", 100)
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    sub_agent(path, [("user", "look for the tests"), ("assistant", "They are in spec/.")], start=NOON)
    made = Path(bench.capture(path).archive)
    made.write_text(made.read_text() + "\nMINE\n")
    before = made.read_text().partition("# Conversation 001")[2]
    for turns in ([*TALK, *MORE], [*TALK, *MORE, *LAST]):
        assert bench.capture(transcript(environment, 1, turns)).status == "updated"
        assert bench.capture(path).status == "unchanged"
    after = made.read_text().partition("# Conversation 001")[2]
    assert after.startswith(before.rstrip("\n")) and "MINE" in after
    assert [after.count(word) for word in ("Released.", "They know.", "They are in spec/.")] == [1, 1, 1]
    assert said(bench)[-4:] == ["Now release it", "Released.", "And tell the others", "They know."]


def at(minute: int, word: str, count: int, seed: str) -> list[dict[str, object]]:
    turns = [("user" if n % 2 == 0 else "assistant", f"{word} number {n}") for n in range(count)]
    return records(session_id_of(1), turns, start=NOON + timedelta(minutes=minute), seed=seed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [6, 16])
def test_other_records_join_those_that_were_archived_in_the_order_of_time(
    environment: Environment, name: str, count: int
) -> None:
    bench = bench_at(environment, name)
    path = transcript(environment, 1, [])
    sets = {"B": at(30, "middle", 10, "b"), "C": at(60, "late", count, "c"), "A": at(0, "early", 4, "a")}
    for rows in sets.values():
        write_transcript(path, rows)
        done = bench.capture(path)
        assert done.status in ("archived", "updated")
        assert bench.capture(path).status == "unchanged"
    words = [text.split()[0] for text in said(bench)]
    assert words == ["early"] * 4 + ["middle"] * 10 + ["late"] * count
    assert done.messages == bench.rows[0].messages == 14 + count
    before = tree(bench.store.root)
    for rows in sets.values():
        write_transcript(path, rows)
        assert bench.capture(path).status == "unchanged"
    assert tree(bench.store.root) == before


def test_the_words_of_a_sub_agent_whose_file_is_gone_stay(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    aside = sub_agent(path, [("user", "look for the tests"), ("assistant", "They are in spec/.")], start=NOON)
    made = Path(bench.capture(path).archive)
    aside.unlink()
    bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    assert "They are in spec/." in made.read_text() and "Released." in made.read_text()


@pytest.mark.parametrize("name", ["entity", "user"])
@pytest.mark.parametrize("agent_name", ["claude", "codex", "gemini"])
def test_a_session_in_two_folders_is_read_from_both(environment: Environment, name: str, agent_name: str) -> None:
    bench = bench_at(environment, name)
    two_files(environment, agent_name)
    for path in list(bench.unarchived()):
        bench.capture(path)
    text = "".join(entry.path.read_text(encoding="utf-8") for entry in bench.archive.entries())
    assert "alpha question" in text and "omega question" in text
    assert list(bench.unarchived()) == []
    assert len({row.session_id for row in bench.rows}) == 1


def two_files(environment: Environment, agent_name: str) -> None:
    """A session that went on in another folder."""
    if agent_name == "claude":
        for folder, word, seed in (("-p", "alpha", "a"), ("-worktree", "omega and more", "b")):
            rows = records(session_id_of(1), [("user", f"{word} question"), ("assistant", "Yes.")], seed=seed)
            rows[0]["message"]["content"] = f"{word.split()[0]} question"
            write_transcript(environment.claude / "projects" / folder / f"{session_id_of(1)}.jsonl", rows)
    elif agent_name == "codex":
        for day, word in (("05", "alpha"), ("06", "omega")):
            folder = environment.codex / "sessions" / "2026" / "03" / day
            folder.mkdir(parents=True)
            Rollout().meta().user(f"{word} question").agent(f"Yes, {word}.").write(folder)
    else:
        for project, word in (("one", "alpha"), ("two", "omega")):
            folder = environment.gemini / "tmp" / project / "chats"
            folder.mkdir(parents=True)
            said = lines(opening(), user(f"{word}1", f"{word} question"), agent(f"{word}2", f"Yes, {word}."))
            (folder / "session-2026-03-06T09-00-9e310000.jsonl").write_bytes(said)


def test_a_copy_of_what_is_archived_is_archived(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    copy = environment.claude / "projects" / "-elsewhere" / path.name
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    assert list(bench.unarchived()) == []
    copy.write_text(copy.read_text() + json.dumps(records(path.stem, [*TALK, *MORE])[-1]) + "\n")
    assert list(bench.unarchived()) == [copy]
    part = environment.claude / "projects" / "-part" / path.name
    part.parent.mkdir()
    part.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    for found in list(bench.unarchived()):
        bench.capture(found)
    assert list(bench.unarchived()) == [] and "Released." in bench.archive.get(1).path.read_text()


@pytest.mark.parametrize("name", NAMES)
def test_comments_and_corrected_values_in_the_head_stay_while_the_session_grows(
    environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    text = path.read_text()
    lines = {line.partition(":")[0]: line for line in split_head(text)}
    changed = {
        "ended_at": lines["ended_at"] + " # by the clock of the laptop, see #12",
        "project": "project: payments",
        "message_count": lines["message_count"] + "  # NOTE",
        "duration": 'duration: "an hour # with a break"',
    }
    for key, line in changed.items():
        text = text.replace(lines[key], line)
    path.write_text(text.replace(lines["cwd"] + "\n", ""))
    for number, turns in enumerate(([*TALK, *MORE], [*TALK, *MORE, *LAST]), 1):
        done = bench.capture(transcript(environment, 1, turns), by="hook")
        assert (done.status, done.reason, done.messages) == ("updated", "your notes kept", 4 + 2 * number)
        held = {line.partition(":")[0]: line for line in split_head(path.read_text())}
        assert held["project"] == changed["project"] and held["duration"] == changed["duration"]
        assert held["ended_at"].endswith(" # by the clock of the laptop, see #12")
        assert held["ended_at"] != changed["ended_at"]
        assert held["message_count"] == f"message_count: {4 + 2 * number}  # NOTE"
        assert "cwd" not in held
        assert bench.capture(transcript(environment, 1, turns)).status == "unchanged"


@pytest.mark.parametrize("name", NAMES)
def test_a_corrected_project_stays_in_an_archive_of_an_older_version(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    text = path.read_text()
    line = next(line for line in split_head(text) if line.startswith("written:"))
    older = 'written: "' + " ".join(line.split('"')[1].split(" ")[:3]) + '"' if '"' in line else line
    assert older != line
    path.write_text(re.sub(r"(?m)^project: .*$", "project: payments", text.replace(line, older)))
    bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    assert "project: payments\n" in path.read_text() and "Released." in path.read_text()


def test_a_corrected_value_in_the_comment_of_a_summary_stays(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    text = path.read_text()
    assert '"project": "api"' in text
    path.write_text(text.replace('"project": "api"', '"project": "payments"'))
    for count, turns in ((6, [*TALK, *MORE]), (8, [*TALK, *MORE, *LAST])):
        assert bench.capture(transcript(environment, 1, turns)).status == "updated"
        assert '"project": "payments"' in path.read_text() and f'"message_count": {count}' in path.read_text()


def split_head(text: str) -> list[str]:
    """The lines of an archive's frontmatter."""
    return text.split("---\n")[1].splitlines()
