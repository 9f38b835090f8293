"""Every question on a step judges every answer as the definition does: an optimum is never refused, anything else never
accepted.

For each line of a program that is asked about there is a rule here that is found the slow way. It says which answers
are right before the step is shown, and it knows the step itself only by what the steps before have shown.
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
import slow
from cases import random_segment
from slow import near

import metrics
from metrics.questions.judge import canonical, to_dict
from metrics.textbook import gtm
from metrics.textbook.programs import PROGRAMS
from metrics.types import Edit, Hit, Run, SkipBigram


@dataclass
class Case:
    """A question with what was shown before it."""

    key: str
    segment: Any
    settings: Any
    line: str
    question: Any
    step: Any
    before: list = field(default_factory=list)

    @property
    def candidate(self):
        return self.segment.candidate

    @property
    def references(self):
        return self.segment.references

    @property
    def taken(self):
        """What is taken before the step."""
        return self.before[-1].taken if self.before else ()

    @property
    def k(self):
        """The reference of the table that the step shows."""
        return self.step.table.k

    @property
    def cell(self):
        return self.step.table.cell

    def score(self, k=None, **given):
        """The score, or that against one reference alone."""
        references = self.references if k is None else [self.references[k]]
        return metrics.score(self.key, self.candidate, references, **{**self.given, **given})

    @property
    def given(self):
        return {name: getattr(self.settings, name) for name in type(self.settings).rules()}

    def times(self, *lines):
        """How many steps with one of these lines were shown before."""
        code = PROGRAMS[self.key].code(self.settings)
        return sum(code.names[step.line] in lines for step in self.before)


def cases(key, segment, given, every=1):
    trace = metrics.trace(key, *segment, **given)
    code = PROGRAMS[key].code(trace.settings)
    before = []
    for step, question in metrics.ask(key, *segment, every=every, **given):
        yield Case(key, trace.segment, trace.settings, code.names[step.line], question, step, [*before])
        before.append(step)


# ---------------------------------------------------------------- the answers that are tried


def answers(case):
    """All answers that can be clicked or chosen, and numbers around those that are judged."""
    question, (candidate, references) = case.question, case.segment
    out = [str(number) for number in range(len(question.choices) + 1)]
    if question.kind == "cell":
        out += [
            f"{i},{k},{j}"
            for i in range(len(candidate) + 1)
            for k, reference in enumerate(references)
            for j in range(len(reference) + 1)
        ]
        most = max(map(len, references)) + 2
        out += [f"t:{i},{j}" for i in range(len(candidate) + 2) for j in range(most)]
    if question.kind == "word":
        out += [f"c{i}" for i in range(len(candidate) + 1)]
        out += [f"r{k}_{j}" for k, reference in enumerate(references) for j in range(len(reference) + 1)]
    if question.kind == "cells":
        found = slow.hits(candidate, references)
        random.Random(len(found)).shuffle(found)
        shown = [tuple(map(int, name.split(","))) for name in question.shows.split()]
        rest = [cell for cell in found if cell not in shown]
        out += [" ".join("{},{},{}".format(*cell) for cell in cells) for cells in slow.subsets(shown + rest)]
        out += [" ".join("{},{},{}".format(*cell) for cell in cells) for cells in slow.subsets(rest + shown)]
        out += ["0,0,0 0,0,1 0,0,2", "9,9,9", "x"]
    if question.kind == "number":
        numbers = {value.number for value in question.values} | {*range(-1, 12)}
        out += [repr(float(a + d)) for a in numbers for d in (0, 0.004, -0.004, 0.006, -0.006, 0.5)]
        out += ["x", "", "nan", "1/0"]
    return out


def parsed(answer):
    """The cells of an answer, None where there are none."""
    try:
        cells = {tuple(map(int, name.split(","))) for name in answer.split()}
    except ValueError:
        return None
    return cells if cells and all(len(cell) == 3 for cell in cells) else None


# ---------------------------------------------------------------- rules that many share


def number_is(value):
    """Only this number, or it rounded."""

    if value == round(value):
        within = 1e-9
    else:
        within = 0.0051 if abs(value) >= 0.1 else 0.051 * 10 ** math.floor(math.log10(abs(value)))

    def accepts(answer):
        try:
            return abs(float(answer) - value) <= within
        except ValueError:
            return False

    return accepts


def chosen(question, good):
    """The choices whose text `good` accepts."""

    def accepts(answer):
        return answer.isdigit() and int(answer) < len(question.choices) and bool(good(question.choices[int(answer)]))

    return accepts


def best_references(values, low=False, of=None):
    """The references with the best of the values."""

    def rule(case):
        each = {k: values(case, k) for k in range(len(case.references)) if of is None or k in of(case)}
        best = min(each.values()) if low else max(each.values())
        return chosen(case.question, lambda text: near(each.get(int(text.split()[1]) - 1, math.nan), best))

    return rule


# ---------------------------------------------------------------- GTM


def gtm_next(case):
    """Any cell of a longest run of free words."""
    taken = case.taken
    rows = {cell.i for run in taken for cell in run.cells()}
    columns = {(cell.k, cell.j) for run in taken for cell in run.cells()}
    runs = slow.free_runs(case.candidate, case.references, rows, columns)
    most = max(map(len, runs))
    good = {cell for run in runs if len(run) == most for cell in run}
    return lambda answer: parsed(answer) is not None and parsed(answer) <= good


def gtm_drawn(case):
    e = case.settings.exponent
    most = gtm.largest_matching(case.candidate, case.references, e)
    found = {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parsed(answer)
        if cells is None:
            return False
        power = sum(length**e for length in slow.run_lengths(cells))
        return cells <= found and slow.is_matching(cells) and near(power, most)

    return accepts


def gtm_tried(case):
    """The free runs from this word on that were not tried here before: told by their words and their place."""
    path = case.step.taken[:-1]
    i = case.step.taken[-1].i
    columns = {(cell.k, cell.j) for run in path for cell in run.cells()}
    rows = {cell.i for run in path for cell in run.cells()}
    runs = [run for run in slow.free_runs(case.candidate, case.references, rows, columns) if run[0][0] == i]
    before = [step.taken[-1] for step in case.before if step.considered and step.taken[:-1] == path and step.decision]
    done = {tuple(map(tuple, run.cells())) for run in before}
    several = len(case.references) > 1
    good = set()
    for run in runs:
        if len(run) > 1 and run not in done:
            words = " ".join(case.candidate[cell[0]] for cell in run)
            where = f" of reference {run[0][1] + 1}" if several else ""
            good.add(f"“{words}”, {len(run)} words, at place {run[0][2] + 1}{where}")
    return chosen(case.question, lambda text: text in good)


def mean_length(case):
    return sum(map(len, case.references)) / len(case.references)


def gtm_size(case, step=None):
    e = case.settings.exponent
    return sum(run.length**e for run in (step.taken if step else case.taken)) ** (1 / e)


def gtm_p(case):
    return gtm_size(case) / len(case.candidate) if case.candidate else 0.0


def gtm_r(case):
    return gtm_size(case) / mean_length(case) if mean_length(case) else 0.0


def gtm_f(case):
    p, r = gtm_p(case), gtm_r(case)
    return 2 * p * r / (p + r) if p + r else 0.0


GTM = {
    "take": gtm_next,
    "tie": gtm_next,
    "bound": gtm_drawn,
    "branch": gtm_tried,
    "cap": lambda case: number_is(min(len(case.candidate), mean_length(case))),
    "size": lambda case: number_is(
        sum(run.length**case.settings.exponent for run in case.step.taken) ** (1 / case.settings.exponent)
    ),
    "P": lambda case: number_is(gtm_p(case)),
    "R": lambda case: number_is(gtm_r(case)),
    "F": lambda case: number_is(gtm_f(case)),
}

# ---------------------------------------------------------------- ROUGE


def begun(case):
    """The candidate and the reference of the table, as far as the cell."""
    return case.candidate[: case.cell.row], case.references[case.k][: case.cell.column]


def lcs_drawn(case):
    k = case.k
    most = slow.lcs(case.candidate, case.references[k])
    found = {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parsed(answer)
        if cells is None:
            return False
        return cells <= found and {cell[1] for cell in cells} == {k} and slow.rises(cells) and len(cells) == most

    return accepts


def lcs_back(case):
    """The neighbours that explain the value: an equal one above or on the left, the corner of equal words."""
    a, b = begun(case)
    row, column = len(a), len(b)
    good = set()
    if slow.lcs(a[:-1], b) == slow.lcs(a, b):
        good.add(f"t:{row - 1},{column}")
    if slow.lcs(a, b[:-1]) == slow.lcs(a, b):
        good.add(f"t:{row},{column - 1}")
    if a[-1] == b[-1]:
        good.add(f"t:{row - 1},{column - 1}")
    return lambda answer: answer in good


PARTS = {"P": "precision", "R": "recall"}


def of_reference(case, letter):
    """P or R against the reference whose turn it is."""
    if case.settings.multi_reference == "sum":
        return case.score().parts[PARTS[letter]]
    return case.score(case.times(letter)).parts[PARTS[letter]]


def rouge_f(case):
    if case.step.result is not None:
        return case.score().score
    return case.score(case.times("F")).score


def rouge_best(case):
    name = case.step.decision.name
    if name == "best of a set":
        left = case.times("several")
        return best_references(
            lambda case, k: case.score(k).score, of=lambda case: {*range(len(case.references))} - {left}
        )(case)
    letter = {"best precision": "P", "best recall": "R"}.get(name)
    return best_references(lambda case, k: case.score(k).parts[PARTS[letter]] if letter else case.score(k).score)(case)


ROUGE = {
    "P": lambda case: number_is(of_reference(case, "P")),
    "R": lambda case: number_is(of_reference(case, "R")),
    "F": lambda case: number_is(rouge_f(case)),
    "several": rouge_best,
}
ROUGE_L = {
    **ROUGE,
    "match": lambda case: number_is(slow.lcs(*begun(case))),
    "other": lambda case: number_is(slow.lcs(*begun(case))),
    "length": lcs_drawn,
    "ends": lcs_back,
    "drop": lcs_back,
    "take": lcs_back,
}

# ---------------------------------------------------------------- n-grams


def start_of(mark):
    return mark.i_start if isinstance(mark, Edit) else mark.i


def placed(case, order, references):
    """Where an n-gram may match: how many match in all must stay the most that both sides have."""
    i, candidate = start_of(case.step.considered[0]), case.candidate
    ngram = candidate[i : i + order]
    ours = slow.times(ngram, candidate)
    each = {k: slow.times(ngram, reference) for k, reference in references.items()}
    most = max(map(len, each.values()))
    best = min(len(ours), most)
    if case.question.kind == "number":
        return number_is(best)
    marks = [mark for mark in case.taken if isinstance(mark, Run | Hit) and mark.k in references]
    marks = [mark for mark in marks if getattr(mark, "length", 1) == order]
    used = {(mark.k, mark.j) for mark in marks if candidate[mark.i : mark.i + order] == ngram}
    counted, after = len(used), sum(other > i for other in ours)
    good = {"1"} if not most else {"0"} if counted + after >= best else set()
    if counted < best:
        free = [(k, j) for k, places in each.items() for j in places if (k, j) not in used]
        good |= {f"{i + d},{k},{j + d}" for k, j in free for d in range(order)}
    return lambda answer: answer in good


def every_reference(case):
    return dict(enumerate(case.references))


def order_now(case):
    """The order of the n-gram that BLEU and NIST count now."""
    return 1 + case.times("precision", "smooth", "effective", "average")


def counted(case):
    return placed(case, order_now(case), every_reference(case))


def closest_length(case):
    n = len(case.candidate)
    best = min((abs(len(r) - n), len(r)) for r in case.references)[1]
    return chosen(case.question, lambda text: text.split(": ")[1] == f"{best} words")


def part(case, name):
    return case.score().parts[name]


BLEU = {
    **dict.fromkeys(["match", "clip", "other"], counted),
    **dict.fromkeys(
        ["precision", "smooth"], lambda case: number_is(case.score().parts[f"precision_{order_now(case)}"])
    ),
    "length": closest_length,
    "brevity": lambda case: number_is(part(case, "brevity_penalty")),
    "score": lambda case: number_is(case.score().score),
}


def told(case):
    """What the n-gram tells whose words the question names."""
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    a = sum(len(slow.times(words, reference)) for reference in case.references)
    b = sum(len(slow.times(words[:-1], reference)) for reference in case.references)
    return number_is(math.log2(b / a))


NIST = {
    "tells": told,
    **dict.fromkeys(["match", "clip", "other"], counted),
    "average": lambda case: number_is(part(case, f"information_{order_now(case)}")),
    "brevity": lambda case: number_is(part(case, "brevity_penalty")),
    "score": lambda case: number_is(case.score().score),
}


def rouge_n_placed(case):
    k = case.times("sum")
    return placed(case, case.settings.order, {k: case.references[k]})


def reach(case):
    return len(case.candidate) if case.settings.max_skip is None else case.settings.max_skip


def all_of(words, case):
    """Everything that ROUGE-N or ROUGE-S counts in a sentence."""
    if case.key == "rouge_n":
        order = case.settings.order
        return [words[i : i + order] for i in range(len(words) - order + 1)]
    skip = len(words) if case.settings.max_skip is None else case.settings.max_skip
    pairs = [(words[i], words[j]) for i in range(len(words)) for j in range(i + 1, len(words)) if j - i - 1 <= skip]
    return pairs + [(word,) for word in words] * case.settings.unigrams


def summed(case):
    k = case.times("sum")
    ours, theirs = all_of(case.candidate, case), all_of(case.references[k], case)
    return number_is(sum(min(ours.count(one), theirs.count(one)) for one in {*ours}))


def pair_matches(case):
    """Whether one more pair may match, or be left out, so that as many match as both sides have."""
    k, candidate = case.times("sum"), case.candidate
    first, second = (int(place) - 1 for place in case.question.text.split("words ")[1].split(",")[0].split(" and "))
    pair = candidate[first], candidate[second]
    best = min(all_of(candidate, case).count(pair), all_of(case.references[k], case).count(pair))
    places = [(i, j) for j in range(len(candidate)) for i in range(j) if j - i - 1 <= reach(case)]
    places = [(i, j) for i, j in places if (candidate[i], candidate[j]) == pair]
    taken = [mark for mark in case.taken if isinstance(mark, SkipBigram) and mark.first.k == k]
    count = sum((mark.first.i, mark.second.i) in places for mark in taken)
    after = sum(place > (first, second) for place in places)
    good = {"it matches"} if count < best else set()
    if not best:
        good.add("none: it is not there")
    elif count + after >= best:
        good.add("none: it is clipped")
    return chosen(case.question, lambda text: text in good)


ROUGE_N = {**ROUGE, **dict.fromkeys(["match", "clip", "none"], rouge_n_placed), "sum": summed}
ROUGE_S = {
    **ROUGE,
    **dict.fromkeys(["match", "clip", "none"], pair_matches),
    "word": lambda case: placed(case, 1, {case.times("sum"): case.references[case.times("sum")]}),
    "sum": summed,
}

# ---------------------------------------------------------------- PER


def per_word(case):
    k, i = case.times("rate"), start_of(case.step.considered[0])
    used = {mark.j for mark in case.taken if mark.k == k}
    free = [j for j, other in enumerate(case.references[k]) if other == case.candidate[i] and j not in used]
    return lambda answer: answer in ([f"r{k}_{j}" for j in free] or ["0"])


def per_left(case):
    bag = [*case.references[case.times("rate")]]
    for word in case.candidate:
        if word in bag:
            bag.remove(word)
    return chosen(case.question, lambda text: text == (f"“{' '.join(sorted(bag))}”" if bag else "nothing"))


PER = {
    "pair": per_word,
    "left": per_word,
    "rate": per_left,
    "best": best_references(lambda case, k: case.score(k).score, low=True),
    "result": lambda case: number_is(case.score().score),
}

# ---------------------------------------------------------------- WER


def wer_back(case):
    """The last edits of all shortest scripts that begin with the hits that are taken already."""
    a, b = begun(case)
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest = case.references[case.k]
    while start > 0 and case.candidate[:start] != rest[:start]:
        start -= 1
    x, y = a[start:], b[start:]
    good = set()
    if x and y and slow.distance(x[:-1], y[:-1]) + (x[-1] != y[-1]) == slow.distance(x, y):
        good.add("↖")
    if x and slow.distance(x[:-1], y) + 1 == slow.distance(x, y):
        good.add("↑")
    if y and slow.distance(x, y[:-1]) + 1 == slow.distance(x, y):
        good.add("←")
    return chosen(case.question, lambda text: text[0] in good)


def rate_of(case, k):
    return slow.distance(case.candidate, case.references[k]) / (len(case.references[k]) or 1)


WER = {
    "hit": lambda case: number_is(slow.distance(*begun(case))),
    "edit": lambda case: number_is(slow.distance(*begun(case))),
    "rate": lambda case: number_is(rate_of(case, case.times("rate"))),
    "best": best_references(rate_of, low=True),
    "result": lambda case: number_is(case.score().score),
    **dict.fromkeys(["ends", "deletion", "insertion", "diagonal"], wer_back),
}

# ---------------------------------------------------------------- RIBES


def ribes_word(case):
    """The reference and the word that are looked up: every word of the candidate has one step of these in each."""
    return divmod(case.times("once", "found", "none", "absent"), len(case.candidate))


def ribes_aligned(case):
    k, i = ribes_word(case)
    j = slow.ribes_place(case.candidate, case.references[k], i)
    return lambda answer: answer == ("0" if j is None else f"r{k}_{j}")


def ribes_grown(case):
    k, i = ribes_word(case)
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    assert case.candidate[i] in words
    return number_is(len(slow.times(words, case.references[k])))


def ribes_pairs(case):
    k = case.times("each")
    places = slow.ribes_places(case.candidate, case.references[k])
    t = 1
    for step in reversed(case.before):
        if step.line != case.step.line:
            break
        t += 1
    return number_is(sum(j < places[t] for j in places[:t]))


def ribes_numbers(case):
    k = case.times("each")
    n, m = len(case.candidate), len(case.references[k])
    places = slow.ribes_places(case.candidate, case.references[k])
    pairs = [(a, b) for t, b in enumerate(places) for a in places[:t]]
    return {
        "kendall": sum(a < b for a, b in pairs) / len(pairs) if pairs else len(places),
        "precision": len(places) / n if n else 0.0,
        "brevity": min(1.0, math.exp(1 - m / n)) if n else 0.0,
        "each": case.score(k).score,
    }[case.line]


RIBES = {
    **dict.fromkeys(["once", "found", "none", "absent"], ribes_aligned),
    "grow": ribes_grown,
    "pairs": ribes_pairs,
    **dict.fromkeys(["kendall", "precision", "brevity", "each"], lambda case: number_is(ribes_numbers(case))),
    "score": best_references(lambda case, k: case.score(k).score),
}

# ---------------------------------------------------------------- the tests

#: The rules of ROUGE for several references.
SEVERAL = [
    {"multi_reference": "jackknife"},
    {"multi_reference": "sum", "beta": 2.0},
    {"multi_reference": "best"},
    {"multi_reference": "best_recall", "f_measure": "lin_och"},
]

#: For each metric the rules by line, and the settings to try.
RULES = {
    "gtm": (GTM, [{}, {"exponent": 1.0}, {"solver": "exact"}, {"solver": "exact", "exponent": 3.0}]),
    "rouge_l": (
        ROUGE_L,
        [{}, {"multi_reference": "jackknife"}, {"multi_reference": "sum", "beta": 2.0}, {"multi_reference": "best"}],
    ),
    "wer": (WER, [{}]),
    "per": (PER, [{}]),
    "bleu": (BLEU, [{}, {"smoothing": "exp"}, {"max_order": 2, "smoothing": "add_k"}, {"effective_order": True}]),
    "nist": (NIST, [{"max_order": 2}, {}]),
    "rouge_n": (ROUGE_N, [{}, {"order": 2}, *SEVERAL]),
    "rouge_s": (ROUGE_S, [{}, {"unigrams": True, "max_skip": 1}, *SEVERAL]),
    "ribes": (RIBES, [{}]),
}

#: Sentences that are asked what random ones seldom are.
MORE = {
    "gtm": [
        (("b", "a", "a", "b", "b", "a"), (("b", "a", "b", "b", "a"),)),
        (tuple("aacacc"), (tuple("bccca"), tuple("cbc"))),
    ],
}

#: Decisions that are asked only where some answer would be wrong.
SOMETIMES = {("gtm", "branch")}


@pytest.mark.parametrize("key", RULES)
def test_every_answer_is_judged_as_the_slow_rule_does(key):
    rules, settings = RULES[key]
    rng = random.Random(key)
    met = Counter()
    tried = [(random_segment(rng, most=6, references=2), settings[turn % len(settings)]) for turn in range(40)]
    tried += [(segment, given) for segment in MORE.get(key, []) for given in settings]
    for segment, given in tried:
        for case in cases(key, segment, given):
            if case.question is None:
                assert case.step.decision is None or (key, case.line) in SOMETIMES, (segment, case.step.text)
                continue
            met[case.line] += 1
            check(case, rules[case.line](case))
    assert {*met} == {*rules}, "a line is never asked about"


def check(case, accepts):
    question = case.question
    where = case.key, case.segment, case.step.text, question.text
    shown = metrics.judge(question, question.shows)
    assert shown.how == "right", (*where, question.shows, shown)
    assert accepts(question.shows), (*where, question.shows)
    assert len(question.text) <= 95, question.text
    for answer in answers(case):
        verdict = metrics.judge(question, answer)
        assert (verdict.how != "no") == bool(accepts(answer)), (*where, answer, verdict)
        assert 0 < len(verdict.because) <= 110, verdict.because
        assert verdict.because.isprintable()
    check_marks(case)


def check_marks(case):
    """Every verdict's marks lie inside, and a page reads the same from plain data."""
    question = case.question
    plain = to_dict(question)
    assert json.loads(json.dumps(plain)) == plain
    verdicts = [*question.verdicts.values(), question.otherwise, *[value.verdict for value in question.values]]
    for verdict in verdicts:
        assert 0 < len(verdict.because) <= 110, verdict.because
        for mark in verdict.marks:
            for i, k, j in mark.cells():
                assert 0 <= i < len(case.candidate) and 0 <= j < len(case.references[k])


def test_a_long_word_does_not_make_a_verdict_long():
    long = "incomprehensibilities" * 3
    segment = ((long, "a", long, "b", long + "s"), ((long, long, "b", "a"), (long, "a", long)))
    for key in RULES:
        for case in cases(key, segment, {}):
            if case.question is not None:
                assert len(case.question.text) <= 95, case.question.text
                check_marks(case)


def test_what_comes_again_is_asked_as_often_as_one_wants():
    words = "the cat the dog sat on the mat".split()
    few, many = (
        sum(question is not None for _, question in metrics.ask("rouge_l", words, [words[::-1]], every=every))
        for every in (1000, 1)
    )
    assert few < 20 < 64 < many
    with pytest.raises(ValueError, match="every must be at least 1"):
        metrics.ask("rouge_l", words, [words], every=0)


def test_answers_are_sets():
    (question,) = [
        question
        for _, question in metrics.ask("rouge_l", tuple("abc"), [tuple("abc")])
        if question and question.kind == "cells"
    ]
    assert metrics.judge(question, " 2,0,2 0,0,0  1,0,1 1,0,1 ").how == "right"
    assert canonical(question.shows) == question.shows
    assert metrics.judge(question, "").how == "no"
    assert "2" in metrics.judge(question, "0,0,0 1,0,1").because
