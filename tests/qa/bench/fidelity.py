"""How faithful weeks, months and wisdom are to their days: a year of real words, compacted without a model or with one.

Days are made of what people and agents said in the transcripts of DATA. Every citation must lead to lines that exist,
and every number, date, path and quoted word of a line must stand in the lines it cites. With --model a model answers
that makes up numbers and sources: what a page says may change, and not how faithful it is. With --check anything less
is a failure; no time is asserted.

    python tests/qa/bench/fidelity.py DATA [--days 365] [--model] [--check]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.domain import Conversation
from recall_tui.text.checkable_facts import checkable_facts, missing_facts
from recall_tui.text.sentences import split_sentences
from recall_tui.transcripts.registry import read_transcript
from tests.generate import table
from tests.qa.bench.measure import PROGRAM, fail, heading, process_env, run, size_of

SENTENCES = 60_000
"""Of the real ones, as many as make no two days alike."""
CHATTY = """
import json, random, re, sys
asked = sys.stdin.read()
said = re.findall(r"^\\[(\\d+)\\] \\S+: (.*)$", asked, re.MULTILINE)
chance = random.Random(asked)
def line():
    (one, words), (other, more) = chance.choice(said), chance.choice(said)
    number = chance.randint(2, 9999)
    return {"text": chance.choice((
        words, f"{words} That took {number} minutes.", f"{words} {more}", f"On 2031-04-{number % 28 + 1:02d}: {words}",
        f"{words} See src/made/up{number}.py.", f'Somebody said "{words[::-1][:20]}".', f"Grace Hopper agreed: {words}",
    )), "sources": [int(one), int(other)] if chance.random() < 0.8 else [number]}
for fields in (("entries",), ("milestones", "trajectory", "carried_forward", "themes"),
               ("outcomes", "decisions", "open_items", "context")):
    if f'"{fields[0]}"' in asked:
        print(json.dumps({field: [line() for _ in range(6)] for field in fields}))
        break
"""
"""A model that says a part of what was said, and makes the rest up."""
PUBLISHED_MB = 5.7
"""What three years take, as the published design says of itself."""
_PLACE = re.compile(r"([\w./-]+\.md):(\d+)(?:-(\d+))?")
_CITED = re.compile(rf"^- (?P<words>.+) \((?P<places>{_PLACE.pattern}(?:; {_PLACE.pattern})*)\)$")


def spoken(data: Path) -> list[str]:
    """What was said in the transcripts, a sentence each."""
    found: list[str] = []
    for path in sorted(data.rglob("*.jsonl")):
        conversation = read_transcript(path)
        if not isinstance(conversation, Conversation):
            continue
        for message in conversation.messages():
            if message.kind in ("prompt", "reply"):
                found += (one for one in split_sentences(message.text[:4_000]) if 25 <= len(one) <= 300)
        if len(found) > SENTENCES:
            break
    return found


def write_days(folder: Path, said: list[str], first: date, count: int) -> None:
    """A log for each day: a heading, some paragraphs and some items, more on some days than on others."""
    chance = random.Random(7)
    for number in range(count):
        day = first + timedelta(days=number)
        if chance.random() < 0.08:
            continue
        lines = [f"---\ntype: daily\n---\n## {day}\n"]
        for hour in sorted(chance.sample(range(8, 20), chance.randint(2, 6))):
            lines.append(f"\n### {hour:02d}:{chance.randint(0, 59):02d}\n\n{' '.join(chance.sample(said, 3))}\n")
            lines.append("\n" + "".join(f"- {one}\n" for one in chance.sample(said, chance.randint(2, 5))))
        (folder / f"{day}.md").write_text("".join(lines), encoding="utf-8")


def checked(root: Path) -> Iterator[tuple[str, bool, tuple[str, ...], int]]:
    """Of each derived line: its page, whether its citation leads somewhere, what it has too much, its atoms."""
    for path in (*sorted((root / "memory").glob("*ly/*.md")), root / "WISDOM.md"):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.startswith("- "):
                yield path.name, *_checked(root, line, is_wisdom=path.name == "WISDOM.md")


def checked_page(root: Path, text: str) -> Iterator[str]:
    """What is wrong with each line of a page that is not written yet; empty for a faithful one."""
    for line in text.split("\n"):
        if line.startswith("- "):
            is_there, wrong, _ = _checked(root, line, is_wisdom=False)
            yield ", ".join(wrong) if is_there else "its citation leads nowhere"


def _checked(root: Path, line: str, *, is_wisdom: bool) -> tuple[bool, tuple[str, ...], int]:
    cited = _CITED.match(line)
    if cited is None:
        return False, (), 0
    words = cited["words"].partition(" — ")[2] if is_wisdom else cited["words"]
    said = [_lines(root / one[1], int(one[2]), int(one[3] or one[2])) for one in _PLACE.finditer(cited["places"])]
    return all(said), missing_facts(words, "\n".join(said)), len(checkable_facts(words))


def _lines(source: Path, first: int, last: int) -> str:
    """The lines of a document; empty when it has not so many."""
    lines = source.read_text(encoding="utf-8").split("\n") if source.is_file() else []
    return "\n".join(lines[first - 1 : last]) if 0 < first <= last <= len(lines) else ""


def main() -> int:
    """Print the table; with --check return 1 when anything is less than whole."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of transcripts")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--model", action="store_true", help="with a model that makes up numbers and sources")
    parser.add_argument("--check", action="store_true", help="fail when a line is not faithful")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = folder / "agent"
        (root / "memory").mkdir(parents=True)
        (folder / "home").mkdir()
        first = datetime.now().date() - timedelta(days=options.days + 40)
        write_days(root / "memory", spoken(options.data), first, options.days)
        env = process_env(folder / "home", folder) | (_chatty(folder) if options.model else {})
        line = [*PROGRAM, "--root", str(root), "--layout", "hierarchical", "compact", "all", "--yes"]
        once = run(line, env, folder)
        fail("compact", once)
        before = {path: path.read_bytes() for path in root.rglob("*.md")}
        twice = run(line, env, folder)
        fail("compact again", twice)
        is_same = before == {path: path.read_bytes() for path in root.rglob("*.md")}
        rows = list(checked(root))
        whole = sum(is_there and not wrong for _, is_there, wrong, _ in rows)
        daily = sum(map(size_of, (root / "memory").glob("????-??-??.md")))
        derived = size_of(root / "memory") + size_of(root / "WISDOM.md") - daily
        three = (daily + derived) * 3 * 365 / options.days / 1e6
        told = [
            ("days with a log", f"{sum(1 for _ in (root / 'memory').glob('????-??-??.md'))}"),
            ("pages derived", f"{len({page for page, *_ in rows})}, {_told_by_model(root)} of them told by a model"),
            ("lines of them", f"{len(rows)}"),
            ("citations that resolve", _percent(sum(is_there for _, is_there, *_ in rows), len(rows))),
            ("atoms checked", f"{sum(count for *_, count in rows):,}"),
            ("lines whose every atom is in the lines they cite", _percent(whole, len(rows))),
            ("a second run changes nothing", "yes" if is_same else "no"),
            ("took", f"{once.seconds:.1f} s, then {twice.seconds:.1f} s; {once.peak_mb:.0f} MB"),
            ("days / derived", f"{daily / 1e6:.2f} MB / {derived / 1e6:.2f} MB"),
            ("three years of it", f"{three:.1f} MB (published: {PUBLISHED_MB} MB)"),
        ]
        print(heading(), "", sep="\n")
        print(table(("what", "measured"), told))
        for page, is_there, wrong, _ in [row for row in rows if not row[1] or row[2]][:10]:
            print(f"{page}: {'' if is_there else 'its citation leads nowhere '}{', '.join(wrong)}")
        return 0 if not options.check or (whole == len(rows) and is_same) else 1


def _chatty(folder: Path) -> dict[str, str]:
    """The environment that makes the chatty program the model."""
    program = folder / "chatty.py"
    program.write_text(CHATTY)
    command = f"'{sys.executable}' -S '{program}'"
    most = {"RECALL_LLM_CALLS_PER_DAY": "1000000", "RECALL_LLM_TOKENS_PER_DAY": "1000000000"}
    return {"RECALL_LLM_PROVIDER": "command", "RECALL_LLM_COMMAND": command, **most}


def _told_by_model(root: Path) -> int:
    pages = (*(root / "memory").glob("*ly/*.md"), root / "WISDOM.md")
    return sum(bool(re.search(r"made_by: \"?command/", path.read_text(encoding="utf-8"))) for path in pages)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "none"


if __name__ == "__main__":
    sys.exit(main())
