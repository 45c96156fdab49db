"""Themes of a master: names of parts of the project, never words that any line may have.

A part is named by the folders and files that sessions worked on, or by a name in the lines themselves; where no session
says which files it worked on, by a word that several lines share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import PurePosixPath

from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names

_COMMON_FOLDERS = frozenset(
    """
    src lib libs cmd app apps pkg packages internal cli test tests testing spec doc docs scripts script tools main index
    init utils util helpers helper common shared types type core server client api assets public static dist build
    config configs settings example examples fixtures tmp home users workspace github workflows readme claude changelog
    makefile license
    """.split()  # noqa: SIM905
)
_MAX_PART_CHARS = 24
_PART = re.compile(r"[a-z][a-z0-9-]{2,}")
GENERIC_WORDS = frozenset(
    """
    error errors clean branch branches port ports call calls commit commits content preference preferences failure
    failures handle handles handled hardcoded tried tries eliminate eliminates constant constants local interface entire
    whole file files folder folders path paths line lines code function functions method methods class classes module
    modules package field fields value values name names type types data text string strings number numbers list lists
    key keys item items object objects state states status model case cases test tests testing check checks change
    changes changed fix fixes fixed bug bugs issue issues problem problems cause causes reason reasons result results
    way ways thing things part parts step steps work works working user users person people team day days week weeks
    time times date dates version versions update updates default defaults option options flag flags setting settings
    config configuration parameter parameters argument arguments input output log logs message messages read write
    reads writes run runs running start starts started stop stops end ends open close create created creates add added
    adds remove removed removes rename renamed move moved replace replaced use used using need needs keep kept keeps
    make makes made take takes get gets set sets send sends show shows shown find finds found give gives return returns
    match matches matched missing empty existing existed new old first last next previous current present main both same
    different other single multiple several full correct wrong right good bad real true false null none side back
    question questions answer answers decision decisions lesson lessons note notes comment comments review reviews
    session sessions conversation agent agents project projects repo repository build builds release releases deploy
    deployment server client request requests response responses api app page pages table tables column row rows record
    records query queries service services job jobs task tasks process processes event events rate limit limits size
    count counts total average month months year years hour hours minute minutes second seconds friday monday tuesday
    wednesday thursday saturday sunday pattern patterns convention rule rules approach about instead because always
    never only still again already now then here there everything something nothing prefix suffix root base source
    target support supports supported handler handlers helper wrapper feature features behavior behaviour effect cost
    worker workers
    """.split()  # noqa: SIM905
)
"""Words that any line may have; none is the name of a part."""


def part_names(files: Iterable[str]) -> frozenset[str]:
    """Return the names of parts in the paths: folders, and files named by a single word."""
    found: set[str] = set()
    for file in files:
        *folders, name = PurePosixPath(file.strip("` ").lower()).parts or ("",)
        for part in (*folders, name.partition(".")[0]):
            if _PART.fullmatch(part) and len(part) <= _MAX_PART_CHARS and part not in _COMMON_FOLDERS:
                found.add(part)
    return frozenset(found)


@lru_cache(maxsize=8_192)
def proper_names(text: str) -> frozenset[str]:
    """Return the terms of names in prose, such as of products; identifiers of code are none."""
    names = (one for one in find_names(text) if one.istitle() or one.isupper() or " " in one)
    return frozenset(word for one in names for word in topic_terms(one))


def allowed_terms(texts: Collection[str], parts: Iterable[frozenset[str]]) -> frozenset[str] | None:
    """Return the words that may head a theme of these lines; None where nothing tells, and any but a common word"
    " may."""
    known = frozenset(name for some in parts for name in some)
    if not known:
        return None
    counts = Counter(word for text in texts for word in proper_names(text))
    return known | {word for word, count in counts.items() if count > 1}


def is_theme(word: str, allowed: frozenset[str] | None) -> bool:
    """Tell whether a word may head a theme."""
    if word in GENERIC_WORDS or word.isdigit() or (allowed is None and word.endswith(("ed", "ly"))):
        return False
    return allowed is None or word in allowed
