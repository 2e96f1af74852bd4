"""`python -m cost`."""

from __future__ import annotations

import sys

from cost.cli import main

if __name__ == "__main__":
    sys.exit(main())
