# Only what mgc uses is described; a name that is missing here is to be added from its source.
__version__: str
