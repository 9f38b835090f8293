"""Read typed texts: references, systems, marked errors, and what may be meant otherwise."""
