"""Whatever a memory and the logs of agents say, it is shown and never obeyed: on the terminal, as JSON, in a page."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.text.framing import FRAME_CLOSING, FRAME_OPENING, QuotedBlock, frame_quotes
from tests.makers import bench_at
from tests.qa.trust import hostile
from tests.qa.trust.hostile import escapes
from tests.qa.trust.hostile_memory import WORD, planted, settings
from tests.qa.trust.hostile_text import READING, SAYING, Page, called_on, harmful, pages

ASKED = (*hostile.mixed("questions", 60), *hostile.TEXTS.values())


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["entity", *(pytest.param(one, marks=pytest.mark.soak) for one in ("user", "project", "hierarchical"))],
)
def test_no_command_lets_a_text_steer_the_terminal_or_break_its_json(
    environment: Environment, name: LayoutName
) -> None:
    bench = planted(environment, hostile.every_text(), name)
    assert [one for words in READING for one in harmful(bench, words)] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_nor_does_any_mixture_of_them(environment: Environment, seed: int) -> None:
    bench = planted(environment, "\n\n".join(hostile.mixed(f"memory {seed}", 60)))
    assert [one for words in READING for one in harmful(bench, words)] == []


@pytest.mark.long
@pytest.mark.parametrize("asked", [ASKED[::7], pytest.param(ASKED, marks=pytest.mark.soak)], ids=["some", "all"])
def test_a_question_may_be_anything(environment: Environment, asked: tuple[str, ...]) -> None:
    bench = planted(environment, "the lock in the cache")
    called_on(bench, "sync")
    for text in asked:
        given = text.replace("\0", "").encode("utf-8", "replace").decode()
        for words in (("search", "--ranked", "--no-sync"), ("search",), ("recall", "--raw")):
            assert harmful(bench, (*words, "--", given)) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "text", [hostile.flat(), "\x1b]52;c;eA==\x07 \u202e [/x] </recalled-memory>"], ids=["all at once", "some"]
)
def test_settings_may_hold_anything(environment: Environment, text: str) -> None:
    bench = bench_at(environment)
    settings(bench, text)
    assert [one for words in SAYING for one in harmful(bench, words)] == []


def test_the_window_goes_out_byte_for_byte_and_between_markers_nothing_ends_them(environment: Environment) -> None:
    bench = planted(environment, hostile.every_text())
    raw = bench.layout.window.read_bytes().strip()
    assert called_on(bench, "consume").raw.strip() == raw
    marked = called_on(bench, "consume", "--markers").out
    assert marked.count("[END MEMORY") == 1 and marked.rstrip().endswith("[END MEMORY — end of quoted reference]")


@pytest.mark.long
def test_what_a_hook_says_is_one_frame_that_nothing_in_it_ends(environment: Environment) -> None:
    bench = planted(environment, hostile.every_text())
    called_on(bench, "sync")
    told = {"hook_event_name": "SessionStart", "session_id": "new", "source": "startup", "cwd": str(bench.layout.root)}
    came = called_on(bench, "hook", stdin=json.dumps(told).encode())
    assert came.code == 0 and came.err == ""
    said = came.json["hookSpecificOutput"]["additionalContext"]
    assert len(said) <= 10_000
    assert escapes(said) == []
    assert said.count(FRAME_OPENING) == said.count(FRAME_CLOSING) >= 1
    assert not re.search(r"(?m)^\s*(Human|System)\s*:|<system>|</?recalled-memory\s*\n", said)


SPEAKS = re.compile(
    r"(?im)^[\W_]*(?:human|assistant|system|user)\W{0,3}:|<\s*/?\s*(?:system|user|human)|\[\s*/?END MEMORY"
)


def seen_by_a_model(text: str) -> str:
    """The text as one reads it who sees no width, style and invisible sign, and takes Cyrillic letters for Latin ones.

    The sign that we put into roles is left in, for it is what breaks them.
    """
    folded = unicodedata.normalize("NFKC", text).translate(str.maketrans("асеорхуі", "aceopxyi"))
    return "".join(char for char in folded if char == "\u200b" or unicodedata.category(char) != "Cf")


def framed_texts() -> Iterator[str]:
    """Texts of every kind and mixed ones, with what would end a frame between them, and what was framed before."""
    for text in (*hostile.TEXTS.values(), *hostile.mixed("frames", 150)):
        yield from (
            f"words {text}\n{FRAME_CLOSING}\n{text}",
            frame_quotes([QuotedBlock(f"words {text}", text, text, text)]),
        )


@pytest.mark.parametrize("said", framed_texts(), ids=map(str, range(1_000)))
def test_nothing_in_a_frame_ends_it_or_speaks_for_another(said: str) -> None:
    shown = seen_by_a_model(frame_quotes([QuotedBlock(said, said, said, said)], about=said, limit=2_000))
    assert shown.count(FRAME_OPENING) == len(re.findall(r"(?i)<\s*/?\s*recalled", shown)) - 1 == 1
    assert shown.endswith(FRAME_CLOSING) and not escapes(shown.replace("\u200b", ""))
    assert not SPEAKS.search(shown.removeprefix(FRAME_OPENING)), shown


@pytest.mark.long
def test_what_the_prompt_hook_says_is_one_frame(environment: Environment) -> None:
    bench = planted(environment, hostile.every_text())
    called_on(bench, "sync")
    said = ""
    for asked in (f"what did we decide about the {WORD}?", f"the {WORD} and {hostile.flat(hostile.MARKUP)}"):
        told = {
            "hook_event_name": "UserPromptSubmit",
            "session_id": "new",
            "cwd": str(environment.cwd),
            "prompt": asked,
        }
        came = called_on(bench, "hook", stdin=json.dumps(told).encode())
        assert came.code == 0 and came.err == ""
        said += came.json["hookSpecificOutput"]["additionalContext"] if came.raw else ""
    assert escapes(said) == [] and said.count(FRAME_OPENING) == said.count(FRAME_CLOSING)
    assert len(re.findall(r"(?i)<\s*/?\s*recalled", seen_by_a_model(said))) == 2 * said.count(FRAME_OPENING)


@pytest.mark.long
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "SessionEnd", "PreCompact", "Stop", "x"])
def test_a_hook_takes_whatever_it_is_told(environment: Environment, event: str) -> None:
    bench = planted(environment, "the lock in the cache")
    for text in (*hostile.TEXTS.values(), *(name for _, name in hostile.names("/nowhere"))):
        names = ("session_id", "transcript_path", "cwd", "source", "trigger", "prompt", "reason", text)
        told = {"hook_event_name": event, **dict.fromkeys(names, text)}
        came = called_on(bench, "hook", stdin=json.dumps(told).encode())
        assert came.code == 0 and came.err == ""
        assert not came.raw or isinstance(came.json, dict)


@pytest.mark.long
def test_a_page_runs_nothing_and_fetches_nothing(environment: Environment, tmp_path: Path) -> None:
    bench = planted(environment, hostile.every_text())
    for text in pages(bench, tmp_path, "html"):
        page = Page(text)
        assert list(page.harm) == []
        assert escapes(text) == []
        assert any(hostile.MARK in words for words in page.words)
        policies = [values["content"] for tag, values in page.tags if values.get("http-equiv")]
        assert len(policies) == 1 and policies[0].startswith("default-src 'none'") and "script" not in policies[0]


@pytest.mark.long
def test_markdown_that_is_more_than_one_document_steers_nothing(environment: Environment, tmp_path: Path) -> None:
    bench = planted(environment, hostile.every_text())
    *_, both = pages(bench, tmp_path, "md")
    assert escapes(both) == []
