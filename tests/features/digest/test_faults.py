"""Digests that once were wrong: each of these sessions is invented, and shows one fault."""

from __future__ import annotations

import pytest

from recall_tui.features.digest.lines import MAX_TEXT_CHARS
from tests.features.digest.sessions import Session, kinds, orders, texts

POOL = "`OrderStore` opens its pool with a wait of at most 30 s, because the export blocked itself without one."


def cart() -> Session:
    """Work whose last turn is a detail."""
    return (
        Session()
        .prompt("Move the rounding of prices from the cart to `PriceList`, so that invoices and cart agree.")
        .edit("/work/shop/cart.py")
        .edit("/work/shop/prices.py")
        .edit("/work/shop/invoices.py")
        .reply(
            "Prices are now rounded once, in `PriceList.round_up`, and both cart and invoices take the rounded price"
            " from there."
        )
        .prompt("and sort the imports of that file")
        .edit("/work/shop/prices.py")
        .reply("Sorted the imports.")
    )


def test_a_task_is_no_decision() -> None:
    made = orders().prompt("Please fix part 4 of the order form as well").reply("Part 4 is fixed.").digest()
    assert "part 4" not in texts(made)


def test_lines_that_differ_in_a_number_alone_are_both_kept() -> None:
    lines = [
        f"- Worker {number} of the queue of `orders` listens on port {port}, because the proxy pins each shop\n"
        for number, port in ((1, 8081), (2, 8082))
    ]
    made = Session().prompt("How do the workers listen?").reply("".join(lines)).digest()
    assert "port 8081" in texts(made) + made.outcome
    assert "port 8082" in texts(made) + made.outcome


def test_a_number_that_was_changed_later_is_not_kept_beside_the_new_one() -> None:
    session = Session().prompt("How long does the pool wait?").reply(POOL).prompt("Too short for the night.")
    made = (
        session.edit("/work/shop/store/pool.py").reply(POOL.replace("opens", "now opens").replace("30", "60")).digest()
    )
    assert "60 s" in texts(made) + made.outcome
    assert "30 s" not in texts(made) + made.outcome


def test_the_outcome_is_what_was_changed_most_and_not_the_last_detail() -> None:
    made = cart().digest()
    assert made.outcome.startswith("Prices are now rounded once, in `PriceList.round_up`")
    assert made.outcome.endswith("(not committed)")


def test_a_few_words_that_close_the_last_request_are_an_outcome() -> None:
    session = Session().prompt("The login form forgets the address. Mend and release it.").edit("/work/shop/login.py")
    assert session.reply("Mended and released.").digest().outcome == "Mended and released (not committed)"


@pytest.mark.parametrize("sign", ["commit this please", "Committed and pushed to main."])
def test_no_commit_is_denied_where_the_log_may_lack_it(sign: str) -> None:
    session = cart().prompt(sign) if sign.startswith("commit") else cart().prompt("go on").reply(sign)
    assert "not committed" not in session.digest().outcome


def test_checks_count_as_they_ended_and_only_after_the_last_change() -> None:
    session = cart().run("cd shop && uv run pytest -q 2>&1 | tail -3", "48 passed in 3.10s").run("ruff check .", "")
    assert session.digest().outcome.endswith("(not committed, tests and lint pass)")
    failed = cart().run("pytest -q", "FAILED tests/test_cart.py\n1 failed, 47 passed", is_error=True)
    assert failed.digest().outcome.endswith("(not committed, tests fail)")
    assert session.edit("/work/shop/cart.py").digest().outcome.endswith("(not committed)")
    assert cart().run("grep -rn pytest .", "pytest.ini: passed").digest().outcome.endswith("(not committed)")


def test_tests_that_do_not_say_how_they_ended_are_not_told_of() -> None:
    assert cart().run("pytest -q", "Command running in background").digest().outcome.endswith("(not committed)")


def test_a_paste_is_no_title() -> None:
    paste = "I got this feedback: " + "The cart rounds each line, and the invoice rounds the sum of all lines. " * 12
    session = Session().prompt(paste).edit("/work/shop/cart.py")
    made = session.reply(
        "Moved the rounding of prices into `PriceList`.\n\n- The invoice takes it from there."
    ).digest()
    assert made.title == "Moved the rounding of prices into `PriceList`"


def test_the_title_after_a_question_is_what_was_done() -> None:
    session = Session().prompt("why does the invoice of a bundle differ from its cart?").edit("/work/shop/cart.py")
    made = session.reply(
        "## Rounded prices of bundles once\n\nThe invoice rounded each line, the cart the sum."
    ).digest()
    assert made.title == "Rounded prices of bundles once"


def test_a_review_of_a_pull_request_is_named_by_its_number() -> None:
    made = Session().prompt("let's review this PR - https://github.com/acme/shop/pull/41").reply("It is fine.").digest()
    assert made.title == "Review PR #41"


def test_a_vague_request_is_no_title_where_another_says_more() -> None:
    asked = Session(branch="ana/round-bundles").prompt("can we add one more thing? the author of the invoice is wrong")
    assert asked.edit("/work/shop/invoice.py").reply("Done.").digest().title == "The author of the invoice is wrong"
    asked = Session(branch="ana/round-bundles").prompt("can you address the PR comment?").reply("All of them.")
    assert asked.digest().title == "Address the PR comment (round-bundles)"
    assert (
        Session(branch="main").prompt("fix the failing tests").reply("Done.").digest().title == "Fix the failing tests"
    )


def test_a_section_of_a_plan_is_no_title() -> None:
    plan = "Implement the following plan:\n\n## Context\n\nThe API counts requests in memory, each pod for itself."
    assert Session().prompt(plan).reply("All of it is done.").digest().title != "Context"


@pytest.mark.parametrize("half", [20_000, MAX_TEXT_CHARS // 2])
def test_a_secret_across_the_cut_of_a_long_text_is_masked(half: int) -> None:
    secret = "ghp_" + "a1B2" * 9
    before, after = "`deploy_orders` now reads the token ", " from the vault instead of the environment."
    for shift in (4, 15, 30):
        text = "\n" * (half - len(before) - shift) + before + secret + after + "\n" * 60_000
        for said in (text, text[::-1].replace(secret[::-1], secret).replace(before[::-1], after)):
            made = orders().reply(said + "\nThe export of orders is as it was before all of this.").digest()
            assert not any(secret[:size] in f"{made}" for size in range(12, len(secret)))


def test_the_way_that_was_tried_in_vain_is_left_out() -> None:
    session = (
        Session()
        .prompt("`shop --format` without a value must list the formats")
        .reply("- Set `NoValue` on the `--format` flag, so that the parser takes an empty value\n- Print the formats")
        .run("shop --format json", "unknown command json", is_error=True)
        .reply("The `NoValue` approach breaks `--format json`, because the parser no longer takes the next word.")
        .edit("/work/shop/cli.py")
        .reply("`shop --format` now lists the formats: the missing value is caught in `on_usage_error` of the parser.")
    )
    made = session.digest()
    assert "Set `NoValue`" not in texts(made)
    assert "approach breaks `--format json`" in texts(made)


def test_what_the_person_sets_aside_is_left_out() -> None:
    session = (
        Session()
        .prompt("Hide the command `shop basket`")
        .edit("/work/shop/cli.py")
        .reply("The command `shop basket` is hidden from the help, because old scripts may still call it.")
        .prompt("thinking again: let's remove the command `shop basket` completely")
        .edit("/work/shop/cli.py")
        .reply("The command `shop basket` has been removed with its tests and its settings.")
    )
    made = session.digest()
    assert "hidden" not in texts(made) + made.outcome
    assert "has been removed" in made.outcome


def test_what_is_thought_aloud_while_working_is_left_out() -> None:
    session = orders()
    at = next(number for number, one in enumerate(session.messages) if one.text == "Now I see the root cause.")
    session.messages[at] = session.messages[at].__class__(
        "reply", "The `OrderStore` test uses a temporary folder and the export reads `orders.csv` there.", line=at + 1
    )
    assert "temporary folder" not in texts(session.digest())


def test_praise_of_the_work_is_no_line() -> None:
    session = orders()
    session.reply(
        "- The implementation is clean and follows best practices of `OrderStore`\n- Ready to merge, no blocking issues"
    )
    assert "best practices" not in texts(session.digest())
    assert "Ready to merge" not in texts(session.digest())


def test_short_bullets_of_one_list_are_one_line() -> None:
    reply = "## Stack\n\n- Django 5 with `htmx`\n- Postgres 16 for `orders`\n- Valkey for sessions of the shop\n"
    made = Session().prompt("What is the shop built with?").reply(reply).digest()
    assert made.outcome == "Django 5 with `htmx`; Postgres 16 for `orders`; Valkey for sessions of the shop"


def test_a_wrapped_message_of_a_commit_is_one_line() -> None:
    command = (
        "git commit -F - <<'EOF'\nRound prices once\n\nTake the rounded price from `PriceList` in cart and in\n"
        "invoices, so that both agree on bundles.\nEOF"
    )
    session = cart().run(command, "[main 1a2b3c4] Round prices once")
    assert "Take the rounded price from `PriceList` in cart and in invoices, so that both agree" in (
        texts(session.digest()) + session.digest().outcome
    )


def test_a_remark_in_a_paste_is_no_preference_and_a_standing_wish_is_one() -> None:
    session = orders().prompt("The function `run_export` is defined in `tools.py` but never called by the shop.")
    made = (
        session.reply("Removed it.").prompt("and from now on, please run the slow tests first").reply("Yes.").digest()
    )
    assert [text for kind, text in kinds(made) if kind == "preference"] == [
        "and from now on, please run the slow tests first"
    ]


def test_what_is_said_in_passing_and_the_output_of_tests_are_left_out() -> None:
    session = orders().prompt("okay, on to the next pile of comments from the shop people then").reply("Go ahead.")
    session.prompt("orders_test.go:152: Expected the status to be paid, got: open").reply("I see.")
    found = texts(session.digest())
    assert "pile of comments" not in found
    assert "Expected the status" not in found


def test_a_cause_that_is_kept_brings_the_fix_that_was_told_with_it() -> None:
    session = Session().prompt("Labels of the bakery are empty since Monday, please look at why that is.")
    session.reply("Settings of the shop in `shop.toml` silently override `print_label`, so labels are empty at night.")
    session.run("print_label --own-settings", "ok")
    session.reply("The fix was adding `--own-settings` to `print_label`, which leaves those of the shop out.")
    session.edit("print.py")
    session.reply("Labels are printed again.")
    found = texts(session.digest())
    assert "silently override `print_label`" in found
    assert "adding `--own-settings` to `print_label`" in found


def test_an_order_that_points_back_is_no_title_without_what_it_points_to() -> None:
    asked = Session().prompt("Which queue should we use for the order mails?").reply("RabbitMQ.")
    asked = asked.prompt("Fine. Implement it in mailer.py.").edit("/work/shop/mailer.py").reply("Done.")
    assert asked.digest().title == "Which queue should we use for the order mails?"
    only = Session().prompt("Implement it in mailer.py.").edit("/work/shop/mailer.py").reply("Done.")
    assert only.digest().title == "Implement it in mailer.py"
