"""The tests; `pytest` explains failed assertions of the helpers, too."""

import pytest

pytest.register_assert_rewrite("tests.helpers")
