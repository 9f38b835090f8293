"""Read human scores in the format of mt-metrics-eval: a system and its score per line, segments of a system in order.

The ratings of mt-metrics-eval, which list the errors of each output in lines of the same order, are read by
`rating_files`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, decode_lines, file_label, unreadable_file_error
from ..formats.folders import MOST_FILES, files_in_folder, is_folder
from ..formats.material import Material
from ..formats.sheets import File, FileSheet, SheetColumn, join_names
from .parts import FileJudgements, OutputRating, cell_number, infer_scale

_PAIR = re.compile(r"[a-z]{2,3}(?:_[A-Z]{2})?-[a-z]{2,3}(?:_[A-Z]{2})?")
_RATER = re.compile(r"(?i)(.+?)[._-]((?:rater|annotator|judge)[._-]?\w+)")
#: All endings of a name; the lookbehinds keep matches from starting inside the sequence.
_ENDINGS = re.compile(r"(?<!\.seg)(?<!\.score)(?<!\.rating)(?<!\.txt)(?<!\.tsv)(?:\.(?:seg|score|rating|txt|tsv))++$")
#: What scores rate that are not of segments, by the part of the name before the ending.
_WHOLE = {"sys": "systems", "doc": "documents", "domain": "domains"}
_LINE = re.compile(r"\S+[ \t]+(?:[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?|[Nn]one|[Nn]a[Nn])")


def files(name: str) -> list[File]:
    """Return the files of judgements at a path: the file itself, or the files of a folder. Raises BadData.

    In a folder of mt-metrics-eval, given as `FOLDER` or `FOLDER:PAIR`, these are the human scores and ratings of
    segments for one language pair. In any other folder, they are all files."""
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
        raise unreadable_file_error(folder, error) from None
    if not paths and not pair and not scores.is_dir():
        return files_in_folder(name)
    pairs = sorted({path.name.partition(".")[0] for path in paths})
    if len(pairs) > 1 and not pair:
        count = count_with_noun(len(pairs), "language pair")
        raise BadData(
            f"{file_label(folder)} has scores of {count}: {join_names(pairs, 12)}; name one, such as "
            f"{file_label(folder)}:{printable(pairs[0])}"
        )
    pair_paths = [path for path in paths if not pair or path.name.startswith(f"{pair}.")]
    if not pair_paths:
        raise BadData(f"{file_label(folder)} has no human scores of segments{f' of {printable(pair)}' if pair else ''}")
    if len(pair_paths) > MOST_FILES:
        raise BadData(f"{file_label(folder)} has {len(pair_paths):,} files of scores; the limit is {MOST_FILES}")
    return [File(path.as_posix()) for path in pair_paths]


def is_score_file(file: File, text: str) -> bool:
    """Return whether a file has scores in the format of mt-metrics-eval, by its name's ending or its first line."""
    first = text[:1000].partition("\n")[0].strip()
    return file.ending == "score" or (file.ending in ("", "txt", "tsv") and _LINE.fullmatch(first) is not None)


def is_human_score_file(file: File) -> bool:
    """Return whether a file of scores has scores by people, not by metrics.

    It has if it is in the folder `human-scores`, or outside folders if its name begins with a language pair."""
    path = PurePosixPath(file.name.replace("\\", "/"))
    if path.parent.name:
        return path.parent.name == "human-scores"
    return _PAIR.fullmatch(file.stem.partition(".")[0]) is not None


def scored_unit(file: File) -> str:
    """Return what a file of scores rates instead of segments: "systems", "documents" or "domains"; "" if segments.

    The name of the file decides.

    >>> scored_unit(File("COMET-refA.sys.score")), scored_unit(File("en-de.mqm.seg.score"))
    ('systems', '')
    """
    return _WHOLE.get(file.stem.rpartition(".")[0].rpartition(".")[2], "") if file.ending == "score" else ""


def describe_left_out_scores(files: Sequence[File]) -> list[str]:
    """Return a list with one sentence about the files whose scores are not of segments; empty if there are none.

    The sentence has no full stop.

    >>> describe_left_out_scores([File("A.sys.score"), File("B.doc.score"), File("B.seg.score")])
    ['A.sys.score, B.doc.score: scores of systems and documents, not of segments, are left out']
    """
    of = {file.name: what for file in files if (what := scored_unit(file))}
    kinds = " and ".join(dict.fromkeys(of.values()))
    return (
        [f"{join_names([*map(file_label, of)], 3, 200)}: scores of {kinds}, not of segments, are left out"]
        if of
        else []
    )


def score_name(file: File) -> str:
    """Return the name of the score in a file, from the file's name: `COMET` for `COMET.seg.score`."""
    return _ENDINGS.sub("", file.stem)


def score_file_judgements(
    file: File, data: bytes, material: Material, higher_is_better: Mapping[str, bool]
) -> FileJudgements:
    """Return the ratings in a file of scores in the format of mt-metrics-eval. Raises BadData, with the line.

    The name of the file gives the scale, and the judge if it names one. `data` are the bytes of the file, and
    `material` has the judged texts. `higher_is_better` says for scales, by name, which direction is better."""
    lines = decode_lines(file.name, data)
    fields = [line.split() for line in lines]
    sheet = FileSheet(file, "scores", (), range(1, len(lines) + 1))
    wrong = next((row for row, each in enumerate(fields) if len(each) != 2), None)
    if wrong is not None:
        raise BadData(f"{sheet.where(wrong)} must have a system and a score, separated by white space")
    name, judge = split_scale_and_rater(scale_name(file))
    column = SheetColumn("the score", [score for _, score in fields])
    values = [cell_number(sheet, column, row) for row in range(len(lines))]
    systems = [system for system, _ in fields]
    places = segments_by_system_order(sheet, systems, material, "score")
    out = [
        OutputRating(system, segment, judge or "the mean of judges", name, value)
        for system, segment, value in zip(systems, places, values, strict=True)
        if value is not None and system in material.systems
    ]
    scale, how = infer_scale(name, [each.value for each in out], higher_is_better)
    theirs = {*systems}
    notice = f"scores of {count_with_noun(len(theirs), 'system')} on {printable(name)} as in mt-metrics-eval; {how}"
    return FileJudgements([notice], [scale], out, (), frozenset(theirs - {*material.systems}))


def segments_by_system_order(sheet: FileSheet, systems: Sequence[str], material: Material, what: str) -> list[int]:
    """Return the segment index of each row of a file that lists the segments of every system in order.

    `systems` has the system of each row. Raises BadData if a system of the material does not have exactly one row per
    segment. `what` is what messages call a row, such as "score"."""
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
            f"{file_label(sheet.file.name)} has {count_with_noun(sizes[short], what)} of {printable(short[:60])}, "
            f"but there are {len(material):,} segments"
        )
    return out


def scale_name(file: File) -> str:
    """Return the name of the scale in a file of human scores: `mqm` for `en-de.mqm.seg.score`.

    It is the name of the score without the language pair."""
    stem = score_name(file)
    head, _, rest = stem.partition(".")
    return rest if rest and _PAIR.fullmatch(head) else stem


def split_scale_and_rater(name: str) -> tuple[str, str]:
    """Split a name such as "mqm.rater2" into scale and rater; the rater is "" if the name has none.

    >>> split_scale_and_rater("mqm.rater2"), split_scale_and_rater("mqm.merged")
    (('mqm', 'rater2'), ('mqm.merged', ''))
    """
    rater_match = _RATER.fullmatch(name)
    return (rater_match[1], rater_match[2]) if rater_match else (name, "")
