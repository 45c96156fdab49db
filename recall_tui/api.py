"""The public API for other packages: the Python API and the types of plugins.

These names are stable. A package registers its plugins as entry points: `recall_tui.readers` (a `Reader`),
`recall_tui.targets` (a `Target`), `recall_tui.models` (a `Model`), `recall_tui.embedders` (an `Embedder`), and
`recall_tui.host_plugins`.
"""

from __future__ import annotations

from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.target import Piece, Scope, Site, State, Target
from recall_tui.domain import (
    Append,
    Conversation,
    ConversationHead,
    Create,
    Delete,
    Hit,
    JournalEntry,
    Message,
    MessageKind,
    Plan,
    ReadError,
    Replace,
    SearchResult,
    SkippedResult,
    ToolCall,
)
from recall_tui.domain.embedding import Embedder
from recall_tui.environment import Environment
from recall_tui.errors import (
    BrokenFileError,
    ConfigError,
    ConflictError,
    LockedError,
    ModelError,
    NotFoundError,
    RecallError,
    UsageError,
)
from recall_tui.llm.model import Completion, Failure, Model, Usage, estimate_usage, never_cancelled
from recall_tui.memory import Memory
from recall_tui.transcripts.reader import Reader, TranscriptFile
from recall_tui.workbench import Workbench

__all__ = [
    "Append",
    "BrokenFileError",
    "Completion",
    "ConfigError",
    "ConflictError",
    "Conversation",
    "ConversationHead",
    "Create",
    "Delete",
    "Embedder",
    "Environment",
    "Failure",
    "Hit",
    "JournalEntry",
    "LockedError",
    "Memory",
    "Message",
    "MessageKind",
    "Model",
    "ModelError",
    "NotFoundError",
    "OwnFile",
    "Piece",
    "Plan",
    "ReadError",
    "Reader",
    "RecallError",
    "Replace",
    "Scope",
    "SearchResult",
    "Site",
    "SkippedResult",
    "State",
    "Target",
    "ToolCall",
    "TranscriptFile",
    "Usage",
    "UsageError",
    "Workbench",
    "estimate_usage",
    "never_cancelled",
]
