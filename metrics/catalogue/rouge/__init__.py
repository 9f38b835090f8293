"""The ROUGE family: what its four metrics share, and a folder for each of them."""
