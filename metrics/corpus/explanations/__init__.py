"""What is said of the results of a corpus: every sentence is a claim that a careful person would make."""
