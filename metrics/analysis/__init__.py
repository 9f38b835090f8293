"""Analyses of results, such as the changes between two results and the classes of their errors.

The records of the metrics are passed in as arguments; nothing here imports the catalogue.
"""
