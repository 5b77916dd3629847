"""`python -m apsp` is the command `apsp`."""

import sys

from apsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
