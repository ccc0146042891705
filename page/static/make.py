"""Makes the folder of the static page: the page, Pyodide, vclogic and what it needs. Any web server can serve it.

Usage: python page/static/make.py FOLDER

What is downloaded is checked by its hash. `make page` runs this in the environment of the tests, which has hatchling.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYODIDE = "314.0.7"
SOURCE = f"https://registry.npmjs.org/pyodide/-/pyodide-{PYODIDE}.tgz"
SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""The files of Pyodide that are needed."""
NOT_KEPT = ("offline.mjs", "files.json", "licences.txt")
"""What the service worker does not keep for the time without a network."""
BROWSER = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")  # as that Pyodide has it
LINUX = ("--platform", "manylinux2014_x86_64", "--python-version", "3.13")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
"""So that the browser asks no other machine, whatever a position holds. Pyodide compiles WebAssembly."""
ABOUT = {"backend": "worker", "folder": False}
_EPOCH = (2020, 1, 1, 0, 0, 0)  # so that the same files make the same archive


def main(folder: Path) -> None:
    """Make the folder anew.

    Args:
        folder: The folder; what it held is deleted.
    """
    with tempfile.TemporaryDirectory() as temporary:
        wheels = [*_wheels(Path(temporary))]
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE.parent / "src", folder, ignore=shutil.ignore_patterns("*.d.mts", "README.md"))
        start = folder / "index.html"
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
        start.write_text(start.read_text().replace("<title>", f"{policy}\n    <title>"))
        python = folder / "python"
        python.mkdir()
        _pyodide(python)
        version = _site(wheels, python / "site.zip")
        (folder / "licences.txt").write_text(_licences(wheels, folder))
        (folder / "about.json").write_text(
            json.dumps({**ABOUT, "version": version, "lacks": lacks(), "rulebooks": _rulebooks(folder)})
        )
        _offline(folder)


def _wheels(folder: Path) -> Iterator[Path]:
    """The wheels of what is needed, and that of vclogic."""
    for file, platform in (("wasm.txt", BROWSER), ("pure.txt", LINUX)):
        words = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        words += ["--require-hashes", "--only-binary=:all:", *platform, "-r", str(HERE / file), "-d", str(folder)]
        subprocess.run(words, check=True)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], check=True, cwd=ROOT
    )
    yield from sorted(folder.glob("*.whl"))


def _pyodide(folder: Path) -> None:
    """Download Pyodide.

    Raises:
        SystemExit: It is not the one that is meant.
    """
    with urllib.request.urlopen(SOURCE, timeout=120) as response:
        archive = response.read()
    found = hashlib.sha256(archive).hexdigest()
    if found != SHA256:
        sys.exit(f"{SOURCE} has the hash {found}, not {SHA256}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for name in NEEDED:
            member = tar.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())


def _site(wheels: list[Path], target: Path) -> str:
    """Pack the Python files of all wheels into one archive; returns the version of vclogic."""
    version = ""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as site:
        for wheel in wheels:
            name, number, *_ = wheel.name.split("-")
            version = number if name == "vclogic" else version
            with zipfile.ZipFile(wheel) as parts:
                for part in sorted(parts.namelist()):
                    if _runs(name, part):
                        site.writestr(zipfile.ZipInfo(part, _EPOCH), parts.read(part), zipfile.ZIP_DEFLATED, 9)
    return version


def _runs(name: str, part: str) -> bool:
    """Whether a part of a wheel is needed to run it in a browser; of vclogic also what names its games."""
    if name == "pyyaml":
        return part.endswith(".py")
    if name == "vclogic":
        return not part.startswith("vclogic/page/") and "/templates/" not in part
    return part.endswith((".py", "libz3.so", "wasm32-emscripten.so"))


def _licences(wheels: list[Path], folder: Path) -> str:
    """The licences of all that is in the folder."""
    texts = {"vclogic": (ROOT / "LICENSE").read_text(), "The page's libraries": ""}
    texts["The page's libraries"] = (folder / "vendor" / "LICENSES.txt").read_text()
    texts |= {f.stem: f.read_text() for f in sorted((HERE / "licences").glob("*.txt"))}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as parts:
            for part in parts.namelist():
                about, _, file = part.partition(".dist-info/")
                own = file.startswith(("licenses/", "LICENSE")) and not file.endswith("/")
                if about and own and not wheel.name.startswith("vclogic-"):
                    name = wheel.name.split("-")[0]
                    texts[name] = f"{texts.get(name, '')}\n\n{parts.read(part).decode().strip()}".strip()
    return "\n\n".join(f"==== {name}\n\n{text.strip()}" for name, text in texts.items()) + "\n"


def _rulebooks(folder: Path) -> list[dict[str, str]]:
    """Copy the examples that are rulebooks; returns their names and titles."""
    (folder / "rulebooks").mkdir()
    found = []
    for book in sorted((ROOT / "examples" / "rulebooks").glob("*.md")):
        text = book.read_text()
        (folder / "rulebooks" / book.name).write_text(text)
        found.append({"path": f"rulebooks/{book.name}", "title": text.partition("\n")[0].removeprefix("# ")})
    return found


def lacks() -> list[str]:
    """What the page cannot answer, as docs/page.md lists it: the page shows the same words."""
    section = (ROOT / "docs" / "page.md").read_text().partition("## The static page")[2]
    words = section.partition("with these exceptions")[2].partition("\n- ")[2].partition("\n\n")[0]
    return [" ".join(line.replace("**", "").rstrip(";.").split()) for line in words.split("\n- ")]


def _offline(folder: Path) -> None:
    """List the files with their hashes for the service worker, and give it a version that goes by these."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    sums = {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    version = hashlib.sha256(json.dumps(sums).encode()).hexdigest()[:16]
    worker = folder / "offline.mjs"
    worker.write_text(worker.read_text().replace('"VERSION"', json.dumps(version)))
    kept = {name: found for name, found in sums.items() if name not in NOT_KEPT}
    (folder / "files.json").write_text(json.dumps({"version": version, "files": kept}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
