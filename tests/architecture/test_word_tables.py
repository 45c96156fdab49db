"""Tables that fronts look into by a word have an entry for each word: nothing that is shown ends in a KeyError."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from typing import Any, Literal, get_args

import pytest

from recall_tui.agents.status import Condition
from recall_tui.agents.target import Scope, State
from recall_tui.config import Origin
from recall_tui.domain import Actor, EventName, HealthReport
from recall_tui.features.curation.bloat import BloatKind
from recall_tui.features.health.checklist import ItemName, ItemState
from recall_tui.features.transfer.export import ExportFormat
from recall_tui.setting_schema import Setting
from recall_tui.storage.documents import memory_file
from recall_tui.storage.documents.period_page import PeriodKind
from recall_tui.storage.journal.record import FileChange
from recall_tui.storage.state.proposals import DocumentState
from recall_tui.tui.screens.health.view_model import RowState
from recall_tui.tui.screens.wiki.view_model import PageLink
from recall_tui.tui.widgets.turn_rows import TimeMode
from tests.architecture.trees import CHECKOUT, tree

FRONTS = ("agents", "cli", "tui", "features/health", "host_plugin.py", "config.py", "storage/documents/memory_file.py")


def words_of(kind: Any) -> set[object]:
    """Every value of a closed type."""
    return set(kind) if isinstance(kind, type) and issubclass(kind, Enum) else set(get_args(kind))


def field(owner: type, name: str) -> Any:
    """The type of a field that spells out its words."""
    noted = owner.__annotations__[name]
    return eval(getattr(noted, "__forward_arg__", noted), {"Literal": Literal})


LEVELS, KINDS = field(HealthReport, "level"), field(Setting, "kind")
TABLES = {
    "agents/install.py:_ACTIONS": words_of(State) - {State.CURRENT},
    "agents/status.py:_STATE_LABELS": words_of(State),
    "cli/checklist.py:_SIGNS": words_of(ItemState),
    "cli/commands/agents.py:_PARTS": {None, True, False},
    "cli/commands/compact.py:_UNIT_NAMES": words_of(PeriodKind),
    "cli/commands/status.py:_COLORS": words_of(LEVELS) | words_of(memory_file.Level),
    "cli/commands/status.py:_LEVEL_SYMBOLS": words_of(LEVELS),
    "cli/commands/undo.py:_ACTOR_LABELS": words_of(Actor),
    "cli/commands/undo.py:_EDIT_LABELS": words_of(field(FileChange, "kind")),
    "cli/hook_process.py:TIMEOUT_SECONDS": words_of(EventName),
    "config.py:_KIND_LABELS": words_of(KINDS),
    "features/consolidation/compact.py:_SPANS": words_of(PeriodKind),
    "host_plugin.py:_LEVEL_NAMES": words_of(LEVELS),
    "storage/documents/memory_file.py:_LEVEL_LABELS": words_of(memory_file.Level),
    "tui/screens/distill/lists.py:VERBS": words_of(BloatKind),
    "tui/screens/export_name_modal.py:_FORMAT_LABELS": words_of(ExportFormat),
    "tui/screens/health/agents_view_model.py:_CONDITION_LABELS": words_of(Condition),
    "tui/screens/health/agents_view_model.py:_SCOPE_LABELS": words_of(Scope),
    "tui/screens/health/checklist_view_model.py:_KEYS": words_of(ItemName),
    "tui/screens/health/checklist_view_model.py:_LEVEL_SIGNS": words_of(LEVELS),
    "tui/screens/health/checklist_view_model.py:_STATES": words_of(ItemState),
    "tui/screens/health/panels.py:STATE_SIGNS": words_of(RowState),
    "tui/screens/reader/screen.py:_TIME_NOTICES": words_of(TimeMode),
    "tui/screens/review/proposal_card.py:_STATE_LABELS": words_of(DocumentState),
    "tui/screens/settings/setting_list.py:ORIGIN_SIGNS": words_of(Origin),
    "tui/screens/settings/setting_list.py:_OPEN_VALUES": words_of(KINDS),
    "tui/screens/wiki/panels.py:_LINK_LABELS": words_of(field(PageLink, "kind")),
    "tui/screens/wiki/panels.py:_LINK_SIGNS": words_of(field(PageLink, "kind")),
    "tui/widgets/budget_gauge.py:_MARKS": words_of(memory_file.Level),
    "tui/widgets/budget_gauge.py:_STYLES": words_of(memory_file.Level),
    "tui/widgets/top_bar.py:HEALTH_SIGNS": words_of(LEVELS),
}
"""By module and name: the words that the table is asked for."""
ASKED_FIRST = {
    "agents/hook_protocol.py:_EVENTS",
    "agents/memory_precedence.py:_SETTINGS_FILES",
    "agents/registry.py:_BUILT_IN",
    "cli/commands/dream.py:_INSIGHT_LABELS",
    "cli/commands/watch.py:_UNIT_MS",
    "cli/watcher.py:_SIGNAL_REASONS",
    "config.py:_FLAG_VALUES",
    "features/health/restore.py:_DAY_NAMES",
    "tui/keys/key_labels.py:_KEY_LABELS",
    "tui/screens/timeline/labels.py:_PAGE_KINDS",
    "tui/screens/wiki/page_name_modal.py:CATEGORY_LABELS",
    "tui/widgets/turn_rows.py:ROLE_HEADINGS",
}
"""Tables that are looked into for their own keys, or whose lack is an answer."""


def tables_looked_into() -> Iterator[str]:
    """Every dictionary at the top of a front's module that is indexed there by something other than a constant."""
    package = CHECKOUT / "recall_tui"
    for front in FRONTS:
        for path in [package / front] if front.endswith(".py") else sorted((package / front).rglob("*.py")):
            module = tree(str(path.relative_to(CHECKOUT)))
            made = [one for one in module.body if isinstance(one, ast.Assign | ast.AnnAssign)]
            tables = {
                target.id
                for one in made
                if isinstance(one.value, ast.Dict)
                for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
                if isinstance(target, ast.Name)
            }
            looked = (one for one in ast.walk(module) if isinstance(one, ast.Subscript))
            names = (one.value for one in looked if not isinstance(one.slice, ast.Constant))
            yield from (
                f"{path.relative_to(package)}:{one.id}"
                for one in names
                if isinstance(one, ast.Name) and one.id in tables
            )


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_table_of_words_has_an_entry_for_each(table: str) -> None:
    module, _, name = table.partition(":")
    held = getattr(import_module(f"recall_tui.{module.removesuffix('.py').replace('/', '.')}"), name)
    assert set(held) >= TABLES[table], f"{table} lacks {TABLES[table] - set(held)}"


def test_every_table_of_the_fronts_is_checked_or_asked_first() -> None:
    found = set(tables_looked_into())
    assert found - set(TABLES) - ASKED_FIRST == set(), "say which words it is asked for"
    assert ASKED_FIRST - found == set(), "no such table"
