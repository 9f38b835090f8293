"""The command line, which prints the scores of a file of translations with one segment on each line.

    python -m metrics candidate.txt reference1.txt reference2.txt --metric gtm --gtm-exponent 1.5

Texts are processed as on the page (`text.segment_text`). The options of the metrics are generated from the same rules
as the page's controls. The exit status is 0, or 1 for files that cannot be scored, or 2 for a wrong call. The reason is
printed as one sentence on the standard error.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from . import METRICS, corpus_score
from . import settings as checked
from .command import agreement_options, audit, comparison, files, language
from .command import call as of_systems
from .command.edits import ScoredEdits, edits_to_references
from .command.language import TextLanguage
from .command.output import WRITERS, FileReport, ScoredMetric
from .command.setting_options import add_setting_option, escape_percents, whole_number_parser
from .text import TextSettings, languages, markup, printable
from .text.files import BadData, SegmentLine, file_label, segment_lines
from .types import (
    CorpusResult,
    Metric,
    Result,
    Settings,
    TooHard,
    __version__,
    reference_count,
    remove_isolates,
    signature,
)
from .types.extras import missing_package_sentence

PROGRAM = "bitext-grid score" if (__package__ or "").startswith("bitext_grid") else "python -m metrics"
CORE = audit.CoreFunctions(METRICS, checked, corpus_score)


# ---------------------------------------------------------------- options

USAGE = f"""{PROGRAM} [options] candidate reference [reference ...]
       {PROGRAM} [options] --system NAME=FILE [--system NAME=FILE ...] --reference FILE [--reference FILE ...]
       {PROGRAM} [options] --corpus FILE_OR_FOLDER [--corpus FILE_OR_FOLDER ...]"""
DESCRIPTION = "Score a file of translations against files of references, and show what made the scores."
EPILOG = f"""\
{files.HELP}
examples:
  {PROGRAM} candidate.txt reference1.txt reference2.txt
  {PROGRAM} candidate.txt reference1.txt --metric gtm,sia --gtm-exponent 1.5 --tokenize 13a --lowercase
  {PROGRAM} candidate.txt reference1.txt --metric rouge_l --sentence --format tsv
  {PROGRAM} - reference1.txt reference2.txt --metric gtm --alignments < candidate.txt
  {PROGRAM} candidate.txt reference1.txt reference2.txt --metric gtm --compare other.txt
  {PROGRAM} candidate.txt reference1.txt --metric bleu,gtm --compare other.txt --edits
  {PROGRAM} --system A=candidate.txt --system B=other.txt --reference reference1.txt --confidence --paired A
  {PROGRAM} --corpus testset.jsonl --corpus A.jsonl --corpus B.jsonl --metric bleu,gtm
  {PROGRAM} --system A=candidate.txt --system B=other.txt --reference reference1.txt --agreement --human mqm.tsv
  {PROGRAM} --system A=table.tsv:A --system B=table.tsv:B --reference table.tsv --metric ter

exit status:
  0 for scores, 1 for files that cannot be scored, also if some metrics have no score, 2 for a wrong call,
  3 where the condition of --fail-if holds; the reason is on the standard error.

The manual of the command line is metrics/command/README.md.
"""

#: The command-line option of each text-processing setting, by the setting's name.
TEXT_OPTIONS = {
    "tokenizer": "--tokenize",
    "lowercase": "--lowercase",
    "stemmer": "--stem",
    "language": "--stem-language",
    "nfkc": "--normalize",
}


class Parser(argparse.ArgumentParser):
    """The parser of the command-line arguments, which reports a wrong call in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the error message as one sentence to the standard error and exit with status 2."""
        self.exit(2, f"{PROGRAM}: {printable(remove_isolates(message)).removesuffix('.')}; see {PROGRAM} --help.\n")


def parser() -> Parser:
    """Return the parser of the command-line arguments.

    Its result has each metric setting that the call gives under "metric.name", and omits the settings that the call
    does not give.
    """
    out = Parser(
        PROGRAM,
        usage=USAGE,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    of_files = out.add_argument_group("files")
    of_files.add_argument("candidate", nargs="?", help="the translations")
    theirs = "one file for each reference; - is the standard input, for one file only"
    of_files.add_argument("reference", nargs="*", help=theirs)
    files.add_file_options(of_files)
    what = out.add_argument_group("what to show")
    keys = ", ".join(METRICS)
    what.add_argument(
        "-m",
        "--metric",
        action="append",
        type=_parse_metric_keys,
        metavar="NAME",
        help=f"one metric, or several separated by commas; can be given again (default: all, {keys})",
    )
    sentence = "score each segment by itself, one line each, instead of the corpus"
    what.add_argument("-s", "--sentence", action="store_true", help=sentence)
    alignments = "the marks behind the score of each segment; positions count from 1, in JSON from 0"
    what.add_argument("-a", "--alignments", action="store_true", help=alignments)
    compare = "why this file of translations is better or worse than the candidate, in a sentence for each metric"
    what.add_argument("-c", "--compare", metavar="FILE", help=compare)
    edits = (
        "what each edit that turns a candidate into its references, or with --compare into the "
        "other file, is worth; the shares of the edits sum to the difference of the scores"
    )
    what.add_argument("-e", "--edits", action="store_true", help=edits)
    what.add_argument("--audit", metavar="FILE", help=audit.HELP)
    formats = (
        "text, with four decimals (the default), json (one object), tsv (with a header), latex (a tabular) or, for "
        "several systems, markdown"
    )
    what.add_argument("-f", "--format", choices=of_systems.FORMATS, default="text", metavar="NAME", help=formats)
    _add_options_of_systems(out)
    agreement_options.add_agreement_options(out)
    what.add_argument("-h", "--help", action="help", help="show this")
    what.add_argument("--version", action="version", version=__version__, help="show the version")
    text = out.add_argument_group("text processing, the same for all files")
    for name, rule in TextSettings.rules().items():
        add_setting_option(text, TEXT_OPTIONS[name], f"text.{name}", rule, _default_value(TextSettings, name))
    text.add_argument(
        "--language",
        type=_parse_language,
        metavar="NAME",
        help="the language of the texts: its stems and synonyms are used by METEOR, and by SIA and --stem where they "
        "are asked for (german, japanese, …, other; default: recognised from the references)",
    )
    for key, metric in METRICS.items():
        rules = metric.Settings.rules()
        group = out.add_argument_group(f"{metric.label} ({key})", escape_percents(metric.about.idea)) if rules else None
        for name, rule in rules.items():
            add_setting_option(
                group, _option_name(key, name), f"{key}.{name}", rule, _default_value(metric.Settings, name)
            )
    return out


def _add_options_of_systems(out: argparse.ArgumentParser) -> None:
    """Add the options for scoring several systems, such as --confidence and --paired, to the parser `out`."""
    group = out.add_argument_group("several systems, given by --system")
    confidence = "the 95 %% interval of each score, from 1,000 resamples of the segments"
    group.add_argument("--confidence", action="store_true", help=confidence)
    paired = "test each other system against this one by randomisation, which decides, and sacreBLEU's paired bootstrap"
    group.add_argument("--paired", metavar="NAME", help=paired)
    why = "which causes and segments make the second system's scores differ from the first's; can be given again"
    group.add_argument("--why", action="append", default=[], type=_parse_two_names, metavar="NAME,NAME", help=why)
    patterns = "n-grams and kinds of error that differ between two systems by more than chance"
    group.add_argument(
        "--patterns",
        action="append",
        default=[],
        type=_parse_two_names,
        metavar="NAME,NAME",
        help=f"{patterns}; can be given again",
    )
    repair = "repair the shifted lines of this system before scoring; can be given again"
    group.add_argument("--repair", action="append", default=[], metavar="NAME", help=repair)
    fails = "end with status 3 where this holds, such as 'B.bleu - A.bleu < -0.005'"
    group.add_argument("--fail-if", type=_parse_condition, metavar="CONDITION", help=fails)
    cores = "number of processes that score (default: the number of cores)"
    group.add_argument(
        "--jobs", type=whole_number_parser(1, 512), default=os.cpu_count() or 1, metavar="WHOLE", help=cores
    )
    scheduler = "score on the workers of this Dask scheduler instead, such as tcp://127.0.0.1:8786"
    group.add_argument("--scheduler", metavar="ADDRESS", help=scheduler)
    decimals = "decimals of the scores in text, markdown and latex (default 4)"
    group.add_argument("--decimals", type=whole_number_parser(0, 15), default=4, metavar="WHOLE", help=decimals)


def _parse_two_names(given: str) -> tuple[str, str]:
    """Parse the two names in "NAME,NAME". Raises ArgumentTypeError unless there are two different names."""
    a, _, b = (part.strip() for part in given.partition(","))
    if not a or not b or a == b:
        raise argparse.ArgumentTypeError(f"two systems are given as NAME,NAME, got {given!r}")
    return a, b


def _parse_condition(given: str) -> of_systems.Condition:
    """Parse the condition of `--fail-if`. Raises ArgumentTypeError if it is not a condition."""
    try:
        return of_systems.parse_condition(given)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _option_name(key: str, name: str) -> str:
    """Return the command-line option for the setting `name` of the metric `key`, such as "--gtm-exponent"."""
    return f"--{key}-{name}".replace("_", "-")


def _default_value(cls: type[Settings], name: str) -> Any:
    """Return the default value of the setting `name`."""
    return cls.__dataclass_fields__[name].default


def _parse_metric_keys(given: str) -> list[str]:
    """Parse a comma-separated list of metrics into metric keys. A label such as "ROUGE-L" is accepted too."""
    keys = [name.strip().lower().replace("-", "_") for name in given.split(",")]
    for key in keys:
        if key not in METRICS:
            raise argparse.ArgumentTypeError(f"metric must be one of {', '.join(METRICS)}, got {key!r}")
    return keys


def _parse_language(given: str) -> str:
    """Parse the name of a language. Raises ArgumentTypeError for an unknown language."""
    name = given.strip().lower()
    if name not in languages.KNOWN:
        raise argparse.ArgumentTypeError(f"language must be one of {', '.join(languages.KNOWN)}, got {given!r}")
    return name


class Request(NamedTuple):
    """A parsed call of the command line, for one candidate file or for several `systems`.

    Attributes:
        candidate, references: the file names.
        metrics: the chosen metrics, each with its settings.
        text: how the texts are processed.
        sentence, alignments, edits, format: what to print, and in which format.
        compare: another file of translations to compare the candidate with.
        language: the language that the call names for all texts, else None.
        stems_named: whether the call names the language of Snowball's stems separately.
        language_keys: the keys of the metrics whose language the call names separately.
        spoken: the language of the texts, known only after the files are read.
        stems_lost: whether stems were requested but the language has no stemmer, known only after the files are read.
        systems: the request about several systems, else None.
        audit: the file to write an audit to.
        clean: the names of what is removed from the texts.
    """

    candidate: str
    references: list[str]
    metrics: list[tuple[Metric, Settings]]
    text: TextSettings
    sentence: bool
    alignments: bool
    edits: bool
    format: str
    compare: str | None
    language: str | None = None
    stems_named: bool = False
    language_keys: frozenset[str] = frozenset()
    spoken: TextLanguage | None = None
    stems_unavailable: bool = False
    systems: of_systems.SystemsCall | None = None
    audit: str | None = None
    clean: Sequence[str] = ()

    def in_language_of(self, references: list[list[str]]) -> Request:
        """Return the request with its settings adapted to the language of the texts, where the settings depend on it.

        The language is the one named in the call, or else the one recognised from the lines of the references.
        """
        open_ = [(metric, settings) for metric, settings in self.metrics if metric.key not in self.language_keys]
        if not language.depends_on_language(open_, self.text, self.stems_named):
            return self
        spoken_language = language.text_language(self.language, references)
        text = (
            self.text
            if self.stems_named
            else language.text_settings_for_language(self.text, spoken_language.stemming_language)
        )
        metrics = [
            (
                metric,
                settings
                if metric.key in self.language_keys
                else language.metric_settings_for_language(settings, spoken_language.stemming_language),
            )
            for metric, settings in self.metrics
        ]
        return self._replace(
            metrics=metrics, text=text, spoken=spoken_language, stems_unavailable=text.stemmer != self.text.stemmer
        )

    def notes(self) -> list[str]:
        """Return the notes about the language, and about what was removed from the texts."""
        return [
            *markup.cleaning_notes(self.clean),
            *language.language_notes(self.spoken, self.metrics, self.stems_unavailable),
        ]


def request(argv: Sequence[str] | None = None) -> Request:
    """Return the request that the command-line arguments make; `argv` is None for the arguments of this process.

    If the arguments are wrong, print one sentence to the standard error and raise SystemExit.
    """
    options = parser()
    words = sys.argv[1:] if argv is None else [*argv]
    # Arguments after "--" are files, even if they begin with "-", which argparse would take for options.
    behind = words[words.index("--") + 1 :] if "--" in words else []
    given = vars(options.parse_intermixed_args([*words[: len(words) - len(behind)], *["file"] * len(behind)]))
    files = [*([] if given["candidate"] is None else [given["candidate"]]), *given["reference"]]
    compare = given["compare"]
    files = [*files[: len(files) - len(behind)], *behind]
    if not (given["system"] or given["corpus"]) and len(files) < 2:
        options.error(f"the following arguments are required: {'reference' if files else 'candidate, reference'}")
    if [*files, compare].count("-") > 1:
        options.error("only one file can be the standard input, but - was given more than once")
    for name in ("alignments", "edits"):
        if given[name] and given["format"] == "latex":
            options.error(f"--{name} can be text, json or tsv, not latex")
    if given["alignments"] and given["edits"] and given["format"] == "tsv":
        options.error("--alignments and --edits are two tables; tsv can hold only one of them")
    if compare is not None and given["format"] not in comparison.WRITERS:
        options.error(f"--compare can be text or json, not {given['format']}")
    if compare is not None and (given["sentence"] or given["alignments"]):
        options.error("--compare says what changed most; it cannot go with --sentence or --alignments")
    asked = given["metric"] or [of_systems.default_metrics(METRICS, _print_to_stderr)]
    keys = list(dict.fromkeys([key for keys in asked for key in keys]))
    values: dict[str, dict[str, Any]] = {key: {} for key in ("text", *keys)}
    for dest, value in given.items():
        key, _, name = dest.partition(".")
        if name and key not in values:
            options.error(f"{_option_name(key, name)} needs the metric {key}, which --metric leaves out")
        if name:
            values[key][name] = value
    chosen = []
    for key in keys:
        try:
            chosen.append((METRICS[key], checked(key, **values[key])))
        except ValueError as error:  # a rule that concerns several settings
            options.error(f"{key}: {error}")
    text = TextSettings(**values["text"])
    output_options = given["sentence"], given["alignments"], given["edits"], given["format"]
    stems_named = "language" in values["text"]
    rules = {key: METRICS[key].Settings.rules() for key in keys}
    language_keys = frozenset([key for key in keys if any(rules[key][name].of_texts for name in values[key])])
    clean = list(dict.fromkeys([name for names in given["clean"] for name in names]))
    call = Request(
        "", [], chosen, text, *output_options, compare, given["language"], stems_named, language_keys, clean=clean
    )
    if given["system"] or given["references"] or given["corpus"]:
        return call._replace(systems=_parse_systems_call(options, given, files, keys)._replace(clean=clean))
    for name in (
        "confidence",
        "paired",
        "why",
        "patterns",
        "repair",
        "fail_if",
        "scheduler",
        "source",
        "column",
        "keep_tags",
        "post_edited",
        "agreement",
        "human",
        "spans",
    ):
        if given[name]:
            options.error(f"--{name.replace('_', '-')} needs systems, which --system gives")
    if given["format"] not in WRITERS:
        options.error(f"the format {given['format']} is only for systems, which --system gives")
    if given["audit"] is not None and compare is not None:
        options.error("--audit is for one file of translations; it cannot go with --compare")
    return call._replace(candidate=files[0], references=files[1:], audit=given["audit"])


def _parse_systems_call(
    options: Parser, given: dict[str, Any], files: list[str], keys: list[str]
) -> of_systems.SystemsCall:
    """Return the request about several systems; exit with a sentence if the options do not fit together.

    `given` has the parsed options by name, `files` the file names given without an option, and `keys` the keys of the
    chosen metrics.
    """
    names = [name for name, _ in given["system"]]
    twice = next((name for name in names if names.count(name) > 1), None)
    if files:
        options.error(f"with --system every file needs an option; {files[0]!r} has none")
    if not given["corpus"] and (not names or not (given["references"] or given["agreement"])):
        options.error("systems need --system NAME=FILE and --reference FILE, each at least once, or --corpus FILE")
    if twice is not None:
        options.error(f"every system needs its own name; {twice!r} is given twice")
    for name in ("compare", "alignments", "edits", "audit"):
        if given[name]:
            options.error(f"--{name} is for one file of translations, not for systems")
    condition = given["fail_if"]
    sides = [condition.minuend, condition.subtrahend] if condition else []
    for _, key in filter(None, sides):
        if key not in keys:
            options.error(f"the condition names {key}, which is not one of the metrics {', '.join(keys)}")
    call = of_systems.SystemsCall(
        dict(given["system"]),
        given["references"],
        given["confidence"],
        given["sentence"],
        given["paired"],
        given["why"],
        given["patterns"],
        condition,
        given["jobs"],
        given["decimals"],
        given["source"],
        given["corpus"],
        dict(given["column"]),
        given["keep_tags"],
        given["post_edited"],
        given["scheduler"],
        given["repair"],
        agreement_options.parse_judgement_options(options, given),
    )
    # With --corpus the names of the systems are known only after the files are read.
    if (unknown := call.unknown_system_message()) and not call.corpora:
        options.error(unknown)
    return call


# ---------------------------------------------------------------- scores


def score_metric(call: Request, corpus: list[SegmentLine], metric: Metric, settings: Settings) -> ScoredMetric:
    """Return the scores of one metric for all segments in `corpus`, with everything else printed about them.

    Raises BadData, naming the line, for a segment that is too hard to score.
    """
    count = reference_count([line.files for line in corpus])
    sign = signature(metric.key, settings, call.text.signature(), count)
    sign += markup.cleaning_signature(call.clean)
    by_segment = call.sentence or call.alignments or call.edits
    sentences = _segment_results(call, corpus, metric, settings) if by_segment else []
    whole = None
    if call.format == "json" or not sentences:
        whole = _corpus_result(call, corpus, metric, settings, sentences)
    ways = _edits_to_references(call, corpus, metric, sentences) if call.edits else []
    return ScoredMetric(metric, settings, sign, whole, sentences, ways)


def _corpus_result(
    call: Request, corpus: list[SegmentLine], metric: Metric, settings: Settings, sentences: list[Result]
) -> CorpusResult:
    """Return the corpus score of one metric.

    It is computed from the statistics of the results in `sentences`, if there are any and the metric's statistics of a
    segment depend on that segment only. Else the whole corpus is scored.
    """
    if sentences and not metric.corpus:
        return metric.pooled([result.stats for result in sentences], settings)
    candidates = [line.segment.segment.candidate for line in corpus]
    references = [line.segment.segment.references for line in corpus]
    given = {name: getattr(settings, name) for name in settings.rules()}
    try:
        return corpus_score(metric.key, candidates, references, **given)
    except TooHard:
        _segment_results(call, corpus, metric, settings)  # raises BadData that names the line
        raise


def _segment_results(call: Request, corpus: list[SegmentLine], metric: Metric, settings: Settings) -> list[Result]:
    """Return the result of each segment, as `Metric.score` computes it.

    Marks are computed only if the output needs them. Raises BadData, naming the line, for a segment that is too
    hard.
    """
    out = []
    for number, line in enumerate(corpus, start=1):
        segment = line.segment.segment
        try:
            stats, layers, decides = metric.align(segment, settings, call.alignments or call.edits)
        except TooHard as error:
            raise BadData(f"{file_label(call.candidate)}, line {number}: {error}") from None
        score, parts = metric.from_stats(stats, settings)
        out.append(Result(metric.key, settings, segment, score, parts, stats, layers, decides))
    return out


def _edits_to_references(
    call: Request, corpus: list[SegmentLine], metric: Metric, sentences: list[Result]
) -> list[list[ScoredEdits]]:
    """Return, for each segment, an `EditWay` for each reference: the edits from the candidate to it.

    `sentences` are the results of the segments. Raises BadData, naming the line, for a segment that is too hard.
    """
    out = []
    for number, (line, result) in enumerate(zip(corpus, sentences, strict=True), start=1):
        try:
            out.append(edits_to_references(metric, line, result))
        except TooHard as error:
            raise BadData(f"{file_label(call.candidate)}, line {number}: {error}") from None
    return out


# ---------------------------------------------------------------- the program


def output_lines(argv: Sequence[str] | None = None) -> Iterator[str]:
    """Return an iterator of the lines that the call prints. `argv` is None for the arguments of this process.

    Raises BadData for files that cannot be scored and SystemExit for a wrong call, both before the first line.
    """
    call = request(argv)
    if call.systems is not None:
        from .command.systems import program

        return program.run_call(call.systems, call.in_language_of, call.format, _print_to_stderr)
    if call.compare is not None:
        return comparison.WRITERS[call.format](_compare_files(call, call.compare))
    columns, names, messages = files.read_columns([call.candidate], call.references, call.clean)
    call = call._replace(references=names[1:]).in_language_of(columns[1:])
    corpus = segment_lines(names, columns, call.text)
    for each in (*messages, *files.hint_sentences(names, columns, [corpus], call.text, *call.metrics[0])):
        _print_to_stderr(each)
    results = [score_metric(call, corpus, metric, settings) for metric, settings in call.metrics]
    if call.audit is not None:
        audit.write_audit(CORE, call.audit, corpus, call.text, names, call.metrics, call.clean)
    details = call.sentence, call.alignments, call.edits
    about = call.spoken, call.notes()
    report = FileReport(call.candidate, call.references, call.text, *details, corpus, results, *about)
    return WRITERS[call.format](report)


def _compare_files(call: Request, other: str) -> comparison.FileComparison:
    """Return the comparison of the candidate file with the file `other`."""
    columns, names, messages = files.read_columns([call.candidate, other], call.references, call.clean)
    ours, theirs, *references = columns
    call = call._replace(references=names[2:]).in_language_of(references)
    corpora = [
        segment_lines([name, *call.references], [column, *references], call.text)
        for name, column in ((call.candidate, ours), (other, theirs))
    ]
    for each in (*messages, *files.hint_sentences(names, columns, corpora, call.text, *call.metrics[0])):
        _print_to_stderr(each)
    results = []
    for metric, settings in call.metrics:
        a, b = (
            score_metric(
                call._replace(candidate=name, sentence=True, edits=False, format="json"), corpus, metric, settings
            )
            for name, corpus in zip((call.candidate, other), corpora, strict=True)
        )
        results.append(comparison.compare_files(a, b, (call.candidate, other), corpora[0], corpora[1], call.edits))
    return comparison.FileComparison(
        call.candidate, other, call.references, call.text, len(ours), results, call.spoken, call.notes()
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. `argv` is None for the arguments of this process."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # the input files are UTF-8, so the output is too
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    status = 0
    words = sys.argv[1:] if argv is None else argv
    try:
        if words and words[0] == "verify":
            return audit.run_verify_command(CORE, words[1:], PROGRAM.removesuffix(" score"))
        try:
            for line in output_lines(argv):
                print(line)
        except SystemExit as stop:  # after --help, or for a wrong call
            status = int(stop.code or 0)
        if sys.stdout:
            sys.stdout.flush()
    except BadData as error:
        return _report_failure(str(error), 1)
    except of_systems.FailConditionHolds as error:
        sys.stdout.flush()
        return _report_failure(f"--fail-if holds: {error}", 3)
    except ModuleNotFoundError as error:
        if not (message := missing_package_sentence(error.name or "")):
            raise
        return _report_failure(message, 1)
    except KeyboardInterrupt:
        return _report_failure("interrupted", 130)
    except BrokenPipeError:  # the reading program has closed the pipe
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        return _report_failure(f"the output cannot be written: {error.strerror}", 1)
    return status


def _report_failure(message: str, status: int) -> int:
    """Print the message to the standard error and return `status`."""
    _print_to_stderr(message)
    return status


def _print_to_stderr(message: str) -> None:
    """Print the message as a sentence to the standard error."""
    print(f"{PROGRAM}: {message}{'' if message.endswith(('.', '?')) else '.'}", file=sys.stderr)


def _drop_output() -> None:
    """Redirect the standard output to the null device, after writing to it has failed.

    Without this, Python would try to write the buffered text once more on exit, and report an error.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
