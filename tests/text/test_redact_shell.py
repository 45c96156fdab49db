"""Secrets that a shell writes to a file, hands to a command or prints."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

WRITTEN = (
    "echo {} > ~/.db_password",
    "echo '{}' > ~/.vault_pass",
    'echo "{}" >> secrets/api_token',
    "echo -n {} > db_password.txt",
    "printf '%s' '{}' > /run/secrets/db_password",
    "printf {} > .vault-password",
    "printf '{}\\n' > ~/.ssh/passphrase",
    "echo {} | sudo tee /etc/db.secret",
    "echo {} | tee -a ~/.vault_pass >/dev/null",
    "cat > ~/.vault_pass <<EOF\n{}\nEOF",
    "cat <<EOF > ~/.vault_pass\n{}\nEOF\n",
    "cat <<'EOF' >~/.db_password\n{}\nEOF\n",
    "cat > secrets/db_password.txt <<-EOS\n\t{}\n\tEOS",
    "sudo tee /etc/vault_pass <<EOF\n{}\nEOF",
    "docker secret create db_password - <<EOF\n{}\nEOF",
    "docker login -u bob --password-stdin <<EOF\n{}\nEOF",
    "gh secret set API_TOKEN <<EOF\n{}\nEOF",
    "Set-Content -Path db_password.txt -Value '{}'",
    "'{}' | Out-File vault_pass.txt",
    "tee ~/.config/db_password <<< '{}'",
    "install -m 600 /dev/stdin ~/.vault_pass <<EOF\n{}\nEOF",
    'echo "{}" | base64 > token.b64',
)
HANDED_ON = (
    "printf {} | docker login -u bob --password-stdin",
    "printf '%s\\n' {} | docker login --username bob --password-stdin registry.example",
    "echo -n {} | gh secret set API_TOKEN",
    "docker login --password-stdin <<< {}",
    "curl -u bob:{} https://api.example",
    "curl -s -ubob:{} https://api.example",
    "curl --user bob:{} https://api.example",
    "curl --user 'bob:{}' https://api.example",
    "curl --proxy-user=bob:{} https://api.example",
    "http -a bob:{} https://api.example",
    "openssl req -x509 -keyout k.pem -passout pass:{}",
    "openssl rsa -in k.pem -passin pass:{} -out x.pem",
    "openssl pkcs12 -export -passout 'pass:{}' -in a.pem",
    "openssl enc -aes-256-cbc -pass pass:{} -in a -out b",
    "user bob on >{} ~* +@all",
    "user default on nopass >{}",
    "ACL SETUSER bob on >{} ~cache:* +get",
    "redis-cli ACL SETUSER bob reset on '>{}' allkeys",
    "AUTH {}",
    "AUTH bob {}",
    "redis-cli auth {}",
    "redis-cli -h cache.example AUTH {}",
    "127.0.0.1:6379> AUTH {}\nOK",
)
PRINTED = (
    "$ pass show db/prod\n{}\n",
    "$ pass db/prod\n{}\n",
    "$ gopass show -o db/prod\n{}\n",
    "user@host:~$ pass show work/mail\n{}\nuser@host:~$ ",
    "> aws secretsmanager get-secret-value --secret-id db --query SecretString --output text\n{}\n",
    "aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text\n{}",
    "$ kubectl get secret db -o jsonpath='{{.data.password}}' | base64 -d\n{}\n",
    "$ kubectl get secret db -o jsonpath='{{.data.password}}' | base64 --decode; echo\n{}\n",
    "$ kubectl -n x get secret pg -o go-template='{{{{.data.password|base64decode}}}}'\n{}\n",
    "$ pass -c0 show mail/bob\n{}",
    "$ docker exec app cat /run/secrets/api\n{}\n",
    '$ op read "op://prod/db/password"\n{}\n',
    "$ op read op://prod/db/password\n{}\n",
    "$ vault kv get -field=password secret/db\n{}\n",
    "$ gcloud secrets versions access latest --secret=db-password\n{}\n",
    "$ az keyvault secret show --vault-name v --name db --query value -o tsv\n{}\n",
    "$ security find-generic-password -w -s db\n{}\n",
    "$ secret-tool lookup service db\n{}\n",
    "$ bw get password github\n{}\n",
    "$ lpass show --password github\n{}\n",
    "$ keyring get db bob\n{}\n",
    "$ cat ~/.vault_pass\n{}\n",
    "$ cat /run/secrets/db_password\n{}\n",
    "$ echo $DB_PASSWORD\n{}\n",
    "$ printenv DB_PASSWORD\n{}\n",
    "$ doppler secrets get DB_PASSWORD --plain\n{}\n",
    "$ heroku config:get DB_PASSWORD\n{}\n",
    "● Bash(pass show db/prod)\n  ⎿  {}\n",
)
SECRETS = ("blueWhale7", "x7KqPz92mT")
WORD = "blueWhale"
"""A word without a digit, which only a sure place tells for a password."""
SURE = (*HANDED_ON[:2], *HANDED_ON[3:19], WRITTEN[0], WRITTEN[9], *PRINTED[:4])
HARMLESS = (
    "echo done2 > result.txt",
    "echo keyboard-2 > keyboard2.txt",
    "echo $DB_PASSWORD > ~/.db_password",
    "echo password required > secret.log",
    "echo 1234 > tests/pass_count2",
    "cat > ~/.vault_pass <<EOF\n$VAULT_PASS\nEOF",
    "cat > notes2.txt <<EOF\nblueWhale7\nEOF",
    "cout << blueWhale7 << endl;",
    "curl -u user:password https://api.example",
    "curl -u $USER:$PASSWORD https://api.example",
    "curl -u bob: https://api.example",
    "curl -u bob https://api.example",
    "git push -u origin:main2",
    "docker run -u node:node image",
    "http -a user:pass https://api.example",
    "-passin pass:$PASS1 and -passin env:PASS2 and -passin file:pass2.txt",
    "user bob on the team > 12 people",
    "the user is on >= v2Beta",
    "AUTH failed",
    "AUTH PLAIN LOGIN",
    "AUTH required2",
    "$ pass show db/prod\nError: db/prod is not in the password store.\n",
    "$ pass show db/prod\n$ ls\n",
    "$ pass show\nPassword Store\n├── db\n",
    "$ cat ~/.vault_pass\ncat: /home/u/.vault_pass: No such file or directory\n",
    "$ echo $DB_PASSWORD\n\n$ ls2\n",
    "$ kubectl get secret db\nNAME   TYPE\n",
    "pass show\nsomething2",
    "tests that pass show\ngreen22\n",
    "the secret is shown\nexample2\n",
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("text", (*WRITTEN, *HANDED_ON, *PRINTED))
def test_a_secret_in_a_shell_goes(text: str, secret: str) -> None:
    plain = text.format(secret)
    assert secret not in redact(plain)
    assert secret not in redact(json.dumps({"output": plain}))


@pytest.mark.parametrize("text", SURE)
def test_a_sure_place_needs_no_digit(text: str) -> None:
    assert WORD not in redact(text.format(WORD))


@pytest.mark.parametrize("text", HARMLESS)
def test_other_commands_and_their_output_stay(text: str) -> None:
    assert redact(text) == text
    line = json.dumps({"output": text})
    assert redact(line) == line


def test_a_command_may_end_with_a_word_of_one_character() -> None:
    assert redact("to map it, run: net use Z") == "to map it, run: net use Z"
