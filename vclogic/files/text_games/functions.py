"""Modules of Python that rulebooks name: those that an installed package offers, and files beside trusted ones.

A rulebook may come from anybody. So a package has to offer its functions to rulebooks (by an entry point), it is
looked for where packages are installed and nowhere else, and a file beside a rulebook is run on somebody's word only.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from urllib.parse import unquote, urlsplit

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.source import read_text
from vclogic.rulebook.meaning.outside import failed

FUNCTIONS = "vclogic.functions"
"""The entry points by which a package offers modules to rulebooks."""
PYTHON = ".py"
"""What the name of a file in Python ends with."""
_TRUSTED: ContextVar[bool] = ContextVar("_TRUSTED", default=False)


@contextmanager
def trusting() -> Iterator[None]:
    """Let rulebooks run files in Python beside them; in this thread, until the end of the block."""
    before = _TRUSTED.set(True)
    try:
        yield
    finally:
        _TRUSTED.reset(before)


def is_trusted() -> bool:
    """True if rulebooks may run files beside them."""
    return _TRUSTED.get()


def beside(file: str) -> ModuleType:
    """A file in Python beside a rulebook; it is run anew each time.

    Raises:
        InputError: Nobody trusts it, it cannot be read, or it fails.
    """
    if not is_trusted():
        message = f"a rulebook runs no code: {quoted(os.path.basename(file))} is a file in Python beside it"
        help = "if you trust whoever wrote both, say --trust; the page and `serve` never run such a file"
        raise InputError(Diagnostic("not-trusted", message, help=help))
    text = read_text(file).text
    module = ModuleType(f"_vclogic_rulebook_{sha256(os.path.abspath(file).encode()).hexdigest()[:16]}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # where dataclasses look for their module
    try:
        exec(compile(text, file, "exec", dont_inherit=True), vars(module))
    except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
        raise InputError(_broken(os.path.basename(file), error, file)) from error
    return module


def installed(name: str) -> ModuleType:
    """A module that an installed package offers to rulebooks.

    Raises:
        InputError: None does, or it cannot be loaded.
    """
    offered = {p.value: d for d in distributions(path=folders()) for p in d.entry_points if p.group == FUNCTIONS}
    if name not in offered:
        known = did_you_mean(name, offered) or f"offered: {', '.join(sorted(offered)) or 'nothing so far'}"
        help = f"{known}; a package offers a module by an entry point of the group {FUNCTIONS}"
        message = f"no installed package offers functions as {quoted(name)}"
        raise InputError(Diagnostic("unknown-package", message, help=help))
    try:
        _load(name.partition(".")[0], offered[name])
    except InputError:
        raise
    except BaseException as error:  # as above
        raise InputError(_broken(name, error, None)) from error
    return module_of(name)


def module_of(name: str) -> ModuleType:
    """A module of a package that is taken at its word, as that of an installed game.

    Raises:
        InputError: It cannot be loaded.
    """
    try:
        return import_module(name)
    except BaseException as error:  # as above
        raise InputError(_broken(name, error, None)) from error


def folders() -> list[str]:
    """The folders that packages are installed in: neither the working directory nor what PYTHONPATH adds."""
    own = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()]
    own += [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    return list(dict.fromkeys(map(os.path.realpath, own)))


def _load(top: str, owner: Distribution) -> None:
    """Load the package itself, from where it is installed, whatever stands before it on `sys.path`.

    Raises:
        InputError: It is not there, or something else of its name is loaded already.
    """
    spec = PathFinder.find_spec(top, folders()) or _being_written(top, owner)
    origin = spec.origin if spec is not None else None
    if spec is None or spec.loader is None or origin is None:
        message = f"the package {quoted(top)} is not where packages are installed"
        raise InputError(Diagnostic("unknown-package", message, help="install it anew"))
    there = sys.modules.get(top)
    if there is None:
        sys.modules[top] = module = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[top]
            raise
    elif os.path.realpath(getattr(there, "__file__", None) or "") != os.path.realpath(origin):
        message = f"something else is loaded as {quoted(top)} than the package that is installed"
        raise InputError(Diagnostic("unknown-package", message, help="give one of them another name"))


def _being_written(top: str, owner: Distribution) -> ModuleSpec | None:
    """The package of somebody who works on it (`pip install -e`): in the folder that pip has noted, or below it."""
    import json

    noted = json.loads(owner.read_text("direct_url.json") or "{}")
    folder = os.path.realpath(unquote(urlsplit(str(noted.get("url", ""))).path))
    if not noted.get("dir_info", {}).get("editable"):
        return None
    spec = find_spec(top)
    inside = spec is not None and os.path.realpath(spec.origin or "").startswith(os.path.join(folder, ""))
    return spec if inside else None


def _broken(name: str, error: BaseException, file: str | None) -> Diagnostic:
    return Diagnostic("broken-function", f"{name} cannot be loaded: {failed(error, file)}", help=_FAULT)


_FAULT = "this is a mistake in the code in Python, not in the rulebook"
