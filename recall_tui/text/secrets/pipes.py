"""Find secrets that a shell passes to a command: `echo … | docker login --password-stdin`, `passwd <<< …`."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.commands import HERE, is_likely_password, is_password_value

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
    """Yield the secret in a here-string; `<<<` starts at `start`."""
    first = max(0, start - _COMMAND_CHARS)
    for broken in _BREAK.finditer(text, first, start):
        first = broken.end()
    before = text[first:start].lstrip()
    given = _PIPED_WORD.match(text, start + len(HERE))
    reader = _READERS.match(before + " ")
    if given and reader:
        yield from _judged(text, given.span(1), reader["reader"])


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
