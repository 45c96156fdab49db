"""Orders told from statements by their first word.

Only the beginning of a sentence counts, and a verb that is part of a name (`run.sh`, `delete-user`) is no order.
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
"""Words that begin an order to a coding agent."""
_FOREIGN_VERBS = (
    "borra", "elimina", "ejecuta", "escribe", "ignora",
    "efface", "exécute", "ignorez", "supprime", "supprimez",
    "führe", "ignoriere", "lösche", "schreibe",
    "apaga", "execute", "cancella", "esegui",
)  # fmt: skip
"""The gravest of them in a few other languages."""

_VERB = rf"(?:{'|'.join(dict.fromkeys((*IMPERATIVE_VERBS, *_FOREIGN_VERBS)))})\b(?![.\-/_(=:]\w|\()"
_SOFTENER = r"(?:please|kindly|just|now|then|next|also|first|finally|and|so|always|never|go ahead and)[,:]?\s+"
_SECOND_PERSON = (
    r"(?:you|the (?:assistant|agent|model))\s+(?:must|should|shall|need to|have to|are to|will)\s"
    r"|(?:can|could|would|will) you\s|make sure\s|be sure to\s|let['’]?s\s|(?:do not|don['’]t|never|please)\s"
)
_ORDER = re.compile(rf"[\"'“‘«(\[*_`¡]*(?:{_SOFTENER})*(?:{_VERB}|{_SECOND_PERSON})")
"""In small letters; to fold the text costs less than to look for both."""
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]*_]*\s+")


def is_imperative(text: str) -> bool:
    """Whether the text begins as an order."""
    return _ORDER.match(text.lstrip().casefold()) is not None


def contains_imperative(line: str) -> bool:
    """Whether a sentence of the line begins as an order."""
    return any(map(is_imperative, _SENTENCE.split(line)))
