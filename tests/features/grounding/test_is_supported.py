"""A claim stands when its source bears it out, in whatever words; one subtle change makes it fall."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.features.grounding.verify import is_supported, unsupported_reasons
from tests.qa.grounding.measure import Judged, judge, read_pairs, share_right

PAIRS = Path(__file__).parents[2] / "fixtures/grounding/pairs.jsonl"


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return judge(read_pairs(PAIRS))


def test_false_claims_are_rejected(judged: list[Judged]) -> None:
    assert share_right(judged, supported=False) >= 0.92


def test_faithful_claims_are_accepted(judged: list[Judged]) -> None:
    assert share_right(judged, supported=True) >= 0.88


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        ("The queue holds 6 jobs.", "The queue holds six jobs.", "The queue holds seven jobs."),
        ("The pause is 120s.", "The pause is two minutes.", "The pause is 120 ms."),
        ("Moved to the new host on 2026-05-04.", "On 4 May it moved to the new host.", "It moved on 2026-05-06."),
        ("mira wrote `lib/parse.ex`", "`lib/parse.ex` was written by Mira.", "mira wrote `lib/print.ex`"),
        ("We decided not to use Redis.", "It was decided not to use Redis.", "We decided to use Redis."),
        ("The sync failed to start.", "The sync did not start.", "The sync started."),
        ("Cookies are set without a domain.", "No domain is set in cookies.", "Cookies are set with a domain."),
        ("It moved from Fly to Hetzner.", "It was moved to Hetzner from Fly.", "It moved from Hetzner to Fly."),
        ("Use pnpm instead of yarn.", "pnpm should be used rather than yarn.", "Use yarn instead of pnpm."),
        ("`app` depends on `core`.", "`core` is a dependency of `app`.", "`core` depends on `app`."),
        ("Ana wrote it, Ben reviewed it.", "Ben reviewed it.", "Ana reviewed it."),
        ("We plan to drop IE11.", "Dropping IE11 is planned.", "IE11 was dropped."),
        ("Clients may retry the call.", "A retry of the call is allowed.", "Clients must retry the call."),
        ("Some of the tests fail on Windows.", "Some tests fail on Windows.", "All of the tests fail on Windows."),
        (
            "The build broke because the disk was full.",
            "A full disk broke the build.",
            "It broke because of the cache.",
        ),
        ('She said "not before June".', 'She said "not before June".', 'She said "not before July".'),
    ],
)
def test_each_kind_of_change_is_seen(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        ("Upload in the 4th slot.", "It is uploaded in the fourth slot.", "It is uploaded in the fifth slot."),
        ("The timer fires after 400 ns.", "The timer fires after 400 nanoseconds.", "It fires after 400 ms."),
        ("The pool never opens a socket or sends a byte.", "No byte is sent by the pool.", "The pool sends a byte."),
        ("The old flag was removed.", "It works without the old flag.", "The old flag was not removed."),
        ("The job is tested and merged.", "The job was merged.", "The job is tested and still has to be merged."),
        ("Adding a lock would help the writer.", "A lock would help the writer.", "A lock was added for the writer."),
        ("Would you like me to fix the parser?", "A fix of the parser was proposed.", "The parser has been fixed."),
        ("[4] PROMPT run the migration", "The person asked for the migration to be run.", "The migration was run."),
        (
            "Consider passing the id or dropping the cache.",
            "Dropping the cache is an option.",
            "The cache was dropped.",
        ),
        ("The worker can use a proxy.", "A proxy can be used by the worker.", "The worker must use a proxy."),
        ("Ports can be opened without restarting it.", "A restart is not needed.", "Ports can not be opened."),
        ("Polling costs more than a webhook.", "A webhook costs less.", "A webhook costs more than polling."),
        ("`parse` is called by `main`.", "`main` calls `parse`.", "`parse` calls `main`."),
        ("The event is `opened`, not `closed`.", "The event is `opened`.", "The event is `closed`."),
        ("It reads `conf.port` and `env.host`.", "`conf.port` is read.", "It reads `env.port`."),
        (
            "- `alpha` = clean build\n- `beta` = broken cache",
            "`beta` has a broken cache.",
            "`alpha` has a broken cache.",
        ),
        ("3 readers and 5 writers wait.", "Five writers wait.", "5 readers and 3 writers wait."),
        ("The demo ends tomorrow.", "Tomorrow the demo ends.", "The demo ends next week."),
        ("Failed hooks do not block the push.", "The push goes on if hooks fail.", "Failed hooks block the push."),
        (
            "`north` sends mail while `south` prints labels.",
            "Labels are printed by `south`, and mail is sent by `north`.",
            "`south` sends mail while `north` prints labels.",
        ),
        ("A minor release is planned.", "The planned release is minor.", "A major release is planned."),
        (
            "The build order is `lint` → `test` → `pack`.",
            "`test` comes after `lint`.",
            "The build order is `test` → `lint`.",
        ),
    ],
)
def test_what_reworded_claims_have_in_common_with_false_ones(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


def test_a_verdict_says_why() -> None:
    (reason, *_) = unsupported_reasons("The limit is 300 requests.", "The limit is 250 requests.")
    assert "300" in reason


@pytest.mark.parametrize("claim", ["", " ", "...", "\n\n"])
def test_a_claim_that_says_nothing_is_not_supported(claim: str) -> None:
    assert not is_supported(claim, "The limit is 250 requests.")


@pytest.mark.parametrize(
    "text", ["since " * 9000, "\n" * 40_000, "(a " * 9000, "1," * 20_000, "not " * 9000, "[1] " * 9000]
)
def test_hostile_text_is_read_and_bears_nothing_out(text: str) -> None:
    assert not is_supported("The limit is 250 requests.", text)
    assert not is_supported(text + " 250", "The limit is 300 requests.")
