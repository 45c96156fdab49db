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


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "The reader at line 8 opens the socket, and the inner loop just drains it.",
            "At line 8 the reader opens the socket.",
            "The inner loop opens the socket.",
        ),
        (
            "The second writer would overwrite the first writer's rows.",
            "Rows of the first writer would be overwritten by the second.",
            "The first writer would overwrite the second writer's rows.",
        ),
        (
            "It takes a tenant name and returns a shard name.",
            "From a tenant name it returns the name of a shard.",
            "It takes a shard name and returns a tenant name.",
        ),
        (
            "The submodules import `kernel` - the other way would be circular.",
            "`kernel` is imported by the submodules.",
            "`kernel` imports the submodules.",
        ),
        (
            "Smoke tests pass on trunk. So the fault comes from this fork.",
            "On trunk the smoke tests pass.",
            "Smoke tests pass on this fork.",
        ),
        (
            "Defaults to the cached index, but switches to `scan` when `COLD=1`.",
            "With `COLD=1` it switches to `scan`.",
            "It switches to the cached index when `COLD=1`.",
        ),
        (
            "The lock is for startup, and the ledger file tracks open shards.",
            "Open shards are tracked by the ledger file.",
            "The lock tracks open shards.",
        ),
        (
            "Without `lease`, node B was dropped and only node A was paused.",
            "Only node A was paused when `lease` was missing.",
            "Without `lease`, node A was dropped and only node B was paused.",
        ),
        (
            "Previously, the `beta` flag defaulted to enabled; now it defaults to disabled.",
            "The `beta` flag now defaults to disabled; before, it defaulted to enabled.",
            "The `beta` flag used to default to disabled and now defaults to enabled.",
        ),
        (
            "The handle leaks in the parent on the retry path (the child gets its own copy, so closing it is safe).",
            "On the retry path the handle leaks in the parent.",
            "The handle leaks in the child on the retry path.",
        ),
        (
            "- `render_page` - Uses a template. Returns the path of the page.\n- `mail_page` - Sends it to the editor.",
            "`render_page` uses a template and returns the path of the page.",
            "`mail_page` returns the path of the page.",
        ),
        (
            "If no ledger exists, the workers return `nil`.",
            "The workers return `nil` if there is no ledger.",
            "If no ledger exists, the workers return an exception.",
        ),
        (
            "Limits of all queues (mail: 60s, report: 5min, import: 15min)",
            "The limit of the import is 15 minutes.",
            "The limit of the import is 5 minutes.",
        ),
        ("The tap is called `acme/tap`.", "The name of the tap is `acme/tap`.", "The tap is called `acme/tap-tools`."),
        (
            "The rows were locked by the importer before I paused it.",
            "The importer locked the rows before it was paused.",
            "The importer was paused before it locked the rows.",
        ),
    ],
)
def test_what_is_said_stands_in_one_clause_with_whom_it_is_said_of(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "`Walk` has no `OnlyTop` option, so we need manual only-top filtering.",
            "There is no `OnlyTop` option in `Walk`.",
            "`Walk` has an `OnlyTop` option.",
        ),
        (
            "The template ignores `cache/`, `logs/`, etc. but NOT `users.toml`. So `users.toml` should be tracked.",
            "`users.toml` should be tracked, as the template does not ignore it.",
            "The template ignores `users.toml`.",
        ),
        (
            "`stop()` blocks waiting for the drain.",
            "`stop()` waits for the drain.",
            "`stop()` does not wait for the drain.",
        ),
        (
            "`stop()` blocks until the queue is empty.",
            "`stop()` waits until the queue is empty.",
            "`stop()` never blocks.",
        ),
        (
            "The suffix is actually **required** (not redundant).",
            "The suffix is required.",
            "The suffix is not required.",
        ),
        (
            'The note says "sparse clone" but `init(dir)` makes a non-sparse clone.',
            "`init(dir)` makes a clone that is non-sparse.",
            "`init(dir)` makes a sparse clone.",
        ),
        (
            "`is_ready()` now asks any node (not just the leader).",
            "`is_ready()` asks any node now, no longer just the leader.",
            "`is_ready()` asks only the leader.",
        ),
        (
            "Make the frame a little less bright.",
            "The frame should be less bright.",
            "The frame should be more bright.",
        ),
        ("The audit runs daily.", "Each day the audit runs.", "The audit runs weekly."),
        ("The check of page 0 fails.", "The check fails on page 0.", "The check of page 0 does not fail."),
        ("Exit code 0 stops the loop.", "The loop is stopped by exit code 0.", "Exit code 0 does not stop the loop."),
        ("It ended with 0 failed builds.", "It ended with no failed builds.", "It ended with failed builds."),
    ],
)
def test_each_predicate_is_denied_or_affirmed_of_its_own_object(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "Let me fix the probe to append to the ledger instead.",
            "The probe will be fixed to append to the ledger.",
            "The probe now appends to the ledger.",
        ),
        (
            "Unit tests pass. Let me run the whole browser suite.",
            "Unit tests pass, and the whole browser suite is next.",
            "The whole browser suite passes.",
        ),
        (
            "Now let me rename the table and integrate the view.",
            "Integrating the view is planned.",
            "The view was integrated.",
        ),
        (
            "The question is whether to fix it upstream or fix it here in #12.",
            "Whether to fix it upstream is a question.",
            "It was fixed in #12.",
        ),
        (
            "Joining both into `last_seen` is a reasonable step, just not worth doing now.",
            "Joining both into `last_seen` would be reasonable.",
            "Both were joined into `last_seen`.",
        ),
        (
            "The review names this as something to add. `on_flush` does not exist yet.",
            "`on_flush` is still missing.",
            "`on_flush` has been added.",
        ),
        (
            "It failed with a timeout, though there might be other useful output to show.",
            "There may be other useful output to show.",
            "There was other useful output to show.",
        ),
        (
            "Open files work after the update and pending writes are not lost.",
            "Files that are open work after the update.",
            "Pending writes are lost.",
        ),
    ],
)
def test_a_plan_is_no_deed(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("source", "faithful", "false"),
    [
        (
            "**both `north` and `south` write two rows** when they restart.",
            "`north` and `south` both write two rows.",
            "Only `south` writes two rows.",
        ),
        ("It always saves (previously only saved on exit).", "It now always saves.", "It sometimes saves."),
        (
            "The cache is expired, so every subsequent CLI call asks the server.",
            "As the cache is expired, each later CLI call asks the server.",
            "Some CLI calls ask the server.",
        ),
        (
            "We put 3 keys into the map, but only 2 exist on `main`.",
            "2 of the three keys exist on `main`.",
            "All of the three keys exist on `main`.",
        ),
        (
            "Only `b.txt` is changed by the second run.",
            "The second run changes nothing but `b.txt`.",
            "The second run changes nothing.",
        ),
        (
            "The result is kept with `memo` since it is asked for per-file during the walk.",
            "Since it is asked for each file during the walk, the result is kept with `memo`.",
            "The result is kept with `memo` since it is large.",
        ),
    ],
)
def test_a_share_belongs_to_what_is_counted(source: str, faithful: str, false: str) -> None:
    assert unsupported_reasons(faithful, source) == ()
    assert not is_supported(false, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It captures the output.", "The output is captured."),
        ("The configured path survives.", "It configures the path, which survived."),
        ("It received the reference.", "It receives it; this is referenced."),
        ("The entry carries staleness.", "Stale, as it was carried by the entry."),
    ],
)
def test_forms_of_a_word_are_one(claim: str, source: str) -> None:
    assert unsupported_reasons(claim, source) == ()


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
