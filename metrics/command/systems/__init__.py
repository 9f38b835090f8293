"""The command line for several systems: it scores their outputs over the same references and explains differences."""
