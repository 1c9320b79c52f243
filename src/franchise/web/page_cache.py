"""What pages are made of, cached on disk beside the kernels because making it takes longer than showing it."""

import hashlib
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from franchise.engine.kernel_cache import cache_root

HOUSE = Path(__file__).parent.parent
MADE_OF = ("engine/*.py", "facts/**/*", "drawing/**/*", "web/*.py", "wording/**/*", "web/static/*.franchise")
FOLDER = "pages-"


@cache
def folder() -> Path:
    """The cache of exactly this version."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in MADE_OF for path in HOUSE.glob(pattern) if path.is_file()):
        if path.suffix != ".pyc":
            digest.update(f"{path.relative_to(HOUSE)}\n".encode() + path.read_bytes())
    return cache_root() / f"{FOLDER}{digest.hexdigest()[:16]}"


def keep(file: Path, text: str) -> None:
    """Write a file atomically; the caches of other versions are deleted."""
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(f".{os.getpid()}")
    written.write_text(text, encoding="utf-8")
    written.replace(file)
    for other in file.parent.parent.glob(f"{FOLDER}*"):
        if other != file.parent:
            shutil.rmtree(other, ignore_errors=True)


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates. Jinja2 notices when a template changes; the folder changes with everything else."""

    def __init__(self) -> None:
        super().__init__(str(folder()))

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # then it is compiled
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # then it is compiled again next time
            folder().mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)
