"""Prompts: a person's own in place of ours, and material that stays in its frame."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.llm.prompts import frame, render_prompt
from recall_tui.storage.memory_context import Store
from tests.memories import store  # noqa: F401


def test_material_stands_in_a_frame_and_its_secrets_are_marked(store: Store) -> None:  # noqa: F811
    text = render_prompt(
        store, "session", material={"conversation": "User: my key is AKIAIOSFODNN7EXAMPLE, {conversation}"}
    )
    assert "AKIAIOSFODNN7EXAMPLE" not in text
    assert re.search(r"<conversation [0-9a-f]{16}>\nUser: my key is .*\n</conversation [0-9a-f]{16}>", text)


def test_a_persons_own_prompt_is_used_and_the_material_is_never_left_out(store: Store) -> None:  # noqa: F811
    folder = store.environment.prompts
    folder.mkdir(parents=True)
    (folder / "session.md").write_text("Tell it in French. {unknown}\n")
    text = render_prompt(store, "session", material={"conversation": "bonjour"})
    assert text.startswith("Tell it in French. {unknown}\n\n<conversation ")
    assert "bonjour" in text


@given(st.text())
def test_no_text_can_end_its_own_frame(text: str) -> None:
    first, *inside, last = frame("conversation", text).split("\n")
    assert last == first.replace("<", "</", 1)
    assert last not in inside and first not in inside
