# SPDX-License-Identifier: Apache-2.0

"""MP3, FLAC, Ogg, AIFF and other files through the system's libsndfile."""

from __future__ import annotations

import ctypes
import os
import tempfile
from ctypes import c_char_p, c_int, c_int64, c_void_p
from typing import Any

from ._library import NO_AUDIO, Error, MissingLibrary

_LIBRARY, _PACKAGE = "libsndfile.so.1", "libsndfile1"
_READ = 0x10
_UNKNOWN_FRAMES = 1 << 62
_TYPES = {0x01: "wav", 0x02: "aiff", 0x03: "au", 0x0B: "w64", 0x13: "wavex", 0x17: "flac", 0x18: "caf", 0x20: "ogg", 0x22: "rf64", 0x23: "mp3"}
"""The major formats of sndfile.h, from bit 16."""
_CODECS = {0x10: "mu-law", 0x11: "A-law", 0x12: "IMA ADPCM", 0x13: "MS ADPCM", 0x60: "Vorbis", 0x64: "Opus", 0x80: "MP1", 0x81: "MP2",
           0x82: "MP3"}
_BIT_DEPTHS = {1: 8, 2: 16, 3: 24, 4: 32, 5: 8, 6: 32, 7: 64}


class _Information(ctypes.Structure):
    """SF_INFO."""

    _fields_ = [("frames", c_int64), ("sample_rate", c_int), ("channels", c_int), ("format", c_int), ("sections", c_int),
                ("seekable", c_int)]


def _load() -> Any:
    """Loads the library; None if it is not installed."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    library.sf_open.argtypes = [c_char_p, c_int, c_void_p]
    library.sf_open_fd.argtypes = [c_int, c_int, c_void_p, c_int]
    library.sf_strerror.argtypes = library.sf_close.argtypes = [c_void_p]
    library.sf_readf_float.argtypes = [c_void_p, c_void_p, c_int64]
    library.sf_seek.argtypes = [c_void_p, c_int64, c_int]
    library.sf_open.restype = library.sf_open_fd.restype = c_void_p
    library.sf_strerror.restype = library.sf_version_string.restype = c_char_p
    library.sf_readf_float.restype = library.sf_seek.restype = c_int64
    return library


_library = _load()


def _format_name(head: bytes) -> str | None:
    """Returns the name of a format that libsndfile reads; None if the bytes are of no such format."""
    if head.startswith(b"fLaC"):
        return "FLAC"
    if head.startswith(b"OggS"):
        return "Ogg"
    if head.startswith(b"FORM") and head[8:11] == b"AIF":
        return "AIFF"
    if head.startswith((b".snd", b"riff", b"caff", b"RIFF")):
        return {b".snd": "AU", b"riff": "W64", b"caff": "CAF"}.get(head[:4], "compressed WAV")
    if head.startswith(b"ID3") or len(head) > 2 and head[0] == 0xFF and head[1] & 0xE6 in (0xE2, 0xE4):
        return "MP3"
    return None


class SndfileSource:
    """Reads a file by libsndfile."""

    damaged = 0
    skipped = 0

    def __init__(self, source: str | bytes, head: bytes) -> None:
        """Opens a path (str) or a file in memory (bytes)."""
        name = _format_name(head)
        if name is None:
            raise Error("no AAC, Apple Lossless, WAV, MP3, FLAC, Ogg or AIFF audio; the command linnet reads more formats", NO_AUDIO)
        if _library is None:
            raise MissingLibrary(f"reading {name} needs {_LIBRARY}: install Debian's package {_PACKAGE}", _LIBRARY, _PACKAGE)
        information = _Information()
        if isinstance(source, str):
            self._handle = _library.sf_open(os.fsencode(source), _READ, ctypes.byref(information))
        else:
            with tempfile.TemporaryFile() as file:
                file.write(source)
                file.seek(0)
                # libsndfile closes the copy, also on failure.
                self._handle = _library.sf_open_fd(os.dup(file.fileno()), _READ, ctypes.byref(information), 1)
        if not self._handle:
            version = _library.sf_version_string().decode()
            if name == "MP3" and version.startswith("libsndfile-1.0."):
                raise MissingLibrary(f"reading MP3 needs libsndfile 1.1; {version} is installed", _LIBRARY, _PACKAGE)
            reason = _library.sf_strerror(None).decode().strip().rstrip(".")
            raise Error(f"{version} cannot read the {name} file: {reason}", NO_AUDIO)
        self.sample_rate, self.channels = information.sample_rate, information.channels
        self.frames: int | None = information.frames if 0 <= information.frames < _UNKNOWN_FRAMES else None
        major, minor = information.format >> 16 & 0xFFF, information.format & 0xFFFF
        self.format = _TYPES.get(major, "other")
        depth = _BIT_DEPTHS.get(minor, 0)
        self.codec = _CODECS.get(minor) or ("FLAC" if self.format == "flac" else f"PCM {depth} bits")
        self.bit_depth = depth or None
        # libsndfile estimates the length of MP3.
        self.knows_length = self.format != "mp3"

    def read_into(self, address: int, frames: int) -> int:
        """Writes float samples to memory and returns the number of frames; fewer only at the end."""
        return int(_library.sf_readf_float(self._handle, address, frames))

    def seek(self, frame: int) -> None:
        """Moves to a frame, or to the end."""
        if _library.sf_seek(self._handle, frame if self.frames is None else min(frame, self.frames), 0) < 0:
            raise Error(f"libsndfile cannot seek to frame {frame}")

    def close(self) -> None:
        """Closes the file."""
        handle, self._handle = self._handle, None
        if handle:
            _library.sf_close(handle)
