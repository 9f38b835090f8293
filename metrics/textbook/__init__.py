"""The papers' algorithms as they print them, step by step: slow, and plain enough to be checked by eye."""
