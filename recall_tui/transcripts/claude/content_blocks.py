"""What one record of a transcript says, piece by piece.

The rules stand here once: the pass that counts and the pass that yields messages see the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recall_tui.domain import MessageKind
from recall_tui.transcripts.claude.records import Block, Record, content_of
from recall_tui.transcripts.claude.user_text import speech
from recall_tui.transcripts.tool_calls import document_text


class Piece(NamedTuple):
    """One message in the making."""

    kind: MessageKind
    text: str
    """Empty for a tool's call and result, whose block is decoded later."""
    block: Block | None = None


def pieces(record: Record) -> list[Piece]:
    """Everything that a record says, in its order; nothing for records that are not messages."""
    if record.type == "assistant":
        return list(_from_agent(_content(record)))
    if record.type == "user":
        return list(_from_person(record))
    if record.type == "attachment":
        return _queued(record)
    return []


def said_in(found: Sequence[Piece]) -> int:
    """A number that tells what a record says from what another does, in this process; 0 for nothing."""
    if not found:
        return 0
    return hash(
        tuple((kind, text, block and (bytes(block.input), bytes(block.content))) for kind, text, block in found)
    )


def _content(record: Record) -> str | list[Block | str] | None:
    return record.message.content if record.message else None


def _from_agent(content: str | list[Block | str] | None) -> Iterator[Piece]:
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            if block.strip():
                yield Piece("reply", block)
        elif block.type == "text":
            if block.text and block.text.strip():
                yield Piece("reply", block.text)
        elif block.type == "thinking":
            if block.thinking and block.thinking.strip():
                yield Piece("thought", block.thinking)
        elif tool := _tool_piece(block):
            yield tool


def _from_person(record: Record) -> Iterator[Piece]:
    content = _content(record)
    if isinstance(content, list):
        yield from (tool for block in content if isinstance(block, Block) and (tool := _tool_piece(block)))
    if record.is_compact_summary:
        if text := "\n\n".join(_texts(content)):
            yield Piece("compact_summary", text)
    elif not record.is_meta:
        yield from _spoken(content)


def _queued(record: Record) -> list[Piece]:
    """A prompt typed while the agent was at work."""
    attachment = record.attachment
    if record.is_meta or not attachment or attachment.type != "queued_command":
        return []
    return list(_spoken(content_of(attachment.prompt)))


def _spoken(content: str | list[Block | str] | None) -> Iterator[Piece]:
    """At most one prompt and the commands and hand-overs beside it; every text is judged by itself."""
    prompt: list[str] = []
    for text in _texts(content):
        if said := speech(text):
            if said.kind == "prompt":
                prompt.append(said.text)
            else:
                yield Piece(said.kind, said.text)
    if prompt:
        yield Piece("prompt", "\n\n".join(prompt))


def _texts(content: str | list[Block | str] | None) -> Iterator[str]:
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            yield block
        elif block.type == "text":
            yield block.text or ""
        elif block.type == "image":
            yield "[image]"
        elif block.type == "document":
            yield document_text(block.title)


def _tool_piece(block: Block) -> Piece | None:
    """Calls and results, those of the vendor's own servers among them (`server_tool_use`, `mcp_tool_result`, …)."""
    if block.type is None:
        return None
    if block.type.endswith("tool_use"):
        return Piece("tool_call", "", block)
    return Piece("tool_result", "", block) if block.type.endswith("tool_result") else None
