"""Mentions: who and what a text speaks of."""

from __future__ import annotations

import pytest

from recall_tui.text.classify.mentions import find_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Talked with Anna Berg of Northwind today.", {"Anna Berg", "Northwind"}),
        ("Anna Berg asked for it.", {"Anna Berg"}),
        ("We met Jan van Dyke and Ada.", {"Jan van Dyke", "Ada"}),
        ("createTestApp fails with HTTP 503, see #42 and @mira", {"createTestApp", "HTTP 503", "#42", "@mira"}),
        ("the user-profile-card and JWTS", {"user-profile-card", "JWTS"}),
        ("Go next to the node. The rust is old.", set()),
        ("## Redis\n\nWe use redis here. Redis is fast.", set()),
        ("- Postgres was chosen\n- **Kafka** was not", set()),
    ],
)
def test_names_are_found_and_words_at_a_start_are_none(text: str, names: set[str]) -> None:
    assert find_names(text) == names
