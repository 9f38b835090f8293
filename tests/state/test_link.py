"""Tests of links and workspace files: reading one gives the page state from which it was written.

Anything else that is read is refused in a sentence."""

import dataclasses
import json
import math
from urllib.parse import parse_qsl

import pytest
import streamlit
from hypothesis import assume, given
from hypothesis import strategies as st

import metrics
from metrics.text import TextSettings
from metrics.types import Settings, setting
from tests.helpers.pages import State
from tests.helpers.searching import examples
from viz.draw.compare.changed_words import FATES
from viz.draw.compare.worth import ORDERS, SHOWN
from viz.draw.texts import MarkedError
from viz.frame import slots
from viz.frame.examples import EXAMPLES, PAIRS
from viz.pages.agreement.record import VIEWS as AGREEMENT_VIEWS
from viz.pages.agreement.record import AgreementState
from viz.pages.compare.record import CHANGES_MOST, EDITS_MOST, SORTED, STEPS_MOST, WHATIF, CompareState
from viz.pages.compare.record import VIEWS as COMPARE_VIEWS
from viz.pages.corpus import marks
from viz.pages.corpus.link_texts import KINDS, LinkText, LinkTexts, write_texts
from viz.pages.corpus.marks import SegmentMark
from viz.pages.corpus.record import SEEN, SORTS, CorpusState, FilterPart, write_parts
from viz.pages.learn.record import LearnState
from viz.pages.sentence.record import PICTURES, VIEWS, SentenceState
from viz.state.links import codec, link
from viz.state.links import pages as house
from viz.state.links.pages import FIRST_METRIC, SIMILARITIES, Page, PageState
from viz.state.results.cache import TIES_MOST
from viz.state.texts.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST, default_name
from viz.state.texts.marked_errors import marks_of_text
from viz.state.visit import navigation

any_text = st.text(st.characters(), max_size=40)  # also unpaired surrogates and control characters


def setting_value_strategy(rule, default):
    if rule.kind == "flag":
        return st.booleans()
    if rule.kind == "choice":
        return st.sampled_from(rule.options)
    if rule.kind == "choices":
        return st.lists(st.sampled_from(rule.options), min_size=1, unique=True).map(tuple)
    if rule.kind == "whole":
        least, most = (int(v) if math.isfinite(v) else None for v in (rule.least, rule.most))
        numbers = st.integers(least, most)
    else:
        numbers = st.floats(rule.least, rule.most, allow_nan=False, allow_infinity=False)
    return st.none() | numbers if rule.optional else numbers


@st.composite
def random_settings(draw, cls):
    """Draw an instance of the settings class `cls`, some of whose fields have values that their rules allow."""
    plain = {name: rule for name, rule in cls.rules().items() if rule.kind != "object"}
    given_ = {name: draw(setting_value_strategy(rule, None)) for name, rule in plain.items() if draw(st.booleans())}
    try:
        return cls(**given_)
    except ValueError:  # a rule of the class beyond the rules of its fields
        assume(False)


@st.composite
def shared_fields(draw):
    """Draw values, by name, for the fields that the states of all pages share."""
    changed = {
        key: codec.changed_settings(draw(random_settings(metric.Settings))) for key, metric in metrics.METRICS.items()
    }
    return {
        "references": draw(any_text),
        "metric": draw(st.sampled_from(list(metrics.METRICS))),
        "text": draw(random_settings(TextSettings)),
        "settings": {key: given_ for key, given_ in changed.items() if given_},
        "similarity": draw(st.sampled_from(SIMILARITIES)),
    }


@st.composite
def sentence_states(draw):
    numbers = st.integers(0, 9_999_999)
    return SentenceState(
        **draw(shared_fields()),
        candidate=draw(any_text),
        source=draw(any_text),
        view=draw(st.sampled_from(list(VIEWS))),
        other=draw(st.sampled_from(list(metrics.METRICS))),
        term=draw(st.none() | st.tuples(numbers, numbers).map("{0[0]}:{0[1]}".format)),
        rounds=draw(st.none() | st.integers(1, 2_000)),
        tie=draw(st.integers(0, TIES_MOST - 1)),
        picture=draw(st.none() | st.sampled_from(PICTURES)),
        way=draw(st.none() | st.integers(0, 2_000)),
        edit=draw(st.none() | st.integers(0, 2_000)),
        asked=draw(st.none() | st.sampled_from(["c0", "r12_345", "3,0,1999"])),
        detail_i=draw(st.integers(1, 2_000)),
        detail_j=draw(st.integers(1, 2_000)),
        detail_reference=draw(st.integers(0, 2_000)),
    )


@st.composite
def compare_states(draw):
    """Draw a state of the Compare page, without systems or with as many as the page allows.

    A system's name is neither blank nor too long; a system without a name has the letter of its slot."""
    names = st.text(st.characters(), min_size=1, max_size=NAME_MOST).filter(str.strip)
    count = draw(st.just(0) | st.integers(SYSTEMS_LEAST, SYSTEMS_MOST))
    systems = [(draw(st.just(default_name(slot)) | names), draw(any_text)) for slot in range(count)]
    a, b = draw(st.permutations(range(count)))[:2] if count else (0, 1)
    compare = draw(st.sampled_from(list(COMPARE_VIEWS)))
    slot = st.none() | st.integers(0, count - 1) if count else st.none()
    return CompareState(
        **draw(shared_fields()),
        systems=tuple(systems),
        source=draw(any_text),
        wordless=draw(st.booleans()),
        sides=(a, b),
        compare=compare,
        whatif=draw(any_text),
        whatif_of=draw(slot),
        output=draw(slot | st.just(WHATIF)),
        effect=draw(st.none() | st.integers(0, 999)),
        words=draw(st.sampled_from([*SHOWN])),
        order=draw(st.sampled_from([*ORDERS])),
        best=draw(st.booleans()),
        step=draw(st.none() | st.integers(0, STEPS_MOST - 1)),
        change=draw(st.none() | st.integers(0, CHANGES_MOST - 1)),
        edit=draw(st.none() | st.integers(0, EDITS_MOST - 1)),
        by=draw(st.just("") | st.sampled_from(SORTED)),
        reference=draw(st.none() | st.integers(0, 15)),
        rows=draw(st.booleans()),
        off=tuple(sorted(draw(st.sets(st.sampled_from(FATES))))),
    )


@st.composite
def learn_states(draw):
    return LearnState(
        **{**draw(shared_fields()), "metric": draw(st.just("") | st.sampled_from(list(metrics.METRICS)))},
        chapter=draw(st.sampled_from(["", "gtm", "skip_bigrams"])),
        screen=draw(st.integers(1, 6)),
        candidate=draw(any_text),
        twin=draw(any_text),
        made=draw(any_text),
        file=draw(st.text(st.characters(exclude_categories=["Cs"]))),  # a file in UTF-8 has no surrogates
        exercise=draw(any_text),
        present=draw(st.booleans()),
    )


link_text_strategy = st.builds(
    LinkText,
    st.sampled_from([*KINDS.values()]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.just("kRFp3arxRq"),
    st.integers(0, 1_000),
)


def named_texts(texts):
    return write_texts(LinkTexts("german", ("entities",), tuple(texts)))


@st.composite
def corpus_states(draw):
    marked = st.builds(SegmentMark, st.lists(any_text, max_size=3).map(tuple), any_text)
    return CorpusState(
        **{name: value for name, value in draw(shared_fields()).items() if name != "references"},
        a=draw(st.integers(0, 63)),
        b=draw(st.integers(0, 63)),
        sort=draw(st.sampled_from([*SORTS, "delta.ter"])),
        up=draw(st.booleans()),
        where=write_parts([FilterPart("", "gtm < 0.3")] * draw(st.integers(0, 1))),
        segment=draw(st.none() | st.integers(0, 100_000)),
        seen=draw(st.sampled_from([*SEEN])),
        view=draw(st.sampled_from(["segments", "charts", "patterns", "all"])),
        columns=draw(st.sampled_from(["", "length,delta.ter,b.comet_22"])),
        against=draw(st.sampled_from(["", "wer"])),
        marks=marks.write_marks(draw(st.dictionaries(st.integers(0, 100_000), marked, max_size=3))),
        texts=draw(st.just("") | st.lists(link_text_strategy, min_size=1, max_size=5).map(named_texts)),
    )


@st.composite
def agreement_states(draw):
    output = st.none() | st.integers(0, 63)
    return AgreementState(
        **{name: value for name, value in draw(shared_fields()).items() if name != "references"},
        view=draw(st.sampled_from([*AGREEMENT_VIEWS])),
        scale=draw(any_text),
        group=draw(st.sampled_from(["none", "item", "sys"])),
        tau=draw(st.sampled_from(["b", "10", "13"])),
        level=draw(st.sampled_from(["segment", "system"])),
        sort=draw(st.sampled_from(["pearson", "spa"])),
        column=draw(any_text),
        system=draw(output),
        segment=draw(st.none() | st.integers(0, 100_000)),
        other=draw(output),
        choice=draw(any_text),
        experiment=draw(any_text),
        points=draw(st.sampled_from(["scores", "judge", "chance"])),
        draws=draw(st.sampled_from([None, 100, 300, 3_000])),
        every_scale=draw(st.booleans()),
        with_metrics=draw(st.sampled_from([(), ("ter",), ("bleu", "gtm")])),
    )


pages = sentence_states() | compare_states() | learn_states() | corpus_states() | agreement_states()


@dataclasses.dataclass(frozen=True, slots=True)
class MadeUpSettings(Settings):
    """A settings class with a field of each kind, also of kinds that no metric uses."""

    some: tuple = setting(("a",), "choices", "Some", "h", options=("a", "b", "c"))
    maybe: float | None = setting(0.5, "number", "A share or nothing", "h", least=0, most=1, optional=True)
    limit: int | None = setting(7, "whole", "A limit", "h", least=0, optional=True)
    on: bool = setting(True, "flag", "A switch", "h")
    thing: object = setting(None, "object", "A function", "h", optional=True)


@examples(60)
@given(random_settings(MadeUpSettings))
def test_the_settings_of_a_new_metric_come_back_too(changed):
    with pytest.MonkeyPatch.context() as patch:
        metric = dataclasses.replace(metrics.METRICS["gtm"], key="made_up", Settings=MadeUpSettings)
        patch.setitem(metrics.METRICS, "made_up", metric)
        shown = SentenceState(metric="made_up", settings={"made_up": codec.changed_settings(changed)})
        back, problems = link.from_query(link.to_query(shown))
        assert problems == [] and MadeUpSettings(**back.settings.get("made_up", {})) == changed
        for written, says in (("a+d", "some of 'a', 'b', 'c'"), ("", "some of"), ("any", "some of")):
            _, (problem,) = link.from_query({"metric": "made_up", "made_up.some": written})
            assert says in problem
        _, (problem,) = link.from_query({"metric": "made_up", "made_up.thing": "print"})
        assert "is not a setting" in problem, "a link cannot name a function"


def join_surrogates(text):
    """Return the text with each pair of surrogates replaced by the one character that they mean.

    UTF-16 and the escapes of JSON do the same."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def equal_records(a, b):
    """Return whether two page states are equal, where a pair of surrogates equals the character that it means."""

    def joined(state):
        fields = [f.name for f in codec.link_fields(type(state)) if f.kind is codec.TEXT]
        texts = {name: join_surrogates(getattr(state, name)) for name in fields}
        if isinstance(state, CompareState):
            texts["systems"] = tuple((join_surrogates(name), join_surrogates(text)) for name, text in state.systems)
        return dataclasses.replace(state, **texts)

    return joined(a) == joined(b)


@pytest.mark.slow
@examples(150)
@given(pages)
def test_every_field_comes_back_from_link_and_file(shown):
    query = link.to_query(shown)
    assert link.from_query(query) == (shown, []) and link.is_known_link(query)
    address = link.link(shown)
    if address:
        read = dict(parse_qsl(address[1:], keep_blank_values=True, errors="surrogatepass"))
        assert address.isascii() and address[0] == "?" and len(address) <= link.LINK_MOST
        assert read == query
    extra = {"table": {"name": "t", "lines": ["a b 0.5"]}}
    back, problems, more = link.from_json(link.to_json(shown, extra))
    assert (problems, more) == ([], extra) and equal_records(back, shown)


FULL = [  # records that differ from the default in every field
    SentenceState(
        references="r", metric="sia", text=TextSettings(lowercase=True), settings={"sia": {"decay": 0.25}},
        similarity="stems", source="q",
        marked=marks_of_text("c", "q", [MarkedError("target", 0, 1, "Accuracy", "Major")]), language="german",
        candidate="c", view="two", other="dcs", term="1:0", rounds=2, tie=3, step=12, detail_i=4, detail_j=5,
        detail_reference=1, part=0, picture="grid", way=1, edit=2, asked="c3",
    ),
    CompareState(
        references="r", metric="sia", text=TextSettings(lowercase=True), settings={"sia": {"decay": 0.25}},
        similarity="stems", language="german", systems=(("A", "a"), ("new", "")), source="q",
        marked=marks_of_text("a", "q", [MarkedError("target", 0, 1, "Accuracy", "Major")]), wordless=True, sides=(1, 0),
        compare="words", whatif="w", whatif_of=1, output=WHATIF, effect=3, words="delete", order="hurts", best=True,
        step=4, change=9, edit=3, by="-wer", every=True, reference=1, rows=True, off=("gained", "nothing"),
    ),
    CorpusState(
        metric="bleu", text=TextSettings(lowercase=True), settings={"bleu": {"max_order": 2}}, similarity="stems",
        language="german", a=1, b=2, sort="delta", up=True,
        where=write_parts([FilterPart("", "gtm < 0.3"), FilterPart("two of them", "", (3, 7))]), segment=7,
        seen="edits", view="charts", columns="tag,a.ter", against="wer",
        marks=marks.replace_mark("", 7, "order", "a note"), scored=("bleu", "ter"),
        texts=named_texts([LinkText("system", "After", "kRFp3arxRq", 40)]), given="comet",
    ),
    AgreementState(
        metric="sia", text=TextSettings(lowercase=True), settings={"sia": {"decay": 0.7}}, similarity="wordnet",
        language="german", view="wrong", scale="esa", group="item", tau="13", level="system", sort="spa",
        column="COMET", system=3, segment=17, other=5, seen="edits", by="people", up=True, choice="edits",
        experiment="orange", points="judge", draws=300, every_scale=False, with_metrics=("bleu", "ter"),
    ),
    LearnState(
        references="r", metric="sia", text=TextSettings(lowercase=True), settings={"sia": {"decay": 0.25}},
        similarity="stems", language="german", chapter="sia", screen=3, candidate="c", twin="t", made="m",
        file="key = 1", exercise="e", present=True,
    ),
]  # fmt: skip


@pytest.mark.parametrize("shown", FULL, ids=[page.name for page in house.all_pages()])
def test_every_field_has_parameters_of_its_own(shown):
    query = link.to_query(shown)
    assert link.from_query(query) == (shown, [])
    for f in codec.link_fields(type(shown)):
        assert getattr(shown, f.name) != f.default, f"{f.name} is not tried"
        assert any(f.owns(parameter) for parameter in query), f.name


@pytest.mark.slow
@examples(100)
@given(pages)
def test_a_link_never_names_a_default(shown):
    """Check that a link has no parameter that could be left out, except for the page's name.

    Score if undone the link would open another state."""
    query = link.to_query(shown)
    assert query.pop("page") == shown.page
    for left_out in query:
        less = {name: text for name, text in query.items() if name != left_out}
        assert link.from_query({"page": shown.page} | less) != (shown, []), left_out
    assert link.to_query(type(shown)()) == {"page": shown.page}


@pytest.mark.slow
@examples(60)
@given(pages)
def test_texts_and_the_rest_make_the_whole(shown):
    """Check the two halves of a long link: the texts, which the browser keeps, and the rest, which is in the address.

    They have no parameter in common, and together they are the whole link."""
    texts, extra = link.from_document(link.to_document(shown, {"table": {"name": "t"}}))
    rest = link.to_query(link.without_parts(shown, "texts"))
    assert extra == {"table": {"name": "t"}} and not set(texts) & set(rest)
    assert rest | texts == link.to_query(shown) and texts == link.text_parameters(shown)


@pytest.mark.parametrize("document", [None, "", "{", "[]", "{}", '{"query": 1}', '{"query": {"candidate": 1}}', 7])
def test_what_a_browser_sends_may_be_anything(document):
    with pytest.raises(ValueError, match="these are not texts"):
        link.from_document(document)


HELD = [
    (SentenceState(), "the candidate, the references, the metric and the view"),
    (SentenceState(other="dcs", similarity="stems"), "the word similarity and the view"),
    (SentenceState(similarity="table"), "the metric and the view"),  # the link names the table but does not hold it
    (SentenceState(view="two", other="dcs"), "the view and the second metric"),
    (SentenceState(term="0:1", rounds=2, tie=1, picture="grid"), "the chosen term, the rounds shown"),
    (SentenceState(text=TextSettings(lowercase=True), settings={"gtm": {"exponent": 1.0}}), "the changed settings"),
    (FULL[1], "the what-if text"),
    (FULL[1], "which outputs are A and B"),
    (FULL[1], "the chosen step"),
    (CompareState(off=("kept",)), "the view and what the legend switches off"),
    (CompareState(reference=1, rows=True), "the view, the reference whose grid is open and that all rows are shown"),
    (LearnState(chapter="gtm", screen=2), "the chapter and the screen"),
    (FULL[4], "the second candidate"),
]


@pytest.mark.parametrize(("shown", "says"), HELD, ids=[says for _, says in HELD])
def test_what_a_link_holds_is_said(shown, says):
    assert says in link.describe_link(shown)
    assert ("second metric" in link.describe_link(shown)) == (getattr(shown, "view", "") == "two")


def test_a_new_page_needs_a_record_alone(monkeypatch):
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Lesson(PageState):
        page = "lesson"
        step: int = codec.url_field(0, codec.WholeNumber(0, 99))
        pace: str = codec.url_field("slow", codec.OneOf(("slow", "quick")), "speed")

    lesson = Page(title="Lesson", script="", record=Lesson)
    monkeypatch.setattr(house, "_pages", {page.name: page for page in (*house.all_pages(), lesson)})
    shown = Lesson(references="r", step=7, pace="quick", settings={"gtm": {"exponent": 1.5}})
    query = {"page": "lesson", "references": "r", "gtm.exponent": "1.5", "step": "7", "speed": "quick"}
    assert link.to_query(shown) == query
    assert link.from_query(query) == (shown, []) and link.from_json(link.to_json(shown)) == (shown, [], {})
    back, problems = link.from_query(query | {"step": "100", "speed": "x", "view": "all"})
    assert (back, len(problems)) == (dataclasses.replace(shown, step=0, pace="slow"), 3)


LEFT_OUT = [  # a record, and its query without the page's name
    (SentenceState(), {}),
    (CompareState(), {}),
    (SentenceState(similarity="none"), {}),
    (SentenceState(similarity="table"), {"sia.similarity": "table"}),  # too large for a link, but missed
    (SentenceState(similarity="wordnet"), {"sia.similarity": "wordnet"}),
    (SentenceState(text=TextSettings(lowercase=True)), {"text.lowercase": "yes"}),
    (SentenceState(settings={"gtm": {"exponent": 1.5}}), {"gtm.exponent": "1.5"}),
    (SentenceState(settings={"gtm": {"exponent": metrics.settings("gtm").exponent}}), {}),
    (SentenceState(settings={"rouge_s": {"max_skip": 0}}), {"rouge_s.max_skip": "0"}),
    (SentenceState(view="two", other="dcs"), {"view": "two", "other": "dcs"}),
    (
        SentenceState(term="0:3", rounds=2, tie=1, picture="arcs"),
        {"term": "0:3", "rounds": "2", "tie": "1", "picture": "arcs"},
    ),
    (SentenceState(term="x", rounds=0, tie=TIES_MOST, picture="Arcs"), {}),  # values that no view should leave
    (CompareState(systems=(("A", "a cat"), ("B", ""))), {"system.1": "a cat", "system.2": ""}),
    (
        CompareState(systems=(("B", "x"), ("A", "y"), ("C", "z")), sides=(2, 0), compare="words"),
        {"system.1": "x", "name.1": "B", "system.2": "y", "name.2": "A", "system.3": "z"}
        | {"sides": "3-1", "compare": "words"},
    ),
]


@pytest.mark.parametrize(("shown", "query"), LEFT_OUT, ids=[str(q) for _, q in LEFT_OUT])
def test_only_what_differs_is_written(shown, query):
    assert link.to_query(shown) == {"page": shown.page} | query


@pytest.mark.parametrize("key", metrics.METRICS)
def test_only_changed_settings_are_named(key):
    assert codec.changed_settings(metrics.settings(key)) == {}
    for name, rule in metrics.METRICS[key].Settings.rules().items():
        if rule.kind == "choice":
            changed = {} if rule.of_texts else {name: rule.options[-1]}  # the link holds it once, for all metrics
            assert codec.changed_settings(metrics.settings(key, **{name: rule.options[-1]})) == changed


BAD = [  # parameter, value, what the sentence must say besides the parameter
    ("metric", "bleurt", "metric must be one of bleu, chrf, nist, rouge_n"),
    ("metric", "", "metric must be one of"),
    ("other", "bleurt", "other must be one of bleu, chrf, nist, rouge_n"),
    ("view", "sideways", "view must be one of metric, steps, cost, all, two, errors, got 'sideways'"),
    ("gtm.exponent", "two", "must be a number, got 'two'"),
    ("gtm.exponent", "", "must be a number"),
    ("gtm.exponent", "nan", "at least 1, got nan"),
    ("gtm.exponent", "inf", "at most 90, got inf"),
    ("gtm.exponent", "0.5", "at least 1, got 0.5"),
    ("gtm.exponent", "any", "must be a number"),
    ("gtm.solver", "magic", "one of 'greedy', 'exact', got 'magic'"),
    ("gtm.speed", "1", "is not a setting"),
    ("meteor.language", "german", "is not a setting"),
    ("language", "klingon", "language must be the name of a language, such as german, or other"),
    ("gtm", "1", "is not a setting"),
    ("bleurt.order", "1", "is not a setting"),
    ("colour", "red", "is not a setting"),
    ("", "x", "is not a setting"),
    (".", "x", "is not a setting"),
    ("rouge_n.order", "1.5", "must be a whole number"),
    ("rouge_n.order", "0", "at least 1"),
    ("rouge_n.order", "9" * 5000, "must be a whole number"),
    ("rouge_s.unigrams", "True", "must be yes or no"),
    ("rouge_s.max_skip", "-1", "at least 0"),
    ("sia.decay", "0", "greater than 0"),
    ("sia.decay", "1.1", "at most 1"),
    ("sia.similarity", "train", "must be one of none, stems, wordnet, table"),
    ("text.tokenizer", "moses", "must be one of 'whitespace'"),
    ("text.lowercase", "1", "must be yes or no"),
    ("text.language", "klingon", "must be one of"),
    ("page", "lesson", "page must be one of sentence, compare, corpus, agreement, learn, got 'lesson'"),
    ("page", "", "page must be one of sentence, compare, corpus, agreement, learn, got ''"),
    ("page", "x" * 5000, "page must be one of sentence, compare, corpus, agreement, learn"),
    *[("term", bad, "term must be the numbers of a layer and of one of its terms, such as 0:2, got") for bad in (
        "", "0", "1:", ":1", "-1:0", "0:01", "0:1:2", "٠:١", "0:1 ", "0:99999999", "None"
    )],
    ("rounds", "0", "at least 1, got 0"),
    ("rounds", "2001", "at most 2000"),
    ("rounds", "1.5", "must be a whole number"),
    ("rounds", "any", "must be a whole number"),
    ("tie", "-1", "at least 0"),
    ("tie", "50", "at most 49"),
    ("picture", "Arcs", "picture must be one of text, arcs, grid, got 'Arcs'"),
    ("compare", "words", "it belongs to a link of the Compare page"),
    ("system.9", "x", "it belongs to a link of the Compare page"),
    ("whatif.of", "1", "it belongs to a link of the Compare page"),
    ("screen", "7", "it belongs to a link of the Learn page"),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "value", "says"), BAD, ids=[f"{p}={v[:9]}" for p, v, _ in BAD])
def test_a_bad_value_is_named_and_the_rest_is_kept(parameter, value, says):
    query = {"candidate": "a", "references": "b", "rouge_l.beta": "2.0", parameter: value}
    workspace, problems = link.from_query(query)
    (problem,) = problems
    assert isinstance(workspace, SentenceState)
    assert parameter in problem and says in problem and problem.endswith(".")
    assert len(problem) < 250, "a long value is cut"
    assert (workspace.candidate, workspace.references) == ("a", "b")
    assert workspace.settings == {"rouge_l": {"beta": 2.0}}
    assert workspace.metric == FIRST_METRIC and workspace.text == TextSettings()


FEWEST = "The link has one system, but a comparison needs two; the second is left empty."
SIDES = "The link's sides is not used: sides must be the numbers of two different systems, such as 1-2, got {}."
MOST = "The link's {} is not used: at most 8 systems are compared."
NO_SYSTEM = "The link's {} is not used: the link has no system.{}."
BELONGS = "The link's {} is not used: it belongs to a link of the Compare page."
GAPS = "The link's systems should be numbered from 1 without gaps, got {}; they are renumbered."
XYZ = {"system.1": "x", "system.2": "y", "system.3": "z"}
NINE = {f"system.{n}": text for n, text in enumerate("rstuvwxyz", start=1)}
GAPPY = {"system.2": "x", "system.5": "y", "system.8": "z", "name.5": "new", "sides": "8-5"}
LONG = "long " * 9
COMPARISONS = [  # query, names, texts, sides, problems
    (XYZ, "ABC", "xyz", (0, 1), []),
    (XYZ | {"sides": "3-2"}, "ABC", "xyz", (2, 1), []),
    (XYZ | {"sides": "1-4"}, "ABC", "xyz", (0, 1), [SIDES.format("'1-4'")]),
    (XYZ | {"sides": "0-1"}, "ABC", "xyz", (0, 1), [SIDES.format("'0-1'")]),
    (XYZ | {"sides": "2-2"}, "ABC", "xyz", (0, 1), [SIDES.format("'2-2'")]),
    (XYZ | {"sides": "1-2-3"}, "ABC", "xyz", (0, 1), [SIDES.format("'1-2-3'")]),
    (XYZ | {"sides": ""}, "ABC", "xyz", (0, 1), [SIDES.format("''")]),
    (XYZ | {"sides": "١-٢"}, "ABC", "xyz", (0, 1), [SIDES.format("'١-٢'")]),
    (XYZ | {"name.2": "new"}, ["A", "new", "C"], "xyz", (0, 1), []),
    (XYZ | {"name.2": " "}, "ABC", "xyz", (0, 1), []),
    (XYZ | {"name.2": LONG}, ["A", LONG[:40], "C"], "xyz", (0, 1), ["The link's name.2 is cut to 40 characters."]),
    (XYZ | {"name.3": " " * 40 + "x"}, "ABC", "xyz", (0, 1), ["The link's name.3 is cut to 40 characters."]),
    (
        XYZ | {f"name.{n}": LONG for n in (1, 2, 3)},
        [LONG[:40]] * 3,
        "xyz",
        (0, 1),
        ["The link's name.1, name.2 and name.3 are cut to 40 characters."],
    ),
    (XYZ | {"name.4": "new"}, "ABC", "xyz", (0, 1), [NO_SYSTEM.format("name.4", 4)]),
    (XYZ | {"system.9": "v"}, "ABC", "xyz", (0, 1), [MOST.format("system.9")]),
    (XYZ | {"system.10": "v"}, "ABC", "xyz", (0, 1), [MOST.format("system.10")]),
    (XYZ | {"name.9": "v"}, "ABC", "xyz", (0, 1), [MOST.format("name.9")]),
    (XYZ | {"system." + "9" * 5000: "v"}, "ABC", "xyz", (0, 1), [MOST.format("system." + "9" * 33)]),
    (NINE, "ABCDEFGH", "rstuvwxy", (0, 1), [MOST.format("system.9")]),
    (XYZ | {"system.0": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.0', which is not a setting."]),
    (XYZ | {"system.01": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.01', which is not a setting."]),
    (XYZ | {"system.٤": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.٤', which is not a setting."]),
    (XYZ | {"compare": "two"}, "ABC", "xyz", (0, 1), [
        "The link's compare is not used: compare must be one of difference, edits, whatif, words, all, got 'two'."
    ]),
    (GAPPY, ["A", "new", "C"], "xyz", (2, 1), [GAPS.format("2, 5, 8")]),  # names and sides use the link's own numbers
    (XYZ | {"off": "gained+lots"}, "ABC", "xyz", (0, 1), [
        "The link's off is not used: off must be some of kept, elsewhere, moved, gained, lost, unused, nothing, "
        "got 'lots'."
    ]),
    ({"system.1": "x"}, "AB", ["x", ""], (0, 1), [FEWEST]),
    ({"system.1": "x", "sides": "2-1"}, "AB", ["x", ""], (1, 0), [FEWEST]),
    ({"system.8": "x"}, "AB", ["x", ""], (0, 1), [GAPS.format("8"), FEWEST]),
    ({"page": "compare", "system.9": "x"}, "", "", (0, 1), [MOST.format("system.9")]),
    ({"page": "compare", "sides": "1-2"}, "", "", (0, 1), [
        "The link's sides is not used: the link has no systems to compare."
    ]),
    ({"page": "compare", "name.1": "x"}, "", "", (0, 1), [NO_SYSTEM.format("name.1", 1)]),
    (XYZ | {"page": "compare", "candidate": "c", "term": "0:1"}, "ABC", "xyz", (0, 1), [
        "The link's candidate is not used: it belongs to a link of the Sentence page.",
        "The link's term is not used: it belongs to a link of the Sentence page.",
    ]),
    (XYZ | {"candidate": "c", "view": "all"}, "ABC", "xyz", (0, 1), []),  # a link of a former version
    (XYZ | {"page": "lesson"}, "ABC", "xyz", (0, 1), [
        "The link's page is not used: page must be one of sentence, compare, corpus, agreement, learn, got 'lesson'."
    ]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "names", "texts", "sides", "says"), COMPARISONS, ids=[ascii(c[0])[-30:] for c in COMPARISONS]
)
def test_a_comparison_is_checked(query, names, texts, sides, says):
    shown, problems = link.from_query({"references": "r"} | query)
    assert shown == CompareState(references="r", systems=tuple(zip(names, texts, strict=True)), sides=sides)
    assert problems == says


@pytest.mark.parametrize(
    ("parameter", "value", "slot"),
    [("whatif.of", "1", 0), ("whatif.of", "2", 1), ("output", "2", 1), ("output", "whatif", WHATIF)],
)
def test_a_system_is_named_by_its_number(parameter, value, slot):
    query = {"page": "compare", "system.2": "x", "system.1": "y"}
    shown, problems = link.from_query(query | {parameter: value})
    assert getattr(shown, parameter.replace(".", "_")) == slot and problems == []
    for bad in ("0", "3", "-1", "", "what if", "1.0", "٢", "9" * 99):
        shown, (problem,) = link.from_query(query | {parameter: bad})
        assert shown == link.from_query(query)[0] and "it must be the number of a system of the link" in problem
    moved, _ = link.from_query({"page": "compare", "system.2": "x", "system.5": "y", parameter: "5"})
    assert getattr(moved, parameter.replace(".", "_")) == 1, "its system moved up"


@pytest.mark.parametrize("strange", ["sides", "compare", "name.1", "system.9"])
def test_a_sentence_has_no_systems(strange):
    shown, problems = link.from_query({"page": "sentence", "candidate": "c", strange: "1-2"})
    assert (shown, problems) == (SentenceState(candidate="c"), [BELONGS.format(strange)])


NAMES = [
    *("page", "candidate", "references", "metric", "sia.similarity", "view", "other", "text.", ".", "gtm."),
    *("term", "rounds", "tie", "picture"),
    *("sides", "compare", "system.", "system.0", "system.1", "system.2", "system.8", "system.9", "name.1", "name.3"),
    *(f"{key}.{name}" for key, metric in metrics.METRICS.items() for name in metric.Settings.rules()),
    *(f"text.{name}" for name in TextSettings.rules()),
]
FRAGMENTS = [
    *("", "yes", "no", "any", "nan", "-inf", "1e999", "0", "-0", "1_0", "٣", "1+2", "0x10"),
    *("porter", "+", "2-1", "0:1", "compare"),
]


@pytest.mark.slow
@examples(300)
@given(st.dictionaries(st.sampled_from(NAMES) | any_text, st.sampled_from(FRAGMENTS) | any_text, max_size=6))
def test_no_query_raises(query):
    workspace, problems = link.from_query(query)
    assert all(isinstance(p, str) and p.endswith(".") for p in problems)
    again, none = link.from_query(link.to_query(workspace))
    assert not none and again == workspace
    for key, given_ in workspace.settings.items():
        metrics.settings(key, **given_)


LENGTHS = [("a" * 5_900, True), ("a" * 6_000, False), ("語" * 660, True), ("語" * 670, False)]


@pytest.mark.parametrize(("candidate", "fits"), LENGTHS, ids=[f"{len(t)} {t[0]!a}" for t, _ in LENGTHS])
def test_texts_too_long_for_a_link_have_none(candidate, fits):
    assert (link.link(SentenceState(candidate=candidate)) is not None) == fits


QUERIES = [
    *[([name], True) for name in ("candidate", "references", "metric", "gtm.exponent", "text.lowercase")],
    *[([name], True) for name in ("sia.similarity", "system.2", "system.12")],
    (["name.1", "sides", "compare", "system.", "system.x"], False),  # nothing to compare
    (["page"], False),  # it may belong to another program
    (["utm.source", "fbclid", "."], False),  # parameters that others append to links must not empty the page
    ([], False),
]


@pytest.mark.parametrize(("names", "known"), QUERIES)
def test_our_links_are_known(names, known):
    assert link.is_known_link(dict.fromkeys(names, "2")) == known


def test_a_link_that_names_a_page_alone_is_known():
    assert [link.is_known_link({"page": page}) for page in ("compare", "sentence", "2")] == [True, True, False]


GOOD = json.loads(link.to_json(SentenceState(candidate="a", references="b")))
DAMAGED = [
    *[(data, "not JSON") for data in (b"", b"\xff\xfe\x00", b"PK\x03\x04", '{"format": ')],
    *[(data, "not JSON") for data in ("[" * 100_000, '{"a":' * 100_000, "1" * 10_000)],
    ("[]", "its format should be 'bitext-grid workspace 1'"),
    *[(data, "its format should be") for data in ("null", "3", '"bitext-grid workspace 1"', '{"candidate": "a"}')],
    *[(json.dumps(GOOD | {"format": of}), "its format should be") for of in ("bitext-grid workspace 2", ["x"])],
    *[(json.dumps(GOOD | {"query": of}), "its format should be") for of in (None, ["a"])],
    *[(json.dumps(GOOD | {"query": {"candidate": of}}), "damaged") for of in (1, None)],
    (json.dumps(GOOD | {"query": {"gtm.exponent": {"x": []}}}), "damaged"),
]


@pytest.mark.parametrize(("data", "says"), DAMAGED, ids=[ascii(d[:30]) for d, _ in DAMAGED])
def test_a_damaged_file_is_refused_in_a_sentence(data, says):
    with pytest.raises(ValueError, match=r"^This (file is not a workspace|workspace is damaged): .*\.$") as error:
        link.from_json(data)
    assert says in str(error.value)


def test_a_file_with_one_bad_setting_keeps_the_rest():
    query = GOOD["query"] | {"gtm.exponent": "0", "metric": "dcs"}
    workspace, problems, extra = link.from_json(json.dumps(GOOD | {"query": query, "note": [1]}).encode())
    assert (workspace.candidate, workspace.metric, extra) == ("a", "dcs", {"note": [1]})
    assert len(problems) == 1 and "gtm.exponent" in problems[0]


def test_what_goes_to_a_browser_can_be_encoded():
    assert codec.replace_surrogates("a\ud800b\udfffc😀") == "a\ufffdb\ufffdc😀"
    codec.replace_surrogates("".join(map(chr, range(0xD7F0, 0xE010)))).encode()


# ---------------------------------------------------------------- links of former versions, which name no page

#: Links from before links named their pages, with what each opened to at the address of the Sentence page and, where it
#: matters, of the Compare page. Fields at their defaults are left out.
OLD_LINKS = [
    ({"candidate": "a cat", "references": "the cat\na dog", "metric": "gtm"},
     {"page": "sentence", "candidate": "a cat", "references": "the cat\na dog"},
     {"page": "compare", "candidate": "a cat", "references": "the cat\na dog", "systems": (("A", "a cat"), ("B", ""))}),
    ({"candidate": "", "references": "", "metric": "gtm"}, {"page": "sentence", "candidate": "", "references": ""},
     {"page": "compare", "references": "the pair", "systems": "the pair"}),
    ({"candidate": "x", "references": "y", "metric": "dcs", "view": "two", "other": "sia"},
     {"page": "sentence", "candidate": "x", "references": "y", "metric": "dcs", "view": "two", "other": "sia"},
     {"page": "compare", "candidate": "x", "references": "y", "metric": "dcs", "view": "two", "other": "sia",
      "systems": (("A", "x"), ("B", ""))}),
    ({"candidate": "x", "references": "y", "metric": "ter", "view": "errors"},
     {"page": "sentence", "candidate": "x", "references": "y", "metric": "ter", "view": "errors"},
     {"page": "compare", "candidate": "x", "references": "y", "metric": "ter", "view": "errors",
      "systems": (("A", "x"), ("B", ""))}),
    ({"candidate": "x", "references": "y", "metric": "gtm", "sia.similarity": "stems", "view": "all"},
     {"page": "sentence", "candidate": "x", "references": "y", "view": "all", "similarity_kind": "stems"},
     {"page": "compare", "candidate": "x", "references": "y", "view": "all", "similarity_kind": "stems",
      "systems": (("A", "x"), ("B", ""))}),
    ({"candidate": "a &%+ b", "references": "é 語 <i>", "metric": "rouge_s", "text.tokenizer": "character",
      "text.lowercase": "yes", "text.stemmer": "snowball", "text.language": "swedish", "text.nfkc": "yes",
      "bleu.max_order": "5", "bleu.smoothing": "exp", "bleu.effective_order": "yes", "nist.max_order": "6",
      "rouge_n.order": "2", "rouge_n.beta": "0.5", "rouge_n.f_measure": "lin_och",
      "rouge_n.multi_reference": "jackknife", "rouge_l.beta": "0.5", "rouge_l.f_measure": "lin_och",
      "rouge_l.multi_reference": "jackknife", "rouge_w.weight": "1.7", "rouge_w.variant": "optimal",
      "rouge_w.beta": "0.5", "rouge_w.f_measure": "lin_och", "rouge_w.multi_reference": "jackknife",
      "rouge_s.max_skip": "3", "rouge_s.unigrams": "yes", "rouge_s.beta": "0.5", "rouge_s.f_measure": "lin_och",
      "rouge_s.multi_reference": "jackknife", "gtm.exponent": "1.0", "gtm.solver": "exact", "sia.decay": "0.25",
      "sia.schedule": "undecayed_first", "sia.iterative": "no", "sia.length_penalty": "no", "dcs.overlap": "disjoint",
      "meteor.alpha": "0.45", "meteor.beta": "1.5", "meteor.gamma": "0.25", "meteor.stages": "exact",
      "meteor.stemmer": "snowball", "ribes.alpha": "0.125", "ribes.beta": "0.05", "ter.max_shift_size": "11",
      "ter.max_shift_distance": "51", "ter.beam_width": "26", "ter.max_candidates": "1001",
      "sia.similarity": "wordnet"},
     {"page": "sentence", "candidate": "a &%+ b", "references": "é 語 <i>", "metric": "rouge_s",
      "similarity_kind": "wordnet", "text.tokenizer": "character", "text.lowercase": True, "text.stemmer": "snowball",
      "text.language": "swedish", "text.nfkc": True, "bleu.max_order": 5, "bleu.smoothing": "exp",
      "bleu.effective_order": True, "nist.max_order": 6, "rouge_n.order": 2, "rouge_n.beta": 0.5,
      "rouge_n.f_measure": "lin_och", "rouge_n.multi_reference": "jackknife", "rouge_l.beta": 0.5,
      "rouge_l.f_measure": "lin_och", "rouge_l.multi_reference": "jackknife", "rouge_w.weight": 1.7,
      "rouge_w.variant": "optimal", "rouge_w.beta": 0.5, "rouge_w.f_measure": "lin_och",
      "rouge_w.multi_reference": "jackknife", "rouge_s.max_skip": 3, "rouge_s.unigrams": True, "rouge_s.beta": 0.5,
      "rouge_s.f_measure": "lin_och", "rouge_s.multi_reference": "jackknife", "gtm.exponent": 1.0,
      "gtm.solver": "exact", "sia.decay": 0.25, "sia.schedule": "undecayed_first", "sia.iterative": False,
      "sia.length_penalty": False, "dcs.overlap": "disjoint", "meteor.alpha": 0.45, "meteor.beta": 1.5,
      "meteor.gamma": 0.25, "meteor.stages": ("exact",), "meteor.stemmer": "snowball", "ribes.alpha": 0.125,
      "ribes.beta": 0.05, "ter.max_shift_size": 11, "ter.max_shift_distance": 51, "ter.beam_width": 26,
      "ter.max_candidates": 1001}, None),
    ({"references": "r", "metric": "gtm", "system.1": "a", "system.2": "b"},
     {"page": "compare", "references": "r", "systems": (("A", "a"), ("B", "b"))},
     {"page": "compare", "references": "r", "systems": (("A", "a"), ("B", "b"))}),
    ({"references": "r\ns", "metric": "sia", "text.lowercase": "yes", "sia.decay": "0.3", "system.1": "x y",
      "system.2": "", "name.2": "new <b>", "system.3": "z\nz", "sides": "3-1", "compare": "words"},
     {"page": "compare", "references": "r\ns", "metric": "sia", "compare_view": "words",
      "systems": (("A", "x y"), ("new <b>", ""), ("C", "z\nz")), "sides": (2, 0), "text.lowercase": True,
      "sia.decay": 0.3},
     {"page": "compare", "references": "r\ns", "metric": "sia", "compare_view": "words",
      "systems": (("A", "x y"), ("new <b>", ""), ("C", "z\nz")), "sides": (2, 0), "text.lowercase": True,
      "sia.decay": 0.3}),
    ({"references": "r", "metric": "bleu", "system.1": "0", "name.1": "a", "system.2": "1", "name.2": "b",
      "system.3": "2", "name.3": "c", "system.4": "3", "name.4": "d", "system.5": "4", "name.5": "e", "system.6": "5",
      "name.6": "f", "system.7": "6", "name.7": "g", "system.8": "7", "name.8": "h", "sides": "8-4", "compare": "all"},
     {"page": "compare", "references": "r", "metric": "bleu", "compare_view": "all",
      "systems": (("a", "0"), ("b", "1"), ("c", "2"), ("d", "3"), ("e", "4"), ("f", "5"), ("g", "6"), ("h", "7")),
      "sides": (7, 3)}, None),
    ({"references": "r", "metric": "gtm", "system.1": "a", "system.2": "", "compare": "whatif"},
     {"page": "compare", "references": "r", "compare_view": "whatif", "systems": (("A", "a"), ("B", ""))},
     {"page": "compare", "references": "r", "compare_view": "whatif", "systems": (("A", "a"), ("B", ""))}),
    ({"metric": "dcs"}, {"page": "sentence", "candidate": "", "references": "", "metric": "dcs"},
     {"page": "compare", "references": "the pair", "metric": "dcs", "systems": "the pair"}),
    ({"candidate": "only"}, {"page": "sentence", "candidate": "only", "references": ""},
     {"page": "compare", "candidate": "only", "references": "", "systems": (("A", "only"), ("B", ""))}),
    ({"references": "r"}, {"page": "sentence", "candidate": "", "references": "r"},
     {"page": "compare", "references": "r", "systems": (("A", ""), ("B", ""))}),
    ({"text.lowercase": "yes"}, {"page": "sentence", "candidate": "", "references": "", "text.lowercase": True},
     {"page": "compare", "references": "the pair", "systems": "the pair", "text.lowercase": True}),
    ({"candidate": "c", "system.1": "a", "system.2": "b", "view": "all"},
     {"page": "compare", "references": "", "systems": (("A", "a"), ("B", "b"))},
     {"page": "compare", "references": "", "systems": (("A", "a"), ("B", "b"))}),
    ({"candidate": "c", "references": "r", "metric": "bleurt", "gtm.exponent": "0.5", "rouge_l.beta": "2",
      "colour": "red"}, {"page": "sentence", "candidate": "c", "references": "r", "rouge_l.beta": 2.0, "problems": 3},
     {"page": "compare", "candidate": "c", "references": "r", "systems": (("A", "c"), ("B", "")), "rouge_l.beta": 2.0,
      "problems": 3}),
    ({"system.2": "x", "system.5": "y", "name.5": "new", "sides": "5-2"},
     {"page": "compare", "references": "", "systems": (("A", "x"), ("new", "y")), "sides": (1, 0), "problems": 1},
     {"page": "compare", "references": "", "systems": (("A", "x"), ("new", "y")), "sides": (1, 0), "problems": 1}),
    ({"system.1": "x"}, {"page": "compare", "references": "", "systems": (("A", "x"), ("B", "")), "problems": 1},
     {"page": "compare", "references": "", "systems": (("A", "x"), ("B", "")), "problems": 1}),
    ({"candidate": "c", "sides": "1-2", "compare": "words", "name.1": "n"},
     {"page": "sentence", "candidate": "c", "references": "", "problems": 3},
     {"page": "compare", "candidate": "c", "references": "", "systems": (("A", "c"), ("B", "")), "problems": 3}),
    ({"candidate": "c", "system.9": "n"}, {"page": "sentence", "candidate": "c", "references": "", "problems": 1},
     {"page": "compare", "candidate": "c", "references": "", "systems": (("A", "c"), ("B", "")), "problems": 1}),
    ({"gtm.exponent": "1.5"}, {"page": "sentence", "candidate": "", "references": "", "gtm.exponent": 1.5},
     {"page": "compare", "references": "the pair", "systems": "the pair", "gtm.exponent": 1.5}),
    ({"utm_source": "x"}, {"page": "sentence", "candidate": "the example", "references": "the example"},
     {"page": "compare", "references": "the pair", "systems": "the pair"}),
]  # fmt: skip
FIRST = {"metric": "gtm", "view": "metric", "other": "rouge_l", "similarity_kind": "none", "compare_view": "difference"}


class WentError(Exception):
    """Raised in place of opening another page, to end the run of the first one."""


def opened_state(query, page):
    """Return what a new session holds after a link with the parameters `query` was opened at the page `page`.

    The result is made by `describe_state`: only what differs from the defaults, by name."""

    def raise_went(path, query_params):
        raise WentError(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streamlit, "session_state", State())
        patch.setattr(streamlit, "query_params", State(query))
        patch.setattr(streamlit, "switch_page", raise_went)
        try:
            navigation.prepare_run(house.find_page(page).record)
        except WentError as went:
            page = str(went).removeprefix("viz/pages/").removesuffix("/page.py")
            navigation.prepare_run(house.find_page(page).record)
        return describe_state(streamlit.session_state, page)


def describe_state(state, page):
    shown = {"page": page}
    shown |= {key: state[key] for key in ("candidate", "references") if key in state}
    shown |= {key: state[key] for key, first in FIRST.items() if state.get(key, first) != first}
    if "systems" in state:
        shown["systems"] = slots.systems()
        if slots.slots_of_a_and_b() != (0, 1):
            shown["sides"] = slots.slots_of_a_and_b()
    for owner, cls in (("text", TextSettings), *((key, m.Settings) for key, m in metrics.METRICS.items())):
        for name, rule in cls.rules().items():
            default = cls.__dataclass_fields__[name].default
            if rule.kind != "object" and state.get(f"{owner}.{name}", default) != default:
                shown[f"{owner}.{name}"] = state[f"{owner}.{name}"]
    if state.get("problems"):
        shown["problems"] = len(state.problems)
    if shown.get("candidate") == EXAMPLES[0].candidate:
        shown["candidate"] = shown["references"] = "the example"
    if shown["references"] == PAIRS[0].references:
        shown["references"] = shown["systems"] = "the pair"
    return shown


@pytest.mark.parametrize(("query", "at_root", "at_compare"), OLD_LINKS, ids=[str(q)[:60] for q, _, _ in OLD_LINKS])
def test_old_links_and_files_open_as_they_did(query, at_root, at_compare):
    assert opened_state(query, "sentence") == at_root
    assert at_compare is None or opened_state(query, "compare") == at_compare
    file = json.dumps({"format": "bitext-grid workspace 1", "version": "0.2.0", "query": query})
    assert link.from_json(file) == (*link.from_query(query), {})


NAMED = [  # a link that names its page, that page, the number of problems
    ({"page": "compare"}, "compare", 0),
    ({"page": "sentence"}, "sentence", 0),
    ({"page": "compare", "references": "r"}, "compare", 0),
    ({"page": "sentence", "system.1": "a"}, "sentence", 1),
    ({"page": "compare", "system.1": "a", "system.2": "b"}, "compare", 0),
]


@pytest.mark.parametrize(("query", "page", "problems"), NAMED, ids=[str(q) for q, _, _ in NAMED])
@pytest.mark.parametrize("at", ["sentence", "compare"])
def test_a_link_opens_the_page_it_names_from_any(query, page, problems, at):
    shown = opened_state(query, at)
    assert (shown["page"], shown.get("problems", 0)) == (page, problems)


def test_an_unknown_page_is_told_and_the_rest_is_kept():
    assert opened_state({"page": "lesson"}, "sentence") == {
        "page": "sentence",
        "candidate": "the example",
        "references": "the example",
        "problems": 1,
    }
    found = opened_state({"page": "lesson", "candidate": "c"}, "sentence")
    assert found == {"page": "sentence", "candidate": "c", "references": "", "problems": 1}
    found = opened_state({"page": "lesson", "references": "r", "system.1": "a", "system.2": "b"}, "sentence")
    assert found == {"page": "compare", "references": "r", "systems": (("A", "a"), ("B", "b")), "problems": 1}


ODD = (
    *("nan", "inf", "-inf", "-0", "-1", "1e999", "1e308", "true", "None", "", " 1", "1_0", "\u00b2", "\u0661", "\0"),
    *("9" * 30, "9" * 400, "9" * 5_000, f"-{'9' * 5_000}", f"0x{'f' * 5_000}"),
)


@pytest.mark.parametrize("page", house.all_pages(), ids=lambda page: page.name)
def test_any_value_of_a_link_is_taken_or_gets_a_sentence(page):
    """Check each parameter of a page's link with odd values, such as texts in place of numbers and huge numbers.

    The value is accepted, or a sentence says what is wrong with it."""
    names = {f.parameter for f in codec.link_fields(page.record) if f.kind.plain}
    names |= {f"{key}.{name}" for key, metric in metrics.METRICS.items() for name in metric.Settings.rules()}
    for name in sorted(names):
        for value in ODD:
            shown, problems = link.from_query({"page": page.name, name: value})
            assert all(says.endswith(".") and len(says) < 500 and "Exceeds" not in says for says in problems), problems
            assert link.from_json(link.to_json(shown))[0] == shown, (name, value)


@pytest.mark.parametrize(
    "steps", ["[-1]", "[true]", "[0.5]", "[1e999]", "[NaN]", f"[{'9' * 30}]", f"[{'9' * 5_000}]", "[", "{}"]
)
def test_a_filter_of_numbers_that_no_segment_has_is_none(steps):
    where = codec.PackedText(1_000_000).text(f'[["some",{steps}]]')
    shown, problems = link.from_query({"page": "corpus", "where": where})
    assert shown.where == "" and problems == ["The link's where is not used: this is no filter."]


@pytest.mark.parametrize("number", ["-1", "1.5", "NaN", "9" * 30, "9" * 5_000, ""])
def test_marks_of_numbers_that_no_segment_has_are_none(number):
    assert marks.read_marks(f'{{"{number}":[["order"],""]}}') == {} != marks.read_marks('{"2":[["order"],""]}')
