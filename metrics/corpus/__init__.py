"""Scoring and analysis of many segments: statistics as arrays, tests of differences, and the causes of differences."""
