"""Tests of what the Corpus page says first: which system the metrics name, from the winner's side.

Nothing is said of causes before they are known, and the counts match the tables that can be saved."""

import dataclasses
import html
import random
import re
from itertools import combinations

import pytest

import metrics
from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.why import main_causes_text
from metrics.corpus.ledger import CorpusLedger, corpus_ledger
from metrics.corpus.patterns import LEVEL, Pattern
from metrics.text import TextSettings
from metrics.text.formats import File, read
from metrics.types import signed_text
from tests.helpers.corpora import FOLDER
from tests.helpers.pages import CorpusPage, corpus_state, rerun_until_idle, score_corpus, until
from viz.draw.corpus import story
from viz.frame.corpora import CorpusJob
from viz.pages.corpus import explanations, kinds, order_menu, record, save_menu
from viz.pages.corpus.filter import filters
from viz.pages.corpus.record import CorpusState, FilterPart, write_parts
from viz.pages.corpus.segment_rows import SegmentTable
from viz.save import corpus_systems

pytestmark = pytest.mark.alone  # worker processes compute the scores

KEYS = ("bleu", "chrf", "nist", "rouge_l", "gtm", "ribes", "wer", "per", "ter")


def spoil_outputs(lines, seed, part):
    """Return the lines with about a share `part` of their words deleted, doubled or swapped with the previous one."""
    chance = random.Random(seed)
    out = []
    for line in lines:
        words = line.split()
        for n in range(len(words)):
            at = chance.random()
            if at < part / 3:
                words[n] = ""
            elif at < 2 * part / 3:
                words[n] = f"{words[n]} {words[n]}"
            elif at < part and n:
                words[n], words[n - 1] = words[n - 1], words[n]
        out.append(" ".join(filter(None, words)))
    return "\n".join(out)


@pytest.fixture(scope="module")
def several_systems():
    """Return a scored corpus job of real systems, a human translation and spoiled copies, some of them nearly equal."""
    given = ("reference.A", "reference.B", "system.MiSS", "system.SMU", "system.Online-W")
    of = {name: (FOLDER / f"{name}.en.txt").read_text("utf-8") for name in given}
    base = of["system.MiSS"].splitlines()
    texts = {
        "MiSS": of["system.MiSS"],
        "SMU": of["system.SMU"],
        "Near": spoil_outputs(base, 1, 0.02),
        "Off": spoil_outputs(base, 2, 0.1),
        "Same": of["system.MiSS"].replace("the world", "a world"),
        "Online": of["system.Online-W"],
        "Human": of["reference.B"],
    }
    files = [File(f"{name}.txt", text.encode(), "system", name) for name, text in texts.items()]
    source = File("source.txt", (FOLDER / "source.zh.txt").read_bytes(), "source")
    reference = File("ref.txt", of["reference.A"].encode(), "reference")
    return score_corpus(read([*files, reference, source]), KEYS)


def saved_pair_rows(found, a):
    """Yield (metric, other system, difference, p) for each pair with system `a` in the table that can be saved."""
    each = [found.tables[key] for key in metrics.METRICS if key in found.tables]
    some = corpus_systems.SystemSelection(found.names, each, a, found.text, 1, [], False)
    lines = corpus_systems.tables_text("markdown", some).split("| A | B | Metric |")[1].splitlines()[2:]
    for line in lines:
        if not line.startswith("| "):
            return
        _, b, label, delta, _, _, p, _ = (cell.strip() for cell in line.strip("|").split("|"))
        yield label, b, float(delta.replace("−", "-")), float(p.replace("< ", "").rstrip()) - ("<" in p) * 1e-9


@pytest.mark.parametrize(("a", "b"), [*combinations(range(7), 2)])
def test_the_counts_are_those_of_the_table_that_can_be_saved(several_systems, a, b):
    for key in KEYS:
        several_systems.system_comparisons(key, a)
    until(lambda: not several_systems.is_searching)
    votes = explanations.votes_of_metrics(several_systems, CorpusState(a=a, b=b))
    said = across_metrics.verdict_across_metrics((several_systems.names[a], several_systems.names[b]), votes)
    by_label = {metric.label: metric for metric in metrics.METRICS.values()}
    counted = {name: [0, 0] for name in (several_systems.names[a], several_systems.names[b], "")}
    for label, other, delta, p in saved_pair_rows(several_systems, a):
        if other == several_systems.names[b]:
            better = (delta > 0) == by_label[label].higher_is_better
            name = several_systems.names[b if better else a] if delta else ""
            counted[name][0] += 1
            counted[name][1] += p < LEVEL
    assert sum(number for number, _ in counted.values()) == len(KEYS)
    for name, (number, sure) in counted.items():
        if not number:
            continue
        if not name:
            assert re.search(rf"\b{number} (of 9 metrics )?sees? no difference|\b{number} (of 9 metrics )?see no", said)
            continue
        (found,) = re.findall(rf"\b(\d+)(?: of 9 metrics)? prefers? {name}, ([^;.:]*)", said.split(". ", 1)[-1])
        assert int(found[0]) == number
        words = {number: "all beyond chance", 0: "none beyond chance"}.get(sure, f"{sure} beyond chance")
        assert found[1] == (words if number > 1 else "beyond chance" if sure else "which may be chance")


def test_it_does_not_depend_on_what_was_looked_at(several_systems):
    page = rerun_until_idle(CorpusPage(several_systems, corpus_a=0, corpus_b=3, metric="ter"), several_systems)
    first = verdict_text(page)
    assert first.startswith("chrF and BLEU prefer MiSS")
    for key in ("gtm", "nist", "ter"):
        page.set_state(metric=key)
        assert verdict_text(rerun_until_idle(page, several_systems)) == first


def verdict_text(page):
    """Return the page's verdict over all metrics as plain text."""
    found = re.search(r'<div class="across".*?</div></div>', page.html, re.DOTALL).group()
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", re.sub("<p>.*?</p>", "", found))).strip()


def test_a_metric_of_the_verdict_is_chosen_by_a_click(several_systems):
    page = CorpusPage(several_systems, corpus_a=0, corpus_b=3, metric="ter")
    assert {*re.findall(r'data-tell="metric:(\w+)"', page.html)} == {*KEYS}


def assert_told_from_the_winner(tile, found, key, both, leads):
    """Check that the tile of metric `key` names the better system and shows the numbers of the job `found`.

    Args:
        both: the indices of systems A and B.
        leads: the letter, A or B, of the system from whose side the page speaks. If the tile names it, the interval is
            right of 0 and the tone green."""
    scores = {letter: float(found.corpus_scores(key)[n]) for letter, n in zip("AB", both, strict=True)}
    names = {letter: found.names[n] for letter, n in zip("AB", both, strict=True)}
    other, winner = sorted(scores, key=lambda each: scores[each] * (1 if metrics.METRICS[key].higher_is_better else -1))
    change = scores[winner] - scores[other]
    text, second = (line["text"] for line in tile["lines"])
    assert text.rstrip("*") == f"{winner} {signed_text(change, 4)}"
    assert second == f"{scores['A']:.3f} · {scores['B']:.3f}"
    assert tile["lines"][0]["said"].startswith(f"{names[winner]} is better by {abs(change):.4f}")
    low, middle, high = tile["interval"]
    assert low <= middle <= high and (middle > 0) == (winner == leads)
    assert tile["lines"][0]["tone"] == ("same" if text[-1] != "*" else "better" if winner == leads else "worse")


@pytest.mark.parametrize(("key", "a", "b"), [("gtm", 0, 3), ("gtm", 3, 0), ("ter", 0, 3), ("ter", 3, 0)])
def test_all_is_told_to_the_winner_whichever_of_a_and_b_it_is(several_systems, key, a, b):
    """Check that the page speaks from the winner's side: MiSS beats a spoiled copy, whichever of A and B it is."""
    page = rerun_until_idle(CorpusPage(several_systems, metric=key, corpus_a=a, corpus_b=b), several_systems)
    shown = dataclasses.replace(corpus_state(page), metric=key)
    ledger, metric = several_systems.ledger(key, a, b), metrics.METRICS[key]
    segments = [several_systems.texts.segments(n) for n in (3, 0)]
    want = corpus_ledger(metric, several_systems.settings[key], *segments)
    assert isinstance(ledger, CorpusLedger)
    assert [step.share for step in ledger.steps] == pytest.approx([step.share for step in want.steps], abs=1e-9)
    assert (ledger.delta > 0) == metric.higher_is_better
    assert f"MiSS is better than Off by {abs(ledger.delta):.4f} {metric.label} (95 % interval " in page.html
    assert main_causes_text(metric, want, 4) in page.html.replace("&#39;", "'")
    assert page.html.index("Most for MiSS") < page.html.index("Most for Off")
    assert "count for MiSS" in page.html and "Errors, Off → MiSS" in page.html
    heads = [column["head"] for column in page.component_data_with("rows")["columns"]]
    assert heads[1:3] == ["Off", "MiSS"] and heads[-1] == "Off → MiSS"
    sorts = [column["name"] for column in page.component_data_with("rows")["columns"]][1:3]
    assert sorts == (["a", "b"] if a == 3 else ["b", "a"])
    tiles = {tile["key"]: tile for tile in page.component_data_with("tiles")["tiles"]}
    for each in KEYS:
        assert_told_from_the_winner(tiles[each], several_systems, each, (a, b), "AB"[b == 0])
    first, *_, last = (
        row[0] for row in (page.component_data_with("rows")["rows"][0], page.component_data_with("rows")["rows"][-1])
    )
    sign = 1 if metric.higher_is_better else -1
    assert sign * want.worth[first] == max(sign * worth for worth in want.worth) > 0
    assert sign * want.worth[last] <= sign * want.worth[first]
    seen = SegmentTable(several_systems, shown, ledger)
    cells = seen.rows(0, 1)[0]["cells"]
    assert cells[3]["tone"] == cells[4]["tone"] == "better"
    # The filter counts worth from the same side as the table.
    values = filters.segment_worth(several_systems, shown)
    assert sign * float(values[first]) > 0


def test_what_is_known_without_the_texts_is_said_to_be_no_cause(several_systems, monkeypatch):
    """Check that no causes are named, and no segments shown for them, until the ledger is computed from the texts."""
    found = CorpusJob(several_systems.material, TextSettings(), several_systems.settings, "gtm")
    found.tables, found.ended = dict(several_systems.tables), True
    asked = []
    monkeypatch.setattr(found, "_compute_result", lambda what, key, *rest: asked.append((what, key)) or "too hard")
    monkeypatch.setattr(found._finder, "request_result", lambda what, make: asked.append(what[:2]))
    page = CorpusPage(found, metric="gtm", corpus_a=0, corpus_b=3)
    assert {what for what in asked if what[0] == "ledger"} == {("ledger", "gtm")}
    # The chosen metric's test and causes come before other tests, kinds of error and words.
    assert {*asked} == {("pairs", "gtm"), ("ledger", "gtm")}
    assert "MiSS is ahead of Off by " in page.html and "Looking for causes." in page.html
    said = re.findall(r'<p class="verdict".*?</p>|<div class="story">.*', page.html)
    assert len(said) >= 2 and 'class="cards"' not in page.html
    for words in ("runs", "matched words", "longer output", "shorter output", "fewer", "Most for"):
        assert not any(words in each for each in said), words
    page.set_state(corpus_where=write_parts([FilterPart("", "worth.contiguity > 0")]))
    assert any("until it can be used" in warning.value for warning in page.at.warning)
    page.set_state(corpus_where=write_parts([FilterPart("", "worth > 0")]))  # the worth of segments is known
    assert 0 < page.component_data_with("rows")["total"] < found.segment_count


def test_three_sentences_a_side_are_whole_and_the_words_that_decide_are_lit(several_systems):
    page = rerun_until_idle(CorpusPage(several_systems, metric="gtm", corpus_a=0, corpus_b=3), several_systems)
    cards = re.findall(r'<article class="card" data-tell="segment:(\d+)">(.*?)</article>', page.html, re.DOTALL)
    ledger = several_systems.ledger("gtm", 0, 3)
    order = sorted(range(several_systems.segment_count), key=lambda n: -ledger.worth[n])
    assert [int(n) for n, _ in cards][:3] == order[:3]
    assert {int(n) for n, _ in cards[3:]} == {n for n in order[-3:] if ledger.worth[n] < 0}
    for number, made in cards:
        texts = [re.sub("<[^>]+>", "", each) for each in re.findall('<dd dir="auto">(.*?)</dd>', made)]
        lines = [
            several_systems.source_text(int(number)),
            *[several_systems.output_text(n, int(number)) for n in (3, 0)],
        ]
        lines += [line for _, line in several_systems.material.references_of(int(number))]
        unescaped = [text.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&") for text in texts]
        assert unescaped == [line.rstrip("\n") for line in lines]
        assert "<mark " in made


def test_kinds_of_error_and_words_stand_beside_the_causes_and_open(several_systems):
    page = rerun_until_idle(CorpusPage(several_systems, metric="gtm", corpus_a=0, corpus_b=3), several_systems)
    shown = corpus_state(page)
    counted = several_systems.error_counts_by_kind(0, 3)
    for n, each in enumerate(counted):
        assert re.search(rf"{each.error.label}<?/?b?u?t?t?o?n?>?</td>.*?{each.b:,} → {each.a:,}", page.html)
        if each.segments:
            state = page.at.session_state
            import streamlit as st

            st.session_state.update({"corpus_where": "", "corpus_seek": 0})
            kinds.open_finding(several_systems, shown, "error", str(n))
            (part,) = record.parse_filter(st.session_state["corpus_where"])
            assert part.segments == each.segments and state is not None
    for value in ("x", "-1", "99", ""):
        kinds.open_finding(several_systems, shown, "error", value)
    words = [each for each in several_systems.word_patterns(0, 3) if each.q < LEVEL]
    for each in words[:1]:
        assert " ".join(each.words) in page.html


def test_orders_are_named_and_every_one_sorts(several_systems):
    shown = CorpusState(a=0, b=3, columns="delta.ter,document")
    seen = SegmentTable(several_systems, shown, several_systems.ledger("gtm", 0, 3))
    there = order_menu.order_choices(seen)
    assert there["worth", False] == "Most for MiSS" and there["worth", True] == "Most for Off"
    assert there["length", False] == "Longest" and there["length", True] == "Shortest"
    assert len({*there.values()}) == len(there)
    assert {sort for sort, _ in there} >= {*record.SORTS} and ("delta.ter", True) in there


def test_tags_stand_in_the_rows_and_sought_words_are_seen(several_systems):
    from viz.pages.corpus import marks

    text = marks.replace_mark("", 7, "odd, long one", "")
    seen = SegmentTable(several_systems, CorpusState(sort="number", marks=text), several_systems.ledger("gtm", 0, 1))
    assert seen.rows(7, 8)[0]["words"][:2] == [(2, "odd"), (2, "long one")]
    assert all(side != 2 for side, _ in seen.rows(6, 7)[0]["words"])


def test_a_part_of_words_is_lit_where_it_stands(several_systems):
    """Check that part of a word is highlighted: by whole words in the evidence, by letters in the rows."""
    has = [
        n
        for n, each in enumerate(several_systems.texts.segments(0))
        if any(word.endswith("ing") for word in each.candidate)
    ]
    part = filters.pattern_part(Pattern(tuple("ing "), 1, 0, 1, 0, 1, 0.0, 0.0, 0.0, tuple(has)), "character")
    where = write_parts([part])
    assert record.parse_filter(where) == (part,) and part.letters == "ing "
    page = CorpusPage(several_systems, corpus_where=where, corpus_segment=has[0], corpus_a=0, corpus_b=3)
    assert page.component_data_with("rows")["sought"] == ["ing "]
    lit = re.findall(r'class="[^"]* sought" data-word="(.)[^>]*><bdi>([^<]+)', page.html)
    texts = [several_systems.texts.segments(n)[has[0]].candidate for n in (0, 3)]
    words = {word for text in texts for word in text if word.lower().endswith("ing")}
    assert words and {word for side, word in lit if side in "ab"} == words


def test_the_charts_are_told_to_the_winner(several_systems):
    """Check that the charts are told from the winner's side, also where A wins.

    A bar opens the segments that it counts."""
    for a, b in ((0, 3), (3, 0)):
        page = rerun_until_idle(
            CorpusPage(several_systems, metric="gtm", corpus_a=a, corpus_b=b, corpus_view="charts"), several_systems
        )
        change = several_systems.tables["gtm"].scores[0] - several_systems.tables["gtm"].scores[3]
        better, worse = (int((sign * change >= 0.0005).sum()) for sign in (1, -1))
        drawn = "".join(page.markups)
        assert f"MiSS is better in {better}, worse in {worse}, the same in " in drawn
        assert "MiSS less Off" in drawn and "MiSS better in" in drawn and "Off is better" not in drawn
        (chart,) = [markup for markup in page.markups if "MiSS is better in" in markup]
        bars = re.findall(r'data-tell="filter:([^"]+)"[^>]*aria-label="(\d+) segments? with', chart)
        assert len(bars) > 3
        for expression, count in bars:
            part = FilterPart("", html.unescape(expression))
            some = filters.select_segments(
                several_systems, CorpusState(metric="gtm", a=a, b=b, where=write_parts([part]))
            )
            assert some.size == int(count)
        for tell, sign in zip(re.findall(r'data-tell="filter:(delta[^"]+and[^"]+)"', drawn), (1, -1), strict=True):
            where = write_parts([FilterPart("", html.unescape(tell))])
            numbers = filters.select_segments(several_systems, CorpusState(a=a, b=b, where=where)).segment_indices
            assert len(numbers) and all(sign * change[n] >= 0.0005 for n in numbers)


def test_the_patterns_are_told_to_the_winner():
    """Check that the patterns are told from the winner's side: Good has words that Bad lacks, whichever is A."""
    good = (FOLDER / "system.MiSS.en.txt").read_text("utf-8")
    texts = {"Good": good, "Bad": re.sub(r"\b(the|is|of)\b ", "", good)}
    files = [File(f"{name}.txt", text.encode(), "system", name) for name, text in texts.items()]
    reference = File("ref.txt", (FOLDER / "reference.A.en.txt").read_bytes(), "reference")
    found, made = score_corpus(read([*files, reference])), []
    for a, b in ((0, 1), (1, 0)):
        page = rerun_until_idle(CorpusPage(found, corpus_a=a, corpus_b=b, corpus_view="patterns"), found)
        shown = page.html[page.html.index('<div class="patterns">') :]
        made.append(re.sub(r' data-tell="[^"]*"', "", shown))
    heads = re.findall(r"More often right in <bdi[^>]*>(\w+)</bdi>: (\d+)", made[0])
    assert [name for name, _ in heads] == ["Good", "Bad"] * 2 and int(heads[0][1]) > 0
    assert made[0].split('<p class="note">')[0] == made[1].split('<p class="note">')[0]
    assert re.findall(r"<tr><td>.*?</tr>", made[0]) == re.findall(r"<tr><td>.*?</tr>", made[1])


def test_clicks_on_a_cause_and_a_side_replace_each_other(several_systems):
    import streamlit as st

    st.session_state["corpus_where"] = ""
    for expression in ("worth > 0", "worth.contiguity > 0", "worth.matches < 0", "worth < 0"):
        filters.add_part(FilterPart(expression, expression))
        assert [part.expression for part in filters.current_parts()] == [expression]
    filters.add_part(FilterPart("", "length > 3"))
    assert len(filters.current_parts()) == 2


def test_the_report_tells_the_same(several_systems):
    page = rerun_until_idle(CorpusPage(several_systems, metric="gtm", corpus_a=0, corpus_b=3), several_systems)
    shown = corpus_state(page)
    looked = save_menu.CorpusSnapshot(several_systems, shown, filters.select_segments(several_systems, shown))
    made = save_menu._report(looked, "1 May 2030", "")
    assert "chrF and BLEU prefer MiSS" in made and "MiSS is better than Off by" in made
    assert "Errors, Off → MiSS" in made and "for <bdi>MiSS</bdi>" in made.lower().replace("miss", "MiSS")
    metric = metrics.METRICS["gtm"]
    assert main_causes_text(metric, several_systems.ledger("gtm", 0, 3), story.DECIMALS) in made
    sheet = save_menu._segment_sheet(looked)
    assert any("the corpus score of MiSS minus that of Off" in each for each in sheet.about)
    assert explanations.disagreeing_metric(several_systems, shown) == ""
