from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.git_repository import find_repository, normalize_url
from recall_tui.transcripts import project
from recall_tui.transcripts.project import Project, are_copies, current_folder, parse_aliases, project_of

URL = "git@github.com:acme/api.git"
KEY = "github.com/acme/api"

with_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> None:
    """Run git as on a machine without any settings of a person."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *words], cwd=folder, env=env, check=True, capture_output=True)


def repository(folder: Path, url: str = "") -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if url:
        git(folder, "remote", "add", "origin", url)
    return folder


def noted(folder: Path, config: str = "") -> Path:
    """The folders and files by which git knows a repository, without git."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(config)
    return folder


# Twelve layouts


@with_git
def test_a_repository_is_known_by_its_place_and_called_by_its_remote(tmp_path: Path) -> None:
    root = repository(tmp_path / "api-on-disk", URL)
    assert project_of(root) == Project(str(root), "api", root, KEY)


@with_git
def test_a_repository_without_remote_is_known_by_its_place(tmp_path: Path) -> None:
    root = repository(tmp_path / "notes")
    assert project_of(root) == Project(str(root), "notes", root)


@with_git
@pytest.mark.parametrize("url", ["", URL])
def test_work_trees_are_the_main_repository(tmp_path: Path, url: str) -> None:
    root = repository(tmp_path / "api", url)
    git(root, "worktree", "add", "--quiet", str(tmp_path / "elsewhere" / "fix"))
    inside = tmp_path / "elsewhere" / "fix" / "src"
    inside.mkdir()
    project = project_of(inside)
    assert (project.key, project.root, project.part) == (project_of(root).key, root, "src")


@with_git
def test_a_work_tree_that_the_repository_does_not_list_is_a_project_of_its_own(tmp_path: Path) -> None:
    root = repository(tmp_path / "api")
    git(root, "worktree", "add", "--quiet", str(tmp_path / "fix"))
    shutil.copytree(tmp_path / "fix", tmp_path / "copied")
    assert project_of(tmp_path / "fix").key == str(root)
    assert project_of(tmp_path / "copied").key == str(tmp_path / "copied")
    (root / ".git" / "worktrees" / "fix" / "commondir").write_text("/elsewhere\n")
    _forget_projects()
    assert project_of(tmp_path / "fix").key == str(tmp_path / "fix")


@with_git
def test_clones_of_one_remote_claim_to_be_one_and_are_two(tmp_path: Path) -> None:
    one = repository(tmp_path / "one", "https://user:token@GitHub.com/acme/api")
    other = repository(tmp_path / "other", "ssh://git@github.com:22/acme/api.git/")
    assert (project_of(one).key, project_of(other).key) == (str(one), str(other))
    assert are_copies(project_of(one), project_of(other)) and not are_copies(project_of(one), project_of(one))
    assert "token" not in str(project_of(one))


@with_git
def test_a_clone_of_a_repository_on_this_machine_claims_it_and_is_another(tmp_path: Path) -> None:
    root = repository(tmp_path / "api")
    git(tmp_path, "clone", "--quiet", "api", "copy")
    git(tmp_path, "clone", "--quiet", f"file://{tmp_path}/copy", "copy-of-copy")
    copy, copied_again = project_of(tmp_path / "copy"), project_of(tmp_path / "copy-of-copy")
    assert (copy.key, copied_again.key) == (str(tmp_path / "copy"), str(tmp_path / "copy-of-copy"))
    assert are_copies(copy, project_of(root)) and are_copies(project_of(root), copy) and are_copies(copied_again, copy)
    assert not are_copies(copied_again, project_of(root))


@with_git
def test_the_parts_of_a_monorepo_belong_to_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "mono", URL)
    (root / "packages" / "web").mkdir(parents=True)
    project = project_of(root / "packages" / "web")
    assert (project.key, project.root, project.part) == (str(root), root, "packages/web")


@with_git
def test_a_renamed_folder_is_recognised_by_an_alias(tmp_path: Path) -> None:
    new = repository(tmp_path / "new")
    aliases = {str(tmp_path / "older"): str(tmp_path / "old"), str(tmp_path / "old"): str(new)}
    for old in ("older", "old"):
        project = project_of(tmp_path / old / "src", aliases)
        assert (project.key, project.part) == (str(new), "src")
    assert project_of(tmp_path / "oldest", aliases).key == str(tmp_path / "oldest")


@with_git
def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    root = repository(tmp_path / "app")
    git(root, "submodule", "add", "--quiet", str(library), "libs/library")
    inner = project_of(root / "libs" / "library")
    assert (inner.key, inner.root) == (str(root / "libs" / "library"), root / "libs" / "library")
    assert are_copies(inner, project_of(library))
    git(root / "libs" / "library", "remote", "remove", "origin")
    copied = shutil.copytree(root, tmp_path / "copied")
    assert project_of(copied / "libs" / "library").key == str(copied / "libs" / "library")
    assert project_of(copied).key == str(copied)


@with_git
def test_a_bare_repository_and_its_work_trees_are_one_project(tmp_path: Path) -> None:
    source = repository(tmp_path / "source")
    git(tmp_path, "clone", "--quiet", "--bare", str(source), str(tmp_path / "server" / "api.git"))
    git(tmp_path, "clone", "--quiet", "--bare", str(source), str(tmp_path / "api" / ".bare"))
    for bare in (tmp_path / "server" / "api.git", tmp_path / "api" / ".bare"):
        git(bare, "remote", "remove", "origin")
    git(tmp_path / "api" / ".bare", "worktree", "add", "--quiet", "../main-tree")
    server = project_of(tmp_path / "server" / "api.git")
    assert (server.key, server.name) == (str(tmp_path / "server" / "api.git"), "api")
    hidden = project_of(tmp_path / "api" / "main-tree")
    assert (hidden.key, hidden.name) == (str(tmp_path / "api" / ".bare"), "api")
    assert project_of(tmp_path / "api" / ".bare").key == hidden.key
    (tmp_path / "api" / ".git").write_text("gitdir: ./.bare\n")
    _forget_projects()
    folders = (tmp_path / "api", tmp_path / "api" / "main-tree", tmp_path / "api" / ".bare")
    assert {project_of(folder).key for folder in folders} == {str(tmp_path / "api")}


@with_git
def test_a_folder_that_is_gone_is_itself_or_part_of_the_repository_above(tmp_path: Path) -> None:
    root = repository(tmp_path / "api", URL)
    assert project_of(tmp_path / "gone" / "src") == Project(
        str(tmp_path / "gone" / "src"), "src", tmp_path / "gone" / "src"
    )
    assert (project_of(root / "old" / "part").key, project_of(root / "old" / "part").part) == (str(root), "old/part")


# Beside the layouts


@with_git
def test_links_and_the_home_folder_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "api")
    (tmp_path / "link").symlink_to(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert project_of(tmp_path / "link") == project_of("~/api") == project_of(root)


def test_an_alias_of_a_linked_folder_holds(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert project_of(tmp_path / "link", {str(tmp_path / "real"): "/moved"}).key == "/moved"


@pytest.mark.parametrize(
    ("aliases", "key"),
    [
        ({"/gone/a": "/gone/b", "/gone/b": "/gone/a"}, "/gone/a"),
        ({"/gone/a": "/gone/a/v2"}, "/gone/a/v2"),
        ({"/gone": "/away", "/gone/a": "/here"}, "/here"),
        ({"/gone/a/": "/here/"}, "/here"),
        ({"/gone/ab": "/here", "": "/everything", "/": "/everything"}, "/gone/a"),
    ],
)
def test_every_move_is_made_once_the_closest_first(aliases: dict[str, str], key: str) -> None:
    assert project_of("/gone/a", aliases).key == key


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("/gone/old = /new", {"/gone/old": "/new"}),
        ("/gone/old=/new", {"/gone/old": "/new"}),
        (" ~/old/ = ~/code/new/ ", {"/home/u/old": "/home/u/code/new"}),
        ("/gone/old", {"/gone/old": "/here"}),
        ("/gone/a=b = /new", {"/gone/a=b": "/new"}),
        ("C:\\old = /new", {"C:\\old": "/new"}),
        ("/same = /same", {}),
        ("", {}),
        ("/", {}),
    ],
)
def test_a_line_says_where_a_folder_was_and_is(line: str, found: dict[str, str]) -> None:
    assert parse_aliases([line], Path("/here"), Path("/home/u")) == found


def test_a_folder_that_was_linked_is_known_by_its_real_place_too(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    found = parse_aliases([f"{tmp_path}/link/old = {tmp_path}/new"], tmp_path, tmp_path)
    assert found == {f"{tmp_path}/link/old": f"{tmp_path}/new", f"{tmp_path}/real/old": f"{tmp_path}/new"}
    assert current_folder(f"{tmp_path}/real/old/src", found) == f"{tmp_path}/new/src"


def test_the_first_line_about_a_folder_counts() -> None:
    found = parse_aliases(["/gone/a = /b", "/gone/a = /c", "/b = /d"], Path("/here"), Path("/home/u"))
    assert current_folder("/gone/a/x", found) == "/d/x" and current_folder("/gone/ab", found) == "/gone/ab"


@pytest.mark.parametrize(
    ("cwd", "name"), [("", ""), ("C:\\Users\\u\\api", "api"), ("relative/api/", "api"), ("~nobody-here/api", "api")]
)
def test_a_folder_that_cannot_be_here_is_itself(cwd: str, name: str) -> None:
    assert (project_of(cwd).key, project_of(cwd).name) == (cwd, name)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/acme/api", KEY),
        ("https://github.com/acme/api.git/", KEY),
        ("https://user:pass@GITHUB.com:443/acme/api.git", KEY),
        ("git@github.com:acme/api.git", KEY),
        ("github.com:/acme/api", KEY),
        ("ssh://git@github.com:2222/acme/api.git", KEY),
        ("git://github.com/acme/api", KEY),
        ("https://host/Acme/API", "host/Acme/API"),
        ("ssh://git@[::1]:22/api", "[::1]/api"),
        ("/srv/api.git", ""),
        ("../api", ""),
        ("file:///srv/api.git", ""),
        ("C:\\repos\\api", ""),
        ("C:/repos/api", ""),
        ("", ""),
    ],
)
def test_urls_of_one_repository_are_one_name(url: str, name: str) -> None:
    assert normalize_url(url) == name


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ('[remote "origin"]\n\turl = git@github.com:acme/api.git ; a comment\n', KEY),
        ('[core]\n\tbare = false\n[Remote "origin"] URL = "https://github.com/acme/api"\n', KEY),
        ('[remote "up"]\nurl = https://h/up\n[remote "origin"]\nurl = https://github.com/acme/\\\napi\n', KEY),
        ('[remote "a b\\"c"]\nurl = https://github.com/acme/api # x\n', KEY),
        ('[remote "origin"]\nfetch = +refs\n[branch "x"]\nremote = origin\n[remote\nurl = https://h/x\n', ""),
        ("\x00\xff", ""),
    ],
)
def test_a_remote_is_found_in_whatever_git_would_read(tmp_path: Path, config: str, key: str) -> None:
    noted(tmp_path / "api" / ".git", config)
    assert project_of(tmp_path / "api").remote == key


def test_the_folder_of_git_itself_belongs_to_its_repository(tmp_path: Path) -> None:
    noted(tmp_path / "api" / ".git")
    (tmp_path / "api" / ".git" / "hooks").mkdir()
    assert project_of(tmp_path / "api" / ".git" / "hooks").key == str(tmp_path / "api")


@pytest.mark.parametrize("says", ["gitdir: /nowhere/at/all", "gitdir: ../gone", "gitdir: " + "n" * 300, "nonsense", ""])
def test_a_broken_git_file_is_no_error(tmp_path: Path, says: str) -> None:
    folder = tmp_path / "api"
    folder.mkdir()
    (folder / ".git").write_text(says)
    assert project_of(folder).key == str(folder)


def test_a_pipe_called_git_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    found = find_repository(tmp_path)
    assert found is None or found.root != tmp_path


# Folders that somebody else wrote


CLAIMS = {
    "remote": ('[remote "origin"]\nurl = git@github.com:acme/api.git\n', "", ""),
    "local remote": ('[remote "origin"]\nurl = {real}\n', "", ""),
    "core.worktree": ('[core]\nworktree = {real}\n[remote "origin"]\nurl = git@github.com:acme/api.git\n', "", ""),
    "bare with core.worktree": ("[core]\nbare = true\nworktree = {real}\n", "", ""),
    "commondir": ("", "{real}/.git\n", ""),
    "git file": (None, "", "gitdir: {real}/.git\n"),
    "git file of a work tree": (None, "", "gitdir: {real}/.git/worktrees/fix\n"),
    "relative git file": (None, "", "gitdir: ../real/.git\n"),
}


@with_git
@pytest.mark.parametrize("is_embedded", [False, True])
@pytest.mark.parametrize("claim", [*CLAIMS, "linked git folder", "linked git file", "own list of work trees"])
def test_a_folder_becomes_no_project_that_it_claims(tmp_path: Path, claim: str, is_embedded: bool) -> None:
    real = repository(tmp_path / "real", URL)
    git(real, "worktree", "add", "--quiet", str(tmp_path / "fix"))
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    if claim == "linked git folder":
        (hostile / ".git").symlink_to(real / ".git")
    elif claim == "linked git file":
        (hostile / ".git").symlink_to(tmp_path / "fix" / ".git")
    elif claim == "own list of work trees":
        # A repository that comes along lists the folder, and says that it shares the other's.
        listed = noted(hostile / "inner" / ".git", CLAIMS["core.worktree"][0].format(real=real)) / "worktrees" / "x"
        listed.mkdir(parents=True)
        (listed / "gitdir").write_text(f"{hostile}/.git\n")
        (listed / "commondir").write_text(f"{real}/.git\n")
        (hostile / ".git").write_text(f"gitdir: {listed}\n")
    else:
        config, commondir, file = (part and part.format(real=real) for part in CLAIMS[claim])
        if file:
            (hostile / ".git").write_text(file)
        else:
            folder = noted(hostile if is_embedded else hostile / ".git", config or "")
            if commondir:
                (folder / "commondir").write_text(commondir)
    (hostile / "src").mkdir()
    (hostile / "src" / "link").symlink_to(real)
    _forget_projects()
    for folder in (hostile, hostile / "src", hostile / "gone" / "src"):
        found = project_of(folder)
        assert found.key.startswith(str(hostile)) and Path(found.root).is_relative_to(hostile)
    assert (
        project_of(real).key
        == project_of(tmp_path / "fix").key
        == project_of(hostile / "src" / "link").key
        == str(real)
    )


def test_what_is_no_regular_file_says_nothing_of_a_repository(tmp_path: Path) -> None:
    for kind, lay in (("pipe", os.mkfifo), ("device", lambda path: path.symlink_to("/dev/zero"))):
        folder = noted(tmp_path / kind / ".git")
        (folder / "config").unlink()
        lay(folder / "config")
        assert project_of(tmp_path / kind) == Project(str(tmp_path / kind), kind, tmp_path / kind)


def test_a_repository_of_the_whole_home_holds_no_other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    noted(home / ".git")
    noted(tmp_path / ".git")
    noted(home / "code" / "api" / ".git")
    assert project_of(home).key == str(home)
    assert project_of(home / "notes").key == str(home / "notes")
    assert project_of(home / "code" / "api" / "src").key == str(home / "code" / "api")


def _forget_projects() -> None:
    """As a new process: what a folder belongs to is looked up once."""
    project._identity.cache_clear()
    project._repository.cache_clear()


@given(st.text(max_size=40), st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3))
def test_any_text_has_a_project(cwd: str, aliases: dict[str, str]) -> None:
    assert project_of(cwd).key or not cwd
    assert isinstance(project_of(cwd, aliases).root, Path)


@given(st.text(max_size=60))
def test_any_url_has_a_name_without_user(url: str) -> None:
    assert isinstance(normalize_url(f"https://user:secret@host/{url}"), str)
    assert "secret" not in normalize_url("https://user:secret@host/" + url.replace("secret", ""))


def test_a_path_that_no_file_can_have_moves_as_any_other() -> None:
    found = parse_aliases(["~nobody\0/a = /b", "/old\0 = /c"], Path("/here"), Path("/home/u"))
    assert current_folder("~nobody\0/a/x", found) == "/b/x" and current_folder("/old\0/y", found) == "/c/y"


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/gone/u/api/.claude/worktrees/2", "api"),
        ("/gone/u/api/.worktrees/fix-login", "api"),
        ("/gone/u/api/worktrees/2/packages", "api"),
        ("~/.worktrees/api/2", "api"),
        ("/gone/u/api/2", "api"),
        ("C:\\Users\\u\\api\\.claude\\worktrees\\2", "api"),
        ("/gone/u/api-2", "api-2"),
        ("/2", "2"),
    ],
)
def test_a_work_tree_that_is_gone_is_called_like_its_repository(folder: str, name: str) -> None:
    assert project_of(folder).name == name
