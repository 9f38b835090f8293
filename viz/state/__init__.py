"""The state of pages: what a visitor typed and chose, how links and files hold it, and its results."""
