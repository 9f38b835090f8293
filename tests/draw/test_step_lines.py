"""Tests of steps as arcs and crossing lines: each step draws what it says and nothing more."""

import json
import random
from collections import Counter
from xml.etree import ElementTree

import pytest

import metrics
import viz
from metrics.types import Edit, Hit, Run, SkipBigram, segment
from tests.helpers.cases import random_segment
from tests.helpers.corpora import load_token_lines
from tests.helpers.fragments import read, texts_of
from tests.helpers.markup import WORDS, check_allowed
from tests.helpers.segments import all_hits
from tests.helpers.walks import shown_at
from viz.draw.evidence import arcs
from viz.draw.pen import svg
from viz.draw.pen.marks import touched_words
from viz.draw.pen.shapes import Shape
from viz.draw.steps import player, step_lines
from viz.draw.steps.steps import DrawnSteps, StepWord
from viz.save import steps_beamer, steps_files, steps_page, tikz

WAYS = {"rouge_s": "arcs", "meteor": "crossings", "ribes": "crossings"}
GIVEN = [
    *[("rouge_s", {}), ("rouge_s", {"max_skip": 2, "unigrams": True}), ("rouge_s", {"multi_reference": "jackknife"})],
    *[("meteor", {}), ("meteor", {"stages": ("exact", "stem")}), ("ribes", {})],
]
LONG = (
    load_token_lines("system.MiSS")[10][:20],
    [load_token_lines(name)[10][:18] for name in ("reference.A", "reference.B")],
)


def walk_of(key, words, width=840, **given):
    words = segment(*words)
    result = metrics.METRICS[key].score(words, metrics.settings(key, **given))
    trace = metrics.trace(key, *words, **given)
    walk = DrawnSteps(texts_of(result), trace, all_hits(result), width, lines=WAYS[key])
    walk.make_steps(100_000)
    assert walk.ended and walk.lines
    return walk


@pytest.fixture(scope="module")
def walks():
    rng = random.Random(4)
    words = [random_segment(rng, 7, references) for references in (1, 2, 3, 4) for _ in range(2)]
    words += [LONG, (["a"], [[], ["a"]]), ([], [["a", "b"]]), (["a", "b"], [[]])]
    words.append(
        ("the cats sat on the mat the end".split(), ["on the mat the cat sat".split(), "the cat was on".split()])
    )
    return [(key, walk_of(key, each, **given)) for key, given in GIVEN for each in words]


@pytest.mark.slow
def test_frames_show_each_step_and_nothing_else(walks):
    for key, walk in walks:
        assert len(walk.frames) == len(walk.steps), key
        for number, shown in enumerate(shown_at(walk)):
            assert shown == set(walk.parts(number)), (key, number)


def touched_names(mark):
    return " ".join(touched_words(mark).names())


def shapes_of_role(parts, role):
    return [part for part in parts if isinstance(part, Shape) and part.role == role]


def expected_shapes(way, marks, role, many):
    """Return the shapes that `marks` should have in a step's picture: (kind, names of joined words) or (kind, cell).

    Args:
        way: the kind of picture, “arcs” or “crossings”.
        role: what the step does with the marks, such as “taken” or “rejected”.
        many: whether so many pairs are rejected that they get no crosses."""
    out = set()
    for mark in marks:
        if isinstance(mark, SkipBigram):
            out |= {("curve", touched_names(mark))} if way == "arcs" or role != "taken" else set()
            out |= {("cross", touched_names(mark))} if role == "rejected" and not many else set()
        elif isinstance(mark, Run) and mark.length > 1:
            out.add(("polygon", touched_names(mark)))
        elif isinstance(mark, Edit):
            out |= {("line", f"c{i}") for i in range(mark.i_start, mark.i_end)}
        crossed = role == "rejected" and not isinstance(mark, SkipBigram)
        joined = isinstance(mark, SkipBigram) and (way == "arcs" or role == "rejected")
        for cell in () if joined else mark.cells():
            out |= {("cross", cell)} if crossed else set()
            out |= {("dot", cell)} if role == "taken" else set()
            out |= {("line", cell)} if way == "crossings" else set()
            out |= {("polygon", cell)} if way == "arcs" and role != "taken" else set()
    return out


@pytest.mark.slow
def test_every_mark_of_a_step_is_drawn_in_its_role(walks):
    seen, compared, gone = set(), 0, 0
    for key, walk in walks:
        way = WAYS[key]
        for number, step in enumerate(walk.steps):
            parts = walk.parts(number)
            found = {
                role: {(s.kind, s.cell or s.words) for s in parts if isinstance(s, Shape) and s.role.startswith(role)}
                for role in ("taken", "considered", "rejected")
            }
            seen |= {(shape.role, shape.kind) for shape in parts if isinstance(shape, Shape)}
            rejected = [mark for mark, _ in step.rejected]
            considered = [*step.considered]
            # With marks of several references, each is drawn as what becomes of it.
            several = {mark.k if isinstance(mark, Edit) else mark.cells()[0].k for mark in (*considered, *rejected)}
            many = len(several) > 1 and len(rejected) > step_lines.FEW
            if len(several) > 1:
                assert not set(considered) - {*step.taken_marks, *rejected}
                considered, compared = [], compared + 1
            hits = {mark for mark in rejected if isinstance(mark, Hit)}
            pairs = [mark for mark in rejected if isinstance(mark, SkipBigram) and way == "crossings"]
            with_words = [pair for pair in pairs if hits.issuperset(pair)]
            gone += len(with_words)
            rejected = [mark for mark in rejected if mark not in with_words]
            if len(found["considered"]) == 3 and {type(mark) for mark in considered} == {Edit} and way == "arcs":
                found["considered"].remove(("curve", " ".join(touched_names(mark) for mark in considered)))
            for role, marks in (("taken", step.taken_marks), ("considered", considered), ("rejected", rejected)):
                assert found[role] == expected_shapes(way, marks, role, many), (key, number, role)
            for look, marks in (("co", considered), ("rj", rejected)):
                words = {part.name for part in parts if isinstance(part, StepWord) and part.look == look}
                assert words == {word for mark in marks for word in touched_words(mark).names()}, (key, number, look)
    roles = [(role, kind) for role in ("considered", "rejected") for kind in ("curve", "line", "polygon")]
    taken = [("taken stem", "line"), *[("taken", kind) for kind in ("curve", "line", "dot", "polygon")]]
    assert seen - {("taken synonym", "line")} == {*roles, ("rejected", "cross"), *taken}
    assert compared and gone


def test_marks_stand_at_their_words(walks):
    for key, walk in walks:
        at = {}
        for label in walk.base.labels:
            at.setdefault(label.word, set()).add(round(label.x, 3))
        for part in walk.pool:
            if not isinstance(part, Shape) or part.kind == "cross":
                continue
            xs = [x * step_lines.UNIT for _, x in part.points]
            beside = step_lines.BESIDE.get(part.role, 0)
            if part.kind == "curve":
                first, second = part.words.split()[:2]
                less = beside if key == "rouge_s" else 0
                ends = min(at[first]) - less, min(at[second]) + less
                assert (xs[0], xs[3]) == pytest.approx(ends, abs=0.01)
            elif part.kind == "line" and part.cell:
                i, k, j = part.cell
                ends = min(at[f"c{i}"]) + beside, min(at[f"r{k}_{j}"]) + beside
                assert xs == pytest.approx(ends, abs=0.01)
            elif part.kind == "line":
                assert xs == pytest.approx([min(at[part.words])] * 2, abs=0.01)
        width, height = walk.base.width, walk.base.height
        for group in walk.base.groups:
            assert all(0 <= x <= width and 0 <= y <= height for placed in group.members for x, y in placed.points)
        assert [box.k for box in walk.boxes] == [*range(len(walk.texts.references))] and not walk.base.boxes


@pytest.mark.slow
def test_of_a_long_sentence_what_was_taken_before_is_faint():
    walk = walk_of("rouge_s", LONG)
    assert len(LONG[0]) >= arcs.CROWDED
    for number, step in enumerate(walk.steps):
        for shape in shapes_of_role(walk.parts(number), "taken"):
            assert shape.dim
        for shape in shapes_of_role(walk.parts(number), "considered"):
            assert not shape.dim
        many = len(step.rejected) > step_lines.FEW
        assert all(shape.dim == many for shape in shapes_of_role(walk.parts(number), "rejected"))
    short = walk_of("rouge_s", ("a b c a".split(), ["a b c".split()]))
    assert not any(part.dim for part in short.pool if isinstance(part, Shape))
    # Where references are compared, the chosen one is scrolled into view.
    ribes = walk_of("ribes", LONG)
    at = len(ribes.steps) - 1
    last = ribes.steps[at]
    order = ribes.lines.orders[last.taken_marks[-1].cells()[0].k]
    assert order.top < ribes.focus_of_step(at).y < order.bottom


def test_elements_are_inert_and_have_their_hooks():
    for key, way in WAYS.items():
        walk = walk_of(key, (WORDS[:12], [WORDS[11::-1], WORDS[4:9]]))
        joined = Counter()
        for part in walk.pool:
            if isinstance(part, Shape):
                check_allowed(read(walk.markup(part)))
                (e,) = ElementTree.fromstring(f"<g>{walk.markup(part)}</g>")
                assert e.get("data-cell") == (",".join(map(str, part.cell)) if part.cell else None)
                number, *moved = walk.pattern(part)
                assert walk.patterns[number] == walk.markup(part) and moved == [0, 0]
                assert e.get("data-words") == (part.words or None) and bool(part.words) != bool(part.cell)
                joined[part.kind] += bool(part.words)
        assert joined["curve"] or way == "crossings"
        check_allowed(read(svg.svg_in_page(walk.base, walk.layers()) + walk.legend()))
        check_allowed(read(player.markup(walk)))
        words = {name for label in walk.base.labels for name in [label.word]}
        assert {f"c{i}" for i in range(12)} <= words


@pytest.mark.slow
def test_files_hold_what_is_seen():
    for key in WAYS:
        walk = walk_of(key, ("a b c a d".split(), ["b a d c".split(), "a b".split()]))
        for number, written in enumerate(steps_files.pictures(walk)):
            root = ElementTree.fromstring(written)
            drawn = Counter(e.get("class") for g in root.iter("{http://www.w3.org/2000/svg}g") for e in g)
            shapes = [part for part in walk.parts(number) if isinstance(part, Shape)]
            kinds = Counter(part.kind for part in [*shapes, *walk.shapes])
            for kind, count in kinds.items():
                assert count == sum(n for name, n in drawn.items() if name and name.startswith(f"{kind} "))
            ElementTree.fromstring(svg.svg_file(walk.picture(number)))
            assert all(f"% {part.kind} {part.role}" in tikz.document(walk.picture(number)) for part in shapes)
        slides = steps_beamer.document(walk)
        assert r"\only<" in slides and ("% curve" in slides) == (key != "meteor")
        page = steps_page.page_html(walk)
        assert '<div class="drawing lines"' in page and 'class="grid"' not in page


def test_a_notebook_chooses_the_picture_as_the_page_does():
    words = "a b c".split(), ["b c a".split()]
    for key, first in (("rouge_s", True), ("ribes", True), ("meteor", False), ("wer", False)):
        assert (viz.steps(key, *words).walk.lines is not None) == first
        assert viz.steps(key, *words, picture="grid").walk.lines is None
        assert (viz.steps(key, *words, picture="arcs").walk.lines is not None) == (key != "wer")
    assert json.dumps(player.steps_data(viz.steps("rouge_s", *words).walk))
