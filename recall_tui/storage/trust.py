"""Decide whether a memory is the user's own, and whether the user allowed its external access.

A memory may come with a repository that others wrote. Its settings about models, outside folders and automatic actions
take effect only after they were set with this program, or confirmed, on this machine. Another account may place a
memory where the user's sessions find it, such as in /tmp; it could read what they say, and feed its text to their
agents. Such a memory is not used until the user confirms it, as git does with a repository of another account.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.config import Config, shared_wikis
from recall_tui.errors import RecallError
from recall_tui.files import account_name
from recall_tui.setting_schema import SettingValue, find_rule
from recall_tui.storage.file_owners import files_of_others, memory_parts, owners_of
from recall_tui.storage.files import atomic, symlinks
from recall_tui.storage.layout import Layout, detect_layout, make_layout
from recall_tui.storage.project_root import find_memory_project, find_project, is_owned

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

TRUST_FILE = "trusted.json"
_FOREIGN_KEY = "elsewhere"
"""Member of the file: the memory was not made on this machine."""
_PROJECTS = "transcripts.projects"
_OWNERS = "owners"
"""Member of the file: other accounts that may own the memory."""
_FOLDER = "folder"
"""Member of the file: other owners of the folder in which the user made the memory."""
_COMMITS = "commits"
"""Member of the file: repositories that may commit session data in the memory."""
_ROOT = 0
"""The account with all permissions."""
_SUDO = "SUDO_UID"
"""Environment variable in which sudo gives the caller's uid."""
_MAX_CACHED_STATES = 50
"""The most confirmed states to store."""
_MIN_BACKUP_DAYS = 7
"""The default; a lower value deletes backups."""
_DEFAULT_ENTRIES = 5
_DEFAULT_TOKENS = 1_000


class Foreign(NamedTuple):
    """A part of a memory that another account made."""

    path: Path
    owner: int


def _points_outside(store: Store, value: SettingValue) -> bool:
    wikis = shared_wikis(value if isinstance(value, tuple) else ())
    return any(symlinks.points_outside(store.root, store.named(one.folder)) for one in wikis)


INTENT_CHECKS: Mapping[str, Callable[[Store, SettingValue], bool]] = {
    "ephemeral.max_entries": lambda _, value: isinstance(value, int) and value < _DEFAULT_ENTRIES,
    "memory.follow_links": lambda *_: True,
    "capture.auto": lambda store, value: value is True and not store.layout.design.captures_by_default,
    "inject.tokens": lambda _, value: isinstance(value, int) and value > _DEFAULT_TOKENS,
    _PROJECTS: lambda store, value: value == "all" and (not includes_every_project(store) or is_foreign(store)),
    "backups.days": lambda _, value: isinstance(value, int) and value < _MIN_BACKUP_DAYS,
    "wiki.shared": _points_outside,
    "llm": lambda *_: True,
    "embeddings": lambda *_: True,
    "keys": lambda *_: True,
}
"""Predicates by setting or table: whether a value has the effect that needs confirmation.

Without a predicate, every value that is not empty does.
"""


def includes_every_project(store: Store) -> bool:
    """Return whether a memory takes in every project by default.

    Layout user does in an agent's home, or where the environment names the memory, but not in a folder that only looks
    like one; layout entity does outside any project.
    """
    if store.layout.design.is_of_agent_home:
        return _is_users(store)
    return store.layout.design.includes_every_project and find_memory_project(store) is None


def is_foreign(store: Store) -> bool:
    """Return whether the memory existed before anything changed it on this machine: unpacked, copied, moved or synced.

    A memory named by the environment is the user's own, and so is one in an agent's home, whatever its layout.
    """
    if _is_named(store) or _is_users(store):
        return False
    noted = _read_trust(store).get(_FOREIGN_KEY)
    if isinstance(noted, bool):
        return noted
    layout = store.layout
    parts = (layout.config, layout.memory_file, layout.window, layout.rows, *(one.folder for one in layout.archives))
    return not (store.state / "journal").is_dir() and any(map(os.path.lexists, parts))


def is_of_own_folder_only(store: Store) -> bool:
    """Return whether a memory of every project is limited to its own folder, because it came from elsewhere."""
    return store.config.get(_PROJECTS) is None and is_foreign(store) and includes_every_project(store)


def note_origin(store: Store, *, is_made: bool = False) -> None:
    """Record the memory's origin before its first change on this machine, if it came from elsewhere.

    With `is_made`, the user is creating it now: then also record a local origin, and the folder's other owners.
    """
    held = _read_trust(store)
    if _FOREIGN_KEY not in held and ((is_elsewhere := is_foreign(store)) or is_made):
        others = set(owners_of(store.root)) - accounts(store.environment.env) if is_made else ()
        with suppress(OSError):
            _write(store, {**held, _FOREIGN_KEY: is_elsewhere, **({_FOLDER: sorted(others)} if others else {})})


def _is_users(store: Store) -> bool:
    root = Path(os.path.realpath(store.root))
    is_account = root.parent == Path(os.path.realpath(store.environment.home)) and root.name.startswith(".claude")
    is_apart = find_project(root, store.environment.home) is None
    return is_owned(store) or ((_is_named(store) or is_account) and is_apart)


def _is_named(store: Store) -> bool:
    named = store.environment.memory
    return named is not None and os.path.realpath(store.environment.cwd / named) == os.path.realpath(store.root)


def is_trusted(store: Store) -> bool:
    """Return whether the file's settings for external access were confirmed, or there are none.

    Settings from the environment are always the user's own.
    """
    return not (told := declared_settings(store)) or _digest(told) in _confirmed_digests(store)


def owns_folders(store: Store) -> bool:
    """Return whether the memory's folders that are links out of it were confirmed as the user's own."""
    return not (told := _linked_folders(store)) or _digest(told) in _confirmed_digests(store)


def is_confirmed(store: Store, *, commits: Sequence[str] = ()) -> bool:
    """Return whether nothing awaits confirmation: neither owners, settings, linked folders nor these repositories."""
    is_all = (
        not _all_of_others(store) and is_trusted(store) and owns_folders(store) and not is_of_own_folder_only(store)
    )
    return is_all and all(lets_commit(store, one) for one in commits)


def confirm(store: Store, *, commits: Sequence[str] = ()) -> bool:
    """Confirm the memory's current owners and external access; False when there is nothing to confirm.

    `commits` are repositories that may commit what sessions leave in the memory.
    """
    if is_confirmed(store, commits=commits):
        return False
    known = list(
        dict.fromkeys((*_confirmed_digests(store), *map(_digest, (declared_settings(store), _linked_folders(store)))))
    )
    more: dict[str, object] = {_FOREIGN_KEY: False} if is_of_own_folder_only(store) else {}
    if owners := {*_numbers(store, _OWNERS), *(one.owner for one in _all_of_others(store))}:
        more[_OWNERS] = sorted(owners)
    more |= {_COMMITS: sorted({*_committing(store), *commits})} if commits else {}
    _write(store, {**_read_trust(store), "models": known[-_MAX_CACHED_STATES:], **more})
    store.enclose()
    return True


def lets_commit(store: Store, repository: str) -> bool:
    """Return whether the user allowed this repository to commit what sessions leave in the memory."""
    return _read_trust(store).get(_COMMITS) is True or repository in _committing(store)


def _committing(store: Store) -> list[str]:
    return [str(one) for one in found] if isinstance(found := _read_trust(store).get(_COMMITS), list) else []


def of_others(store: Store) -> tuple[Foreign, ...]:
    """Return the parts of the memory that another account made and the user did not confirm."""
    found = foreign(store.layout, store.environment.env)
    if not found:
        return ()
    known, above = _numbers(store, _OWNERS), _numbers(store, _FOLDER)
    return tuple(one for one in found if one.owner not in known and not (one.path == store.root and one.owner in above))


def single_files_of_others(store: Store) -> tuple[Foreign, ...]:
    """Return the memory's files that stay unopened: another account made them and the user did not confirm it."""
    found = files_of_others(store.layout, _known_owners(store))
    return tuple(Foreign(path, owner) for path, owner in found)


def _all_of_others(store: Store) -> tuple[Foreign, ...]:
    return tuple(dict.fromkeys((*of_others(store), *single_files_of_others(store))))


def _known_owners(store: Store) -> frozenset[int]:
    return accounts(store.environment.env) | {_ROOT, *_numbers(store, _OWNERS)}


def file_owners(store: Store) -> frozenset[int]:
    """Return the accounts whose files in the memory may be opened: the user's, root and confirmed ones.

    Unconfirmed owners of a memory that is refused as a whole are included, so that it can be shown for confirmation.
    """
    return _known_owners(store) | {one.owner for one in of_others(store)}


def is_own(store: Store) -> bool:
    """Return whether the memory is the user's, or confirmed."""
    return not of_others(store)


def expect_own(store: Store) -> None:
    """Raise RecallError when another account made the memory or a part of it."""
    if found := of_others(store):
        raise RecallError(whose(store, found), hint=f"if it is meant for you: {confirming(store)}")


def whose(store: Store, found: Sequence[Foreign]) -> str:
    """Return the message about a memory with parts of another account."""
    path, owner = found[0]
    what = "it" if path == store.root else store.relative(path)
    return (
        f"the memory in {store.root} is not used, for {what} belongs to another account, {account_name(owner)}: "
        "that account may read and write what is in it"
    )


def confirming(store: Store) -> str:
    """Return the command with which the user confirms."""
    import shlex

    return f"recall-tui --root {shlex.quote(str(store.root))} config trust"


@contextmanager
def confirmed_after(store: Store) -> Iterator[None]:
    """Keep settings trusted across changes that the user makes in the block."""
    was = is_trusted(store)
    yield
    if was and not is_trusted(store):
        confirm(store)


def declared_settings(store: Store) -> dict[str, str]:
    """Return the file's settings for external access, by key."""
    config = store.written
    is_home = is_owned(store)
    told = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in sorted(config.values.items())
        if config.origin(key) == "file" and _needs_confirmation(store, key, value, is_home=is_home)
    }
    return told | symlinks.misplaced_settings(store.layout)


def _needs_confirmation(store: Store, key: str, value: SettingValue, *, is_home: bool) -> bool:
    reach = find_rule(key)
    if reach is None or reach.needs == "nothing" or (is_home and reach.needs != "a word everywhere"):
        return False
    meant = INTENT_CHECKS.get(key) or INTENT_CHECKS.get(key.partition(".")[0])
    return meant(store, value) if meant else bool(value)


def unconfirmed(store: Store) -> dict[str, str]:
    """Return everything that `config trust` would confirm, by setting, folder or path."""
    owners = {store.relative(path): f"belongs to {account_name(owner)}" for path, owner in _all_of_others(store)}
    projects = {_PROJECTS: "all, as of a memory that was made here"} if is_of_own_folder_only(store) else {}
    return declared_settings(store) | _linked_folders(store) | owners | projects


def effective_settings(store: Store, written: Config) -> Config:
    """Return the settings without unconfirmed ones from the file; each of those yields a warning."""
    waiting = {key: reach for key in declared_settings(store) if (reach := find_rule(key)) and reach.needs == "a word"}
    if not waiting or is_trusted(store):
        return written
    reasons = {key: f"{key} {reach.does}" for key, reach in waiting.items()}
    return written._replace(
        values={key: value for key, value in written.values.items() if key not in reasons},
        origins={key: origin for key, origin in written.origins.items() if key not in reasons},
        refused={**written.refused, **{key: f"{why}; {CONFIRM_HINT}" for key, why in reasons.items()}},
        warnings=(*written.warnings, *(f"{written.path}: {why}; {CONFIRM_HINT}" for why in reasons.values())),
    )


CONFIRM_HINT = "not confirmed on this machine; to use it: recall-tui config trust"


def follows_links(store: Store) -> bool:
    """Return whether the user has declared all links out of this memory as their own."""
    if store.config.get(symlinks.FOLLOW_SETTING) is not True:
        return False
    return store.config.origin(symlinks.FOLLOW_SETTING) == "environment" or is_trusted(store)


def with_owned(store: Store) -> Layout:
    """Return the layout with flags for the links and configured paths that are the user's own."""
    layout = _place_documents(store)
    if follows_links(store):
        return layout._replace(follows_links=True, owns_folders=True)
    if is_owned(store):
        return layout._replace(owns_files=True, owns_folders=True)
    return layout._replace(owns_folders=True) if owns_folders(store) else layout


def _place_documents(store: Store) -> Layout:
    """Return the layout with documents at unconfirmed configured paths moved back to the design's paths."""
    layout = store.layout
    if not (astray := symlinks.misplaced_settings(layout)):
        return layout
    if is_trusted(store):
        return layout._replace(owns_places=True)
    design = make_layout(layout.root, layout.name)
    back: dict[str, dict[str, object]] = {
        "paths.memory": {"memory_file": design.memory_file, "topics": design.topics},
        "paths.ephemeral": {"window": design.window},
        "paths.archive": {"rows": design.rows},
        "paths.memories": {"archives": (design.archives[0], *layout.archives[1:])},
    }
    kept = {name: place for key in astray for name, place in back[key].items()}
    return Layout(**{**layout._asdict(), **kept, "astray": tuple(astray.items())})


def _linked_folders(store: Store) -> dict[str, str]:
    return {f"{store.relative(folder)}/": str(target) for folder, target in symlinks.linked_folders(store.layout)}


def _digest(told: dict[str, str]) -> str:
    return atomic.content_digest(json.dumps(told, sort_keys=True))


def _confirmed_digests(store: Store) -> list[str]:
    """Return the digests of confirmed states, newest last, so that an older state stays confirmed."""
    return [str(one) for one in models] if isinstance(models := _read_trust(store).get("models"), list) else []


def _numbers(store: Store, member: str) -> list[int]:
    """Return the accounts that the user confirmed in this member of the file."""
    found = _read_trust(store).get(member)
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []


def _read_trust(store: Store) -> dict[str, object]:
    try:
        held = json.loads(atomic.read_bytes(_path(store)) or b"null")
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _write(store: Store, held: dict[str, object]) -> None:
    atomic.write_json(_path(store), held)


def _path(store: Store) -> Path:
    return store.state / TRUST_FILE


def accounts(env: Mapping[str, str]) -> frozenset[int]:
    """Return the user's accounts: the effective uid and, under sudo, the caller's, as in git."""
    own = os.geteuid()
    caller = env.get(_SUDO, "")
    return frozenset((own, int(caller)) if own == _ROOT and caller.isdecimal() and caller.isascii() else (own,))


def foreign(layout: Layout, env: Mapping[str, str]) -> tuple[Foreign, ...]:
    """Return the parts of the memory that belong to another account; empty when there is no memory yet.

    A link counts with its target. The root may belong to root, as /tmp does, which can read everything anyway.
    """
    own = accounts(env)
    found = tuple(
        Foreign(path, owner)
        for path in memory_parts(layout)
        for owner in owners_of(path)
        if owner not in own and not (path == layout.root and owner == _ROOT)
    )
    return found if any(one.path != layout.root for one in found) or (found and _is_there(layout)) else ()


def is_of_another(path: Path, env: Mapping[str, str]) -> bool:
    """Return whether a file belongs to an account that is neither the user's nor root."""
    return not {*owners_of(path)} <= {*accounts(env), _ROOT}


def _is_there(layout: Layout) -> bool:
    parts = {*memory_parts(layout)} - {layout.root}
    return any(map(os.path.lexists, parts)) or detect_layout(layout.root) is not None
