"""Sessions whose words nothing tells from any others, led through the life of a memory and then forgotten.

The words are invented and stand nowhere but in the session that is to go, so that each place where one is found after
is a place that was not cleared.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from tests.conftest import NOON
from tests.hooks import settled
from tests.makers import session_id_of
from tests.makers import transcript as written
from tests.qa.trust.planted import Plant
from tests.qa.trust.secret_life import PLANTS_A_SESSION, Life, begun
from tests.qa.trust.secret_sessions import gemini_id
from tests.transcripts.codex_samples import START as CODEX_START
from tests.transcripts.codex_samples import id_at

GONE, STAYS = 1, 2
"""The sessions by number."""
_DAYS = {GONE: (11, 13, 15, 17, 19), STAYS: (12, 14, 16, 18, 20)}
"""Sessions of days before, of which weeks and months are made, by whose words they hold."""
_TALK = (
    ("user", "Plan the {0} party with Alice Miller for the shop"),
    ("assistant", "We decided that the {0} is in the park with Alice Miller, for the root cause was the {1}."),
    ("user", "What do we learn from the {1}?"),
    ("assistant", "Always book the {1} early. We shipped the {2} gateway to Nordpost."),
)
_SAID = {
    "prompt": "Please plan the {} migration of the shop database for Friday.",
    "reply": "We decided that the {} queue replaces the old worker of the shop. Next step: move the {} consumers.",
    "prompt-many-lines": "I prefer the {} format for invoices.\n\nRemember to use {} in every export of the shop.",
    "reply-fenced": "The root cause was the {} timeout.\n\n```\n{}: 30\n```\n\nAlways set it before a deploy.",
    "tool-input": "grep -rn {} shop/",
    "tool-output": "shop/queue.py: {} = Worker()",
    "environment-dump": "HOME=/home/u\nSHOP_MODE={}\nSHLVL=1",
    "title": "The {} migration of the shop",
    "file-path": "/home/u/api/shop/{}.py",
    "branch": "try/{}",
    "url-query": "https://api.example.test/v1/items?shop={}&page=2",
    "split-blocks": "First comes the {} step,\x00then the {} check of the shop.",
}
_SYLLABLES = ["ba", "ko", "lu", "mi", "ra", "ves", "tor", "qui", "zan", "dro", "fel", "nup", "gax", "wim"]


def plants(seed: int) -> list[Plant]:
    """A session's words, in everything that a session holds; the same for the same seed."""
    drawn, made = random.Random(seed), list[Plant]()
    carriers = list(_SAID)
    for place in range(PLANTS_A_SESSION):
        word = "".join(drawn.choices(_SYLLABLES, k=5))
        carrier = carriers[place % len(carriers)]
        made.append(Plant("word", carrier, _SAID[carrier].replace("{}", word), (word,)))
    return made


def of_session(number: int) -> tuple[str, ...]:
    """The ids of the sessions that hold the plants of a number, one of each agent, and those of the days after."""
    days = (session_id_of(one) for one in _DAYS[number])
    return session_id_of(number), id_at(CODEX_START, number), gemini_id(number), *days


def lived(folder: Path, gone: Sequence[Plant], stays: Sequence[Plant], layout: str = "entity") -> Life:
    """A memory in which everything was made of the sessions that can be, and accepted."""
    life = begun(folder, [*gone, *stays], layout)
    for words, numbers in ((gone, _DAYS[GONE]), (stays, _DAYS[STAYS])):
        for place, number in enumerate(numbers):
            three = [plant.needles[0] for plant in words[3 * place : 3 * place + 3]]
            said = [(who, what.format(*three)) for who, what in _TALK]
            start = NOON - timedelta(days=30 - number)
            life.transcripts.append(written(life.machine.environment, number, said, start=start))
    life.run("config", "set", "dream.enabled", "true")
    life.run("config", "set", "capture.auto", "true")
    # What no question of the memory can find is not the memory's to keep out of what is remembered of questions.
    life.run("config", "set", "transcripts.projects", "all")
    _hooked(life, gone)
    for words in _MADE:
        life.run(*words)
    for plant in (*gone[::15], *stays[::15]):
        life.run("search", "--ranked", plant.needles[0], "--json")
    life.run("dream")
    _accept(life)
    life.run("sync")
    return life


def _hooked(life: Life, plants: Sequence[Plant]) -> None:
    transcript = life.transcripts[0]
    life.hook("SessionStart", transcript.stem, transcript, source="startup")
    for plant in plants[:3]:
        life.hook("UserPromptSubmit", transcript.stem, transcript, prompt=f"what of the {plant.needles[0]} then?")
    life.hook("PreCompact", transcript.stem, transcript, trigger="auto", custom_instructions="")
    life.hook("SessionEnd", transcript.stem, transcript, reason="other")
    assert not settled(life.machine)


def _accept(life: Life) -> None:
    """Accept all that waits, as a person does who looks at it one by one."""
    for _ in range(2):
        for one in life.machine.run("review", "list", "--json").json["proposals"]:
            life.run("review", "accept", one["id"])


_MADE: tuple[tuple[str, ...], ...] = (
    ("archive", "--all-unarchived"),
    ("sync",),
    ("summarize", session_id_of(GONE), "--yes"),
    ("summarize", session_id_of(STAYS), "--yes"),
    ("remember", "--session-end", session_id_of(GONE)),
    ("synthesize", "--yes"),
    ("compact", "all", "--yes"),
    ("compact", "all", "--yes"),
    ("wiki", "stub", "shop", "--category", "project"),
    ("wiki", "rebuild", "shop", "--yes"),
    ("dream",),
    ("undo",),
    ("redo",),
)


def forgotten(life: Life) -> None:
    """Forget the one session, of every agent, and ask afterwards for all that there is."""
    life.said.clear()
    life.run("forget", *of_session(GONE), "--yes")
    for words in _ASKED:
        life.run(*words)


_ASKED: tuple[tuple[str, ...], ...] = (
    ("sync",),
    ("list", "all", "--json"),
    ("consume", "--no-clear"),
    ("recall",),
    ("undo", "--list"),
    ("review", "list", "--all"),
    ("search", "shop"),
    ("search", "--ranked", "shop migration queue", "--limit", "50", "--passages", "--json"),
    ("doctor", "--deep"),
    ("index",),
    ("wiki", "rebuild", "shop", "--yes"),
    ("compact", "all", "--yes"),
    ("dream",),
    ("search", "--ranked", "shop migration queue", "--limit", "50", "--passages", "--json"),
)
