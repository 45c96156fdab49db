"""What one record of a transcript says, piece by piece.

The rules stand here once: the pass that counts and the pass that yields messages see the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recall_tui.domain import MessageKind
from recall_tui.transcripts.claude.records import ContentBlock, TranscriptRecord, decode_content
from recall_tui.transcripts.claude.user_text import user_texts
from recall_tui.transcripts.tool_calls import document_label


class ClaudeMessageDraft(NamedTuple):
    """One message in the making."""

    kind: MessageKind
    text: str
    """Empty for a tool's call and result, whose block is decoded later."""
    block: ContentBlock | None = None


def message_drafts(record: TranscriptRecord) -> list[ClaudeMessageDraft]:
    """Everything that a record says, in its order; nothing for records that are not messages."""
    if record.type == "assistant":
        return list(_agent_drafts(_content(record)))
    if record.type == "user":
        return list(_user_drafts(record))
    if record.type == "attachment":
        return _queued_prompt(record)
    return []


def content_hash(found: Sequence[ClaudeMessageDraft]) -> int:
    """A number that tells what a record says from what another does, in this process; 0 for nothing."""
    if not found:
        return 0
    return hash(
        tuple((kind, text, block and (bytes(block.input), bytes(block.content))) for kind, text, block in found)
    )


def _content(record: TranscriptRecord) -> str | list[ContentBlock | str] | None:
    return record.message.content if record.message else None


def _agent_drafts(content: str | list[ContentBlock | str] | None) -> Iterator[ClaudeMessageDraft]:
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            if block.strip():
                yield ClaudeMessageDraft("reply", block)
        elif block.type == "text":
            if block.text and block.text.strip():
                yield ClaudeMessageDraft("reply", block.text)
        elif block.type == "thinking":
            if block.thinking and block.thinking.strip():
                yield ClaudeMessageDraft("thought", block.thinking)
        elif tool := _tool_draft(block):
            yield tool


def _user_drafts(record: TranscriptRecord) -> Iterator[ClaudeMessageDraft]:
    content = _content(record)
    if isinstance(content, list):
        yield from (tool for block in content if isinstance(block, ContentBlock) and (tool := _tool_draft(block)))
    if record.is_compact_summary:
        if text := "\n\n".join(_texts(content)):
            yield ClaudeMessageDraft("compact_summary", text)
    elif not record.is_meta:
        yield from _user_texts(content)


def _queued_prompt(record: TranscriptRecord) -> list[ClaudeMessageDraft]:
    """A prompt typed while the agent was at work."""
    attachment = record.attachment
    if record.is_meta or not attachment or attachment.type != "queued_command":
        return []
    return list(_user_texts(decode_content(attachment.prompt)))


def _user_texts(content: str | list[ContentBlock | str] | None) -> Iterator[ClaudeMessageDraft]:
    return (ClaudeMessageDraft(said.kind, said.text) for said in user_texts(_texts(content)))


def _texts(content: str | list[ContentBlock | str] | None) -> Iterator[str]:
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            yield block
        elif block.type == "text":
            yield block.text or ""
        elif block.type == "image":
            yield "[image]"
        elif block.type == "document":
            yield document_label(block.title)


def _tool_draft(block: ContentBlock) -> ClaudeMessageDraft | None:
    """Calls and results, those of the vendor's own servers among them (`server_tool_use`, `mcp_tool_result`, …)."""
    if block.type is None:
        return None
    if block.type.endswith("tool_use"):
        return ClaudeMessageDraft("tool_call", "", block)
    return ClaudeMessageDraft("tool_result", "", block) if block.type.endswith("tool_result") else None
