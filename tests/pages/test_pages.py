"""Tests of the Sentence page in Streamlit's test runner: every control, every input, and no exception."""

import dataclasses
import html
import json
import random
import re

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.text import TextSettings, wordnet
from tests.helpers.pages import SentencePage
from viz.draw.evidence import several_metrics
from viz.draw.pen import marks
from viz.draw.pen.numbers import score_text
from viz.draw.pen.text import visible
from viz.frame.examples import EXAMPLES
from viz.pages.sentence import one_metric
from viz.pages.sentence.record import VIEWS, SentenceState
from viz.state.links import link as links
from viz.state.links.pages import FIRST_METRIC
from viz.state.results import memory
from viz.state.texts import inputs


@pytest.fixture
def page():
    return SentencePage()


def shown_score(result):
    return score_text(result.score)


# ---------------------------------------------------------------- the first screen


@pytest.mark.slow
def test_the_page_starts_with_an_example(page):
    example = EXAMPLES[0]
    assert page.typed_texts == (example.candidate, example.references)
    assert page.fragment.count("data-cell=") == 12 and page.charts == []
    assert [page.words(0), *(page.words(k) for k in (1, 2))] == [
        line.split() for line in (example.candidate, *example.references.split("\n"))
    ]
    assert page.messages == []
    segment = example.candidate.split(), [r.split() for r in example.references.split("\n")]
    assert page.scores == {key: shown_score(metrics.score(key, *segment)) for key in metrics.METRICS}
    assert page.signature.startswith("gtm|") and "tok:whitespace" in page.signature


@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_metric_shows_its_evidence(page, key):
    page.set("metric", key)
    metric = metrics.METRICS[key]
    assert page.signature.startswith(key + "|")
    assert metric.name in page.html
    assert f'data-metric="{key}"' in page.fragment and page.charts == []
    assert page.scores[key] in page.formula
    candidate, references = page.typed_texts
    result = metrics.score(key, candidate.split(), [r.split() for r in references.split("\n")])
    assert page.terms() == {
        f"{term.layer}:{term.t}": ({tuple(c) for c in term.mark.cells()}, set(marks.touched_words(term.mark).names()))
        for term in marks.terms(result)
    }
    assert page.address.get("metric", FIRST_METRIC) == key


def other_value(rule, value):
    """Return a valid value of a setting that differs from `value`."""
    if rule.kind == "flag":
        return not value
    if rule.kind == "choice":
        return next(o for o in rule.options if o != value)
    if rule.kind == "choices":
        return [o for o in rule.options if (o,) != value][:1]
    low, high = rule.slider_range or (rule.least, rule.most)
    number = int if rule.kind == "whole" else float
    return number(low) if value != low else number(high)


SETTINGS = [
    (key, name, rule)
    for key, metric in metrics.METRICS.items()
    for name, rule in metric.Settings.rules().items()
    if rule.kind != "object" and not rule.of_texts
]


@pytest.mark.parametrize(("key", "name", "rule"), SETTINGS, ids=[f"{k}.{n}" for k, n, _ in SETTINGS])
def test_every_setting_has_a_control_that_changes_the_result(key, name, rule):
    page = SentencePage(candidate="a b b c d x e a b", references="a b c d e\nb b a x d e b\nd e a b c", metric=key)
    before = page.signature
    value = other_value(rule, getattr(metrics.settings(key), name))
    page.set(f"{key}.{name}", value)
    settings = metrics.settings(key, **{name: value})
    assert page.signature != before and settings.signature() in page.signature
    candidate, references = page.typed_texts
    result = metrics.score(key, candidate.split(), [r.split() for r in references.split("\n")], **{name: value})
    assert page.scores[key] == shown_score(result)


TEXT = [
    ("tokenizer", "13a", "tok:13a"),
    ("tokenizer", "character", "tok:character"),
    ("lowercase", True, "case:lc"),
    ("stemmer", "porter", "stem:porter"),
    ("nfkc", True, "norm:nfkc"),
]


@pytest.mark.parametrize("key", metrics.METRICS)
def test_the_verdict_stands_above_the_evidence(page, key):
    candidate, references = "the cow sat on the mat", ["the cat sat on the mat", "a cat is on a mat"]
    page.type(candidate, "\n".join(references))
    page.set("metric", key)
    result = metrics.score(key, candidate.split(), [reference.split() for reference in references])
    shown = html.unescape(re.sub("<[^>]*>", "", page.verdict["html"])).strip()
    assert shown == metrics.verdict(result).text.replace("-gram", "\u2011gram")
    asks = page.verdict["asks"]
    page.set_state(dearest=["other", asks])
    assert page.verdict["asks"] is None and "Biggest cost" in page.verdict["html"]
    page.type("the cow sat on the rug", "\n".join(references))
    assert page.verdict["asks"] not in (None, asks) and "Biggest cost" not in page.verdict["html"]
    page.set_state(view="cost")
    assert page.verdict and page.set_state(view="all").verdict is None
    page.set_state(view="metric").type("w " * 201, "w " * 201)
    assert page.verdict["asks"] is None and page.verdict["html"]


@pytest.mark.parametrize(("name", "value", "says"), TEXT)
def test_text_settings_reach_the_result(page, name, value, says):
    page.type("The ﬁrst cats, sat.", "the first cat , sat .")
    before = page.scores
    page.set(f"text.{name}", value)
    assert says in page.signature
    assert page.scores != before
    assert "ﬁrst" in page.html or name == "tokenizer", "the words are shown as typed"


# ---------------------------------------------------------------- examples and links


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_every_example_loads(example):
    page = SentencePage(candidate="x", references="y", gtm__exponent="1.5", text__lowercase="yes")
    page.set("example", example.name)
    assert page.typed_texts == (example.candidate, example.references)
    assert page.messages == [] and page.charts == []
    assert page.signature.startswith(example.metric + "|")
    settings = metrics.settings(example.metric, **example.settings)
    assert settings.signature() in page.signature
    assert TextSettings(**example.text).signature() in page.signature
    for printed in example.printed:
        page.set("metric", printed.metric)
        own = [other for other in example.printed if other.metric == printed.metric]
        assert page.html.count(", here <b>") == len(own), "what is printed of another metric stands under that one"
        assert f"prints {printed.value}, here <b>" in page.html
        assert printed.erratum in page.html
        if re.fullmatch(r"[\d.]+", printed.value) and not printed.erratum:
            ours = re.search(rf"prints {re.escape(printed.value)}, here <b>([\d.]+)", page.html)[1]
            assert abs(float(ours) - float(printed.value)) < 0.1 ** len(printed.value.partition(".")[2])
    if example.printed:
        page.type(example.candidate + " x", example.references)
        assert "prints" not in page.html, "the paper says nothing about another text"


def test_a_link_restores_everything():
    workspace = SentenceState(
        candidate="Die  Katze\n<b>",
        references="Eine Katze\nDie $x$ Katzen",
        text=TextSettings(lowercase=True, stemmer="snowball", language="german"),
        metric="sia",
        settings={"sia": {"decay": 0.3, "iterative": False}, "rouge_s": {"max_skip": 12}, "gtm": {"exponent": 7.25}},
        similarity="stems",
    )
    page = SentencePage(**links.to_query(workspace))
    assert page.messages == ["The candidate has 2 lines, which are read as one output."]
    assert page.typed_texts == (workspace.candidate, workspace.references)
    assert "similarity:stem" in page.signature and "decay:0.3|" in page.signature
    assert "stem:snowball-german" in page.signature
    for key, values in workspace.settings.items():
        page.set("metric", key)
        for name, value in values.items():
            assert f"{name}:{value}|" in page.signature, "a value beyond the slider's range is kept"
    page.set("metric", "sia")
    assert page.address == links.to_query(workspace)


def test_a_bad_link_says_what_is_wrong_and_shows_the_rest():
    bad = {"sia__decay": "0", "gtm__exponent": "x", "text__stemmer": "![](http://e)"}
    page = SentencePage(candidate="a b", references="a b", metric="gtm", **bad)
    assert len(page.messages) == 3 and page.terms()
    for message, name in zip(page.messages, ("text.stemmer", "gtm.exponent", "sia.decay"), strict=True):
        assert name in message
        assert "![" not in message, "no image may be loaded"
    assert page.set("metric", "dcs").messages == [], "problems are shown once"


def test_the_share_menu_gives_a_link_and_a_file(page):
    page.set_state(share=True)
    (link,) = [c.value for c in page.at.code]
    candidate, references = page.typed_texts
    assert link.split("?")[1] == links.link(SentenceState(candidate=candidate, references=references))[1:]
    page.type("a " * 3000 + "é" * 3000, "b")
    assert not page.at.code and any("too long for a link" in c.value for c in page.at.caption)
    assert set(page.address) == {"page", "kept"} and not any("link" in c.value for c in page.at.caption[1:])


def upload_workspace(page, data):
    page.set_state(share=True)
    (box,) = [w for w in page.at.get("file_uploader") if w.key == "workspace"]
    box.set_value(("w.json", data, "application/json"))
    return page.run()


def test_a_workspace_file_restores_its_translation_table(page):
    workspace = SentenceState(candidate="house \ud800", references="home", metric="sia")
    table = {"name": "t", "lines": ["house maison 0.6", "home maison 0.4"]}
    upload_workspace(page, links.to_json(workspace, {"table": table}).encode())
    assert page.messages == []
    assert page.typed_texts == ("house \ufffd", "home")
    assert "similarity:table(t," in page.signature and page.scores["sia"] != "0.000"


def test_a_link_made_with_a_translation_table_says_that_it_is_missing(page):
    """Check the message for a table from a file and for a table that was trained in the app."""
    table = {"name": "t", "lines": ["house maison 0.6", "home maison 0.4"]}
    workspace = SentenceState(candidate="house", references="home", metric="sia")
    upload_workspace(page, links.to_json(workspace, {"table": table}).encode())
    linked = {"page": "sentence", "candidate": "house", "references": "home", "metric": "sia"}
    for kind in ("table", "train"):
        page.set_state(similarity_kind=kind)
        assert page.address["sia.similarity"] == "table"
        other = SentencePage(**linked, sia__similarity=page.address["sia.similarity"])
        (message,) = other.messages
        assert "translation table is missing, since a link cannot hold one" in message
        assert "similarity:None|" in other.signature and other.fragments
        assert "sia.similarity" not in other.address, "what is shown now has none"
    reopened = SentencePage()
    saved = SentenceState(candidate="house", references="home", metric="sia", similarity="table")
    upload_workspace(reopened, links.to_json(saved, {"table": table}).encode())
    assert reopened.messages == [] and "similarity:table(t," in reopened.signature
    upload_workspace(reopened, links.to_json(saved).encode())
    (message,) = reopened.messages
    assert "translation table is missing" in message


def test_a_training_to_come_makes_no_words_similar(page):
    page.set("metric", "sia")
    page.set("similarity_kind", "train")
    assert page.messages == [] and "sia.similarity" not in page.address


AB = SentenceState(candidate="a", references="b")
DAMAGED = [
    (b"{", "not JSON"),
    (links.to_json(AB, {"table": [1]}).encode(), "translation table"),
    (links.to_json(AB, {"table": {}}).encode(), "translation table"),
    (links.to_json(AB, {"table": {"name": "t", "lines": [1]}}).encode(), "translation table"),
    (links.to_json(AB, {"table": {"name": "t", "lines": ["x"]}}).encode(), "three columns"),
    (links.to_json(AB, {"table": {"name": "t", "lines": []}}).encode(), "translation table"),
]


@pytest.mark.parametrize(("data", "says"), DAMAGED, ids=[d[-40:].decode() for d, _ in DAMAGED])
def test_a_damaged_workspace_file_is_explained(page, data, says):
    upload_workspace(page, data)
    (message,) = page.messages
    assert says in message and page.fragments


# ---------------------------------------------------------------- what users type

HOSTILE = [
    *("<b>x</b> $5 & %{x} <script>alert(1)</script>", "<style>*{display:none}</style> <img src=http://e> </div></bdi>"),
    *("$$x$$ ![a](http://e) **b** :red[c] `d`", "\u202e \u2066abc \x00 \x1b[31m \u200b \ufeff", "שלום עולם وصل القطار"),
    *("a" * 20_000, "👩‍👩‍👧 e\u0301" + "\u0301" * 200, "%s {0} {{x}} ${HOME} ' \" \\ \\\\"),
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:20]))
def test_hostile_texts_are_only_texts(page, text):
    typed = (text, f"{text}\n{text} {text}")
    page.type(*typed)
    for key in ("gtm", "rouge_s"):
        page.set("metric", key)
        assert page.messages == [] and page.fragments
        assert page.typed_texts == typed
        assert page.words(0) == [visible(word, 60) for word in text.split()]
        body = page.html.replace("<style>.", "")
        for markup in ("<script", "<img", "<style>*", "$$x", "<b>x", "\x00", "\u202e", "</bdi></div>"):
            assert markup not in body, markup


BAD = [  # candidate, references, start of the message
    ("", "", "Paste a candidate and at least one reference above"),
    ("a", " \n ", "Paste a reference above"),
    ("  ", "b", "Paste a candidate above"),
    ("a " * 2001, "a", "The candidate has 2,001 words, 1 more than the 2,000 that fit."),
    ("a", "a\n" * 17, "17 references are 1 more than the 16 that fit."),
    ("a" * 200_001, "a", "The candidate has 200,001 characters, 1 more"),
]


@pytest.mark.parametrize(("candidate", "references", "says"), BAD, ids=[s[:20] for _, _, s in BAD])
def test_bad_input_gets_one_sentence_and_is_kept(page, candidate, references, says):
    page.type(candidate, references)
    *others, message = page.messages
    assert message.startswith(says) and all("too long" in other or "read as one" in other for other in others)
    assert page.fragments == page.charts == []
    assert page.typed_texts == (candidate, references)
    page.type("a b", "a b")
    assert page.messages == [] and page.terms()


def test_a_tokeniser_that_leaves_nothing(page):
    page.set("text.tokenizer", "13a").type("<skipped>", "a")
    (message,) = page.messages
    assert message.startswith("The candidate has no words left after tokenising.")
    assert page.set("text.tokenizer", "whitespace").messages == []


def test_windows_line_ends(page):
    page.type("a b", "a b\r\nb a\r\n")
    assert "refs:2" in page.signature


# ---------------------------------------------------------------- selection, rounds and pictures


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_chosen_term_is_chosen_by_the_script_and_changes_no_markup(page, key):
    page.set("metric", key)
    assert page.selected_term is None
    before, name = page.fragment, [*page.terms()][1]
    page.set_state(term=name)
    assert page.selected_term == name and page.fragment == before
    assert page.address["term"] == name
    page.set("metric", "wer" if key != "wer" else "per")
    assert page.selected_term is None, "a choice belongs to one result"
    page.set("metric", key)
    assert page.selected_term is None
    page.set_state(term=name)
    candidate, references = page.typed_texts
    page.type(candidate + " x", references)
    assert page.selected_term is None


@pytest.mark.parametrize("term", ["0:4", "1:0", "x", "0:", "-1:0"])
def test_a_term_that_is_not_there_chooses_nothing(term):
    page = SentencePage(candidate="a b", references="a c b", metric="gtm", term=term)
    assert page.selected_term in (None, term) and page.terms()
    page.set_state(save=True)
    assert not page.at.caption


def test_an_addend_a_row_and_a_mark_stand_for_each_block(page):
    for name, (cells, words) in page.terms().items():
        assert page.formula.count(f'data-term="{name}"') == 1
        assert page.fragment.count(f'<polygon class="polygon block" data-term="{name}"') == 1
        for i, k, j in cells:
            assert page.fragment.count(f'data-cell="{i},{k},{j}"') == 1
        for word in words:
            grids = 2 if word.startswith("c") else 1
            assert page.fragment.count(f'data-word="{word}"') == 1 + grids, "in its line and beside each grid"


def round_numbers(page):
    """Return the numbers of SIA's rounds that are shown next to words."""
    return set(re.findall(r"<sup>(\d+)</sup>", page.fragment))


def test_a_link_holds_what_is_looked_at_in_a_result():
    example = EXAMPLES[0]
    texts = {"candidate": example.candidate, "references": example.references}
    shown = SentenceState(**texts, metric="sia", rounds=2, term="1:0")
    page = SentencePage(**links.to_query(shown))
    assert page.messages == [] and page.widget("rounds").value == 2 and page.selected_term == "1:0"
    assert page.run().address == links.to_query(shown)
    page.set("rounds", 3)
    assert page.address == links.to_query(dataclasses.replace(shown, rounds=None)), "all rounds are shown at first"
    page.set("metric", "gtm")
    assert page.selected_term is None
    assert page.address == links.to_query(dataclasses.replace(shown, metric="gtm", rounds=None, term=None))


def test_rounds_are_shown_one_by_one(page):
    page.set("metric", "sia")
    rounds = page.widget("rounds")
    assert (rounds.min, rounds.max, rounds.value) == (1, 3, 3)
    shown, terms = [], []
    for number in (1, 2, 3):
        page.set("rounds", number)
        shown.append(round_numbers(page))
        terms.append(len(page.terms()))
        assert f"Round {number} takes" in page.fragment
        assert ("<dt>after " in page.fragment) == (number < 3)
    assert shown == [{"1"}, {"1", "2"}, {"1", "2", "3"}]
    assert terms == sorted(set(terms)), "each round adds terms"
    page.set("sia.iterative", False)
    assert not [w for w in page.at.slider if w.key == "rounds"], "one round needs no slider"


def test_rounds_that_play_are_each_seen_for_a_while(page, monkeypatch):
    # So long that even a busy machine does not reach the next round.
    monkeypatch.setattr(one_metric, "ROUND_SECONDS", 60.0)
    page.set("metric", "sia")
    page.set_state(playing=True, next_round=1)
    for number, playing in ((1, True), (2, True), (3, False)):
        assert page.run().widget("rounds").value == number, "a run before its time shows no other round"
        assert bool(page.at.session_state.playing) == playing
        page.set_state(round_since=-1_000.0)
    page.set_state(playing=True, next_round=1).set("metric", "bleu")
    page.set("metric", "sia")
    assert not page.at.session_state.playing and page.widget("rounds").value == 3


def test_rounds_are_there_again_after_another_metric(page):
    for key in ("sia", "bleu", "sia", "bleu", "sia"):
        page.set("metric", key)
    assert page.widget("rounds").value == 3


def test_shifts_are_shown_one_by_one(page):
    page.type("yesterday the old man saw a dog in the park with his wife", "the man with his wife saw a dog yesterday")
    page.set("metric", "ter")
    shifts = page.widget("rounds")
    assert shifts.label == "Shifts shown" and shifts.max > 1
    page.set("rounds", 1)
    assert "Shift 1 moves" in page.fragment


def picture_kind(page):
    (kind,) = {*re.findall(r'<div class="drawing (\w+)">', page.fragment.partition("<details")[0])}
    return kind


def test_skip_bigrams_are_arcs_or_a_grid(page):
    page.set("metric", "rouge_s")
    assert picture_kind(page) == "arcs" and 'class="curve' in page.fragment
    page.set("picture", "grid")
    assert picture_kind(page) == "grid" and 'class="grid"' in page.fragment


def test_meteor_opens_as_a_grid_and_has_lines(page):
    page.set("metric", "meteor")
    assert picture_kind(page) == "grid"
    page.set("picture", "arcs")
    assert picture_kind(page) == "arcs" and "chunk of several words" in page.fragment


def test_references_that_are_not_used_are_folded(page):
    page.type("a b c", "a b c\nc x y\nz")
    page.set("metric", "rouge_l")
    lines = re.findall(r'data-line="(\d)"( data-folded)?>.*?data-show="\d">(.*?)</button>', page.fragment)
    assert lines == [
        ("0", "", "3 words, 3 match, 3 used"),
        ("1", " data-folded", "3 words, 1 match, none used"),
        ("2", " data-folded", "1 word, 0 match, none used"),
    ]
    page.type("a b c", "a b c")
    assert "data-folded" not in page.fragment and 'class="refs"' not in page.fragment


def test_matches_as_text_are_written_when_they_are_opened(page):
    assert '<details class="as-text"><summary>Matches as text</summary><pre></pre></details>' in page.fragment


# ---------------------------------------------------------------- long texts, hard texts and missing data


def panel_place(page):
    """Return where in the texts the only grid on the page begins, and its size, as attributes of its outline."""
    (found,) = re.findall(r'<path class="grid" (.*?) data-x=', page.fragment)
    return {name: int(value) for name, value in re.findall(r'data-(\w+)="(\d+)"', found)}


@pytest.mark.slow
@pytest.mark.parametrize("lengths", [(300, [280]), (300, [10]), (50, [300, 20]), (300, [300, 250, 290, 310])], ids=str)
def test_long_texts_stand_in_columns_or_have_an_overview_and_a_detail(page, lengths):
    rng = random.Random(1)
    n, columns = lengths
    text = lambda count: " ".join(f"w{rng.randrange(40)}" for _ in range(count))  # noqa: E731
    typed = text(n), [text(count) for count in columns]
    page.type(typed[0], "\n".join(typed[1]))
    assert not page.charts and page.fragment.count('<svg class="map"') == len(columns)
    assert len(re.findall('data-word="', page.fragment)) == n + sum(columns), "every word is there"
    page.set("picture", "grid")
    (overview,) = page.charts
    assert "squares" in json.dumps(overview)
    result = metrics.score("gtm", typed[0].split(), [line.split() for line in typed[1]])
    first, *_ = marks.references_by_credit([result], range(len(columns)))
    assert panel_place(page) == {"k": first, "i": 0, "j": 0, "rows": min(40, n), "columns": min(40, columns[first])}
    assert (len(page.words(0)), len(page.words(1))) == (min(40, n), min(40, columns[first]))
    sliders = {w.key for w in page.at.slider}
    assert ("detail_i" in sliders, "detail_j" in sliders) == (n > 40, columns[first] > 40)
    if n > 40:
        page.set("detail_i", n - 39)
        assert panel_place(page)["i"] == n - 40 and f'data-word="c{n - 1}"' in page.fragment
    if len(columns) > 1:
        page.set("detail_reference", len(columns) - 1)
        assert panel_place(page)["k"] == len(columns) - 1 and panel_place(page)["columns"] == min(40, columns[-1])
    page.type(text(200), text(45))  # shorter than the position of the detail
    assert len(page.charts) == 1 and page.terms() and page.messages == []
    page.set("picture", "text")
    assert not page.charts and 'class="word_lines cols"' in page.fragment and page.terms() and page.messages == []
    page.type(text(20), text(25))
    assert 'class="word_lines cols"' not in page.fragment and panel_place(page) and page.messages == []


@pytest.fixture
def no_wordnet(monkeypatch):
    """Forget what was read from WordNet, and hide its files during a test."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    for forget in (wordnet.clear_caches, memory.empty_cache):
        forget()
    yield
    for forget in (wordnet.clear_caches, memory.empty_cache):
        forget()


def test_without_wordnet_the_page_says_how_to_get_it(no_wordnet):
    page = SentencePage()
    page.set("metric", "meteor")
    assert "<code>python -m nltk.downloader wordnet</code>" in page.html and "synonym(left out)" in page.signature
    page.set("metric", "sia")
    score = page.scores["sia"]
    page.set("similarity_kind", "wordnet")
    (message,) = page.messages
    assert "python -m nltk.downloader wordnet" in message and message.endswith("Everything else works without it.")
    assert page.scores["sia"] == score and page.terms()
    page.set("similarity_kind", "stems")
    assert page.messages == [] and "similarity:stem" in page.signature
    linked = SentencePage(candidate="a", references="a", metric="sia", sia__similarity="wordnet")
    assert "python -m nltk.downloader wordnet" in linked.messages[0] and linked.terms()


@pytest.mark.slow
def test_the_exact_solver_says_when_a_text_is_too_hard(page):
    rng = random.Random(1)
    page.type(" ".join(rng.choices("ab", k=80)), " ".join(rng.choices("ab", k=80)))
    page.set("gtm.solver", "exact")
    (message,) = page.messages
    assert "choose the greedy" in message and page.fragments == []
    assert page.scores["gtm"] == "–" and page.scores["rouge_l"] != "–"
    page.set("metric", "rouge_l")
    assert page.messages == [] and page.terms()
    page.set("metric", "gtm").set("gtm.solver", "greedy")
    assert page.messages == [] and page.terms()


# ---------------------------------------------------------------- controls


def made_up_settings_script():
    """Draw the controls of made-up settings of every kind; the function is the script of an app."""
    from dataclasses import dataclass

    import streamlit as st

    from metrics.types import Settings, setting
    from viz.state.visit import controls

    @dataclass(frozen=True, slots=True)
    class MadeUp(Settings):
        share: float = setting(0.5, "number", "A share", "h", least=0, most=1, step=0.1)
        open_end: float = setting(2.0, "number", "Without an end", "h", least=0)
        maybe: float | None = setting(None, "number", "A share or nothing", "h", least=0, most=1, optional=True)
        count: int = setting(3, "whole", "A count", "h", least=1, most=9)
        limit: int | None = setting(
            None, "whole", "A limit", "h", least=0, optional=True, none="no limit", slider_range=(0, 5)
        )
        most: int | None = setting(7, "whole", "A number or nothing", "h", least=0, optional=True)
        one: str = setting("a", "choice", "One of three", "h", options=("a", "b", "c_d"))
        kind: str = setting("a", "choice", "One of four", "h", options=("a", "b", "c", "d"))
        some: tuple[str, ...] = setting(("a",), "choices", "Some", "h", options=("a", "b", "c"))
        on: bool = setting(False, "flag", "A switch", "h")

    for name, rule in MadeUp.rules().items():
        controls.draw_control("made_up", name, rule, MadeUp.__dataclass_fields__[name].default)
    st.text(MadeUp(**controls.changed_settings("made_up", MadeUp, st.session_state)).signature())


CONTROLS = [  # setting, kind of widget, another value, its text in the signature
    ("share", "slider", 0.3, "share:0.3|"),
    ("open_end", "number_input", 1e6, "open_end:1000000.0|"),
    ("maybe", "number_input", 0.25, "maybe:0.25|"),
    ("count", "slider", 9, "count:9|"),
    ("limit", "select_slider", 5, "limit:5|"),
    ("most", "number_input", None, "most:None|"),
    ("one", "segmented_control", "c_d", "one:c_d|"),
    ("kind", "selectbox", "d", "kind:d|"),
    ("some", "pills", ["b", "c"], "some:b+c|"),
    ("on", "toggle", True, "on:True|"),
]


def test_a_new_settings_class_gets_its_controls_from_its_rules():
    at = AppTest.from_function(made_up_settings_script).run()
    assert not at.exception
    assert at.text[0].value == (
        "share:0.5|open_end:2.0|maybe:None|count:3|limit:None|most:7|one:a|kind:a|some:a|on:False|"
    )
    labels = []
    for name, kind, value, signed in CONTROLS:
        (widget,) = [w for w in at.get(kind) if w.key == f"made_up.{name}"]
        labels.append(widget.label)
        widget.set_value(value)
        at.run()
        assert not at.exception and signed in at.text[0].value
    assert len(set(labels)) == len(CONTROLS)
    (some,) = [w for w in at.get("pills") if w.key == "made_up.some"]
    some.set_value([])
    at.run()
    assert not at.exception and "some:a|" in at.text[0].value, "none of the choices means the default"


def test_every_field_of_every_metric_has_a_rule():
    for metric in metrics.METRICS.values():
        assert list(metric.Settings.rules()) == [f.name for f in dataclasses.fields(metric.Settings)]
        assert all(rule.label and rule.help for rule in metric.Settings.rules().values())


# ---------------------------------------------------------------- the other views


def test_all_metrics_stand_on_one_page(page):
    scores = page.scores
    page.set("view", "all")
    small = re.findall(r'<button type="button" data-open="(\w+)"><b>(.*?)</b> (\S+?)<svg', page.fragment)
    assert small == [(key, html.escape(metric.label), scores[key]) for key, metric in metrics.METRICS.items()]
    texts = inputs.read_texts(*page.typed_texts, TextSettings())
    results = {key: metrics.score(key, *texts.segment) for key in metrics.METRICS}
    used = several_metrics.metrics_by_cell(results)
    assert set(used) == {cell for result in results.values() for cell in marks.matched_cells(result)}
    for cell, keys in used.items():
        assert list(keys) == [key for key, result in results.items() if cell in marks.matched_cells(result)]
    # Each cell of the figure contains the number of metrics that use it.
    figure = page.fragment.partition('<div class="inspector">')[0]
    written = sorted(map(int, re.findall(r"<text[^>]*data-cell[^>]*>(\d+)</text>", figure)))
    assert written == sorted(map(len, used.values()))


def test_opinions_divide_or_agree():
    texts = inputs.read_texts("a b c", "a b c", TextSettings())
    results = {key: metrics.score(key, *texts.segment) for key in ("rouge_l", "wer", "gtm")}
    assert "the same cells" in several_metrics.divided_table(texts, several_metrics.metrics_by_cell(results), results)
    texts = inputs.read_texts("the gunman police killed", "police killed the gunman", TextSettings())
    results = {key: metrics.score(key, *texts.segment) for key in ("rouge_l", "gtm")}
    table = several_metrics.divided_table(texts, several_metrics.metrics_by_cell(results), results)
    # ROUGE-L leaves out both words of “police killed”, which are one row.
    assert table.count('<td class="n">1 of 2</td>') == 1 and '<td class="who"><span>GTM</span></td>' in table


def test_two_metrics_on_one_grid(page):
    page.set("view", "two")
    assert page.at.session_state.other == "rouge_l" and 'data-metric="two"' in page.fragment
    texts = inputs.read_texts(*page.typed_texts, TextSettings())
    ours, theirs = (set(marks.matched_cells(metrics.score(key, *texts.segment))) for key in ("gtm", "rouge_l"))
    cells = re.findall(r'<td class="n">(\d+)</td>', page.html)
    assert [int(n) for n in cells] == [len(ours - theirs), len(theirs - ours), len(ours & theirs)]
    page.set("metric", "rouge_l")
    assert page.at.session_state.other == "gtm", "a metric is not laid over itself"


def test_error_classes_have_counts_and_reasons(page):
    page.type("police kill the gunman today", "the police killed the gunman")
    page.set("view", "errors")
    assert page.charts == []
    for text in ("“kill” is “killed” in the reference", "Inflection", "Missing", "Extra", "Popović"):
        assert text in page.html, text
    page.type("a b", "a b")
    assert "No word is wrong." in page.html


@pytest.mark.slow
@pytest.mark.parametrize("view", [*VIEWS])
def test_every_view_bears_every_text(view):
    for candidate, references in (
        ("x", "y"),
        ("<b>a</b> $x$ %{x} &amp;", "<script>alert(1)</script> $x$\n\u202eb"),
        ("a b " * 70, "a c " * 80),
    ):
        page = SentencePage(candidate=candidate, references=references, view=view, metric="wer")
        assert "<script>" not in page.html
        assert page.at.session_state.view == view


def test_a_link_restores_the_view():
    page = SentencePage(candidate="a b", references="a c", view="two", metric="dcs", other="sia")
    assert (page.at.session_state.view, page.at.session_state.other) == ("two", "sia")
    assert page.address["view"] == "two" and page.address["other"] == "sia"


def test_what_a_metric_is_stands_in_its_view(page):
    for key, metric in metrics.METRICS.items():
        page.set("metric", key)
        for text in (metric.about.rewards, metric.about.unseen, metric.citation):
            assert html.escape(text) in page.html, key


def test_equally_good_alignments_can_be_stepped_through(page):
    page.type("the gunman police killed", "police killed the gunman")
    page.set("metric", "rouge_l")
    assert "number 1 is shown. The score is the same for all." in page.fragment
    assert '<div class="ties" data-count="2" data-at="0">' in page.fragment
    first, terms, score = page.fragment, page.terms(), page.scores["rouge_l"]
    page.set_state(tie=1)
    assert "number 2 is shown" in page.fragment and 'data-at="1"' in page.fragment
    assert page.terms() != terms and page.scores["rouge_l"] == score
    page.set_state(tie=0)
    assert page.fragment == first
    page.set_state(tie=7)
    assert page.fragment == first, "there are two"


def test_cells_of_ties_are_tinted_or_not(page):
    page.type("the gunman police killed", "police killed the gunman")
    page.set("metric", "rouge_l")
    assert page.fragment.startswith('<div class="bitext"') and "sometimes" in page.fragment
    page.set_state(tint=True)
    assert page.fragment.startswith('<div class="bitext tint"') and "sometimes" in page.fragment


@pytest.mark.slow
def test_a_part_that_is_switched_off_says_so_and_a_beam_names_itself():
    page = SentencePage(candidate="a b", references="a c b", metric="sia", **{"sia.length_penalty": "no"})
    assert "<dt>length penalty</dt><dd>off</dd>" in page.fragment and "switched off" in page.formula
    words = [f"w{n}" for n in range(1500)]
    page = SentencePage(candidate=" ".join(["x"] * 40 + words[:-40]), references=" ".join(words), metric="ter")
    assert "The beam hides a shorter script" in page.html and "So there are more edits than WER&#x27;s 80" in page.html
