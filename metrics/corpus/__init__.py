"""Many segments: their statistics as arrays, what of a difference is more than chance, and what made it."""
