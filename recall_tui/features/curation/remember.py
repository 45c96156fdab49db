"""One curated line into MEMORY.md or a topic file.

Nothing is written twice: a line that says nearly the same is found and named instead.
"""

from __future__ import annotations

import re

from recall_tui.domain import Append, Create, Edit, Plan, Replace
from recall_tui.errors import UsageError
from recall_tui.features.curation.bloat import prose_line_at
from recall_tui.resources import read_template
from recall_tui.storage.documents import day_logs, memory_file
from recall_tui.storage.documents.conflicts import expect_settled
from recall_tui.storage.documents.memory_file import MemoryFile, read_memory
from recall_tui.storage.documents.topic_files import existing_names, list_topics, topic_name
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.markdown.outline import body_end, is_blank, line_ending, line_kind, split_lines
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similarity import (
    capitalized_names,
    line_facts,
    lines_containing,
    near_duplicates,
    normalize,
    similar_line_numbers,
)
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact

_DEFAULT_SECTION = "Notes"
_BULLET_PREFIX = re.compile(r"^(?:[-*+](?:\s+|$))+")


def remember(store: Store, text: str, topic: str | None = None) -> Plan:
    """The change that adds `text` as one list item, under Notes in MEMORY.md or to the file of `topic`.

    An empty plan that names the line when it already exists; UsageError when there is nothing to remember, RecallError
    for a file in which git left a conflict.
    """
    line = _BULLET_PREFIX.sub("", " ".join(redact(text).split()))
    if not line:
        raise UsageError("there is nothing to remember", hint='recall-tui remember "we deploy on Fridays"')
    memory = read_memory(store) if topic is None else _topic_path(store, topic)
    name = store.relative(memory.path)
    expect_settled(store, memory.path, memory.text)
    facts: dict[str, object] = {"file": name, "text": line}
    if there := _similar_line_number(memory, line):
        title = f"Already there: line {there} of {name} says nearly the same"
        return Plan(title, facts={**facts, "line": there, "added": False})
    edit, after = _add_to_topic(memory, line, topic) if topic is not None else _add_to_memory(memory, line)
    notes = _budget_notes(store, after) if topic is None else ()
    return Plan(f"Remembered in {name}: {_shorten(line)}", (edit,), notes, {**facts, "added": True})


def _topic_path(store: Store, topic: str) -> MemoryFile:
    """The file of the topic, existing or not; its words decide, so `API & Auth` finds api-auth.md."""
    bare = topic.strip().removesuffix(".md")
    if not bare:
        raise UsageError("the topic has no name", hint="--topic debugging")
    wanted = {f"{bare}.md".casefold(), topic_name(bare, ())}
    path = next((path for path in list_topics(store.layout) if path.name.casefold() in wanted), None)
    if path is None:
        path = store.layout.topics / topic_name(bare, existing_names(store.layout))
        return MemoryFile(path, "", is_missing=True)
    return MemoryFile(path, read_text(path))


def _similar_line_number(memory: MemoryFile, line: str) -> int:
    """The line, from 1, that says nearly the same; 0 when none does."""
    same, facts = normalize(line), (line_facts(line), capitalized_names(line))
    is_short = len(same) < memory_file.MIN_DUPLICATE_CHARS
    places: set[int] = {
        *lines_containing(memory.text, line),
        *(() if is_short else similar_line_numbers(memory.text, line)),
    }
    known: list[tuple[int, str]] = [
        (at, words) for at in sorted(places) if at < len(memory.lines) and (words := prose_line_at(memory, at))
    ]
    for at, words in known:
        if words == line:
            return at + 1
    alike = [
        (at, words) for at, words in known if not is_short and (line_facts(words), capitalized_names(words)) == facts
    ]
    for at, words in alike:
        if same and normalize(words) == same:
            return at + 1
    for at, words in alike:
        if near_duplicates([words, line], memory_file.MIN_DUPLICATE_PERCENT, memory_file.MIN_DUPLICATE_CHARS):
            return at + 1
    return 0


def _add_to_topic(memory: MemoryFile, line: str, topic: str) -> tuple[Edit, MemoryFile]:
    if memory.is_missing:
        title = " ".join(topic.strip().removesuffix(".md").split())
        text = f"# {title}\n\n- {line}\n"
        return Create(memory.path, text), MemoryFile(memory.path, text)
    newline = line_ending(memory.text)
    gap = newline if memory.text and not memory.text.endswith("\n") else ""
    if memory.lines and not _is_list_item(memory.lines[-1]) and not is_blank(memory.lines[-1]):
        gap += newline
    added = f"{gap}- {line}{newline}"
    return Append(memory.path, added), MemoryFile(memory.path, memory.text + added)


def _add_to_memory(memory: MemoryFile, line: str) -> tuple[Edit, MemoryFile]:
    text = _insert_note(memory if memory.text else MemoryFile(memory.path, read_template("memory/MEMORY.md")), line)
    after = MemoryFile(memory.path, text)
    if memory.is_missing:
        return Create(memory.path, text), after
    return Replace(memory.path, content_digest(memory.text), text), after


def _insert_note(memory: MemoryFile, line: str) -> str:
    """The text with the line at the end of Notes; where an open fence or comment would swallow it, above that."""
    newline = line_ending(memory.text)
    notes = [
        number
        for number, section in enumerate(memory.sections)
        if section.level == 2 and section.title.casefold() == _DEFAULT_SECTION.casefold()
    ]
    if not notes:
        return _insert_section(memory, newline, line)
    section = memory.sections[notes[-1]]
    end = body_end(memory.sections, notes[-1])
    while is_blank(memory.lines[end - 1]):
        end -= 1
    for at in (end, section.start + 1):
        result, place = _insert_block(memory, at, newline, f"- {line}{newline}")
        if line_kind(split_lines(result), place) == "text":
            break
    return result


def _insert_section(memory: MemoryFile, newline: str, line: str) -> str:
    end = len(memory.lines)
    while end and is_blank(memory.lines[end - 1]):
        end -= 1
    last = memory.sections[-1].start if memory.sections else 0
    for at in (end, last):
        result, place = _insert_block(memory, at, newline, f"## {_DEFAULT_SECTION}{newline}{newline}- {line}{newline}")
        if line_kind(split_lines(result), place) == "heading":
            break
    return result


def _insert_block(memory: MemoryFile, at: int, newline: str, block: str) -> tuple[str, int]:
    """The document with `block` before the line `at`, blank lines around it as needed, and the line it starts at."""
    before, after = list(memory.lines[:at]), list(memory.lines[at:])
    if before and not before[-1].endswith("\n"):
        before[-1] += newline
    is_joined = block.startswith("- ") and before and _is_list_item(before[-1])
    if before and not is_joined and not is_blank(before[-1]):
        before.append(newline)
    gap = newline if after and not is_blank(after[0]) else ""
    return "".join([*before, block, gap, *after]), len(before)


def _is_list_item(line: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+]|\d{1,9}[.)])\s|\s{2,}\S", line))


def _budget_notes(store: Store, after: MemoryFile) -> tuple[str, ...]:
    budget = after.budget(store.config)
    if budget.level != "full":
        return ()
    return (f"MEMORY.md is at {budget.percent} % of its budget; run: recall-tui distill",)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def plan_log_entry(store: Store, text: str) -> Plan:
    """The plan that puts `text` at the end of the log of today, by the clock of where the person is."""
    entry = redact(strip_controls(text)).strip()
    if not entry:
        raise UsageError("there is nothing to log", hint='recall-tui log "moved staging to the new region"')
    now = store.now()
    day = day_logs.local_day(now, now.tzinfo)
    expect_settled(store, day_logs.log_path(store.layout, day))
    edit = day_logs.append_entry(store.layout, day, entry)
    facts = {"date": day.isoformat(), "entry": entry, "file": store.relative(edit.path)}
    return Plan(f"Logged to {day}: {shorten(one_line(entry), 60)}", (edit,), facts=facts)
