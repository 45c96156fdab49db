"""Resolve the address and the key of a model's HTTP endpoint.

A key from the provider's own environment variable, not configured for this address, is never sent in clear text: only
over TLS or to this machine.
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
    """An address of a model, with its key and proxy."""

    url: str
    key: str = field(default="", repr=False)
    """Empty when none is needed."""
    proxy: str | None = field(default=None, repr=False)
    certificates: str = ""
    """A certificate file to trust in place of the default ones."""
    table: str = "llm"
    """The settings table that it comes from."""

    @property
    def host(self) -> str:
        """Return the host and port for messages, without credentials."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def resolve_endpoint(
    provider: str, base: str, key: str, env: Mapping[str, str], *, table: str = "llm", path: str = ""
) -> Endpoint | Failure:
    """Return the endpoint of a provider, at its default address when `base` is empty; a refusal when it is unusable.

    `table` is the settings table it comes from; `path` replaces the chat path.
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
    """Return whether the host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _key(provider: str, key: str, env: Mapping[str, str], *, is_safe: bool) -> str:
    """Return the configured key, else the provider's own variable where that is safe."""
    usual = env.get(_KEY_VARIABLES.get(provider, ""), "") if is_safe else ""
    return key.strip() or usual.strip()


def _path(path: str, end: str) -> str:
    """Return the full path: `path` may be empty, the version's prefix, or complete."""
    path = path.rstrip("/")
    if path.endswith(end):
        return path
    return f"{path}{end}" if _VERSION_PATH.search(path) else f"{path}/v1{end}"


def _proxy(scheme: str, host: str, env: Mapping[str, str]) -> str | None:
    """Return the proxy that the environment sets for the host."""
    names = (f"{scheme}_proxy", f"{scheme.upper()}_PROXY", "all_proxy", "ALL_PROXY")
    without = [one.strip().lstrip(".") for one in (env.get("no_proxy") or env.get("NO_PROXY") or "").split(",")]
    is_without = any(one == "*" or host == one or host.endswith(f".{one}") for one in without if one)
    if is_local(host) or is_without:
        return None
    return next((env[name] for name in names if env.get(name)), None)
