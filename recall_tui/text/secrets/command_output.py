"""Find secrets in the line that a command prints which reads one: `pass show …`, `… get-secret-value …`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.commands import is_likely_password, is_password_value

SecretSpan = tuple[str, int, int]

_MAX_COMMAND_CHARS = 400
_OUTPUT = lazy_pattern(
    r"(?:\r?\n|\\{1,8}n)[ \t]{0,12}(?:(?:⎿|\\{1,7}u23bf|[|│>])[ \t]{0,4})?(?P<value>[!-~]{6,512}?)[ \t]*"
    r"(?=\r?\n|\\{1,8}[nr]|\\{0,7}[\"'`]|\Z)"
)
"""The next line, if it is one word."""
_LINE_START = lazy_pattern(r"\n|\\{1,8}n|[:\[(,][ ]?\\{0,7}[\"'`](?=[\w$>#])")
_PROMPT = r"(?:^|[$#%>❯➜(!+][ ]?|[;&|][ ]?|\b(?:sudo|env) )"
_READS = lazy_pattern(
    _PROMPT + r"(?:(?:go)?pass (?:-\S{1,20} ){0,3}show (?:-{1,2}\w[\w-]* ){0,3}[\w@./-]*\w"
    r"|aws [^\n]{0,200}?get-secret-value\b|aws ssm get-parameters?\b[^\n]{0,200}--with-decryption"
    r"|op (?:read|item get) |vault (?:kv get|read) [^\n]{0,120}-field|gcloud secrets versions access"
    r"|gcloud auth [\w-]{0,20} ?print-\w+-token|az keyvault secret show |az account get-access-token"
    r"|security find-(?:generic|internet)-password [^\n]{0,200}-\w{0,3}w\b|secret-tool lookup "
    r"|bw get (?:password|totp) "
    r"|lpass show [^\n]{0,80}--password|keyring get |chamber read |doppler secrets get |heroku config:get "
    r"|infisical secrets get |gh auth token|aws ecr get-login-password|keepassxc-cli show )"
    r"|[$❯➜] ?pass (?!show|insert|generate|git|init|ls|find|rm|mv|cp|edit|grep)[\w@-]{1,40}/[\w@./-]{1,80}[)\s]*$"
    r"|get secrets? [^\n]{1,200}(?:\| ?base64 (?:-d|-D|--decode)|base64decode)"
)
"""Commands whose only output is a secret."""
_SHOWS = lazy_pattern(
    _PROMPT + r"(?:(?:(?:docker|podman|kubectl|ssh) [^\n]{1,80} )?(?:cat|bat|less|more|type|(?:tail|head)(?: -n ?1)?) "
    r"[\w~./-]{0,120}"
    r"|(?:echo|printenv) \\{0,7}[\"']?\$?\{?\w{0,60})"
    r"(?:passw(?:or)?d|pass|passphrase|secret|token|key|secrets/[\w.-]{1,60})(?:\.txt)?\}?\\{0,7}[\"']?[)\s]*$"
    r"|base64 (?:-d|-D|--decode)",
    re.IGNORECASE,
)
"""Commands that show a file or a variable which is named for a secret."""


def printed_secret(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Yield the secret in the line below a command that names one from `start` to `end`."""
    last = text.find("\n", end, end + _MAX_COMMAND_CHARS)
    if last < 0:
        last = text.find("\\n", end, end + _MAX_COMMAND_CHARS)
        while last > 0 and text[last - 1] == "\\":
            last -= 1
    output = _OUTPUT.match(text, last - (text[last - 1 : last] == "\r")) if last >= 0 else None
    if output is None or not is_password_value(output["value"]):
        return
    first = max(0, start - _MAX_COMMAND_CHARS)
    for broken in _LINE_START.finditer(text, first, start):
        first = broken.end()
    command, value = text[first:last].strip(), output["value"]
    if _READS.search(command):
        is_secret = not values.is_code_label(value) or values.is_mixed_password(value) or not value.istitle()
        is_secret = is_secret and value[-1] not in ":>" and value[0] not in "$#[{<(├└-" and not value.islower()
        is_secret = is_secret or is_likely_password(value)
    else:
        is_secret = _SHOWS.search(command) is not None and is_likely_password(value) and value[0] not in "$#[{<(-"
    if is_secret and value[-1] != ":" and not values.is_address(value):
        yield "secret", *output.span("value")
