"""Run one test over all rows of a table of examples."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def every_row(names: Sequence[str], rows: Sequence[Any]) -> Callable[[Test], Test]:
    """Return a decorator like pytest's `parametrize`, which makes only one test of all rows with the same first value.

    `names` are the test's parameters for the columns of `rows`. Starting a test takes longer than most rows take. A
    note
    on the error names the row that fails."""
    tables: dict[Any, list[tuple[Any, ...]]] = {}
    for row in rows:
        values = tuple(getattr(row, "values", row))
        tables.setdefault(values[0], []).append(values)

    def decorate_test(test: Test) -> Test:
        def try_rows(**given: Any) -> None:
            for row in tables[given.pop(names[0])]:
                try:
                    test(**dict(zip(names, row, strict=True)), **given)
                except Exception as error:
                    error.add_note("row: " + ", ".join([f"{n}={v!r:.200}" for n, v in zip(names, row, strict=True)]))
                    raise

        kept = [p for p in inspect.signature(test).parameters.values() if p.name not in names[1:]]
        try_rows.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]
        try_rows.__name__, try_rows.__doc__, try_rows.__module__ = test.__name__, test.__doc__, test.__module__
        try_rows.pytestmark = list(getattr(test, "pytestmark", ()))  # type: ignore[attr-defined]
        return pytest.mark.parametrize(names[0], list(tables))(try_rows)

    return decorate_test
