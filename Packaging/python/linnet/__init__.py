# SPDX-License-Identifier: Apache-2.0

"""Encodes and decodes AAC in memory, AAC-LC, HE-AAC and HE-AAC v2 in ADTS, M4A, CAF and LOAS; converts sample rates.

Samples are 16-bit integers in native order, interleaved in the order of WAV files: bytes, an array or anything else with a buffer.

    with wave.open("song.wav") as file:
        song = linnet.encode(file.readframes(file.getnframes()), file.getframerate(), file.getnchannels(), bit_rate=128_000)
    audio = linnet.decode(song)
    slow = linnet.resample(audio.samples, audio.sample_rate, 16_000, audio.channels)

Functions may be called from several threads at a time.
"""

from __future__ import annotations

import ctypes
from array import array
from ctypes import POINTER, byref, c_int, c_int16, c_int64, c_size_t, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Audio", "Error", "decode", "encode", "resample"]

# Generated from linnet.h by Scripts/Make/bindings: lists
_NAMES = {
    "profile": {"lc": 0, "he": 1, "he-v2": 2, "auto": 3, "ld": 4, "eld": 5},
    "rate_control": {"average": 0, "constant": 1, "variable": 2},
    "effort": {"fast": 0, "balanced": 1, "best": 2},
    "signaling": {"implicit": 0, "compatible": 1, "explicit": 2},
    "low_delay_sbr": {"auto": 0, "off": 1, "single": 2, "dual": 3},
    "format": {"unknown": 0, "adts": 1, "loas": 2, "m4a": 3, "fragmented-m4a": 4, "caf": 5, "ts": 6, "other": 7, "matroska": 8},
}
_QUALITIES = ("minimum", "low", "medium", "high", "maximum")
_FIELDS = (
    "size", "sample_rate", "channels", "profile", "rate_control", "bit_rate", "quality", "peak_bit_rate", "effort", "bandwidth",
    "signaling", "silences_invalid", "low_delay", "frame_length", "no_noise_substitution", "dab_bit_rate", "dab_pad", "low_delay_sbr",
)
# End of the generated part
_LARGEST_UNIT = 2048 * 48


class Error(Exception):
    """An error of the codec or a container; the code is from linnet.h."""

    def __init__(self, code: int, step: str) -> None:
        super().__init__(f"{step}: {_library.linnet_error_text(code).decode()}")
        self.code = code


class Audio(NamedTuple):
    """Decoded audio."""

    samples: bytes
    """16-bit integers in native order, interleaved."""
    sample_rate: int
    """The sample rate in hertz."""
    channels: int
    """1 to 8, in WAV order."""
    damaged: int
    """The number of damaged access units; their audio is concealed."""


class _Settings(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in _FIELDS]


class _Unit(ctypes.Structure):
    _fields_ = [("bytes", POINTER(c_uint8)), ("size", c_size_t), ("time", c_int64), ("duration", c_uint32),
                ("sample_rate", c_uint32), ("blocks", c_uint32)]


class _Trim(ctypes.Structure):
    _fields_ = [("priming", c_int64), ("valid", c_int64), ("padding", c_int64)]


class _Audio(ctypes.Structure):
    _fields_ = [("samples", POINTER(ctypes.c_float)), ("frames", c_uint32), ("channels", c_uint32), ("sample_rate", c_uint32),
                ("damaged", c_uint32), ("used", c_size_t)]


class _ReaderInformation(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("format", c_uint32), ("sample_rate", c_uint32), ("channels", c_uint32), ("units", c_int64),
                ("trim", _Trim)]


def _load() -> ctypes.CDLL:
    """Loads the library next to this file, and declares the functions used."""
    library = ctypes.CDLL(str(Path(__file__).with_name("liblinnet.so.0")))
    library.linnet_error_text.restype = ctypes.c_char_p
    library.linnet_error_text.argtypes = [c_int]

    def check(result: int, function: Callable[..., Any], arguments: object) -> int:
        if result != 0:
            raise Error(result, function.__name__)
        return result

    data = POINTER(POINTER(c_uint8))
    functions = {
        "encoder_settings_init_sized": [POINTER(_Settings), c_uint32, c_uint32, c_uint32],
        "encoder_create": [POINTER(_Settings), POINTER(c_void_p)],
        "encoder_configuration": [c_void_p, data, POINTER(c_size_t)], "encoder_trim": [c_void_p, POINTER(_Trim)],
        "encoder_write_int16": [c_void_p, c_void_p, c_size_t, POINTER(c_size_t)], "encoder_finish": [c_void_p],
        "encoder_next": [c_void_p, POINTER(_Unit)],
        "writer_create": [c_uint32, POINTER(c_uint8), c_size_t, c_uint32, POINTER(c_void_p)],
        "writer_append": [c_void_p, POINTER(_Unit)], "writer_finish": [c_void_p, POINTER(_Trim)],
        "writer_bytes": [c_void_p, data, POINTER(c_size_t)],
        "reader_open_memory": [c_void_p, c_size_t, POINTER(c_void_p)],
        "reader_information_get": [c_void_p, POINTER(_ReaderInformation)],
        "reader_configuration": [c_void_p, data, POINTER(c_size_t)], "reader_next": [c_void_p, POINTER(_Unit)],
        "decoder_create": [POINTER(c_uint8), c_size_t, c_uint32, POINTER(c_void_p)],
        "decoder_decode": [c_void_p, c_void_p, c_size_t, POINTER(_Audio)], "decoder_int16": [c_void_p, c_void_p, c_size_t],
        "resampler_create": [c_uint32, c_uint32, c_uint32, c_uint32, POINTER(c_void_p)], "resampler_finish": [c_void_p],
        "resampler_process": [c_void_p, c_void_p, c_size_t, POINTER(c_size_t), c_void_p, c_size_t, POINTER(c_size_t)],
    }
    for name, arguments in functions.items():
        function = getattr(library, f"linnet_{name}")
        function.argtypes = arguments
        function.errcheck = check
    for name in ("encoder_destroy", "writer_destroy", "decoder_destroy", "reader_close", "resampler_destroy"):
        function = getattr(library, f"linnet_{name}")
        function.argtypes = [c_void_p]
        function.restype = None
    return library


_library = _load()


# Generated from linnet.h by Scripts/Make/bindings: function
def encode(
    samples: bytes, sample_rate: int, channels: int, *, format: str = "m4a", profile: str = "lc", rate_control: str | None = None,
    bit_rate: int | None = None, quality: int | None = None, peak_bit_rate: int | None = None, effort: str = "balanced",
    bandwidth: int | None = None, signaling: str = "compatible", silences_invalid: bool = False, low_delay: bool = False,
    frame_length: int | None = None, no_noise_substitution: bool = False, dab_bit_rate: int | None = None, dab_pad: int | None = None,
    low_delay_sbr: str = "auto",
) -> bytes:
    """Encodes samples and returns the bytes of the file.

    :param samples: Interleaved 16-bit integers.
    :param format: "adts", "loas", "m4a", "fragmented-m4a", "caf", "ts".
    :param sample_rate: Hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000.
    :param channels: 1 to 6, or 8, in WAV channel order.
    :param profile: Default "lc"; "auto" chooses by bit rate.
    :param rate_control: Default "average"; "variable" if there is a quality.
    :param bit_rate: Bits per second; 0: about 64 kbit/s per channel at 48 kHz.
    :param quality: 0 to 100, for "variable".
    :param peak_bit_rate: Bits per second; the maximum rate of any access unit; 0: the standard's limit.
    :param effort: CPU time spent on quality; default "balanced".
    :param bandwidth: Hertz, for AAC-LC only; 0: from the bit rate.
    :param signaling: SBR signaling in the AudioSpecificConfig; default "compatible".
    :param silences_invalid: True: infinite and NaN samples become zero; false: they are an error.
    :param low_delay: True: AAC-LC without look-ahead, with a delay of frame_length sample frames; false: with look-ahead.
    :param frame_length: Core sample frames per access unit: 1024 or 960.
    :param no_noise_substitution: True: no perceptual noise substitution (PNS), as MPEG-2 AAC requires; false: PNS where it is better.
    :param dab_bit_rate: Bits per second of a DAB+ sub-channel, 8000 to 192000; 0: not for DAB+.
    :param dab_pad: Bytes reserved for PAD in each DAB+ access unit: 0, 2 to 198.
    :param low_delay_sbr: SBR of AAC-ELD; default "auto", which chooses by bit rate.
    :raises Error: If the settings are not supported.
    :raises ValueError: If a name is unknown, both bit rate and quality are given, or the last frame is incomplete.
    """
    # End of the generated part
    given = dict(locals())
    given["rate_control"] = rate_control or ("average" if quality is None else "variable")
    for name, values in _NAMES.items():
        if given[name] not in values:
            raise ValueError(f"{name} is {given[name]!r}, not one of {', '.join(values)}")
    if bit_rate is not None and quality is not None:
        raise ValueError("there is a bit rate or a quality, not both")
    memory = _frames(samples, channels)
    settings, encoder, writer = _Settings(), c_void_p(), c_void_p()
    _library.linnet_encoder_settings_init_sized(byref(settings), ctypes.sizeof(settings), sample_rate, channels)
    for field in _FIELDS[3:]:
        if given[field] is not None:
            setattr(settings, field, _NAMES[field][given[field]] if field in _NAMES else int(given[field]))
    data, size, unit, taken, trim = POINTER(c_uint8)(), c_size_t(), _Unit(), c_size_t(), _Trim()
    _library.linnet_encoder_create(byref(settings), byref(encoder))
    try:
        _library.linnet_encoder_configuration(encoder, byref(data), byref(size))
        _library.linnet_writer_create(_NAMES["format"][format], data, size, 0, byref(writer))

        def drain() -> None:
            while _library.linnet_encoder_next(encoder, byref(unit)) == 0 and unit.size > 0:
                _library.linnet_writer_append(writer, byref(unit))

        buffer = ctypes.create_string_buffer(memory.tobytes(), len(memory))
        frames, done = len(memory) // (2 * channels), 0
        while done < frames:
            address = ctypes.addressof(buffer) + done * 2 * channels
            _library.linnet_encoder_write_int16(encoder, address, frames - done, byref(taken))
            done += taken.value
            drain()
        _library.linnet_encoder_finish(encoder)
        drain()
        _library.linnet_encoder_trim(encoder, byref(trim))
        _library.linnet_writer_finish(writer, byref(trim))
        _library.linnet_writer_bytes(writer, byref(data), byref(size))
        return ctypes.string_at(data, size.value)
    finally:
        _library.linnet_encoder_destroy(encoder)
        _library.linnet_writer_destroy(writer)


def _frames(samples: bytes, channels: int) -> memoryview:
    """Returns the bytes of whole frames."""
    memory = memoryview(samples).cast("B")
    if channels < 1 or len(memory) % (2 * channels) != 0:
        raise ValueError(f"{len(memory)} bytes are not whole frames of {channels} channels")
    return memory


def resample(samples: bytes, from_rate: int, to_rate: int, channels: int, *, quality: str = "high") -> bytes:
    """Converts the sample rate and returns samples of the same duration, rounded to nearest.

    :param samples: Interleaved 16-bit integers.
    :param from_rate: The input sample rate in hertz, at least 1000.
    :param to_rate: The output sample rate in hertz, at least 1000; the ratio of the rates must be below 257.
    :param channels: 1 to 64.
    :param quality: The filter: "minimum", "low", "medium", "high", "maximum".
    :raises Error: If the rates or the channels are not supported.
    :raises ValueError: If the quality is unknown, or the last frame is incomplete.
    """
    if quality not in _QUALITIES:
        raise ValueError(f"quality is {quality!r}, not one of {', '.join(_QUALITIES)}")
    memory = _frames(samples, channels)
    resampler, taken, written = c_void_p(), c_size_t(), c_size_t()
    _library.linnet_resampler_create(from_rate, to_rate, channels, _QUALITIES.index(quality), byref(resampler))
    try:
        # The filter is linear, so that samples keep the scale of integers.
        source = array("f", array("h", memory.tobytes()))
        frames, room = len(source) // channels, 1 << 16
        target = array("f", bytes(4 * room * channels))
        parts, done, ended = array("h"), 0, False
        while True:
            address = source.buffer_info()[0] + 4 * done * channels
            _library.linnet_resampler_process(
                resampler, address, frames - done, byref(taken), target.buffer_info()[0], room, byref(written))
            done += taken.value
            parts.extend(_rounded(target[:written.value * channels]))
            if written.value == room:
                continue
            if ended:
                return parts.tobytes()
            _library.linnet_resampler_finish(resampler)
            ended = True
    finally:
        _library.linnet_resampler_destroy(resampler)


def _rounded(samples: array[float]) -> array[int]:
    """Returns the nearest integers, limited to 16 bits."""
    try:
        return array("h", map(round, samples))
    except OverflowError:
        return array("h", (max(-32768, min(32767, round(sample))) for sample in samples))


def decode(data: bytes, *, sample_rate: int | None = None) -> Audio:
    """Decodes a file, without its priming and padding if the file stores them.

    :param data: An ADTS, M4A, CAF, LOAS or MPEG-TS file.
    :param sample_rate: The output sample rate in hertz; None: the file's.
    :raises Error: If the file, its stream or the sample rate is not supported.
    """
    audio = _decode(data)
    if sample_rate is None or audio.channels == 0:
        return audio
    samples = resample(audio.samples, audio.sample_rate, sample_rate, audio.channels)
    return audio._replace(samples=samples, sample_rate=sample_rate)


def _decode(data: bytes) -> Audio:
    """Decodes a file at its own sample rate."""
    content = bytes(data)
    reader, decoder, information = c_void_p(), c_void_p(), _ReaderInformation()
    configuration, size, unit, audio = POINTER(c_uint8)(), c_size_t(), _Unit(), _Audio()
    samples = (c_int16 * _LARGEST_UNIT)()
    parts: list[bytes] = []
    damaged = 0
    _library.linnet_reader_open_memory(content, len(content), byref(reader))
    try:
        information.size = ctypes.sizeof(information)
        _library.linnet_reader_information_get(reader, byref(information))
        _library.linnet_reader_configuration(reader, byref(configuration), byref(size))
        _library.linnet_decoder_create(configuration, size, 0, byref(decoder))
        skip, left = information.trim.priming, information.trim.valid
        while _library.linnet_reader_next(reader, byref(unit)) == 0 and unit.size > 0:
            used, block = 0, 0
            while block < unit.blocks and used < unit.size:
                address = ctypes.cast(unit.bytes, c_void_p).value or 0
                _library.linnet_decoder_decode(decoder, address + used, unit.size - used, byref(audio))
                _library.linnet_decoder_int16(decoder, samples, _LARGEST_UNIT)
                damaged += audio.damaged
                first = min(skip, audio.frames)
                count = audio.frames - first if left < 0 else min(audio.frames - first, left)
                skip, left = skip - first, left if left < 0 else left - count
                frame = 2 * audio.channels
                parts.append(bytes(memoryview(samples).cast("B")[first * frame:(first + count) * frame]))
                used, block = used + audio.used, block + 1
        return Audio(b"".join(parts), audio.sample_rate, audio.channels, damaged)
    finally:
        _library.linnet_decoder_destroy(decoder)
        _library.linnet_reader_close(reader)
