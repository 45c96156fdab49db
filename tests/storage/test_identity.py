"""IDENTITY.md: whose memory it is."""

from __future__ import annotations

import pytest

from recall_tui.storage.documents import identity
from recall_tui.storage.memory_context import Store
from tests.memories import store  # noqa: F401


def test_the_first_title_is_the_name_and_the_rest_the_role(store: Store) -> None:  # noqa: F811
    store.layout.identity.write_text("Words before.\n\n# Ada *Core*\n\nKeeps the billing.\n\n## Habits\n\nShort.\n")
    who = identity.read_identity(store)
    assert who.name == "Ada *Core*" and who.role == "Keeps the billing.\n\n## Habits\n\nShort."
    assert who.told.startswith("Ada *Core*\n\nKeeps the billing.")


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: Ada\nrole: Keeps the billing.\nvoice: dry and short\n---\n",
        "---\nname: Ada\nrole: Keeps the billing.\nvoice: dry and short\n---\n\n# Identity\n",
        "# Identity\n\n**Name:** Ada\n**Role:** Keeps the billing.\n- **Voice**: dry and short\n",
        "# Identity\n\n**Name:** Ada\n\nKeeps the billing.\n\n**Voice:** dry and short\n",
    ],
)
def test_every_published_form_is_read_and_steers_prompts(store: Store, text: str) -> None:  # noqa: F811
    store.layout.identity.write_text(text)
    who = identity.read_identity(store)
    assert who.name == "Ada"
    assert who.told == "Ada\n\nKeeps the billing.\n\nVoice: dry and short"


def test_a_file_without_a_title_is_nobody(store: Store) -> None:  # noqa: F811
    assert identity.read_identity(store) == identity.Identity()
    store.layout.identity.write_text("No title at all.\n")
    assert identity.read_identity(store).name == "" and identity.read_identity(store).told == identity.UNKNOWN_IDENTITY
