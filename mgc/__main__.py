"""`python -m mgc`: the `mgc` command."""

import sys

from mgc.cli import main

sys.exit(main())
