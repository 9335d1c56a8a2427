"""`python -m robcogen_ros` is the command robcogen."""

import sys

from robcogen_ros.cli.main import main

sys.exit(main())
