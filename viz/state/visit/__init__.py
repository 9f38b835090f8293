"""Keep what a visitor sees and types in Streamlit's session, and in the address of the page."""
