"""The folder of a study: parts of its table as Parquet files, each written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from vclogic.errors import Diagnostic, InputError
from vclogic.studies.columns import Columns, fitting, schema

if TYPE_CHECKING:
    import pyarrow as pa

PARTS = "parts"
_ENDING = ".parquet"
_BEGUN = ".begun"
Row = dict[str, Any]


class StudyFolder:
    """A folder with the rows of a study.

    Args:
        path: The folder.

    Raises:
        InputError: It holds something else than a study.
    """

    def __init__(self, path: str):
        self.path = path
        self._parts = os.path.join(path, PARTS)
        if os.path.isdir(path) and os.listdir(path) and not os.path.isdir(self._parts):
            message = f"the folder {path!r} holds something else than a study"
            raise InputError(Diagnostic("cannot-write", message, help="name a folder that is new or empty"))

    @contextmanager
    def made(self) -> Iterator[None]:
        """Makes the folder; what is made and still empty after the block is deleted.

        Raises:
            InputError: It cannot be made.
        """
        new, above = [], self._parts
        while above and not os.path.exists(above):
            new.append(above)
            above = os.path.dirname(above)
        try:
            try:
                os.makedirs(self._parts, exist_ok=True)
            except OSError as error:
                message = f"{self.path!r} cannot be made: {error.strerror}"
                raise InputError(Diagnostic("cannot-write", message)) from error
            yield
        finally:
            for path in new:
                with suppress(OSError):
                    os.rmdir(path)

    def there(self) -> set[str]:
        """The keys of the parts that are there."""
        return {name.removesuffix(_ENDING) for name in self._names() if name.endswith(_ENDING)}

    def _names(self) -> Sequence[str]:
        return os.listdir(self._parts) if os.path.isdir(self._parts) else ()

    def write(self, key: str, rows: Sequence[Row], columns: Columns) -> None:
        """Writes a part, whole or not at all.

        Raises:
            InputError: It cannot be written, as where the disk is full, or a value does not fit into its column.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = os.path.join(self._parts, key + _ENDING)
        begun, fitted = path + _BEGUN, [fitting(row, columns) for row in rows]
        try:
            pq.write_table(pa.Table.from_pylist(fitted, schema=schema(columns)), begun)
            with open(begun, "rb+") as file:
                os.fsync(file.fileno())
            os.replace(begun, path)
        except OSError as error:
            with suppress(OSError):
                os.remove(begun)
            message = f"a part of the study cannot be written: {error.strerror or error}"
            raise InputError(Diagnostic("cannot-write", message, self.path)) from error

    def keep_only(self, keys: Collection[str]) -> int:
        """Deletes the parts that the study no longer has, and what was begun and not finished; how many parts."""
        gone = self.there() - set(keys)
        for name in self._names():
            if name.endswith(_BEGUN) or name.removesuffix(_ENDING) in gone:
                os.remove(os.path.join(self._parts, name))
        return len(gone)

    def table(self, keys: Iterable[str]) -> pa.Table:
        """The rows of some parts, in the order of their keys."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        parts = [pq.read_table(os.path.join(self._parts, key + _ENDING)) for key in keys]
        return pa.concat_tables(parts, promote_options="default") if parts else pa.table({})


def rows_of(table: pa.Table) -> Iterator[Row]:
    """The rows of a table as plain values."""
    for row in table.to_pylist():
        yield {
            name: dict(v) if isinstance(v, list) and v and isinstance(v[0], tuple) else v for name, v in row.items()
        }
