"""Test that the decorator `every_row` tries each row of a table, and names the row that fails."""

from __future__ import annotations

import pytest

from tests.helpers.tables import every_row

ROWS = [("a", 1), pytest.param("b", 2), ("a", 3), ("a", 4)]


def test_every_row_is_tried_up_to_one_that_fails_and_is_named():
    tried = []

    @every_row(("key", "number"), ROWS)
    def test(key: str, number: int, least: int) -> None:
        tried.append((key, number))
        assert number > least

    assert [mark.args for mark in test.pytestmark] == [("key", ["a", "b"])]
    test(key="a", least=0)
    test(key="b", least=0)
    assert tried == [("a", 1), ("a", 3), ("a", 4), ("b", 2)]
    with pytest.raises(AssertionError) as caught:
        test(key="b", least=2)
    assert caught.value.__notes__ == ["row: key='b', number=2"]
    with pytest.raises(AssertionError):
        test(key="a", least=3)
