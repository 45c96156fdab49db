"""Cuts a transcript into passages: one for each message, a very long one in pieces.

Secrets are out of every text that leaves this module, and no more than a few hundred messages are ever held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice

from recall_tui.domain import Conversation, ConversationHead, Message, MessageKind
from recall_tui.index.text.passage import OFF_CHAIN, PLAIN, PROMPT, REPLY, SIDECHAIN, TOOL, DocumentHead, Passage
from recall_tui.text.cut import split_text
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.redact import redact

MAX_SPEECH_CHARS = 8000
"""A longer message is several passages, so that all that can be found can be shown."""
MAX_TOOL_CHARS = 4000
"""What tools were told or answered is cut here; what agents think is not cut."""
CUT_MARK = " […]"
_LOOKAHEAD_CHARS = 512
"""Characters after the cut that are still looked at, so that no secret is cut in two and passes."""
_MAX_CACHED_FILES = 1024
"""Files that are known to hold no secret in their names."""
MAX_NAMED_FILES = 20
"""Paths of one command that it is found by."""
_NAMED_PATH = lazy_pattern(r"(?<![\w:/.~-])(?:[\w.~@+-]*(?:/[\w.@+-]+)+|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{1,6})\b")
_LABELS: dict[MessageKind, str] = {
    **dict.fromkeys(("prompt", "command"), PROMPT),
    **dict.fromkeys(("reply", "plan"), REPLY),
    "compact_summary": PLAIN,
    **dict.fromkeys(("thought", "tool_call", "tool_result"), TOOL),
}
_TURN_KINDS = frozenset(("prompt", "command", "reply", "plan", "compact_summary"))
_TOOL_KINDS = frozenset(("tool_call", "tool_result"))


def conversation_passages(
    conversation: Conversation, project_key: Callable[[str], str] = lambda _: ""
) -> Iterator[Passage]:
    """The passages of a session, in the order of its messages."""
    head = _head(conversation.head, project_key)
    messages = conversation.messages()
    for message in messages:
        for piece in _split_message(message, redact(_text(message))):
            yield _passage(head, message, piece)


def session_title(head: ConversationHead) -> str:
    """The session's title on one line, without secrets; empty when it has none."""
    return redact(" ".join(head.title.split()))


def _head(head: ConversationHead, project_key: Callable[[str], str]) -> DocumentHead:
    return DocumentHead(
        title=session_title(head),
        date=head.started_at,
        session_id=head.session_id,
        project=redact(head.cwd),
        agent=head.agent,
        branch=redact(head.branch),
        project_key=redact(project_key(head.cwd)),
    )


def _text(message: Message) -> str:
    """The message's words, those of a tool a little beyond where they will be cut."""
    if message.kind == "tool_call" and message.tool:
        words = (word for word in _strings_in(message.tool.input) if word != message.tool.target)
        return "\n".join((message.text, *_argument_text(words, MAX_TOOL_CHARS)))[: MAX_TOOL_CHARS + _LOOKAHEAD_CHARS]
    return message.text[: MAX_TOOL_CHARS + _LOOKAHEAD_CHARS] if message.kind in _TOOL_KINDS else message.text


def _argument_text(words: Iterable[str], enough: int) -> Iterator[str]:
    size = 0
    for word in words:
        if size > enough:
            return
        size += len(word)
        yield word


def _strings_in(value: object) -> Iterator[str]:
    """The strings in the arguments of a call, however deep."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings_in(item)


def _split_message(message: Message, text: str) -> Iterator[str]:
    if message.kind in _TOOL_KINDS:
        text = text if len(text) <= MAX_TOOL_CHARS else text[:MAX_TOOL_CHARS] + CUT_MARK
    yield from filter(str.strip, split_text(text, MAX_SPEECH_CHARS))


def _passage(head: DocumentHead, message: Message, text: str) -> Passage:
    tool = message.tool
    return Passage(
        head=head,
        body=text,
        labels=_LABELS[message.kind],
        lines=(message.line, message.line),
        roles=_roles(message.kind, message.is_sidechain, message.is_off_chain, message.is_error),
        session_id=head.session_id,
        date=message.at,
        tools=(tool.name,) if tool and tool.name else (),
        files=tuple(map(_clean_path, _named_files(message))),
        is_turn=message.kind in _TURN_KINDS and not (message.is_sidechain or message.is_off_chain),
    )


def _named_files(message: Message) -> Iterable[str]:
    """The file that a tool is of; of a search and of a shell command, the paths that they name."""
    tool = message.tool
    if tool is None or tool.is_file:
        return (tool.target,) if tool else ()
    if message.kind != "tool_call":
        return ()
    said = [tool.input.get(name) for name in ("path", "command")]
    # Base64 looks like a path, so a secret must be gone before paths are looked for.
    words = redact(" ".join(_strings_in(said))[: MAX_TOOL_CHARS + _LOOKAHEAD_CHARS])[:MAX_TOOL_CHARS]
    return islice(dict.fromkeys(word.rstrip(".") for word in _NAMED_PATH.findall(words)), MAX_NAMED_FILES)


@lru_cache(maxsize=_MAX_CACHED_FILES)
def _clean_path(target: str) -> str:
    """The file without secrets; one that was read is soon written, and its result names it again."""
    return redact(target)


@cache
def _roles(kind: MessageKind, is_sidechain: bool, is_off_chain: bool, is_error: bool) -> tuple[str, ...]:
    flags = {"tool": kind in _TOOL_KINDS, "error": is_error, SIDECHAIN: is_sidechain, OFF_CHAIN: is_off_chain}
    return (kind, *(name for name, is_so in flags.items() if is_so))
