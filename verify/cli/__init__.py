"""The command line: thin commands over the driver and the renderers."""
