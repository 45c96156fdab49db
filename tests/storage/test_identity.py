"""IDENTITY.md: whose memory it is."""

from __future__ import annotations

import pytest

from recall_tui.storage.identity import Identity, read
from recall_tui.storage.store import Store
from tests.memories import store  # noqa: F401


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("# Ada\n\nKeeps the invoices.\n\nWrites in short sentences.\n", ("Ada", "Keeps the invoices.")),
        ("# Ada\n", ("Ada", "")),
        ("Some words without a title.\n", ("", "")),
        ("", ("", "")),
    ],
)
def test_the_first_title_is_the_name_and_the_rest_the_role(store: Store, text: str, identity: tuple[str, str]) -> None:  # noqa: F811
    store.layout.identity.write_text(text)
    found = read(store.layout)
    assert (found.name, found.line) == identity


def test_a_memory_without_a_name_is_called_something(store: Store) -> None:  # noqa: F811
    assert read(store.layout) == Identity() and read(store.layout).called == "Agent"


def test_the_whole_role_is_read(store: Store) -> None:  # noqa: F811
    store.layout.identity.write_text("# Ada\n\nOne.\n\n## More\n\nTwo.\n")
    assert read(store.layout).role == "One.\n\n## More\n\nTwo."
