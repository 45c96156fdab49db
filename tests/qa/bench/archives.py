"""Ranked search over the archives of a memory beside ripgrep over the same files, as whole processes.

The archives are made up, in the form that the program itself writes, and the same for the same seed; every process is
the program as a person starts it. Nothing is asserted unless --check is given.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from uuid import UUID

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.domain import ArchiveEntry, Conversation, SessionDigest, Tags
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.body import write_body
from recall_tui.storage.archives.file import render_head, render_tags
from recall_tui.text.cut import one_line
from recall_tui.text.dates import duration_text
from recall_tui.transcripts.registry import read_transcript
from tests.qa.bench import corpus
from tests.qa.bench.bench_site import Site, counter, say
from tests.qa.bench.corpus import Language
from tests.qa.bench.measure import BARE, percentile, seconds_of, size_of

FILES = 1_200
BYTES_OF_FILE = 83_000
"""What an archive has on average: so many files are 100 MB."""
MESSAGES_OF_FILE = 145
"""What that takes."""
LENGTHS = range(1, 6)
"""Words of a question."""
EACH = 8
"""Questions of each length."""
LARGE = 1e9
"""Bytes of archives from which on an index must be faster than reading them all."""
RATIO = "search ÷ ripgrep, p50"
MEMORY_BUDGETS = {"making, peak memory": 400.0, "peak memory": 400.0}
"""MB, whatever the size."""


def budgets(size: float) -> dict[str, float]:
    """The most that each number may be for so many bytes of archives."""
    return {**MEMORY_BUDGETS, RATIO: 0.99 if size >= LARGE else 6.0}


def write(root: Path, files: int, seed: int, language: Language, tell: Callable[[int], None]) -> int:
    """Write the archives of a memory, and their index, telling how many are done; the bytes written."""
    folder = root / "memory" / "conversations"
    folder.mkdir(parents=True)
    entries: list[ArchiveEntry] = []
    written = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number, length in enumerate(corpus.lengths(files * MESSAGES_OF_FILE, files, seed), 1):
            chance = random.Random(f"{seed} {number}")
            session = UUID(int=chance.getrandbits(128), version=4)
            transcript = Path(scratch) / f"{session}.jsonl"
            project = f"project-{chance.randrange(corpus.PROJECTS)}"
            lines = corpus.records(f"{session}", project, max(length, 4), chance, language)
            transcript.write_text("".join(lines), encoding="utf-8")
            entry = archive(folder / f"conversation-{number:03d}.md", number, transcript)
            transcript.unlink()
            entries.append(replace(entry, title=""))
            written += entry.path.stat().st_size
            tell(number)
    (root / "memory" / "ARCHIVE.md").write_text(index_file.rebuild_text("", entries), encoding="utf-8")
    return written


def archive(path: Path, number: int, transcript: Path) -> ArchiveEntry:
    """Write the archive of a transcript as the program does, but for the search for secrets and telling words."""
    conversation = read_transcript(transcript)
    assert isinstance(conversation, Conversation)
    head, messages = conversation.head, list(conversation.messages())
    prompts = [one.text for one in messages if one.kind == "prompt"]
    tools = [one.tool for one in messages if one.tool is not None and one.kind == "tool_call"]
    entry = ArchiveEntry(
        number=number,
        path=path,
        session_id=head.session_id,
        date=head.ended_at,
        messages=head.message_count,
        duration=duration_text(head.started_at, head.ended_at),
        source="session",
        topics=tuple(dict.fromkeys(prompts[0].split()[:5])),
        title=one_line(prompts[0])[:120],
        started_at=head.started_at,
        ended_at=head.ended_at,
        cwd=head.cwd,
        project=Path(head.cwd).name,
        branch=head.branch,
        model=head.model,
        agent=head.agent,
        content_hash=head.content_hash,
        last_uuid=head.last_uuid,
    )
    files, names = dict.fromkeys(tool.target for tool in tools), dict.fromkeys(tool.name for tool in tools)
    tags = Tags(head.cwd, files=tuple(files)[:10], tools=tuple(names))
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(render_head(entry, SessionDigest(one_line(prompts[-1])[:300], entry.topics, tags)))
        write_body(messages, out)
        out.write(render_tags(tags))
    return entry


def questions(language: Language, seed: int) -> list[list[str]]:
    """Questions of every length, in words of letters alone that are as common as in the archives."""
    chance = random.Random(f"{seed} questions")
    words = [word for word in chance.choices(language.words, cum_weights=language.weights, k=5_000) if word.isalpha()]
    return [chance.sample(words, length) for length in LENGTHS for _ in range(EACH)]


def ask(site: Site, language: Language, ripgrep: str) -> None:
    """Each question as a whole process, and its first word to ripgrep, which only counts lines; they take turns."""
    folder = str(site.root / "memory" / "conversations")
    bare, ours, theirs = list[float](), list[float](), list[float]()
    for place, words in enumerate([questions(language, site.seed + 1)[0], *questions(language, site.seed)]):
        of_turn = (
            seconds_of(BARE, site.env, site.folder),
            seconds_of(site.command("search", "--ranked", "--no-sync", "--json", "--", *words), site.env, site.folder),
            seconds_of([ripgrep, "--no-ignore", "-c", "-e", words[0], folder], site.env, site.folder),
        )
        if place:  # the first one brings the files into memory
            for times, seconds in zip((bare, ours, theirs), of_turn, strict=True):
                times.append(seconds)
    site.note("bare interpreter", 0, f"{statistics.median(bare) * 1000:.1f} ms")
    site.note_percentiles("search --ranked, process", [seconds * 1000 for seconds in ours], "ms")
    site.note_percentiles("ripgrep -c, process", [seconds * 1000 for seconds in theirs], "ms")
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        ratio = percentile(ours, share) / percentile(theirs, share)
        site.note(f"search ÷ ripgrep, {name}", ratio, f"{ratio:.2f} ×")


def main() -> int:
    """Print the table; with --check return 1 when something is over its budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=FILES, help=f"archives, {BYTES_OF_FILE:,} bytes each ({FILES:,})")
    parser.add_argument("--size", type=float, metavar="GB", help="as many archives as take so much room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make it there, leave it, and use it again next time")
    parser.add_argument("--check", action="store_true", help="fail when a budget is exceeded")
    options = parser.parse_args()
    ripgrep = shutil.which("rg")
    if ripgrep is None:
        sys.exit("ripgrep is not installed; nothing to hold the search against")
    files = max(1, round(options.size * 1e9 / BYTES_OF_FILE)) if options.size else options.files
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        site = Site(folder.resolve(), options.seed, budgets(files * BYTES_OF_FILE))
        language = corpus.language(options.seed, os.environ)
        recipe = {"archives": files, "seed": site.seed, "words": len(language.words)}
        tell = counter(files, "archives")
        site.make(recipe, site.root, lambda: write(site.root, files, site.seed, language, tell))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
        site.note("making, peak memory", peak, f"{peak:.0f} MB")
        size = size_of(site.root / "memory" / "conversations")
        say("building the index")
        site.build()
        say("asking")
        ask(site, language, ripgrep)
    site.print(f"{files:,} archives, {size / 1e6:,.0f} MB")
    return 1 if site.is_over and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
