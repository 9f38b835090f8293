"""Write out ROUGE's score as a formula: the counts, P, R and F, for one or several references."""

from __future__ import annotations

from typing import Any

from ...formula import CreditSum, Expr, FormulaStep, Number, Power, Product, Quotient, Sum, Symbol, setting_number, step
from ...types import Layer, Result, Run
from .kind import RougeKind, RougeSettings


def formula(kind: RougeKind, result: Result) -> tuple[FormulaStep, ...]:
    """Return the formula of a ROUGE score step by step: counts, P, R and F.

    Each count is written as the sum of its credits. With several references the steps follow the settings' rule."""
    settings: Any = result.settings
    weight = kind.weight(settings)
    counts = _count_steps(kind, result)
    candidate, references = result.segment
    n = kind.written(len(candidate), settings)
    ms = [kind.written(len(reference), settings) for reference in references]
    if settings.multi_reference == "sum":
        total = Product(Number(len(ms)), n) if len(ms) > 1 else n
        matches = [*counts.values()]
        return *matches, *_f_steps(_quotient(matches, [total], weight), _quotient(matches, ms, weight), settings)
    if settings.multi_reference == "jackknife" and len(counts) > 1:
        return _jackknife_steps(counts, n, ms, settings, weight)
    p = result.decides.get("precision", result.decides.get("score", 0))
    r = result.decides.get("recall", p)
    precision, recall = _quotient([counts[p]], [n], weight), _quotient([counts[r]], [ms[r]], weight)
    return *counts.values(), *_f_steps(precision, recall, settings)


def _count_steps(kind: RougeKind, result: Result) -> dict[int, FormulaStep]:
    """Return, by index of the reference, the step that writes its count as the sum of its layers' credits.

    Only references that decide the score have layers. If there are several, the count's name ends in the reference's
    number."""
    settings: Any = result.settings
    weight = kind.weight(settings)
    terms: dict[int, list[Expr]] = {}
    for t, layer in enumerate(result.layers):
        # There can be millions of credits, but few different ones: equal credits share an addend.
        kinds: dict[float, Any] = dict(zip(layer.credits, layer.credits if weight == 1 else layer.marks, strict=True))
        addends = {credit: _addend(mark, credit, weight) for credit, mark in kinds.items()}
        assert layer.k is not None
        noun, of = _noun_and_total(kind, layer, result)
        terms.setdefault(layer.k, []).append(CreditSum(t, [*map(addends.__getitem__, layer.credits)], noun, of))
    return {
        k: step(
            _numbered_name(kind.symbol, f"{k + 1}" if len(terms) > 1 else ""),
            *(layers if len(layers) == 1 else [Sum(*layers)]),
        )
        for k, layers in terms.items()
    }


def _noun_and_total(kind: RougeKind, layer: Layer, result: Result) -> tuple[str, float | None]:
    """Return the noun of what a layer counts, such as "2-gram", and how many of these the candidate has.

    For a layer that enters the recall alone, it is the number that the reference has."""
    recall, k = result.decides.get("recall"), layer.k or 0
    recall_only = recall == k and result.decides.get("precision") not in (None, k)
    length = len(result.segment.references[k] if recall_only else result.segment.candidate)
    return kind.noun(layer, length, result.settings)


def _addend(mark: Any, credit: float, weight: float) -> Expr:
    """Return a credit as an expression: in ROUGE-W as a power of the run's length, otherwise as a number."""
    return (
        Power(Number(mark.length), setting_number(weight)) if isinstance(mark, Run) and weight != 1 else Number(credit)
    )


def _quotient(counts: list[FormulaStep], totals: list[Expr], weight: float) -> Expr:
    """Return the expression f⁻¹(counts / totals), in which f is the identity except in ROUGE-W.

    Counts are written as numbers, in ROUGE-W by their names, because they are not whole."""
    tops: list[Expr] = [count.number() if weight == 1 else count.symbol() for count in counts]
    quotient = Quotient(*(args[0] if len(args) == 1 else Sum(*args) for args in (tops, totals)))
    return quotient if weight == 1 else Power(quotient, Quotient(Number(1), setting_number(weight)))


def _f_steps(precision: Expr, recall: Expr, settings: RougeSettings, number: str = "") -> tuple[FormulaStep, ...]:
    """Return the steps of P, R and F, and of β if the settings compute it as P/R.

    If given, `number` is a reference's number, which is added to the names."""
    p_step = step(_numbered_name("P", number), precision)
    r_step = step(_numbered_name("R", number), recall, same_line=True)
    p, r = p_step.symbol(), r_step.symbol()
    name = _numbered_name("F", number)
    if settings.f_measure == "lin_och":
        b_step = step(_numbered_name("β", number), Quotient(p, r), same_line=True)
        return p_step, r_step, b_step, step(name, _weighted_f(p, r, b_step.symbol()))
    if settings.beta == 1:
        return p_step, r_step, step(name, Quotient(Product(Number(2), p, r), Sum(p, r)))
    return p_step, r_step, step(name, _weighted_f(p, r, setting_number(settings.beta)))


def _weighted_f(p: Symbol, r: Symbol, beta: Expr) -> Expr:
    square = Power(beta, Number(2))
    return Quotient(Product(Sum(Number(1), square), p, r), Sum(r, Product(square, p)))


def _jackknife_steps(
    counts: dict[int, FormulaStep], n: Expr, ms: list[Expr], settings: RougeSettings, weight: float
) -> tuple[FormulaStep, ...]:
    """Return the steps of the mean F over the sets that each leave out one of K references.

    The best reference decides K − 1 of the sets, and the second best decides one."""
    steps: list[FormulaStep] = []
    scores: list[Expr] = []
    for k, count in counts.items():
        precision = _quotient([count], [n], weight)
        recall = _quotient([count], [ms[k]], weight)
        steps += [count, *_f_steps(precision, recall, settings, f"{k + 1}")]
        scores.append(steps[-1].symbol())
    best, second = scores
    sets = len(ms)
    often = Product(Number(sets - 1), best) if sets > 2 else best
    return *steps, step("F", Quotient(Sum(often, second), Number(sets)))


def _numbered_name(name: str, number: str) -> str:
    return f"{name}_{number}" if number else name
