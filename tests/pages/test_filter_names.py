"""Tests of the names of the filter: every column of the table and of files has one, and the menu says what it is."""

import csv
import io
import json
import re
from html import unescape

import numpy as np
import pytest

import metrics
from metrics.corpus import filter as expressions
from metrics.corpus.filter import FilterError, nearest_name, tokens
from metrics.text.formats import File, read
from tests.helpers.pages import CorpusPage, score_corpus
from viz.frame.corpus_scoring import score_keys
from viz.pages.corpus import marks, save_menu
from viz.pages.corpus.filter import filter_names, filters
from viz.pages.corpus.record import CorpusState, FilterPart, write_parts
from viz.pages.corpus.segment_rows import SegmentTable
from viz.save import corpus_segments

pytestmark = pytest.mark.alone  # worker processes compute the scores

#: Names of the filter that a file has under another name.
SHORT = {"tag": "tags", "ref": "reference.1"}
MARKS = marks.write_marks({1: marks.SegmentMark(("odd", "long"), "why so?"), 3: marks.SegmentMark(("odd",), "")})


@pytest.fixture(scope="module")
def found():
    """Return a scored corpus with documents, a source, two references, and scores of other programs."""
    rows = [
        ("one", "die Katze", "the cat sat on mat 1", "a cat sat", "the cat", "the cat sat", "9", "7", "0.5"),
        ("one", "der Hund", "the dog sat on mat 2", "a dog", "the dog sat", "a dog mat", "8", "", "1"),
        ("two", "das Haus", "the house was big", "a big house", "house big", "the house was big", "", "3", "0.25"),
        ("two", "nicht", "it is not so", "not so", "it is so", "it is not", "4", "4", "0"),
        ("two", "ja", "yes it is", "yes", "no it is", "yes it was", "1", "2", "0.1"),
    ]
    heads = "document source ref.1 ref.2 Before After Before.COMET-22 After.COMET-22 After.BLEURT".split()
    data = "\n".join(["\t".join(heads), *["\t".join(row) for row in rows]])
    roles = {"ref.1": "reference", "ref.2": "reference"}
    return score_corpus(read([File("made.tsv", data.encode())], roles), ("gtm", "ter", "rouge_l"))


def state_of(**given):
    return CorpusState(
        **{"marks": MARKS, "columns": "length,document,tag,delta.ter,b.comet_22,delta.comet_22", **given}
    )


def segments_of(job, state, expression):
    facts = filters.filter_facts(job, state)
    return np.flatnonzero(expressions.select_segments(expressions.parse_filter(expression, facts), facts)).tolist()


def sheet_of(job, state):
    selected = filters.select_segments(job, state)
    return save_menu._segment_sheet(save_menu.CorpusSnapshot(job, state, selected))


def test_files_have_the_names_of_the_filter_and_the_filter_those_of_files(found):
    state = state_of(sort="number")
    facts = filters.filter_facts(found, state)
    heads = next(csv.reader(io.StringIO(corpus_segments.csv_text(sheet_of(found, state)))))
    known = {*facts.numbers, *facts.labels, *facts.words, *facts.lines}
    assert {*heads} <= known
    # Each name is a column, but for the short names of columns and scores that are not there.
    scored = {*found.tables, *found.score_names}
    short = {**SHORT, **{name: f"b.{name}" for name in scored}, "reference": "reference.1"}
    missing = {name for name in facts.numbers if name.rpartition(".")[2] in {*metrics.METRICS} - scored}
    assert {short.get(name, name) for name in known - missing} - {*heads} == {"a.bleurt", "delta.bleurt"}


def test_a_cell_of_a_file_is_found_by_its_name_in_the_filter(found):
    state = state_of(sort="number")
    sheet = sheet_of(found, state)
    rows = [*sheet.rows()]
    assert len(rows) == 5
    for place, name in enumerate(sheet.heads):
        for n, row in enumerate(rows):
            cell = row[place]
            if cell is None:
                assert n not in segments_of(found, state, f"{name} < 9e9") + segments_of(found, state, f"{name} != 7")
            elif isinstance(cell, list):
                assert all(n in segments_of(found, state, f'{name} = "{tag}"') for tag in cell)
            elif not isinstance(cell, str):
                assert n in segments_of(found, state, f"{name} = {cell:.12f}")
            elif name == "document":
                assert n in segments_of(found, state, f'{name} = "{cell}"')
            elif cell:
                assert n in segments_of(found, state, f'{name}.has("{cell}")'), (name, cell)
                assert n in segments_of(found, state, f'{name} matches "^{cell.replace("?", ".")}$"'), (name, cell)
    empty = {name for name, each in zip(sheet.heads, zip(*rows, strict=True), strict=True) if None in each}
    assert {"a.comet_22", "b.comet_22", "delta.comet_22"} == empty
    lines = corpus_segments.jsonl_text(sheet).splitlines()
    assert json.loads(lines[2])["b.comet_22"] is None
    assert b"<c/>" in corpus_segments.xlsx_bytes(sheet) or corpus_segments._cell_xml(None) == "<c/>"


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("metric", ["gtm", "ter"])
def test_every_column_of_the_table_says_its_expression_in_the_filter(found, metric, a, b):
    state = state_of(a=a, b=b, metric=metric, columns="length,document,tag,delta.rouge_l,b.comet_22,delta.comet_22")
    seen = SegmentTable(found, state, found.ledger(metric, a, b))
    facts = filters.filter_facts(found, state)
    assert seen.turned == (a == 1)
    own = {"number": np.arange(1, 6), "a": seen.a, "b": seen.b, "delta": seen.b - seen.a, "worth": seen.worth}
    own["apart"] = seen.disagreement
    heads = seen.column_heads()[:-1]
    names = [*own, *seen.extra_columns]
    assert len(heads) == len(names)
    for name, head in zip(names, heads, strict=True):
        column = seen.column_of_name[{"a": "b", "b": "a"}.get(name, name) if seen.turned else name]
        expression = column.expression
        assert head.title.endswith(f"In the filter: {expression}.")
        if name in ("document", "tag"):
            assert expression in facts.labels
            continue
        values = own[name] if name in own else seen.values.numbers(name)
        for n, value in enumerate(values):
            chosen = segments_of(found, state, f"{expression} = {value:.12f}") if value == value else []
            assert (n in chosen) == (value == value), (name, n)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *[(word, "length") for word in ("words", "Tokens")],
        *[("bleu score", "bleu"), ("chrF++", "chrf"), ("METEOR", "meteor"), ("comet", "comet_22")],
        *[(word, "rouge_l") for word in ("rougeL", "ROUGE-L")],
        ("rouge", "rouge_n, rouge_l, rouge_w or rouge_s"),
        *[("Before", "a"), ("after", "b"), ("After.rougeL", "b.rouge_l"), ("Before.TER", "a.ter"), ("A TER", "a.ter")],
        *[("a_gtm", "a.gtm"), ("B COMET-22", "b.comet_22"), ("Δ ROUGE-L", "delta.rouge_l")],
        *[(word, "delta.gtm") for word in ("Δ", "difference")],
        *[("No.", "number"), ("Tags", "tag"), ("documents", "document"), ("Worth ×10³", "worth"), ("Apart", "apart")],
    ],
)
def test_what_people_call_a_value_leads_to_its_name(found, typed, name):
    assert nearest_name(f"{typed} < 0.3", filters.filter_facts(found, state_of())) == name


def test_a_fault_stands_before_the_expression_that_has_it(found):
    page = CorpusPage(found, corpus_where=write_parts([FilterPart("", "words > 3 and gtm < 1")]))
    (said,) = [warning.value for warning in page.at.warning]
    assert said.startswith("At character 1: there is no “words”; write length.")
    assert "words &gt; 3" in page.html.split('<pre class="pointed">')[1] and "words > 3" not in said


def test_each_example_selects_some_and_each_name_is_said(found):
    state = state_of()
    facts = filters.filter_facts(found, state)
    examples = filter_names.examples(found, state, facts)
    assert len(examples) == 5
    for example in examples:
        assert 0 < len(segments_of(found, state, example)) < 5, example
    meanings = filter_names.name_meanings(found, state, facts)
    said = {name for each in meanings for name in each.names} | {*filter_names.other_metrics(found, state)}
    of_others = {name for name in facts.numbers if name.rpartition(".")[2] in {*metrics.METRICS} - {"gtm"}}
    assert {*facts.numbers, *facts.labels, *facts.words, *facts.lines} - of_others <= said
    assert "a metric’s name alone means B’s score" in meanings[0].says and meanings[0].names == ("gtm",)
    assert segments_of(found, state, "gtm = b.gtm") == [0, 1, 2, 3, 4] != segments_of(found, state, "gtm = a.gtm")
    for each in meanings:
        if each.example:
            assert each.names[0] in expressions.names_used(expressions.parse_filter(each.example, facts))
            assert segments_of(found, state, each.example), each


def test_a_click_puts_an_example_into_the_field(found):
    page = CorpusPage(found, corpus_filter_menu=True)
    (example,) = [button for button in page.at.button if button.key == "corpus_example_0"]
    page.press("corpus_example_0")
    (field,) = [field for field in page.at.text_input if field.key == "corpus_expression"]
    assert field.value == example.label.strip("`") and "of 5 segments" in page.html
    page.press("corpus_name_length")
    (field,) = [field for field in page.at.text_input if field.key == "corpus_expression"]
    assert field.value.startswith("length") and "of 5 segments" in page.html


def test_a_name_from_a_file_never_hides_one_of_the_filter(found):
    assert found.score_names == {"comet_22": "COMET-22", "bleurt": "BLEURT"}
    given = ["length", "Is", "abs", "chrF", "worth", "a", "REF", "2", "metric x"]
    assert [*score_keys(given)][:-1] == [f"given_{name.casefold()}" for name in given[:-1]]
    with pytest.raises(FilterError, match="choose the Δ of one under Columns"):
        segments_of(found, state_of(columns=""), "apart > 0")


def test_the_signs_and_words_of_the_grammar_are_said_where_people_look():
    letters = [chr(code) for code in (*range(33, 127), *map(ord, "≤≥≠×−“”„"))]
    pairs = [a + b for a in letters for b in letters]
    signs = {each for each in (*letters, *pairs) if (found := tokens._TOKEN.fullmatch(each)) and found["sign"]}
    assert {"<=", "+", "≠", "&&"} <= signs
    said = unescape(" ".join(filter_names.GRAMMAR))
    for sign in signs:
        assert sign in expressions.__doc__
        assert sign in said or tokens._SPELT.get(sign, "") in said
    for word in tokens.RESERVED - {"than", "at", "equals", "greater"}:  # two of them mean what another one does
        assert re.search(rf"\b{word}\b", said) and re.search(rf"\b{word}\b", expressions.__doc__)
