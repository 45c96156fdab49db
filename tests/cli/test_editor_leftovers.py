"""What editors leave in a memory, and its settings, are looked through like its documents when something goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.state.backup_ring import all_contents, take_backup
from tests.cli.conftest import Recall
from tests.features.erasure.erasure_samples import OTHER, TALK, WORD, of_memory
from tests.makers import bench_at, session_id_of, transcript
from tests.traces import traces

SECRET = "ghp_" + "Zq3" * 12
KEY = "sk-ant-api03-" + "Qx7Lm2Vd9RtYb4Wn8Kc1"
TEXT_LEFTOVERS = (
    "{name}~",
    "{name}.~1~",
    "{name}.bak",
    "{name}.rej",
    "{name}.orig",
    "{name}.save",
    "#{name}#",
    ".{name}~",
    ".hidden/{name}",
    "copies.d/.x/{name}",
)
SWAP = b"b0VIM 8.2\0\0\x10\0\0"


def left(path: Path, name: str, data: bytes) -> Path:
    """A file that an editor left beside another."""
    made = path.parent / name.format(name=path.name)
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_bytes(data)
    return made


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_redact_masks_settings_and_what_editors_left(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    root = f"--root={bench.store.root}"
    config = bench.layout.config
    config.write_text(
        f'layout = "{layout}"  # was: {SECRET}\n# old key {KEY}\n'
        f'# api_key = "{KEY}"\n\n[llm]\napi_key = "{KEY}"\nnote = "{SECRET}"\n'
    )
    aside = left(config, "{name}~", f'layout = "{layout}"\n[llm]\napi_key = "{KEY}"\n'.encode())
    made = [
        left(bench.layout.memory_file, name, f"# Memory\n\nThe key is {SECRET}\n".encode()) for name in TEXT_LEFTOVERS
    ]
    # A root may hold more than the memory: there only what is of its documents is looked at.
    at_root = [left(bench.layout.window, name, f"{SECRET}\n".encode()) for name in TEXT_LEFTOVERS[:8]]
    take_backup(bench.store)
    said = recall(root, "redact", "--check")
    names = {bench.store.relative(path) for path in (config, aside, *made, *at_root)}
    assert said.code == 1 and names <= {line.partition(":")[0] for line in said.out.splitlines()}
    said = recall(root, "redact", "--yes")
    assert said.code == 0, said.err
    assert traces(bench, SECRET) == [] and recall(root, "redact", "--check").code == 0
    assert SECRET not in "".join(text for _, _, text in all_contents(bench.store))
    assert config.read_text() == (
        f'layout = "{layout}"  # was: [redacted:github-token]\n# old key [redacted:anthropic-key]\n'
        f'# api_key = "[redacted:anthropic-key]"\n\n'
        f'[llm]\napi_key = "{KEY}"\nnote = "[redacted:github-token]"\n'
    )
    assert KEY not in aside.read_text()


def test_redact_masks_the_older_settings_file(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.layout.config.unlink(missing_ok=True)
    path = bench.store.root / ".recall-echo.json"
    path.write_text(
        f'{{\n  "note": "{SECRET}",\n  "llm": {{"api_key": "{KEY}"}}, "embeddings": {{"api_key": "{KEY}9"}}\n}}\n'
    )
    said = recall(f"--root={bench.store.root}", "redact", "--yes")
    assert said.code == 0 and SECRET not in path.read_text() and path.read_text().count(KEY) == 2


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_redact_names_a_swap_file_and_leaves_it(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root = f"--root={bench.store.root}"
    swap = left(bench.layout.memory_file, ".{name}.swp", SWAP + SECRET.encode() + b"\0\0")
    said = recall(root, "redact", "--check")
    assert said.code == 1 and f"{bench.store.relative(swap)} (no text; delete it yourself)" in said.out
    said = recall(root, "redact", "--yes")
    assert (
        said.code == 1
        and f"{bench.store.relative(swap)} contains a secret and is not a text file; delete it" in said.err
    )
    assert SECRET.encode() in swap.read_bytes() and SECRET not in said.out + said.err
    swap.unlink()
    assert recall(root, "redact", "--yes").code == 0


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_forget_takes_what_editors_left_of_it_and_names_the_rest(
    recall: Recall, environment: Environment, layout: str
) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    bench.capture(transcript(environment, 2, OTHER))
    root, one = f"--root={bench.store.root}", session_id_of(1)
    holding = [path for path in of_memory(bench) if WORD in path.read_text() or one in path.read_text()]
    assert holding
    for path in holding:
        for name in ("{name}~", "{name}.bak", "{name}.orig", "{name}.save", "#{name}#"):
            left(path, name, path.read_bytes())
    folder = left(bench.layout.memory_file, ".hidden/notes", f"session {one} spoke of {WORD}\n".encode())
    swaps = [left(path, ".{name}.swp", SWAP + f"x{WORD}".encode()) for path in holding]
    said = recall(root, "forget", one, "--yes")
    assert said.code == 0, said.err
    assert f"{bench.store.relative(folder)}:1 names it, and is left unchanged" in said.err
    for swap in swaps:
        assert f"{bench.store.relative(swap)} is not a text file and may contain it" in said.err
        swap.unlink()
    folder.unlink()
    assert traces(bench, WORD) == []


@pytest.mark.parametrize("name", ["{stem} copy.md", "{stem} copy 2.md", "Copy of {stem}.md", "{stem} - Copy (2).md"])
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_duplicate_of_an_archive_goes_with_it(
    recall: Recall, environment: Environment, layout: str, name: str
) -> None:
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    holding = [path for path in of_memory(bench) if WORD in path.read_text()]
    made = [path.with_name(name.format(stem=path.stem)) for path in holding]
    for path, copy in zip(holding, made, strict=True):
        copy.write_bytes(path.read_bytes())
    take_backup(bench.store)
    said = recall(f"--root={bench.store.root}", "forget", session_id_of(1), "--yes")
    assert said.code == 0 and traces(bench, WORD) == []


def test_a_persons_duplicate_that_says_no_session_is_named_and_stays(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    copy = bench.archive.get(1).path.with_name("conversation-001 copy.md")
    copy.write_text("My own notes.\n")
    said = recall("forget", "1", "--yes")
    assert "conversation-001 copy.md may be a second copy of conversation-001.md" in said.err and copy.exists()
