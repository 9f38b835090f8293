"""Asks students about the steps of a program, and judges their answers."""
