"""The filter of the Corpus page: what it selects, and its names."""
