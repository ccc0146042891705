"""An environment of its own, in which games can be installed beside this vclogic without touching it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

_SCRIPT = """#!/bin/sh
exec {python} -c 'import sys; from {module} import main; sys.exit(main())' "$@"
"""
_MODULES = {"vclogic": "vclogic.__main__", "pytest": "pytest", "pip": "pip._internal.cli.main"}


class Outside:
    """A shell in a folder, with `pip`, `vclogic` and `pytest` of an environment that sees all packages of this one.

    Args:
        folder: Where to make the environment and the folder `work`.
    """

    def __init__(self, folder: Path):
        self.folder = folder / "work"
        self.folder.mkdir()
        home = folder / "env"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True, timeout=300)
        python = home / "bin" / "python"
        found = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True, text=True, check=True, timeout=300,
        )  # fmt: skip
        ours = sysconfig.get_path("purelib")
        (Path(found.stdout.strip()) / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
        for name, module in _MODULES.items():
            script = home / "bin" / name
            script.write_text(_SCRIPT.format(python=python, module=module))
            script.chmod(0o755)
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COVERAGE", "PYTHON"))},
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it so: the build backend of this environment is used
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_QUIET": "1",
            "PIP_NO_INDEX": "1",
            "COLUMNS": "110",
        }

    def __call__(self, command: str, seconds: float = 600) -> subprocess.CompletedProcess[str]:
        """Runs a command line in the folder, standard error with standard output."""
        return subprocess.run(
            ["/bin/sh", "-c", command], cwd=self.folder, env=self._environment, text=True, timeout=seconds,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
