"""Links and workspace files: what is written is read back, and whatever else arrives is refused in a sentence."""

import dataclasses
import json
import math
from urllib.parse import parse_qsl

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import metrics
from metrics.text import TextSettings
from metrics.types import Settings, setting
from viz.state import share
from viz.state.share import Workspace

any_text = st.text(st.characters(), max_size=40)  # unpaired surrogates and control characters too


def values(rule, default):
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
def settings_of(draw, cls):
    """Settings of a class, made from its rules."""
    plain = {name: rule for name, rule in cls.rules().items() if rule.kind != "object"}
    given_ = {name: draw(values(rule, None)) for name, rule in plain.items() if draw(st.booleans())}
    try:
        return cls(**given_)
    except ValueError:  # a rule of the class beyond those of its fields
        assume(False)


@st.composite
def comparisons(draw):
    """Systems with names as a session gives them: not blank, not too long, a slot's letter where there was none."""
    names = st.text(st.characters(), min_size=1, max_size=share.NAME_MOST).filter(str.strip)
    count = draw(st.integers(share.SYSTEMS_LEAST, share.SYSTEMS_MOST))
    systems = [(draw(st.just(share.default_name(slot)) | names), draw(any_text)) for slot in range(count)]
    a, b = draw(st.permutations(range(count)))[:2]
    return tuple(systems), (a, b), draw(st.sampled_from(list(share.COMPARE_VIEWS))), "compare"


@st.composite
def workspaces(draw):
    changed = {key: share.changed(draw(settings_of(metric.Settings))) for key, metric in metrics.METRICS.items()}
    return Workspace(
        draw(any_text),
        draw(any_text),
        draw(settings_of(TextSettings)),
        draw(st.sampled_from(list(metrics.METRICS))),
        {key: given_ for key, given_ in changed.items() if given_},
        draw(st.sampled_from(share.SIMILARITIES)),
        draw(st.sampled_from(list(share.VIEWS))),
        draw(st.sampled_from(list(metrics.METRICS))),
        *draw(st.just(()) | comparisons()),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class MadeUp(Settings):
    """One setting of each kind, also of those that no metric has."""

    some: tuple = setting(("a",), "choices", "Some", "h", options=("a", "b", "c"))
    maybe: float | None = setting(0.5, "number", "A share or nothing", "h", least=0, most=1, optional=True)
    limit: int | None = setting(7, "whole", "A limit", "h", least=0, optional=True)
    on: bool = setting(True, "flag", "A switch", "h")
    thing: object = setting(None, "object", "A function", "h", optional=True)


@settings(max_examples=60, deadline=None)
@given(settings_of(MadeUp))
def test_the_settings_of_a_new_metric_come_back_too(changed):
    with pytest.MonkeyPatch.context() as patch:
        metric = dataclasses.replace(metrics.METRICS["gtm"], key="made_up", Settings=MadeUp)
        patch.setitem(metrics.METRICS, "made_up", metric)
        workspace = Workspace(metric="made_up", settings={"made_up": share.changed(changed)})
        back, problems = share.from_query(share.to_query(workspace))
        assert problems == [] and MadeUp(**back.settings.get("made_up", {})) == changed
        for written, says in (("a+d", "some of 'a', 'b', 'c'"), ("", "some of"), ("any", "some of")):
            _, (problem,) = share.from_query({"metric": "made_up", "made_up.some": written})
            assert says in problem
        _, (problem,) = share.from_query({"metric": "made_up", "made_up.thing": "print"})
        assert "is no setting" in problem, "a link cannot name a function"


def as_pairs(text):
    """Two surrogates in a row are one character once they have been through UTF-16, JSON's escapes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@settings(max_examples=150, deadline=None)
@given(workspaces())
def test_a_workspace_comes_back_from_link_and_file(workspace):
    query = share.to_query(workspace)
    assert share.from_query(query) == (workspace, [])

    link = share.link(workspace)
    if link:
        read = dict(parse_qsl(link[1:], keep_blank_values=True, errors="surrogatepass"))
        assert link.isascii() and link[0] == "?" and len(link) <= share.LINK_MOST
        assert read == query

    extra = {"table": {"name": "t", "lines": ["a b 0.5"]}}
    back, problems, more = share.from_json(share.to_json(workspace, extra))
    assert (problems, more) == ([], extra)
    assert as_pairs(back.candidate) == as_pairs(workspace.candidate)
    assert back.text == workspace.text and back.settings == workspace.settings
    assert (back.view, back.other) == (workspace.view, workspace.other)
    assert (back.page, back.sides, back.compare) == (workspace.page, workspace.sides, workspace.compare)
    for (name, text), (name_, text_) in zip(back.systems, workspace.systems, strict=True):
        assert as_pairs(name) == as_pairs(name_) and as_pairs(text) == as_pairs(text_)


LEFT_OUT = [  # a workspace, its query beside texts and metric
    (Workspace(), {}),
    (Workspace(similarity="none"), {}),
    (Workspace(similarity="table"), {}),  # it does not fit into a link
    (Workspace(similarity="wordnet"), {"sia.similarity": "wordnet"}),
    (Workspace(text=TextSettings(lowercase=True)), {"text.lowercase": "yes"}),
    (Workspace(settings={"gtm": {"exponent": 1.5}}), {"gtm.exponent": "1.5"}),
    (Workspace(settings={"rouge_s": {"max_skip": 0}}), {"rouge_s.max_skip": "0"}),
    (Workspace(view="two", other="dcs"), {"view": "two", "other": "dcs"}),
]


@pytest.mark.parametrize(("workspace", "query"), LEFT_OUT, ids=[str(q) for _, q in LEFT_OUT])
def test_defaults_are_left_out(workspace, query):
    texts = {"candidate": "", "references": "", "metric": "gtm"}
    assert share.to_query(workspace) == texts | query


TWO = (("A", "a cat"), ("B", ""))
COMPARED = [  # a comparison, its query beside references and metric
    (Workspace(systems=TWO, page="compare"), {"system.1": "a cat", "system.2": ""}),
    (Workspace("c", systems=TWO, page="compare"), {"candidate": "c", "system.1": "a cat", "system.2": ""}),
    (
        Workspace(systems=(("B", "x"), ("A", "y"), ("C", "z")), sides=(2, 0), compare="words", page="compare"),
        {"system.1": "x", "name.1": "B", "system.2": "y", "name.2": "A", "system.3": "z"}
        | {"sides": "3-1", "compare": "words"},
    ),
]


@pytest.mark.parametrize(("workspace", "query"), COMPARED, ids=[str(q) for _, q in COMPARED])
def test_a_link_to_a_comparison_needs_no_candidate(workspace, query):
    assert share.to_query(workspace) == {"references": "", "metric": "gtm"} | query


def test_a_file_saved_before_there_were_comparisons_opens():
    query = {"candidate": "a", "references": "b", "metric": "gtm", "view": "two", "other": "sia"}
    body = {"format": "bitext-grid workspace 1", "version": "0.2.0", "query": query}
    assert share.from_json(json.dumps(body)) == (Workspace("a", "b", view="two", other="sia"), [], {})


@pytest.mark.parametrize("key", metrics.METRICS)
def test_only_changed_settings_are_named(key):
    assert share.changed(metrics.settings(key)) == {}
    for name, rule in metrics.METRICS[key].Settings.rules().items():
        if rule.kind == "choice":
            assert share.changed(metrics.settings(key, **{name: rule.options[-1]})) == {name: rule.options[-1]}


BAD = [  # parameter, value, what the sentence must say beside the parameter
    ("metric", "bleurt", "metric must be one of bleu, nist, rouge_n"),
    ("metric", "", "metric must be one of"),
    ("other", "bleurt", "other must be one of bleu, nist, rouge_n"),
    ("view", "sideways", "view must be one of metric, all, two, errors, got 'sideways'"),
    ("gtm.exponent", "two", "must be a number, got 'two'"),
    ("gtm.exponent", "", "must be a number"),
    ("gtm.exponent", "nan", "at least 1, got nan"),
    ("gtm.exponent", "inf", "at most 90, got inf"),
    ("gtm.exponent", "0.5", "at least 1, got 0.5"),
    ("gtm.exponent", "any", "must be a number"),
    ("gtm.solver", "magic", "one of 'greedy', 'exact', got 'magic'"),
    ("gtm.speed", "1", "is no setting"),
    ("gtm", "1", "is no setting"),
    ("bleurt.order", "1", "is no setting"),
    ("colour", "red", "is no setting"),
    ("", "x", "is no setting"),
    (".", "x", "is no setting"),
    ("rouge_n.order", "1.5", "must be a number"),
    ("rouge_n.order", "0", "at least 1"),
    ("rouge_n.order", "9" * 5000, "must be a number"),
    ("rouge_s.unigrams", "True", "must be yes or no"),
    ("rouge_s.max_skip", "-1", "at least 0"),
    ("sia.decay", "0", "greater than 0"),
    ("sia.decay", "1.1", "at most 1"),
    ("sia.similarity", "train", "must be one of none, stems, wordnet"),
    ("text.tokenizer", "moses", "must be one of 'whitespace'"),
    ("text.lowercase", "1", "must be yes or no"),
    ("text.language", "klingon", "must be one of"),
]


@pytest.mark.parametrize(("parameter", "value", "says"), BAD, ids=[f"{p}={v[:9]}" for p, v, _ in BAD])
def test_a_bad_value_is_named_and_the_rest_is_kept(parameter, value, says):
    query = {"candidate": "a", "references": "b", "rouge_l.beta": "2.0", parameter: value}
    workspace, problems = share.from_query(query)
    (problem,) = problems
    assert parameter in problem and says in problem and problem.endswith(".")
    assert len(problem) < 250, "a long value is cut"
    assert (workspace.candidate, workspace.references) == ("a", "b")
    assert workspace.settings == {"rouge_l": {"beta": 2.0}}
    assert workspace.metric == share.FIRST_METRIC and workspace.text == TextSettings()


FEWEST = "The link has one system, and two are the fewest to compare; the second is left empty."
SIDES = "The link's sides is not used: sides must be the numbers of two different systems, such as 1-2, got {}."
MOST = "The link's {} is not used: at most 8 systems are compared."
NO_SYSTEM = "The link's {} is not used: the link has no system.{}."
NOTHING = "The link's {} is not used: the link has no systems to compare."
GAPS = "The link's systems should be numbered from 1 without gaps, got {}; they are moved up."
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
    (XYZ | {"name.4": "new"}, "ABC", "xyz", (0, 1), [NO_SYSTEM.format("name.4", 4)]),
    (XYZ | {"system.9": "v"}, "ABC", "xyz", (0, 1), [MOST.format("system.9")]),
    (XYZ | {"system.10": "v"}, "ABC", "xyz", (0, 1), [MOST.format("system.10")]),
    (XYZ | {"name.9": "v"}, "ABC", "xyz", (0, 1), [MOST.format("name.9")]),
    (XYZ | {"system." + "9" * 5000: "v"}, "ABC", "xyz", (0, 1), [MOST.format("system." + "9" * 33)]),
    (NINE, "ABCDEFGH", "rstuvwxy", (0, 1), [MOST.format("system.9")]),
    (XYZ | {"system.0": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.0', which is no setting."]),
    (XYZ | {"system.01": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.01', which is no setting."]),
    (XYZ | {"system.٤": "v"}, "ABC", "xyz", (0, 1), ["The link sets 'system.٤', which is no setting."]),
    (XYZ | {"compare": "two"}, "ABC", "xyz", (0, 1), [
        "The link's compare is not used: compare must be one of difference, whatif, words, all, got 'two'."
    ]),
    (GAPPY, ["A", "new", "C"], "xyz", (2, 1), [GAPS.format("2, 5, 8")]),  # names and sides by the link's own numbers
    ({"system.1": "x"}, "AB", ["x", ""], (0, 1), [FEWEST]),
    ({"system.1": "x", "sides": "2-1"}, "AB", ["x", ""], (1, 0), [FEWEST]),
    ({"system.8": "x"}, "AB", ["x", ""], (0, 1), [GAPS.format("8"), FEWEST]),
    ({"system.9": "x"}, "", "", (0, 1), [MOST.format("system.9")]),
    ({"sides": "1-2"}, "", "", (0, 1), [NOTHING.format("sides")]),
    ({"compare": "words"}, "", "", (0, 1), [NOTHING.format("compare")]),
    ({"name.1": "x"}, "", "", (0, 1), [NO_SYSTEM.format("name.1", 1)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "names", "texts", "sides", "says"), COMPARISONS, ids=[ascii(c[0])[-30:] for c in COMPARISONS]
)
def test_a_comparison_is_checked(query, names, texts, sides, says):
    workspace, problems = share.from_query({"references": "r"} | query)
    assert workspace.systems == tuple(zip(names, texts, strict=True))
    assert (workspace.sides, workspace.compare, problems) == (sides, "difference", says)
    assert workspace.page == ("compare" if workspace.systems else "sentence")


NAMES = [
    *("candidate", "references", "metric", "sia.similarity", "view", "other", "text.", ".", "gtm."),
    *("sides", "compare", "system.", "system.0", "system.1", "system.2", "system.8", "system.9", "name.1", "name.3"),
    *(f"{key}.{name}" for key, metric in metrics.METRICS.items() for name in metric.Settings.rules()),
    *(f"text.{name}" for name in TextSettings.rules()),
]
FRAGMENTS = ["", "yes", "no", "any", "nan", "-inf", "1e999", "0", "-0", "1_0", "٣", "1+2", "porter", "+", "0x10", "2-1"]


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES) | any_text, st.sampled_from(FRAGMENTS) | any_text, max_size=6))
def test_no_query_raises(query):
    workspace, problems = share.from_query(query)
    assert all(isinstance(p, str) and p.endswith(".") for p in problems)
    again, none = share.from_query(share.to_query(workspace))
    assert not none and again == workspace
    for key, given_ in workspace.settings.items():
        metrics.settings(key, **given_)


LENGTHS = [("a" * 5_900, True), ("a" * 6_000, False), ("語" * 660, True), ("語" * 670, False)]


@pytest.mark.parametrize(("candidate", "fits"), LENGTHS, ids=[f"{len(t)} {t[0]!a}" for t, _ in LENGTHS])
def test_texts_too_long_for_a_link_have_none(candidate, fits):
    assert (share.link(Workspace(candidate)) is not None) == fits


QUERIES = [
    (["candidate"], True),
    (["references"], True),
    (["metric"], True),
    (["gtm.exponent"], True),
    (["text.lowercase"], True),
    (["sia.similarity"], True),
    (["system.2"], True),
    (["system.12"], True),
    (["name.1", "sides", "compare", "system.", "system.x"], False),  # nothing to compare
    (["utm.source", "fbclid", "."], False),  # what others hang onto links must not empty the page
    ([], False),
]


@pytest.mark.parametrize(("names", "known"), QUERIES)
def test_our_links_are_known(names, known):
    assert bool(share.known(names)) == known


GOOD = json.loads(share.to_json(Workspace("a", "b")))
DAMAGED = [
    (b"", "not JSON"),
    (b"\xff\xfe\x00", "not JSON"),
    (b"PK\x03\x04", "not JSON"),
    ('{"format": ', "not JSON"),
    ("[" * 100_000, "not JSON"),
    ('{"a":' * 100_000, "not JSON"),
    ("1" * 10_000, "not JSON"),
    ("[]", "its format should be 'bitext-grid workspace 1'"),
    ("null", "its format should be"),
    ("3", "its format should be"),
    ('"bitext-grid workspace 1"', "its format should be"),
    ('{"candidate": "a"}', "its format should be"),
    (json.dumps(GOOD | {"format": "bitext-grid workspace 2"}), "its format should be"),
    (json.dumps(GOOD | {"format": ["x"]}), "its format should be"),
    (json.dumps(GOOD | {"query": None}), "its format should be"),
    (json.dumps(GOOD | {"query": ["a"]}), "its format should be"),
    (json.dumps(GOOD | {"query": {"candidate": 1}}), "damaged"),
    (json.dumps(GOOD | {"query": {"candidate": None}}), "damaged"),
    (json.dumps(GOOD | {"query": {"gtm.exponent": {"x": []}}}), "damaged"),
]


@pytest.mark.parametrize(("data", "says"), DAMAGED, ids=[ascii(d[:30]) for d, _ in DAMAGED])
def test_a_damaged_file_is_refused_in_a_sentence(data, says):
    with pytest.raises(ValueError, match=r"^This (file is not a workspace|workspace is damaged): .*\.$") as error:
        share.from_json(data)
    assert says in str(error.value)


def test_a_file_with_one_bad_setting_keeps_the_rest():
    query = GOOD["query"] | {"gtm.exponent": "0", "metric": "dcs"}
    workspace, problems, extra = share.from_json(json.dumps(GOOD | {"query": query, "note": [1]}).encode())
    assert (workspace.candidate, workspace.metric, extra) == ("a", "dcs", {"note": [1]})
    assert len(problems) == 1 and "gtm.exponent" in problems[0]


def test_what_goes_to_a_browser_can_be_encoded():
    assert share.sendable("a\ud800b\udfffc😀") == "a\ufffdb\ufffdc😀"
    share.sendable("".join(map(chr, range(0xD7F0, 0xE010)))).encode()
