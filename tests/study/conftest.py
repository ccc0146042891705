"""The command line, for the tests of studies."""

from tests.cli.conftest import run as run
