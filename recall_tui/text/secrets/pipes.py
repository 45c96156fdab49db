"""Find secrets that a shell passes to a command or writes to a file: `echo … | docker login --password-stdin`,
`passwd <<< …`, `echo … > ~/.db_password`, `cat > .vault_pass <<EOF`.
"""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.commands import is_likely_password, is_password_value

Span = tuple[int, int]

_READ_ALWAYS = (
    "su kinit cryptsetup realm adcli pdbedit ssh-add ssh-keygen gocryptfs zfs openconnect mkpasswd argon2 keyctl"
    " systemd-ask-password gpg-preset-passphrase"
).replace(" ", "|")
_LOG_IN = (
    "vault npm pnpm yarn bw op az gh glab hub oc cf heroku snyk argocd docker podman skopeo buildah nerdctl crane oras"
    " helm cargo gem twine gcloud huggingface-cli hf wandb doctl pulumi terraform flyctl fly railway netlify vercel"
    " supabase civo linode-cli datadog-ci sentry-cli tea jf jfrog rover stripe ngrok cosign keybase"
).replace(" ", "|")
_KEEP_SECRETS = (
    "gh glab wrangler fly flyctl supabase netlify gcloud doppler convex docker podman kubectl oc chamber vercel railway"
    " heroku firebase eas pulumi aws az sops ansible-vault secret-tool security mc rclone"
).replace(" ", "|")
_READERS = lazy_pattern(
    r"[ ]?(?:env |\w{1,40}=\S{1,80} |sudo (?:-[A-RT-Za-z]+ )*)*(?:[\w./~-]{1,80}/)?(?:npx )?"
    rf"(?P<reader>(?:\w{{0,12}}passwd2?|ecryptfs-\w+|kadmin\w*|wg pubkey|(?:go)?pass insert|{_READ_ALWAYS})\b"
    r"|sudo [^|\n;&]{0,40}?(?:-\w*S|--stdin)\b"
    rf"|(?:{_LOG_IN}) [^|\n;&]{{0,60}}?\b(?:login|unlock|signin|auth)\b"
    rf"|(?:{_KEEP_SECRETS}) [^|\n;&]{{0,60}}?(?:secrets?|variable|env|config|encrypt_string|store|obscure|keychain)\b"
    r"|[^|\n;&]{1,200}?(?:-password-stdin|-with-token|-pass(?:in|out)? (?:stdin|fd:0)|--stdin\b"
    r"|[-\w](?:password|passphrase|token|secret|key|passwd)[\w-]{0,12}[ =]"
    r"(?:-(?=[\s\"'\\]|\Z)|stdin|/dev/stdin|fd:0|0\b)))"
)
"""The start of a command that reads a secret from its standard input."""
_ECHOED = lazy_pattern(
    r"(?:-\w{1,3} )?(?:\\{0,7}[\"']%s(?:\\{1,8}n)?\\{0,7}[\"'][ ])?(?:\\{0,7}[\"'])?(?P<value>[^\s\"'`$|\\;]{4,128})"
    r"(?P<again>\\{1,8}n(?:(?P=value)(?:\\{1,8}n)?)?)?(?:\\{0,7}[\"'])?"
    r"(?:;[ ]?(?:echo|printf) (?:\\{0,7}[\"'])?(?P<other>[^\s\"'`$|\\;)]{4,128})(?:\\{0,7}[\"'])?)?[ ]?\)?[ ]?\|(?!\|)"
)
_PIPED_WORD = lazy_pattern(r"[ ]?(?:\\{0,7}[\"'])?([^\s\"'`$|;\\]{4,128})")
_BREAK = lazy_pattern(r"\n|\\{1,7}n|[|;&(]|\$ |[:\[,][ ]?\\{0,7}[\"'`]")
_COMMAND_CHARS = 200
_PAIR_READERS = ("chpasswd", "saslpasswd")


def piped_password(text: str, end: int) -> Iterator[Span]:
    """Yield the secret echoed into a command that reads one; `echo` or its equivalent ends at `end`."""
    echoed = _ECHOED.match(text, end)
    reader = _READERS.match(text, echoed.end()) if echoed else None
    if echoed is None or reader is None:
        return
    last = max(echoed.end("value"), echoed.end("again"))
    yield from _judged(text, (echoed.start("value"), last), reader["reader"])
    if echoed["other"]:
        yield from _judged(text, echoed.span("other"), reader["reader"])


def here(text: str, start: int) -> Iterator[Span]:
    """Yield the secrets in a here-string or a here-document; `<<` starts at `start`."""
    is_string = text.startswith("<<<", start)
    if not is_string and not _OPENED.match(text, start):
        return
    first = max(0, start - _COMMAND_CHARS)
    for broken in _BREAK.finditer(text, first, start):
        first = broken.end()
    before = text[first:start].lstrip()
    reader = _READERS.match(before + " ")
    if not is_string:
        yield from document_secrets(text, before, start, is_read=reader is not None)
    elif given := _PIPED_WORD.match(text, start + len("<<<")):
        if reader:
            yield from _judged(text, given.span(1), reader["reader"])
        elif _WRITES.search(before) and is_likely_password(given[1]):
            yield given.span(1)


def _judged(text: str, span: Span, reader: str) -> Iterator[Span]:
    start, end = span
    if any(name in reader for name in _PAIR_READERS) and (colon := text.find(":", start, end)) > 0:
        start = colon + 1
    value = text[start:end].partition("\\n")[0]
    is_named = "=" in value and value.partition("=")[0].isidentifier()
    start += len(value.partition("=")[0]) + 1 if is_named else 0
    value = text[start:end]
    if is_password_value(value) and (is_likely_password(value) or "secret" not in reader):
        yield start, end


_MARK = r"\\{0,7}[\"']"
_SECRET_PARTS = ("pass", "pw", "secret", "token", "psk", "pin", "cred", "key")
_SECRET_WORD = (
    r"(?:pass(?:w(?:or)?d|phrase|code)?|pw|pwd|secret|token|psk|pin|credentials?"
    r"|(?:api|private|secret|access|auth)[_-]?key)"
)
_SECRET_PATH = (
    r"(?P<path>[\w.~${}/-]{0,100}?(?:(?<![A-Za-z0-9])(?:db|pg|my|vault|root|user|admin|mail)?" + _SECRET_WORD + r"s?"
    r"(?:\.(?:txt|key|secret|conf|env|enc|dat|tmp|bak|b64))?|secrets?/[\w.-]{1,60}))(?![\w./-])"
)
"""A path whose last part is named for a secret."""
_TARGET = rf"(?:>{{1,2}}[ ]?|\|[ ]?(?:sudo )?tee (?:-a )?)(?:{_MARK})?" + _SECRET_PATH
_WRITTEN = lazy_pattern(
    rf"(?:-\w{{1,3}} )?(?:{_MARK}%s(?:\\{{1,8}}n)?{_MARK} )?(?:{_MARK})?(?P<value>[^\s\"'`$|;\\<>&]{{4,256}})"
    rf"(?:\\{{1,8}}n)?(?:{_MARK})?[ ]{{0,2}}(?:\| ?(?!tee|sudo)[^|>\n]{{1,80}})?(?i:{_TARGET})"
)
"""After `echo` or its equivalent."""
_WRITES = lazy_pattern(rf"(?i:{_TARGET}|(?:tee|/dev/stdin) (?:-a )?(?:{_MARK})?{_SECRET_PATH.replace('?P<path>', '')})")
_OPENED = lazy_pattern(
    r"<<[-~]?[ ]?(?:\\{0,7}[\"'\\])?(?P<tag>[A-Za-z_]\w{0,30})(?:\\{0,7}[\"'])?(?P<rest>[^\n\\]{0,200})"
)
_LINE = lazy_pattern(r"(?:\r?\n|\\{1,8}n)(?:[ \t]|\\{1,7}t){0,20}(?P<word>[^\n\\]{0,512})")
_MAX_LINES = 5
_SET_CONTENT = lazy_pattern(
    rf"(?i:(?:-(?:literal)?path )?(?:{_MARK})?{_SECRET_PATH}(?:{_MARK})? (?:-value )?)"
    rf"(?:{_MARK}(?P<quoted>[^\s\"'`\\$]{{4,256}}){_MARK}|(?P<bare>[^\s\"'`$\\-][^\s\"'`$\\]{{3,255}}))"
)
_OUT_FILE = lazy_pattern(rf"(?i:out-file (?:-\w{{4,12}} )?(?:{_MARK})?{_SECRET_PATH})")
_PIPED_IN = lazy_pattern(rf"{_MARK}([^\s\"'`$\\]{{4,256}}){_MARK} ?\| ?\Z")
_BEFORE_CHARS = 300


def _may_name_secret(command: str) -> bool:
    """Return whether a command may write to a file that is named for a secret; a quick look before a thorough one."""
    low = command.lower()
    return (">" in low or "tee " in low or "/dev/stdin" in low) and any(word in low for word in _SECRET_PARTS)


def written_secret(text: str, end: int) -> Iterator[Span]:
    """Yield the secret that `echo` or its equivalent, which ends at `end`, writes to a file for secrets."""
    written = _WRITTEN.match(text, end) if _may_name_secret(text[end : end + _BEFORE_CHARS]) else None
    if written and is_password_value(written["value"]) and len(written["value"]) >= 6:
        yield written.span("value")


def document_secrets(text: str, command: str, place: int, *, is_read: bool) -> Iterator[Span]:
    """Yield the secrets in a here-document whose `<<` is at `place`, after the text of its command.

    `is_read` tells that the command reads a secret; else it must write one to a file.
    """
    opened = _OPENED.match(text, place)
    if opened is None:
        return
    is_written = _may_name_secret(command + opened["rest"])
    if not is_read and not (is_written and (_WRITES.search(command) or _WRITES.search(opened["rest"]))):
        return
    end, tag = opened.end(), opened["tag"]
    for _ in range(_MAX_LINES):
        line = _LINE.match(text, end)
        if line is None or line["word"].strip() == tag:
            return
        word = line["word"].rstrip("\r ")
        is_whole = " " not in word and not word.startswith(("#", "$", "{", "[")) and "=" not in word.rstrip("=")
        if is_whole and len(word) >= 6 and word[-1] != ":" and is_password_value(word):
            yield line.start("word"), line.start("word") + len(word)
        end = line.end()


def set_content(text: str, end: int) -> Iterator[Span]:
    """Yield the secret that PowerShell's `Set-Content`, which ends at `end`, writes to a file for secrets."""
    given = _SET_CONTENT.match(text, end)
    group = "quoted" if given and given["quoted"] else "bare"
    if given and is_likely_password(given[group]):
        yield given.span(group)


def out_file(text: str, start: int) -> Iterator[Span]:
    """Yield the secret that is piped into PowerShell's `Out-File`, which starts at `start`."""
    piped = _PIPED_IN.search(text, max(0, start - _BEFORE_CHARS), start)
    if piped and _OUT_FILE.match(text, start) and is_password_value(piped[1]):
        yield piped.span(1)
