"""The sentences that explain the results of a corpus, such as which system is better and why."""
