"""Of the lines that we write of sessions into logs, a page takes what can stand alone."""

from __future__ import annotations

from recall_tui.features.grounding.extractive_summary import score_lines

LOG = """# 2026-01-13

- 09:59 Don't fix anything, just check it as I got… — `Report` got fields. (conversation-001, 44df7d08)
- 10:20 Why has the nightly export broken? (conversation-002, 5a3bb1c8)
- 11:00 Review PR #104 — Documentation updated with 3 changes (conversation-003, 3b1b6293)
- 11:43 Exports keep `pool_size` at 20, because they ran out of connections. (conversation-004, dc577197)
- Why do we still pay for the old queue?
"""


def test_what_can_stand_alone_stays_and_the_rest_of_a_session_goes() -> None:
    said = [one.line.text for one in score_lines({"memory/2026-01-13.md": LOG})]
    assert "Exports keep `pool_size` at 20, because they ran out of connections." in said
    assert not any(word in text for text in said for word in ("Don't fix", "Why has", "PR #104"))


def test_a_question_that_a_person_wrote_is_still_open() -> None:
    assert any("old queue" in one.line.text for one in score_lines({"memory/2026-01-13.md": LOG}))
