"""Tests of the files saved from the judged sample: the report, the tables, and lines of pairs and reasons."""

import csv
import io
import re
from threading import Thread

import pytest

import metrics
from metrics.corpus.agreement import (
    marked_credit,
)
from metrics.corpus.explanations.agreement import MARKED
from metrics.text import TextSettings, judgements
from metrics.text.formats import read
from tests.helpers.fragments import read as parsed
from tests.helpers.pages import State, explained_pairs, fault_overlaps, until
from tests.helpers.talks import judged_talks
from viz.pages.agreement import pairs, save_menu
from viz.pages.agreement.agreement_job import AgreementJob
from viz.pages.agreement.record import AgreementState
from viz.state.visit import session

pytestmark = pytest.mark.alone  # worker processes compute the scores


@pytest.fixture(scope="module")
def sample():
    """Return an agreement job on the judged talk, scored by two metrics, whose table is complete."""
    given = judged_talks()
    material = read(given.texts)
    judged = judgements.read(given.judgements, material)
    settings = {key: metrics.settings(key) for key in ("gtm", "ter")}
    found = AgreementJob(material, judged, TextSettings(), settings, "gtm")
    found.start()
    until(lambda: found.is_scored)
    asked = found.table_request("", "none", "b")
    until(lambda: found.table_so_far(asked).stage == "intervals" and not found.is_busy)
    return found


@pytest.fixture
def saved(sample, monkeypatch):
    """Return the files that the Save menu offers: the ending of each mapped to a function that makes it."""
    monkeypatch.setattr(pairs, "MOST", 30)
    monkeypatch.setattr(save_menu.menus, "address_for_saved_file", lambda shown: "")
    monkeypatch.setattr(session.st, "session_state", State(agreement=sample, metric="gtm"))
    monkeypatch.setattr(save_menu.session, "read_state", lambda record: AgreementState())
    _, files = save_menu._available_files()
    return {ending: make for _, ending, make in files}


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_tables_have_what_is_found_wrong_as_the_command_line_prints_it(sample, saved, ending):
    text = saved[ending]()
    assert MARKED[0] in text and MARKED[3] in text
    for key in ("gtm", "ter"):
        for each in fault_overlaps(sample, key):
            numbers = f"{each.number:,}", f"{each.share:.3f}", f"{each.chance:.3f}"
            cells = metrics.METRICS[key].label, each.fault, *numbers
            assert (" & " if ending == "tex" else " | ").join(cells) in text


def test_pairs_and_reasons_are_those_of_the_core(sample, saved):
    table = sample.table_so_far(sample.table_request("", "none", "b"))
    known = pairs.misranked_pairs(sample, table, table.row("gtm").column)
    first = explained_pairs(sample, known.pairs[:30])
    _, *rows = csv.reader(io.StringIO(saved["wrong.csv"]()))
    assert len(rows) == len(known.pairs)
    earns = {one.pair: "yes" if one.earns_marked_credit else "no" for one in first}
    assert [row[5] for row in rows[:30]] == [earns[pair] for pair in known.pairs[:30]]
    _, *rows = csv.reader(io.StringIO(saved["reasons.csv"]()))
    expected = fault_overlaps(sample, "gtm")
    assert [row[1] for row in rows if row[0] == "found wrong"] == [each.fault for each in expected]
    assert float(rows[0][3]) == expected[0].share and any(row[0].startswith("counted: ") for row in rows)


def test_the_report_has_what_the_views_show(sample, saved):
    html = saved["html"]()
    tree = parsed(html[html.index("<main>") : html.index("</main>") + len("</main>")])
    assert "data-tell=" not in html and "<canvas" not in html
    table = sample.table_so_far(sample.table_request("", "none", "b"))
    of = table.row("gtm").column
    known = pairs.misranked_pairs(sample, table, of)
    told = marked_credit(known, explained_pairs(sample, known.pairs[:30])).says("GTM")
    assert told in tree.text and "a marked word earns credit" in told
    assert f"{len(known.pairs):,} (" in tree.text
    for pair in known.pairs[:10]:
        names = sample.names[pair.better], sample.names[pair.worse]
        assert f"Segment {pair.segment + 1} · {names[0]}, {names[1]}" in tree.text
    words = re.findall(r'data-word="[ab]\d+"', html)
    outputs = [sample.scoring.texts.systems[n][p.segment] for p in known.pairs[:10] for n in (p.better, p.worse)]
    assert len(words) == sum(map(len, outputs))
    for each in fault_overlaps(sample, "gtm"):
        assert f"{100 * each.share:.1f} %" in tree.text and f"{100 * each.chance:.1f} %" in tree.text
    (cloud,) = re.findall(r'<path d="([^"]*)" class="cloud"/>', html)
    assert cloud.count("M") == 13 * 60 and all(name in tree.text for name in sample.names[:3])
    assert "People's references" in tree.text.replace("\u2019", "'") and "score better than people" in tree.text
    titles = [link.text for link in tree.all("a")]
    assert titles[:5] == [
        "Metrics and people",
        "Outputs and systems by GTM",
        "Where GTM is wrong",
        "Which reasons of GTM agree with people",
        "Judges and people’s own translations",
    ]
    assert not sample.is_busy


def test_a_file_that_is_asked_for_twice_at_once_counts_each_pair_once(sample, monkeypatch):
    monkeypatch.setattr(pairs, "MOST", 40)
    table = sample.table_so_far(sample.table_request("", "none", "b"))
    of = table.row("ter").column
    known, told = pairs.misranked_pairs(sample, table, of), []
    threads = [
        Thread(target=lambda: told.append(pairs.compute_marked_credits(sample, table, of, known))) for _ in range(2)
    ]
    background = pairs.marked_credits(sample, table, of, known)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert background and [[each.explained for each in one] for one in told] == [[40], [40]]
    until(lambda: not sample.is_busy)
    assert pairs.compute_marked_credits(sample, table, of, known)[0].explained == 40
