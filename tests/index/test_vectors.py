"""Vectors are of what is indexed and of nothing else, however they came about, and what lies near is found by them."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ModelError
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.opener import Index, IndexSnapshot
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.text.passage import SPEECH
from recall_tui.index.text.reader import PassageAddress, PassageReader
from recall_tui.index.vectors import build as vector_building
from recall_tui.index.vectors import coverage as vectors
from recall_tui.index.vectors import file as vector_file
from recall_tui.index.vectors import scan
from recall_tui.index.vectors import verify as vector_proof
from recall_tui.index.vectors.build import BuildResult, build_vectors
from recall_tui.index.vectors.file import VectorScope
from recall_tui.index.vectors.scan import VectorReader, cosines, find_nearest
from recall_tui.memory import Memory
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.embedders import HashedWords
from tests.makers import sub_agent, transcript

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

TALK = [
    ("user", "Where do the tokens live?"),
    ("assistant", "The tokens live in Redis, and expire after an hour."),
    ("Read", "/home/u/api/tokens.py"),
    ("user", "Plan the harvest party in the orchard"),
]


class Counting(HashedWords):
    """Hashed words that say how many texts they were asked for, and fail after some."""

    def __init__(self, dimensions: int = 64, name: str = "hashed-words-64", fails_after: int = 1_000_000) -> None:
        super().__init__(dimensions, name)
        self.texts: list[str] = []
        self.fails_after = fails_after

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors; ModelError once it was asked for too many."""
        self.texts += texts
        if len(self.texts) > self.fails_after:
            raise ModelError("the model went away")
        return super().embed(texts)


def brought(index: Index, store: Store, embedder: HashedWords, extent: VectorScope = "dialogue") -> BuildResult:
    """Index and vectors brought up to date, which must be whole then."""
    refresh(index, store)
    done = build_vectors(index, store, embedder, extent)
    assert vectors.measure_coverage(index, store, embedder.name, extent).is_whole
    return done


def content(index: Index, name: str = "hashed-words-64") -> dict[tuple[str, int], bytes]:
    """The numbers of every row by the passage that it is of and which of its rows it is."""
    rows = VectorReader(vectors.vector_folder(index, name)).rows()
    found: dict[tuple[str, int], bytes] = {}
    for row in range(len(rows.matrix)) if rows else ():
        assert rows is not None
        if rows.scales[row]:
            number = 0
            while (rows.identifier(row), number) in found:
                number += 1
            found[rows.identifier(row), number] = rows.matrix[row].tobytes()
    return found


def asked(
    index: Index, question: str, most: int = 5, within: str = "", extent: VectorScope = "dialogue"
) -> list[tuple[float, str]]:
    """Cosine and text of what lies nearest among passages of the session, or of all."""
    embedder = HashedWords()
    rows = VectorReader(vectors.vector_folder(index, embedder.name)).rows()
    reader = index.reader()
    assert rows is not None and reader is not None
    wanted = reader.term("session", within) if within else None
    found = find_nearest(index, rows, embedder.embed([question])[0], extent, wanted, most)
    return [(cosine, reader.stored(address).body) for cosine, address in found]


def test_the_nearest_passage_is_found_with_its_cosine(index: Index, store: Store, environment: Environment) -> None:
    transcript(environment, 1, TALK)
    done = brought(index, store, HashedWords())
    assert (done.embedded, done.rows) == (3, 3)
    best = asked(index, "[as of 2026-03-06] Plan the harvest party in the orchard")
    assert best[0][1] == TALK[3][1] and best[0][0] == pytest.approx(1.0, abs=0.002)
    assert [cosine for cosine, _ in best] == sorted((cosine for cosine, _ in best), reverse=True)
    assert len(best) == 3


def test_rows_as_bytes_keep_the_cosine(index: Index, store: Store, environment: Environment) -> None:
    chance = np.random.default_rng(7)
    made: list[Vectors] = []

    class Chance(HashedWords):
        def embed(self, texts: Sequence[str]) -> Vectors:
            rows = chance.standard_normal((len(texts), 384)).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            made.append(rows)
            return rows

    embedder = Chance(384, "chance")
    transcript(environment, 1, [("user", f"word {number}") for number in range(200)])
    brought(index, store, embedder)
    rows = VectorReader(vectors.vector_folder(index, "chance")).rows()
    assert rows is not None
    question = made[0][0]
    exact = np.concatenate(made) @ question
    assert np.abs(np.sort(cosines(rows, question)) - np.sort(exact)).max() < 0.003


def test_only_dialogue_has_vectors_unless_all_is_asked_for(
    index: Index, store: Store, environment: Environment, archive: Callable[..., Path]
) -> None:
    main = transcript(environment, 1, TALK)
    sub_agent(main, [("user", "Count the files"), ("assistant", "There are seven files.")], start=NOON)
    archive(1, "alpha", "beta")
    (store.root / "memory" / "MEMORY.md").write_text("# Memory\n\n## Deploys\n\nStaging deploys on Fridays.\n")
    embedder = Counting()
    brought(index, store, embedder)
    assert "Redis" in "".join(embedder.texts) and "alpha" in "".join(embedder.texts)
    assert "Staging" not in "".join(embedder.texts) and "tokens.py" not in "".join(embedder.texts)
    before = len(embedder.texts)
    brought(index, store, embedder, "all")
    new = "".join(embedder.texts[before:])
    assert "Staging" in new and "Redis" not in new
    assert "Staging" in asked(index, "Staging deploys on Fridays", extent="all")[0][1]


def test_a_text_is_told_with_its_day_and_where_it_stands(
    index: Index, store: Store, archive: Callable[..., Path]
) -> None:
    archive(1, "Where do tokens live?", title="Tokens and where they live")
    embedder = Counting()
    brought(index, store, embedder)
    assert embedder.texts == ["[as of 2026-03-01] Tokens and where they live\n\nWhere do tokens live?"]


def test_all_of_a_long_passage_can_be_found(index: Index, store: Store, environment: Environment) -> None:
    long = "\n".join(f"Line {number} tells of nothing much at all." for number in range(150))
    transcript(environment, 1, [("user", long + "\nThe zanzibar orchid is blue"), ("assistant", "I see.")])
    done = brought(index, store, HashedWords())
    assert done.rows > 5
    found = asked(index, "The zanzibar orchid is blue")
    assert len(found) == 2 and "zanzibar" in found[0][1]


def test_bit_by_bit_gives_what_is_made_at_once(
    index: Index, store: Store, environment: Environment, archive: Callable[..., Path]
) -> None:
    embedder = HashedWords()
    transcript(environment, 1, TALK[:1])
    brought(index, store, embedder)
    transcript(environment, 1, TALK)
    archive(1, "alpha", "beta")
    brought(index, store, embedder)
    transcript(environment, 2, [("user", "Something else")])
    archive(1, "alpha", "gamma", "delta " * 300)
    brought(index, store, embedder)
    once = content(index)
    vectors.remove_all(index)
    brought(index, store, embedder)
    assert content(index) == once and once


def test_an_index_made_anew_embeds_nothing_again(index: Index, store: Store, environment: Environment) -> None:
    transcript(environment, 1, TALK)
    embedder = Counting()
    brought(index, store, embedder)
    before, count = content(index), len(embedder.texts)
    rebuild(index, store)
    assert build_vectors(index, store, embedder).rows == 0
    assert (content(index), len(embedder.texts)) == (before, count)


def test_of_a_grown_transcript_only_what_is_new_is_embedded(
    index: Index, store: Store, environment: Environment
) -> None:
    transcript(environment, 1, TALK)
    embedder = Counting()
    brought(index, store, embedder)
    transcript(environment, 1, [*TALK, ("assistant", "In the afternoon, with cider.")])
    done = brought(index, store, embedder)
    assert done.embedded == 1 and "cider" in embedder.texts[-1]
    assert len(content(index)) == 4


def test_what_left_is_dropped(index: Index, store: Store, archive: Callable[..., Path]) -> None:
    archive(1, "alpha alpha")
    path = archive(2, "beta beta")
    embedder = HashedWords()
    brought(index, store, embedder)
    path.unlink()
    refresh(index, store)
    assert [body.split()[-2:] for _, body in asked(index, "beta beta")] == [["alpha", "alpha"]]
    assert build_vectors(index, store, embedder).dropped == 1
    assert len(content(index)) == 1


def test_rows_of_what_a_file_said_before_are_not_taken_for_what_it_says_now(
    index: Index, store: Store, archive: Callable[..., Path]
) -> None:
    archive(1, "alpha alpha")
    embedder = HashedWords()
    brought(index, store, embedder)
    archive(1, "omega omega omega")
    refresh(index, store)
    assert asked(index, "alpha alpha") == []
    brought(index, store, embedder)
    assert len(asked(index, "alpha alpha")) == 1


def test_only_what_may_be_found_is_found_however_far_away_it_is(
    index: Index, store: Store, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recall_tui.index.vectors import scan

    monkeypatch.setattr(scan, "LOOKUP_PASSAGES", 7)
    transcript(environment, 1, [("user", f"harvest party {number}") for number in range(300)])
    far = transcript(environment, 2, [("user", "Nothing of the kind"), ("assistant", "Nor this")])
    brought(index, store, HashedWords())
    found = asked(index, "harvest party", 4, within=far.stem)
    assert sorted(body for _, body in found) == ["Nor this", "Nothing of the kind"]
    assert all("harvest" in body for _, body in asked(index, "harvest party", 4))


def test_shares_of_the_rows_give_what_one_look_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    count, width = 5 * scan.BLOCK_ROWS + 17, 24
    numbers = np.random.default_rng(5)
    matrix = numbers.integers(-127, 128, (count, width), dtype=np.int8)
    scales = numbers.random(count, np.float32) * (numbers.random(count) > 0.1)
    none = np.zeros(count, np.uint64)
    rows = scan.VectorSnapshot([], [], matrix, scales, none.astype(np.int32), none.astype(np.uint16), none)  # type: ignore[arg-type]
    question = numbers.random(width, np.float32)
    at_once = cosines(rows, question)
    assert np.allclose(at_once[scales > 0], (matrix @ question * scales)[scales > 0], rtol=1e-4)
    for share, cores in ((scan.BLOCK_ROWS, 2), (scan.BLOCK_ROWS, 64), (count, 3)):
        monkeypatch.setattr(scan, "SHARE_ROWS", share)
        monkeypatch.setattr(scan.os, "cpu_count", lambda cores=cores: cores)
        assert np.array_equal(cosines(rows, question), at_once)


def test_every_row_is_looked_at(index: Index, store: Store, environment: Environment) -> None:
    transcript(environment, 1, [("user", f"w{number} w{number + 1} w{number * number}") for number in range(700)])
    brought(index, store, HashedWords())
    rows = VectorReader(vectors.vector_folder(index, "hashed-words-64")).rows()
    assert rows is not None
    question = HashedWords().embed(["w3 w4 w9"])[0]
    plain = (rows.matrix.astype(np.float32) * rows.scales[:, None]) @ question
    assert np.allclose(cosines(rows, question), plain, atol=1e-5)
    found = find_nearest(index, rows, question, "dialogue", None, 10)
    assert [cosine for cosine, _ in found] == pytest.approx(np.sort(plain)[::-1][:10].tolist())


def test_a_failing_model_keeps_what_was_done(
    index: Index, store: Store, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_building, "GROUP_TEXTS", 10)
    monkeypatch.setattr(vector_building, "EMBED_BATCH_TEXTS", 5)
    for number in range(1, 8):
        transcript(
            environment, number, [("user", f"Talk {number} of {word}") for word in ("ale", "bread", "cider", "dill")]
        )
    refresh(index, store)
    failing = Counting(fails_after=16)
    with pytest.raises(ModelError):
        build_vectors(index, store, failing)
    kept = len(content(index))
    assert 0 < kept < 28
    assert build_vectors(index, store, HashedWords()).embedded == 28 - kept
    assert len(content(index)) == 28


def test_it_stops_when_asked_and_goes_on_later(
    index: Index, store: Store, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_building, "GROUP_TEXTS", 4)
    for number in range(1, 6):
        transcript(environment, number, TALK)
    refresh(index, store)
    told: list[tuple[int, int]] = []
    done = build_vectors(
        index, store, HashedWords(), progress=lambda *one: told.append(one), is_cancelled=lambda: bool(told)
    )
    assert done.is_cancelled and 0 < done.rows < 15
    covered = vectors.measure_coverage(index, store, "hashed-words-64", "dialogue")
    assert covered.missing and "passages wait" in covered.told and not covered.trouble
    rest = build_vectors(index, store, HashedWords(), progress=lambda *one: told.append(one))
    assert done.rows + rest.rows == 15 and told[-1][0] == told[-1][1]


def test_no_more_is_embedded_than_is_allowed(index: Index, store: Store, environment: Environment) -> None:
    for number in range(1, 6):
        transcript(environment, number, [(speaker, f"{number} {text}") for speaker, text in TALK])
    refresh(index, store)
    done = build_vectors(index, store, HashedWords(), most=7)
    assert (done.embedded, done.missing) == (6, 9)
    assert build_vectors(index, store, HashedWords(), most=100).embedded == 9


def test_few_are_made_without_reading_all_that_waits(
    index: Index, store: Store, environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 41):
        transcript(environment, number, [(speaker, f"{number} {text}") for speaker, text in TALK])
    refresh(index, store)
    read: list[str] = []
    of_batch = PassageReader.of_batch

    def told(reader: PassageReader, batch: str, *rest: Any) -> Any:
        read.append(batch)
        return of_batch(reader, batch, *rest)

    monkeypatch.setattr(PassageReader, "of_batch", told)
    last = max(index_facts(index), key=lambda one: one.mtime_ns)
    done = build_vectors(index, store, HashedWords(), most=3)
    assert (done.embedded, len(read)) == (3, 1) and read[0].startswith(last.key)
    assert done.missing == 39 * len(TALK)
    read.clear()
    assert build_vectors(index, store, HashedWords(), most=2).embedded == 0
    assert len(read) < 10


def index_facts(index: Index) -> list[SourceRecord]:
    """Every source that is indexed."""
    with index.facts() as facts:
        assert facts is not None
        return [one for _, one in facts.everything()]


def test_what_is_indexed_while_it_begins_is_not_known_by_what_was_there_before(
    index: Index, store: Store, archive: Callable[..., Path], environment: Environment
) -> None:
    archive(1, "alpha", "beta")
    refresh(index, store)

    class Changing(Index):
        """An index that another process brings up to date as soon as its text was opened."""

        def reader(self) -> PassageReader | None:
            opened = super().reader()
            archive(1, "gamma", "delta")
            refresh(Index(environment.index_folder), store)
            return opened

    build_vectors(Changing(environment.index_folder), store, HashedWords())
    assert vector_proof.verify_vectors(index, store, HashedWords(), "dialogue").altered == ()
    build_vectors(index, store, HashedWords())
    assert asked(index, "gamma")[0][1].count("gamma") == 1


def test_vectors_of_another_model_go_when_the_new_ones_are_whole(
    index: Index, store: Store, environment: Environment
) -> None:
    transcript(environment, 1, TALK)
    transcript(environment, 2, TALK)
    brought(index, store, HashedWords())
    other = HashedWords(32, "hashed-words-32")
    covered = vectors.measure_coverage(index, store, other.name, "dialogue")
    assert covered.trouble == "the vectors are of another model (hashed-words-64)"
    build_vectors(index, store, other, most=3)
    assert set(vectors.embedder_names(index)) == {"hashed-words-64", "hashed-words-32"}
    build_vectors(index, store, other)
    assert vectors.embedder_names(index) == ["hashed-words-32"]
    assert len(content(index, other.name)) == 6


def test_vectors_that_another_memory_searches_with_stay(
    index: Index, store: Store, environment: Environment, now: Callable[[], object]
) -> None:
    from recall_tui.storage.layout import make_layout

    transcript(environment, 1, TALK)
    root = environment.cwd / "other"
    (root / "memory" / "conversations").mkdir(parents=True)
    other = Memory(make_layout(root, "entity"), environment, store.now)
    brought(index, store, HashedWords())
    brought(index, other, HashedWords(32, "hashed-words-32"))
    assert set(vectors.embedder_names(index)) == {"hashed-words-64", "hashed-words-32"}
    brought(index, store, HashedWords(32, "hashed-words-32"))
    assert vectors.embedder_names(index) == ["hashed-words-32"]


def test_nobody_else_may_read_them(index: Index, store: Store, environment: Environment) -> None:
    transcript(environment, 1, TALK)
    brought(index, store, HashedWords())
    found = [index.vectors_path, *index.vectors_path.rglob("*")]
    assert len(found) > 3
    modes = {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_file()}
    assert modes == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir()} == {0o700}


@pytest.mark.parametrize("name", ["rows.db", "rows.0"])
def test_damaged_vectors_are_made_anew(index: Index, store: Store, environment: Environment, name: str) -> None:
    transcript(environment, 1, TALK)
    brought(index, store, HashedWords())
    (vectors.vector_folder(index, "hashed-words-64") / name).write_bytes(b"no such thing")
    assert vectors.measure_coverage(index, store, "hashed-words-64", "dialogue").damage
    done = brought(index, store, HashedWords())
    assert done.rows == 3 and done.notes
    assert len(content(index)) == 3


def test_dead_rows_are_cleared_away(index: Index, store: Store, archive: Callable[..., Path]) -> None:
    for number in range(1, 4):
        archive(number, f"alpha {number}")
    brought(index, store, HashedWords())
    archive(2, "beta beta")
    brought(index, store, HashedWords())
    folder = vectors.vector_folder(index, "hashed-words-64")
    files = list(folder.glob("rows.[0-9]*"))
    assert [path.stat().st_size for path in files] == [3 * 64]
    opened = vector_file.open_to_read(folder)
    assert opened is not None
    with opened:
        assert opened.alive() == (3, 3) and opened.used == 3


def test_an_address_is_of_the_reader_that_the_index_was_pinned_at(
    index: Index, store: Store, environment: Environment
) -> None:
    transcript(environment, 1, TALK)
    brought(index, store, HashedWords())
    pinned = IndexSnapshot(index)
    before = pinned.reader()
    transcript(environment, 2, TALK)
    refresh(index, store)
    assert pinned.reader() is before is not index.reader()
    rows = VectorReader(vectors.vector_folder(index, "hashed-words-64")).rows()
    assert rows is not None and before is not None
    found = find_nearest(pinned, rows, HashedWords().embed(["harvest party"])[0], "dialogue", None, 1)
    assert found[0][1].shelf == SPEECH and isinstance(found[0][1], PassageAddress)
    assert "harvest" in before.stored(found[0][1]).body


def test_without_an_index_there_is_nothing_to_do(index: Index, store: Store) -> None:
    assert build_vectors(index, store, HashedWords()) == BuildResult()
    assert not index.vectors_path.exists()
    assert vectors.measure_coverage(index, store, "hashed-words-64", "dialogue").is_whole


def test_a_later_day_stands_before_what_was_said_then(index: Index, store: Store, environment: Environment) -> None:
    embedder = Counting()
    transcript(environment, 1, [("user", "Late words")], start=NOON + timedelta(days=3))
    brought(index, store, embedder)
    assert embedder.texts[0].startswith("[as of 2026-03-09]")


def test_an_index_that_was_lost_costs_no_vectors_when_it_is_filled_again(
    index: Index, store: Store, environment: Environment
) -> None:
    for number in range(1, 4):
        transcript(environment, number, [(speaker, f"{number} {text}") for speaker, text in TALK])
    embedder = Counting()
    brought(index, store, embedder)
    before, count = content(index), len(embedder.texts)
    index.catalogue_path.write_bytes(b"no database " * 1000)
    assert refresh(index, store, is_cancelled=lambda: True).is_cancelled
    assert build_vectors(index, store, embedder).dropped == 0
    brought(index, store, embedder)
    assert (content(index), len(embedder.texts)) == (before, count)


def test_how_wide_vectors_are_is_asked_once(index: Index, store: Store, environment: Environment) -> None:
    transcript(environment, 1, TALK)
    brought(index, store, HashedWords())

    class Silent(HashedWords):
        @property
        def dimensions(self) -> int:
            raise ModelError("nobody answers")

        @dimensions.setter
        def dimensions(self, _: int) -> None:
            pass

    assert build_vectors(index, store, Silent()).rows == 0


def test_an_embedder_that_makes_other_vectors_under_the_same_name_is_refused(
    index: Index, store: Store, environment: Environment
) -> None:
    transcript(environment, 1, TALK)
    brought(index, store, HashedWords())
    transcript(environment, 2, [("user", "Something new")])
    refresh(index, store)
    with pytest.raises(ModelError, match="other vectors than before"):
        build_vectors(index, store, HashedWords(32))
    vector_proof.remove_invalid(index, store, HashedWords(32), "dialogue")
    assert build_vectors(index, store, HashedWords(32)).rows == 4
