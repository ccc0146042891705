"""The command line, for the tests of rules as text."""

from tests.cli.conftest import run as run
