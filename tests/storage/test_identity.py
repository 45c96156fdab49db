"""IDENTITY.md: whose memory it is."""

from __future__ import annotations

from recall_tui.storage.documents import identity
from recall_tui.storage.memory_context import Store
from tests.memories import store  # noqa: F401


def test_the_first_title_is_the_name_and_the_rest_the_role(store: Store) -> None:  # noqa: F811
    store.layout.identity.write_text("Words before.\n\n# Ada *Core*\n\nKeeps the billing.\n\n## Habits\n\nShort.\n")
    who = identity.read_identity(store)
    assert who.name == "Ada *Core*" and who.role == "Keeps the billing.\n\n## Habits\n\nShort."
    assert who.told.startswith("Ada *Core*\n\nKeeps the billing.")


def test_a_file_without_a_title_is_nobody(store: Store) -> None:  # noqa: F811
    assert identity.read_identity(store) == identity.Identity()
    store.layout.identity.write_text("No title at all.\n")
    assert identity.read_identity(store).name == "" and identity.read_identity(store).told == identity.UNKNOWN_IDENTITY
