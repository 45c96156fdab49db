"""A large, made-up history: transcripts in the form of Claude Code, the same for the same seed.

Nothing is held in memory but the vocabulary and one transcript; words are as unevenly spread as in real text, and new
names keep coming as they do in code.
"""

from __future__ import annotations

import json
import os
import random
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import Any

FIRST_DAY = datetime(2025, 1, 6, 8, 0, tzinfo=UTC)
DAYS = 500
"""Over so many days the sessions begin."""
PROJECTS = 24
VOCABULARY = 30_000
SEED_BYTES = 30_000_000
"""Real transcripts are read up to here; more changes the vocabulary no more."""
SENTENCES = 20_000
_COMMON_WORDS = """
the to a of and in is it that for this with on as be are you not we can from have will if but file test error code line
function use when now should add run new one first all data need let me so there which type value return name set check
change read call fix make see look at has was do an or by user work build path string list get config server index query
"""
_COMMON = tuple(_COMMON_WORDS.split())
_SOUNDS = (
    "b br c cl cr d dr f fl g gr h j k l m n p pl pr qu r s sc sl sp st str t tr v w",
    "a e i o u ai ea ee ie oo ou",
    "b ck ct d ft g l ll m n nd nt p r rd rk rn s ss st t tch x",
)
"""How a syllable begins, goes on and ends."""
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_TURN: tuple[tuple[str, int], ...] = (
    ("prompt", 40), ("thought", 90), ("call", 12), ("result", 190), ("reply", 40), ("call", 12), ("result", 150),
    ("call", 12), ("result", 160), ("reply", 90),
)  # fmt: skip
"""What follows what in a turn, and how many words each has on average; with its envelope a record has 1.2 KB."""
TOOLS = ("Read", "Edit", "Bash", "Grep", "Write", "Glob")


@dataclass(frozen=True, slots=True)
class Language:
    """What the texts are made of."""

    words: Sequence[str]
    weights: Sequence[int]
    """Cumulated, beside the words."""
    sentences: Sequence[str]

    def text(self, chance: random.Random, length: int) -> str:
        """About so many words: in lines, now and then a whole sentence as somebody wrote it, and a name never seen."""
        words = chance.choices(self.words, cum_weights=self.weights, k=max(1, int(length * chance.uniform(0.3, 1.7))))
        lines = [" ".join(words[at : at + 14]) for at in range(0, len(words), 14)]
        if chance.random() < 0.3:
            lines[-1] += f" {words[0]}{words[-1].title()}{chance.randrange(2000)}"
        if self.sentences and chance.random() < 0.3:
            lines.append(chance.choice(self.sentences))
        return "\n".join(lines)


def made_up_language(seed: int) -> Language:
    """Words of a small grammar, as common as Zipf (1949) says: the n-th is a 1/n as common as the first."""
    chance = random.Random(f"{seed} words")
    words = dict.fromkeys(_COMMON)
    sounds = [part.split() for part in _SOUNDS]
    while len(words) < VOCABULARY:
        syllables = chance.choice((1, 1, 2, 2, 3))
        words["".join(chance.choice(part) for part in sounds * syllables)] = None
    weights = accumulate(10_000_000 // (rank + 2) for rank in range(len(words)))
    return Language(tuple(words), tuple(weights), ())


def language_of(folder: Path) -> Language:
    """The words of the transcripts below `folder` as common as they are there, and sentences from them."""
    counts: Counter[str] = Counter()
    sentences: dict[str, None] = {}
    read = 0
    for path in sorted(folder.rglob("*.jsonl")):
        if read > SEED_BYTES:
            break
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            read += len(line)
            for text in map(_printable, _texts(line)):
                counts.update(re.findall(r"[^\W_][\w./-]{0,30}", text))
                for part in re.split(r"(?<=[.!?])\s+|\n", text) if len(sentences) < SENTENCES else ():
                    if 20 < len(part) < 200:
                        sentences[part] = None
    common = counts.most_common(VOCABULARY)
    return Language(tuple(word for word, _ in common), tuple(accumulate(n for _, n in common)), tuple(sentences))


def _texts(line: str) -> Iterator[str]:
    try:
        record = json.loads(line)
    except ValueError:
        return
    waiting: list[Any] = [record.get("message") if isinstance(record, dict) else None]
    while waiting:
        match waiting.pop():
            case str(text) if " " in text:
                yield text
            case dict(inner):
                waiting += [inner.get(name) for name in ("content", "text", "thinking")]
            case list(inner):
                waiting += inner


def _printable(text: str) -> str:
    """Without the codes of a terminal, and without halves of characters, which no file takes."""
    return _ESCAPE.sub("", text).encode("utf-8", "ignore").decode("utf-8")


def language(seed: int, env: Mapping[str, str]) -> Language:
    """That of the shared transcripts when `RECALL_TEST_DATA` names them, else a made-up one."""
    folder = env.get("RECALL_TEST_DATA")
    own = language_of(Path(folder) / "transcripts") if folder else None
    return own if own and len(own.words) > 1_000 else made_up_language(seed)


def lengths(messages: int, sources: int, seed: int) -> list[int]:
    """How many messages each transcript has: few are long, most are short, the sum is exact."""
    chance = random.Random(f"{seed} lengths")
    shares = [chance.lognormvariate(0, 1) for _ in range(sources)]
    total = sum(shares)
    ends = [round(messages * part / total) for part in accumulate(shares)]
    return [end - begin for begin, end in zip([0, *ends[:-1]], ends, strict=True)]


def write(home: Path, messages: int, sources: int, seed: int, language: Language, tell: Callable[[int], None]) -> int:
    """Write the transcripts below `home`, telling how many are done; the bytes written."""
    written = 0
    for number, length in enumerate(lengths(messages, sources, seed)):
        written += write_one(home, number, length, seed, language).stat().st_size
        tell(number + 1)
    return written


def write_one(home: Path, number: int, length: int, seed: int, language: Language) -> Path:
    """Write the transcript of that number below `home`."""
    chance = random.Random(f"{seed} {number}")
    session = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    project = f"project-{chance.randrange(PROJECTS)}"
    path = home / ".claude" / "projects" / f"-home-u-{project}" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(records(session, project, length, chance, language))
    return path


def records(session: str, project: str, length: int, chance: random.Random, language: Language) -> Iterator[str]:
    """The lines of a transcript, a few seconds to minutes apart."""
    at = FIRST_DAY + timedelta(days=DAYS * chance.random())
    parent, call = "null", ""
    for number in range(length):
        kind, words = _TURN[number % len(_TURN)]
        own = f"{chance.getrandbits(128):032x}"
        own = f'"{own[:8]}-{own[8:12]}-4{own[13:16]}-8{own[17:20]}-{own[20:]}"'
        text = language.text(chance, words)
        if kind == "call":
            call = f"toolu_{chance.getrandbits(64):016x}"
        at += timedelta(seconds=chance.uniform(1, 90))
        stamp = f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"
        head = (
            f'{{"parentUuid": {parent}, "isSidechain": false, "userType": "external", "cwd": "/home/u/{project}", '
            f'"sessionId": "{session}", "version": "2.1.0", "gitBranch": "main", '
        )
        yield f'{head}{_body(kind, text, call, chance)}, "uuid": {own}, "timestamp": "{stamp}"}}\n'
        parent = own


def _body(kind: str, text: str, call: str, chance: random.Random) -> str:
    if kind == "prompt":
        return f'"type": "user", "message": {{"role": "user", "content": {quoted(text)}}}'
    if kind == "result":
        content = f'{{"tool_use_id": "{call}", "type": "tool_result", "content": {quoted(text)}}}'
        return f'"type": "user", "message": {{"role": "user", "content": [{content}]}}'
    if kind == "call":
        first, *rest = text.split()
        target = f"src/{first}/{rest[-1] if rest else first}.py"
        given = f'{{"file_path": {quoted(target)}, "description": {quoted(text)}}}'
        block = f'{{"type": "tool_use", "id": "{call}", "name": "{chance.choice(TOOLS)}", "input": {given}}}'
    else:
        name = "thinking" if kind == "thought" else "text"
        block = f'{{"type": "{name}", "{name}": {quoted(text)}}}'
    return (
        f'"type": "assistant", "message": {{"model": "claude-x", "id": "msg_{chance.getrandbits(48):012x}", '
        f'"type": "message", "role": "assistant", "content": [{block}], "stop_reason": null, '
        '"usage": {"input_tokens": 10, "cache_read_input_tokens": 42573, "output_tokens": 200}}'
    )


def grow(path: Path, messages: int, seed: int, language: Language) -> None:
    """Append messages to a transcript, as a session that goes on does."""
    session, project = path.stem, path.parent.name.removeprefix("-home-u-")
    with path.open("a", encoding="utf-8") as file:
        file.writelines(records(session, project, messages, random.Random(f"{seed} more {os.fspath(path)}"), language))
