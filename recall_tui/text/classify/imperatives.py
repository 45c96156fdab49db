"""Distinguish orders from statements by their first word.

Only the start of a sentence counts, and a verb that is part of a name (`run.sh`, `delete-user`) is not an order.
"""

from __future__ import annotations

import re

_VERB_LIST = """
add apply build bump change clean clear close commit convert copy create delete deploy disable disregard do download
drop duplicate edit enable execute extend extract fix forget format generate hide ignore implement improve increase
inline install keep leave make merge migrate move open override overwrite pull push put rebase reduce refactor
reformat remove rename replace reply reset restore retry revert rewrite run send set shorten simplify skip split
squash start stop switch sync tidy turn undo update upload use wrap write
"""
IMPERATIVE_VERBS = tuple(_VERB_LIST.split())
"""Verbs that start an order to a coding agent."""
_FOREIGN_VERBS = (
    "borra", "elimina", "ejecuta", "escribe", "ignora",
    "efface", "exécute", "ignorez", "supprime", "supprimez",
    "führe", "ignoriere", "lösche", "schreibe",
    "apaga", "execute", "cancella", "esegui",
)  # fmt: skip
"""The most dangerous of them in a few other languages."""

_VERB = rf"(?:{'|'.join(dict.fromkeys((*IMPERATIVE_VERBS, *_FOREIGN_VERBS)))})\b(?![.\-/_(=:]\w|\()"
_SOFTENER = r"(?:please|kindly|just|now|then|next|also|first|finally|and|so|always|never|go ahead and)[,:]?\s+"
_SECOND_PERSON = (
    r"(?:you|the (?:assistant|agent|model))\s+(?:must|should|shall|need to|have to|are to|will)\s"
    r"|(?:can|could|would|will) you\s|make sure\s|be sure to\s|let['’]?s\s|(?:do not|don['’]t|never|please)\s"
)
_ORDER = re.compile(rf"[\"'“‘«(\[*_`¡]*(?:{_SOFTENER})*(?:{_VERB}|{_SECOND_PERSON})")
"""Lowercase only: folding the text is cheaper than a case-insensitive match."""
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]*_]*\s+")


def is_imperative(text: str) -> bool:
    """Return whether the text starts as an order."""
    return _ORDER.match(text.lstrip().casefold()) is not None


def contains_imperative(line: str) -> bool:
    """Return whether any sentence of the line starts as an order."""
    return any(map(is_imperative, _SENTENCE.split(line)))
