"""The contracts of readers and of agents to install into, each as one call for the tests of a package that adds one.

    from recall_tui.testing import ExpectedSession, check_reader

    def test_reader() -> None:
        check_reader(MyReader(), Path("samples/home"), {"session-id": ExpectedSession(prompts=2, replies=2)})

`samples/home` is a person's home folder with what the agent wrote there. Each failure is an AssertionError that says
what was found and what must hold.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args

from recall_tui import files
from recall_tui.agents.target import State
from recall_tui.domain import Conversation, Message, MessageKind, SkippedResult
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.transcripts.jsonl import read_head
from recall_tui.transcripts.registry import all_readers, detect_agent

if TYPE_CHECKING:
    from recall_tui.agents.target import Piece, Site, Target
    from recall_tui.transcripts.reader import Reader, TranscriptFile
    from recall_tui.workbench import Workbench

T = TypeVar("T")
MUTATIONS = 200
"""Damaged copies that are made of each sample."""
MAX_SECONDS = 20.0
"""Seconds that a call of a reader may take with a sample, or with a damaged one."""
_HOSTILE_TEXTS = (
    "", "\n", "{", "[" * 5_000, "null\n", "[]", "\ufeff", "\x00", "\ud800", "a: [", "---\n...\n", "x" * 100_000,
)  # fmt: skip
_MAX_MUTATED_BYTES = 1 << 20
_LONG_LINE = b'{"text": "' + b"x" * 2_000_000 + b'"}\n'


class ExpectedSession(NamedTuple):
    """A session of the samples, counted by hand; None is not compared."""

    prompts: int | None = None
    """Messages that a person typed, without injected ones and those of sub-agents."""
    replies: int | None = None
    """Messages of the agent with text, those of sub-agents not counted."""
    tool_calls: int | None = None
    tool_errors: int | None = None
    """Results of tools that the agent marks as failed."""
    title: str | None = None
    cwd: str | None = None
    first_prompt: str | None = None
    sidechain: int | None = None
    """Messages of sub-agents, which the reader marks as such."""
    off_chain: int | None = None
    """Messages on branches that the person went back behind, which the reader marks as such."""
    tokens: int | None = None
    """Tokens that the model read and wrote, as the agent recorded them."""


def check_reader(
    reader: Reader,
    home: Path,
    sessions: Mapping[str, ExpectedSession | None],
    *,
    mutations: int = MUTATIONS,
    seed: int = 0,
    secrets: Sequence[str] = (),
    seconds: float = MAX_SECONDS,
) -> None:
    """Check a reader with the samples in a home folder, whose sessions are given by id; AssertionError when it fails.

    A session that is None must be skipped with its reason, such as a sub-agent's that its parent's transcript holds.
    The samples are copied first. `mutations` damaged copies of each are read, the same ones for the same `seed`.
    `secrets` are texts in the samples that nobody said, such as the token of an account beside the sessions: they
    may be in nothing that is stored. No call may take more than `seconds`.
    """
    reader = _TimedReader(reader, seconds)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy)
        environment = Environment(copy, copy, {"HOME": str(copy)})
        before = _contents(copy)
        found = list(reader.discover(environment))
        _check_discovery(reader, found, sessions)
        for file in found:
            _check_session(reader, file, sessions[file.session_id])
        _check_subagents(reader, found, sessions)
        for file in found:
            if secrets and sessions[file.session_id] is not None:
                _check_secrets(reader, file, secrets)
        _expect(_contents(copy) == before, "the reader changed a file of the agent: it must only read")
        for file in found:
            if file.path.is_file() and sessions[file.session_id] is not None:
                _check_growth(reader, file.path)
                _check_damaged(reader, file.path, random.Random(seed), mutations)


def _check_discovery(
    reader: Reader, found: list[TranscriptFile], sessions: Mapping[str, ExpectedSession | None]
) -> None:
    ids = [file.session_id for file in found]
    _expect(len(ids) == len(set(ids)), f"`discover` yields a session twice: {sorted(ids)}")
    _expect(set(ids) == set(sessions), f"`discover` yields {sorted(ids)}, and the samples are {sorted(sessions)}")
    times = [file.modified for file in found]
    _expect(all(at.tzinfo is not None for at in times), "`discover` yields a time without an offset")
    _expect(times == sorted(times), "`discover` must yield the oldest session first")
    _expect({file.agent for file in found} == {reader.agent}, f"`discover` must name the agent {reader.agent!r}")


def _check_session(reader: Reader, file: TranscriptFile, expected: ExpectedSession | None) -> None:
    name = file.session_id
    head = read_head(file.path)
    _expect(reader.claims(file.path, head), f"{name}: `claims` refuses the sample")
    takes_notes = reader.claims(Path("notes.md"), b"# Notes\n")
    _expect(not takes_notes, "`claims` takes a page of notes for a transcript: look at its first bytes")
    known = {one.agent for one in all_readers()}
    other = "" if reader.agent in known else detect_agent(file.path, head)
    _expect(not other, f"{name}: its first lines are those of {other}, whose reader would read it")
    read = reader.read(file.path)
    if expected is None:
        _expect(isinstance(read, SkippedResult) and read.reason != "", f"{name}: `read` must skip it, and say why")
        return
    if not isinstance(read, Conversation):
        raise AssertionError(f"{name}: `read` skips the sample: {read.reason}")
    messages = list(read.messages())
    _check_head(reader, read, name)
    _check_messages(messages, name)
    again = reader.read(file.path)
    is_same = isinstance(again, Conversation) and again.head == read.head
    _expect(is_same, f"{name}: read twice, the head differs")
    _expect(list(read.messages()) == messages, f"{name}: `messages` must stream the same messages at each call")
    _check_counts(read, messages, expected, name)


def _check_head(reader: Reader, read: Conversation, name: str) -> None:
    head = read.head
    _expect(head.session_id == name, f"{name}: `read` says that the session is {head.session_id!r}")
    _expect(head.agent == reader.agent, f"{name}: `read` says that the agent is {head.agent!r}")
    for at in (head.started_at, head.ended_at):
        _expect(at is None or at.tzinfo is not None, f"{name}: a time of the head has no offset")
    if head.started_at and head.ended_at:
        _expect(head.started_at <= head.ended_at, f"{name}: it ends before it starts")


def _check_messages(messages: list[Message], name: str) -> None:
    calls = {one.tool.id for one in messages if one.kind == "tool_call" and one.tool}
    for number, one in enumerate(messages, 1):
        where = f"{name}, message {number}"
        _expect(one.kind in get_args(MessageKind), f"{where}: there is no kind {one.kind!r}")
        _expect(one.at is None or one.at.tzinfo is not None, f"{where}: its time has no offset")
        is_text = one.text.isascii() or not any("\ud800" <= char <= "\udfff" for char in one.text)
        _expect(is_text, f"{where}: its text has half a character (a surrogate)")
        _expect(one.kind != "tool_call" or one.tool is not None, f"{where}: a call without its tool")
        if one.kind == "tool_result" and one.tool is not None:
            _expect(one.tool.id in calls, f"{where}: it answers a call that is not there: {one.tool.id!r}")


def _check_counts(read: Conversation, messages: list[Message], expected: ExpectedSession, name: str) -> None:
    own = [one for one in messages if not (one.is_sidechain or one.is_off_chain)]
    prompts = [one.text for one in own if one.kind == "prompt"]
    counted = ExpectedSession(
        prompts=read.head.prompts,
        replies=read.head.replies,
        tool_calls=sum(one.kind == "tool_call" for one in own),
        tool_errors=sum(one.kind == "tool_result" and one.is_error for one in own),
        title=read.head.title,
        cwd=read.head.cwd,
        first_prompt=prompts[0] if prompts else "",
        sidechain=sum(one.is_sidechain for one in messages),
        off_chain=sum(one.is_off_chain for one in messages),
        tokens=read.head.tokens,
    )
    _expect(len(prompts) == read.head.prompts, f"{name}: the head counts {read.head.prompts} prompts of {len(prompts)}")
    ids = {one.message_id or one.uuid or number for number, one in enumerate(own) if one.kind == "reply"}
    _expect(len(ids) == read.head.replies, f"{name}: the head counts {read.head.replies} replies of {len(ids)}")
    for field, wanted, is_there in zip(ExpectedSession._fields, expected, counted, strict=True):
        _expect(wanted is None or wanted == is_there, f"{name}: {field} is {is_there!r}, and the sample has {wanted!r}")


def _check_subagents(
    reader: Reader, found: list[TranscriptFile], sessions: Mapping[str, ExpectedSession | None]
) -> None:
    """Check that what was said with a sub-agent is in one session, that of the agent that called it."""
    held = {file.path: file.session_id for file in found if sessions[file.session_id] is not None}
    for path, name in held.items():
        read = reader.read(path)
        sides = read.head.side_files if isinstance(read, Conversation) else ()
        for side in sides:
            sentence = f"{name}: {side.name} is read with it, and as a session of its own too: `read` must skip it"
            _expect(side not in held, sentence)


def _check_secrets(reader: Reader, file: TranscriptFile, secrets: Sequence[str]) -> None:
    """Check that nothing that is stored of a session has a text that nobody said."""
    from recall_tui.features.capture.archive import archive
    from recall_tui.features.capture.archive_draft import build_draft

    read = reader.read(file.path)
    if not isinstance(read, Conversation):
        return
    with tempfile.TemporaryDirectory() as folder:
        bench = _bench_at(Path(folder))
        draft = build_draft(bench.store, read, bench.store.register.look().rarity)
        if not isinstance(draft, SkippedResult):
            bench.store.commit(lambda memory: archive(memory, draft))
            draft.discard()
        stored = b"\0".join(data for data in _contents(Path(folder)).values() if isinstance(data, bytes))
    for secret in secrets:
        is_stored = secret.encode() in stored
        _expect(not is_stored, f"{file.session_id}: what is stored has {secret!r}, which nobody said: do not read it")


def _check_damaged(reader: Reader, path: Path, chance: random.Random, mutations: int) -> None:
    whole = files.read_file(path, files.MAX_TRANSCRIPT_BYTES)[:_MAX_MUTATED_BYTES]
    for text in _damaged(whole, chance, mutations):
        path.write_bytes(text)
        try:
            read = reader.read(path)
            for _ in read.messages() if isinstance(read, Conversation) else ():
                pass
        except RecallError:
            continue
        except Exception as error:
            raise AssertionError(
                f"{path.name}: a damaged copy raises {type(error).__name__}: {error}; skip it, note a fault, or raise "
                f"RecallError. It begins {text[:200]!r}"
            ) from error
        _expect(
            isinstance(read, Conversation | SkippedResult), f"`read` returns {read!r}, neither Conversation nor Skipped"
        )


def _check_growth(reader: Reader, path: Path) -> None:
    """Check that a file that was read half written reads as a whole when the rest is there."""
    whole = files.read_file(path, files.MAX_TRANSCRIPT_BYTES)
    first = _texts(reader, path)
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    with suppress(RecallError):
        _texts(reader, path)
    path.write_bytes(whole)
    _expect(_texts(reader, path) == first, f"{path.name}: grown, it reads otherwise than at first: cache nothing of it")


def _texts(reader: Reader, path: Path) -> list[tuple[str, str]]:
    read = reader.read(path)
    return [(one.kind, one.text) for one in read.messages()] if isinstance(read, Conversation) else []


class _TimedReader:
    """A reader whose calls must end in time; one that never ends is left behind."""

    def __init__(self, reader: Reader, seconds: float) -> None:
        self.agent, self._reader, self._seconds = reader.agent, reader, seconds

    def claims(self, path: Path, head: bytes) -> bool:
        return self._timed("claims", lambda: self._reader.claims(path, head))

    def discover(self, environment: Environment) -> Iterator[TranscriptFile]:
        return iter(self._timed("discover", lambda: list(self._reader.discover(environment))))

    def read(self, path: Path) -> Conversation | SkippedResult:
        read = self._timed("read", lambda: self._reader.read(path))
        if not isinstance(read, Conversation):
            return read
        return replace(read, messages=lambda: iter(self._timed("messages", lambda: list(read.messages()))))

    def _timed(self, name: str, call: Callable[[], T]) -> T:
        found: list[T] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(call())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(self._seconds)
        _expect(not thread.is_alive(), f"`{name}` takes longer than {self._seconds:g} seconds")
        if failed:
            raise failed[0]
        return found[0]


def _damaged(whole: bytes, chance: random.Random, mutations: int) -> Iterator[bytes]:
    yield from (b"", b"\n", b"\xff\xfe\x00", b"null\n", b"[" * 100_000, _LONG_LINE, whole + _LONG_LINE, whole * 2)
    for _ in range(mutations):
        text = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text) + 1)
            match chance.randrange(4):
                case 0:
                    del text[at:]
                case 1:
                    del text[at : at + chance.randint(1, 40)]
                case 2:
                    text[at:at] = chance.randbytes(chance.randint(1, 8))
                case _:
                    text[at : at + 1] = chance.choice([b"{", b"}", b'"', b"\n", b"\x00", b"null", b"-1", b"[]", b"\\u"])
        yield bytes(text)


def _contents(folder: Path) -> dict[Path, bytes | Path | None]:
    """Return what is in a folder: the bytes of files, where links lead to, and None for folders."""
    most, found = files.MAX_TRANSCRIPT_BYTES, sorted(folder.rglob("*"))
    links = {path: path.readlink() for path in found if path.is_symlink()}
    return {path: None if path.is_dir() else files.read_file(path, most) for path in found if path not in links} | links


def _bench_at(folder: Path) -> Workbench:
    from recall_tui.storage.layout import LocatedMemory, make_layout
    from recall_tui.workbench import Workbench

    (home := folder / "home").mkdir()
    memory = LocatedMemory(make_layout(folder / "memory", "entity"), "made")
    bench = Workbench.at(memory, Environment(home, home, {"RECALL_STATE": str(folder / "state")}))
    bench.initialise()
    return bench


def _expect(is_kept: bool, sentence: str) -> None:
    if not is_kept:
        raise AssertionError(sentence)


def check_target(target: Target, site: Site, texts: Iterable[str]) -> None:
    """Check an agent to install into at a site, with files that a person may have there; AssertionError when it fails.

    Into nothing and out again leaves nothing; into each text that a piece takes and out again gives it byte for byte; a
    second installation changes nothing. A piece may refuse a text with a RecallError, and raises nothing else. Folders
    made for it go with it, links to files stay links, and no read-only file is written.
    """
    pieces = target.pieces(site)
    _expect(bool(pieces), f"{target.name}: `pieces` is empty at scope {site.scope}")
    for piece in pieces:
        where = f"{target.name}, {piece.what}"
        made = _installed(piece, None, where)
        _expect(made is not None, f"{where}: a file that is not there must not be refused")
        _expect(piece.removed(made or "") is None, f"{where}: of a file that was made for it something is left")
        for text in (*texts, *_HOSTILE_TEXTS):
            there = _installed(piece, text, where)
            # An own file takes the place of an empty one, and goes as a whole.
            left = None if there is None else piece.removed(there)
            is_kept = there is None or left == text or (left is None and not text.strip())
            _expect(is_kept, f"{where}: taken out of {text[:80]!r}, it leaves {(left or '')[:80]!r}")
    for kind in ("new file", "file", "link", "read-only file"):
        with tempfile.TemporaryDirectory() as folder:
            _check_files(target, site, Path(folder).resolve(), tuple(texts), kind)


def _check_files(target: Target, site: Site, folder: Path, texts: Sequence[str], kind: str) -> None:
    """Check an installation and its end with files in a home of their own, each with the first text that it takes."""
    from recall_tui.agents.install import plan_install, plan_uninstall

    bench = _bench_at(folder)
    home = bench.store.environment.home
    site = site._replace(project=home, layout=bench.layout, environment=bench.store.environment)
    for number, piece in enumerate(target.pieces(site) if kind != "new file" else ()):
        text = next((one for one in texts if _installed(piece, one, target.name)), "")
        real = home / f"dotfile-{number}" if kind == "link" else piece.path
        piece.path.parent.mkdir(parents=True, exist_ok=True)
        if not piece.path.exists():
            real.write_bytes(text.encode("utf-8", "surrogatepass"))
            real.chmod(0o400 if kind == "read-only file" else 0o600)
        if not piece.path.exists():
            piece.path.symlink_to(real)
    before = _contents(home)
    with suppress(RecallError):
        bench.apply(plan_install, target, site)
        is_written = kind == "read-only file" and not before.items() <= _contents(home).items()
        _expect(not is_written, f"{target.name}: writes a read-only file")
        bench.apply(plan_uninstall, target, site)
    _expect(_contents(home) == before, f"{target.name}: into a {kind} and out again, it is not as it was")


def _installed(piece: Piece, text: str | None, where: str) -> str | None:
    """Return the text with the piece; None when the piece is there already, is another's, or refuses the text."""
    try:
        if piece.state(text) is not State.ABSENT:
            return None
        made = piece.installed(text)
    except RecallError:
        return None
    except Exception as error:
        raise AssertionError(f"{where}: {(text or '')[:80]!r} raises {type(error).__name__}: {error}") from error
    _expect(piece.state(made) is State.CURRENT, f"{where}: installed, its state is {piece.state(made).value}")
    _expect(piece.installed(made) == made, f"{where}: a second installation changes the file")
    return made
