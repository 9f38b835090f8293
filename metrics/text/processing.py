"""Normalise, lowercase, tokenise and stem raw texts. Every token keeps its position in the text as typed.

A text passes through four steps, always in this order, each a setting:

1. `nfkc`: Unicode's compatibility normalisation, so that a full-width or half-width letter equals the plain one;
2. `lowercase`: on the whole text, since the lower case of a Greek sigma depends on the letters around it;
3. `tokenizer`: sacreBLEU's own tokenisers, white space, or one token per grapheme, the character that a reader sees;
4. `stemmer`: NLTK's Porter or Snowball stemmers, word by word.

Normalisation comes first because it produces letters that have a lower case (the letter-like symbol "ℌ"). Tokenisation
comes after both because published scores come from tokenisers that read the normalised, lower-cased line.

>>> [token.form for token in process("Cats&amp;dogs, 3.5!", TextSettings(tokenizer="13a", stemmer="porter"))]
['cat', '&', 'dog', ',', '3.5', '!']
>>> process("Cats&amp;dogs", TextSettings(tokenizer="13a"))[1]
Token(form='&', raw='&amp;', start=4, end=9)
"""

from __future__ import annotations

import importlib.util
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from itertools import groupby
from types import ModuleType
from typing import Any, NamedTuple

from ..types import Segment, Settings, Tokens, segment, setting
from ..types.extras import extra_named_in_errors, missing_package_sentence
from ..types.once import once_per_process

#: The languages of NLTK's Snowball stemmers. "porter", which NLTK lists as well, is a stemmer and not a language.
LANGUAGES = (
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
)


@dataclass(frozen=True, slots=True)
class TextSettings(Settings):
    """The settings that determine how a text becomes tokens.

    >>> TextSettings(tokenizer="word")
    Traceback (most recent call last):
    ValueError: tokenizer must be one of 'whitespace', '13a', 'international', 'chinese', 'character', got 'word'
    """

    tokenizer: str = setting(
        "whitespace",
        "choice",
        "Tokeniser",
        "whitespace takes the words as typed; 13a, international and chinese are sacreBLEU's; character takes each "
        "character as a reader sees it.",
        options=("whitespace", "13a", "international", "chinese", "character"),
    )
    lowercase: bool = setting(False, "flag", "Lower case", "Compare words without regard to capitals.")
    stemmer: str = setting(
        "none",
        "choice",
        "Stems",
        "Compare lower-cased stems instead of words: porter for English, snowball for the language below.",
        options=("none", "porter", "snowball"),
    )
    language: str = setting(
        "english", "choice", "Language of the stems", "Used by the snowball stemmer only.", options=LANGUAGES
    )
    nfkc: bool = setting(
        False, "flag", "Normalise (NFKC)", "Treat full-width, half-width, ligature and accent variants as equal."
    )

    def signature(self) -> str:
        """Return all text settings that are needed to repeat the processing, in the style of sacreBLEU's signatures.

        >>> TextSettings(tokenizer="13a").signature()
        'tok:13a|case:mixed|stem:none|norm:none'
        >>> TextSettings(lowercase=True, stemmer="snowball", language="german", nfkc=True).signature()
        'tok:whitespace|case:lc|stem:snowball-german|norm:nfkc'
        """
        case = "lc" if self.lowercase else "mixed"
        stem = f"snowball-{self.language}" if self.stemmer == "snowball" else self.stemmer
        return f"tok:{self.tokenizer}|case:{case}|stem:{stem}|norm:{'nfkc' if self.nfkc else 'none'}"


class Token(NamedTuple):
    """A token of a text.

    Attributes:
        form: the token as metrics compare it: normalised, lower-cased or stemmed.
        raw: the part of the typed text that it comes from, `text[start:end]`.
        start: the position of its first character in the typed text.
        end: the position after its last character in the typed text.

    Tokens are in ascending order and their slices are disjoint, with one exception: normalisation can make several
    tokens of one character ("½" becomes "1", "⁄" and "2"), which share its slice."""

    form: str
    raw: str
    start: int
    end: int


class TextSegment(NamedTuple):
    """A candidate and its references as tokens.

    Attributes:
        candidate: the tokens of the candidate.
        references: the tokens of each reference.
        segment: the forms of these tokens, which metrics score."""

    candidate: tuple[Token, ...]
    references: tuple[tuple[Token, ...], ...]
    segment: Segment


def process(text: str, settings: TextSettings = TextSettings()) -> tuple[Token, ...]:
    """Split `text` into tokens as the settings say; return them in order, none if there is only white space.

    The forms are what the tokeniser returns for the normalised, lower-cased text, then stemmed. Any string is accepted,
    also one with unpaired surrogates or control characters. Raises TypeError for anything but a string.

    >>> process("ﬁne  wine", TextSettings(nfkc=True))
    (Token(form='fine', raw='ﬁne', start=0, end=3), Token(form='wine', raw='wine', start=5, end=9))
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {type(text).__name__}")
    line = TrackedText.from_text(text)
    if settings.nfkc:
        line = normalised(line)
    if settings.lowercase:
        line = lowered(line)
    words = _TOKENIZERS[settings.tokenizer](line.text)
    if settings.tokenizer == "13a":
        line = unescaped(line)
    starts, ends = line.slices(words)
    if settings.stemmer != "none":
        words = [stem(word, settings.stemmer, settings.language) for word in words]
    raws = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return tuple(map(_token, zip(words, raws, starts, ends, strict=True)))


#: Makes a Token from an iterable of its fields, faster than calling the class.
_token: Callable[[Iterable[Any]], Token] = partial(tuple.__new__, Token)


def forms(tokens: Iterable[Token]) -> Tokens:
    """Return the form of each token, which is what metrics compare.

    >>> forms(process("a b"))
    ('a', 'b')
    """
    return tuple([token.form for token in tokens])


def words(text: str, settings: TextSettings = TextSettings()) -> Tokens:
    """Return the forms of the tokens of `text`, as `forms(process(text))` does, but faster.

    It is faster because it does not find the position of each token in the text, which takes most of the time.

    >>> words("Cats&amp;dogs, 3.5!", TextSettings(tokenizer="13a", stemmer="porter"))
    ('cat', '&', 'dog', ',', '3.5', '!')
    """
    if settings.nfkc or settings.lowercase:
        line = TrackedText.from_text(text)
        line = normalised(line) if settings.nfkc else line
        text = (lowered(line) if settings.lowercase else line).text
    tokens = _TOKENIZERS[settings.tokenizer](text)
    if settings.stemmer != "none":
        tokens = [stem(word, settings.stemmer, settings.language) for word in tokens]
    return tuple(tokens)


def segment_text(candidate: str, references: Sequence[str], settings: TextSettings = TextSettings()) -> TextSegment:
    """Split a candidate and its references into tokens; all are processed alike. At least one reference is needed.

    Raises TypeError if `references` is a single string, and ValueError if it is empty.

    >>> segment_text("A cat", ["The cat"], TextSettings(lowercase=True)).segment
    Segment(candidate=('a', 'cat'), references=(('the', 'cat'),))
    """
    if isinstance(references, str):
        raise TypeError(f"references must be a list of texts, got the string {references[:40]!r}")
    of_candidate = process(candidate, settings)
    of_references = tuple([process(reference, settings) for reference in references])
    return TextSegment(of_candidate, of_references, segment(forms(of_candidate), [forms(r) for r in of_references]))


# ---------------------------------------------------------------- tracked text


class TrackedText(NamedTuple):
    """A processed text that knows for each character which slice of the raw text it comes from.

    Attributes:
        text: the processed text.
        starts: the start of the raw slice of each character.
        ends: the end of the raw slice of each character.

    Both sequences ascend, so a range of characters comes from the slice from its first start to its last end."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def from_text(cls, text: str) -> TrackedText:
        """Return a raw text as a tracked text, in which each character comes from itself."""
        return cls(text, range(len(text)), range(1, len(text) + 1))

    def replace(self, old: str, new: str) -> TrackedText:
        """Return this tracked text with every `old` replaced by `new`, which has at most one character.

        The new character comes from the whole slice of `old`."""
        assert len(new) <= 1
        place = self.text.find(old)
        if place < 0:
            return self
        starts: list[int] = []
        ends: list[int] = []
        copied_end = 0
        while place >= 0:
            after = place + len(old)
            starts += self.starts[copied_end:place]
            ends += self.ends[copied_end:place]
            if new:
                starts.append(self.starts[place])
                ends.append(self.ends[after - 1])
            copied_end = after
            place = self.text.find(old, copied_end)
        starts += self.starts[copied_end:]
        ends += self.ends[copied_end:]
        return TrackedText(self.text.replace(old, new), starts, ends)

    def slices(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the start positions and the end positions, in the raw text, of the words of this text.

        `words` are the words into which the text is split, in order, so each word is at the first match after the word
        before it."""
        find, raw_starts, raw_ends = self.text.index, self.starts, self.ends
        starts, ends = [], []
        position = 0
        for word in words:
            position = find(word, position)
            starts.append(raw_starts[position])
            position += len(word)
            ends.append(raw_ends[position - 1])
        return starts, ends


def lowered(line: TrackedText) -> TrackedText:
    """Return a tracked text lower-cased as a whole; if a letter becomes two ("İ"), both come from that letter."""
    text = line.text.lower()
    if len(text) == len(line.text):
        return TrackedText(text, line.starts, line.ends)
    sizes = [len(letter.lower()) for letter in line.text]
    return TrackedText(text, _repeat_each(line.starts, sizes), _repeat_each(line.ends, sizes))


def _repeat_each(values: Sequence[int], times: Sequence[int]) -> list[int]:
    """Return a list that has each of the values as often as the number at the same position in `times` says."""
    return [value for value, n in zip(values, times, strict=True) for _ in range(n)]


def unescaped(line: TrackedText) -> TrackedText:
    """Return a tracked text with the escapes decoded that the tokeniser 13a decodes, in the order of mteval-v13a.

    These are the replacements that 13a makes before it inserts spaces, such as `&amp;` by `&`."""
    for old, new in (("<skipped>", ""), ("-\n", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(old, new)
    return line


# ---------------------------------------------------------------- normalisation

#: No language has longer runs of combining marks.
_MANY_MARKS = 50


def normalised(line: TrackedText) -> TrackedText:
    """Return a tracked text in Unicode's form NFKC.

    A stretch that changes comes, as a whole, from the stretch that it replaces."""
    whole = nfkc(line.text)
    if whole == line.text:
        return line
    pieces = graphemes(line.text)
    if "".join(map(nfkc, pieces)) != whole:
        pieces = _separable_pieces(pieces)
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for piece in pieces:
        form, after = nfkc(piece), position + len(piece)
        if form == piece:
            starts += line.starts[position:after]
            ends += line.ends[position:after]
        else:
            starts += [line.starts[position]] * len(form)
            ends += [line.ends[after - 1]] * len(form)
        position = after
    return TrackedText(whole, starts, ends)


def _separable_pieces(pieces: Iterable[str]) -> list[str]:
    """Return the pieces of a text, joined where normalising them separately would give another result.

    An example is "ㄱ" and "ㅏ", which together make "가"."""
    out: list[str] = []
    last = ""  # the NFKC form of the last piece in `out`
    for piece in pieces:
        form = nfkc(piece)
        if out and (joined := nfkc(out[-1] + piece)) != last + form:
            out[-1] += piece
            last = joined
        else:
            out.append(piece)
            last = form
    return out


def nfkc(text: str) -> str:
    """Normalise `text` to Unicode's form NFKC, as `unicodedata.normalize` does, but in linear time.

    Python sorts a run of combining marks by insertion, which takes minutes for a megabyte of them. Long runs are
    decomposed and sorted first, which does not change the result."""
    if len(text) > _MANY_MARKS and not text.isascii():
        text = _grapheme_patterns().many_marks.sub(_sort_combining_marks, text)
    return unicodedata.normalize("NFKC", text)


def _sort_combining_marks(run: re.Match[str]) -> str:
    """Return a run of combining marks, given as a match, decomposed and in Unicode's canonical order."""
    letters = "".join([unicodedata.normalize("NFKD", letter) for letter in run[0]])
    out: list[str] = []
    for _, group in groupby(letters, key=lambda letter: unicodedata.combining(letter) > 0):
        # A group of characters that are not marks has equal keys, so it keeps its order.
        out += sorted(group, key=unicodedata.combining)
    return "".join(out)


# ---------------------------------------------------------------- tokenisers


class _GraphemePatterns(NamedTuple):
    """Compiled patterns for grapheme clusters.

    Attributes:
        grapheme: matches one grapheme cluster.
        many_marks: matches a long run of combining marks."""

    grapheme: Any
    many_marks: Any


@once_per_process
def _grapheme_patterns() -> _GraphemePatterns:
    """Return the patterns for grapheme clusters, compiled at the first call, because they need the package regex."""
    with extra_named_in_errors():
        import regex

    # \X counts the flag letters after each flag, which takes quadratic time in a row of flags. Matching pairs of them
    # first gives the same clusters in linear time.
    flag = r"\p{Regional_Indicator}{2}(?=\p{Regional_Indicator})"
    # The half-width voiced sound marks are letters by category, but become marks when they are decomposed.
    return _GraphemePatterns(
        regex.compile(rf"\s|{flag}|\X"), regex.compile(rf"[\p{{M}}\uFF9E\uFF9F]{{{_MANY_MARKS},}}")
    )


def graphemes(text: str) -> list[str]:
    """Split a text into grapheme clusters, which a reader calls characters; each white space is one by itself.

    The time is linear in the length of any text.

    >>> [len(each) for each in graphemes("e\\u0301a")]
    [2, 1]
    """
    clusters: list[str] = _grapheme_patterns().grapheme.findall(text)
    return clusters


def _split_graphemes(line: str) -> list[str]:
    """Return the grapheme clusters of a line without its white space: the tokens of the tokeniser "character"."""
    if line.isascii():
        return list("".join(line.split()))
    return [cluster for word in line.split() for cluster in (word if word.isascii() else graphemes(word))]


def _lazy_tokenizer(module: str, name: str) -> Callable[[str], list[str]]:
    """Return a function that splits a line with one of sacreBLEU's tokenisers, which is created at the first call.

    `module` and `name` are the module and the class of the tokeniser in sacreBLEU."""

    def tokenize(line: str) -> list[str]:
        return _sacrebleu_tokenizer(module, name)(line).split()

    return tokenize


@lru_cache(maxsize=8)
def _sacrebleu_tokenizer(module: str, name: str) -> Callable[[str], str]:
    """Create one of sacreBLEU's tokenisers, without its caches, which would keep the last 65 536 lines in memory.

    Return it as a function from a line to the line with spaces between tokens. `module` and `name` are the module and
    the class of the tokeniser. Its modules are loaded as a package of our own, because importing the package sacrebleu
    takes a hundred times as long."""
    from pathlib import Path

    package = f"{__package__}._sacrebleu_tokenizers"
    if package not in sys.modules:
        spec = importlib.util.find_spec("sacrebleu")
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(missing_package_sentence("sacrebleu"), name="sacrebleu")
        package_module = ModuleType(package)
        package_module.__path__ = [str(Path(spec.origin).parent / "tokenizers")]
        sys.modules[package] = package_module
    tokenizer = getattr(import_module(f"{package}.{module}"), name)()
    if hasattr(tokenizer, "_post_tokenizer"):
        tokenizer._post_tokenizer = _uncached(tokenizer._post_tokenizer)
    return _uncached(tokenizer)


def _uncached(tokenizer: Any) -> Callable[[str], str]:
    """Return a tokeniser of sacreBLEU as a function that does not cache its results."""
    cached: Any = type(tokenizer).__call__
    return partial(cached.__wrapped__, tokenizer)


_TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "whitespace": str.split,
    "13a": _lazy_tokenizer("tokenizer_13a", "Tokenizer13a"),
    "international": _lazy_tokenizer("tokenizer_intl", "TokenizerV14International"),
    "chinese": _lazy_tokenizer("tokenizer_zh", "TokenizerZh"),
    "character": _split_graphemes,
}


# ---------------------------------------------------------------- stems

#: Longer strings are not words: they are not stemmed and do not enter the cache.
_LONGEST_WORD = 100


def stem(word: str, stemmer: str, language: str = "english") -> str:
    """Return the lower-cased stem of a word, by NLTK's Porter stemmer or its Snowball stemmer for `language`.

    A word without letters is returned unchanged. If the stemmer returns nothing, the lower-cased word is returned.

    >>> stem("Translations", "porter"), stem("Übersetzungen", "snowball", "german"), stem("...", "porter")
    ('translat', 'ubersetz', '...')
    """
    return word.lower() if len(word) > _LONGEST_WORD else _cached_stem(word, stemmer, language)


@lru_cache(maxsize=2**14)
def _cached_stem(word: str, stemmer: str, language: str) -> str:
    """Return the lower-cased stem of a word that is not too long for the cache."""
    if not any(map(str.isalpha, word)):
        return word
    lower = word.lower()
    # The Arabic stemmer keeps state from earlier words. A copy of an unused stemmer has no state, and lets several
    # threads stem at once.
    stemmed: str = copy(_nltk_stemmer(stemmer, language)).stem(lower)
    return stemmed.lower() or lower


@lru_cache(maxsize=32)
def _nltk_stemmer(stemmer: str, language: str) -> Any:
    """Return NLTK's stemmer object for a language; `stemmer` is "porter" or "snowball"."""
    if stemmer == "porter":
        with extra_named_in_errors():
            from nltk.stem import PorterStemmer

        return PorterStemmer()
    with extra_named_in_errors():
        from nltk.stem import SnowballStemmer

    return SnowballStemmer(language).stemmer


# ---------------------------------------------------------------- text that is shown


def printable(text: str) -> str:
    """Return the text with escapes in place of control characters and others that a terminal would obey or hide.

    >>> print(printable("a\\x1b[2Jb\\u202e"))
    a\\x1b[2Jb\\u202e
    """
    if text.isprintable():
        return text
    joiners = "\u200c\u200d"  # words of Persian and many emoji need them
    return "".join([c if c.isprintable() or c in joiners else ascii(c)[1:-1] for c in text])


def describe_excess(what: str, count: int, noun: str, most: int, fit: str = "fit") -> str:
    """Return a phrase that says by how much `count` exceeds the maximum `most`.

    `what` is the subject of the phrase, such as "The candidate"; if it is "", the counted things are the subject.
    `noun` is what is counted, in the plural, and `fit` the verb of those that are within the maximum.

    >>> describe_excess("The candidate", 2001, "words", 2000)
    'The candidate has 2,001 words, 1 more than the 2,000 that fit'
    >>> describe_excess("", 17, "references", 16, "fit a lesson")
    '17 references are 1 more than the 16 that fit a lesson'
    """
    amount, more = f"{count:,} {noun}", f"{count - most:,} more than the {most:,} that {fit}"
    return f"{what} has {amount}, {more}" if what else f"{amount} are {more}"


def csv_cell(text: str) -> str:
    """Return the text of a cell for a CSV file, safe to open in a spreadsheet.

    An apostrophe is put in front if a spreadsheet would read the text as a formula.

    >>> csv_cell("=A1"), csv_cell("A1")
    ("'=A1", 'A1')
    """
    return f"'{text}" if text.startswith(tuple("=+-@＝＋－＠\t\r")) else text
