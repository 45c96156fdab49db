"""Names that secrets are assigned to: `DB_PASSWORD`, `clientSecret`, `x-api-key`, `Secret access key`.

A name counts when it ends with a word for a secret, optionally followed by a neutral suffix; `token_count` does not
count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.word_lists import (
    HARMLESS_TOKEN_WORDS,
    PASS_WORDS,
    PUBLIC_KEY_WORDS,
    SECRET_KEY_WORDS,
    SURE_KEY_WORDS,
)

_SUFFIX_WORDS = (
    r"(?:[_.-]?(?:value|val|str|string|raw|plain(?:text)?|data|base(?:64)?+|b64|hex|pem|hash(?:ed)?|digest|enc(?:oded|rypted)?"
    r"|prod(?:uction)?|dev(?:elopment)?|live|stag(?:e|ing)|main|primary|secondary|old|new|current|prev(?:ious)?"
    r"|default|admin|root|master|for[_.-]?[a-z]{1,16}+|test|rw|ro|x|\d++))*(?:[ ]\d{1,2}(?=:))?"
)
"""Neutral suffixes after the word for a secret; a run of them divides in a single way, or matching takes forever."""
_NAME_END = r"(?![a-z0-9]|[_.-]{1,2}[a-z0-9]|\.{2,})"
LIST_START = r"\\{0,7}[\"']?[ ]?[:=][ ]?(?:\[|(?=\r?\n[ \t]*- )|(?=\\{1,7}n[ ]*- ))"
"""The text between a plural name and its list items."""
_AFTER_U_PATTERN = (
    r"se(?:r[ ](?:(?<=add_user )(?=[\w@])|(?<=net user )|(?=add \S{1,64}:))|[ ](?<=net use )"
    r"|r(?=[ ][^\n>]{1,200}>[^\s>=]{4}))"
    r"|re[ ](?<=obscure )|ra\.io/v3/(?<=infura.io/v3/)|ndle config (?<=bundle config )|lt login (?<=vault login )"
    r"|nseal (?<=operator unseal )|e: (?<=new value: )|t-file (?<=out-file )"
)
_AFTER_C_PATTERN = (
    r"\.(?<=http-basic\.)|[ ](?:alias set|config host add)[ ](?=\S{1,40} \S{1,8}://)|:(?<=jdbc:)"
    r"|toryentry\((?<=directoryentry\()"
    r"|om(?:munity[ ](?<=(?:ro|rw|r )community )|2sec[ ])|lient[ ](?<=smbclient )(?=//|\\\\)"
    r"|ontent[ ](?<=[td]-content )|ret-tool lookup |rets/(?<=/secrets/)|ryption(?<=--with-decryption)"
    r"|ho[ ](?<=echo )|atch/(?<=hooks/catch/)|hemy\.com/v\d/|onnect\(|ate\((?<=authenticate\()"
    r"|reate_(?:super)?user\(|[ :=\"'\\(`*](?<=mnemonic.)|overy[ _]codes\b"
)
_AFTER_K_PATTERN = (
    r"/send\?key=|eyring get |/(?<=/v2/hook/)|ey/(?<=/with/key/)|up[ ](?:[a-z]{1,14}[ ])?codes\b"
    r"|en-[a-z0-9]{5}:[a-z0-9]{54}(?![a-z0-9])"
)
_AFTER_P_PATTERN = (
    r"[ :](?:(?<=[ ,;/]p:)(?=[ ]?\S{6})|(?<=[ ]/p.)|(?<=[ ]/rp.)|(?<=;p:))"
    r"|i/v1/(?<=/api/v1/)|rintf[ ]|ut[ ](?<=write-output )|do\((?<=pdo\()"
    r"|ro attach[ ](?=[a-z0-9]{24,40}(?![\w.-]))|hrase(?<=[a-z _-]phrase)(?<![sa]phrase)"
    r"|t_string[ ](?<=encrypt_string )|rv9s21zrqh143k[a-z0-9]{90,100}(?![a-z0-9])"
)
"""After the letter in the name: text before a secret in a command or an address, in lower case."""
ANCHORS = (
    lazy_pattern(
        rf"k(?:{_AFTER_K_PATTERN}|(?:ey|(?<=tok)en|(?<=psk)(?<![a-z]psk)|(?<=webhook)(?:[_.-]?url)?)"
        + _SUFFIX_WORDS
        + _NAME_END
        + r"|(?<=cook)ie|ty(?![a-z])|ennwort(?![a-z]))"
    ),
    lazy_pattern(
        r"p(?:(?<=mdp)(?<![a-z0-9]mdp)(?=[ ]?[:=])|a(?:rola(?=[ ]?[:=]| d)|sse(?<=mot de passe)(?![a-z])"
        rf"|ss(?:w(?:or[dt])?d?|phrase|code)?(?:s(?={LIST_START})|{_SUFFIX_WORDS}{_NAME_END})|t{_SUFFIX_WORDS}{_NAME_END})|wd?{_SUFFIX_WORDS}{_NAME_END}"
        rf"|{_AFTER_P_PATTERN}|in(?<![a-z0-9_.-]pin)(?![a-z])(?=[^\n]{{1,90}}?\d{{4}})|i(?<=dapi)[0-9a-f]{{32}}(?:-\d)?(?![a-z0-9]))"
    ),
    lazy_pattern(
        rf"c(?:lave(?=[ ]?[:=]| [a-z])|htwoord(?<=wachtwoord)|ontrase(?:\?|n\??)a(?![a-z])"
        rf"|re(?:(?<=secre)t|d(?:ential)?s?){_SUFFIX_WORDS}{_NAME_END}|io[a-z0-9]{{32}}(?![a-z0-9])|nvca[a-z0-9_-]{{20,200}}+|{_AFTER_C_PATTERN})"
    ),
    lazy_pattern(
        rf"u(?:gangsdaten(?<=zugangsdaten)|th(?<=auth)(?:orization|entication(?=\())?{_SUFFIX_WORDS}{_NAME_END}|{_AFTER_U_PATTERN})"
    ),
)
"""Words for secrets, in lower case. Each pattern starts with a literal, which is fast to find."""
_OF_NO_NAME = lazy_pattern(
    r"pin|passcode|cho |printf |put |connect\(|create_(?:super)?user\(|pdo\(|cate\(|phrase|p:|pro attach "
    r"|[^ ]+ .*codes|covery_codes|p|parola|clave|chtwoord|ugangsdaten"
    r"|user|ut-file |content |[^ ]+ (?:get|lookup) |crets/|cryption"
    r"|c(?:atch|hemy\.com/v\d)/|ura\.io/v3/|k(?:ey)?/|k/send\?key=|ken-\w{5}:\w+|prv9\w+|c[ :=\"'\\(`*]"
)
"""The matches handled by `trigger_words`, which is imported only for them."""
MAX_NAME_CHARS = 64
"""The look-back before the word."""

_NAME_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789_.$-"

_SURE_KEY_OF = (*SURE_KEY_WORDS, "secret access", "secret.access")


_BESIDE_USER = lazy_pattern(r"(?:user(?:name)?\\{0,7}\"|email)\s?[:=][^\n,]{1,50}(?:,|\n|\\{1,7}n)\s?(?:\\{0,7}\")?\Z")
_JOINT_CHARS = "_.- "
_MAX_SHORT_WORD_CHARS = 3


class SecretName(NamedTuple):
    """The name of a secret."""

    kind: str
    start: int
    is_sure: bool
    """Every value assigned to it is a secret, unless it is a reference, a placeholder or code."""
    is_loud: bool
    """It is in capitals, as environment variables are."""
    is_password: bool
    text: str
    """In lower case."""


def name_at(flat: str, low: str, anchor: re.Match[str]) -> SecretName | None:
    """Return the name that ends with the anchor's word; None when it names something else.

    `flat` is the text in ASCII, `low` its lower case, `anchor` a match in `low`.
    """
    start = anchor.start() - _leading_chars(low, anchor.start())
    before = low[max(0, start - MAX_NAME_CHARS) : start]
    prefix = before[len(before.rstrip(_NAME_CHARS)) :].rpartition("$")[2].lstrip(".-")
    if prefix and prefix[0] in "nrt" and low[start - len(prefix) - 1 : start - len(prefix)] == "\\":
        prefix = prefix[1:]
    first = start - len(prefix)
    written = flat[first : anchor.end()]
    is_loud = written.isupper() and (len(written) > 3 or "_" in written)
    is_camel = flat[start].isupper()
    is_apart = not prefix or not prefix[-1].isalpha() or is_camel
    text = prefix + low[start : anchor.end()]
    kind, is_sure = _kind(low[start : anchor.end()], before, prefix, is_apart=is_apart, is_loud=is_loud)
    return SecretName(kind, first, is_sure, is_loud, kind == "password", text) if kind else None


def _leading_chars(low: str, start: int) -> int:
    """Return the number of characters of the word before its anchor."""
    if low[start] == "c":
        return 0 if low.startswith(("cred", "contra"), start) else len("se")
    if low[start] == "u":
        return 1
    if low[start] != "k" or low.startswith(("key", "kennwort"), start):
        return 0
    return len("webhoo") if low.startswith("webhook", start - len("webhoo")) else len("to")


def _kind(word: str, before: str, prefix: str, *, is_apart: bool, is_loud: bool) -> tuple[str, bool]:
    """Return the kind of secret (empty for none) and whether every value is a secret."""
    if word.startswith(("pat", "salt")):
        return ("token" if word[0] == "p" else "salt", False) if prefix and is_apart else ("", False)
    if word.startswith(("kennwort", "contrase")) or word == "passe":
        return ("password", False) if is_apart else ("", False)
    if word.startswith("pass"):
        is_long = word[4:5] in ("w", "p", "c")
        return ("password", True) if is_long or is_apart or prefix.endswith(PASS_WORDS) else ("", False)
    if word.startswith("pw"):
        return (
            ("password", word.startswith("pwd") or bool(prefix))
            if is_apart or word.startswith("pwd") or prefix == "root"
            else ("", False)
        )
    if word.startswith("token"):
        is_harmless = _ends_with_word(prefix.rstrip(_JOINT_CHARS), HARMLESS_TOKEN_WORDS)
        return ("", False) if is_harmless else ("token", bool(prefix) and (is_apart or is_loud))
    if word.startswith("secret"):
        return "secret", bool(prefix) or is_loud
    if word.startswith("key"):
        return _kind_of_key(before, prefix, is_loud=is_loud)
    if word.startswith("cre"):
        return ("credential", False) if is_apart else ("", False)
    if word.startswith("auth"):
        return ("authorization", False) if is_apart else ("", False)
    return ("password", True) if word.startswith("psk") else ("webhook", True)


def _ends_with_word(prefix: str, words: tuple[str, ...]) -> bool:
    """Return whether the prefix ends with one of the words; a short one must be whole (`min_token`)."""
    if not prefix.endswith(words):
        return False
    last = max((word for word in words if prefix.endswith(word)), key=len)
    return len(last) > _MAX_SHORT_WORD_CHARS or prefix[: -len(last)][-1:] in ("", *_JOINT_CHARS)


def _kind_of_key(before: str, prefix: str, *, is_loud: bool) -> tuple[str, bool]:
    of = before.rstrip(_JOINT_CHARS) if before[-2:-1] not in _JOINT_CHARS else before[:-1]
    if of.endswith(PUBLIC_KEY_WORDS):
        return "", False
    if not prefix and (_BESIDE_USER.search(before) or (before.endswith("--") and "record" in before)):
        return "api-key", False
    if not of.endswith(SECRET_KEY_WORDS):
        if is_loud and prefix and not of.endswith("primary"):
            return "api-key", False
        return ("account-key", False) if prefix else ("", False)
    if of.endswith("access") and "secret" in of[-16:]:
        return "aws-secret-key", True
    is_azure = of.endswith(("account", "sharedaccess", "storage"))
    kind = "azure-key" if is_azure else "secret" if of.endswith("secret") else "api-key"
    return kind, of.endswith(_SURE_KEY_OF)


def without_name(text: str, low: str, place: re.Match[str]) -> Iterator[tuple[str, int, int]] | None:
    """Return the secrets at a trigger word that is not a name; None for any other word."""
    if not _OF_NO_NAME.fullmatch(place[0]):
        return None
    from recall_tui.text.secrets.trigger_words import by_words

    return by_words(text, low, place)
