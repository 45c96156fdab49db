"""The turns of an archive as a person reads them: what each speaker said, without tools, thoughts and sub-agents."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recall_tui.storage.archives.body import Role, parse_body


@dataclass(frozen=True, slots=True)
class SpeakerTurn:
    """Consecutive text of one speaker, without tools and thoughts."""

    role: Role
    text: str
    line: int
    """The line of the file where it begins, from 1."""


def parse_turns(text: str) -> list[SpeakerTurn]:
    """Parse the turns of an archive of any generation: the main chain and rewound turns, without sub-agents."""
    found: list[SpeakerTurn] = []
    for message in parse_body(text):
        if message.is_sidechain or message.kind not in ("prompt", "reply", "plan"):
            continue
        role: Role = "user" if message.kind == "prompt" else "assistant"
        if found and found[-1].role == role:
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n\n{message.text}")
        else:
            found.append(SpeakerTurn(role, message.text, message.line))
    return found
