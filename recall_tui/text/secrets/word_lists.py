"""Word lists that distinguish secrets from similar text."""

from __future__ import annotations

LATIN_STEMS = ("haslo", "heslo", "senha")
"""Names in ASCII without a letter that `names.ANCHORS` looks for, in lower case."""

_KEY_OF_TEXT = """
api access account private priv secret auth encryption encrypt cipher aes signing sign signature master shared
client service storage license deploy webhook session hmac jwt crypt crypto integration subscription admin app
application consumer developer dev root ssh host server tls ssl db database rsa ec write read search ingest
insert publish sdk security recovery unseal wallet token function functions managed sharedaccess
validation decryption decrypt fernet
"""
SECRET_KEY_WORDS = tuple(_KEY_OF_TEXT.split())
"""Purposes of a key that make it a possible secret."""

_SURE_KEY_OF_TEXT = """
api secretaccess secret_access secret-access private priv secret auth encryption cipher signing master shared
account storage consumer deploy license hmac jwt service client unseal subscription sharedaccess
validation decryption decrypt fernet
"""
SURE_KEY_WORDS = tuple(_SURE_KEY_OF_TEXT.split())
"""Purposes of a key whose every value is a secret."""

_OPEN_KEY_OF_TEXT = """
public pub foreign publishable gpg cache sort partition index object translation
"""
PUBLIC_KEY_WORDS = tuple(_OPEN_KEY_OF_TEXT.split())
"""Purposes of a key that is public."""

_HARMLESS_TOKEN_TEXT = """
page next previous continuation continue cancel cancellation sync sort max min num total start end stop eos
bos pad unk sep mask input output prompt special design pagination current last first bad lookahead peek
"""
HARMLESS_TOKEN_WORDS = tuple(_HARMLESS_TOKEN_TEXT.split())
"""Purposes of a token that grants no access."""

_PASS_OF_TEXT = """
db user root admin my smtp mail ftp ssh key sudo ldap sql base store require
"""
PASS_WORDS = tuple(_PASS_OF_TEXT.split())
"""Words before "pass" that make it a password when joined."""

_BETWEEN_TEXT = """
live test prod production development sandbox secret pat aat sat api oauth tkn pw v0 v1 v2 u us eu na na1 na2
eu1 auth client service admin user token key apikey proj svcacct pt sk ct st or wh dev blob rw
"""
INFIX_WORDS = frozenset(_BETWEEN_TEXT.split())
"""Words allowed between the first word of a prefix and the secret."""

_HARMLESS_PREFIXES_TEXT = """
msg toolu call req request file sha1 sha224 sha256 sha384 sha512 md5 h1 srvtoolu resp rs fc_call run thread
asst step chunk container chatcmpl cmpl batch session sess prompt org user proj project cus sub prod price pi
evt ch in item commit ref tag blob image img css js main v uuid trace span build id cache etag
"""
HARMLESS_PREFIXES = frozenset(_HARMLESS_PREFIXES_TEXT.split())
"""Prefixes of public identifiers."""

_VOCABULARY_TEXT = """
a an and any api app are as at auth authorization bearer be been being base basic boolean bool by bytes call
can change changed changeme char chars client code config configured confirm const correct credential
credentials current default define defined delete demo dev digest disabled does dummy each email empty enabled
enter env error example exists expired expires export fake false field file for form from generate generated
get given goes has hash have header here hidden id if in incorrect input insert int integer invalid is it its
json jwt key keys label length like local login long match maybe me min mismatch missing mock must my name
need needs never new nil no none not null number object of ok oauth off old on only optional or our out
parameter params pass passed passphrase passwd password passwords path placeholder please plain plaintext
private process props provide provided public pwd query random read real redacted ref refresh remove replace
required reset result return sample secret secrets see self send server service session set setting should
show some something static str string super sure test text that the their them then this to todo token tokens
too true type undefined unknown unset update use used user username using valid value values variable void was
we when where which will with without wrong your you yourself github gitlab aws google azure openai anthropic
access account url uri host port database db root admin system via fields foo bar baz foobar xxx xxxx actual
specified strong secure safe more than least characters needed stored
"""
PLACEHOLDER_WORDS = frozenset(_VOCABULARY_TEXT.split())
"""Words that stand in for a secret in prose, in code and in placeholders."""

_SENTENCE_TEXT = """
a an and are as at be by can characters contain do does enter field for forgot from has have if in incorrect
invalid is it least match missing must my need needs no not of on or password passwords please provide
provided required reset set should that the this to token use user username using via was when where which
will with wrong you your
"""
SENTENCE_WORDS = frozenset(_SENTENCE_TEXT.split())
"""Words that mark text as a sentence."""
