"""What the Distill screen shows and does, read and made in a thread.

A change is made only when MEMORY.md is still what the person was looking at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Hit, Plan, Replace, Suggestion
from recall_tui.errors import ConflictError, LockedError
from recall_tui.memory import bound
from recall_tui.storage.documents import memory_file
from recall_tui.tui.memory_view_model import MemoryView, measure_memory
from recall_tui.tui.messages import ChangeCommitted, ChangePreviewed, DistillLoaded

if TYPE_CHECKING:
    from recall_tui.features.curation.distill import DistillFacts
    from recall_tui.memory import Memory
    from recall_tui.workbench import Workbench

MAX_DIFF_LINES = 5_000
"""Lines of a diff that are shown; what is left out is said."""


@dataclass(frozen=True, slots=True)
class SectionRow:
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
    is_top: bool = False
    """It is the file's own text under its title, which is no section of it."""

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return self.end - self.start + 1

    @property
    def key(self) -> tuple[object, ...]:
        """By what it is known again when lines have moved."""
        return "part", self.title, self.nth


@dataclass(frozen=True, slots=True)
class SuggestionRow:
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


Choice = SectionRow | SuggestionRow
"""What a change is made of: a suggestion, or a section that nobody suggested."""


@dataclass(frozen=True, slots=True)
class DistillView:
    """One look at MEMORY.md."""

    memory: MemoryView
    parts: tuple[SectionRow, ...]
    """In the order of the file."""
    offers: tuple[SuggestionRow, ...]
    """Heaviest first."""
    digest: str
    """Of the text that was read."""
    won: int
    """Lines that the changes made on the screen took away, those taken back left aside."""

    @property
    def safe(self) -> tuple[SuggestionRow, ...]:
        """What can be applied without a judgement."""
        return tuple(offer for offer in self.offers if offer.suggestion.is_safe)


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """The change that a choice would make."""

    choice: Choice
    plan: Plan[DistillFacts]
    diff: tuple[str, ...]

    @property
    def target(self) -> str:
        """The topic file it writes; empty when it writes none."""
        files = self.plan.facts["files"]
        return files[0] if files else ""


def load_view(bench: Workbench, made: Mapping[int, int]) -> DistillLoaded:
    """Read MEMORY.md; `made` holds the lines won by each change of the journal that the screen made."""
    from recall_tui.features.curation.distill import suggestions
    from recall_tui.features.curation.extraction import extract_block, split_blocks
    from recall_tui.storage.files.atomic import content_digest

    memory = memory_file.read_memory(bench.store)
    units = list(split_blocks(memory))
    parts = [extract_block(memory, unit) for unit in units]
    titles = [memory.sections[unit.number].title for unit in units]
    tops = [unit.number == 0 and memory.sections[0].level == 1 for unit in units]
    return DistillLoaded(
        DistillView(
            measure_memory(bench, memory),
            tuple(
                SectionRow(title, part.start + 1, part.end, part.saves, nth, is_top)
                for (title, nth), part, is_top in zip(_count_lines(titles), parts, tops, strict=True)
                if part.end > part.start
            ),
            tuple(_suggestion_rows(suggestions(bench.store, memory))),
            content_digest(memory.text),
            _saved_lines(bench, made),
        )
    )


def _count_lines(titles: Iterable[str]) -> Iterable[tuple[str, int]]:
    before: Counter[str] = Counter()
    for title in titles:
        yield title, before[title]
        before[title] += 1


def _suggestion_rows(found: Iterable[Suggestion]) -> Iterable[SuggestionRow]:
    before: Counter[tuple[str, str]] = Counter()
    for suggestion in found:
        yield SuggestionRow(suggestion, before[suggestion.kind, suggestion.title])
        before[suggestion.kind, suggestion.title] += 1


def _saved_lines(bench: Workbench, made: Mapping[int, int]) -> int:
    if not made:
        return 0
    return sum(made.get(entry.id, 0) for entry in bench.journal.each() if not entry.is_undone)


def preview_change(bench: Workbench, number: int, weighed: DistillView, choice: Choice, target: str) -> ChangePreviewed:
    """Plan the change that a choice would make; ConflictError when MEMORY.md is no longer what was weighed."""
    from recall_tui.storage.journal.plan_diff import plan_as_diff

    plan = _plan_change(bench, weighed, choice, target)
    shown = plan_as_diff(replace(plan, edits=plan.edits[::-1]), bench.layout.root, bench.store.environment.home).split(
        "\n"
    )
    lines = [*_repeated_line(bench, choice), *(line for line in shown[:MAX_DIFF_LINES] if line)]
    if len(shown) > MAX_DIFF_LINES:
        lines.append(f"… and {len(shown) - MAX_DIFF_LINES} more lines")
    return ChangePreviewed(number, ChangePreview(choice, plan, tuple(lines)))


def _repeated_line(bench: Workbench, choice: Choice) -> tuple[str, ...]:
    """The line that a duplicate repeats, to be compared with the one that goes."""
    at = choice.suggestion.repeats if isinstance(choice, SuggestionRow) else 0
    lines = memory_file.read_memory(bench.store).lines
    return (f"= line {at} stays: {lines[at - 1].strip()}",) if 0 < at <= len(lines) else ()


def _plan_change(bench: Workbench, weighed: DistillView, choice: Choice, target: str) -> Plan[DistillFacts]:
    from recall_tui.features.curation import distill
    from recall_tui.storage.files.atomic import content_digest

    if content_digest(memory_file.read_memory(bench.store).text) != weighed.digest:
        raise _changed_error()
    if isinstance(choice, SectionRow):
        return _is_same_choice(bench.preview(distill.plan_extraction, choice.start, target or None), weighed)
    return _is_same_choice(
        bench.preview(distill.plan_suggestions, (choice.suggestion.number,), target or None), weighed
    )


def apply_change(
    bench: Workbench, weighed: DistillView, choice: Choice, target: str, seen: Plan[DistillFacts] | None
) -> ChangeCommitted:
    """Make the change of a choice; `seen` is its plan when the person has it before them."""
    from recall_tui.features.curation import distill

    plan = seen or _plan_change(bench, weighed, choice, target)
    if isinstance(choice, SectionRow):
        return _commit_previewed(bench, bound(distill.plan_extraction, choice.start, target or None), plan)
    numbers = (choice.suggestion.number,)
    return _commit_previewed(bench, bound(distill.plan_suggestions, numbers, target or None), plan)


def apply_all_safe(bench: Workbench, weighed: DistillView, targets: Mapping[int, str]) -> ChangeCommitted:
    """Apply every safe suggestion, as one; `targets` names files for some of their numbers."""
    from recall_tui.features.curation import distill

    plan = _is_same_choice(bench.preview(distill.plan_suggestions, None, targets), weighed)
    return _commit_previewed(bench, bound(distill.plan_suggestions, None, targets), plan)


def _commit_previewed(bench: Workbench, change: Callable[[Memory], Plan], plan: Plan[DistillFacts]) -> ChangeCommitted:
    try:
        entry = bench.store.commit(change, expected=plan)
    except LockedError:
        raise
    except ConflictError:
        raise _changed_error() from None
    before, after = line_counts(plan)
    return ChangeCommitted(entry, "", "Nothing to change", won=before - after)


def line_counts(plan: Plan[DistillFacts]) -> tuple[int, int]:
    """The lines of MEMORY.md before and after."""
    return plan.facts["lines_before"], plan.facts["lines_after"]


def budget_percents(plan: Plan[DistillFacts]) -> tuple[int, int]:
    """The same in percent of its budget."""
    return plan.facts["percent_before"], plan.facts["percent_after"]


def _is_same_choice(plan: Plan[DistillFacts], weighed: DistillView) -> Plan[DistillFacts]:
    was = [edit.was for edit in plan.edits if isinstance(edit, Replace)]
    if was and weighed.digest not in was:
        raise _changed_error()
    return plan


def _changed_error() -> ConflictError:
    return ConflictError("the files have changed; nothing was written", hint="this is their current state")


def choice_pointer(bench: Workbench, choice: Choice) -> Hit:
    """Where a choice stands in MEMORY.md, as what the reader opens and a copy is taken of."""
    name = bench.store.relative(bench.layout.memory_file)
    return Hit("", name, "memory", "raw", name, 0.0, "", (choice.start, choice.end))
