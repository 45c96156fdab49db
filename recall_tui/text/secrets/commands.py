"""Find passwords passed to commands: in options, as positional arguments or through a pipe.

The command is searched for only where an option, or a rare word, precedes a possible password.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.credentials import cookies

SecretSpan = tuple[str, int, int]
Span = tuple[int, int]

_QUOTES = r"\\{0,7}[\"']"
OPTION_PATTERN = (
    rf"(?<=[\s\"'`(]-)(?:[A-Za-z]{{0,6}}[aAkNpPsuUwWX]|new|-(?:user|u|proxy-user|\w{{0,8}}-?auth|\w{{0,5}}-?creds)\b)"
    rf"(?=[ =:]?(?:{_QUOTES}(?:,[ ]{{0,4}}{_QUOTES})?|[^\s\"'$<{{]{{0,64}}?(?:[\d!@#%^&?~]|[:,]{_QUOTES})))"
    rf"|(?:u(?<= -u)|a(?<= -a)|-(?:proxy-)?user)(?=[ =]?(?:{_QUOTES})?[\w.@+-]{{1,64}}:[^\s/$<{{%\\\d])"
    rf"|[pw](?<= -[pw])(?=[ ]?[a-z]{{2,20}}[A-Z][a-z])|c(?<=(?:et|lk|ne|xt|le|ap|2c|v1| 1) -c)"
    rf"|SecureString|b(?<= -b)[ ]?(?=(?:{_QUOTES})?[\w.-]{{1,40}}=[^\s\"']{{6}})"
)
"""Matches after a dash: an option before a possible password."""

LOGIN, HERE = "login(", "<<"
"""The text before a user and a password in code, and before a string or a document that a command reads."""
PROMPT, SENDS = "assword", "send"
"""Text of a script that answers a password prompt, in lower case."""
_OPTIONS_TEXT = r"""
-a: redis-cli valkey-cli keydb-cli
-w: ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn ldapexop vsql security
-s: ldappasswd
-k: openssl security
-p: sshpass psexec winexe rdesktop mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat rabbitmqadmin
-p: crackmapexec nxc netexec evil-winrm hydra medusa cqlsh gsql cypher-shell clickhouse-client conan twine nuget xcrun
-p: certutil security login useradd usermod elasticsearch-users ncftpput ncftpget add-user cf oc az winrs
-N: ssh-keygen
-P: ssh-keygen zip unzip zipcloak
-P: sqlcmd bcp isql tsql fisql ipmitool mosquitto_pub mosquitto_sub mosquitto_rr knife security wget
-A: snmpwalk snmpget snmpset snmptable snmpbulkwalk snmpgetnext snmptrap
-X: snmpwalk snmpget snmpset snmptable snmpbulkwalk snmpgetnext snmptrap
-pw: plink pscp psftp putty kitty
-ap: swaks
-xp: sendemail
-new: keytool
-c: snmpwalk snmpget snmpset snmptable snmpbulkwalk snmpbulkget snmpgetnext snmptrap onesixtyone
"""
_JOINED_TEXT = r"""
-p: mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mysqlslap mysqlbinlog mysqlsh mariadb
-p: mariadb-dump mariadb-admin 7z 7za 7zz 7zr 7zip rar unrar sshpass
-hp: rar unrar
-P: sqlcmd bcp isql zip unzip
"""
_PAIRS_TEXT = r"""
-a: http https xh xhs httpie
-A: ab
-u: curl
-U: curl
--auth: http https xh xhs httpie
--proxy-auth: ncat
"""
_ONLY_WITH = {
    "security": ("keychain", "-password", "import", "partition"),
    **dict.fromkeys(("oc", "az", "cf", "conan", "nuget"), ("login", "auth", "user", "create-for")),
}
"""The subcommands or options that these commands need, as their option has other uses."""
_LISTED = ("-p", "-P", "-pw", "-w")
_LIST_ITEM = lazy_pattern(rf"{_QUOTES},(?:\s|\\{{1,8}}n){{0,20}}{_QUOTES}([^\s\"'\\]{{8,128}}){_QUOTES}")
"""The next item of a list of arguments, of which the command may be named elsewhere."""
_COOKIE_CHARS = 400
_WINDOW_CHARS = 300
"""The distance before an option within which the command is searched."""
_BREAK = lazy_pattern(r"(?<!\\)\r?\n|(?<!\\)\\[nr]|[ ][|&]|;[ ]|[ ];|\$\(")
"""The end of a command."""
_COMMAND_SUFFIX = lazy_pattern(r"(?:64)?(?:\.(?:exe|sh|py|bat|com))?\Z")
_WORD = lazy_pattern(r"(?<![\w.-])(?:(?<=\\)(?:[nrt]|u[0-9a-f]{4}))?([a-z0-9][\w.-]{0,23})(?=[\s\"'\\])")
_NAME = lazy_pattern(r"-{1,2}[A-Za-z][A-Za-z-]{0,15}")
_OPTION_JOINT = rf"(?:[ =:]|{_QUOTES},[ ]{{0,4}}(?={_QUOTES}))"
_VALUE = (
    r"(?:\\{0,7}\"([^\"\n\\]{4,128})\\{0,7}\"|\\{0,7}'([^'\n\\]{4,128})\\{0,7}'"
    r"|([^\s\"'`<>|;\\$({\[-][^\s\"'`<>|;\\]{3,128}))"
)
_OPTION_VALUE = lazy_pattern(_OPTION_JOINT + _VALUE)
_JOINED_VALUE = lazy_pattern(_VALUE)
_LOGIN = lazy_pattern(
    rf"(?:{_QUOTES})?(?:[\w.-]{{1,64}}\\{{1,4}})?[\w.@+-]{{1,64}}(?P<joint>[:%,])(?:{_QUOTES})?"
    rf"(?P<value>(?![$<{{*%])[^\s\"'`$<>{{}}|;\\]{{4,128}})"
)
_LINE_VALUE = lazy_pattern(
    r"[ \t]+(?:\\{0,7}\"([^\"\n]{0,256}?)\\{0,7}\"|\\{0,7}'([^'\n]{0,256}?)\\{0,7}'|([^\s|;<>\"'`]{1,256}))"
)
_MAX_WORDS = 12
_SECURE_STRING = lazy_pattern(
    r"SecureString(?=[^\n]{0,240}AsPlainText|\([\"'])(?: -(?:AsPlainText|Force|String)){0,3}"
    r"[ ]?\(?(?:[\"']([^\"'\n$]{4,128})[\"']|[ ]?([^\s\"'$()|;-][^\s\"'$()|;]{3,128}))"
)
_PIPED_SECURE_STRING = lazy_pattern(r"[\"']([^\"'\n$]{4,128})[\"'][ ]?\|[ ]?ConvertTo\Z")
_DEVICE_TOKEN = lazy_pattern(r"([A-Za-z0-9_-]{10,64})/(?:telemetry|attributes|rpc|claim|provision)\b")
"""ThingsBoard: the path contains the device token (https://thingsboard.io/docs/reference/http-api/)."""
_AFTER_JDBC = lazy_pattern(
    rf"[^\s\"'\\]{{1,200}}{_QUOTES},\s{{0,40}}{_QUOTES}[^\"'\n\\]{{1,80}}{_QUOTES},\s{{0,40}}"
    rf"{_QUOTES}([^\"'\n\\]{{4,128}}){_QUOTES}"
)
_NEW_VALUE = lazy_pattern(r"(?![$<{*%])([^\s\"'`$<>{}|;\\]{6,128}+)")
_THIRD_ARGUMENT = lazy_pattern(r"(?:[\"'][^\"'\n]{0,200}[\"'],[ ]?){2}[\"']([^\"'\s$<{]{6,128})[\"']")
_PROPERTY = lazy_pattern(r"[A-Za-z_.]\w{0,60}=[^=\s]")
"""An MSBuild property after `/p:`."""
_COLON_PAIR = lazy_pattern(r"[\w.@+-]{1,64}:(?!//)(\S{4,128})\Z")
_PORT = lazy_pattern(r"[\d.:]{1,24}(?:/\w{3})?")
_SIGN = lazy_pattern(r"[\d!@#$%^&*?+=~]")
_LETTER = lazy_pattern(r"[A-Za-z]")


@cache
def _table(text: str) -> dict[str, frozenset[str]]:
    """Parse the table: the options of each command."""
    table: dict[str, set[str]] = {}
    for line in text.split("\n"):
        option, _, commands = line.partition(": ")
        for command in commands.split():
            table.setdefault(command, set()).add(option)
    return {command: frozenset(options) for command, options in table.items()}


@cache
def _command_names() -> frozenset[str]:
    return frozenset({*_table(_OPTIONS_TEXT), *_table(_JOINED_TEXT), *_table(_PAIRS_TEXT), "lftp"})


def _command(before: str) -> str:
    """Return the last command named in the text whose arguments follow; empty when there is none."""
    found, names = "", _command_names()
    for word in _WORD.finditer(before.lower()):
        name = next((one for one in (word[1], word[0], _COMMAND_SUFFIX.sub("", word[1])) if one in names), "")
        if name:
            found = "" if _BREAK.search(before, word.end()) else name
    return found


def command_secrets(text: str, option: re.Pattern[str], first: int) -> Iterator[SecretSpan]:
    """Yield passwords passed to commands in options; `option` matches at least `OPTION_PATTERN`, from `first` on."""
    place = option.search(text, first)
    while place is not None:
        spans = list(_option_secret(text, place))
        for span in spans:
            yield "password", *span
        place = option.search(text, max([place.end(), *(end for _, end in spans)]))


def _option_secret(text: str, place: re.Match[str]) -> Iterator[Span]:
    start = place.start()
    if place[0] == "-SecureString":
        yield from _secure_string(text, start)
        return
    name = _NAME.match(text, start)
    before = text[max(0, start - _WINDOW_CHARS) : start]
    command = _command(before)
    if command in _ONLY_WITH and not any(word in before for word in _ONLY_WITH[command]):
        return
    option = name[0] if name else ""
    end = start + len(option)
    if option in _table(_OPTIONS_TEXT).get(command, ()) and (given := _OPTION_VALUE.match(text, end)):
        yield from _option_value(text, given.span(given.lastindex or 1))
        return
    for joined in _table(_JOINED_TEXT).get(command, ()):
        given = _JOINED_VALUE.match(text, start + len(joined)) if text.startswith(joined, start) else None
        if given is not None:
            yield from _option_value(text, given.span(given.lastindex or 1))
            return
    if option == "-b" and command == "curl":
        line_end = text.find("\n", start, start + _COOKIE_CHARS)
        for _, first, last in cookies(text, end, line_end if line_end >= 0 else min(len(text), end + _COOKIE_CHARS)):
            yield first, last
        return
    if command == "zip" and option.endswith("P") and (given := _OPTION_VALUE.match(text, end)):
        yield from _option_value(text, given.span(given.lastindex or 1))
        return
    if (
        option in _LISTED
        and not command
        and (given := _LIST_ITEM.match(text, end))
        and values.is_mixed_password(given[1])
    ):
        yield given.span(1)
        return
    yield from _login_secret(text, start, option, command)


def _login_secret(text: str, start: int, option: str, command: str) -> Iterator[Span]:
    """Yield the password of `-u user:password` and similar options."""
    is_pair = option in _table(_PAIRS_TEXT).get(command, ()) or option.endswith("creds")
    joints = ":" if is_pair or option in ("-u", "--u", "--user", "--proxy-user") else ""
    if command == "curl" and not joints and "u" in option[:8] and not option.startswith("--"):
        option, joints = option[: option.index("u") + 1], ":"
    if option in ("-U", "--user"):
        joints += "%"
    if command == "lftp" and option == "-u":
        joints = ","
    end = start + len(option)
    is_joined = text[end : end + 1] not in (" ", "=")
    login = _LOGIN.match(text, end + (not is_joined)) if joints and (not is_joined or command == "curl") else None
    if login is None or login["joint"] not in joints:
        return
    value = login["value"]
    is_sure = login["joint"] != ":" or is_pair or command == "curl"
    has_both = any(map(str.isdigit, value)) and any(map(str.islower, value))
    if (is_sure and len(value) >= 6) or (has_both and (is_sure or len(value) >= 6)):
        yield from _option_value(text, login.span("value"))


def _option_value(text: str, span: Span) -> Iterator[Span]:
    if is_password_value(text[slice(*span)]):
        yield span


def is_password_value(value: str) -> bool:
    """Return whether a value in a password's position is a password, not a reference, a placeholder or a port."""
    if values.is_reference(value) or values.is_placeholder(value) or "[redacted:" in value or _PORT.fullmatch(value):
        return False
    return _LETTER.search(value) is not None and not values.is_address(value)


def is_likely_password(value: str) -> bool:
    """Return whether a value is a password where other values occur too: it has a symbol or a
    digit, or forms no words.
    """
    return len(value) >= 6 and bool(_SIGN.search(value) or values.is_turning(value)) and is_password_value(value)


def _secure_string(text: str, start: int) -> Iterator[Span]:
    given = _SECURE_STRING.match(text, start + 1)
    if given is None:
        given = _PIPED_SECURE_STRING.search(text, max(0, start - _WINDOW_CHARS), start)
    if given is not None:
        yield from _option_value(text, given.span(given.lastindex or 1))


def positional_secret(text: str, place: re.Match[str]) -> Iterator[SecretSpan]:
    """Yield the secret at a fixed position of a command or an address, identified by the match."""
    end = place.end()
    spans: list[Span] = []
    match place[0]:
        case "p:" | "p ":
            given = None if _PROPERTY.match(text, end) else _JOINED_VALUE.match(text, end)
            spans = [given.span(given.lastindex or 1)] if given else []
        case "pi/v1/":
            device = _DEVICE_TOKEN.match(text, end)
            spans = [device.span(1)] if device and values.is_irregular(device[1]) else []
        case "c:":
            login = _AFTER_JDBC.match(text, end)
            spans = [login.span(1)] if login else []
        case "ue: " | "ctoryentry(":
            pattern = _NEW_VALUE if place[0][0] == "u" else _THIRD_ARGUMENT
            given = pattern.match(text, end)
            spans = [given.span(1)] if given and any(map(str.isdigit, given[1])) else []
        case "pt_string " | "ure ":
            spans = _command_words(text, end)[:1]
        case "c.":
            spans = _command_words(text, end + len(text[end : end + 80].split(" ")[0]) + 1)[1:2]
        case "community ":
            spans = _command_words(text, end)[:1]
        case "com2sec ":
            spans = [one for one in _command_words(text, end) if text[one[0]] != "-"][2:3]
        case "client ":
            spans = _command_words(text, end)[1:2]
        case "use ":
            spans = [
                one for one in _command_words(text, end) if text[one[0]] not in "/*\\" and text[one[0] + 1 :][:1] != ":"
            ][:1]
        case "user ":
            spans = _command_words(text, end)[1:2]
            spans = _after_colon(text, spans) if text.startswith("add ", end) else spans
        case "undle config ":
            spans = _after_colon(text, [one for one in _command_words(text, end) if text[one[0]] != "-"][-1:])
        case "ult login " | "unseal ":
            spans = _tokens(text, [one for one in _command_words(text, end) if text[one[0]] != "-"][:1])
        case _:
            spans = _command_words(text, end)[3:4]
    for start, last in spans:
        if is_likely_password(text[start:last]) and text[start] not in "/-":
            yield "password", start, last


def _tokens(text: str, spans: list[Span]) -> list[Span]:
    """Return the tokens, also of `token=…`; other named values are dropped."""
    return [
        (start + 6 if text.startswith("token=", start) else start, end)
        for start, end in spans
        if "=" not in text[start:end].removeprefix("token=").rstrip("=")
    ]


def _after_colon(text: str, spans: list[Span]) -> list[Span]:
    pairs = [_COLON_PAIR.match(text, *span) for span in spans]
    return [pair.span(1) for pair in pairs if pair]


def _command_words(text: str, start: int) -> list[Span]:
    """Return the arguments of a command from `start` to its end, without quotes."""
    spans: list[Span] = []
    place = start - 1
    while len(spans) < _MAX_WORDS and (word := _LINE_VALUE.match(text, place)):
        first, last = word.span(word.lastindex or 1)
        place = word.end()
        if text[first:last] in ("&", "&&", "\\"):
            break
        cut = text.find("\\n", first + 2, last)
        spans.append((first, cut if cut > 0 else last))
        if cut > 0:
            break
    return spans


def passwd_secret(text: str, name: str, end: int) -> Iterator[Span]:
    """Yield the password of `htpasswd -b`, of `dscl -passwd` or in a Postfix map; the name ends at `end`."""
    if name == "sasl_passwd":
        yield from (one.span(1) for one in _POSTFIX.finditer(text, end, end + _POSTFIX_CHARS))
        return
    words = _command_words(text, end + 1)
    if words and text.startswith("/Users/", words[0][0]):
        yield from (span for span in words[1:2] if is_likely_password(text[slice(*span)]))
        return
    options = "".join(text[slice(*span)] for span in words if text[span[0]] == "-")
    if "b" not in options or "--" in options:
        return
    others = [span for span in words if text[span[0]] != "-"]
    if "C" in options and others and text[slice(*others[0])].isdigit():
        others = others[1:]
    number = 1 if "n" in options else 2
    yield from (span for span in others[number : number + 1] if is_password_value(text[slice(*span)]))


_POSTFIX = lazy_pattern(r"(?:\n|\\{1,7}n)\[?[\w.-]{3,80}\]?(?::\d{1,5})?[ \t]{1,8}[\w.@+-]{1,80}:([^\s\"'\\]{4,128})")
_POSTFIX_CHARS = 2_000
_SETTING_COMMAND = lazy_pattern(
    r"(?:configure set|\bconfig(?: set| --\w+| --global){0,3}|\bsetx|\b[Ss]et[Ee]nv|\bset(?: -\w{1,3})?|\bENV|\bput"
    r"|\bsecrets? set|\bsecret create|\bvault kv put|\bgcloud config set|#define|\bfastcgi_param"
    r"|mysqladmin [^\s|;][^\n|;]{0,60}|\bwifi connect [^\s|;]{1,40}|\bcon(?:nection)? modify [^\s|;]{1,40}"
    r"|\brclone config \w{4,8}(?: \w{1,20}){1,6}|\boutput [^\s|;]{1,80})[ \t]{1,8}[\w./:@-]{0,60}\Z"
)
"""The text before a name whose value a command or a settings file takes from the next word."""
_SETTING_COMMAND_HINTS = (
    "set",
    "Set",
    "ENV",
    "put",
    "config",
    "define ",
    "fastcgi",
    "mysqladmin",
    "connect ",
    "modify ",
)
_LOGIN_COMMAND_HINTS = ("ngrok ", "snyk ", "fly", "doctl ", "netlify ", "supabase ", "railway ")
_LOGIN_COMMAND = lazy_pattern(
    r"\b(?:ngrok|snyk|flyctl|fly|doctl|netlify|supabase|railway)(?: config| auth)? (?:add-)?\Z"
)
_VERBS = ("set-", "set_", "reset-", "reset_", "change-", "change_", "update-", "update_", "create-", "create_", "wpa_")
_HAS_USER = ("change_password", "wpa_passphrase")
_BODY = lazy_pattern(r"(?: -{1,2}\w[\w-]{0,20} [\w./-]{1,80}){0,3} (?:--body|-b|--value)[ =]")
"""The text between the name that `gh secret set` sets and its value."""
_REGISTRY = lazy_pattern(r"[\"']? /t REG_(?:EXPAND_)?SZ (?:/f )?/d ")


def command_value_start(text: str, name: str, is_loud: bool, before: str, end: int) -> int | None:
    """Return the start of the value that a command assigns to the name ending at `end`: `ENV NAME …`."""
    if registry := _REGISTRY.match(text, end):
        return registry.end()
    is_set = any(word in before for word in _SETTING_COMMAND_HINTS)
    sets = _SETTING_COMMAND.search(before) if is_set else None
    if sets is not None and (is_loud or not sets[0].startswith("set ")):
        body = _BODY.match(text, end)
        return body.end() if body else end + 1
    if name.startswith(_VERBS) and name.endswith(("password", "passphrase")):
        words = _command_words(text, end + 1)
        number = name in _HAS_USER
        return words[number][0] if len(words) > number and is_likely_password(text[slice(*words[number])]) else None
    return end + 1 if any(word in before for word in _LOGIN_COMMAND_HINTS) and _LOGIN_COMMAND.search(before) else None
