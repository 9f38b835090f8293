"""Hold what ROUGE-N, ROUGE-L, ROUGE-W and ROUGE-S share; each of them has a folder here."""
