"""Keeping MEMORY.md under its budget: what makes it heavy, and the change that fixes it.

No line that says something is ever lost: what leaves MEMORY.md for a topic file is there with exactly its own lines,
and lines are dropped only when a person names their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import TypedDict

from recall_tui.domain import Append, Create, Edit, Plan, Replace, Suggestion
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.features.curation import bloat
from recall_tui.features.curation.bloat import POINTER_LINE, BloatFinding, BloatKind
from recall_tui.features.curation.extraction import extract_block, find_extractions, split_blocks
from recall_tui.storage.documents.conflicts import expect_settled
from recall_tui.storage.documents.memory_file import Budget, MemoryFile, read_memory
from recall_tui.storage.documents.topic_files import existing_names, find_topic, list_topics, topic_name
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.markdown.outline import is_blank, line_ending, split_lines
from recall_tui.storage.memory_context import Store

_ACTION_LABELS: dict[BloatKind, tuple[str, str]] = {
    "extract": ("section extracted", "sections extracted"),
    "empty": ("empty section removed", "empty sections removed"),
    "comment": ("template comment removed", "template comments removed"),
    "duplicate": ("duplicate dropped", "duplicates dropped"),
    "stale": ("stale line dropped", "stale lines dropped"),
}


def suggestions(store: Store, memory: MemoryFile | None = None) -> tuple[Suggestion, ...]:
    """What makes the memory heavy, heaviest first, numbered from 1; nothing when there is no MEMORY.md.

    `memory` is MEMORY.md when it was read already.
    """
    return tuple(suggestion for suggestion, _ in _number_suggestions(store, memory or read_memory(store)))


def plan_suggestions(
    store: Store, numbers: Collection[int] | None = None, target: str | Mapping[int, str] | None = None
) -> Plan[DistillFacts]:
    """The change that the suggestions of these numbers make together; None takes every safe one.

    `target` names the one topic file that extractions go to, instead of a file each; or it names a file for some
    numbers. Numbers are those of `suggestions` now. NotFoundError without a MEMORY.md, UsageError for a number or a
    name that cannot be.
    """
    memory = _read_existing(store)
    offered = _number_suggestions(store, memory)
    if unknown := sorted(set(numbers or ()) - {suggestion.number for suggestion, _ in offered}):
        raise UsageError(f"there is no suggestion {unknown[0]}", hint="see: recall-tui distill")
    chosen = [
        (suggestion, part)
        for suggestion, part in offered
        if (suggestion.is_safe if numbers is None else suggestion.number in numbers)
    ]
    left = sum(1 for suggestion, _ in offered if not suggestion.is_safe) if numbers is None else 0
    return _build_plan(store, memory, chosen, target, left)


def plan_extraction(store: Store, line: int, target: str | None = None) -> Plan[DistillFacts]:
    """The change that moves the part of MEMORY.md at this line, from 1, to a topic file, whether it is heavy or not.

    The parts are those of `extraction.units`. NotFoundError without a MEMORY.md, UsageError for a line in no part,
    a part too short to be worth a pointer, or a name that cannot be.
    """
    memory = _read_existing(store)
    part = next(
        (part for part in map(partial(extract_block, memory), split_blocks(memory)) if part.start < line <= part.end),
        None,
    )
    if part is None or part.saves <= 0:
        raise UsageError(f"nothing worth a topic file stands at line {line}", hint="see: recall-tui distill")
    own = _topic_paths(store, memory, [part])
    return _build_plan(store, memory, [(_build_suggestion(0, part, own[part]), part)], target, 0)


def _read_existing(store: Store) -> MemoryFile:
    memory = read_memory(store)
    if memory.is_missing:
        raise NotFoundError(f"{memory.path} does not exist", hint="run: recall-tui init")
    return _parsed_memory(memory)


@lru_cache(maxsize=1)
def _parsed_memory(memory: MemoryFile) -> MemoryFile:
    """The same as it was read before, whose outline is made already."""
    return memory


def _build_plan(
    store: Store,
    memory: MemoryFile,
    chosen: Sequence[tuple[Suggestion, BloatFinding]],
    target: str | Mapping[int, str] | None,
    left: int,
) -> Plan[DistillFacts]:
    """What the chosen make together; `left` is how many of the others need judgement."""
    places = {part: _target_path(store, suggestion, target) for suggestion, part in chosen if part.kind == "extract"}
    after = MemoryFile(memory.path, _remove_parts(store, memory, [part for _, part in chosen], places))
    edits = _topic_edits(store, memory, [part for _, part in chosen], places)
    if chosen:
        expect_settled(store, memory.path, memory.text)
        for path in places.values():
            expect_settled(store, path)
        edits = (*edits, Replace(memory.path, content_digest(memory.text), after.text))
    return Plan(_title(chosen, places), edits, _notes(store, after, left), _facts(store, memory, after, chosen, places))


def _number_suggestions(store: Store, memory: MemoryFile) -> tuple[tuple[Suggestion, BloatFinding], ...]:
    parts = _find_bloat(store, memory)
    targets = _topic_paths(store, memory, parts)
    heaviest = sorted(parts, key=lambda part: (-part.saves, part.start))
    return tuple(
        (_build_suggestion(number, part, targets.get(part, "")), part) for number, part in enumerate(heaviest, 1)
    )


def _build_suggestion(number: int, part: BloatFinding, target: str) -> Suggestion:
    lines = (part.start + 1, part.end)
    repeats = part.repeats + 1
    return Suggestion(number, part.kind, part.title, part.reason, lines, part.saves, part.is_safe, target, repeats)


def _find_bloat(store: Store, memory: MemoryFile) -> tuple[BloatFinding, ...]:
    """Everything that weighs on the file; an empty section that leaves with the one around it is not named."""
    # Ages are told in days at the least: within the hour nothing of them changes.
    return _cached_bloat(memory, memory.budget(store.config), store.now().replace(minute=0, second=0, microsecond=0))


@lru_cache(maxsize=1)
def _cached_bloat(memory: MemoryFile, budget: Budget, now: datetime) -> tuple[BloatFinding, ...]:
    """What is looked at, and then changed, is weighed once."""
    empty = tuple(bloat.find_empty_sections(memory))
    guidance = tuple(bloat.find_guidance(memory, empty))
    dropped = tuple(part for part in (*empty, *guidance) if part.is_safe)
    moved = find_extractions(memory, budget, dropped)
    empty = tuple(part for part in empty if not any(move.overlaps(part.start, part.end) for move in moved))
    return (*moved, *empty, *guidance, *bloat.find_duplicates(memory), *bloat.find_stale_lines(memory, now))


def _topic_paths(store: Store, memory: MemoryFile, parts: Sequence[BloatFinding]) -> dict[BloatFinding, str]:
    """The topic file of each extraction: the one its section points at already, else a new one by its title."""
    taken = existing_names(store.layout)
    targets: dict[BloatFinding, str] = {}
    for part in sorted((part for part in parts if part.kind == "extract"), key=lambda part: part.start):
        earlier = _pointer_target(store, memory, part)
        targets[part] = earlier.name if earlier else topic_name(part.title, taken)
        taken.add(targets[part].casefold())
    return targets


def _pointer_target(store: Store, memory: MemoryFile, part: BloatFinding) -> Path | None:
    """The existing topic file that the section's first line under the heading points at."""
    line = _pointer_line(memory, part)
    match = POINTER_LINE.fullmatch(memory.lines[line]) if line is not None else None
    if not match:
        return None
    return next((path for path in list_topics(store.layout) if store.relative(path) == match[1]), None)


def _pointer_line(memory: MemoryFile, part: BloatFinding) -> int | None:
    """The line under the part's own heading, when it is a pointer; several sections bundled have no such heading."""
    has_heading = memory.kinds[part.start] == "heading"
    if has_heading and memory.lines[part.start] != part.stays:
        return None
    first = part.start + (1 if has_heading else 0)
    line = next((at for at in range(first, part.end) if not is_blank(memory.lines[at])), None)
    return line if line is not None and POINTER_LINE.fullmatch(memory.lines[line]) else None


def _target_path(store: Store, suggestion: Suggestion, target: str | Mapping[int, str] | None) -> Path:
    named = target.get(suggestion.number) if isinstance(target, Mapping) else target
    return find_topic(store.layout, named or suggestion.target)


def _remove_parts(
    store: Store, memory: MemoryFile, parts: Sequence[BloatFinding], places: Mapping[BloatFinding, Path]
) -> str:
    """MEMORY.md when the parts are gone, a pointer in place of each that moved."""
    newline = line_ending(memory.text)
    gone = _dropped_lines(parts)
    kept: list[str] = []
    at = 0
    for part in sorted(places, key=lambda part: part.start):
        kept += [memory.lines[line] for line in range(at, part.start) if line not in gone]
        kept.append(f"{part.stays}See {store.relative(places[part])} for details.{newline}")
        at = part.end
        if at < len(memory.lines):
            kept.append(newline)
    kept += [memory.lines[line] for line in range(at, len(memory.lines)) if line not in gone]
    return "".join(kept)


def _topic_edits(
    store: Store, memory: MemoryFile, parts: Sequence[BloatFinding], places: Mapping[BloatFinding, Path]
) -> tuple[Edit, ...]:
    """What each topic file gets: the lines of its sections, whole and in order."""
    gone = _dropped_lines(parts)
    newline = line_ending(memory.text)
    bodies: dict[Path, list[str]] = {}
    for part in sorted(places, key=lambda part: part.start):
        path = places[part]
        skipped = set(gone)
        if (pointer := _pointer_line(memory, part)) is not None and _pointer_target(store, memory, part) == path:
            skipped |= set(range(part.start, pointer + 1))
        lines = [memory.lines[line] for line in range(part.start, part.end) if line not in skipped]
        bodies.setdefault(path, []).append("".join(lines).strip("\r\n") + newline)
    return tuple(_topic_edit(path, newline.join(texts)) for path, texts in bodies.items())


def _topic_edit(path: Path, body: str) -> Edit:
    if not path.exists():
        return Create(path, body)
    there = read_text(path)
    newline = line_ending(there)
    gap = newline if not there or there.endswith("\n") else newline * 2
    return Append(path, gap + "".join(line.rstrip("\r\n") + newline for line in split_lines(body)))


def _dropped_lines(parts: Sequence[BloatFinding]) -> set[int]:
    return {line for part in parts if part.kind != "extract" for line in range(part.start, part.end)}


def _title(chosen: Sequence[tuple[Suggestion, BloatFinding]], places: Mapping[BloatFinding, Path]) -> str:
    if not chosen:
        return "Nothing to distill"
    if len(chosen) == 1:
        suggestion, part = chosen[0]
        if part in places:
            return f"Extracted {part.title} ({part.end - part.start} lines) → {places[part].name}"
        return f"{_ACTION_LABELS[part.kind][0].capitalize()}: {suggestion.title}".rstrip(": ")
    counts = Counter(part.kind for _, part in chosen)
    return ", ".join(
        f"{counts[kind]} {words[counts[kind] > 1]}" for kind, words in _ACTION_LABELS.items() if counts[kind]
    )


def _notes(store: Store, after: MemoryFile, left: int) -> tuple[str, ...]:
    notes = []
    budget = after.budget(store.config)
    if budget.is_over:
        notes.append(f"MEMORY.md is still at {budget.percent} % of its budget")
    if left:
        notes.append(f"{left} more need your judgement; apply them by number")
    return tuple(notes)


class DistillFacts(TypedDict):
    """Facts of a plan that makes MEMORY.md lighter: numbers of suggestions, lines and percent of the budget."""

    applied: list[int]
    lines_before: int
    lines_after: int
    percent_before: int
    percent_after: int
    files: list[str]
    """Topic files that it writes, relative to the root."""


def _facts(
    store: Store,
    before: MemoryFile,
    after: MemoryFile,
    chosen: Sequence[tuple[Suggestion, BloatFinding]],
    places: Mapping[BloatFinding, Path],
) -> DistillFacts:
    return {
        "applied": [suggestion.number for suggestion, _ in chosen],
        "lines_before": len(before.lines),
        "lines_after": len(after.lines),
        "percent_before": before.budget(store.config).percent,
        "percent_after": after.budget(store.config).percent,
        "files": sorted({store.relative(path) for path in places.values()}),
    }
