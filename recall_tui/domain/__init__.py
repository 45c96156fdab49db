"""The frozen values that every layer speaks.

Nothing here reads a file, a clock or the environment, and nothing here changes after it was made. Each name is loaded
with its own module when it is first asked for, so that a command pays only for the values it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.domain.change import Append as Append
    from recall_tui.domain.change import By as By
    from recall_tui.domain.change import Create as Create
    from recall_tui.domain.change import Delete as Delete
    from recall_tui.domain.change import Edit as Edit
    from recall_tui.domain.change import JournalEntry as JournalEntry
    from recall_tui.domain.change import Plan as Plan
    from recall_tui.domain.change import Replace as Replace
    from recall_tui.domain.conversation import Conversation as Conversation
    from recall_tui.domain.conversation import ConversationHead as ConversationHead
    from recall_tui.domain.conversation import Digest as Digest
    from recall_tui.domain.conversation import Fault as Fault
    from recall_tui.domain.conversation import Message as Message
    from recall_tui.domain.conversation import MessageKind as MessageKind
    from recall_tui.domain.conversation import Skipped as Skipped
    from recall_tui.domain.conversation import Tags as Tags
    from recall_tui.domain.conversation import ToolCall as ToolCall
    from recall_tui.domain.hook import Decision as Decision
    from recall_tui.domain.hook import EventName as EventName
    from recall_tui.domain.hook import HookAnswer as HookAnswer
    from recall_tui.domain.hook import HookEvent as HookEvent
    from recall_tui.domain.memory import ArchiveEntry as ArchiveEntry
    from recall_tui.domain.memory import HealthReport as HealthReport
    from recall_tui.domain.memory import IndexRow as IndexRow
    from recall_tui.domain.memory import LayoutName as LayoutName
    from recall_tui.domain.memory import Problem as Problem
    from recall_tui.domain.memory import Section as Section
    from recall_tui.domain.memory import Suggestion as Suggestion
    from recall_tui.domain.memory import WindowEntry as WindowEntry
    from recall_tui.domain.search_result import Answer as Answer
    from recall_tui.domain.search_result import Hit as Hit

_HOMES = {
    "Conversation": "conversation",
    "ConversationHead": "conversation",
    "Digest": "conversation",
    "Fault": "conversation",
    "Message": "conversation",
    "MessageKind": "conversation",
    "Skipped": "conversation",
    "Tags": "conversation",
    "ToolCall": "conversation",
    "ArchiveEntry": "memory",
    "HealthReport": "memory",
    "IndexRow": "memory",
    "LayoutName": "memory",
    "Problem": "memory",
    "Section": "memory",
    "Suggestion": "memory",
    "WindowEntry": "memory",
    "Decision": "hook",
    "EventName": "hook",
    "HookAnswer": "hook",
    "HookEvent": "hook",
    "Answer": "search_result",
    "Hit": "search_result",
    "Append": "change",
    "By": "change",
    "Create": "change",
    "Delete": "change",
    "Edit": "change",
    "JournalEntry": "change",
    "Plan": "change",
    "Replace": "change",
}
"""The module of each value."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
