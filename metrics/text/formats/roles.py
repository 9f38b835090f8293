"""Recognise by its name what a column or a file holds, its role: a source, a reference, the outputs of a system, …

The usual spellings are recognised: `ref`, `reference2`, `refA`, `refs.refA.ref`; `hyp`, `mt`, `system A`, `tgt_text`;
`src_text`; `doc_id`; `A.COMET`, `scores.A.COMET`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from .sheets import ENDINGS, ColumnRole, File, SheetColumn

_SOURCE = "source|src|input|original"
_REFERENCE = "references|reference|refs|ref|gold|human_translation"
_EDITED = "post[_ -]?edit(?:ed|ing|s)?|mtpe|pe"
_SYSTEM = (
    "hypothesis|hypotheses|hypo|hyp|mt|systems|system|sys|outputs|output|translations|translation|candidate|cand|"
    "prediction|pred"
)
_TARGET = "target|tgt"
_DOCUMENT = "document|documents|document_id|doc|docs|docid|doc_id|docname|doc_name|talk|talk_id"
_KEY = (
    "id|key|seg|segment|sid|guid|uid|index|idx|line|row|no|no\\.|nr|nr\\.|#|"
    "(?:seg|segment|sent|sentence|utt|utterance|line|row|example|item|record|global)[_ -]?(?:id|no|nr|number|index|idx)"
)
#: Names of columns that occur next to texts and are ignored.
_NOTHING = (
    "lp|lang|langs|language|languages|domain|category|genre|rater|annotator|time|timestamp|date|url|comment|comments|note|"
    "notes|split|dataset|collection|prompt|instruction|prompt_instruction|origin|origlang|severity|type|tags|status|length|"
    "speaker|video|image|screenshot|audio|video_path|image_path|user|license|version|model|name|year|errors|error|spans|"
    "metadata"
)
#: Names of metrics; a column of numbers holds scores even under another name.
_SCORE = (
    "score|scores|comet\\w*|xcomet\\w*|bleurt\\w*|bleu|chrf\\W*|ter|bertscore|metricx\\w*|mqm|esa|da|gemba\\w*|yisi\\w*|"
    "human|z|prism\\w*|cometkiwi\\w*"
)
#: Words that may follow `source` or `hypothesis` without changing the meaning.
_TEXT = "text|texts|segment|segments|sentence|txt|raw|translation|translations"
#: Last words of names that show that a column does not hold texts: `ref_id`, `source_lang`.
_ABOUT = re.compile(
    r"(?:^|[_ .-])(?:id|ids|lang|language|lp|len|length|url|name|names|file|path|type|locale|score|scores)$", re.I
)
#: A language code at the end of a file name, with or without a country.
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Z]{2,4})?")
_LANGUAGE_TAG = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,5}")
_ENDINGS = {ending for endings in ENDINGS.values() for ending in endings}

_NUMBER = re.compile(r"\s*+(?:[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|none|nan|null|na|n/a|-)?\s*+", re.I)


def role_of_column_name(name: str) -> ColumnRole | None:
    """Return the role that the name of a column states, None if the name says nothing about what the column holds.

    >>> [role_of_column_name(name) for name in ("src_text", "refs.refA.ref", "hyp_B")]  # doctest: +NORMALIZE_WHITESPACE
    [ColumnRole(kind='source', name='', of='', edited=False),
     ColumnRole(kind='reference', name='refA', of='', edited=False),
     ColumnRole(kind='system', name='B', of='', edited=False)]
    >>> role_of_column_name("MiSS") is None
    True
    """
    name = unicodedata.normalize("NFKC", name).strip()
    parts = name.split(".")
    if parts[0].lower() == "scores" and len(parts) > 2:
        return ColumnRole("score", ".".join(parts[2:]), parts[1])
    for kind, words in (("key", _KEY), ("document", _DOCUMENT), ("nothing", _NOTHING)):
        if re.fullmatch(words, name, re.I):
            return ColumnRole(kind)
    if re.fullmatch(_SCORE, name, re.I):
        return ColumnRole("score", name)
    if _ABOUT.search(name):
        return ColumnRole("nothing")
    # The language may follow: `Source (en)`, `src_de`.
    if re.fullmatch(rf"(?:{_SOURCE})(?:[_ .-]?(?:{_TEXT}))?(?:\s*\([^()]*\)|[_ .-]{_LANGUAGE.pattern})?", name, re.I):
        return ColumnRole("source")
    if (rest := _rest_after_word(_EDITED, name)) is not None:
        return ColumnRole("reference", rest or name, "", True)
    if (rest := _rest_after_word(_REFERENCE, name)) is not None:
        edited = _rest_after_word(_EDITED, rest) is not None if rest else False
        nested = len(parts) > 1 and bool(rest)
        return ColumnRole("reference", rest if nested or edited else name, "", edited)
    if (rest := _rest_after_word(_SYSTEM, name)) is not None:
        # "MT5" may be the fifth system or the name of a model, so it is treated like any other name.
        return None if re.match(r"mt\d", name, re.I) else ColumnRole("system", rest)
    if (rest := _rest_after_word(_TARGET, name)) is not None:
        if rest and _rest_after_word(_REFERENCE, rest) is not None:
            return ColumnRole("reference", rest)
        return ColumnRole("system", rest) if rest else ColumnRole("target")
    return None


def _rest_after_word(words: str, name: str) -> str | None:
    """Return what follows in `name` after one of the words `words` at its start, None if it starts with none of them.

    `words` is a regular expression. Words that add nothing, such as "text", are removed from the rest."""
    prefix_match = re.match(f"(?i:{words})(?=$|[^A-Za-z]|[A-Z])", name)
    if not prefix_match or not _is_separate_word(prefix_match.group(), name[prefix_match.end() :]):
        return None
    rest = name[prefix_match.end() :].strip(" _.:-()[]")
    # In `refs.refA.ref` the last part only repeats the role.
    if "." in name:
        rest = re.sub(rf"(?i)(?:^|[_ .-])(?:{_TEXT}|{_REFERENCE}|{_SYSTEM})$|^(?:{_TEXT})\.", "", rest)
    return "" if re.fullmatch(_TEXT, rest, re.I) else rest


def _is_separate_word(word: str, rest: str) -> bool:
    """Return whether the prefix `word` of a name is a word of its own, given the `rest` of the name.

    It is one if the rest is empty or does not begin with a letter. It is also one if the rest is one capital letter, or
    a word such as "text", and the prefix is not all capitals.

    >>> [_is_separate_word(*split) for split in (("ref", "A"), ("source", "Text"), ("SYS", "TRAN"), ("PE", "GASUS"))]
    [True, True, False, False]
    """
    if word != word.lower() and word != word.upper() and word != word.capitalize():
        return False  # "mT5" is a name
    if not rest[:1].isalpha():
        return True
    return not word.isupper() and re.match(rf"[A-Z](?![A-Za-z])|(?:(?i:{_TEXT}))(?![A-Za-z])", rest) is not None


def is_text_column_name(name: str) -> bool:
    """Return whether the name of a column says only that it holds texts, such as "text", but not whose.

    >>> is_text_column_name("text"), is_text_column_name("A")
    (True, False)
    """
    return re.fullmatch(_TEXT, name.strip(), re.I) is not None


def is_numeric_column(column: SheetColumn) -> bool:
    """Return whether every cell of a column is a number or empty, and at least one is a number."""
    return all(cell is None or _NUMBER.fullmatch(cell) for cell in column.cells) and any(
        cell and any(map(str.isdigit, cell)) for cell in column.cells
    )


#: Names that may also mean a language or a system, so that the cells decide: scores or texts, keys or texts.
_SCORES_OR_TEXTS, _KEYS_OR_TEXTS = re.compile("z|da|human", re.I), re.compile("no|id|nr", re.I)


def _holds_texts_despite_name(role: ColumnRole, column: SheetColumn) -> bool:
    """Return whether a column holds texts although its name was taken to mean scores or keys.

    Two meanings have the same name: `da` is Danish or direct assessment; `no` is Norwegian or a number. The cells
    decide."""
    name = column.name.strip()
    if role.kind == "score" and _SCORES_OR_TEXTS.fullmatch(name):
        return any(column.cells) and not is_numeric_column(column)
    if role.kind == "key" and _KEYS_OR_TEXTS.fullmatch(name):
        return sum(len((cell or "").split()) > 1 for cell in column.cells) > len(column.cells) / 2
    return False


def roles_of(columns: Sequence[SheetColumn]) -> list[ColumnRole]:
    """Return the role of each column of a table: as its format or its name states, else by its cells.

    A column of numbers holds scores. A column `target` is the output of a system, but a reference if there is another
    system and no reference. If no name says that a column is a system, every other column of texts is one, named like
    the column."""
    roles = [column.role or role_of_column_name(column.name) for column in columns]
    roles = [
        None if role and not column.role and _holds_texts_despite_name(role, column) else role
        for role, column in zip(roles, columns, strict=True)
    ]
    roles = [
        ColumnRole("score", column.name) if role is None and is_numeric_column(column) else role
        for role, column in zip(roles, columns, strict=True)
    ]
    kinds = {role.kind for role in roles if role}
    target = (
        ColumnRole("reference", "target") if "system" in kinds and "reference" not in kinds else ColumnRole("system")
    )
    roles = [target if role and role.kind == "target" else role for role in roles]
    has_system = any(role and role.kind == "system" for role in roles)
    out = []
    for role, column in zip(roles, columns, strict=True):
        if role is None:
            role = (
                ColumnRole("nothing")
                if has_system or not column.name.strip()
                else ColumnRole("system", column.name.strip())
            )
        out.append(role)
    return out


def role_of_file(file: File) -> ColumnRole:
    """Return the role of a file with one segment per line, by its name: `reference.A.en.txt`, `newstest-ref.de`.

    A file without a known word in its name holds the outputs of a system. A system whose name consists of digits is
    called "system 1", because sentences about "1" are hard to read.

    >>> [role_of_file(File(n))[:2] for n in ("reference.A.en.txt", "test-src.de", "system.Online-B.en.txt", "a.txt")]
    [('reference', 'A'), ('source', ''), ('system', 'Online-B'), ('system', 'a')]
    >>> role_of_file(File("system.1.en.txt")).name
    'system 1'
    """
    stem = bare_file_name(file)
    head, _, last = stem.rpartition(".")
    # The last part may be an unknown ending: `handbook_ref.dat`.
    stem_role = _role_of_stem(stem) or (_role_of_stem(head) if head and last.isalnum() else None)
    return stem_role or ColumnRole("system", stem)


def _role_of_stem(stem: str) -> ColumnRole | None:
    """Return the role that the first or the last word of a file name states, None if neither states one."""
    words = [word for word in re.split(r"[._\s-]+", stem) if word]
    for kind, spelled in (("source", _SOURCE), ("edited", _EDITED), ("reference", _REFERENCE), ("system", _SYSTEM)):
        for at in (0, len(words) - 1):
            if words and (rest := _rest_after_word(spelled, words[at])) is not None and (not rest or len(rest) < 3):
                name = rest or (stem.lstrip("._- ").removeprefix(words[0]).strip("._- ") if at == 0 else "")
                if kind == "source":
                    return ColumnRole("source")
                if kind == "system":
                    return ColumnRole("system", f"system {name}" if name.isdecimal() else name or stem)
                return ColumnRole("reference", name or words[at], "", kind == "edited" or _words_say_edited(words))
    return None


def says_post_edited(file: File) -> bool:
    """Return whether the name of a file of references says that they are post-edited outputs."""
    return _words_say_edited(re.split(r"[._\s-]+", bare_file_name(file)))


def _words_say_edited(words: Sequence[str]) -> bool:
    """Return whether the words of a file name say that its texts are post-edited outputs."""
    # "PE" in capitals after the first word may be the country Peru, as in es-PE.
    return any(
        re.fullmatch(_EDITED, word if at and word == "PE" else word.lower()) for at, word in enumerate(words)
    ) or any(a.lower() == "post" and b.lower() in ("edit", "edits", "edited") for a, b in pairwise(words))


def bare_file_name(file: File) -> str:
    """Return the name of a file without folders, without its endings, and without a language code at its end.

    >>> bare_file_name(File("x/system.MiSS.en.txt.gz"))
    'system.MiSS'
    """
    stem = file.stem
    while (cut := stem.rpartition("."))[0] and cut[2].lower() in _ENDINGS:
        stem = cut[0]
    head, _, last = stem.rpartition(".")
    says = any(_rest_after_word(words, last) is not None for words in (_SOURCE, _REFERENCE, _EDITED, _SYSTEM))
    return head if head and _LANGUAGE.fullmatch(last) and not says else stem


def normal_language_code(name: str) -> str:
    """Return a language code in the spelling in which codes are compared: lower case, with hyphens.

    >>> normal_language_code("en_US "), normal_language_code("EN")
    ('en-us', 'en')
    """
    return name.strip().lower().replace("_", "-")


def matching_language_codes(language: str, names: Sequence[str]) -> list[str]:
    """Return those of `names` (language codes) that mean the language `language`.

    Only the best kind of match that occurs is returned. The kinds are, in order: equal codes; codes where one only adds
    a country or a script; codes of the same language with another country or script.

    >>> matching_language_codes("de", ["en-US", "de-DE", "de-DE 2"]), matching_language_codes("EN_us", ["en", "en-US"])
    (['de-DE'], ['en-US'])
    >>> matching_language_codes("*all*", ["en"])
    []
    """
    target_tag = normal_language_code(language)
    tags = {name: normal_language_code(name) for name in names if _LANGUAGE_TAG.fullmatch(normal_language_code(name))}
    first = target_tag.partition("-")[0]
    for alike in (
        [name for name, tag in tags.items() if tag == target_tag],
        [
            name
            for name, tag in tags.items()
            if f"{tag}-".startswith(f"{target_tag}-") or f"{target_tag}-".startswith(f"{tag}-")
        ],
        [name for name, tag in tags.items() if tag.partition("-")[0] == first],
    ):
        if alike:
            return alike
    return []


def split_score_column_name(name: str, systems: Sequence[str]) -> tuple[str, str] | None:
    """Split the name of a column such as `B.mqm` into the name of a score and one of the `systems`.

    Return (score, system); None if the name contains none of the systems.

    >>> split_score_column_name("COMET (online-A)", ["A", "online-A"]), split_score_column_name("B.mqm", ["A", "B"])
    (('COMET', 'online-A'), ('mqm', 'B'))
    """
    ends = " \t_.,:;/|-()[]"
    bare = name.strip(ends)
    for system in sorted(systems, key=len, reverse=True):
        front, back = bare.removeprefix(system), bare.removesuffix(system)
        if front != bare and front[:1] in {*ends}:
            return front.strip(ends), system
        if back != bare and back[-1:] in {*ends}:
            return back.strip(ends), system
    return None
