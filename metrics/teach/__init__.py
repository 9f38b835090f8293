"""Asks students about the steps by which a metric computes a score, makes exercises, and checks the answers."""
