"""Where a model is asked over HTTP, and with which key.

A key that was not given for this address, but found in the provider's own variable, never goes out in clear: only over
TLS, or to this machine itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from recall_tui.llm.model import Failure

BASE_URLS: Mapping[str, str] = {
    "openai": "https://api.openai.com",
    "anthropic": "https://api.anthropic.com",
    "ollama": "http://localhost:11434",
}
_PATHS = {"openai": "/chat/completions", "ollama": "/chat/completions", "anthropic": "/messages"}
_KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_VERSION_PATH = re.compile(r"/v\d[^/]*(?:/|$)")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address that is asked."""

    url: str
    key: str = field(default="", repr=False)
    """Empty when none is needed."""
    proxy: str | None = field(default=None, repr=False)
    certificates: str = ""
    """A file of certificates to trust in place of the usual ones."""
    table: str = "llm"
    """The table of the settings that say it."""

    @property
    def host(self) -> str:
        """The host, for a person."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def resolve_endpoint(
    provider: str, base: str, key: str, env: Mapping[str, str], *, table: str = "llm", path: str = ""
) -> Endpoint | Failure:
    """The endpoint of a provider, at its own address when `base` is empty; a refusal when it cannot be asked.

    `table` is where the settings say it, and `path` what is asked there, when that is no conversation.
    """
    base = base.strip() or BASE_URLS[provider]
    try:
        parts = urlsplit(base)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
        _ = parts.port
    except ValueError:
        is_address = False
    if not is_address:
        hint = f"recall-tui config set {table}.api_base https://…"
        return Failure(f"{table}.api_base is no address of the form https://host", hint, is_refusal=True)
    host = parts.hostname or ""
    given = _key(provider, key, env, is_safe=parts.scheme == "https" or is_local(host))
    if not given and not (is_local(host) or provider == "ollama"):
        hint = f"set RECALL_{table.upper()}_API_KEY or {_KEY_VARIABLES[provider]} in the environment"
        return Failure(f"there is no key for {host}", hint, is_refusal=True)
    if not (given.isascii() and given.isprintable()):
        return Failure(f"the key for {host} holds characters that no key has", is_refusal=True)
    whole = _path(parts.path, path or _PATHS[provider])
    url = parts._replace(path=whole, fragment="").geturl()
    return Endpoint(url, given, _proxy(parts.scheme, host, env), env.get("SSL_CERT_FILE", ""), table)


def is_local(host: str) -> bool:
    """Whether the host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _key(provider: str, key: str, env: Mapping[str, str], *, is_safe: bool) -> str:
    """The key that was given, else that of the provider's own variable where it is safe."""
    usual = env.get(_KEY_VARIABLES.get(provider, ""), "") if is_safe else ""
    return key.strip() or usual.strip()


def _path(path: str, end: str) -> str:
    """The path to ask: what is given may be the host alone, the version's folder, or all of it."""
    path = path.rstrip("/")
    if path.endswith(end):
        return path
    return f"{path}{end}" if _VERSION_PATH.search(path) else f"{path}/v1{end}"


def _proxy(scheme: str, host: str, env: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for the host."""
    names = (f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY")
    without = [one.strip().lstrip(".") for one in (env.get("no_proxy") or env.get("NO_PROXY") or "").split(",")]
    is_without = any(one == "*" or host == one or host.endswith(f".{one}") for one in without if one)
    if is_local(host) or is_without:
        return None
    return next((env[name] for name in names if env.get(name)), None)
