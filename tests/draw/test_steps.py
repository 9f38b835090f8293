"""Tests of drawn steps: each step shows what it says and nothing more."""

import random
import re
from xml.etree import ElementTree

import pytest

import metrics
from metrics.text import wordnet
from metrics.text.similarity import StemSimilarity
from metrics.types import Edit, Run, Shift
from tests.helpers.cases import TAUGHT
from tests.helpers.fragments import read
from tests.helpers.markup import WORDS, check_allowed
from tests.helpers.segments import word_names, words_by_name
from tests.helpers.walks import SEGMENTS, shapes_of_role, shown_at, walk_of
from viz.draw.pen import marks, svg, theme
from viz.draw.pen.marks import touched_words
from viz.draw.pen.shapes import Shape
from viz.draw.pen.text import safe
from viz.draw.pen.theme import LOOKS
from viz.draw.steps import steps
from viz.draw.steps.steps import DrawnSteps, StepWord
from viz.save import tikz

GIVEN = {"gtm": [{}, {"solver": "exact"}], "rouge_w": [{}, {"variant": "optimal"}], "rouge_n": [{}, {"order": 2}]}


def sample_walks():
    rng = random.Random(12)
    words = [rng.choices("abcd", k=6) for _ in range(3)]
    for key in TAUGHT:
        for given in GIVEN.get(key, [{}]):
            for candidate, references in [*SEGMENTS, (words[0], words[1:])]:
                yield key, walk_of(key, candidate, references, **given)


@pytest.fixture(scope="module")
def all_walks():
    return [*sample_walks()]


@pytest.mark.slow
def test_frames_show_each_step_and_nothing_else(all_walks):
    for key, walk in all_walks:
        assert walk.ended and len(walk.frames) == len(walk.steps), key
        for number, shown in enumerate(shown_at(walk)):
            assert shown == set(walk.parts(number)), (key, number)


def cells_of_role(parts, role):
    return {p.cell for p in parts if isinstance(p, Shape) and p.role.startswith(role) and p.cell}


@pytest.mark.slow
def test_every_mark_of_a_step_is_shown_in_its_role(all_walks):
    seen = set()
    for key, walk in all_walks:
        for number, step in enumerate(walk.steps):
            parts = walk.parts(number)
            taken = [m for m in step.taken_marks if not (isinstance(m, Edit) and m.op != "match")]
            assert cells_of_role(parts, "taken") == {cell for mark in taken for cell in mark.cells()}, (key, number)
            rejected = {cell for mark, _ in step.rejected for cell in mark.cells()}
            crosses = {p.cell for p in parts if isinstance(p, Shape) and p.role == "rejected" and p.kind == "cross"}
            assert crosses == rejected, (key, number)
            looks = {part for part in parts if isinstance(part, StepWord)}
            for name, marked in (("co", step.considered), ("rj", [mark for mark, _ in step.rejected])):
                names = {word for mark in marked for word in touched_words(mark).names()}
                assert {word for word, look in looks if look == name} == names, (key, number)
            assert bool(shapes_of_role(parts, "considered")) == bool(step.considered), (key, number)
            seen |= {(p.role, p.kind) for p in parts if isinstance(p, Shape)}
    lines = {("hit", "line")} | {(role, "curve") for role in ("taken", "considered", "rejected")}
    unequal = {look for look in steps.ORDER if look[0].startswith("taken ")}
    assert seen | unequal == {*steps.ORDER} - {("hit", "polygon"), ("hit", "ring")} - lines | unequal


UNEQUAL = "cats like big dogs and it moves".split(), ["cat likes large dogs and it move".split()]


def test_words_that_match_without_being_equal_look_as_in_the_metrics_own_picture(monkeypatch):
    own = {"cats": 1, "likes": 2, "big": 3, "large": 3}
    monkeypatch.setattr(wordnet, "version", lambda: "made")
    monkeypatch.setattr(wordnet, "base_synsets", lambda word: frozenset({own.get(word, word)}))
    monkeypatch.setattr(wordnet, "synsets", lambda word: frozenset({own.get(word, word)}))
    walk = walk_of("meteor", *UNEQUAL)
    result = walk.steps[-1].result
    relations = {cell: use.relation for cell, use in marks.cell_uses(result).items()}
    assert {*relations.values()} == {"equal", "stem", "synonym"}
    for number in range(len(walk.steps)):
        for shape in walk.parts(number):
            if isinstance(shape, Shape) and shape.role.startswith("taken") and shape.kind != "polygon":
                assert shape.kind == {"equal": "dot", "stem": "diamond", "synonym": "triangle"}[relations[shape.cell]]
    classes = {}
    for part in walk.parts(len(walk.steps) - 1):
        if isinstance(part, StepWord) and part.look not in ("up", "co"):
            classes.setdefault(part.name, set()).add(part.look)
    for cell, relation in relations.items():
        for name in word_names([cell]):
            assert classes[name] == {*theme.word_classes(relation)}, (name, relation)
    crossed = DrawnSteps(walk.texts, metrics.trace("meteor", *UNEQUAL), walk.hits, 700, lines="crossings")
    crossed.make_steps(1_000)
    lines = {s.cell: s.role for s in crossed.parts(len(crossed.steps) - 1) if isinstance(s, Shape) and s.kind == "line"}
    for cell, relation in relations.items():
        assert LOOKS[lines[cell], "line"].style == LOOKS[ALIGNED[relation], "line"].style, relation


ALIGNED = {"equal": "aligned", "stem": "aligned stem", "synonym": "aligned synonym"}


def test_similar_words_of_sia_have_the_outline_of_its_own_picture():
    similar = StemSimilarity()
    walk = walk_of("sia", *UNEQUAL, similarity=similar)
    cells = {use: cell for cell, use in marks.cell_uses(walk.steps[-1].result).items()}
    assert {use.relation for use in cells} == {"equal", "similar"}
    corners = {s.cell: len(s.points) for s in walk.parts(len(walk.steps) - 1) if cells_of_role([s], "taken")}
    shapes = marks.ResultMarks.from_result(walk.steps[-1].result).shapes()
    drawn = {s.cell: len(s.points) for s in shapes if s.kind == "polygon" and s.cell}
    assert corners == drawn and {*corners.values()} == {4, 6}


def test_contexts_of_ribes_that_match_nothing_are_outlined():
    walk = walk_of("ribes", "a b c a".split(), ["a x c a".split()])
    looked = [n for n, step in enumerate(walk.steps) if "not in the reference" in step.text and "“a b”" in step.text]
    assert looked, [step.text for step in walk.steps]
    for number in looked:
        (outline,) = shapes_of_role(walk.parts(number), "considered")
        assert {row for row, _ in outline.points} == {0, 2}, "both words of the context"


@pytest.mark.slow
def test_words_that_are_used_up_are_those_that_are_not_free(all_walks):
    for _, walk in all_walks:
        for number, step in enumerate(walk.steps):
            used = {part.name for part in walk.parts(number) if isinstance(part, StepWord) and part.look == "up"}
            if step.free is None:
                assert not used
                continue
            free = {f"c{i}" for i in step.free.candidate}
            free |= {f"r{k}_{j}" for k, left in enumerate(step.free.references) for j in left}
            assert used == words_by_name(walk.steps[-1].result).keys() - free


@pytest.mark.slow
def test_tables_stand_in_their_cells(all_walks):
    tables = set()
    for key, walk in all_walks:
        for number, step in enumerate(walk.steps):
            parts, table = walk.parts(number), step.table
            filled = shapes_of_role(parts, "filled")
            written = {(p.k, p.points[0][0] // 1, p.points[0][1] // 1): p.text for p in filled}
            if table is None:
                assert not written
                continue
            tables.add(key)
            wanted = {
                (table.k, c.row - table.border, c.column - table.border): steps.value_text(c.value)
                for c in table.filled
            }
            assert written == wanted, (key, number)
            assert len(shapes_of_role(parts, "filled beside")) == (len(wanted) if table.second_table else 0)
            assert len(shapes_of_role(parts, "filled now")) == (table.cell is not None)
            came = [p for p in shapes_of_role(parts, "came from") if p.kind == "line"]
            assert len(came) == (len(set(table.cell.came)) if table.cell else 0)
    assert tables == {key for key, walk in all_walks if walk.border}
    assert {"rouge_l", "rouge_w", "wer", "ter", "sia"} <= tables


def test_no_cross_lies_on_a_value(all_walks):
    crossed = 0
    for _, walk in all_walks:
        for number in range(len(walk.steps)) if walk.border else ():
            parts = [part for part in walk.parts(number) if isinstance(part, Shape)]
            values = {part.points[0] for part in parts if part.role == "filled"}
            crosses = {part.points[0] for part in parts if part.kind == "cross"}
            crossed += len(crosses)
            assert not [c for c in crosses for v in values if abs(c[0] - v[0]) + abs(c[1] - v[1]) < 0.3]
    assert crossed


def test_a_border_has_room_before_the_first_word():
    walk = walk_of("rouge_l", ["a", "b"], [["a"], ["b"]])
    for box in walk.base.boxes:
        left, top = box.x - walk.base.cell, box.y - walk.base.cell
        first = walk.base.labels[0]
        assert all(label.x < left for label in walk.base.labels if label.word.startswith("c")), first
        assert all(label.y < top for label in walk.base.labels if label.word.startswith("r"))
    root = ElementTree.fromstring(svg.svg_file(walk.picture(0)))
    digits = [e for e in root.iter() if "filled" in e.get("class", "").split()]
    assert {e.text for e in digits} == {"0"} and len(digits) == 4  # (3 + 2 − 1) on the border of the first reference
    box = walk.base.boxes[0]
    assert min(float(e.get("x")) for e in digits) < box.x and min(float(e.get("y")) for e in digits) < box.y


def test_a_block_that_is_moved_lands_where_the_order_before_it_says(all_walks):
    moves = 0
    for _, walk in all_walks:
        for number, step in enumerate(walk.steps):
            taken = {m for m in step.taken_marks if isinstance(m, Shift)}
            drawn = shapes_of_role(walk.parts(number), "taken")
            bars = [p for p in drawn if (p.kind, len(p.points)) == ("line", 2)]
            assert len(bars) == len({(m.k, m.j, len(m.rows), m.rows, m.to) for m in taken})
            moves += len(taken)
    assert moves


def test_pictures_of_steps_are_made_of_the_same_elements(all_walks):
    for key, walk in all_walks[::3]:
        for number in (0, len(walk.steps) // 2, len(walk.steps) - 1):
            picture = walk.picture(number)
            written = svg.svg_file(picture)
            for part in walk.parts(number):
                if isinstance(part, Shape) and part.k in {box.k for box in picture.boxes}:
                    assert walk.markup(part) in written, (key, number, part)
            ElementTree.fromstring(written)
            assert safe(picture.title, 200) in written
            assert picture.title.endswith(walk.steps[number].text)
            assert tikz.document(picture).count("% digit filled") == sum(
                isinstance(p, Shape) and p.kind == "digit" for p in walk.parts(number)
            )


@pytest.mark.slow
def test_every_element_is_inert_and_every_word_escaped():
    for key in TAUGHT:
        walk = walk_of(key, WORDS[:12], [WORDS[11::-1], WORDS[4:9]], count=400)
        for part in walk.pool:
            if isinstance(part, Shape):
                check_allowed(read(walk.markup(part)))
            else:
                assert re.fullmatch(r"c\d+|r\d+_\d+", part.name) and part.look in ("u", "co", "rj", "up")
        check_allowed(read(svg.svg_in_page(walk.base, walk.layers()) + walk.legend()))
        ElementTree.fromstring(svg.svg_file(walk.picture(len(walk.steps) - 1)))


def test_steps_are_made_as_they_are_asked_for():
    words = [f"w{t}" for t in range(40)]
    walk = walk_of("rouge_l", words, [words], count=10)
    assert len(walk.steps) == len(walk.frames) == 10 and not walk.ended
    pool = list(walk.pool)
    walk.make_steps(30)
    assert len(walk.frames) == 30 and walk.pool[: len(pool)] == pool
    walk.make_steps(20)
    assert len(walk.frames) == 30
    walk.make_steps(10**9)
    assert walk.ended and walk.steps[-1].result


def test_a_program_has_a_border_where_it_has_a_table():
    settings = {key: metrics.settings(key) for key in TAUGHT}
    assert {key for key in settings if steps.example_table(key, settings[key])} == {
        "rouge_l", "rouge_w", "sia", "dcs", "wer", "ter"
    }  # fmt: skip


def test_runs_are_outlined_whole():
    walk = walk_of("gtm", "a b c".split(), ["a b d".split()])
    (first,) = {mark for mark in walk.steps[1].considered if isinstance(mark, Run)} or {Run(0, 0, 0, 2)}
    shapes = [p for n in range(3) for p in shapes_of_role(walk.parts(n), "considered")]
    rows = [{row for row, _ in shape.points} for shape in shapes]
    assert any(max(each) - min(each) > first.length for each in rows)


def test_the_place_of_a_step_is_what_it_takes():
    """Check that a step that chooses among references keeps the chosen reference in sight."""
    for key in ("rouge_n", "rouge_l", "per"):
        walk = walk_of(key, "a b c d".split(), ["c x".split(), "a b c d".split()])
        walk.make_steps(10_000)
        number = max(n for n, step in enumerate(walk.steps) if step.rejected)
        box = next(box for box in walk.boxes if box.k == 1)
        focus = walk.focus_of_step(number)
        assert focus and focus.x > box.x and focus.y > box.y, (key, walk.steps[number].text)
