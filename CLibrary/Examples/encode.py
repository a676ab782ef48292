#!/usr/bin/env python3
"""Encodes a 16-bit WAV file to ADTS with ctypes, without other packages: encode.py INPUT OUTPUT [LIBRARY]"""

import ctypes
import sys
import wave
from ctypes import POINTER, byref, c_int, c_int64, c_size_t, c_uint8, c_uint32, c_void_p


class Settings(ctypes.Structure):
    """linnet_encoder_settings"""

    _fields_ = [(name, c_uint32) for name in (
        "size", "sample_rate", "channels", "profile", "rate_control", "bit_rate", "quality", "peak_bit_rate", "effort",
        "bandwidth", "signaling", "silences_invalid")]


class Unit(ctypes.Structure):
    """linnet_unit"""

    _fields_ = [("bytes", POINTER(c_uint8)), ("size", c_size_t), ("time", c_int64), ("duration", c_uint32),
                ("sample_rate", c_uint32), ("blocks", c_uint32)]


def load(path):
    """Loads the library and declares the functions used."""
    library = ctypes.CDLL(path)
    library.linnet_error_text.restype = ctypes.c_char_p
    library.linnet_error_text.argtypes = [c_int]

    def check(result, function, arguments):
        if result != 0:
            raise ValueError(f"{function.__name__}: {library.linnet_error_text(result).decode()}")
        return result

    def declare(name, *arguments):
        function = getattr(library, name)
        function.argtypes = arguments
        function.errcheck = check

    declare("linnet_encoder_settings_init", POINTER(Settings), c_uint32, c_uint32)
    declare("linnet_encoder_create", POINTER(Settings), POINTER(c_void_p))
    declare("linnet_encoder_configuration", c_void_p, POINTER(POINTER(c_uint8)), POINTER(c_size_t))
    declare("linnet_encoder_write_int16", c_void_p, c_void_p, c_size_t, POINTER(c_size_t))
    declare("linnet_encoder_finish", c_void_p)
    declare("linnet_encoder_next", c_void_p, POINTER(Unit))
    declare("linnet_writer_create", c_uint32, POINTER(c_uint8), c_size_t, c_uint32, POINTER(c_void_p))
    declare("linnet_writer_append", c_void_p, POINTER(Unit))
    declare("linnet_writer_bytes", c_void_p, POINTER(POINTER(c_uint8)), POINTER(c_size_t))
    for name in ("linnet_encoder_destroy", "linnet_writer_destroy"):
        getattr(library, name).argtypes = [c_void_p]
        getattr(library, name).restype = None
    return library


def encode(library, rate, channels, samples, output):
    """Encodes 16-bit samples in native byte order to an ADTS file."""
    settings, encoder, writer = Settings(), c_void_p(), c_void_p()
    library.linnet_encoder_settings_init(byref(settings), rate, channels)
    library.linnet_encoder_create(byref(settings), byref(encoder))
    data, size, unit, taken = POINTER(c_uint8)(), c_size_t(), Unit(), c_size_t()
    try:
        library.linnet_encoder_configuration(encoder, byref(data), byref(size))
        library.linnet_writer_create(1, data, size, 0, byref(writer))

        def drain():
            while library.linnet_encoder_next(encoder, byref(unit)) == 0 and unit.size > 0:
                library.linnet_writer_append(writer, byref(unit))

        buffer = ctypes.create_string_buffer(samples, len(samples))
        frames, done = len(samples) // (2 * channels), 0
        while done < frames:
            address = ctypes.addressof(buffer) + done * 2 * channels
            library.linnet_encoder_write_int16(encoder, address, frames - done, byref(taken))
            done += taken.value
            drain()
        library.linnet_encoder_finish(encoder)
        drain()
        library.linnet_writer_bytes(writer, byref(data), byref(size))
        with open(output, "wb") as file:
            file.write(ctypes.string_at(data, size.value))
    finally:
        library.linnet_encoder_destroy(encoder)
        library.linnet_writer_destroy(writer)


def main(arguments):
    """Runs the example."""
    if len(arguments) not in (3, 4):
        sys.exit(__doc__)
    with wave.open(arguments[1], "rb") as file:
        if file.getsampwidth() != 2:
            sys.exit("encode.py: samples of 16 bits only")
        samples = file.readframes(file.getnframes())
        library = load(arguments[3] if len(arguments) == 4 else "liblinnet.so.0")
        encode(library, file.getframerate(), file.getnchannels(), samples, arguments[2])


if __name__ == "__main__":
    main(sys.argv)
