"""Tests of file warnings: each problem of the files is reported once and correctly, and correct files give none."""

import pytest

from metrics.corpus.file_warnings import ComparedColumn, ComparedFiles, find_file_warnings
from metrics.corpus.file_warnings import FileWarningKind as Kind
from metrics.corpus.repairs import describe_repair, make_repair_offers, repair_corpus
from metrics.corpus.shifted_lines import Repair
from tests.helpers.corpora import SYSTEMS, load_lines


def compared_column(file, lines, **more):
    return ComparedColumn(file, lines, [tuple(line.split()) for line in lines], **more)


REAL = {name.split(".")[1]: load_lines(name) for name in SYSTEMS}
REFERENCES = {name: load_lines(f"reference.{name}") for name in "AB"}
SOURCE = load_lines("source", "zh")
GERMAN = (
    "Die Bibliothek in der alten Stadt bleibt heute wegen der Bauarbeiten den ganzen Tag geschlossen .",
    "Wir haben gestern lange darüber gesprochen , ob wir im Sommer wieder ans Meer fahren sollen .",
)


def compared_files(part=slice(None), references="AB", source=SOURCE, **systems):
    return ComparedFiles(
        {name: compared_column(f"{name}.txt", lines[part]) for name, lines in ({**REAL, **systems}).items()},
        [compared_column(f"r{name}.txt", REFERENCES[name][part]) for name in references],
        compared_column("s.txt", source[part]) if source else None,
    )


def warning_sentences(of):
    return [(each.kind, each.sentence) for each in find_file_warnings(of).warnings]


@pytest.mark.slow
@pytest.mark.parametrize("references", ["A", "B", "AB", "BA"])
def test_nothing_is_said_of_files_as_they_should_be(references):
    assert warning_sentences(compared_files(references=references)) == []
    assert warning_sentences(compared_files(references=references, source=None)) == []
    for size in (1, 7, 10, 20, 30):
        for start in range(0, 60, size):
            assert warning_sentences(compared_files(slice(start, start + size), references)) == []


GOOD = REAL["MiSS"]
PLANTED = {
    "references": (REFERENCES["B"], Kind.OF_REFERENCES, "60 of 60 lines are equal to a reference; is it a file of ref"),
    "half references": (
        [*REFERENCES["B"][:30], *GOOD[30:]],
        Kind.OF_REFERENCES,
        "longer lines are equal to a reference",
    ),
    "source": (SOURCE, Kind.UNTRANSLATED, "60 of 60 lines are equal to the source; is it a file of the source?"),
    "untranslated": (
        [*GOOD[:5], *SOURCE[5:8], *GOOD[8:]],
        Kind.UNTRANSLATED,
        "X.txt, line 6 and 2 more: the lines are equal to the source",
    ),
    "equal": (GOOD, Kind.SAME, "X.txt: all 60 lines are equal to those of MiSS.txt"),
    "nearly": (["new", *GOOD[1:]], Kind.SAME, "X.txt: 59 of 60 lines are equal to those of MiSS.txt"),
    "reversed": (GOOD[::-1], Kind.SHUFFLED, "most fit some reference well; are they in another order?"),
    "foreign": (
        ["If you need any other service please call now .", "Our shop sells old books of all kinds ."] * 30,
        Kind.FOREIGN,
        "the lines fit their references no better than those of other lines; is it another text?",
    ),
    "no word": (["( - ) ."] * 60, Kind.FOREIGN, "X.txt: no line has a word in common with its references"),
    "nothing common": (["qq xx"] * 60, Kind.FOREIGN, "X.txt: no line has a word in common with its references"),
    "german": (list(GERMAN) * 30, Kind.LANGUAGE, "X.txt: it seems to be in German; the references are in English"),
    "some german": (
        [*GOOD[:9], *GERMAN, *GOOD[11:]],
        Kind.LANGUAGE,
        "X.txt, line 10 and 1 more: the lines seem to be in German; the references are in English",
    ),
    "empty": ([*GOOD[:4], " ", *GOOD[5:50], "", *GOOD[51:]], Kind.EMPTY, "X.txt, line 5 and 1 more: the output of"),
    "slipped": (
        [*GOOD[:20], "one", "two", *GOOD[20:58]],
        Kind.SLIPPED,
        "X.txt, line 23: from here on the lines fit the references 2 lines before them better than their own; "
        "lines 21 to 22 may be extra",
    ),
    "lost": (
        [*GOOD[:20], *GOOD[21:], "the end"],
        Kind.SLIPPED,
        "X.txt, line 21: from here on the lines fit the references 1 line after them better than their own; "
        "1 line may be missing before it",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_wrong_is_said(name):
    lines, kind, says = PLANTED[name]
    told = find_file_warnings(compared_files(X=lines)).warnings
    if name != "nearly" and kind != Kind.SAME:  # a file with half of one text also holds half of the other
        told = [each for each in told if each.kind != Kind.SAME]
    (found,) = told
    assert found.kind == kind and says in found.sentence and found.system == "X"


def test_references_that_slipped_are_told_once():
    slipped = [*REFERENCES["A"][:25], *REFERENCES["A"][26:], "the end"]
    of = compared_files(references="A", source=None)._replace(references=[compared_column("r.txt", slipped)])
    sentence = (
        "r.txt, line 26: the lines of all 3 systems fit the references 1 line before them, from their line 27 on; the "
        "references may be shifted"
    )
    assert warning_sentences(of) == [(Kind.SLIPPED, sentence)] and set(find_file_warnings(of).repairs) == set(REAL)


@pytest.mark.parametrize(("first", "second"), ["AB", "BA"])
def test_of_two_references_the_one_that_slipped_is_told(first, second):
    """Check that, of two references, the one with shifted lines is named, where the outputs fit the other one."""
    slipped = [*REFERENCES[second][:22], *REFERENCES[second][23:], "the end"]
    two = compared_files(source=None)._replace(
        references=[compared_column("r1.txt", REFERENCES[first]), compared_column("r2.txt", slipped)]
    )
    ((kind, sentence),) = warning_sentences(two)
    assert kind == Kind.SLIPPED
    assert sentence.startswith("r2.txt, line 23: from here on the lines fit those of r1.txt 1 line after them better")
    assert not find_file_warnings(two).repairs


def test_a_source_that_slipped_is_told():
    ((kind, sentence),) = warning_sentences(compared_files(source=[*SOURCE[:30], SOURCE[11], *SOURCE[30:59]]))
    assert kind == Kind.SLIPPED and sentence.startswith("s.txt, line 3")


def test_files_whose_names_are_swapped_are_asked_about():
    of = ComparedFiles(
        {"A": compared_column("data/reference.A.txt", GOOD)}, [compared_column("system.MiSS.txt", REFERENCES["A"])]
    )
    says = "data/reference.A.txt: it is given as a system, and system.MiSS.txt as references; are they swapped?"
    assert warning_sentences(of) == [(Kind.SWAPPED, says)]
    for ours, theirs in (("system.ref.txt", "system.B.txt"), ("a.txt", "system.txt"), ("ref.txt", "b.txt")):
        files = ComparedFiles({"A": compared_column(ours, GOOD)}, [compared_column(theirs, REFERENCES["A"])])
        assert warning_sentences(files) == []


def test_a_file_is_named_as_it_is_numbered_and_what_it_holds_is_no_markup():
    lines = [*GOOD[:20], "one more", *GOOD[20:59]]
    numbers = [*range(2, 62)]
    of = compared_files()._replace(systems={"X": compared_column("\x1b[1mx.tsv", lines, unit="row", numbers=numbers)})
    ((kind, sentence),) = warning_sentences(of)
    assert kind == Kind.SLIPPED and "x.tsv, row 23: " in sentence and "row 22 may be extra" in sentence
    assert "\x1b" not in sentence
    nothing = ComparedFiles(
        {"A": compared_column("a", [""] * 30)}, [compared_column("r", [""] * 30)], compared_column("s", [""] * 30)
    )
    assert [kind for kind, _ in warning_sentences(nothing)] == [Kind.EMPTY, Kind.EMPTY]


def test_a_repair_is_offered_with_both_scores():
    import metrics
    from metrics.corpus.jobs import ScoringCorpus

    lines = [*GOOD[:20], "one more", *GOOD[20:59]]
    words = [tuple(line.split()) for line in lines]
    of = compared_files()._replace(systems={"X": compared_column("x.txt", lines)})
    references = [[tuple(line.split()) for line in each] for each in zip(*REFERENCES.values(), strict=True)]
    texts = ScoringCorpus(("X",), (tuple(words),), tuple(map(tuple, references)))
    found = find_file_warnings(of)
    metric = metrics.METRICS["bleu"]
    (offer,) = make_repair_offers(of.systems, texts, found.repairs, metric, metric.Settings())
    mended = [*words[:20], *words[21:], ()]
    assert repair_corpus(texts, found.repairs).systems == (tuple(mended),) and texts.systems == (tuple(words),)
    scores = [metrics.corpus_score("bleu", each, references).score for each in (words, mended)]
    assert offer.scores == pytest.approx(scores)
    assert offer.sentence(4) == (
        f"BLEU {scores[0]:.4f} as it is, {scores[1]:.4f} with line 21 taken out and segment 60 left empty"
    )
    long = describe_repair(Repair((0, *[None] * 8), ()), compared_column("x.txt", lines))
    assert long == "8 segments from segment 2 on left empty"
