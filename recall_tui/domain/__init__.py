"""The immutable values shared by every layer.

Nothing here reads a file, a clock or the environment. Each name is imported with its module on first use, so that a
command pays only for the values it uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.domain.change import Actor as Actor
    from recall_tui.domain.change import Append as Append
    from recall_tui.domain.change import Create as Create
    from recall_tui.domain.change import Delete as Delete
    from recall_tui.domain.change import Edit as Edit
    from recall_tui.domain.change import JournalEntry as JournalEntry
    from recall_tui.domain.change import Plan as Plan
    from recall_tui.domain.change import Replace as Replace
    from recall_tui.domain.conversation import Conversation as Conversation
    from recall_tui.domain.conversation import ConversationHead as ConversationHead
    from recall_tui.domain.conversation import Message as Message
    from recall_tui.domain.conversation import MessageKind as MessageKind
    from recall_tui.domain.conversation import ReadError as ReadError
    from recall_tui.domain.conversation import SessionDigest as SessionDigest
    from recall_tui.domain.conversation import SkippedResult as SkippedResult
    from recall_tui.domain.conversation import Tags as Tags
    from recall_tui.domain.conversation import ToolCall as ToolCall
    from recall_tui.domain.documents import Section as Section
    from recall_tui.domain.hook import EventName as EventName
    from recall_tui.domain.hook import HookAnswer as HookAnswer
    from recall_tui.domain.hook import HookDecision as HookDecision
    from recall_tui.domain.hook import HookEvent as HookEvent
    from recall_tui.domain.memory import ArchiveEntry as ArchiveEntry
    from recall_tui.domain.memory import HealthReport as HealthReport
    from recall_tui.domain.memory import IndexRow as IndexRow
    from recall_tui.domain.memory import LayoutName as LayoutName
    from recall_tui.domain.memory import Problem as Problem
    from recall_tui.domain.memory import Suggestion as Suggestion
    from recall_tui.domain.memory import WindowEntry as WindowEntry
    from recall_tui.domain.search_result import Hit as Hit
    from recall_tui.domain.search_result import SearchResult as SearchResult
    from recall_tui.domain.search_result import SessionLabel as SessionLabel

_MODULES = {
    "Conversation": "conversation",
    "ConversationHead": "conversation",
    "SessionDigest": "conversation",
    "ReadError": "conversation",
    "Message": "conversation",
    "MessageKind": "conversation",
    "SkippedResult": "conversation",
    "Tags": "conversation",
    "ToolCall": "conversation",
    "ArchiveEntry": "memory",
    "HealthReport": "memory",
    "IndexRow": "memory",
    "LayoutName": "memory",
    "Problem": "memory",
    "Section": "documents",
    "SessionLabel": "search_result",
    "Suggestion": "memory",
    "WindowEntry": "memory",
    "HookDecision": "hook",
    "EventName": "hook",
    "HookAnswer": "hook",
    "HookEvent": "hook",
    "SearchResult": "search_result",
    "Hit": "search_result",
    "Append": "change",
    "Actor": "change",
    "Create": "change",
    "Delete": "change",
    "Edit": "change",
    "JournalEntry": "change",
    "Plan": "change",
    "Replace": "change",
}
"""Maps each value to its module."""
_FORMER_NAMES = {
    "Answer": "SearchResult",
    "By": "Actor",
    "Decision": "HookDecision",
    "Digest": "SessionDigest",
    "Fault": "ReadError",
    "Skipped": "SkippedResult",
}
"""Old names that plugins import."""


def __getattr__(name: str) -> object:
    known = _FORMER_NAMES.get(name, name)
    if known not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[known]}"), known)
    globals()[name] = value
    return value
