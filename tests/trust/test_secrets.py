"""Secrets: planted in sessions, they are found nowhere afterwards."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from recall_tui.text.redact import findings, redact
from tests.trust import secret_life
from tests.trust.leaks import Leaks
from tests.trust.planted import SPLIT, Plant, plants

PLANTS = plants()


def leaked(plant: Plant) -> bool:
    """Whether redaction leaves something of the plant, said plainly or in a line of JSON."""
    blocks = plant.text.split(SPLIT)
    texts = [redact(form) for block in blocks for form in (block, json.dumps(block))]
    return any(needle in text for needle in plant.needles for text in texts)


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(PLANTS) >= 240 and len({plant.kind for plant in PLANTS}) >= 40
    assert all(plant.needles for plant in PLANTS)
    assert all(needle in plant.text for plant in PLANTS for needle in plant.needles if plant.carrier == "prompt")
    assert plants() == PLANTS and plants(seed=1) != PLANTS


@pytest.mark.parametrize("seed", [20260306, 1, 2])
def test_of_a_hundred_planted_secrets_not_one_passes(seed: int) -> None:
    corpus = plants(seed)
    missed = Counter(f"{plant.kind} as {plant.carrier}" for plant in corpus if leaked(plant))
    assert missed.total() <= len(corpus) / 100, missed


def test_what_was_planted_is_found_nowhere(tmp_path: Path) -> None:
    life = secret_life.begun(tmp_path, PLANTS)
    secret_life.hooked(life, PLANTS)
    secret_life.lived(life, PLANTS)
    leaks = Leaks(PLANTS)
    for name, text in life.said.items():
        leaks.look(name, text)
    leaks.look_at_files(life.machine.places.state, life.machine.root, life.out)
    leaks.look_at_index(life.bench)
    assert leaks.found == []
    assert leaks.looked > 500


def test_a_secret_leaves_the_words_around_it() -> None:
    for plant in PLANTS:
        if plant.carrier == "prompt":
            assert redact(plant.text).endswith("and tell me when it is done."), plant
            assert len(findings(plant.text)) >= 1
