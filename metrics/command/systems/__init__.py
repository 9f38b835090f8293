"""The command line for several systems: files of outputs over the same references, which is better, and why."""
