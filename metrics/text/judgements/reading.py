"""Read files of human judgements in many formats into one record that refers to the judged texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...formula import count_with_noun
from ...types import join_words
from ...types.columns import ratio
from .. import printable
from ..files import BadData, decode_utf8, file_label
from ..formats.file_columns import read_sheet
from ..formats.folders import mt_metrics_eval_files
from ..formats.long_tables import table_by_segment
from ..formats.material import Material, recognise_files
from ..formats.sheets import File, join_names
from .annotations import json_judgements, looks_like_annotations
from .error_spans import error_table_judgements, is_error_table
from .judged_corpus import Array, ErrorSpan, JudgementRecord, RatingScale
from .parts import ErrorMark, FileJudgements, OutputRating
from .rating_files import is_rating_file, rating_file_judgements
from .scores import (
    describe_left_out_scores,
    is_human_score_file,
    is_score_file,
    score_file_judgements,
    score_name,
    scored_unit,
)
from .tables import is_rating_table, rating_table_judgements
from .tagged import is_tagged_mqm_table, tagged_mqm_judgements

#: The most cells of the ratings: systems × segments × judges × scales.
MOST_RATINGS = 20_000_000
#: The most judges.
MOST_JUDGES = 2_000


def read(
    files: Sequence[File],
    material: Material,
    higher_is_better: Mapping[str, bool] = {},
    origins: Mapping[str, str] = {},
) -> JudgementRecord:
    """Return the human judgements of the systems' outputs in `material`, which `metrics.text.formats.read` returns.

    The format of each file is recognised by its contents:

    - a table with a header (TSV, CSV, XLSX, JSON lines) with a row for each segment, system and judge. Its columns are
      `line` (or `seg_id`, `segment`, …), `system`, `rater` (or `judge`, `annotator`, …; may be missing), and any number
      of numeric columns, each a scale; a cell may be empty;
    - a table of marked errors: `line`, `system`, `rater`, `category`, `severity`, `side` (`target` or `source`),
      `start`, `end`, and maybe the marked `text`. Whether letters count from 0 or 1, and whether marks include their
      end, is inferred from the texts;
    - human scores of segments by mt-metrics-eval, `en-de.mqm.seg.score`, with a system and its score per line, and its
      ratings, `en-de.mqm.merged.seg.rating`, with a system and the errors of its output per line; `files` finds them in
      a folder;
    - WMT's MQM, one error per row with `<v>…</v>` around it, which gives both ratings and marks; the texts in it
      identify the segments;
    - Pearmut's annotations in JSON, and xCOMET's error spans, which become marks by a judge called xCOMET.

    Segments are numbers from 0 or from 1, in the whole corpus or in each document, or keys of the material.
    `higher_is_better` says of scales, by name, which direction is better. By default lower is better for ranks, counts
    of errors, and MQM above 0. `origins` maps a reference of the material to the system that it was made from.

    The record has the systems of the material in their order, all its segments, and the judges sorted by name. If one
    judge rated an output several times, the mean counts. `notices` say how each file was read and what was left out:
    systems that are not in the material (in one sentence), and a system that a reference was made from or is equal to.
    Without ratings there are no `scales`.

    Raises BadData, with file and line, for what cannot be read, and if no judgement is left.

    >>> from metrics.text.formats import read as texts
    >>> material = texts([File("a.txt", b"one\\ntwo\\n", "system", "A"), File("b.txt", b"one\\n2\\n", "system", "B")])
    >>> rows = b"line\\tsystem\\trater\\tmqm\\n1\\tA\\tx\\t0\\n2\\tA\\tx\\t-5\\n2\\tC\\tx\\t-1\\n"
    >>> judged = read([File("mqm.tsv", rows)], material)
    >>> judged.systems, judged.judges, judged.means("mqm").tolist()
    (('A', 'B'), ('x',), [[0.0, -5.0], [nan, nan]])
    >>> judged.notices[1:]
    ('Judgements of C are left out: there is no such system.', 'B has no judgement.')
    """
    whole = describe_left_out_scores(files)
    files = [file for file in files if not scored_unit(file)]
    parts = _without_fallback_ratings([_read_file(file, material, higher_is_better) for file in files])
    notices = [f"{each}." for each in whole]
    notices += [
        f"{file_label(file.name)}: {each}." for file, part in zip(files, parts, strict=True) for each in part.notices
    ]
    outside = sorted(set().union(*[part.unknown_systems for part in parts]))
    if outside:
        are = "there is no such system" if len(outside) == 1 else "there are no such systems"
        notices.append(f"Judgements of {_joined_names(outside)} are left out: {are}.")
    excluded_systems, why = _copied_systems(material, origins)
    notices += why
    valid_ratings = [each for part in parts for each in part.ratings if each.system not in excluded_systems]
    marked, twice = _unique_marks(
        [[each for each in part.marks if each.system not in excluded_systems] for part in parts]
    )
    if twice:
        notices.append(f"{count_with_noun(twice, 'mark')} in two files, by the same judge, counted once.")
    if not valid_ratings and not marked:
        if whole and not files:
            raise BadData(f"there are no judgements of segments; {whole[0]}")
        of = f"; they are of {join_names(outside)}" if outside else ""
        raise BadData(f"the files have no judgement of the systems {join_names([*material.systems])}{of}")
    scales = _merged_scales(files, parts)
    systems = tuple(material.systems)
    judges = tuple(sorted({*[each.judge for each in valid_ratings], *[each.judge for each in marked]}))
    if len(judges) > MOST_JUDGES or len(systems) * len(material) * len(judges) * len(scales) > MOST_RATINGS:
        raise BadData(
            f"{count_with_noun(len(judges), 'judge')}, {count_with_noun(len(systems), 'system')} and "
            f"{len(material):,} segments are too many together"
        )
    number = {name: n for n, name in enumerate(systems)}
    judge = {name: n for n, name in enumerate(judges)}
    values, several = _rating_arrays(valid_ratings, scales, (len(systems), len(material), len(judges)), number, judge)
    if several:
        what = "One output is" if several == 1 else f"{several:,} outputs are"
        notices.append(f"{what} rated several times by one judge on one scale: their mean is used.")
    spans = sorted([ErrorSpan(number[each.system], each.segment, judge[each.judge], *each[3:]) for each in marked])
    rated = {each.system for each in valid_ratings}
    if valid_ratings and (never := [name for name in systems if name not in rated and name not in excluded_systems]):
        notices.append(f"{_joined_names(never)} {'has' if len(never) == 1 else 'have'} no judgement.")
    return JudgementRecord(systems, len(material), judges, scales, values, tuple(spans), tuple(notices))


def split_files(files: Sequence[File]) -> tuple[list[File], list[File]]:
    """Split files that were given together into the files of texts and the files of judgements, each in order.

    A file that cannot be read counts as a text, because the reader of texts reports what is wrong. A table with outputs
    and their ratings also counts as a text, if no other file has outputs. In a folder of mt-metrics-eval, judgements of
    other language pairs are left out.

    >>> ratings = File("mqm.tsv", b"line\\tsystem\\tmqm\\n1\\tA\\t0\\n2\\tA\\t-5\\n")
    >>> [[file.name for file in each] for each in split_files([File("a.txt", b"one\\ntwo\\n"), ratings])]
    [['a.txt'], ['mqm.tsv']]
    """
    theirs = [file for file in files if is_judgement_file(file)]
    if having := [file for file in theirs if _has_outputs(file)]:
        rest = [file for file in files if file not in theirs]
        if not any(role.kind == "system" for each in recognise_files(rest) for _, role in each.columns):
            theirs = [file for file in theirs if file not in having]
    ours = [file for file in files if file not in theirs]
    try:
        layout = mt_metrics_eval_files(ours)
    except BadData:  # the reader of texts reports the same error
        return ours, theirs
    if layout is None:
        ours = [
            file._replace(role="score", label=score_name(file)) if file.ending == "score" else file for file in ours
        ]
    else:
        pair = next(file.stem for file in layout if file.role == "source").rpartition(".")[0]
        theirs = [file for file in theirs if not is_human_score_file(file) or file.stem.startswith(f"{pair}.")]
    return ours, theirs


def is_judgement_file(file: File) -> bool:
    """Return whether a file holds human judgements; its contents decide, for files of scores their names.

    Scores of whole systems count as judgements too, so that they are not read as texts; `read` reports that they are
    left out."""
    if file.ending in ("score", "rating"):
        return file.ending == "rating" or is_human_score_file(file) or scored_unit(file) != ""
    try:
        if file.ending not in ("xlsx", "xlsm"):
            text = decode_utf8(file.name, file.bytes())
            if text[:1000].lstrip()[:1] in ("{", "["):
                return looks_like_annotations(text)
            if is_rating_file(file, text):
                return True
        sheet = read_sheet(file)
    except BadData:
        return False
    if sheet.plain:
        return False
    return is_error_table(sheet) or is_tagged_mqm_table(sheet) or is_rating_table(sheet)


def _has_outputs(file: File) -> bool:
    """Return whether a table of ratings also has a column with the rated outputs."""
    try:
        return file.ending not in ("score", "rating") and table_by_segment(read_sheet(file), {}) is not None
    except BadData:
        return False


def _read_file(file: File, material: Material, higher_is_better: Mapping[str, bool]) -> FileJudgements:
    """Return the judgements of one file, in whatever supported format it is. Raises BadData.

    `material` has the judged texts. `higher_is_better` says for scales, by name, which direction is better."""
    if file.ending not in ("xlsx", "xlsm"):
        data = file.bytes()
        text = decode_utf8(file.name, data)
        if is_rating_file(file, text):
            return rating_file_judgements(file, data, material)
        if is_score_file(file, text):
            return score_file_judgements(file, data, material, higher_is_better)
        if part := json_judgements(file, text, material, higher_is_better):
            return part
    sheet = read_sheet(file)
    if is_error_table(sheet):
        return error_table_judgements(sheet, material)
    return (
        tagged_mqm_judgements(sheet, material)
        if is_tagged_mqm_table(sheet)
        else rating_table_judgements(sheet, material, higher_is_better)
    )


def _without_fallback_ratings(parts: Sequence[FileJudgements]) -> list[FileJudgements]:
    """Remove the ratings that were only computed from marked errors, if any file has ratings that people gave.

    If no file has, the computed ratings stay, and a notice about them is added."""
    others = any(part.ratings for part in parts if not part.fallback_notice)
    out = []
    for part in parts:
        if part.fallback_notice and others:
            part = part._replace(scales=(), ratings=())
        elif part.fallback_notice:
            part = part._replace(notices=[*part.notices, part.fallback_notice])
        out.append(part)
    return out


def _unique_marks(parts: Iterable[Sequence[ErrorMark]]) -> tuple[list[ErrorMark], int]:
    """Return the marked errors of all files, each once, and how many were left out because an earlier file has them.

    Each element of `parts` has the marked errors of one file; repetitions within a file are kept."""
    out: list[ErrorMark] = []
    twice = 0
    before: set[ErrorMark] = set()
    for marked in parts:
        new = [each for each in marked if each not in before]
        twice += len(marked) - len(new)
        out += new
        before.update(new)
    return out, twice


def _merged_scales(files: Sequence[File], parts: Sequence[FileJudgements]) -> tuple[RatingScale, ...]:
    """Return the scales of all files, each once.

    Raises BadData if two files disagree about which direction of a scale is better. If two files differ in the bounds
    of a scale, the scale has no bounds."""
    out: dict[str, RatingScale] = {}
    for file, part in zip(files, parts, strict=True):
        for each in part.scales:
            known_scale = out.setdefault(each.name, each)
            if known_scale.higher_is_better != each.higher_is_better:
                way = "higher" if each.higher_is_better else "lower"
                raise BadData(
                    f"{file_label(file.name)}: {way} is better for {printable(each.name)}, but not in another file"
                )
            if (known_scale.low, known_scale.high) != (each.low, each.high):
                out[each.name] = known_scale._replace(low=None, high=None)
    return tuple(out.values())


def _rating_arrays(
    valid_ratings: Iterable[OutputRating],
    scales: Sequence[RatingScale],
    array_shape: tuple[int, int, int],
    system_index: Mapping[str, int],
    judge_index: Mapping[str, int],
) -> tuple[dict[str, Array], int]:
    """Return an array of ratings for each scale, by name, and how many outputs one judge rated several times.

    The arrays have the shape `array_shape`: systems × segments × judges. Several ratings of one output by one judge are
    averaged; no rating is NaN. `system_index` and `judge_index` map names to indices."""
    sums = {scale.name: np.zeros(array_shape) for scale in scales}
    counts = {scale.name: np.zeros(array_shape) for scale in scales}
    for each in valid_ratings:
        at = system_index[each.system], each.segment, judge_index[each.judge]
        sums[each.scale][at] += each.value
        counts[each.scale][at] += 1
    values = {name: ratio(each, counts[name], np.nan) for name, each in sums.items()}
    several = sum((each > 1).any(axis=2) for each in counts.values())
    return values, int(np.count_nonzero(several))


def _copied_systems(material: Material, origins: Mapping[str, str]) -> tuple[set[str], list[str]]:
    """Return the systems whose output a reference was made from or is equal to, and a warning for the user about each.

    Their judgements must not count, since metrics would compare such an output with itself. `origins` maps references
    to the systems that they were made from. Raises BadData if it names an unknown reference or system."""
    excluded_systems: set[str] = set()
    warnings = []
    for reference, system in origins.items():
        if reference not in material.references or system not in material.systems:
            kind, name = ("reference", reference) if reference not in material.references else ("system", system)
            names = join_names([*(material.references if kind == "reference" else material.systems)], 12)
            raise BadData(f"there is no {kind} {printable(name)}; there are {names}")
        excluded_systems.add(system)
        warnings.append(_copy_warning(reference, "was made from", system))
    for name, output in material.systems.items():
        for reference, texts in material.references.items():
            if name not in excluded_systems and texts.lines == output.lines and any(output.lines):
                excluded_systems.add(name)
                warnings.append(_copy_warning(reference, "is the output of", name))
    return excluded_systems, warnings


def _copy_warning(reference: str, how: str, system: str) -> str:
    """Return the warning that a reference comes from a system, whose judgements are left out.

    `how` is the verb between the two names, such as "was made from"."""
    return f"The reference {printable(reference)} {how} {printable(system)}, whose judgements are left out."


def _joined_names(names: Sequence[str]) -> str:
    """Return names joined by commas, with "and" before the last."""
    visible_names = [printable(name[:60]) for name in names]
    if len(visible_names) > 12:
        visible_names = [*visible_names[:11], f"{len(visible_names) - 11} more"]
    return join_words(visible_names)
