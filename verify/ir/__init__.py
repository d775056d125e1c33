"""From text to xDSL IR and back: sources, frontends, names, places and printing."""
