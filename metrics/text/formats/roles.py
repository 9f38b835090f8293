"""What a column or a file is called, and what it is taken for.

Names are read in the spellings that are usual: `ref`, `reference2`, `refA`, `refs.refA.ref`; `hyp`, `mt`, `system A`,
`tgt_text`; `src_text`; `doc_id`; `A.COMET`, `scores.A.COMET`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from .sheets import ColumnRole, File, SheetColumn

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
#: What stands beside texts and is none.
_NOTHING = (
    "lp|lang|langs|language|languages|domain|category|genre|rater|annotator|time|timestamp|date|url|comment|comments|note|"
    "notes|split|dataset|collection|prompt|instruction|prompt_instruction|origin|origlang|severity|type|tags|status|length|"
    "speaker|video|image|screenshot|audio|video_path|image_path|user|license|version|model|name|year|errors|error|spans|"
    "metadata"
)
#: What metrics are called; a column of numbers is one of scores by whatever name.
_SCORE = (
    "score|scores|comet\\w*|xcomet\\w*|bleurt\\w*|bleu|chrf\\W*|ter|bertscore|metricx\\w*|mqm|esa|da|gemba\\w*|yisi\\w*|"
    "human|z|prism\\w*|cometkiwi\\w*"
)
#: Words that may stand behind `source` or `hypothesis` and change nothing.
_TEXT = "text|texts|segment|segments|sentence|txt|raw|translation|translations"
#: What makes of `ref_id` and `source_lang` no texts.
_ABOUT = re.compile(
    r"(?:^|[_ .-])(?:id|ids|lang|language|lp|len|length|url|name|names|file|path|type|locale|score|scores)$", re.I
)
#: Two letters, as languages are named at the end of a file's name, with or without a country.
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Z]{2,4})?")
_LANGUAGE_TAG = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,5}")
_ENDINGS = (
    "txt",
    "tsv",
    "tab",
    "csv",
    "xlsx",
    "jsonl",
    "jsonlines",
    "ndjson",
    "json",
    "xlsm",
    "xlf",
    "xliff",
    "mxliff",
    "sdlxliff",
    "mqxliff",
    "txlf",
    "tmx",
    "xml",
    "sgm",
    "sgml",
    "po",
    "pot",
    "vtt",
    "srt",
    "trn",
    "kaldi",
    "tok",
    "detok",
    "docs",
)

_NUMBER = re.compile(r"\s*+(?:[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|none|nan|null|na|n/a|-)?\s*+", re.I)


def role_of(name: str) -> ColumnRole | None:
    """What a column of this name is, or None where the name says nothing.

    >>> [role_of(name) for name in ("src_text", "refs.refA.ref", "hyp_B")]  # doctest: +NORMALIZE_WHITESPACE
    [ColumnRole(kind='source', name='', of='', edited=False),
     ColumnRole(kind='reference', name='refA', of='', edited=False),
     ColumnRole(kind='system', name='B', of='', edited=False)]
    >>> role_of("MiSS") is None
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
    # `Source (en)`, `src_de`: behind the word and what it holds may stand the language.
    if re.fullmatch(rf"(?:{_SOURCE})(?:[_ .-]?(?:{_TEXT}))?(?:\s*\([^()]*\)|[_ .-]{_LANGUAGE.pattern})?", name, re.I):
        return ColumnRole("source")
    if (rest := _behind(_EDITED, name)) is not None:
        return ColumnRole("reference", rest or name, "", True)
    if (rest := _behind(_REFERENCE, name)) is not None:
        edited = _behind(_EDITED, rest) is not None if rest else False
        nested = len(parts) > 1 and bool(rest)
        return ColumnRole("reference", rest if nested or edited else name, "", edited)
    if (rest := _behind(_SYSTEM, name)) is not None:
        # Of "MT5" nobody knows whether it is the fifth system or the model: it is called as any other column of texts.
        return None if re.match(r"mt\d", name, re.I) else ColumnRole("system", rest)
    if (rest := _behind(_TARGET, name)) is not None:
        if rest and _behind(_REFERENCE, rest) is not None:
            return ColumnRole("reference", rest)
        return ColumnRole("system", rest) if rest else ColumnRole("target")
    return None


def _behind(words: str, name: str) -> str | None:
    """What stands behind one of the words at the start of a name, without words that change nothing; None where it does
    not start so."""
    prefix_match = re.match(f"(?i:{words})(?=$|[^A-Za-z]|[A-Z])", name)
    if not prefix_match or not _is_word(prefix_match.group(), name[prefix_match.end() :]):
        return None
    rest = name[prefix_match.end() :].strip(" _.:-()[]")
    # `refs.refA.ref`: the innermost part only says once more what it is.
    if "." in name:
        rest = re.sub(rf"(?i)(?:^|[_ .-])(?:{_TEXT}|{_REFERENCE}|{_SYSTEM})$|^(?:{_TEXT})\.", "", rest)
    return "" if re.fullmatch(_TEXT, rest, re.I) else rest


def _is_word(word: str, behind: str) -> bool:
    """Whether a word that begins a name is a word of its own: what stands behind it is set apart by anything but
    letters, or is a capital by itself, or one of a word that says what texts are.

    >>> [_is_word(*split) for split in (("ref", "A"), ("source", "Text"), ("SYS", "TRAN"), ("PE", "GASUS"))]
    [True, True, False, False]
    """
    if word != word.lower() and word != word.upper() and word != word.capitalize():
        return False  # "mT5" is a name
    if not behind[:1].isalpha():
        return True
    return not word.isupper() and re.match(rf"[A-Z](?![A-Za-z])|(?:(?i:{_TEXT}))(?![A-Za-z])", behind) is not None


def is_text(name: str) -> bool:
    """Whether a column's name says that it holds texts, and not which.

    >>> is_text("text"), is_text("A")
    (True, False)
    """
    return re.fullmatch(_TEXT, name.strip(), re.I) is not None


def numeric(column: SheetColumn) -> bool:
    """Whether every cell is a number or nothing, and at least one is a number."""
    return all(cell is None or _NUMBER.fullmatch(cell) for cell in column.cells) and any(
        cell and any(map(str.isdigit, cell)) for cell in column.cells
    )


#: Names that are also those of languages and systems: their columns hold scores, or keys, or else texts.
_SCORES_OR_TEXTS, _KEYS_OR_TEXTS = re.compile("z|da|human", re.I), re.compile("no|id|nr", re.I)


def _is_by_chance(role: ColumnRole, column: SheetColumn) -> bool:
    """Whether a column holds texts although its name is one for scores or keys: `da` is Danish or direct assessment,
    `no` Norwegian or a number."""
    name = column.name.strip()
    if role.kind == "score" and _SCORES_OR_TEXTS.fullmatch(name):
        return any(column.cells) and not numeric(column)
    if role.kind == "key" and _KEYS_OR_TEXTS.fullmatch(name):
        return sum(len((cell or "").split()) > 1 for cell in column.cells) > len(column.cells) / 2
    return False


def roles_of(columns: Sequence[SheetColumn]) -> list[ColumnRole]:
    """What each column is, by what the format or its name says, else by what it holds.

    A column of numbers is one of scores. `target` is a system's output, unless there is one beside it and no reference.
    Where no name says that it is a system's, every other column of texts is one, by its own name.
    """
    roles = [column.role or role_of(column.name) for column in columns]
    roles = [
        None if role and not column.role and _is_by_chance(role, column) else role
        for role, column in zip(roles, columns, strict=True)
    ]
    roles = [
        ColumnRole("score", column.name) if role is None and numeric(column) else role
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
    """What a file of lines is by its name: `reference.A.en.txt`, `newstest-ref.de`, `system.B.en.txt`, `a.txt`.

    A system of which the name has digits alone is called "system 1": sentences about "1" are hard to read.

    >>> [role_of_file(File(n))[:2] for n in ("reference.A.en.txt", "test-src.de", "system.Online-B.en.txt", "a.txt")]
    [('reference', 'A'), ('source', ''), ('system', 'Online-B'), ('system', 'a')]
    >>> role_of_file(File("system.1.en.txt")).name
    'system 1'
    """
    stem = own_name(file)
    head, _, last = stem.rpartition(".")
    # `handbook_ref.dat`: behind a full stop may stand an ending that is not known.
    stem_role = _role_of_stem(stem) or (_role_of_stem(head) if head and last.isalnum() else None)
    return stem_role or ColumnRole("system", stem)


def _role_of_stem(stem: str) -> ColumnRole | None:
    """What the words of a file's name say that it is, at its beginning or its end; None where they say nothing."""
    words = [word for word in re.split(r"[._\s-]+", stem) if word]
    for kind, spelled in (("source", _SOURCE), ("edited", _EDITED), ("reference", _REFERENCE), ("system", _SYSTEM)):
        for at in (0, len(words) - 1):
            if words and (rest := _behind(spelled, words[at])) is not None and (not rest or len(rest) < 3):
                name = rest or (stem.lstrip("._- ").removeprefix(words[0]).strip("._- ") if at == 0 else "")
                if kind == "source":
                    return ColumnRole("source")
                if kind == "system":
                    return ColumnRole("system", f"system {name}" if name.isdecimal() else name or stem)
                return ColumnRole("reference", name or words[at], "", kind == "edited" or _says_edited(words))
    return None


def says_edited(file: File) -> bool:
    """Whether the name of a file of references says that they are edited outputs."""
    return _says_edited(re.split(r"[._\s-]+", own_name(file)))


def _says_edited(words: Sequence[str]) -> bool:
    # In capitals and not in front it may be the country behind a language, as in es-PE.
    return any(
        re.fullmatch(_EDITED, word if at and word == "PE" else word.lower()) for at, word in enumerate(words)
    ) or any(a.lower() == "post" and b.lower() in ("edit", "edits", "edited") for a, b in pairwise(words))


def own_name(file: File) -> str:
    """A file's name without folders, endings and the language at the end.

    >>> own_name(File("x/system.MiSS.en.txt.gz"))
    'system.MiSS'
    """
    stem = file.stem
    while (cut := stem.rpartition("."))[0] and cut[2].lower() in _ENDINGS:
        stem = cut[0]
    head, _, last = stem.rpartition(".")
    says = any(_behind(words, last) is not None for words in (_SOURCE, _REFERENCE, _EDITED, _SYSTEM))
    return head if head and _LANGUAGE.fullmatch(last) and not says else stem


def language_tag(name: str) -> str:
    """A language as all spellings of it are compared.

    >>> language_tag("en_US "), language_tag("EN")
    ('en-us', 'en')
    """
    return name.strip().lower().replace("_", "-")


def of_language(language: str, names: Sequence[str]) -> list[str]:
    """Those of the names that are the language that is asked for: spelled the same; else with a country or a script
    more or fewer; else with another one.

    >>> of_language("de", ["en-US", "de-DE", "de-DE 2"]), of_language("EN_us", ["en", "en-US"])
    (['de-DE'], ['en-US'])
    >>> of_language("*all*", ["en"])
    []
    """
    target_tag = language_tag(language)
    tags = {name: language_tag(name) for name in names if _LANGUAGE_TAG.fullmatch(language_tag(name))}
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


def score_of(name: str, systems: Sequence[str]) -> tuple[str, str] | None:
    """The score and the system that the name of a column of scores holds, or None where it names no system.

    >>> score_of("COMET (online-A)", ["A", "online-A"]), score_of("B.mqm", ["A", "B"])
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
