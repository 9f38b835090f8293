"""The scoring of corpora, and the analysis of scores by significance tests and by the causes of differences."""
