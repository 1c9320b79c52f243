"""Compilation with Numba. Importing this module takes half a second, so `jit` does it only when something is compiled.

A function that Python calls is compiled together with all kernels it needs, and cached in the folder of its package.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba.core import event, types
from numba.core.caching import UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import BaseFunction

import franchise.engine.intrinsics  # noqa: F401 - it tells Numba of them
from franchise.engine.kernel_cache import cache_folder

# No kernel allocates, so reference counts are left out: a call would update that of every array passed to it.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
# `Part` uses internals of Numba and was tested with this release. With a later one, every kernel is compiled
# separately: the results are the same, but the first compile takes twice as long.
PARTS = numba.version_info[:2] == (0, 68)


def compiled(function: Callable[..., Any], nogil: bool = False) -> Any:
    """Compile a function with Numba; its code is cached in the folder of its package."""
    folder = cache_folder(Path(function.__code__.co_filename).parent)
    settings: Any = numba.config
    before = settings.CACHE_DIR, settings.CACHE_LOCATOR_CLASSES
    settings.CACHE_DIR, settings.CACHE_LOCATOR_CLASSES = str(folder or ""), f"{__name__}.{PackageFolder.__name__}"
    try:
        pipeline = _EntryPointCompiler if PARTS else None
        return numba.njit(cache=folder is not None, pipeline_class=pipeline, nogil=nogil, **OPTIONS)(function)
    finally:
        settings.CACHE_DIR, settings.CACHE_LOCATOR_CLASSES = before


class PackageFolder(UserProvidedCacheLocator):
    """Where Numba keeps code: in the folder itself, which is named after the sources.

    Numba would add a folder named after the path of the sources, so that another copy of them would find the cache
    complete, and yet compile everything again: a server in its own process.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        return ""


def type_of(dispatcher: Any) -> Any:
    """The Numba type of a function that another one calls."""
    return types.Dispatcher(dispatcher)


def part(function: Callable[..., Any]) -> Any:
    """A kernel that other kernels call."""
    return Part(function) if PARTS else compiled(function)


class _Announcement(event.Listener):
    """Says once per process that kernels are being compiled; loading from the cache stays silent."""

    announced = False

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__
        if not self.announced and module.startswith("franchise."):
            self.announced = True
            print("Compiling for this machine (only once, less than a minute) ...", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing to announce at the end."""


event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]


def announce_nothing() -> None:
    """Compile silently: another process has said it already."""
    _Announcement.announced = True


def on_translated(tell: Callable[[str], None]) -> None:
    """After each kernel is translated, tell its name."""

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            """Nothing to report yet."""

        def on_end(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if function.__module__.startswith("franchise."):
                tell(f"{function.__module__}.{function.__name__}")

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


class Part(CPUDispatcher):
    """A kernel that is translated once and becomes machine code only as part of an entry point.

    Numba would optimise each function together with everything below it and generate machine code, again at every
    level up to the entry point. Integers of any width are passed as int64; otherwise each width would need a
    translation.
    """

    def __init__(self, function: Any) -> None:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, {}, {"nopython": True, **OPTIONS, **wrappers}, _PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Called for every call in a kernel, with the types of the arguments."""
        wide = (types.Integer, types.IntEnumMember)
        return super().get_call_template(tuple(types.int64 if isinstance(a, wide) else a for a in args), kws)

    def add_overload(self, cres: Any) -> None:
        """Offer a translation to other kernels, together with everything it calls."""
        key = object()
        libraries = dict.fromkeys((cres.library, *cres.library._linking_libraries))
        target: Any = self.targetctx
        target.insert_user_function(key, cres.fndesc, list(libraries))
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=key)


class _EntryPointCompiler(Compiler):
    """Numba's compiler; afterwards the parts are given what they need to print or to raise an error."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _EntryPointLibrary(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.library.enable_object_caching()
        return [_with_lowering(steps) for steps in super().define_pipelines()]  # type: ignore[no-untyped-call]

    def compile_extra(self, func: Any) -> Any:
        with _known_call_types():
            made: Any = super().compile_extra(func)  # type: ignore[no-untyped-call]
        for environment in made._find_referenced_environments():
            made.library.codegen.set_env(environment.env_name, environment)
        return made


@contextmanager
def _known_call_types() -> Iterator[None]:
    """While an entry point is compiled, the types of a call are looked up once.

    Numba tries all overloads of an operator every time it is used, most of them for lists, sets and text: a quarter of
    the time of a first compile. Only Numba's own functions are answered like this, and its compiler holds a lock.
    """
    numbas: Any = BaseFunction
    find = numbas.get_call_type

    def cached(function: Any, context: Any, args: Any, kws: Any) -> Any:
        key = function, tuple(args), tuple(kws.items())
        if _CALL_TYPES.get(key) is None:
            _CALL_TYPES[key] = find(function, context, args, kws)
        return _CALL_TYPES[key]

    numbas.get_call_type = cached
    try:
        yield
    finally:
        numbas.get_call_type = find


_CALL_TYPES: dict[Any, Any] = {}  # signatures by function and types of the arguments


class _PartCompiler(Compiler):
    """Numba's compiler, stopped at the intermediate code."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        return [_with_lowering(steps) for steps in super().define_pipelines()]  # type: ignore[no-untyped-call]


class _Lower(Lower):
    """Numba's translation, in which a computed index is never negative: nothing tests whether it counts from the end.

    NUMBA_BOUNDSCHECK=1 reports one that is; tests/engine/test_bounds.py plays games that way.
    """

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        return super().lower_getitem(resty, expr, value, index, self._from_0(index, signature))  # type: ignore[no-untyped-call]

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        return super().lower_setitem(target_var, index_var, value_var, self._from_0(index_var, signature))  # type: ignore[no-untyped-call]

    def _from_0(self, index: Any, signature: Any) -> Any:
        """The signature of `array[index]` with unsigned numbers in place of those that are computed."""
        array, index_type, *rest = signature.args
        if not isinstance(array, types.Array):
            return signature
        return signature.replace(args=(array, _unsigned(index_type, self.typeof(index.name)), *rest))  # type: ignore[no-untyped-call]


def _unsigned(index: Any, index_type: Any) -> Any:
    if isinstance(index_type, types.Literal):
        return index
    if isinstance(index, types.BaseTuple):
        pairs: Any = zip(index, index_type, strict=True)  # type: ignore[call-overload]
        return types.Tuple([_unsigned(part, exact) for part, exact in pairs])  # type: ignore[no-untyped-call]
    return types.uintp if isinstance(index, types.Integer) else index


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _Lowering(NativeLowering):
    """The step of the compiler that uses it."""

    _name = "franchise_lowering"
    lowering_class = _Lower


def _with_lowering(steps: Any) -> Any:
    """Numba's steps, with ours in place of its own."""
    changed = PassManager(steps.pipeline_name)  # type: ignore[no-untyped-call]
    changed.passes = [(_Lowering if step is NativeLowering else step, text) for step, text in steps.passes]
    changed.finalize()  # type: ignore[no-untyped-call]
    return changed


class _EntryPointLibrary(JITCodeLibrary):
    """Code in which the parts belong to the entry point alone.

    LLVM then inlines those with a single caller, drops arguments and results nobody needs, and with them the checks
    for errors that cannot happen.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        # once: Numba does it twice, to prune reference counts in between
        passes, builder = self._codegen._module_pass_manager()  # type: ignore[no-untyped-call]
        passes.run(self._final_module, builder)


class _PartLibrary(JITCodeLibrary):
    """Code to be linked into an entry point; until then nothing is linked, optimised or generated."""

    def finalize(self) -> None:
        self._finalized = True
