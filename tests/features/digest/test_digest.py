"""A digest holds what was decided, learned, left open and wished for, in the session's own words, and nothing else."""

from __future__ import annotations

import pytest

from recall_tui.domain import Message, ToolCall
from recall_tui.features.digest.collector import DigestCollector
from recall_tui.features.digest.digest import Digest
from tests.features.digest.sessions import GOODBYE, Session, kinds, orders, texts


def test_the_cause_and_the_fix_are_kept_and_the_announcement_is_not() -> None:
    made = orders().digest()
    assert "which means it waits without end" in texts(made)
    assert "`max_wait` of 30 s instead of 0" in texts(made) + made.outcome
    assert "root cause" not in texts(made)
    assert "Let me" not in texts(made) + made.outcome


def test_a_bullet_is_kept_whole_with_its_parenthesis_and_its_place() -> None:
    made = orders().digest()
    line = next(one for one in made.items if "30 s" in one.text)
    assert line.text.endswith("(a queue was considered and is not needed)")
    assert line.lines == (11, 11)


def test_every_line_stands_in_the_session() -> None:
    session = orders()
    said = "\n".join(one.text for one in session.messages)
    for one in session.digest().items:
        assert one.text in said
        assert one.text in session.messages[one.lines[0] - 1].text


def test_pleasantries_make_no_digest() -> None:
    made = (
        Session()
        .prompt("hi, how are you?")
        .reply("Hello! I'm fine, thanks. How can I help?")
        .prompt("bye")
        .reply(GOODBYE)
        .digest()
    )
    assert made.items == ()
    assert made.outcome == ""
    assert made.status == "discussion"


def test_an_empty_session_has_an_empty_digest() -> None:
    assert Session().digest() == Digest("", "", "discussion")


def test_a_session_without_an_answer_holds_nothing() -> None:
    assert Session().prompt("We always use tabs, never spaces, in `Makefile` recipes of the shop.").digest().items == ()


def test_the_outcome_is_what_the_commit_says_that_was_made() -> None:
    session = orders().run(
        "git commit -m 'Wait for a connection'", "[main 1a2b3c4] Wait for a connection of the pool at most 30 s"
    )
    made = session.digest()
    assert made.outcome == "Wait for a connection of the pool at most 30 s (committed 1a2b3c4, tests pass)"
    assert made.title == "Wait for a connection of the pool at most 30 s"
    pushed = session.run("git push", "To github.com:a/shop.git\n   0000000..1a2b3c4  main -> main").digest()
    assert pushed.outcome.endswith("(committed 1a2b3c4, pushed, tests pass)")


def test_a_commit_that_failed_is_no_outcome() -> None:
    made = (
        orders()
        .run("git commit -m 'Rewrite everything in Rust'", "error: pre-commit hook failed", is_error=True)
        .digest()
    )
    assert "Rust" not in f"{made}"


def test_files_are_those_that_were_really_changed() -> None:
    made = orders().edit("/work/shop/refused.py", is_error=True).edit("/home/ana/.claude/plans/a.md").digest()
    assert made.files == ("store/pool.py",)
    assert made.status == "partial"
    assert orders().digest().status == "done"


def test_an_accepted_plan_names_the_session_and_a_stored_title_of_another_does_not() -> None:
    plan = "# Plan: Move the rate limit to the ingress\n\n## Context\n\nThe API counts in memory, each pod for itself."
    made = Session("Bake bread with rye").prompt(f"Implement the following plan:\n\n{plan}").reply("All done.").digest()
    assert made.title == "Move the rate limit to the ingress"
    other = (
        Session("Bake bread with rye")
        .prompt("Rename the `Basket` class to `Cart` everywhere")
        .reply("It is renamed.")
        .digest()
    )
    assert other.title == "Rename the `Basket` class to `Cart` everywhere"


def test_a_plan_that_was_refused_is_no_title() -> None:
    call = ToolCall("p", "ExitPlanMode", "", {"plan": "# Plan: Use MongoDB"})
    session = Session().prompt("Plan the storage of the basket").say("plan", "# Plan: Use MongoDB", tool=call)
    session.say(
        "tool_result",
        "The tool use was rejected. To tell you how to proceed, the user said:\nwe stay on Postgres, no document store",
        tool=call,
        is_error=True,
    )
    made = session.reply("The basket stays in Postgres then.").digest()
    assert "MongoDB" not in made.title
    assert ("preference", "we stay on Postgres, no document store") in kinds(made)


def test_a_question_and_the_choice_are_one_decision() -> None:
    made = (
        orders()
        .ask(
            'User has answered your questions: "Where should exports be kept for thirty days?"="Object storage". Go on.'
        )
        .digest()
    )
    assert ("decision", "Where should exports be kept for thirty days? → Object storage") in kinds(made)


def test_a_compaction_gives_its_fixes_and_its_pending_tasks() -> None:
    summary = (
        "This session is being continued.\n\n4. Errors and fixes:\n\n## Errors and fixes\n\n"
        "- The worker died on `SIGTERM` because the broker's link was closed first; it is closed last now.\n\n"
        "## Pending Tasks\n\n- Measure the export with ten thousand orders of the shop\n"
    )
    made = orders().say("compact_summary", summary).reply("It goes on.").digest()
    assert any(kind == "lesson" and "SIGTERM" in text for kind, text in kinds(made))
    assert ("open", "Measure the export with ten thousand orders of the shop") in kinds(made)


def test_what_the_agent_takes_back_is_left_out() -> None:
    session = (
        Session()
        .prompt("Why are the totals of invoices wrong since Monday?")
        .reply("The totals of invoices are wrong because the currency table rounds each rate to two digits.")
        .prompt("Are you sure that the currency table rounds? The totals of invoices are wrong in euro, too.")
        .reply(
            "You're right, I misread it. The totals are wrong because `sum_lines` counts the discount of a"
            " bundle once for"
            " each line, which came with `BundleLine` on Monday."
        )
    )
    made = session.digest()
    assert "rounds each rate" not in texts(made) + made.outcome
    assert "`sum_lines` counts the discount" in texts(made) + made.outcome


def test_what_the_agent_undoes_in_the_next_turn_is_left_out() -> None:
    added = "Added `kiln.lock` to `.gitignore`, because the lock is of one computer alone and must not be shared."
    session = Session().prompt("Should kiln.lock be ignored by git?").edit("/work/shop/.gitignore").reply(added)
    assert "`.gitignore`" in texts(session.digest()) + session.digest().outcome
    session.prompt("Sure, but the shop's tool has to do that for everybody.")
    session.reply("Let me revert my change and look for the right place.").edit("/work/shop/ignore.py")
    session.reply("`ignore.py` now lists `kiln.lock`, so that every shop ignores it from the first run on.")
    made = session.digest()
    assert added not in texts(made) and "`ignore.py`" in texts(made) + made.outcome


def test_what_is_left_on_the_list_of_tasks_is_open() -> None:
    todos = [
        {"content": "Read the export in pages of 500 rows", "status": "completed"},
        {"content": "Alert when the nightly export of orders takes over an hour", "status": "pending"},
    ]
    session = orders()
    session.messages.insert(1, Message("tool_call", "", line=2, tool=ToolCall("t", "TodoWrite", "", {"todos": todos})))
    made = session.digest()
    assert made.status == "partial"
    assert ("open", "Alert when the nightly export of orders takes over an hour") in kinds(made)


def test_sub_agents_and_branches_that_were_left_are_not_heard() -> None:
    session = orders()
    session.say("reply", "`OrderStore` now uses Oracle instead of Postgres because of a bug.", is_sidechain=True)
    session.say("reply", "`OrderStore` now uses DB2 instead of Postgres because of a bug.", is_off_chain=True)
    assert session.digest() == orders().digest()


def test_secrets_are_masked() -> None:
    secret = "ghp_" + "a1B2" * 9
    session = orders().reply(f"`deploy_orders` now reads the token {secret} from the vault instead of the environment.")
    assert secret not in f"{session.digest()}"


def test_a_paste_of_output_is_no_line() -> None:
    session = orders().prompt(
        "[+] Building 1.3s (1/2) [+] Building 151.9s (6/10) => [internal] load .dockerignore 1.1s =>"
        " transferring 2B 1.1s"
    )
    assert "Building" not in texts(session.digest())


@pytest.mark.long
def test_the_beginning_and_the_newest_of_a_long_session_stay() -> None:
    heard = DigestCollector()
    for number in range(9_000):
        heard.hear(Message("prompt", f"Move module {number} of the shop to the new layout", line=number + 1))
        heard.hear(Message("reply", f"`module_{number}` now lies in `shop/modules` instead of `lib`.", line=number + 2))
    found = [one.line.text for one in heard.candidates()]
    assert len(found) <= 4_000
    assert "`module_0`" in "".join(found)
    assert "`module_8999`" in found[-1]


def test_the_same_session_gives_the_same_digest() -> None:
    assert orders().digest() == orders().digest()


def test_no_item_repeats_another_or_the_outcome() -> None:
    session = orders()
    line = "`OrderStore` now opens its pool with `max_wait` of 30 s instead of 0."
    made = (
        session.prompt("commit it").reply(f"Committed. {line}").prompt("and again?").reply(f"As said: {line}").digest()
    )
    assert sum("`max_wait` of 30 s" in one for one in [made.outcome, *(one.text for one in made.items)]) == 1


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("can you review the changes in this branch?", "review"),
        ("Please do a quick security review of the parser", "review"),
        ("/review", "review"),
        ("the review screen crashes when it is empty, what is it?", "discussion"),
        ("How do we audit-log a login?", "discussion"),
        ("what did the code review bot say of the parser?", "discussion"),
        ("I want the review queue to be sorted, how is it now?", "discussion"),
    ],
)
def test_a_session_is_a_review_when_one_was_asked_for(asked: str, status: str) -> None:
    assert Session().prompt(asked).reply("It reads the empty list first, and that fails.").digest().status == status


def test_a_tagged_request_is_no_decision_and_a_labelled_line_is_kept_however_short() -> None:
    made = (
        Session()
        .prompt("[WIP] please, review | the pipe, and the quotes here")
        .reply("Ok.\n\nRemaining: docs\n")
        .digest()
    )
    assert [(one.kind, one.text) for one in made.items] == [("open", "Remaining: docs")]


def test_what_stands_in_code_is_no_markup() -> None:
    told = "We decided to write to `~/.claude/projects/<path>/`, because <strong>resume</strong> reads them there."
    made = Session().prompt("where do they go?").reply(told).digest()
    assert texts(made) == told.replace("<strong>", "").replace("</strong>", "")


def test_a_line_that_begins_with_this_has_the_sentence_that_says_what_is_meant() -> None:
    session = Session().prompt("Why do we lose orders at night?")
    session.reply(
        "- `start_shift()` opens `orders.db` without a lock.\n"
        "- This means that two workers overwrite each other's rows because nobody holds the file.\n"
        "- It also says goodbye."
    )
    said = [one.text for one in session.digest().items if "overwrite" in one.text]
    assert said == [
        "`start_shift()` opens `orders.db` without a lock."
        " This means that two workers overwrite each other's rows because nobody holds the file."
    ]
