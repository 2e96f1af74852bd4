"""doit commands: each is named in the entry points of the group doit.COMMAND."""
