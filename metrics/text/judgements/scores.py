"""mt-metrics-eval's human scores: a system and its score a line, the segments of each system in their order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ...formula import counted
from .. import printable
from ..files import BadData, decoded, named, unreadable
from ..formats.folders import MOST_FILES, is_folder, of_folder
from ..formats.material import Material
from ..formats.sheets import Column, File, Sheet, listed
from .parts import Part, Rating, number, scale_of

_PAIR = re.compile(r"[a-z]{2,3}(?:_[A-Z]{2})?-[a-z]{2,3}(?:_[A-Z]{2})?")
_RATER = re.compile(r"(?i)(.+?)[._-]((?:rater|annotator|judge)[._-]?\w+)")
#: All endings in a row, begun at the first of them alone.
_ENDINGS = re.compile(r"(?<!\.seg)(?<!\.score)(?<!\.txt)(?<!\.tsv)(?:\.(?:seg|score|txt|tsv))++$")
_LINE = re.compile(r"\S+[ \t]+(?:[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|[Nn]one|[Nn]a[Nn])")


def files(name: str) -> list[File]:
    """The files of judgements of a name: itself, or those of a folder. Raises BadData.

    Of mt-metrics-eval's folders, `FOLDER` or `FOLDER:PAIR`, they are the human scores of the segments, of the language
    pair; of another folder they are all its files.
    """
    if not is_folder(name):
        return [File(name)]
    folder, pair = (name, "") if Path(name).is_dir() else (name.rpartition(":")[0], name.rpartition(":")[2])
    scores = Path(folder) / "human-scores"
    try:
        within = scores if scores.is_dir() else Path(folder)
        found = sorted([path for path in within.iterdir() if re.search(r"\.seg\.score(?:\.gz)?$", path.name)])
    except OSError as error:
        raise unreadable(folder, error) from None
    if not found and not pair and not scores.is_dir():
        return of_folder(name)
    pairs = sorted({path.name.partition(".")[0] for path in found})
    if len(pairs) > 1 and not pair:
        count = counted(len(pairs), "language pair")
        raise BadData(
            f"{named(folder)} has scores of {count}: {listed(pairs, 12)}; name one, such as "
            f"{named(folder)}:{printable(pairs[0])}"
        )
    own = [path for path in found if not pair or path.name.startswith(f"{pair}.")]
    if not own:
        raise BadData(f"{named(folder)} has no human scores of segments{f' of {printable(pair)}' if pair else ''}")
    if len(own) > MOST_FILES:
        raise BadData(f"{named(folder)} has {len(own):,} files of scores; {MOST_FILES} is the most that is read")
    return [File(path.as_posix()) for path in own]


def is_scores(file: File, text: str) -> bool:
    """Whether it is such a file, by the end of its name or how it begins."""
    first = text[:1000].partition("\n")[0].strip()
    return file.ending == "score" or (file.ending in ("", "txt", "tsv") and _LINE.fullmatch(first) is not None)


def is_human(file: File) -> bool:
    """Whether a file of scores is of people's, by its folder or the pair of languages before the scale."""
    path = PurePosixPath(file.name.replace("\\", "/"))
    if path.parent.name:
        return path.parent.name == "human-scores"
    return _PAIR.fullmatch(file.stem.partition(".")[0]) is not None


def score_name(file: File) -> str:
    """What the scores of a file are called: `COMET` of `COMET.seg.score`."""
    return _ENDINGS.sub("", file.stem)


def scores(file: File, data: bytes, material: Material, told: Mapping[str, bool]) -> Part:
    """The scores of a file; its name says the scale, and the judge where it says one. Raises BadData, with the line."""
    lines = decoded(file.name, data)
    fields = [line.split() for line in lines]
    sheet = Sheet(file, "scores", (), range(1, len(lines) + 1))
    wrong = next((row for row, each in enumerate(fields) if len(each) != 2), None)
    if wrong is not None:
        raise BadData(f"{sheet.where(wrong)} must have a system and a score, with white space between")
    name, judge = _called(file)
    column = Column("the score", [score for _, score in fields])
    values = [number(sheet, column, row) for row in range(len(lines))]
    sizes: dict[str, int] = {}
    out = []
    for row, ((system, _), value) in enumerate(zip(fields, values, strict=True)):
        segment = sizes.get(system, 0)
        sizes[system] = segment + 1
        if system not in material.systems:
            continue
        if segment == len(material):
            raise BadData(f"{sheet.where(row)}: {printable(system[:60])} has more scores than the {segment:,} segments")
        if value is not None:
            out.append(Rating(system, segment, judge, name, value))
    short = next((each for each, size in sizes.items() if each in material.systems and size < len(material)), None)
    if short is not None:
        raise BadData(
            f"{named(file.name)} has {counted(sizes[short], 'score')} of {printable(short[:60])}, but there are "
            f"{len(material):,} segments"
        )
    scale, how = scale_of(name, [each.value for each in out], told)
    said = f"scores of {counted(len(sizes), 'system')} on {printable(name)} as mt-metrics-eval has them; {how}"
    return Part([said], [scale], out, (), frozenset([each for each in sizes if each not in material.systems]))


def _called(file: File) -> tuple[str, str]:
    """The scale and the judge of a file, such as `en-de.mqm.seg.score`."""
    stem = score_name(file)
    head, _, rest = stem.partition(".")
    name = rest if rest and _PAIR.fullmatch(head) else stem
    found = _RATER.fullmatch(name)
    return (found[1], found[2]) if found else (name, "the mean of judges")
