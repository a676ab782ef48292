# SPDX-License-Identifier: Apache-2.0

"""The C library: its functions, structures and errors."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Generated from linnet.h by Scripts/Make/bindings: lists
NAMES = {
    "profile": {"lc": 0, "he": 1, "he-v2": 2, "auto": 3, "ld": 4, "eld": 5, "xhe": 6},
    "rate_control": {"average": 0, "constant": 1, "variable": 2},
    "effort": {"fast": 0, "balanced": 1, "best": 2},
    "signaling": {"implicit": 0, "compatible": 1, "explicit": 2},
    "low_delay_sbr": {"auto": 0, "off": 1, "single": 2, "dual": 3},
    "format": {"unknown": 0, "adts": 1, "loas": 2, "m4a": 3, "fragmented-m4a": 4, "caf": 5, "ts": 6, "other": 7, "matroska": 8},
}
QUALITIES = ("minimum", "low", "medium", "high", "maximum")
FIELDS = (
    "size", "sample_rate", "channels", "profile", "rate_control", "bit_rate", "quality", "peak_bit_rate", "effort", "bandwidth",
    "signaling", "silences_invalid", "low_delay", "frame_length", "no_noise_substitution", "dab_bit_rate", "dab_pad", "low_delay_sbr",
    "stated_loudness", "access_point_interval",
)
# End of the generated part
FILE_ERROR = -6
"""The code if a file cannot be opened, read or written; errno has the reason."""
NO_AUDIO = -8
"""The code of a file without audio that the C library decodes."""
SAMPLE_ENCODINGS = {"uint8": 0, "int16": 1, "int24": 2, "int32": 3, "float32": 4, "float64": 5}
FLOAT_SIZE = 4


class Error(Exception):
    """An error of a file, a codec or a container."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code
        """The code from linnet.h; 0 if the C library is not the cause."""


class MissingLibrary(Error):
    """A system library is needed for the format and is not installed."""

    def __init__(self, message: str, library: str, package: str) -> None:
        super().__init__(message)
        self.library = library
        """The file name, such as "libsndfile.so.1"."""
        self.package = package
        """The Debian package."""


class DamageWarning(UserWarning):
    """Parts of a file are damaged or missing; the rest is decoded."""


def unsigned(name: str, value: int) -> int:
    """Checks that an integer has 32 bits, because ctypes drops the others."""
    if not 0 <= value < 1 << 32:
        raise ValueError(f"{name} is {value}, not from 0 to {(1 << 32) - 1}")
    return value


class Settings(ctypes.Structure):
    """linnet_encoder_settings."""

    _fields_ = [(name, c_uint32) for name in FIELDS]


class Unit(ctypes.Structure):
    """linnet_unit."""

    _fields_ = [("bytes", POINTER(c_uint8)), ("size", c_size_t), ("time", c_int64), ("duration", c_uint32),
                ("sample_rate", c_uint32), ("blocks", c_uint32)]


class Trim(ctypes.Structure):
    """linnet_trim."""

    _fields_ = [("priming", c_int64), ("valid", c_int64), ("padding", c_int64)]


class FileInformation(ctypes.Structure):
    """linnet_file_information."""

    _fields_ = [("size", c_uint32), ("format", c_uint32), ("sample_rate", c_uint32), ("channels", c_uint32), ("frames", c_int64),
                ("position", c_int64), ("damaged", c_int64), ("skipped", c_int64), ("bit_depth", c_uint32), ("reserved", c_uint32)]


class PictureInformation(ctypes.Structure):
    """linnet_picture."""

    _fields_ = [("bytes", POINTER(c_uint8)), ("size", c_size_t), ("media_type", c_char_p), ("description", c_char_p),
                ("kind", c_uint32), ("reserved", c_uint32)]


def _load() -> ctypes.CDLL:
    """Loads the library next to this file, and declares the functions used. Calls release the interpreter lock."""
    library = ctypes.CDLL(str(Path(__file__).with_name("liblinnet.so.0")), use_errno=True)
    library.linnet_error_text.restype = c_char_p
    library.linnet_error_text.argtypes = [c_int]

    def check(result: int, function: Callable[..., Any], arguments: object) -> int:
        if result != 0:
            raise Error(f"{function.__name__}: {library.linnet_error_text(result).decode()}", result)
        return result

    data, handle, size = POINTER(POINTER(c_uint8)), POINTER(c_void_p), POINTER(c_size_t)
    functions = {
        "encoder_settings_init_sized": [POINTER(Settings), c_uint32, c_uint32, c_uint32],
        "encoder_create": [POINTER(Settings), handle], "encoder_configuration": [c_void_p, data, size],
        "encoder_trim": [c_void_p, POINTER(Trim)], "encoder_write_int16": [c_void_p, c_void_p, c_size_t, size],
        "encoder_write_float": [c_void_p, c_void_p, c_size_t, size], "encoder_finish": [c_void_p],
        "encoder_next": [c_void_p, POINTER(Unit)],
        "writer_create": [c_uint32, POINTER(c_uint8), c_size_t, c_uint32, handle],
        "writer_open_file": [c_char_p, c_uint32, POINTER(c_uint8), c_size_t, c_uint32, handle],
        "writer_append": [c_void_p, POINTER(Unit)], "writer_finish": [c_void_p, POINTER(Trim)], "writer_bytes": [c_void_p, data, size],
        "file_open": [c_char_p, handle], "file_open_memory": [c_void_p, c_size_t, handle],
        "file_information_get": [c_void_p, POINTER(FileInformation)], "file_codec": [c_void_p, POINTER(c_char_p)],
        "file_read": [c_void_p, c_void_p, c_size_t, size], "file_seek": [c_void_p, c_int64],
        "tags_open": [c_char_p, handle], "tags_open_memory": [c_void_p, c_size_t, handle],
        "samples_decode": [c_uint32, c_void_p, c_size_t, c_void_p], "samples_encode": [c_uint32, c_void_p, c_size_t, c_void_p],
        "samples_mono": [c_void_p, c_size_t, c_uint32, c_void_p],
        "resampler_create": [c_uint32, c_uint32, c_uint32, c_uint32, handle], "resampler_finish": [c_void_p],
        "resampler_process": [c_void_p, c_void_p, c_size_t, size, c_void_p, c_size_t, size],
    }
    for name, arguments in functions.items():
        function = getattr(library, f"linnet_{name}")
        function.argtypes = arguments
        function.errcheck = check
    # The end of a list is not an error.
    lists: dict[str, list[Any]] = {
        "tags_text": [POINTER(c_char_p), POINTER(c_char_p)], "tags_chapter": [POINTER(c_double), POINTER(c_char_p)],
        "tags_picture": [POINTER(PictureInformation)],
    }
    for name, arguments in lists.items():
        getattr(library, f"linnet_{name}").argtypes = [c_void_p, c_size_t, *arguments]
    for name in ("encoder_destroy", "writer_destroy", "file_close", "tags_close", "resampler_destroy"):
        function = getattr(library, f"linnet_{name}")
        function.argtypes = [c_void_p]
        function.restype = None
    return library


library = _load()
