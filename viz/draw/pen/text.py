"""Make a user's text safe to show, measure it, and find its direction; no other functions escape text."""

from __future__ import annotations
