"""Lines that look like secrets and are none: digests, ids, names, places to fill in, pictures.

Whoever is told of a secret in one of them stops believing what is said of secrets.
"""

from __future__ import annotations

import base64
import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path

_HEX = "0123456789abcdef"
FIXED = """
https://cdn.example.test/lib.js?v=3f2a9c1d&h=a1b2c3d4e5f60718293a4b5c6d7e8f90
Signature Version 4: X-Amz-Signature=<signature>
https://shop.blob.core.windows.net/backups?sig=<your signature>
curl -u "$USER:$PASSWORD" https://api.example.test
curl -u user:password https://api.example.test
docker run --rm -u 1000:1000 -p 8080:80 shop
mkdir -p build/output2 && cp -p a1 b2
git push -u origin feature/login-2
mysql -u root -p shop
mysql -h db1 -P 3306 -u root -p$MYSQL_PASSWORD shop
sshpass -p "$SSH_PASSWORD" ssh deploy@web1
docker login -u build --password-stdin registry.example.test
machine api.example.test login $USER password $PASSWORD1
the login screen asks for the password twice
Cookie: theme=dark; lang=en; consent=2026-01-01
Set-Cookie: sessionid=deleted; Path=/; Max-Age=0
cookies are set with SameSite=Lax and expire after 3600 s
<password>${DB_PASSWORD}</password>
<token>{{ .Values.token1 }}</token>
<Token type="keyword1">return</Token>
"auth": "none"
"auth": { "type": "bearer", "bearer": [] }
client-key-data: <base64>
Private-Lines: the number of lines of the key
sk-learn is scikit-learn, sk-toggleable__control-hidden--visually
glpat-xxxxxxxxxxxxxxxxxxxx
npm_config_registry=https://registry.npmjs.org npm_lifecycle_event=test
hf_hub_download(repo_id="shop/model")
ntn_calendar gsk_loss sbp_total figd_out r8_unorm lin_api_version shpat_name
xai-explainability pul-lover key-value key-0123456789
hvs.Client() hvb.load dp.pt.is_available() dp.st.text_input
setattr(token, "position", start)
define('WP_DEBUG', false);
getenv("API_KEY", "")
password: must be at least 12 characters
PASSWORD_RESET_TIMEOUT = 259200
token = tokens[index + 1]
key = "user_1234_profile_picture"
AUTH_KEY=changeme
T3 :AAA battery :AAAA address
https://example.test/#section-us12
locale-us1 en-us1 mac-us2-standard
Q~ is no secret and 8Q~ neither
""".strip().splitlines()
"""Lines that stay as they are."""


def lines(seed: int = 7, each: int = 200) -> list[str]:
    """The fixed lines and as many of each kind that is drawn."""
    drawn = random.Random(seed)
    made = list(FIXED)
    for _ in range(each):
        made += _drawn(drawn)
    return made


def _drawn(drawn: random.Random) -> list[str]:
    def hexes(size: int) -> str:
        return "".join(drawn.choices(_HEX, k=size))

    def packed(size: int) -> str:
        return base64.b64encode(drawn.randbytes(size)).decode()

    some = str(uuid.UUID(int=drawn.getrandbits(128), version=4))
    return [
        f"commit {hexes(40)}",
        f"index {hexes(7)}..{hexes(7)} 100644",
        f"Merge: {hexes(9)} {hexes(9)}",
        f'{{"uuid": "{some}", "parentUuid": "{some}", "requestId": "req_{hexes(24)}"}}',
        f"/home/u/.claude/projects/-home-u-shop/{some}.jsonl",
        f"    --hash=sha256:{hexes(64)} \\",
        f'      "integrity": "sha512-{packed(64)}",',
        f'<script src="a.js" integrity="sha384-{packed(48)}" crossorigin="anonymous"></script>',
        f'checksum = "{hexes(64)}"',
        f'h1:{packed(32)} => go.sum',
        f'<img src="data:image/png;base64,{packed(300)}">',
        f"background: url(data:font/woff2;base64,{packed(200)}) #{hexes(6)};",
        f"msg_01{drawn.randrange(10**20)} toolu_01{hexes(22)}",
        f"sha256:{hexes(64)} 1.2MB docker.io/library/python@sha256:{hexes(64)}",
        f".css-{hexes(8)}-Button {{ color: #{hexes(6)}; }}",
        f"0x{hexes(16)} <main+{drawn.randrange(999)}>: mov %rax,%rbx",
        f"{drawn.random():.17f} {drawn.randrange(10**15)} 2026-03-06T12:00:00.{drawn.randrange(10**6)}Z",
        f"ETag: \"{hexes(32)}\" request-id: {some}",
        f"chunk-{hexes(8)}.js  {drawn.randrange(999)}.{drawn.randrange(99)} kB │ gzip: {drawn.randrange(99)} kB",
    ]  # fmt: skip


def said_in(folder: Path) -> Iterator[str]:
    """Every text in the transcripts below a folder."""
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            try:
                yield from _strings(json.loads(line))
            except ValueError:
                yield line


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
