"""Score texts and remember the results."""
