"""What is right before each step of BLEU, NIST, ROUGE-N, ROUGE-S and PER."""

from __future__ import annotations

import math

import slow
from asked import best_references, chosen, number_is, part
from rules_tables import ROUGE

from metrics.types import Edit, Hit, Run, SkipBigram

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
    marks = [mark for mark in case.taken_marks if isinstance(mark, Run | Hit) and mark.k in references]
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


BLEU = {
    **dict.fromkeys(["match", "clip", "other"], counted),
    **dict.fromkeys(
        ["precision", "smooth"], lambda case: number_is(case.score().parts[f"precision_{order_now(case)}"])
    ),
    "length": closest_length,
    "brevity": lambda case: number_is(part(case, "brevity_penalty")),
    "score": lambda case: number_is(case.score().score),
}


# ---------------------------------------------------------------- letters


def letters_now(case):
    """The n-grams of both sides of the order that chrF counts now, and those of all orders; the reference's number."""
    k = case.times("letters") - 1
    last = max(n for n, step in enumerate(case.before) if case.code.names[step.line] == "letters")
    ends = ("f_n",) if case.settings.eps_smoothing else ("recall", "out")
    order = sum(case.code.names[step.line] in ends for step in case.before[last:])
    orders = []
    for n in range(1, case.settings.char_order + 1):
        texts = ["".join(words) for words in (case.candidate, case.references[k])]
        orders.append([[text[i : i + n] for i in range(len(text) - n + 1)] for text in texts])
    for n in range(1, case.settings.word_order + 1):
        sides = (case.candidate, case.references[k])
        orders.append([[words[i : i + n] for i in range(len(words) - n + 1)] for words in sides])
    return orders, order, k


def shares(orders, side):
    """Precision or recall of each order that both sides have."""
    out = []
    for ours, theirs in orders:
        if ours and theirs:
            out.append(sum(min(ours.count(g), theirs.count(g)) for g in {*ours}) / len((ours, theirs)[side]))
    return out


def of_stretch(case):
    """How many n-grams of the candidate lie in the stretch that the question quotes, whose letters stand in a row."""
    _, order, _ = letters_now(case)
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    if order >= case.settings.char_order:
        return number_is(len(words) - order + case.settings.char_order)
    return number_is(len("".join(words)) - order)


def of_share(side):
    def rule(case):
        orders, order, _ = letters_now(case)
        return number_is(shares([orders[order]], side)[0])

    return rule


def of_mean(side):
    def rule(case):
        found = shares(letters_now(case)[0], side)
        return number_is(sum(found) / len(found))

    return rule


CHRF = {
    "match": of_stretch,
    "precision": of_share(0),
    "recall": of_share(1),
    "P": of_mean(0),
    "R": of_mean(1),
    "score": lambda case: number_is(case.score(letters_now(case)[2]).score),
    "best": best_references(lambda case, k: case.score(k).score),
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
    taken = [mark for mark in case.taken_marks if isinstance(mark, SkipBigram) and mark.first.k == k]
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
    used = {mark.j for mark in case.taken_marks if mark.k == k}
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
