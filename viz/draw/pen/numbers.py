"""Format numbers as pages and files show them."""

from __future__ import annotations
