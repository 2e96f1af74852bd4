"""`python -m autograd`: the `autograd` command."""

import sys

from autograd.cli import main

sys.exit(main())
