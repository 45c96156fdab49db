"""A corpus of planted secrets: every kind in many places of a session, always the same for the same seed.

What may be found nowhere of a plant are its needles, pieces of what was drawn. Of a secret that is one word and split
over two lines or blocks, those after the split are left out: the rest of a word cannot be told from any other. A secret
that was encoded once more (base 64, gzip, encrypted) is out of scope, unless its issuer writes it encoded.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

from recall_tui.text.secrets.redact import redact
from tests.qa.trust.secret_kinds import KINDS, Drawing, Kind

SEED = 20260306
PLANTS_PER_KIND = 4
SPLIT = "\x00"
"""Where a text is split over two blocks."""


@dataclass(frozen=True, slots=True)
class Plant:
    """A secret where it was planted."""

    kind: str
    carrier: str
    text: str
    """What is said, with the secret in it; at SPLIT it goes on in another block."""
    needles: tuple[str, ...]
    """What may be found nowhere."""


SPEECH = (
    "prompt", "prompt-many-lines", "reply", "reply-fenced", "tool-input", "tool-output", "environment-dump",
    "numbered-lines", "diff", "json-escaped", "json-twice-escaped", "split-blocks", "title",
)  # fmt: skip
ONE_WORD = ("file-path", "url-query", "wrapped-line", "branch")
"""Only for secrets that are one word and known by themselves."""


def plants(seed: int = SEED, each: int = PLANTS_PER_KIND) -> list[Plant]:
    """The plants, each kind in as many carriers, which take turns."""
    drawn, made, turn = random.Random(seed), list[Plant](), 0
    for kind in KINDS:
        for _ in range(each):
            plant = None
            while plant is None:
                carriers = SPEECH + ONE_WORD
                plant = _planted(kind, carriers[turn % len(carriers)], drawn)
                turn += 1
            made.append(plant)
    return made


def _planted(kind: Kind, carrier: str, drawn: random.Random) -> Plant | None:
    drawing = Drawing(drawn)
    secret = kind.make(drawing)
    needles = drawing.needles()
    is_word = kind.is_bare and "://" not in secret and not {*" \n/"} & {*secret}
    if carrier in ONE_WORD and not is_word:
        return None
    if carrier in ("split-blocks", "wrapped-line") and (is_word or "\n" not in secret):
        at = secret.index(drawing.secret[-1]) + len(drawing.secret[-1]) * 3 // 4
        if len(drawing.secret[-1]) < 24:
            return None
        needles = tuple(needle for needle in needles if secret.find(needle) + len(needle) <= at)
        parts = secret[:at], secret[at:]
    else:
        lines = secret.split("\n")
        middle = max(len(lines) // 2, 1)
        parts = "\n".join(lines[:middle]), "\n".join(lines[middle:])
    return Plant(kind.name, carrier, _carried(carrier, secret, parts), needles)


def _carried(carrier: str, secret: str, parts: tuple[str, str]) -> str:
    match carrier:
        case "prompt":
            return f"Deploy the shop, use this: {secret}\nand tell me when it is done."
        case "prompt-many-lines":
            return f"Here is what I have.\n\n{secret}\n\nPut it where it belongs, please."
        case "reply":
            return f"I found it in the settings: {secret}\nIt should not be there."
        case "reply-fenced":
            return f"This is the file:\n\n```\n{secret}\n```\n\nShall I move it?"
        case "tool-input":
            return f"cat > settings <<'END'\n{secret}\nEND\n"
        case "tool-output":
            return f"$ cat settings\n{secret}\n$"
        case "environment-dump":
            return f"HOME=/home/u\nPATH=/usr/bin:/bin\nLANG=C.UTF-8\nDEPLOYED_WITH={secret}\nSHLVL=1\n_=/usr/bin/env"
        case "numbered-lines":
            return "\n".join(f"{number:6}→{line}" for number, line in enumerate(f"# settings\n{secret}".split("\n"), 1))
        case "diff":
            return (
                "@@ -1,2 +1,3 @@\n # settings\n" + "\n".join("+" + line for line in secret.split("\n")) + "\n name = 1"
            )
        case "json-escaped":
            return json.dumps({"file": "settings", "content": secret, "ok": True})
        case "json-twice-escaped":
            return json.dumps({"result": json.dumps({"content": secret}), "ok": True})
        case "split-blocks":
            return f"The first half: {parts[0]}{SPLIT}{parts[1]}\nand that was the second."
        case "title":
            return f"Use {secret} for the shop"
        case "file-path":
            return f"/home/u/shop/cache/{secret}/state.json"
        case "url-query":
            return f"https://api.example.test/v1/items?auth={secret}&page=2"
        case "wrapped-line":
            return f"It was printed as\n  {parts[0]}\n  {parts[1]}\nby the terminal."
        case "branch":
            return f"try/{secret}"
    raise ValueError(carrier)


def is_passed(plant: Plant) -> bool:
    """Whether redaction leaves something of the plant, said plainly or in a line of JSON."""
    texts = [redact(form) for block in plant.text.split(SPLIT) for form in (block, json.dumps(block))]
    return any(needle in text for needle in plant.needles for text in texts)
