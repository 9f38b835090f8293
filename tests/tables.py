"""Run one test over a table of many small rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def every_row(names: Sequence[str], rows: Sequence[Any]) -> Callable[[Test], Test]:
    """Return a decorator like pytest's `parametrize` that makes one test of all rows with the same first value.

    Starting a test takes longer than most rows take. A note on the error names the row that fails."""
    tables: dict[Any, list[tuple[Any, ...]]] = {}
    for row in rows:
        values = tuple(getattr(row, "values", row))
        tables.setdefault(values[0], []).append(values)

    def decorate(test: Test) -> Test:
        def tried(**given: Any) -> None:
            for row in tables[given.pop(names[0])]:
                try:
                    test(**dict(zip(names, row, strict=True)), **given)
                except Exception as error:
                    error.add_note("row: " + ", ".join([f"{n}={v!r:.200}" for n, v in zip(names, row, strict=True)]))
                    raise

        kept = [p for p in inspect.signature(test).parameters.values() if p.name not in names[1:]]
        tried.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]
        tried.__name__, tried.__doc__, tried.__module__ = test.__name__, test.__doc__, test.__module__
        tried.pytestmark = list(getattr(test, "pytestmark", ()))  # type: ignore[attr-defined]
        return pytest.mark.parametrize(names[0], list(tables))(tried)

    return decorate
