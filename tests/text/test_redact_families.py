"""Secrets in the places that whole families of commands, calls, sentences and documents give them."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

PASSWORDS = ("q7Rt2LmPzW9x", "hT8!kkqLm2w", "Sommer-2024x")
COMMANDS = (
    "redis-cli --no-auth-warning -a '{}' ping",
    "sudo rabbitmqctl add_user grafana {}",
    "rabbitmqctl change_password grafana '{}'",
    "bundle config set gems.example.com ci:{}",
    "bundle config --local https://gems.example.com/ ci:{}",
    "curl -sSu robot:{} https://ci.example/job",
    "curl -u robot:'{}' https://ci.example/job",
    "htpasswd -Bbn grafana {} > auth",
    "htpasswd -c -B -b .htpasswd grafana {}",
    "chpasswd <<< 'deploy:{}'",
    "echo '{}' | sudo -S apt update",
    "echo '{}' | docker login -u jo --password-stdin ghcr.io",
    "echo {} | gpg --batch --passphrase-fd 0 -d backup.gpg",
    "echo '{}' | passwd --stdin jo",
    "net use X: \\\\filer\\share {} /user:CORP\\svc",
    "net use X: \\\\filer\\share /user:CORP\\svc {}",
    "net user jo {} /add",
    "ConvertTo-SecureString -AsPlainText -Force -String '{}'",
    "'{}' | ConvertTo-SecureString -AsPlainText -Force",
    "ldapmodify -H ldap://h -D cn=admin -w {} -f a.ldif",
    "PsExec64.exe \\\\host -u admin -p '{}' cmd.exe",
    "xfreerdp /u:jo /p:{} /v:host",
    "schtasks /create /tn t /tr c /ru CORP\\svc /rp {}",
    "cmdkey /add:host /user:jo /pass:{}",
    "mongodump -u jo -p {} --archive",
    "smbclient //filer/share -U 'CORP\\jo%{}'",
    "openssl rsa -in k.pem -passin pass:{} -out o.pem",
    "7z a -mhe=on -p{} a.7z dir",
    "zip -rP '{}' a.zip dir",
    "mysqladmin -u root password '{}'",
    "lftp -u jo,{} ftp.example",
    "http -a jo:{} GET example.com",
    'subprocess.run(["redis-cli", "-a", "{}", "ping"])',
    "mc alias set store http://store:9000 admin {}",
    "reg add HKLM\\Winlogon /v DefaultPassword /t REG_SZ /d {} /f",
    "msf > set PASSWORD {}",
    "SetEnv DB_PASSWORD {}",
)
NESTED = (
    '{{"db_password": {{"sensitive": true, "type": "string", "value": {}}}}}',
    '{{\n  "db_password": {{\n    "sensitive": true,\n    "value": {}\n  }}\n}}',
    '[{{"name": "DB_PASSWORD", "value": {}}}, {{"name": "PORT", "value": "80"}}]',
    '[{{"value": {}, "name": "DB_PASSWORD"}}, {{"name": "PORT", "value": "80"}}]',
    "env:\n  - name: DB_PASSWORD\n    value: {}\n  - name: PORT\n",
    "env:\n  - value: {}\n    name: DB_PASSWORD\n",
    "db_password:\n  description: of staging\n  value: {}\nother: 1\n",
)
SENTENCES = (
    "the SERVICE_PASSWORD for the staging box is {} - change it",
    "The root password was changed to {} yesterday.",
    "Temporary password created for jo@example.com: {}",
    "please use password {} to log in",
    "my password's {} if you need it",
    "Enter this password to go on:\n\n{}\n\nIt may be found in the log too.",
)
CALLS = (
    "define( 'DB_PASSWORD', '{}' );",
    'putenv("DB_PASSWORD={}");',
    'os.Setenv("DB_PASSWORD", "{}")',
    "[Environment]::SetEnvironmentVariable('DB_PASSWORD', '{}', 'User')",
    "ENV['DB_PASSWORD'] ||= '{}'",
    'props.setProperty("db.password", "{}");',
    'dataSource.setPassword("{}");',
    'new PasswordAuthentication("jo", "{}".toCharArray())',
    'requests.get(url, auth=HTTPBasicAuth("jo", "{}"))',
    'DriverManager.getConnection("jdbc:mysql://db/shop", "jo", "{}")',
    '#define WIFI_PASSWORD "{}"',
    "SET PASSWORD FOR 'jo'@'localhost' = PASSWORD('{}');",
    "CREATE LOGIN jo WITH PASSWORD = N'{}';",
)
_MIXED = "aZ7kQ2mW9xT4bR6cV1nL8pY3sD5fG0hJ"
_HEX = "4f0c1d9be0a7c63d5512ab90ffe3c1bb"
ISSUED = (
    f"bpk-{_HEX}", f"e2b_{_HEX}09af12cd", "hawk.k3Jd9Qm2Xz7Lp0Vb5Nc8.Ht1Rw6Ys4FgAeUiOaPlT", f"AIK_CI_{_MIXED}",
    f"cnvca{_MIXED}aB12", f"cio{_MIXED}", "bb_live_k3Jd9Qm2Xz7Lp0Vb5Nc8Hta", f"vci_{_MIXED}", f"ddp_{_MIXED}q2E4",
    f"sk_production_{_MIXED}", f"pha_{_MIXED}aB1", "sb_secret_k3Jd9Qm2Xz7Lp0Vb5Nc8Ht_a8Kq2lPw", f"tr_prod_{_MIXED}",
    f"signkey-prod-{_HEX}{_HEX}", f"sbp_oauth_{_HEX}09af12cd", f"dapi{_HEX}",
    "dt0s02.ABCDEFG2." + "A2B3C4D5" * 8,
)  # fmt: skip
HARMLESS = (
    "docker run -u 1000:1000 -p 8080:80 nginx:1.27",
    "git add -p src/app2.py && ssh -p 2222 jo@h && mkdir -p src/v2/api",
    "mysql -u root -p shop2",
    'curl -u "$USER:$TOKEN2" https://example.com',
    "redis-cli -a $REDIS_PASSWORD -p 6379 ping",
    "rabbitmqctl add_user NAME PASSWORD",
    "bundle config set --local path vendor/bundle2",
    "htpasswd -c /etc/nginx/.htpasswd2 grafana",
    'echo "user:$PASSWORD" | chpasswd',
    "net use X: \\\\filer2\\share /user:jo *",
    "ConvertTo-SecureString -String $env:PW2 -AsPlainText -Force",
    "vault login -method=oidc role=dev2",
    "https://user:password@example.com/repo.git",
    "the token for CI is read from GITHUB_TOKEN",
    "A temporary password is generated for you at first login: see log2.txt",
    "Enter the password to continue:\n\njo@host2:~$ ls\n",
    '{"password": {"type": "string", "value": "${var.db_password}"}}',
    "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db-2\n",
    "- name: API_KEY_NAME\n  value: x-api-key\n",
    "i18n.set('password', 'Passwort'); t('password', 'Enter your password 2')",
    "expect(result.auth('login', 'failed'))",
    "https://example.com/api/v1/device-profile-2/attributes",
    "iVBORw0KGgoCIO9jlvjBIS6XGcbRGbO3Itoiff0jKB14m6cioaZ7kQ2mW9xT4bR6cV1nL8pY3sD5fG0hJ",
    "delicious and precious hawk.tui.screens.home_view2",
)


def _is_masked(text: str, secret: str) -> bool:
    """Tell whether nothing of the secret is left in the text, as it stands and as a line of JSON holds it."""
    line = redact(json.dumps({"text": text}))
    return secret not in redact(text) and json.dumps(secret)[1:-1] not in line


@pytest.mark.parametrize("text", COMMANDS)
def test_a_password_given_to_a_command_is_masked(text: str) -> None:
    for password in PASSWORDS:
        assert _is_masked(text.replace("{}", password), password), password


@pytest.mark.parametrize("text", NESTED)
def test_a_value_beside_or_below_its_name_is_masked(text: str) -> None:
    for password in (*PASSWORDS, "Nimbus#Kettle"):
        assert _is_masked(text.format(json.dumps(password)), password), password


@pytest.mark.parametrize("text", SENTENCES)
def test_a_password_that_a_sentence_tells_is_masked(text: str) -> None:
    for password in PASSWORDS:
        assert _is_masked(text.format(password), password), password


@pytest.mark.parametrize("text", CALLS)
def test_a_password_in_a_call_of_code_is_masked(text: str) -> None:
    for password in (*PASSWORDS, "Nimbus#Kettle", "a]b[c;D3:x<y"):
        assert _is_masked(text.replace("{}", password), password), password


@pytest.mark.parametrize("token", ISSUED)
def test_a_token_is_known_by_the_prefix_of_its_issuer(token: str) -> None:
    for text in (token, f"we use {token} for this", f"KEY={token}", f"+{token}\n"):
        assert _is_masked(text, token), text


def test_the_token_of_a_device_in_the_path_of_an_address_is_masked() -> None:
    text = "curl http://things.example:8080/api/v1/k3Jd9Qm2Xz7Lp0Vb5Nc8/telemetry"
    assert _is_masked(text, "k3Jd9Qm2Xz7Lp0Vb5Nc8")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_such_a_place_stays(text: str) -> None:
    assert redact(text) == text
