"""Define the states of pages, and write them into links and workspace files."""
