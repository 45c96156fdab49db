"""A session that everything was made of, copied by every verb that copies, then forgotten: no byte holds a word of it.

What is left lies in files that are not ours, or that a person made, and each of them is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import zstandard

from recall_tui.environment import Environment
from recall_tui.features.capture.promotion import promote
from recall_tui.features.consolidation import compact as compacting
from recall_tui.features.erasure.forget import forget
from recall_tui.features.summaries import synthesize
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.features.erasure.erasure_samples import CERTAIN, LIKELY, copied, of_memory
from tests.makers import bench_at, records, session_id_of, transcript, write_transcript
from tests.traces import in_index

WORD = "zanzibarquux"
ONE, TWO, AGAIN = session_id_of(1), session_id_of(2), session_id_of(7)
TALK = [
    ("user", f"Plan the {WORD} surprise party with Alice Miller"),
    ("Edit", f"/home/u/api/{WORD}.py"),
    ("assistant", f"We decided that the {WORD} is in the park, for the root cause was rain. Next step: invite {WORD}."),
]
OTHER = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock around the refresh.")]


def holding(folder: Path) -> Iterator[Path]:
    """Every file below a folder that holds the word, unpacked."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if path.suffix == ".zst":
                data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
            if WORD.encode() in data:
                yield path


def lived(environment: Environment, layout: str) -> Workbench:
    """A memory in which every verb that copies ran over the session, on two days."""
    bench = bench_at(environment, layout)
    own = transcript(environment, 1, TALK)
    bench.capture(own)
    bench.capture(transcript(environment, 2, OTHER, start=NOON + timedelta(hours=1)))
    bench.sync()
    made = synthesize.draft_master(bench.store)
    if not made.is_same:
        bench.apply(lambda _: synthesize.plan_master(bench.store, made))
    later = Workbench.at(LocatedMemory(bench.layout, "made for a test"), environment, lambda: NOON + timedelta(days=60))
    for _ in range(2):
        later.apply(compacting.compact)
    later.apply(promote)
    out = environment.state.parent / "out.md"
    later.export(None, out)
    out.replace(later.layout.topics / "party-export.md")
    later.sync()
    for number, path in enumerate(of_memory(later)):
        if path.name != "party-export.md":
            copied(path, (*CERTAIN, *LIKELY)[number % (len(CERTAIN) + len(LIKELY))])
    later.sync()
    rows = [{**row, "sessionId": AGAIN} for row in records(ONE, [*TALK, ("user", "And the cake?")])]
    write_transcript(own.with_name(f"{AGAIN}.jsonl"), rows)
    return later


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_what_holds_a_word_of_it_afterwards_is_named(environment: Environment, layout: str) -> None:
    bench = lived(environment, layout)
    folders = {environment.home, environment.cwd, environment.state, bench.layout.root}
    assert sum(len(list(holding(folder))) for folder in folders) > 3
    seen = bench.preview(forget, (ONE,))
    _, cleared = bench.eraser.forget(ONE, seen=seen)
    assert cleared.left == ()
    left = {path for folder in folders for path in holding(folder)}
    named = " ".join(seen.notes)
    index = bench.index.passages_path
    unnamed = [path for path in left if path.stem not in named and not path.is_relative_to(index)]
    assert unnamed == [] and seen.facts["resumed"] == [AGAIN]
    assert {path.name for path in left} >= {"party-export.md", f"{AGAIN}.jsonl", f"{ONE}.jsonl"}
    # What was named goes by the commands that were said, and nothing is left but the agent's own transcripts.
    bench.eraser.forget(AGAIN, "party-export.md")
    bench.sync()
    left = {path for folder in folders for path in holding(folder)}
    assert [path for path in left if path.suffix != ".jsonl"] == []
    assert in_index(bench, WORD) == []
