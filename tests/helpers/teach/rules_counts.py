"""The right answers at each step of BLEU, chrF, NIST, ROUGE-N, ROUGE-S and PER."""

from __future__ import annotations

import math

from metrics.types import Edit, Hit, Run, SkipBigram
from tests.helpers.teach import slow
from tests.helpers.teach.asked import accept_best_references, accept_choices, accept_number, score_part
from tests.helpers.teach.rules_tables import ROUGE

# ---------------------------------------------------------------- n-grams


def start_position(mark):
    return mark.i_start if isinstance(mark, Edit) else mark.i


def ngram_placed_rule(case, order, references):
    """Return a rule on where an n-gram may match, by counting the matches that are still possible.

    An answer is right if the total of matches can still reach the largest clipped count. `references` maps the index of
    each reference that counts to its words."""
    i, candidate = start_position(case.step.considered[0]), case.candidate
    ngram = candidate[i : i + order]
    ours = slow.occurrences(ngram, candidate)
    each = {k: slow.occurrences(ngram, reference) for k, reference in references.items()}
    most = max(map(len, each.values()))
    best = min(len(ours), most)
    if case.question.kind == "number":
        return accept_number(best)
    marks = [mark for mark in case.taken_marks if isinstance(mark, Run | Hit) and mark.k in references]
    marks = [mark for mark in marks if getattr(mark, "length", 1) == order]
    used = {(mark.k, mark.j) for mark in marks if candidate[mark.i : mark.i + order] == ngram}
    counted, after = len(used), sum(other > i for other in ours)
    good = {"1"} if not most else {"0"} if counted + after >= best else set()
    if counted < best:
        free = [(k, j) for k, places in each.items() for j in places if (k, j) not in used]
        good |= {f"{i + d},{k},{j + d}" for k, j in free for d in range(order)}
    return lambda answer: answer in good


def reference_words_by_index(case):
    return dict(enumerate(case.references))


def current_order(case):
    """Return the order of the n-grams that BLEU or NIST counts at this step."""
    return 1 + case.count_steps("precision", "smooth", "effective", "average")


def ngram_counted_rule(case):
    return ngram_placed_rule(case, current_order(case), reference_words_by_index(case))


def closest_length_rule(case):
    n = len(case.candidate)
    best = min((abs(len(r) - n), len(r)) for r in case.references)[1]
    return accept_choices(case.question, lambda text: text.split(": ")[1] == f"{best} words")


BLEU = {
    **dict.fromkeys(["match", "clip", "other"], ngram_counted_rule),
    **dict.fromkeys(
        ["precision", "smooth"], lambda case: accept_number(case.score().parts[f"precision_{current_order(case)}"])
    ),
    "length": closest_length_rule,
    "brevity": lambda case: accept_number(score_part(case, "brevity_penalty")),
    "score": lambda case: accept_number(case.score().score),
}


# ---------------------------------------------------------------- letters


def current_ngrams(case):
    """Return chrF's n-grams, the index of the order that is asked about, and the index of the current reference.

    The n-grams are a list with a pair for each order: the candidate's and the reference's n-grams."""
    k = case.count_steps("letters") - 1
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


def ngram_shares(orders, side):
    """Return the precision (`side` 0) or recall (`side` 1) of each order of which both texts have n-grams.

    `orders` holds a pair for each order: the candidate's and the reference's n-grams."""
    out = []
    for ours, theirs in orders:
        if ours and theirs:
            out.append(sum(min(ours.count(g), theirs.count(g)) for g in {*ours}) / len((ours, theirs)[side]))
    return out


def stretch_count_rule(case):
    """Return a rule for the number of n-grams in the quoted stretch of the candidate.

    Orders of letters count in the letters of the stretch joined together, orders of words in its words."""
    _, order, _ = current_ngrams(case)
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    if order >= case.settings.char_order:
        return accept_number(len(words) - order + case.settings.char_order)
    return accept_number(len("".join(words)) - order)


def share_rule(side):
    def rule(case):
        orders, order, _ = current_ngrams(case)
        return accept_number(ngram_shares([orders[order]], side)[0])

    return rule


def mean_share_rule(side):
    def rule(case):
        found = ngram_shares(current_ngrams(case)[0], side)
        return accept_number(sum(found) / len(found))

    return rule


CHRF = {
    "match": stretch_count_rule,
    "precision": share_rule(0),
    "recall": share_rule(1),
    "P": mean_share_rule(0),
    "R": mean_share_rule(1),
    "score": lambda case: accept_number(case.score(current_ngrams(case)[2]).score),
    "best": accept_best_references(lambda case, k: case.score(k).score),
}


def information_rule(case):
    """Return a rule that accepts NIST's information of the n-gram that the question quotes."""
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    a = sum(len(slow.occurrences(words, reference)) for reference in case.references)
    b = sum(len(slow.occurrences(words[:-1], reference)) for reference in case.references)
    return accept_number(math.log2(b / a))


NIST = {
    "tells": information_rule,
    **dict.fromkeys(["match", "clip", "other"], ngram_counted_rule),
    "average": lambda case: accept_number(score_part(case, f"information_{current_order(case)}")),
    "brevity": lambda case: accept_number(score_part(case, "brevity_penalty")),
    "score": lambda case: accept_number(case.score().score),
}


def rouge_n_placed_rule(case):
    k = case.count_steps("sum")
    return ngram_placed_rule(case, case.settings.order, {k: case.references[k]})


def skip_reach(case):
    return len(case.candidate) if case.settings.max_skip is None else case.settings.max_skip


def counted_units(words, case):
    """Return all n-grams or skip-bigrams that ROUGE-N or ROUGE-S counts in a sentence."""
    if case.key == "rouge_n":
        order = case.settings.order
        return [words[i : i + order] for i in range(len(words) - order + 1)]
    skip = len(words) if case.settings.max_skip is None else case.settings.max_skip
    pairs = [(words[i], words[j]) for i in range(len(words)) for j in range(i + 1, len(words)) if j - i - 1 <= skip]
    return pairs + [(word,) for word in words] * case.settings.unigrams


def matches_summed_rule(case):
    k = case.count_steps("sum")
    ours, theirs = counted_units(case.candidate, case), counted_units(case.references[k], case)
    return accept_number(sum(min(ours.count(one), theirs.count(one)) for one in {*ours}))


def pair_matches_rule(case):
    """Return a rule on whether a pair may match or be left out, by counting the matches that are still possible.

    A pair matches as often as the text has it in which it is rarer."""
    k, candidate = case.count_steps("sum"), case.candidate
    first, second = (int(place) - 1 for place in case.question.text.split("words ")[1].split(",")[0].split(" and "))
    pair = candidate[first], candidate[second]
    best = min(counted_units(candidate, case).count(pair), counted_units(case.references[k], case).count(pair))
    places = [(i, j) for j in range(len(candidate)) for i in range(j) if j - i - 1 <= skip_reach(case)]
    places = [(i, j) for i, j in places if (candidate[i], candidate[j]) == pair]
    taken = [mark for mark in case.taken_marks if isinstance(mark, SkipBigram) and mark.first.k == k]
    count = sum((mark.first.i, mark.second.i) in places for mark in taken)
    after = sum(place > (first, second) for place in places)
    good = {"it matches"} if count < best else set()
    if not best:
        good.add("none: it is in no reference")
    elif count + after >= best:
        good.add("none: it is clipped")
    return accept_choices(case.question, lambda text: text in good)


ROUGE_N = {**ROUGE, **dict.fromkeys(["match", "clip", "none"], rouge_n_placed_rule), "sum": matches_summed_rule}
ROUGE_S = {
    **ROUGE,
    **dict.fromkeys(["match", "clip", "none"], pair_matches_rule),
    "word": lambda case: ngram_placed_rule(
        case, 1, {case.count_steps("sum"): case.references[case.count_steps("sum")]}
    ),
    "sum": matches_summed_rule,
}

# ---------------------------------------------------------------- PER


def per_word_rule(case):
    k, i = case.count_steps("rate"), start_position(case.step.considered[0])
    used = {mark.j for mark in case.taken_marks if mark.k == k}
    free = [j for j, other in enumerate(case.references[k]) if other == case.candidate[i] and j not in used]
    return lambda answer: answer in ([f"r{k}_{j}" for j in free] or ["0"])


def per_words_left_rule(case):
    bag = [*case.references[case.count_steps("rate")]]
    for word in case.candidate:
        if word in bag:
            bag.remove(word)
    return accept_choices(case.question, lambda text: text == (f"“{' '.join(sorted(bag))}”" if bag else "nothing"))


PER = {
    "pair": per_word_rule,
    "left": per_word_rule,
    "rate": per_words_left_rule,
    "best": accept_best_references(lambda case, k: case.score(k).score, low=True),
    "result": lambda case: accept_number(case.score().score),
}
