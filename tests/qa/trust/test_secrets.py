"""Secrets: planted in sessions, they are found nowhere afterwards; what only looks like one stays."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.text.secrets.redact import find_secrets, redact
from tests.qa.trust import clean, later_life, secret_life
from tests.qa.trust.leaks import Leaks, everything
from tests.qa.trust.planted import SPLIT, is_passed, plants
from tests.traces import in_index

PLANTS = plants()


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(PLANTS) >= 240 and len({plant.kind for plant in PLANTS}) >= 40
    assert all(plant.needles for plant in PLANTS)
    assert all(needle in plant.text for plant in PLANTS for needle in plant.needles if plant.carrier == "prompt")
    assert plants() == PLANTS and plants(seed=1) != PLANTS


@pytest.mark.parametrize("seed", [20260306, 1, 2])
def test_of_a_hundred_planted_secrets_at_most_one_passes(seed: int) -> None:
    corpus = plants(seed)
    missed = Counter(f"{plant.kind} as {plant.carrier}" for plant in corpus if is_passed(plant))
    assert missed.total() <= len(corpus) / 100, missed


def test_a_secret_leaves_the_words_around_it() -> None:
    for plant in PLANTS:
        if plant.carrier == "prompt":
            assert redact(plant.text).endswith("and tell me when it is done."), plant


def test_what_only_looks_like_a_secret_stays() -> None:
    assert [line for line in clean.lines() if redact(line) != line] == []


@pytest.mark.long
def test_real_transcripts_hold_next_to_nothing_that_is_taken_for_a_secret(test_data: Path) -> None:
    lines = found = 0
    for text in clean.said_in(test_data / "transcripts"):
        lines += text.count("\n") + 1
        found += len(find_secrets(text))
    assert lines > 100_000 and found <= lines / 1000


@pytest.mark.long
def test_what_was_planted_is_in_no_archive_and_not_in_the_index(tmp_path: Path) -> None:
    life = secret_life.begun(tmp_path, PLANTS)
    for path in life.transcripts:
        life.bench.capture(path)
    life.bench.sync()
    assert everything(PLANTS, life).found == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", [layout for layout in LAYOUT_NAMES if layout != "entity"])
def test_what_was_planted_is_in_no_layout(tmp_path: Path, layout: str) -> None:
    assert everything(PLANTS, secret_life.captured(tmp_path, PLANTS, layout)).found == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_of_a_session_that_was_forgotten_later_no_word_is_left(tmp_path: Path, layout: str) -> None:
    gone, stays = later_life.plants(later_life.GONE), later_life.plants(later_life.STAYS)
    life = later_life.lived(tmp_path, gone, stays, layout)
    assert len(everything(gone, life).found) > 100
    later_life.forgotten(life)
    assert everything(gone, life, is_with_exports=False).found == []
    assert in_index(life.bench, *(needle for plant in gone for needle in plant.needles)) == []
    assert len(everything(stays, life).found) > 100


def test_whatever_is_packed_is_looked_into(tmp_path: Path) -> None:
    plant = PLANTS[0]
    inner = gzip.compress(plant.needles[0].encode())
    with tarfile.open(tmp_path / "backup", "w") as tar:
        told = tarfile.TarInfo("memory/MEMORY.md.gz")
        told.size = len(inner)
        tar.addfile(told, io.BytesIO(inner))
    (tmp_path / "backup.zst").write_bytes(zstandard.compress((tmp_path / "backup").read_bytes()))
    with zipfile.ZipFile(tmp_path / "backup.zip", "w") as packed:
        packed.write(tmp_path / "backup.zst")
    (tmp_path / "backup").unlink()
    leaks = Leaks(PLANTS)
    leaks.look_at_files(tmp_path)
    assert {one.rpartition(" in ")[2] for one in leaks.found} == {"backup.zst", "backup.zip"}


@pytest.mark.soak
def test_what_was_planted_is_found_nowhere(tmp_path: Path) -> None:
    life = secret_life.begun(tmp_path, PLANTS)
    secret_life.hooked(life, PLANTS)
    secret_life.lived(life, PLANTS)
    leaks = everything(PLANTS, life)
    assert leaks.found == []
    assert leaks.looked > 500


@pytest.mark.long
def test_what_was_written_by_hand_is_gone_when_it_was_redacted(tmp_path: Path) -> None:
    life = secret_life.begun(tmp_path, [])
    layout = life.bench.layout
    text = "\n\n".join(plant.text.replace(SPLIT, "\n\n") for plant in PLANTS)
    for path in (layout.memory_file, layout.topics / "shop.md", layout.archives[0].folder / "conversation-001.md"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# The shop\n\n{text}\n", encoding="utf-8")
    life.run("remember", "we deploy on Fridays")
    life.run("sync")
    before = everything(PLANTS, life)
    assert before.found, "what a person writes stays until it is redacted"
    life.said.clear()
    for words in (("redact", "--check"), ("redact", "--dry-run"), ("redact", "--yes"), ("undo",), ("show", "1")):
        life.run(*words)
    for kind in ("md", "html", "json"):
        life.run("export", "--all", "--to", str(life.out / f"all.{kind}"), "--format", kind)
    assert everything(PLANTS, life).found == []
