"""The edge of the program: exit codes, global options, unknown words, closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

import recall_tui
from recall_tui.cli.command_table import COMMANDS, DAILY, FAMILIAR_WORDS
from recall_tui.cli.main import run
from recall_tui.environment import Environment
from tests.makers import bench_at

CHECKOUT = Path(__file__).resolve().parents[2]
LINE = [sys.executable, "-P", "-m", "recall_tui"]


def process_env(environment: Environment, **more: str) -> Mapping[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), **environment.env, **more}


def test_help_lists_every_command_with_its_line(capsys: pytest.CaptureFixture[str], environment: Environment) -> None:
    assert run(["help", "--all"], environment=environment) == 0
    out = " ".join(capsys.readouterr().out.split())
    for name, row in COMMANDS.items():
        assert f"{name} the same as {row.same_as}" in out if row.same_as else f"{name} {row.help}" in out


def test_help_lists_daily_commands_and_fits_a_small_terminal(
    capsys: pytest.CaptureFixture[str], environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--help"], environment=environment) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 24 and max(map(len, lines)) <= 80
    assert len(DAILY) == 4 and {name for names in DAILY.values() for name in names} <= COMMANDS.keys()
    for name in (name for names in DAILY.values() for name in names):
        assert any(line.split(maxsplit=1) == [name, COMMANDS[name].help] for line in lines), name


@pytest.mark.parametrize("names", [["search"], ["config", "set"]])
def test_help_of_a_command_is_that_of_its_option(
    names: list[str], capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(["help", *names], environment=environment) == 0
    shown = capsys.readouterr().out
    assert run([*names, "--help"], environment=environment) == 0
    assert capsys.readouterr().out == shown and f"Usage: recall-tui {' '.join(names)} " in shown


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_help_of_every_command_is_in_whole_sentences(
    name: str, capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run([name, "--help"], environment=environment) == 0
    shown = capsys.readouterr().out
    body = [line for line in shown.splitlines() if not line.startswith("Usage: ")]
    assert not any(line.rstrip().endswith("...") for line in body), "no sentence is cut"
    assert not any(word in shown for word in ("INTEGER", "FLOAT", "Show this message"))


@pytest.mark.parametrize("names", [["serch"], ["config", "sett"], ["search", "more"]])
def test_help_of_an_unknown_command_is_a_usage_error(
    names: list[str], capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(["help", *names], environment=environment) == 2
    assert "help --all" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["help", "--all"], ["status", "-h"], ["status", "--help"], ["config", "get", "-h"]])
def test_help_is_asked_for_anywhere(
    words: list[str], capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(words, environment=environment) == 0
    assert "--root, --dir PATH" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--version"], ["status", "--version"]])
def test_the_version_is_asked_for_anywhere(
    words: list[str], capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(words, environment=environment) == 0
    assert capsys.readouterr().out == f"recall-tui {recall_tui.__version__}\n"


def test_an_unknown_command_is_a_usage_error_that_names_the_nearest(
    capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(["serch", "jwt"], environment=environment) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Did you mean search?" in captured.err


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("history", "journal"),
        ("ls", "list conversation"),
        ("Delete", "forget"),
        ("find", "search"),
        ("settings", "config"),
        ("lesson", "remember"),
        ("learn", "remember"),
        ("note", "remember"),
        ("team", "init --layout project"),
        ("next", "consume"),
        ("hand", "consume"),
        ("share", "export or consume"),
    ],
)
def test_a_word_of_other_programs_leads_to_the_command_that_does_it(
    word: str, command: str, capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run([word], environment=environment) == 2
    assert f"Did you mean {command}?" in capsys.readouterr().err


def test_the_suggested_commands_exist() -> None:
    for word, command in FAMILIAR_WORDS.items():
        assert word not in COMMANDS and (command.split()[0] in COMMANDS or command == "--version"), word


def test_an_unknown_command_cannot_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(["\x1b[31mred"], environment=environment) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str], environment: Environment) -> None:
    assert run(["status", "--jsonn"], environment=environment) == 2
    assert "--json" in capsys.readouterr().err


def test_no_memory_is_said_with_the_next_step(capsys: pytest.CaptureFixture[str], environment: Environment) -> None:
    assert run(["status"], environment=environment) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no memory found" in captured.err
    assert "recall-tui init" in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize("words", [["--root", "{}", "status"], ["status", "--root", "{}"], ["status", "--dir", "{}"]])
def test_global_options_stand_before_or_after_the_command(
    words: list[str], capsys: pytest.CaptureFixture[str], environment: Environment, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run([word.format(empty) for word in words], environment=environment) == 1
    assert f"{empty} holds no memory" in capsys.readouterr().err


def test_the_app_is_not_opened_into_a_pipe(capsys: pytest.CaptureFixture[str], environment: Environment) -> None:
    assert run([], environment=environment) == 1
    assert "needs a terminal" in capsys.readouterr().err


def test_completion_knows_the_commands(environment: Environment) -> None:
    asked = {"_RECALL_TUI_COMPLETE": "zsh_complete", "COMP_WORDS": "recall-tui se", "COMP_CWORD": "1"}
    done = subprocess.run(LINE, env=process_env(environment, **asked), capture_output=True, text=True)
    assert done.stdout.split("\n")[1] == "search"


def test_completion_knows_the_options_of_a_command(environment: Environment) -> None:
    asked = {"_RECALL_TUI_COMPLETE": "bash_complete", "COMP_WORDS": "recall-tui search --ra", "COMP_CWORD": "2"}
    done = subprocess.run(LINE, env=process_env(environment, **asked), capture_output=True, text=True)
    assert done.stdout == "plain,--ranked\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_printed_for_each_shell(
    shell: str, capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    assert run(["completions", shell], environment=environment) == 0
    assert "_RECALL_TUI_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize("words", ["--help", "completions zsh"])
def test_a_reader_who_has_gone_is_no_failure(words: str, environment: Environment) -> None:
    read, write = os.pipe()
    os.close(read)
    line = [*LINE, *words.split()]
    done = subprocess.run(line, env=process_env(environment), stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_a_failure(environment: Environment) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*LINE, "--help"], env=process_env(environment), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr and "Traceback" not in done.stderr


def test_a_closed_stdout_is_no_failure(environment: Environment) -> None:
    line = ["sh", "-c", f"exec {' '.join(LINE)} --help >&-"]
    done = subprocess.run(line, env=process_env(environment), stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_without_unicode_gets_replacements(environment: Environment) -> None:
    narrow = process_env(environment, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    done = subprocess.run([*LINE, "nonsense"], env=narrow, capture_output=True)
    assert done.returncode == 2
    assert done.stderr.startswith(b"? There is no command")


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("status --root ~nobody-such/x", "--root: "),
        ("init ~nobody-such/x", ""),
        ("init --root ~nobody-such/x", "--root: "),
        ("archive ~nobody-such/x", ""),
        ("search --ranked --json --batch ~nobody-such/x", "--batch: "),
        ("export memory --to ~nobody-such/x", "--to: "),
        ("import ~nobody-such/x", ""),
        ("add ~nobody-such/x", ""),
        ("doctor --restore --root ~nobody-such/x", "--root: "),
        ("summarize abcdef12 --text ~nobody-such/x", ""),
    ],
)
def test_a_path_in_the_home_of_nobody_is_an_error_with_the_next_step(
    words: str, source: str, capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    if "--root" not in words and "init" not in words:
        bench_at(environment)
    assert run(words.split(), environment=environment) == 1
    err = capsys.readouterr().err
    assert f"{source}~nobody-such/x: there is no user nobody-such" in err and "in full" in err


def test_a_deleted_working_folder_is_said(environment: Environment, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = ["sh", "-c", f"cd {gone} && rmdir {gone} && exec {' '.join(LINE)} status"]
    done = subprocess.run(line, env=process_env(environment), capture_output=True, text=True)
    assert done.returncode == 1
    assert "the current folder is gone" in done.stderr


def test_an_interrupt_ends_with_130(environment: Environment) -> None:
    (environment.cwd / "memory").mkdir()
    (environment.cwd / "memory" / "MEMORY.md").write_text("# Memory\n")
    line = [*LINE, "--root", str(environment.cwd), "search", "--ranked", "--json", "--batch", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(line, env=process_env(environment), stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write("memory\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith('{"query": "memory"')
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_a_fault_of_ours_is_one_line_and_verbose_tells_all(
    capsys: pytest.CaptureFixture[str], environment: Environment
) -> None:
    def now() -> datetime:
        raise ArithmeticError("the clock went wrong")

    assert run(["init"], environment=environment, now=now) == 1
    short = capsys.readouterr().err
    assert "Traceback" not in short and "ArithmeticError: the clock went wrong" in short and "--verbose" in short
    assert run(["--verbose", "init"], environment=environment, now=now) == 1
    assert "Traceback" in capsys.readouterr().err
