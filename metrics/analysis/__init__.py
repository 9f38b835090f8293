"""What is made of results: the changes between two of them, the classes of their errors.

The records of metrics are handed in; nothing here looks into the catalogue.
"""
