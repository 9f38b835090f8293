"""Read TOML files of examples and chapters."""
