"""Score the redaction engine on secrets from outside.

Run: `python -m tests.qa.trust.corpus_score dev|held|all|second|third [--misses] [--all-forms]`.

A value counts as leaked when twelve characters of it in a row are still there (for a value of fewer than twenty, more
than half of it), also after colour codes, encodings, line prefixes and line breaks are taken out of the redacted text.
"""

from __future__ import annotations

import argparse
import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from recall_tui.text.secrets.redact import redact
from tests.qa.trust.corpus_forms import Specimen, specimens
from tests.qa.trust.corpus_harmless import Harmless, harmless
from tests.qa.trust.corpus_values import SEED

HALVES = ("dev", "held")
SECOND, THIRD = "second", "third"
"""Parts from outside that are only measured, with harmless lines of their own."""
WINDOW_CHARS = 12
SHORT_CHARS = 20

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LINE_PREFIX = re.compile(r"^(?:\d{4}-\d\d-\d\dT\S+Z |[\w-]+ +\| |\s*\d+[→\t]|[+>] ?|\d\d:\d\d:\d\d )", re.M)
_LINE_JOINT = re.compile(r"[\"']?\s*[+\\]?\s*\n\s*[\"']?")
_SPACE = re.compile(r"\s+")


def _unescape(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code, sign = match.groups()
        return chr(int(code, 16)) if code else _CONTROLS.get(sign, sign)

    return _ESCAPE.sub(plain, text)


def views(text: str) -> set[str]:
    """Return the text as its readers could decode it, with and without its line breaks."""
    plain = _ANSI.sub("", text)
    found = {text, plain, unquote(plain), unquote(unquote(plain)), unquote(unquote(unquote(plain)))}
    found |= {html.unescape(plain), _unescape(plain), _unescape(_unescape(plain)), html.unescape(_unescape(plain))}
    for view in tuple(found):
        bare = _LINE_PREFIX.sub("", view)
        found |= {_SPACE.sub("", bare), _SPACE.sub("", _LINE_JOINT.sub("", bare))}
    return found


def is_leaked(needle: str, seen: Iterable[str]) -> bool:
    """Say if a telling part of the needle stands in one of the views."""
    value = _SPACE.sub("", needle)
    window = WINDOW_CHARS if len(value) >= SHORT_CHARS else len(value) // 2 + 1
    parts = {value[at : at + window] for at in range(len(value) - window + 1)}
    return any(part in view for view in seen for part in parts)


@dataclass(frozen=True, slots=True)
class Outcome:
    specimen: Specimen
    needle: str
    redacted: str
    leaked: bool

    @property
    def is_gitleaks(self) -> bool:
        return self.specimen.origin == "gitleaks"


def outcomes(half: str, seed: str = SEED, *, in_all_forms: bool = False) -> Iterator[Outcome]:
    """Redact every specimen of the half and look for each of its values."""
    for specimen in specimens(half, seed, in_all_forms=in_all_forms):
        redacted = redact(specimen.text)
        seen = views(redacted)
        for needle in specimen.needles:
            yield Outcome(specimen, needle, redacted, is_leaked(needle, seen))


def altered(seed: str = SEED, part: str = "") -> list[Harmless]:
    """Return the harmless lines that do not come out as they went in."""
    return [line for line in harmless(seed, part) if redact(line.text) != line.text]


def recall(found: Iterable[Outcome]) -> float:
    """Return the share of values of which nothing telling is left."""
    leaks = [outcome.leaked for outcome in found]
    return 1 - sum(leaks) / len(leaks)


def _print_table(title: str, groups: Iterable[str], found: list[Outcome], key: str) -> None:
    print(f"\n{title}")
    for group in groups:
        part = [outcome for outcome in found if getattr(outcome.specimen, key) == group]
        kept = sum(not outcome.leaked for outcome in part)
        print(f"  {kept / len(part):6.3f}  {kept:>4}/{len(part):<4} {group}")


def _print_misses(found: Iterable[Outcome]) -> None:
    for outcome in found:
        if outcome.leaked:
            specimen = outcome.specimen
            print(f"\n--- {specimen.kind} | {specimen.origin}: {specimen.source} | {specimen.form}")
            print(f"needle   {outcome.needle[:120]!r}\nredacted {outcome.redacted[:700]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=(*HALVES, "all", SECOND, THIRD))
    parser.add_argument("--misses", action="store_true", help="print each value that leaked, and each line altered")
    parser.add_argument("--all-forms", action="store_true", help="put each kind into every form, not into two")
    parser.add_argument("--seed", default=SEED, help="draw other values")
    options = parser.parse_args()
    found = [
        one
        for half in (HALVES if options.half == "all" else (options.half,))
        for one in outcomes(half, options.seed, in_all_forms=options.all_forms)
    ]
    if options.misses:
        _print_misses(found)
    origins = Counter(one.specimen.origin for one in found)
    forms = Counter(one.specimen.form for one in found)
    leaking = {one.specimen.form for one in found if one.leaked}
    _print_table("recall per origin", (name for name, _ in origins.most_common()), found, "origin")
    _print_table("recall per form that leaks", sorted(leaking, key=lambda name: -forms[name]), found, "form")
    part = options.half if options.half in (SECOND, THIRD) else ""
    lines, wrong = harmless(options.seed, part), altered(options.seed, part)
    for line in wrong if options.misses else ():
        print(f"altered  [{line.idea}] {line.text[:160]!r}\n      →  {redact(line.text)[:160]!r}")
    others = [one for one in found if not one.is_gitleaks]
    print(f"\nforms            {len(forms)}, kinds {len({one.specimen.kind for one in found})}, values {len(found)}")
    print(f"all              {recall(found):.3f}")
    if len(others) < len(found):
        print(f"gitleaks         {recall(one for one in found if one.is_gitleaks):.3f}")
    print(f"not gitleaks     {recall(others):.3f} of {len(others)}")
    print(f"harmless altered {len(wrong)} of {len(lines)} ({len(wrong) / len(lines):.2%})")


if __name__ == "__main__":
    main()
