"""The command line's systems: several files of translations over the same references, which is better, and why."""
