"""mt-metrics-eval's human scores: a system and its score a line, the segments of each system in their order.

Its ratings, the errors of each output, stand in lines of the same order: `rating_files` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...formula import counted
from .. import printable
from ..files import BadData, decoded, file_label, unreadable
from ..formats.folders import MOST_FILES, is_folder, of_folder
from ..formats.material import Material
from ..formats.sheets import File, FileSheet, SheetColumn, listed
from .parts import JudgementPart, OutputRating, number, scale_of

_PAIR = re.compile(r"[a-z]{2,3}(?:_[A-Z]{2})?-[a-z]{2,3}(?:_[A-Z]{2})?")
_RATER = re.compile(r"(?i)(.+?)[._-]((?:rater|annotator|judge)[._-]?\w+)")
#: All endings in a row, begun at the first of them alone.
_ENDINGS = re.compile(r"(?<!\.seg)(?<!\.score)(?<!\.rating)(?<!\.txt)(?<!\.tsv)(?:\.(?:seg|score|rating|txt|tsv))++$")
#: What scores are of that are not of segments, by what stands before the ending.
_WHOLE = {"sys": "systems", "doc": "documents", "domain": "domains"}
_LINE = re.compile(r"\S+[ \t]+(?:[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|[Nn]one|[Nn]a[Nn])")


def files(name: str) -> list[File]:
    """The files of judgements of a name: itself, or those of a folder. Raises BadData.

    Of mt-metrics-eval's folders, `FOLDER` or `FOLDER:PAIR`, they are the human scores and ratings of the segments, of
    the language pair; of another folder they are all its files.
    """
    if not is_folder(name):
        return [File(name)]
    folder, pair = (name, "") if Path(name).is_dir() else (name.rpartition(":")[0], name.rpartition(":")[2])
    scores = Path(folder) / "human-scores"
    try:
        score_folder = scores if scores.is_dir() else Path(folder)
        paths = sorted(
            [path for path in score_folder.iterdir() if re.search(r"\.seg\.(?:score|rating)(?:\.gz)?$", path.name)]
        )
    except OSError as error:
        raise unreadable(folder, error) from None
    if not paths and not pair and not scores.is_dir():
        return of_folder(name)
    pairs = sorted({path.name.partition(".")[0] for path in paths})
    if len(pairs) > 1 and not pair:
        count = counted(len(pairs), "language pair")
        raise BadData(
            f"{file_label(folder)} has scores of {count}: {listed(pairs, 12)}; name one, such as "
            f"{file_label(folder)}:{printable(pairs[0])}"
        )
    pair_paths = [path for path in paths if not pair or path.name.startswith(f"{pair}.")]
    if not pair_paths:
        raise BadData(f"{file_label(folder)} has no human scores of segments{f' of {printable(pair)}' if pair else ''}")
    if len(pair_paths) > MOST_FILES:
        raise BadData(
            f"{file_label(folder)} has {len(pair_paths):,} files of scores; {MOST_FILES} is the most that is read"
        )
    return [File(path.as_posix()) for path in pair_paths]


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


def not_of_segments(file: File) -> str:
    """What the scores of a file are of, by its name, where that is not segments, else "".

    >>> not_of_segments(File("COMET-refA.sys.score")), not_of_segments(File("en-de.mqm.seg.score"))
    ('systems', '')
    """
    return _WHOLE.get(file.stem.rpartition(".")[0].rpartition(".")[2], "") if file.ending == "score" else ""


def left_out(files: Sequence[File]) -> list[str]:
    """The sentence, without a full stop, that says which of the files have scores that are not of segments; none where
    none has.

    >>> left_out([File("A.sys.score"), File("B.doc.score"), File("B.seg.score")])
    ['A.sys.score, B.doc.score: scores of systems and documents, not of segments, are left out']
    """
    of = {file.name: what for file in files if (what := not_of_segments(file))}
    kinds = " and ".join(dict.fromkeys(of.values()))
    return [f"{listed([*map(file_label, of)], 3, 200)}: scores of {kinds}, not of segments, are left out"] if of else []


def score_name(file: File) -> str:
    """What the scores of a file are called: `COMET` of `COMET.seg.score`."""
    return _ENDINGS.sub("", file.stem)


def scores(file: File, data: bytes, material: Material, higher_is_better: Mapping[str, bool]) -> JudgementPart:
    """The scores of a file; its name says the scale, and the judge where it says one. Raises BadData, with the line."""
    lines = decoded(file.name, data)
    fields = [line.split() for line in lines]
    sheet = FileSheet(file, "scores", (), range(1, len(lines) + 1))
    wrong = next((row for row, each in enumerate(fields) if len(each) != 2), None)
    if wrong is not None:
        raise BadData(f"{sheet.where(wrong)} must have a system and a score, with white space between")
    name, judge = of_rater(without_pair(file))
    column = SheetColumn("the score", [score for _, score in fields])
    values = [number(sheet, column, row) for row in range(len(lines))]
    systems = [system for system, _ in fields]
    places = in_blocks(sheet, systems, material, "score")
    out = [
        OutputRating(system, segment, judge or "the mean of judges", name, value)
        for system, segment, value in zip(systems, places, values, strict=True)
        if value is not None and system in material.systems
    ]
    scale, how = scale_of(name, [each.value for each in out], higher_is_better)
    theirs = {*systems}
    notice = f"scores of {counted(len(theirs), 'system')} on {printable(name)} as mt-metrics-eval has them; {how}"
    return JudgementPart([notice], [scale], out, (), frozenset(theirs - {*material.systems}))


def in_blocks(sheet: FileSheet, systems: Sequence[str], material: Material, what: str) -> list[int]:
    """The segment of each row, of which the systems are given: each system's are in their order. BadData where a system
    of the material has not one of `what` for each of its segments."""
    sizes: dict[str, int] = {}
    out = []
    for row, system in enumerate(systems):
        out.append(sizes.get(system, 0))
        sizes[system] = out[-1] + 1
        if system in material.systems and sizes[system] > len(material):
            name = printable(system[:60])
            raise BadData(f"{sheet.where(row)}: {name} has more {what}s than the {len(material):,} segments")
    short = next((each for each, size in sizes.items() if each in material.systems and size < len(material)), None)
    if short is not None:
        raise BadData(
            f"{file_label(sheet.file.name)} has {counted(sizes[short], what)} of {printable(short[:60])}, but there "
            f"are {len(material):,} segments"
        )
    return out


def without_pair(file: File) -> str:
    """What the scores of a file are called without their language pair: `mqm` of `en-de.mqm.seg.score`."""
    stem = score_name(file)
    head, _, rest = stem.partition(".")
    return rest if rest and _PAIR.fullmatch(head) else stem


def of_rater(name: str) -> tuple[str, str]:
    """The scale and the rater in a name, "" where it has none.

    >>> of_rater("mqm.rater2"), of_rater("mqm.merged")
    (('mqm', 'rater2'), ('mqm.merged', ''))
    """
    rater_match = _RATER.fullmatch(name)
    return (rater_match[1], rater_match[2]) if rater_match else (name, "")
