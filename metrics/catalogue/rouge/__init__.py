"""Hold what the four ROUGE metrics share, with a folder for each of them."""
