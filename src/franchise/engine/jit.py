"""The decorators for kernels, and where their compiled code is kept.

`@kernel` compiles a function with Numba; with NUMBA_DISABLE_JIT=1 the same source runs as plain Python. What Python
calls often is a `@door`, or a `@long_door`: machine code is made for doors only, and all kernels that a door needs go
into it. Compiled code is cached in a folder named after a hash of all kernel sources and of the tool chain, so that an
edit anywhere can never meet old code (Numba itself only notices edits of the module a function stands in).
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
CACHE_VARIABLE = "FRANCHISE_CACHE_DIR"

if COMPILED:  # pragma: no cover - coverage is measured in plain mode
    import numba
    from numba.core import event

    OPTIONS: dict[str, Any] = {"error_model": "numpy"}
    # `Part` reaches into Numba and was tried with this release. With a later one every kernel is compiled by itself:
    # the same results, after a first compile that takes twice as long.
    PARTS = numba.version_info[:2] == (0, 68)


def cache_root() -> Path:
    """The folder for kernel caches: FRANCHISE_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "franchise"


def sources_hash(*folders: Path) -> str:  # pragma: no cover - compiled mode only
    """A short name for the exact text of every module in the folders and the tools that compile it."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag} {numba.__version__}".encode())
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache  # pragma: no cover - compiled mode only
def cache_folder(package: Path) -> Path | None:
    """The writable cache folder for the kernels of a package, or None (then every start compiles anew)."""
    folder = cache_root() / f"kernels-{sources_hash(*sorted({Path(__file__).parent, package}))}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        warnings.warn(
            f"the kernel cache {folder} cannot be written ({error.strerror}): every start compiles anew; "
            f"set {CACHE_VARIABLE} to a writable folder",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def kernel(function: Function) -> Function:
    """Compile a function for other kernels; leave it alone in plain mode."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        made: Any = Part(function) if PARTS else compiled(function)
        return made  # type: ignore[no-any-return]
    return function


def door(function: Function) -> Function:
    """Compile a kernel that Python calls, its code cached on disk; leave it alone in plain mode."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return compiled(function)
    return function


def long_door(function: Function) -> Function:
    """The same for what takes longer: other threads go on meanwhile. To wake them for microseconds costs more."""
    if COMPILED:  # pragma: no cover - coverage is measured in plain mode
        return compiled(function, nogil=True)
    return function


def compiled(function: Function, nogil: bool = False) -> Function:  # pragma: no cover - compiled mode only
    """The function through Numba, its code cached in the folder of its package."""
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder or "")
    try:
        compiler = _DoorCompiler if PARTS else None
        made: Any = numba.njit(cache=folder is not None, pipeline_class=compiler, nogil=nogil, **OPTIONS)(function)
    finally:
        settings.CACHE_DIR = before
    return made  # type: ignore[no-any-return]


if COMPILED:  # pragma: no cover - coverage is measured in plain mode

    class _Announcement(event.Listener):
        """Says once per process that kernels are being compiled; loading from the cache stays silent."""

        said = False

        def on_start(self, event: Any) -> None:
            module = event.data["dispatcher"].py_func.__module__
            if not self.said and module.startswith("franchise."):
                self.said = True
                print("Compiling for this machine: once, less than a minute ...", file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            """Nothing to say at the end."""

    event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


if COMPILED and PARTS:  # pragma: no cover - coverage is measured in plain mode
    from numba.core import types
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.registry import CPUDispatcher

    class Part(CPUDispatcher):
        """A kernel that is translated once and becomes machine code only as a part of doors.

        Numba would optimise each function with everything below it and make machine code of that, again on every level
        up to the door. Whole numbers of any width come in as int64, else there would be a translation for each width.
        """

        def __init__(self, function: Any) -> None:
            wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            super().__init__(function, {}, {"nopython": True, **OPTIONS, **wrappers}, _PartCompiler)

        def get_call_template(self, args: Any, kws: Any) -> Any:
            """Called for every call in a kernel, with the types of the arguments."""
            wide = (types.Integer, types.IntEnumMember)
            return super().get_call_template(tuple(types.int64 if isinstance(a, wide) else a for a in args), kws)

        def add_overload(self, cres: Any) -> None:
            """Offer a translation to other kernels, together with all it calls."""
            key = object()
            libraries = dict.fromkeys((cres.library, *cres.library._linking_libraries))
            target: Any = self.targetctx
            target.insert_user_function(key, cres.fndesc, list(libraries))
            self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=key)

        def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
            """Python calls: go through a door made for it."""
            return self.own_door

        @cached_property
        def own_door(self) -> Any:
            return compiled(self.py_func)

    class _DoorCompiler(Compiler):
        """Numba's compiler; then the parts are given what they need to print or to raise an error."""

        def compile_extra(self, func: Any) -> Any:
            made: Any = super().compile_extra(func)  # type: ignore[no-untyped-call]
            for environment in made._find_referenced_environments():
                made.library.codegen.set_env(environment.env_name, environment)
            return made

    class _PartCompiler(Compiler):
        """Numba's compiler as far as the intermediate code."""

        def define_pipelines(self) -> Any:
            state = self.state
            state.flags.no_compile = True
            state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
            return super().define_pipelines()  # type: ignore[no-untyped-call]

    class _PartLibrary(JITCodeLibrary):
        """Code that waits for a door to be linked into: nothing is linked, optimised or made of it before."""

        def finalize(self) -> None:
            self._finalized = True
