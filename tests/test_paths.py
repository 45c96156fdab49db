"""Paths: what everything else is called by and told apart with."""

from __future__ import annotations

import hashlib
import sys

from recall_tui.paths import sha256


def test_a_digest_is_what_the_standard_says_and_looks_for_no_module_again() -> None:
    assert sha256(b"abc") == hashlib.sha256(b"abc").hexdigest()
    asked: list[object] = []
    is_over = False

    def hear(event: str, given: tuple[object, ...]) -> None:
        if not is_over and event == "import":
            asked.append(given[0])

    sys.addaudithook(hear)
    assert sha256(b"abcd") == hashlib.sha256(b"abcd").hexdigest()
    is_over = True
    assert asked == []
