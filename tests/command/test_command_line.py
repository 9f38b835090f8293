"""Tests of the command line `python -m metrics`.

Its numbers are the page's, its options follow the rules of the settings, and no file makes it crash."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import metrics
from metrics.__main__ import EPILOG, TEXT_OPTIONS, main
from metrics.text import TextSettings, segment_text
from metrics.types import Edit
from tests.helpers.app import ROOT, skip_missing
from tests.helpers.corpora import load_lines
from tests.helpers.tables import every_row
from tests.helpers.waiting import LIMIT

KEYS = list(metrics.METRICS)

CANDIDATE = ["England with France discussed this crisis in London", "police kill the gunman", "Cats&amp;dogs, 3.5!"]
FIRST = [
    "Britain and France consulted about this crisis in London with each other",
    "police killed the gunman",
    "The Cats &amp; the dogs, 3.5 !",
]
OTHER = ["England and France discussed this crisis in London", "the gunman kill police", "Cats&amp;dogs, 3.5!"]
SECOND = ["England and France discussed the crisis in London", "", "cats and a dog"]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Write the example's texts to a temporary folder, change into it, and return its path."""
    monkeypatch.chdir(tmp_path)
    write_file("candidate.txt", CANDIDATE)
    write_file("reference1.txt", FIRST)
    write_file("reference2.txt", SECOND)
    write_file("other.txt", OTHER)
    return tmp_path


def write_file(name, content):
    data = content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()
    Path(name).write_bytes(data)


@pytest.fixture
def run(capsys):
    """Return a function that runs the program on `files` and returns its exit status, output and errors.

    By default the files are those of the example: a candidate and two references."""

    def run_program(*options, files=("candidate.txt", "reference1.txt", "reference2.txt")):
        status = main([*files, *options])
        out, err = capsys.readouterr()
        return status, out, err

    return run_program


@pytest.fixture
def output(run):
    def successful_output(*options, **given):
        status, out, err = run(*options, **given)
        assert (status, err) == (0, "")
        return out

    return successful_output


@pytest.fixture
def document(output):
    return lambda *options, **given: json.loads(output("--format", "json", *options, **given))


@pytest.fixture
def result(document):
    """Return a function that runs the program with one metric and returns its entry in "results" of the JSON."""

    def only_result(*options, **given):
        (found,) = document(*options, **given)["results"]
        return found

    return only_result


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
PROGRAM = [sys.executable, "-m", "metrics"]


def run_in_own_process(*argv, program=PROGRAM, **given):
    """Run the program with the arguments `argv` as a process of its own, and return the completed process."""
    options = {"env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": LIMIT, **given}
    return subprocess.run([*program, *argv], **options)


def example_segments(settings=TextSettings()):
    """Return the example's three segments, tokenised by `settings`.

    Empty lines are no references, so that the second segment has only one."""
    lines = zip(CANDIDATE, FIRST, SECOND, strict=True)
    return [segment_text(c, [r for r in (a, b) if r], settings).segment for c, a, b in lines]


def example_corpus_score(key, settings=TextSettings(), **given):
    made = example_segments(settings)
    return metrics.corpus_score(key, [s.candidate for s in made], [s.references for s in made], **given)


def parse_tsv(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("key", KEYS)
def test_corpus_scores_are_those_of_the_core(key, result):
    found, expected = result("--metric", key), example_corpus_score(key)
    assert (found["score"], found["parts"]) == (expected.score, dict(expected.parts))
    assert found["settings"] == expected.settings.to_dict() and found["metric"] == key


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("text", [{}, {"tokenizer": "13a", "lowercase": True, "stemmer": "porter", "nfkc": True}])
def test_segments_score_as_on_the_page(key, text, result):
    from viz.state.results import cache
    from viz.state.texts import inputs

    options = ["--tokenize", "13a", "--lowercase", "--stem", "porter", "--normalize"] if text else []
    found = result("--metric", key, "--alignments", *options)["sentences"]
    assert len(found) == 3
    for sentence, candidate, *references in zip(found, CANDIDATE, FIRST, SECOND, strict=True):
        texts = inputs.read_texts(candidate, "\n".join(references), TextSettings(**text))
        page = cache.score(key, texts.segment, metrics.settings(key)).to_dict()
        for name in ("score", "parts", "stats", "decides", "layers"):
            assert sentence[name] == json.loads(json.dumps(page[name])), name


@pytest.mark.parametrize("key", KEYS)
def test_a_real_corpus(key, result):
    columns = [load_lines(name)[:40] for name in ("system.SMU", "reference.A", "reference.B")]
    for name, column in zip("abc", columns, strict=True):
        write_file(name, column)
    made = [segment_text(c, r, TextSettings(tokenizer="13a")).segment for c, *r in zip(*columns, strict=True)]
    expected = metrics.corpus_score(key, [s.candidate for s in made], [s.references for s in made])
    assert result("--metric", key, "--tokenize", "13a", files="abc")["score"] == expected.score


def test_signatures_are_those_of_results(document):
    text = TextSettings(lowercase=True)
    found = document("--metric", "gtm", "--lowercase", "--gtm-exponent", "3", files=("candidate.txt", "reference1.txt"))
    one = metrics.score("gtm", ["a"], [["b"]], exponent=3.0)
    assert found["results"][0]["signature"] == one.signature(text.signature())
    assert found["version"] == metrics.__version__ and found["text"] == text.to_dict()
    assert (found["candidate"], found["references"], found["segments"]) == ("candidate.txt", ["reference1.txt"], 3)
    assert "|refs:1|" in found["results"][0]["signature"]


def test_references_that_vary_in_number(result):
    """Check that an empty line of a reference file is no reference, as in sacreBLEU.

    The signature says "refs:var" where segments have different numbers of references."""
    assert "|refs:var|" in result("-m", "gtm")["signature"]
    write_file("reference2.txt", ["a b", "c", "d"])
    assert "|refs:2|" in result("-m", "gtm")["signature"]
    write_file("reference1.txt", ["", " \t", "d"])
    write_file("reference2.txt", ["", "police kill the gunman", "d"])
    sentences = result("-m", "gtm", "-s")["sentences"]
    assert [s["score"] for s in sentences[:2]] == [0, 1]
    assert sentences[0]["stats"]["reference_length"] == 0 and sentences[1]["stats"]["reference_length"] == 4


# ---------------------------------------------------------------- options


def allowed_arguments(rule):
    """Return what may follow the option of a setting: pairs of command-line arguments and the value that they mean.

    `rule` is the rule of the setting; of numbers, only the ends of the range are returned."""
    if rule.kind == "choice":
        return [([option], option) for option in rule.options]
    if rule.kind == "choices":
        return [([o], (o,)) for o in rule.options] + [([", ".join(rule.options)], tuple(rule.options))]
    if rule.kind == "object":
        return []
    make = int if rule.kind == "whole" else float
    ends = [make(v) for v in (rule.least, rule.most, *(rule.slider_range or ())) if math.isfinite(v)]
    return [([str(v)], v) for v in ends] + ([(["none"], None)] if rule.optional else [])


def option_name(key, name):
    return f"--{key}-{name}".replace("_", "-")


def setting_cases():
    for key in KEYS:
        cls = metrics.METRICS[key].Settings
        for name, rule in cls.rules().items():
            option = option_name(key, name)
            if rule.kind == "flag":
                default = cls.__dataclass_fields__[name].default
                yield key, name, [f"--no-{option[2:]}" if default else option], not default
                continue
            for arguments, value in allowed_arguments(rule):
                try:
                    cls(**{name: value})
                except ValueError:  # the range excludes its end
                    continue
                yield key, name, [option, *arguments], value


@every_row(("key", "name", "arguments", "value"), list(setting_cases()))
def test_every_setting_has_its_option(key, name, arguments, value, result):
    found = result("--metric", key, *arguments)
    expected = example_corpus_score(key, **{name: value})
    assert found["settings"] == expected.settings.to_dict()
    assert found["score"] == expected.score


BREAKS = [(key, name) for key in KEYS for name, rule in metrics.METRICS[key].Settings.rules().items()]


@every_row(("key", "name"), BREAKS)
def test_a_broken_rule_is_said(key, name, run):
    rule = metrics.METRICS[key].Settings.rules()[name]
    if rule.kind in ("flag", "object"):
        return
    for wrong in ["nonsense", *([str(rule.least - 1)] if math.isfinite(rule.least) else []), "nan"]:
        status, out, err = run("--metric", key, option_name(key, name), wrong)
        assert (status, out) == (2, "")
        assert f"argument {option_name(key, name)}: {name} must be " in err and err.count("\n") == 1
        assert f"got {'(' if rule.kind == 'choices' else ''}" in err


TEXTS = [(["--tokenize", name], {"tokenizer": name}) for name in TextSettings.rules()["tokenizer"].options] + [
    (["--lowercase"], {"lowercase": True}),
    (["--stem", "porter"], {"stemmer": "porter"}),
    (["--stem", "snowball"], {"stemmer": "snowball"}),
    (["--stem", "snowball", "--stem-language", "german"], {"stemmer": "snowball", "language": "german"}),
    (["--normalize"], {"nfkc": True}),
]


@pytest.mark.parametrize(("options", "settings"), TEXTS, ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_text_options(options, settings, document):
    found = document("--metric", "rouge_n", *options)
    text = TextSettings(**settings)
    assert found["text"] == text.to_dict() and text.signature() in found["results"][0]["signature"]
    assert found["results"][0]["score"] == example_corpus_score("rouge_n", text).score


def test_all_text_settings_have_options():
    assert list(TEXT_OPTIONS) == list(TextSettings.rules())


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ([], KEYS),
        (["--metric", "gtm"], ["gtm"]),
        (["--metric", "sia,gtm"], ["sia", "gtm"]),
        (["-m", "sia", "-m", "dcs, gtm", "-m", "sia"], ["sia", "dcs", "gtm"]),
        (["-m", "ROUGE-L"], ["rouge_l"]),
    ],
)
def test_metrics_are_chosen_by_name(options, keys, document):
    assert [r["metric"] for r in document(*options)["results"]] == keys


def test_options_may_stand_between_files(output):
    wanted = output("--metric", "gtm", "--sentence")
    files = ("--metric", "gtm", "candidate.txt", "--sentence", "reference1.txt", "--format", "text", "reference2.txt")
    assert output(files=files) == wanted


def test_sia_takes_a_table_of_translations(result):
    write_file("table.txt", ["kill tuer 0.5", "killed tuer 0.5"])
    found = result("-m", "sia", "--sia-similarity", "table.txt")
    assert found["score"] > result("-m", "sia")["score"] == result("-m", "sia", "--sia-similarity", "none")["score"]
    assert "similarity:table(table.txt," in found["signature"] and "table.txt" in found["settings"]["similarity"]


def test_sia_takes_stems(result):
    from metrics.text.similarity import StemSimilarity

    found = result("-m", "sia", "--sia-similarity", "stem")
    expected = example_corpus_score("sia", similarity=StemSimilarity()).score
    assert found["score"] == expected > result("-m", "sia")["score"]


def test_sia_takes_wordnet_or_says_how_to_get_it(run):
    from metrics.text import wordnet
    from metrics.text.similarity import MissingCorpus, WordNetSimilarity

    status, out, err = run("-m", "sia", "--sia-similarity", "wordnet")
    try:
        WordNetSimilarity()
    except MissingCorpus:
        assert (status, out) == (1, "") and "python -m nltk.downloader wordnet" in err
    else:
        assert status == 0 and f"similarity:wordnet-{wordnet.version()}(1)" in out


# ---------------------------------------------------------------- faults

TWO = ("candidate.txt", "reference1.txt")
BAD = [
    ("one line too many", {"reference1.txt": [*FIRST, "x"]}, [], "reference1.txt has 4 lines, but candidate.txt has 3"),
    ("one line", {"reference1.txt": ["x"]}, [], "reference1.txt has 1 line, but candidate.txt has 3"),
    ("an empty line at the end", {"candidate.txt": [*CANDIDATE, ""]}, [], "reference1.txt has 3 lines, but candidate."),
    ("an empty candidate", {"candidate.txt": b""}, [], "candidate.txt is empty"),
    ("an empty reference", {"reference1.txt": b""}, [], "reference1.txt is empty"),
    ("a mark of order and nothing else", {"reference1.txt": b"\xef\xbb\xbf"}, [], "reference1.txt is empty"),
    (
        "Latin-1",
        {"candidate.txt": b"a\nb\ncaf\xe9 x\n"},
        [],
        "candidate.txt must be UTF-8, but byte 4 of line 3 is 0xE9",
    ),
    (
        "a cut letter",
        {"reference1.txt": b"a\nb\n\xc3"},
        [],
        "reference1.txt must be UTF-8, but byte 1 of line 3 is 0xC3",
    ),
    ("half a pair", {"reference1.txt": b"a\xed\xa0\x80\n"}, [], "byte 2 of line 1 is 0xED"),
    ("UTF-16", {"candidate.txt": "a b\n".encode("utf-16")}, [], "is 0xFF; it looks like UTF-16"),
    ("a table that is none", {"t": b"a b\n"}, ["--sia-similarity", "t"], "t: line 1 must have three columns"),
    ("a table that is not there", {}, ["--sia-similarity", "t"], "t does not exist"),
    ("a table that is a folder", {}, ["--sia-similarity", "."], ". is a directory"),
]


@pytest.mark.parametrize(("given", "options", "message"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_files(given, options, message, run):
    for name, content in given.items():
        write_file(name, content)
    status, out, err = run(*options, files=TWO)
    assert (status, out) == (1, "") and message in err
    check_one_sentence(err)


def check_one_sentence(message):
    assert re.fullmatch(r"python -m metrics: [^\n]+[^.]\.\n", message) and "Traceback" not in message, message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.txt", "nowhere.txt does not exist"),
        ("", "a file must have a name, got ''"),
        (".", ". is a directory, not a file"),
        ("candidate.txt/x", "candidate.txt/x cannot be read: Not a directory"),
        ("a\x00b", r"a\x00b cannot be read"),
        ("a\x1b[2J\nb", r"a\x1b[2J\nb does not exist"),
        ("x" * 300, "cannot be read: File name too long"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_files_that_cannot_be_read(name, message, place, run):
    given = ["candidate.txt", "reference1.txt", "reference2.txt"]
    given[place] = name
    status, out, err = run(files=given)
    assert (status, out) == (1, "") and message in err
    check_one_sentence(err)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be read")
def test_a_file_without_permission(run):
    Path("reference1.txt").chmod(0)
    status, _, err = run()
    assert status == 1 and "reference1.txt cannot be read: Permission denied" in err


@pytest.mark.parametrize("extra", [["--sentence"], ["--alignments"], ["--format", "json"], []])
def test_a_segment_that_is_too_hard_is_named(extra, run, monkeypatch):
    monkeypatch.setattr("metrics.alignment.sia_chains.CELLS_MOST", 0)
    write_file("candidate.txt", ["x", "a b", "b a"])
    write_file("reference1.txt", ["y", "b a", "a b"])
    status, out, err = run("-m", "sia", *extra, files=TWO)
    assert (status, out) == (1, "") and "candidate.txt, line 2: SIA would have to search" in err
    check_one_sentence(err)


WRONG = [
    ([], "the following arguments are required: candidate, reference"),
    (["candidate.txt"], "the following arguments are required: reference"),
    ([*TWO, "--metric", "bleurt"], "metric must be one of "),
    ([*TWO, "--metric", ""], "metric must be one of "),
    ([*TWO, "--metric"], "expected one argument"),
    ([*TWO, "--format", "xml"], "invalid choice: 'xml'"),
    ([*TWO, "--nonsense"], "unrecognized arguments: --nonsense"),
    ([*TWO, "--sent"], "unrecognized arguments: --sent"),
    ([*TWO, "--tokenize", "word"], "tokenizer must be one of 'whitespace', '13a'"),
    ([*TWO, "--gtm-exponent", "0.5"], "exponent must be at least 1, got 0.5"),
    ([*TWO, "--gtm-exponent", "x"], "exponent must be a number, got 'x'"),
    ([*TWO, "--rouge-n-order", "1.5"], "order must be a whole number, got '1.5'"),
    ([*TWO, "--sia-decay", "0"], "sia: decay must be greater than 0, got 0.0"),
    ([*TWO, "-m", "sia", "--gtm-exponent", "2"], "--gtm-exponent needs the metric gtm, which --metric leaves out"),
    ([*TWO, "--alignments", "--format", "latex"], "--alignments can be text, json or tsv, not latex"),
    (["-", "-"], "only one file can be the standard input"),
    (["candidate.txt", "-", "-"], "only one file can be the standard input"),
    ([*TWO, "--sia-similarity", "-"], "similarity must be stem, wordnet or the name of a file, got '-'"),
    ([*TWO, "--compare", "--", "candidate.txt"], "expected one argument"),
    (["--", "-x"], "the following arguments are required: reference"),
    ([*TWO, "--a\x1b[2J"], r"unrecognized arguments: --a\x1b[2J"),
]


@pytest.mark.parametrize(("argv", "message"), WRONG)
def test_wrong_calls(argv, message, run):
    status, out, err = run(files=argv)
    assert (status, out) == (2, "") and message in err
    assert err.endswith("; see python -m metrics --help.\n")
    check_one_sentence(err)


def test_files_behind_two_dashes_may_begin_with_one(document):
    for name in ("-x", "-m"):
        write_file(name, ["a b"])
    for before, behind in (([], ["-x", "-m"]), (["./-x"], ["-x", "./-x"]), (["./-x", "./-x"], [])):
        found = document("-m", "wer", *before, "--", *behind, files=())
        assert [found["candidate"], *found["references"]] == [*before, *behind]
        assert [(r["metric"], r["score"]) for r in found["results"]] == [("wer", 0)]


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    "data",
    [
        *(b"a b\nc\n", b"a b\nc", b"a b\r\nc\r\n", b"a b\r\nc", b"a b\r\nc\r", b"\xef\xbb\xbfa b\nc\n"),
        *(b"\xef\xbb\xbfa b\r\nc\r\n", "a\u2028b\nc\n".encode(), "a\u2029b\n\u0085c\n".encode()),
        *(b"a\x0bb\n\x0cc\x1c\n", b"a\rb\nc\n", "a\u00a0b\nc\u3000\n".encode()),
    ],
)
def test_only_a_line_feed_ends_a_line(data, document):
    """Check that only a line feed ends a line.

    Other line breaks are white space within the line. Byte order marks and carriage returns are not part of words."""
    write_file("candidate.txt", data)
    write_file("reference1.txt", ["a b", "c"])
    for options in ([], ["--tokenize", "13a"], ["--tokenize", "character"]):
        found = document("-m", "gtm,rouge_l", "-a", *options, files=TWO)
        assert found["segments"] == 2
        assert [[t["form"] for t in s["candidate"]] for s in found["tokens"]] == [["a", "b"], ["c"]]
        assert [r["score"] for r in found["results"]] == [1, 1]


def test_lines_without_words_are_segments(document):
    write_file("candidate.txt", b"\n \na\n")
    write_file("reference1.txt", b"\nx\n\n")
    found = document("-s", files=TWO)
    assert found["segments"] == 3
    for r in found["results"]:
        given = [([], [[]]), ([], [["x"]]), (["a"], [[]])]
        expected = [metrics.score(r["metric"], *segment).score for segment in given]
        assert [s["score"] for s in r["sentences"]] == expected


def test_a_line_feed_alone_is_one_segment(document):
    write_file("candidate.txt", b"\n")
    assert document(files=("candidate.txt", "candidate.txt"))["segments"] == 1


# ---------------------------------------------------------------- formats


@pytest.mark.parametrize("key", KEYS)
def test_text_of_a_corpus(key, output):
    expected = example_corpus_score(key)
    head, empty, *lines, empty_too, signature = output("--metric", key).splitlines()
    assert (head, empty, empty_too) == ("3 segments, 2 references", "", "")
    words = " ".join(lines).split()
    assert words[:2] == [key, f"{expected.score:.4f}"]
    assert words[2::2] == list(expected.parts)
    assert [float(word) for word in words[3::2]] == [pytest.approx(v, abs=5e-5) for v in expected.parts.values()]
    assert signature.startswith(f"{key}|") and max(map(len, lines)) <= 110


def test_text_of_numbers(output):
    """Check that the text output prints whole numbers as they are and others with four decimals."""
    write_file("candidate.txt", ["a b c", "c"])
    write_file("reference1.txt", ["a b d", "c"])
    lines = output("-m", "rouge_l,gtm", files=TWO).splitlines()
    assert lines[2] == "rouge_l  0.8333  precision 0.8333  recall 0.8333  lcs 1.5000"
    assert lines[3] == "gtm      0.7500  precision 0.7500  recall 0.7500  match_size 3"


def test_parts_that_only_some_segments_have_stand_in_order(result):
    write_file("candidate.txt", ["a", "d c b a"])
    write_file("reference1.txt", ["a", "a b c d"])
    assert list(result("-m", "sia", files=TWO)["parts"]) == [f"round_{n}" for n in (1, 2, 3, 4)] + ["length_penalty"]


def test_text_of_all_metrics_stands_in_columns(output):
    _, _, *lines = output().splitlines()
    scores = [line for line in lines[: lines.index("")] if not line.startswith(" ")]
    width = max(map(len, KEYS)) + 2
    assert [line[:width].strip() for line in scores] == KEYS
    assert all(re.match(r"\d\.\d{4}( |$)", line[width:]) for line in scores)
    assert [line.partition("|")[0] for line in lines[lines.index("") + 1 :]] == KEYS


@pytest.mark.slow
def test_counts_of_one():
    run = run_in_own_process("candidate.txt", "candidate.txt", "-m", "gtm")
    assert b"3 segments, 1 reference\n" in run.stdout
    write_file("one.txt", ["a"])
    assert run_in_own_process("one.txt", "one.txt", "-m", "gtm").stdout.startswith(b"1 segment, 1 reference\n")


def test_text_of_segments_is_a_line_for_each(output):
    table, signatures = output("--sentence").split("\n\n")
    head, *lines = [line.split() for line in table.splitlines()]
    assert head == ["segment", *KEYS] and [line[0] for line in lines] == ["1", "2", "3"]
    for line, segment in zip(lines, example_segments(), strict=True):
        assert line[1:] == [f"{metrics.score(key, *segment).score:.4f}" for key in KEYS]
    assert len({len(line) for line in table.splitlines()}) == 1
    assert [line.partition("|")[0] for line in signatures.splitlines()] == KEYS


def test_json_of_a_corpus_is_what_the_parts_say(output):
    text = output("--format", "json")
    assert text.isascii() and text.endswith("}\n")
    assert [r["metric"] for r in json.loads(text)["results"]] == KEYS
    assert all("sentences" not in r for r in json.loads(text)["results"])


def test_tsv_of_a_corpus(output):
    found = parse_tsv(output("--format", "tsv"))
    assert list(found[0]) == ["metric", "name", "value", "signature"]
    expected = []
    for key in KEYS:
        whole = example_corpus_score(key)
        expected += [(key, "score", whole.score)] + [(key, name, value) for name, value in whole.parts.items()]
    assert [(row["metric"], row["name"], float(row["value"])) for row in found] == expected
    assert all(row["signature"].startswith(f"{row['metric']}|") for row in found)


def test_tsv_of_segments_is_a_line_for_each(output):
    text = output("--format", "tsv", "--sentence")
    assert len(text.splitlines()) == 4
    found = parse_tsv(text)
    assert list(found[0]) == ["segment", *KEYS, "signature"]
    assert [row["segment"] for row in found] == ["1", "2", "3"]
    for row, segment in zip(found, example_segments(), strict=True):
        assert [float(row[key]) for key in KEYS] == [metrics.score(key, *segment).score for key in KEYS]
        assert [s.partition("|")[0] for s in row["signature"].split("; ")] == KEYS


@pytest.mark.parametrize("sentence", [[], ["--sentence"]])
def test_latex(sentence, output):
    text = output("--format", "latex", *sentence)
    comments = [line for line in text.splitlines() if line.startswith("% ")]
    assert [line[2:].partition("|")[0] for line in comments] == KEYS
    body = [line for line in text.splitlines() if line.endswith(r" \\")]
    columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)[1]
    assert all(len(re.split(r"(?<!\\)&", line)) == len(columns) for line in body)
    labels = [metrics.METRICS[key].label for key in KEYS]
    if sentence:
        assert len(body) == 4 and body[0] == " & ".join(["segment", *labels]) + r" \\"
    else:
        assert [line.split(" & ")[:2] for line in body[1:]] == [
            [label, f"{example_corpus_score(key).score:.4f}"] for label, key in zip(labels, KEYS, strict=True)
        ]


def test_latex_compiles(output, tmp_path):
    if not shutil.which("pdflatex"):
        skip_missing("pdflatex")
    write_file("t%&_#$^~{}\\.txt", ["kill tuer 0.5", "killed tuer 0.5"])
    tables = output("-f", "latex", "--sia-similarity", "t%&_#$^~{}\\.txt") + "\n" + output("-f", "latex", "-s")
    document = "\\documentclass{article}\\begin{document}\\tiny\n" + tables + "\\end{document}\n"
    (tmp_path / "a.tex").write_text(document, encoding="utf-8")
    done = run_in_own_process("-interaction=nonstopmode", "-halt-on-error", "a.tex", program=["pdflatex"])
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


# ---------------------------------------------------------------- marks


@pytest.mark.parametrize("key", KEYS)
def test_marks_as_tsv(key, output):
    """Check the table of marks (TSV): one row for each mark.

    A row has the mark's credit, the positions of its words counted from 1, and the words."""
    found = parse_tsv(output("--metric", key, "--alignments", "--format", "tsv"))
    columns = {name: [row[name] for row in found] for name in found[0]}
    expected = {name: [] for name in ("segment", "layer", "weight", "credit", "reference")}
    for number, segment in enumerate(example_segments(), start=1):
        for layer in metrics.score(key, *segment).layers:
            for mark, credit in zip(layer.marks, layer.credits, strict=True):
                expected["segment"].append(str(number))
                expected["layer"].append(layer.name)
                expected["weight"].append(layer.weight)
                expected["credit"].append(credit)
                k = mark.k if isinstance(mark, Edit) else mark.cells()[0].k
                expected["reference"].append(str(k + 1))
    columns["weight"], columns["credit"] = ([float(v) for v in columns[name]] for name in ("weight", "credit"))
    assert {name: columns[name] for name in expected} == expected and len(found) > 2
    files = {"1": FIRST, "2": SECOND}
    for row in found:
        n = int(row["segment"]) - 1
        assert row["candidate_words"] == words_at(CANDIDATE[n].split(), row["candidate_positions"])
        assert row["reference_words"] == words_at(files[row["reference"]][n].split(), row["reference_positions"])


def words_at(words, positions):
    """Return the words at the positions that a string such as "1-3,5" names, counted from 1.

    Stretches that are not adjacent are joined by " … "."""
    stretches = []
    for stretch in positions.split(",") if positions else []:
        first, _, last = stretch.partition("-")
        stretches.append(" ".join(words[int(first) - 1 : int(last or first)]))
    return " … ".join(stretches)


def test_marks_name_the_file_of_the_reference(output, document):
    """Check that marks number a reference by its file, even for a segment that has no reference in the first file."""
    write_file("reference1.txt", ["", "", ""])
    assert {row["reference"] for row in parse_tsv(output("-m", "gtm", "-a", "-f", "tsv"))} == {"2"}
    found = document("-m", "gtm", "-a")
    assert [line["files"] for line in found["tokens"]] == [[1], [0], [1]]
    assert "reference 2  England and France" in output("-m", "gtm", "-a")


def test_marks_as_text(output):
    write_file("reference2.txt", SECOND)
    assert output("-m", "gtm,sia", "-a").startswith(
        """\
segment 1
  candidate    England with France discussed this crisis in London
  reference 1  Britain and France consulted about this crisis in London with each other
  reference 2  England and France discussed the crisis in London

  GTM 0.5212: all 8 words match, in 4 pieces; the longest has 4.
  gtm 0.5212  precision 0.5863  recall 0.4690  match_size 4.6904
    blocks
      5-8 × 6-9  reference 1  this crisis in London  (16)
      3-4 × 3-4  reference 2  France discussed  (4)
      2 × 10  reference 1  with  (1)
      1 × 1  reference 2  England  (1)

  SIA 0.2579: all 8 words match, in 3 rounds; the longest has 6; the first scores 0.62, of which half counts; it is \
short: length penalty 0.80.
  sia 0.2579  round_1 0.6250  round_2 0.0280  round_3 0.0228  length_penalty 0.8000
    round 1, weight 0.5
      1 × 1  reference 2  England  (1)
"""
    )


def test_marks_of_unequal_words_and_of_none_as_text(output):
    write_file("candidate.txt", ["a x c"])
    write_file("reference1.txt", ["a b c d"])
    found = output("-m", "wer,rouge_s", "-a", files=TWO)
    for line in ("substitution  2 × 2  x / b  (1)", "deletion  – × 4  – / d  (1)", "1,3 × 1,3  a … c  (1)"):
        assert f"      {line}\n" in found
    write_file("candidate.txt", ["q"])
    assert "    blocks: none\n" in output("-m", "gtm", "-a", files=TWO)


@pytest.mark.parametrize("key", KEYS)
def test_marks_are_all_in_the_text(key, output):
    found = output("-m", key, "-a")
    marks = sum(len(layer.marks) for s in example_segments() for layer in metrics.score(key, *s).layers)
    assert len(re.findall(r"^      .*\)$", found, re.MULTILINE)) == marks
    assert len(re.findall(r"^segment \d$", found, re.MULTILINE)) == 3


def test_typed_words_stand_in_the_marks(document, output):
    options = ("-m", "gtm", "-a", "--tokenize", "13a", "--lowercase", "--stem", "porter")
    tokens = document(*options)["tokens"][2]["candidate"]
    assert tokens[:2] == [
        {"form": "cat", "raw": "Cats", "start": 0, "end": 4},
        {"form": "&", "raw": "&amp;", "start": 4, "end": 9},
    ]
    assert "Cats &amp;" in output(*options)


# ---------------------------------------------------------------- hostile texts

HOSTILE = "=1+1 \x1b[2J a\u202eb \x00 \x07 \"' & % $ # _ { } ~ ^ \\ <script> 昨日 👩\u200d👩 می\u200cخواهم '; +x -y @z"


@pytest.mark.parametrize("format", ["text", "json", "tsv", "latex"])
@pytest.mark.parametrize("extra", [[], ["-s"], ["-a"], ["-a", "--tokenize", "13a"], ["-a", "--tokenize", "character"]])
def test_hostile_texts(format, extra, output):
    if format == "latex" and "-a" in extra:
        return
    write_file("candidate.txt", [HOSTILE, HOSTILE[::-1]])
    write_file("reference1.txt", [HOSTILE, HOSTILE])
    found = output("-f", format, *extra, files=TWO)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", found), "a terminal would obey"
    if format == "json":
        whole = json.loads(found)
        segment = segment_text(HOSTILE[::-1], [HOSTILE], TextSettings(**whole["text"])).segment
        for r in whole["results"] if extra else []:
            assert r["sentences"][1]["score"] == metrics.score(r["metric"], *segment).score
        if extra == ["-a"]:
            assert [t["raw"] for t in whole["tokens"][0]["candidate"]] == HOSTILE.split()
    if format == "tsv":
        table = parse_tsv(found)
        assert table and all(None not in row and None not in row.values() for row in table)
        if extra == ["-a"]:
            words = {row["candidate_words"] for row in table if row["metric"] == "rouge_n"}
            assert {"'=1+1", r"\x1b[2J", r"a\u202eb", r"\x00", "\"'", "'+x", "'-y", "'@z", "می\u200cخواهم"} <= words
    if format == "latex":
        assert found.count("\n") == len(found.splitlines())


def test_a_table_with_a_hostile_name(output):
    write_file("t\n%\x1b.txt", ["kill tuer 0.5", "killed tuer 0.5"])
    for format in ("text", "json", "tsv", "latex"):
        found = output("-m", "sia", "--sia-similarity", "t\n%\x1b.txt", "-f", format)
        assert "\x1b" not in found and "t\n%" not in found


# ---------------------------------------------------------------- help


def test_help_names_everything(run):
    status, out, err = run("--help", files=())
    assert (status, err) == (0, "")
    listed = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", out))
    for key in KEYS:
        cls = metrics.METRICS[key].Settings
        assert metrics.METRICS[key].about.idea in out if cls.rules() else key in out
        assert {option_name(key, name) for name in cls.rules()} <= listed
    assert {*TEXT_OPTIONS.values(), "--metric", "--sentence", "--alignments", "--format", "--version"} <= listed
    assert "default greedy" in " ".join(out.split()) and "from 1 to 90" in out
    assert "%%" not in out and "None" not in out and "==" not in out


def test_help_needs_no_wide_terminal(monkeypatch, run):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run("--help", files=())
    assert max(map(len, out.splitlines())) <= 120


EXAMPLES = re.findall(r"^  (python -m metrics .*)$", EPILOG, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_in_the_help_run(command):
    rows = [*zip(CANDIDATE, OTHER, FIRST, strict=True)]
    write_file("table.tsv", ["A\tB\treference", *["\t".join(row) for row in rows]])
    for name, column, field in (("testset", 2, "ref"), ("A", 0, "hypothesis"), ("B", 1, "hypothesis")):
        write_file(f"{name}.jsonl", [json.dumps({"doc_id": n, field: row[column]}) for n, row in enumerate(rows)])
    write_file("mqm.tsv", ["line\tsystem\trater\tmqm", *[f"1\t{name}\tx\t{-n}" for n, name in enumerate("AB")]])
    done = run_in_own_process(command.replace("python", f'"{sys.executable}"', 1), program=["sh", "-c"])
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 2
    # The program reports how it reads files of other formats.
    assert all(b"segments; " in line or b"mqm.tsv: " in line for line in done.stderr.splitlines())
    assert not done.stderr or "jsonl" in command or "tsv" in command


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


README = (ROOT / "README.md").read_text("utf-8")


def test_the_readme_shows_what_is_printed(output):
    shown = r"^    \S+ -m metrics (.*)\n\nprints .*\n\n((?:    .*\n|\n)+)"
    command, printed = re.search(shown, README, re.MULTILINE).groups()
    for name, lines in (("candidate.txt", CANDIDATE), ("reference1.txt", FIRST), ("reference2.txt", SECOND)):
        write_file(name, lines[:1])
    expected = "".join(line[4:] or "\n" for line in printed.rstrip().splitlines(True)) + "\n"
    assert output(files=command.split()) == expected


def test_version(run):
    assert run("--version", files=()) == (0, f"{metrics.__version__}\n", "")


# ---------------------------------------------------------------- as a process


@pytest.mark.parametrize("place", [0, 1, 2])
def test_standard_input(place, output):
    given = ["candidate.txt", "reference1.txt", "reference2.txt"]
    expected = output("-m", "gtm", "-a", files=given)
    data = Path(given[place]).read_bytes()
    given[place] = "-"
    done = run_in_own_process(*given, "-m", "gtm", "-a", input=data)
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout.decode() == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", b"the standard input is empty"),
        (b"a\n\xff\n", b"the standard input must be UTF-8, but byte 1 of line 2 is 0xFF"),
        (b"a\n", b"reference1.txt has 3 lines, but the standard input has 1"),
    ],
)
def test_bad_standard_input(data, message):
    done = run_in_own_process("-", "reference1.txt", input=data)
    assert (done.returncode, done.stdout) == (1, b"") and message in done.stderr
    check_one_sentence(done.stderr.decode())


def test_a_closed_standard_input():
    command = f'"{sys.executable}" -m metrics - reference1.txt <&-'
    done = run_in_own_process(command, program=["sh", "-c"])
    assert done.returncode == 1 and b"the standard input is closed" in done.stderr
    check_one_sentence(done.stderr.decode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status"), [("candidate.txt reference1.txt -a", 141), ("--help", None), ("candidate.txt nowhere", 1)]
)
def test_a_reader_that_has_gone(options, status):
    """Check that the program ends without an error message when the reader of its pipe stops reading early.

    Whether argparse reports that its help was not read depends on the version of Python."""
    read, write_ = os.pipe()
    os.close(read)
    done = run_in_own_process(*options.split(), stdout=write_)
    os.close(write_)
    assert done.returncode in ((0, 141) if status is None else (status,))
    assert b"Broken" not in done.stderr and b"Exception" not in done.stderr and (done.stderr == b"") == (status != 1)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("options", [["candidate.txt", "reference1.txt"], ["candidate.txt", "reference1.txt", "-a"]])
def test_a_full_disk(options):
    with Path("/dev/full").open("wb") as full:
        done = run_in_own_process(*options, stdout=full)
    assert done.returncode == 1
    assert done.stderr == b"python -m metrics: the output cannot be written: No space left on device.\n"


@pytest.mark.alone  # waits for a signal in a process of its own
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_an_interrupt():
    os.mkfifo("pipe")
    command = [*PROGRAM, "pipe", "reference1.txt"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore interrupts
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    signal.signal(signal.SIGINT, before)
    writer, deadline = None, time.monotonic() + LIMIT
    while writer is None and time.monotonic() < deadline:
        try:
            writer = os.open("pipe", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT)
    os.close(writer)
    assert (process.returncode, out, err) == (130, b"", b"python -m metrics: interrupted.\n")


@pytest.mark.slow
def test_output_is_utf8_in_any_locale():
    write_file("candidate.txt", ["昨日 x"])
    for locale in ({"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        done = run_in_own_process("candidate.txt", "candidate.txt", "-m", "gtm", "-a", env=ENVIRONMENT | locale)
        assert (done.returncode, done.stderr) == (0, b"") and "昨日 x" in done.stdout.decode()


@pytest.mark.parametrize("options", ["--help", "candidate.txt reference1.txt -m gtm,dcs,sia,rouge_n"])
def test_nothing_heavy_is_loaded(options):
    watched = {"numpy", "nltk", "sacrebleu", "regex", "streamlit", "plotly", "pandas", "viz"}
    code = "import sys; from metrics.__main__ import main; "
    code += f"main({options.split()!r}); print({watched!r} & {{*sys.modules}})"
    done = run_in_own_process(code, program=[sys.executable, "-c"])
    assert done.stdout.decode().splitlines()[-1] == "set()"


@pytest.mark.parametrize("options", [[], ["--sentence"], ["--alignments"]], ids=str)
@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_segment_is_scored_once(document, monkeypatch, key, options):
    metric, scored = metrics.METRICS[key], []

    def align(segment, settings, marks):
        scored.append(segment)
        return metric.align(segment, settings, marks)

    monkeypatch.setitem(metrics.METRICS, key, replace(metric, align=align))
    segments = document("--metric", key, *options)["segments"]
    # NIST takes the information of words from the whole corpus; a sentence by itself uses its own references.
    assert len(scored) == (segments if options or not metric.corpus else 0)
    assert len({*scored}) == len(scored)


# ---------------------------------------------------------------- edits


@pytest.mark.parametrize("key", KEYS)
def test_edits_to_the_references_are_those_of_the_core(key, document):
    told = document("-m", key, "--edits")["results"][0]["sentences"]
    for one, sentence in zip(example_segments(), told, strict=True):
        result = metrics.score(key, *one)
        decides = [k for part, k in result.decides.items() if part != "brevity_penalty"]
        credits = result.contributions()
        first = min(decides, default=credits.index(max(credits)))
        assert len(sentence["edits"]) == len(one.references) and sentence["edits"][0]["reference"] == first
        for way in sentence["edits"]:
            other = one.references[way["reference"]]
            found = metrics.edits(key, one.candidate, other, one.references)
            assert (way["from"], way["to"]) == (result.score, metrics.score(key, other, one.references).score)
            for edit, expected in zip(way["edits"], found, strict=True):
                own = {name: edit[name] for name in expected._fields} | {"words": tuple(edit["words"])}
                assert own == expected._asdict() and edit["came"] == edit["words"]
                assert edit["why"].endswith(".")
                assert edit["gone"] == list(one.candidate[expected.start : expected.end])


@pytest.mark.parametrize("key", KEYS)
def test_the_verdict_comes_first(key, document, output):
    label = metrics.METRICS[key].label
    for option in ("-a", "-e"):
        told = document("-m", key, option)["results"][0]["sentences"]
        said = [line for line in output("-m", key, option).splitlines() if re.match(rf"  {label} [\d.]+[^:]*: ", line)]
        for one, sentence, line in zip(example_segments(), told, said, strict=True):
            result = metrics.score(key, *one)
            ways = sentence.get("edits")
            to = one.references[ways[0]["reference"]] if ways else ()
            found = metrics.verdict(result, metrics.edits(key, one.candidate, to, one.references) if ways else ())
            shown = {**found.to_dict(), "text": sentence["verdict"]["text"]}
            assert json.loads(json.dumps(shown)) == sentence["verdict"]
            assert line == f"  {sentence['verdict']['text']}"
            assert line.startswith(f"  {label} {result.score:.4f}") and found.statement[0].text[20:] in line
            assert ("Biggest cost" in line) == bool(found.costs)
    assert "verdict" not in document("-m", key, "-s")["results"][0]["sentences"][0]


def test_the_verdict_calls_references_as_their_files(output):
    write_file("reference1.txt", ["", "", ""])
    assert "WER 0.2500: 2 errors" in output("-m", "wer", "-a")
    write_file("reference1.txt", ["no", "", "words"])
    assert "WER 0.2500 against reference 2: 2 errors" in output("-m", "wer", "-a")


def test_edits_as_text(output):
    told = output("-m", "gtm,bleu", "-e").splitlines()
    at = told.index("    to reference 2: 0.5212 → 0.8889")
    assert told[at + 1 : at + 3] == [
        "        +0.2121  “this” for “the” costs GTM 0.1638: a run of 6 would match in place of runs of 4 and 2. "
        "On average over all orders of the edits, it costs 0.2121.",
        "        +0.1557  “with” for “and” costs GTM 0.1074: it splits a run of 4 into 1 and 2. "
        "On average over all orders of the edits, it costs 0.1557.",
    ]
    assert sum(line.startswith("    to reference") for line in told) == 10


def test_edits_as_tsv(output):
    head, *rows = csv.reader(io.StringIO(output("-m", "gtm", "-e", "-f", "tsv")), delimiter="\t")
    found = [dict(zip(head, row, strict=True)) for row in rows]
    first = [row for row in found if (row["segment"], row["reference"]) == ("1", "2")]
    assert [(row["at"], row["count"], row["gone"], row["came"]) for row in first] == [
        ("2", "1", "with", "and"),
        ("5", "1", "this", "the"),
    ]
    reference = SECOND[0].split()
    texts = CANDIDATE[0].split(), reference
    scores = [metrics.score("gtm", words, [FIRST[0].split(), reference]).score for words in texts]
    assert math.fsum([float(row["share"]) for row in first]) == pytest.approx(scores[1] - scores[0], abs=1e-12)


def test_edits_of_a_comparison(output, document):
    told = output("-m", "wer", "-c", "other.txt", "-e").splitlines()
    edits = [line for line in told if line.startswith("      ")]
    assert edits[-1] == (
        "      −0.1250  “and” for “with” changes WER by −0.1250, which is better: one fewer substitution is needed. "
        "Without this edit: 0.2500."
    )
    changed = document("-m", "wer", "-c", "other.txt", "-e")["results"][0]["changed"]
    for each in changed:
        assert math.fsum([edit["share"] for edit in each["edits"]]) == pytest.approx(each["difference"], abs=1e-12)
        assert each["edits"][0]["why"] != each["why"]
    assert "edits" not in document("-m", "wer", "-c", "other.txt")["results"][0]["changed"][0]


def test_a_moved_block_is_one_line_and_sampled_shares_are_marked(output):
    write_file("a.txt", ["we saw it yesterday"])
    write_file("b.txt", ["yesterday we saw it"])
    told = output("-m", "wer", "-c", "b.txt", "-e", files=("a.txt", "b.txt")).splitlines()
    (edit,) = [line for line in told if "Moving “yesterday”" in line]
    assert edit.startswith("      −0.5000") and edit.endswith(" Without this edit: 0.5000.")
    write_file("a.txt", [" ".join(f"a{t}" for t in range(30))])
    write_file("b.txt", [" ".join(f"b{t}x" if t % 2 else f"a{t}" for t in range(30))])
    told = output("-m", "wer", "-c", "b.txt", "-e", files=("a.txt", "b.txt")).splitlines()
    assert sum(line.lstrip().startswith("≈ −0.0333  “b") for line in told) == 15
    assert "    ≈ the mean over 48 orders of the edits, not over all" in told


def test_no_edit_is_said(output):
    for name, text in (("a.txt", "a b"), ("b.txt", "a b"), ("r.txt", "a c")):
        write_file(name, [text])
    told = output("-m", "wer", "-c", "b.txt", "-e", files=("a.txt", "r.txt"))
    assert "    no edit: the texts are the same" in told.splitlines()


# ---------------------------------------------------------------- two files


def test_two_files_are_compared(output):
    head, names, _, gtm, first, _, wer, *changed, _, _, sign = output("-m", "gtm,wer", "-c", "other.txt").splitlines()
    assert (head, names) == ("3 segments, 2 references", "A candidate.txt, B other.txt")
    references = [segment.references for segment in example_segments()]
    outputs = ([text.split() for text in texts] for texts in (CANDIDATE, OTHER))
    a, b = (metrics.corpus_score("gtm", words, references).score for words in outputs)
    assert gtm == f"gtm  {a:.4f} → {b:.4f}  {b - a:+.4f}  B is better"
    assert first == (
        f"  segment 1: 0.5212 → 0.6285, worth {b - a:+.4f} in all. All of +0.107 comes from longer runs: "
        "“England and France discussed”."
    )
    assert wer.endswith("A is better"), "of error rates the lower one is better"
    assert [line[:11] for line in changed] == ["  segment 2", "  segment 1"] and sign.startswith("wer|")


def test_the_comparison_of_one_segment_is_a_sentence(output):
    for name, text in (("a", CANDIDATE), ("b", OTHER), ("r", FIRST)):
        write_file(f"{name}.txt", text[:1])
    told = output("-m", "gtm", "--compare", "b.txt", files=("a.txt", "r.txt")).splitlines()
    a, b = (metrics.score("gtm", texts[0].split(), [FIRST[0].split()]) for texts in (CANDIDATE, OTHER))
    assert told[4] == f"  {metrics.explain(a, b)}"
    same = output("-m", "gtm", "--compare", "a.txt", files=("a.txt", "r.txt")).splitlines()
    assert same[3:5] == ["gtm  0.4243 → 0.4243  0.0000  equal", "  A and B are the same, word for word."]


def test_typed_words_are_quoted(output):
    assert "“England and France discussed”" in output("-m", "gtm", "--lowercase", "-c", "other.txt")


@pytest.mark.parametrize("key", KEYS)
def test_json_of_a_comparison(key, document):
    told = document("-m", key, "-c", "other.txt")
    (found,) = told["results"]
    assert (told["candidate"], told["compare"], told["segments"]) == ("candidate.txt", "other.txt", 3)
    assert found["a"] == example_corpus_score(key).score and found["difference"] == found["b"] - found["a"]
    texts = ([text.split() for text in side] for side in (CANDIDATE, OTHER))
    worth = metrics.corpus_ledger(key, *texts, [segment.references for segment in example_segments()]).worth
    worths = [abs(changed["worth"]) for changed in found["changed"]]
    assert worths == sorted(worths, reverse=True) and all(worths) and len(worths) <= 2
    assert [changed["worth"] for changed in found["changed"]] == [
        pytest.approx(worth[changed["segment"]], abs=1e-12) for changed in found["changed"]
    ]
    for changed in found["changed"]:
        assert changed["difference"] == changed["b"] - changed["a"]
        candidates = CANDIDATE[changed["segment"]], OTHER[changed["segment"]]
        references = example_segments()[changed["segment"]].references
        a, b = (metrics.score(key, text.split(), references) for text in candidates)
        assert (changed["a"], changed["b"], changed["why"]) == (a.score, b.score, metrics.explain(a, b))
        assert [step["share"] for step in changed["steps"]] == [step.share for step in metrics.ledger(a, b)]


def test_segments_are_sorted_by_what_they_are_worth_to_the_corpus(output, document):
    """Check that segments are sorted by how much they change the corpus score, not their own score.

    A change in a long segment changes its own score less than the same change in a short one, but the corpus score
    more."""
    long = [f"w{t}" for t in range(40)]
    write_file("a.txt", [" ".join(long[:20] + ["x"] * 20), "x y"])
    write_file("b.txt", [" ".join(long[:35] + ["x"] * 5), "a b"])
    write_file("r.txt", [" ".join(long), "a b"])
    first, second = document("-m", "per", "-c", "b.txt", files=("a.txt", "r.txt"))["results"][0]["changed"]
    assert first["segment"] == 0 and abs(first["difference"]) < abs(second["difference"])
    assert first["worth"] == pytest.approx(-15 / 42) and second["worth"] == pytest.approx(-2 / 42)
    assert "worth −0.3571 in all" in output("-m", "per", "-c", "b.txt", files=("a.txt", "r.txt"))


def test_of_many_segments_those_that_changed_most_are_explained(output):
    write_file("a.txt", [" ".join("abcdefgh"[: n + 1]) for n in range(8)])
    write_file("b.txt", ["x"] * 8)
    write_file("r.txt", ["a b c d e f g h"] * 8)
    told = output("-m", "rouge_l", "-c", "b.txt", files=("a.txt", "r.txt"))
    assert re.findall(r"segment (\d)", told) == ["8", "7", "6", "5", "4"]


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["-c", "nowhere.txt"], 1, "nowhere.txt does not exist."),
        (["-c", "short.txt"], 1, "short.txt has 1 line, but reference1.txt has 3; both must hold the same segments"),
        (["-e", "-f", "latex"], 2, "--edits can be text, json or tsv, not latex"),
        (["-e", "-a", "-f", "tsv"], 2, "--alignments and --edits are two tables; tsv can hold only one of them"),
        (["-c", "candidate.txt", "-f", "tsv"], 2, "--compare can be text or json, not tsv"),
        (["-c", "candidate.txt", "-s"], 2, "it cannot go with --sentence or --alignments"),
        (["-c", "candidate.txt", "-a"], 2, "it cannot go with --sentence or --alignments"),
    ],
)
def test_what_cannot_be_compared(options, status, message, run):
    write_file("short.txt", ["a"])
    found, out, err = run("-m", "gtm", *options)
    assert (found, out) == (status, "") and message in err


def test_the_other_file_may_be_the_standard_input(output, run):
    piped = run_in_own_process(*TWO, "-m", "gtm", "-c", "-", input=Path("other.txt").read_bytes())
    expected = output("-m", "gtm", "-c", "other.txt", files=TWO)
    assert piped.stdout.decode() == expected.replace("B other.txt", "B -")
    assert run("-m", "gtm", "-c", "-", files=("-", "reference1.txt"))[0] == 2


def test_where_metrics_disagree_a_sentence_says_why(output):
    """Check that the output says, above the marks, why metrics disagree on a segment.

    References are called by the numbers of their files, also where an earlier file has no reference for the segment."""
    write_file("candidate.txt", ["because of the rain yesterday we all stayed at home", "a b c d e f", "a b c d"])
    write_file("reference1.txt", ["we all stayed at home because of the rain yesterday", "f e d c b a", "a b c d"])
    write_file("reference2.txt", ["", "", "x"])
    write_file("reference3.txt", ["", "a b x y z q", "x"])
    files = ("candidate.txt", "reference1.txt", "reference2.txt", "reference3.txt")
    lines = output("-m", "per,wer,rouge_l", "--alignments", files=files).splitlines()
    says = [line for line in lines if " but " in line]
    assert says == [
        "  PER 0.00 (lower is better) but WER 1.00 (lower is better): 10 of 10 words match, only 5 of 10 words can "
        "stay as they are.",
        "  PER 0.00 (lower is better) but ROUGE-L 0.33: 6 of 6 words match with reference 1, only 2 of 6 words can be "
        "read in the same order with reference 3.",
    ]
    assert not any(" but " in line for line in output("-m", "per,wer", "--sentence", files=files).splitlines())


# ---------------------------------------------------------------- languages

GERMAN = ["Das der Zug kommt heute", "Der Zug kommt heute wegen des starken Schneefalls zu spät an"]


@pytest.fixture
def german_files():
    write_file("ours.txt", GERMAN[:1])
    write_file("theirs.txt", GERMAN[1:])
    return ["ours.txt", "theirs.txt"]


def test_the_language_is_recognised_from_the_references(output, document, german_files):
    out = output("--metric", "meteor,gtm", files=german_files)
    assert "\nlanguage: German, from the references\nmeteor: There is no WordNet for German, so synonyms" in out
    result = metrics.score("meteor", GERMAN[0].split(), [GERMAN[1].split()], language="german")
    assert f"meteor  {result.score:.4f}" in out and f"meteor|{result.settings.signature()}" in out
    found = document("--metric", "meteor", files=german_files)
    assert found["language"] == {"name": "german", "from": "references"}
    assert found["results"][0]["settings"]["language"] == "german"
    compared = output("--metric", "meteor", "--compare", "theirs.txt", files=german_files)
    assert "\nlanguage: German, from the references\n" in compared


def test_the_language_can_be_named(run, output, german_files):
    out = output("--metric", "meteor", "--language", "Japanese", files=german_files)
    assert "language: Japanese, as set" in out and "|stemmer:none|language:japanese|" in out
    status, _, err = run("--language", "klingon")
    assert status == 2 and "language must be one of" in err
    gtm = ["--metric", "gtm", "--stem", "snowball"]
    out = output(*gtm, files=german_files)
    assert "stem:snowball-german" in out and "language: German, from the references" in out
    out = output(*gtm, "--language", "japanese", files=german_files)
    assert "stem:none" in out and "There is no stemmer for Japanese: words are compared as they are." in out
    out = output(*gtm, "--stem-language", "dutch", files=german_files)
    assert "stem:snowball-dutch" in out and "language:" not in out
    out = output("--metric", "sia", "--sia-similarity", "stem", files=german_files)
    assert "similarity:stem(snowball,german,1)" in out


def test_an_unknown_language_is_treated_as_english_and_said(output):
    write_file("short.txt", ["cat A B"])
    out = output("--metric", "meteor", files=["short.txt", "short.txt"])
    assert "language: An unknown language, treated as English; set it with --language" in out
    assert "|language:english|" in out


def test_no_language_is_looked_for_where_none_matters(output, document, german_files):
    assert "language" not in output("--metric", "gtm,bleu", files=german_files)
    assert document("--metric", "gtm", files=german_files)["language"] is None
