"""Bodies of uploads -> data of tasks: files are written as they arrive, never held in memory."""

from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from dragoman.service.problems import Problem
from dragoman.service.tasks.names import safe_name
from dragoman.service.tasks.spool import SpoolWriter

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MOST_FILES = 1_000
MOST_PARTS = 2 * MOST_FILES  # files and other fields


class MultipartFiles:
    """A parser that writes the files of a multipart body to a task's data."""

    def __init__(self, content_type: str, data: SpoolWriter) -> None:
        self._data = data
        self._name, self._value = b"", b""
        self._disposition = b""
        self._is_file = self._is_whole = False
        self._parts = 0
        _, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if not boundary:
            raise _broken("it names no boundary")
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._begin_part,
            "on_part_data": self._write,
            "on_part_end": self._end_part,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._begin_data,
            "on_end": self._end,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)
        except FormParserError as error:
            raise _broken(str(error)) from error

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of the body."""
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _broken("it is not well-formed") from error

    def finish(self) -> None:
        """Refuse a body that ended too early or holds no files."""
        if not self._is_whole:
            raise _broken("it ends too early")
        if not self._data.count:
            detail = "The form holds no files; expected parts with a file name."
            raise Problem(422, "no_files", detail)

    def _begin_part(self) -> None:
        self._disposition = b""
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise Problem(413, "too_many_files", f"Found more than {MOST_PARTS:,} parts.")

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._disposition = self._value
        self._name = self._value = b""

    def _begin_data(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"filename")
        self._is_file = name is not None
        if name is None:
            return
        if self._data.count >= MOST_FILES:
            detail = f"Found more than {MOST_FILES:,} files; send them in several requests."
            raise Problem(413, "too_many_files", detail)
        self._data.open_file(safe_name(name.decode("utf-8", "replace")))

    def _write(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._data.write(data[start:end])

    def _end_part(self) -> None:
        if self._is_file:
            self._data.close_file()

    def _end(self) -> None:
        self._is_whole = True


def _broken(reason: str) -> Problem:
    detail = f"The body is no multipart/form-data: {reason}."
    return Problem(400, "broken_form", detail)
