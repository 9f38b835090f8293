"""Write out ROUGE's score as a formula: the counts, P, R and F, for one or several references."""

from __future__ import annotations

from typing import Any

from ...formula import Expr, FormulaStep, Number, Power, Product, Quotient, Sum, Symbol, Terms, setting_number, step
from ...types import Layer, Result, Run
from .kind import RougeKind, RougeSettings


def formula(kind: RougeKind, result: Result) -> tuple[FormulaStep, ...]:
    """Return the steps of the formula: the counts as sums of their credits, then P, R and F by the settings' rule."""
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
    """Return, for each reference with layers, its count as the sum of the layers' credits.

    The count has the reference's number if several references have layers."""
    settings: Any = result.settings
    weight = kind.weight(settings)
    terms: dict[int, list[Expr]] = {}
    for t, layer in enumerate(result.layers):
        # There can be millions of credits, but few different ones: equal credits share an addend.
        kinds: dict[float, Any] = dict(zip(layer.credits, layer.credits if weight == 1 else layer.marks, strict=True))
        addends = {credit: _addend(mark, credit, weight) for credit, mark in kinds.items()}
        assert layer.k is not None
        noun, of = _noun(kind, layer, result)
        terms.setdefault(layer.k, []).append(Terms(t, [*map(addends.__getitem__, layer.credits)], noun, of))
    return {
        k: step(
            _indexed(kind.symbol, f"{k + 1}" if len(terms) > 1 else ""),
            *(layers if len(layers) == 1 else [Sum(*layers)]),
        )
        for k, layers in terms.items()
    }


def _noun(kind: RougeKind, layer: Layer, result: Result) -> tuple[str, float | None]:
    """Return what the credits of a layer count, and how many of it the candidate has.

    For a reference that decides the recall alone, it is how many that reference has."""
    recall, k = result.decides.get("recall"), layer.k or 0
    recall_only = recall == k and result.decides.get("precision") not in (None, k)
    length = len(result.segment.references[k] if recall_only else result.segment.candidate)
    return kind.noun(layer, length, result.settings)


def _addend(mark: Any, credit: float, weight: float) -> Expr:
    """Return a credit as the formula shows it: for ROUGE-W as the power of a run's length."""
    return (
        Power(Number(mark.length), setting_number(weight)) if isinstance(mark, Run) and weight != 1 else Number(credit)
    )


def _quotient(counts: list[FormulaStep], totals: list[Expr], weight: float) -> Expr:
    """Return f⁻¹(counts / totals), with numbers for whole counts and with names for ROUGE-W's."""
    tops: list[Expr] = [count.number() if weight == 1 else count.symbol() for count in counts]
    quotient = Quotient(*(args[0] if len(args) == 1 else Sum(*args) for args in (tops, totals)))
    return quotient if weight == 1 else Power(quotient, Quotient(Number(1), setting_number(weight)))


def _f_steps(precision: Expr, recall: Expr, settings: RougeSettings, number: str = "") -> tuple[FormulaStep, ...]:
    """Return the steps for P, R and F, and for β if it is computed from P and R."""
    p_step = step(_indexed("P", number), precision)
    r_step = step(_indexed("R", number), recall, same_line=True)
    p, r = p_step.symbol(), r_step.symbol()
    name = _indexed("F", number)
    if settings.f_measure == "lin_och":
        b_step = step(_indexed("β", number), Quotient(p, r), same_line=True)
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
    """Return the steps for F of the best reference, K − 1 times, plus F of the second best, divided by K."""
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


def _indexed(name: str, number: str) -> str:
    return f"{name}_{number}" if number else name
