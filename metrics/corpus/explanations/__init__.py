"""The sentences about the results of a corpus; each is a claim that a careful person would make."""
