"""One curated line into MEMORY.md or a topic file.

Nothing is written twice: a line that says nearly the same is found and named instead.
"""

from __future__ import annotations

import re

from recall_tui.domain import Append, Create, Edit, Plan, Replace
from recall_tui.errors import UsageError
from recall_tui.features.curation.bloat import words_at
from recall_tui.resources import template
from recall_tui.storage.documents import budget as limits
from recall_tui.storage.documents.memory_file import MemoryFile, read
from recall_tui.storage.documents.topic_files import list_topics, names_in, topic_name
from recall_tui.storage.files.atomic import digest, read_text
from recall_tui.storage.markdown.outline import is_blank, kind_at, lines_of, newline_of, own_end
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.similar_lines import lines_with, near_places
from recall_tui.text.classify.similarity import facts_of, names_of, near_duplicates, normal
from recall_tui.text.secrets.redact import redact

_SECTION = "Notes"
_LEAD = re.compile(r"^(?:[-*+](?:\s+|$))+")


def remember(store: Store, text: str, topic: str | None = None) -> Plan:
    """The change that adds `text` as one list item, under Notes in MEMORY.md or to the file of `topic`.

    An empty plan that names the line when it is there already; UsageError when there is nothing to remember.
    """
    line = _LEAD.sub("", " ".join(redact(text).split()))
    if not line:
        raise UsageError("there is nothing to remember", hint='recall-tui remember "we deploy on Fridays"')
    memory = read(store) if topic is None else _topic(store, topic)
    name = store.relative(memory.path)
    facts: dict[str, object] = {"file": name, "text": line}
    if there := _already(memory, line):
        title = f"Already there: line {there} of {name} says nearly the same"
        return Plan(title, facts={**facts, "line": there, "added": False})
    edit, after = _into_topic(memory, line, topic) if topic is not None else _into_memory(memory, line)
    notes = _notes(store, after) if topic is None else ()
    return Plan(f"Remembered in {name}: {_short(line)}", (edit,), notes, {**facts, "added": True})


def _topic(store: Store, topic: str) -> MemoryFile:
    """The file of the topic, existing or not; its words decide, so `API & Auth` finds api-auth.md."""
    bare = topic.strip().removesuffix(".md")
    if not bare:
        raise UsageError("the topic has no name", hint="--topic debugging")
    wanted = {f"{bare}.md".casefold(), topic_name(bare, ())}
    path = next((path for path in list_topics(store.layout) if path.name.casefold() in wanted), None)
    if path is None:
        path = store.layout.topics / topic_name(bare, names_in(store.layout))
        return MemoryFile(path, "", is_missing=True)
    return MemoryFile(path, read_text(path))


def _already(memory: MemoryFile, line: str) -> int:
    """The line, from 1, that says nearly the same; 0 when none does."""
    same, facts = normal(line), (facts_of(line), names_of(line))
    is_short = len(same) < limits.DUPLICATE_CHARACTERS
    places: set[int] = {*lines_with(memory.text, line), *(() if is_short else near_places(memory.text, line))}
    known: list[tuple[int, str]] = [
        (at, words) for at in sorted(places) if at < len(memory.lines) and (words := words_at(memory, at))
    ]
    for at, words in known:
        if words == line:
            return at + 1
    alike = [(at, words) for at, words in known if not is_short and (facts_of(words), names_of(words)) == facts]
    for at, words in alike:
        if same and normal(words) == same:
            return at + 1
    for at, words in alike:
        if near_duplicates([words, line], limits.DUPLICATE_PERCENT, limits.DUPLICATE_CHARACTERS):
            return at + 1
    return 0


def _into_topic(memory: MemoryFile, line: str, topic: str) -> tuple[Edit, MemoryFile]:
    if memory.is_missing:
        title = " ".join(topic.strip().removesuffix(".md").split())
        text = f"# {title}\n\n- {line}\n"
        return Create(memory.path, text), MemoryFile(memory.path, text)
    newline = newline_of(memory.text)
    gap = newline if memory.text and not memory.text.endswith("\n") else ""
    if memory.lines and not _is_item(memory.lines[-1]) and not is_blank(memory.lines[-1]):
        gap += newline
    added = f"{gap}- {line}{newline}"
    return Append(memory.path, added), MemoryFile(memory.path, memory.text + added)


def _into_memory(memory: MemoryFile, line: str) -> tuple[Edit, MemoryFile]:
    text = _with_note(memory if memory.text else MemoryFile(memory.path, template("memory/MEMORY.md")), line)
    after = MemoryFile(memory.path, text)
    if memory.is_missing:
        return Create(memory.path, text), after
    return Replace(memory.path, digest(memory.text), text), after


def _with_note(memory: MemoryFile, line: str) -> str:
    """The text with the line at the end of Notes; where an open fence or comment would swallow it, above that."""
    newline = newline_of(memory.text)
    notes = [
        number
        for number, section in enumerate(memory.sections)
        if section.level == 2 and section.title.casefold() == _SECTION.casefold()
    ]
    if not notes:
        return _with_section(memory, newline, line)
    section = memory.sections[notes[-1]]
    end = own_end(memory.sections, notes[-1])
    while is_blank(memory.lines[end - 1]):
        end -= 1
    for at in (end, section.start + 1):
        result, place = _inserted(memory, at, newline, f"- {line}{newline}")
        if kind_at(lines_of(result), place) == "text":
            break
    return result


def _with_section(memory: MemoryFile, newline: str, line: str) -> str:
    end = len(memory.lines)
    while end and is_blank(memory.lines[end - 1]):
        end -= 1
    last = memory.sections[-1].start if memory.sections else 0
    for at in (end, last):
        result, place = _inserted(memory, at, newline, f"## {_SECTION}{newline}{newline}- {line}{newline}")
        if kind_at(lines_of(result), place) == "heading":
            break
    return result


def _inserted(memory: MemoryFile, at: int, newline: str, block: str) -> tuple[str, int]:
    """The document with `block` before the line `at`, blank lines around it as needed, and the line it starts at."""
    before, after = list(memory.lines[:at]), list(memory.lines[at:])
    if before and not before[-1].endswith("\n"):
        before[-1] += newline
    is_joined = block.startswith("- ") and before and _is_item(before[-1])
    if before and not is_joined and not is_blank(before[-1]):
        before.append(newline)
    gap = newline if after and not is_blank(after[0]) else ""
    return "".join([*before, block, gap, *after]), len(before)


def _is_item(line: str) -> bool:
    return bool(re.match(r"\s*(?:[-*+]|\d{1,9}[.)])\s|\s{2,}\S", line))


def _notes(store: Store, after: MemoryFile) -> tuple[str, ...]:
    budget = after.budget(store.config)
    if budget.level != "full":
        return ()
    return (f"MEMORY.md is at {budget.percent} % of its budget; run: recall-tui distill",)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
