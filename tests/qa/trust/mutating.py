"""Texts made of seeds and fragments: cut, doubled, mixed and spoiled.

The same random numbers give the same texts, so that what broke a parser breaks it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.qa.trust.seeds import FRAGMENTS

LONGEST = 4_000
"""Characters of a text."""
_MOST_CHANGES = 6


def mutated(seeds: Sequence[str], random: Random) -> str:
    """One of the seeds after a few changes."""
    text = random.choice(seeds)
    for _ in range(random.randint(1, _MOST_CHANGES)):
        text = _changed(text, seeds, random)[:LONGEST]
    return text


def _changed(text: str, seeds: Sequence[str], random: Random) -> str:
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice((0, 1, 2, 8, 40, 200)))
    match random.randrange(8):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:end] + text[start:end] * random.choice((1, 2, 30)) + text[end:]
        case 2:
            other = random.choice(seeds)
            return text[:start] + other[random.randint(0, len(other)) :]
        case 3:
            return text[:start] + chr(random.choice((random.randrange(128), random.randrange(0x3000)))) + text[end:]
        case 4:
            return text.replace("\n", "\r\n") if random.random() < 0.3 else text[:start]
        case 5:
            lines = text.split("\n")
            random.shuffle(lines)
            return "\n".join(lines)
        case _:
            return text[:start] + random.choice(FRAGMENTS) * random.choice((1, 1, 1, 3)) + text[end:]
