"""What the Distill screen shows and does, read and made in a thread.

A change is made only when MEMORY.md is still what the person was looking at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, Plan, Replace, Suggestion
from recall_tui.errors import ConflictError, LockedError
from recall_tui.storage.documents import memory_file
from recall_tui.tui.memory_view import SeenMemory, measured
from recall_tui.tui.messages import ChangeDrafted, ChangeMade, MemoryWeighed

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

LONGEST_DIFF = 5_000
"""Lines of a diff that are shown; what is left out is said."""


@dataclass(frozen=True, slots=True)
class Part:
    """A section of MEMORY.md, or what stands before the first one."""

    title: str
    start: int
    """Its first line, from 1."""
    end: int
    """Its last line."""
    saves: int
    """Lines won when it moves to a topic file."""
    nth: int = 0
    """How many of the same title stand above it."""

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return self.end - self.start + 1

    @property
    def key(self) -> tuple[object, ...]:
        """By what it is known again when lines have moved."""
        return "part", self.title, self.nth


@dataclass(frozen=True, slots=True)
class Offer:
    """A suggestion in the list."""

    suggestion: Suggestion
    nth: int = 0
    """How many of the same kind and title stand before it."""

    @property
    def key(self) -> tuple[object, ...]:
        """By what it is known again when lines and numbers have moved."""
        return self.suggestion.kind, self.suggestion.title, self.nth

    @property
    def start(self) -> int:
        """The first line it is about, from 1."""
        return self.suggestion.lines[0]

    @property
    def end(self) -> int:
        """The last line it is about."""
        return self.suggestion.lines[1]


Choice = Part | Offer
"""What a change is made of: a suggestion, or a section that nobody suggested."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One look at MEMORY.md."""

    memory: SeenMemory
    parts: tuple[Part, ...]
    """In the order of the file."""
    offers: tuple[Offer, ...]
    """Heaviest first."""
    digest: str
    """Of the text that was read."""
    won: int
    """Lines that the changes made on the screen took away, those taken back left aside."""

    @property
    def safe(self) -> tuple[Offer, ...]:
        """What can be applied without a judgement."""
        return tuple(offer for offer in self.offers if offer.suggestion.is_safe)


@dataclass(frozen=True, slots=True)
class Draft:
    """The change that a choice would make."""

    choice: Choice
    plan: Plan
    diff: tuple[str, ...]

    @property
    def target(self) -> str:
        """The topic file it writes; empty when it writes none."""
        files = self.plan.facts["files"]
        return str(files[0]) if isinstance(files, list) and files else ""


def weigh(bench: Workbench, made: Mapping[int, int]) -> MemoryWeighed:
    """Read MEMORY.md; `made` holds the lines won by each change of the journal that the screen made."""
    from recall_tui.features.curation.distill import suggestions
    from recall_tui.features.curation.extraction import units, whole
    from recall_tui.storage.files.atomic import digest

    memory = memory_file.read(bench.store)
    parts = [whole(memory, unit) for unit in units(memory)]
    titles = [memory.sections[unit.number].title for unit in units(memory)]
    return MemoryWeighed(
        Weighed(
            measured(bench, memory),
            tuple(
                Part(title, part.start + 1, part.end, part.saves, nth)
                for (title, nth), part in zip(_counted(titles), parts, strict=True)
                if part.end > part.start
            ),
            tuple(_offers(suggestions(bench.store, memory))),
            digest(memory.text),
            _won(bench, made),
        )
    )


def _counted(titles: Iterable[str]) -> Iterable[tuple[str, int]]:
    before: Counter[str] = Counter()
    for title in titles:
        yield title, before[title]
        before[title] += 1


def _offers(found: Iterable[Suggestion]) -> Iterable[Offer]:
    before: Counter[tuple[str, str]] = Counter()
    for suggestion in found:
        yield Offer(suggestion, before[suggestion.kind, suggestion.title])
        before[suggestion.kind, suggestion.title] += 1


def _won(bench: Workbench, made: Mapping[int, int]) -> int:
    if not made:
        return 0
    return sum(made.get(entry.id, 0) for entry in bench.journal.each() if not entry.is_undone)


def draft(bench: Workbench, number: int, weighed: Weighed, choice: Choice, target: str) -> ChangeDrafted:
    """Plan the change that a choice would make; ConflictError when MEMORY.md is no longer what was weighed."""
    from recall_tui.storage.journal.plan_diff import diff

    plan = _planned(bench, weighed, choice, target)
    shown = diff(replace(plan, edits=plan.edits[::-1]), bench.layout.root).split("\n")
    lines = [*_stays(bench, choice), *(line for line in shown[:LONGEST_DIFF] if line)]
    if len(shown) > LONGEST_DIFF:
        lines.append(f"… and {len(shown) - LONGEST_DIFF} more lines")
    return ChangeDrafted(number, Draft(choice, plan, tuple(lines)))


def _stays(bench: Workbench, choice: Choice) -> tuple[str, ...]:
    """The line that a duplicate repeats, to be compared with the one that goes."""
    at = choice.suggestion.repeats if isinstance(choice, Offer) else 0
    lines = memory_file.read(bench.store).lines
    return (f"= line {at} stays: {lines[at - 1].strip()}",) if 0 < at <= len(lines) else ()


def _planned(bench: Workbench, weighed: Weighed, choice: Choice, target: str) -> Plan:
    from recall_tui.features.curation import distill
    from recall_tui.storage.files.atomic import digest

    if digest(memory_file.read(bench.store).text) != weighed.digest:
        raise _changed()
    if isinstance(choice, Part):
        return _same(bench.preview(distill.extract, choice.start, target or None), weighed)
    return _same(bench.preview(distill.apply, (choice.suggestion.number,), target or None), weighed)


def make(bench: Workbench, weighed: Weighed, choice: Choice, target: str, seen: Plan | None) -> ChangeMade:
    """Make the change of a choice; `seen` is its plan when the person has it before them."""
    from recall_tui.features.curation import distill

    plan = seen or _planned(bench, weighed, choice, target)
    if isinstance(choice, Part):
        return _made(bench, plan, distill.extract, choice.start, target or None)
    return _made(bench, plan, distill.apply, (choice.suggestion.number,), target or None)


def make_all(bench: Workbench, weighed: Weighed, targets: Mapping[int, str]) -> ChangeMade:
    """Make every change that needs no judgement, as one; `targets` names files for some of their numbers."""
    from recall_tui.features.curation import distill

    plan = _same(bench.preview(distill.apply, None, targets), weighed)
    return _made(bench, plan, distill.apply, None, targets)


def _made(bench: Workbench, plan: Plan, verb: object, *args: object) -> ChangeMade:
    try:
        entry = bench.apply(verb, *args, seen=plan)  # type: ignore[arg-type]
    except LockedError:
        raise
    except ConflictError:
        raise _changed() from None
    before, after = lines_of(plan)
    return ChangeMade(entry, "", "Nothing was to be changed", won=before - after)


def lines_of(plan: Plan) -> tuple[int, int]:
    """The lines of MEMORY.md before and after."""
    return _whole(plan, "lines_before"), _whole(plan, "lines_after")


def percent_of(plan: Plan) -> tuple[int, int]:
    """The same in percent of its budget."""
    return _whole(plan, "percent_before"), _whole(plan, "percent_after")


def _whole(plan: Plan, fact: str) -> int:
    value = plan.facts[fact]
    return value if isinstance(value, int) else 0


def _same(plan: Plan, weighed: Weighed) -> Plan:
    was = [edit.was for edit in plan.edits if isinstance(edit, Replace)]
    if was and weighed.digest not in was:
        raise _changed()
    return plan


def _changed() -> ConflictError:
    return ConflictError("the files changed meanwhile; nothing was written", hint="this is how they are now")


def place_of(bench: Workbench, choice: Choice) -> Hit:
    """Where a choice stands in MEMORY.md, as what the reader opens and a copy is taken of."""
    name = bench.store.relative(bench.layout.memory_file)
    return Hit("", name, "memory", "raw", name, 0.0, "", (choice.start, choice.end))
