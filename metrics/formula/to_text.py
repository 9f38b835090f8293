"""Writes formulas as plain text: on one line, with every addend, and with brackets where they are needed."""

from __future__ import annotations

from collections.abc import Sequence

from .nodes import (
    CreditSum,
    Exp,
    Expr,
    FormulaDifference,
    FormulaStep,
    FunctionCall,
    Log,
    Number,
    OperatorChain,
    Power,
    Quotient,
    SigmaSum,
    SquareRoot,
    Sum,
    Symbol,
    ValuePlace,
    label_with_space,
    needs_no_brackets,
    unwrap_single_operand,
)
from .numbers import LOWERED, RAISED, format_number


def text(of: Expr | Sequence[FormulaStep]) -> str:
    """Return an expression as plain text; or steps, one on each line, with the full-precision value at the end.

    >>> text(Quotient(Sum(Number(1), Number(2)), Number(8, says="words"))), text(Number(8, says="words"))
    ('(1 + 2)/8', '8 words')
    """
    if not isinstance(of, Expr):
        return "\n".join([f"{s.name} = " + " = ".join([*map(_plain, s.forms), repr(s.value)]) for s in of])
    return _plain(of)


def _plain(e: Expr) -> str:
    """Return an expression as plain text, without brackets around it."""
    match e:
        case Number():
            return f"{format_number(e.value, e.digits)}{label_with_space(e.says)}"
        case Symbol():
            return e.name
        case CreditSum() if e.counted:
            return f"{len(e.credits)}{label_with_space(e.value_label())}"
        case CreditSum():
            return " + ".join([_bracketed(credit, 1) for credit in e.credits])
        case OperatorChain() if len(e.args) == 1:
            return _plain(e.args[0])
        case OperatorChain():
            return (" + " if isinstance(e, Sum) else "·").join([_bracketed(arg, e.binding) for arg in e.args])
        case FormulaDifference():
            return f"{_bracketed(e.left, 1)} − {_bracketed(e.right, 2)}"
        case Quotient():
            return f"{_bracketed(e.top, 3)}/{_bracketed(e.bottom, 4)}"
        case Power():
            base, exponent = _bracketed(e.base, 5), _plain(e.exponent)
            short = all(letter in "0123456789n" for letter in exponent)
            return f"{base}{exponent.translate(RAISED)}" if short else f"{base}^{_bracketed(e.exponent, 5)}"
        case SquareRoot():
            return f"√{_bracketed(e.arg, 5)}"
        case Exp():
            return f"exp({_plain(e.arg)})"
        case Log():
            return f"log{f'{e.base:g}'.translate(LOWERED)}({_plain(e.arg)})"
        case SigmaSum():
            return f"Σ {_plain(e.arg)}"
        case FunctionCall():
            return f"{e.name}({', '.join(map(_plain, e.args))})"
    assert isinstance(e, ValuePlace)
    return ""


def _bracketed(e: Expr, binding: int) -> str:
    """Return an expression as plain text, in brackets unless its `binding` (its precedence) is above the given one."""
    e = unwrap_single_operand(e)
    if isinstance(e, CreditSum) and e.counted:
        return str(len(e.credits))
    if isinstance(e, Number):
        return format_number(e.value, e.digits)
    loose = e.binding <= binding and not needs_no_brackets(e)
    return f"({_plain(e)})" if loose and not (e.binding == binding and binding in (1, 2)) else _plain(e)
