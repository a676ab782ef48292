# SPDX-License-Identifier: Apache-2.0

"""Encoding: by blocks, and whole files."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_size_t, c_uint8, c_void_p
from typing import TYPE_CHECKING, Any, Union

from ._library import FIELDS, FILE_ERROR, NAMES, Error, Settings, Trim, Unit, library, unsigned
from ._samples import Input, Samples
from ._wave import write_wave

if TYPE_CHECKING:
    from types import TracebackType

Path = Union[str, "os.PathLike[str]"]

_EXTENSIONS = {
    ".m4a": "m4a", ".m4b": "m4a", ".mp4": "m4a", ".aac": "adts", ".adts": "adts", ".loas": "loas", ".latm": "loas", ".caf": "caf",
    ".ts": "ts", ".wav": "wav", ".wave": "wav",
}


def _format_of(path: Path) -> str:
    """Returns the format for the extension of a path."""
    extension = os.path.splitext(os.fspath(path))[1].lower()
    if extension not in _EXTENSIONS:
        raise ValueError(f"{extension or 'a name without an extension'} is no output format; use one of {', '.join(_EXTENSIONS)}")
    return _EXTENSIONS[extension]


class Encoder:
    """Encodes AAC by blocks, with constant memory, to a file or to bytes.

        with linnet.Encoder("book.m4b", 44_100, 2, bit_rate=64_000) as encoder:
            for block in blocks:
                encoder.write(block)

    The file replaces an existing one when it is complete; an exception in the block discards it. Use an encoder from one thread at a
    time; threads with an encoder each run in parallel.
    """

    # Generated from linnet.h by Scripts/Make/bindings: function
    def __init__(
        self, path: Path | None, sample_rate: int, channels: int, *, format: str | None = None, profile: str = "lc",
        rate_control: str | None = None, bit_rate: int | None = None, quality: int | None = None, peak_bit_rate: int | None = None,
        effort: str = "balanced", bandwidth: int | None = None, signaling: str = "compatible", silences_invalid: bool = False,
        low_delay: bool = False, frame_length: int | None = None, no_noise_substitution: bool = False, dab_bit_rate: int | None = None,
        dab_pad: int | None = None, low_delay_sbr: str = "auto", stated_loudness: int | None = None,
        access_point_interval: int | None = None,
    ) -> None:
        """Creates an encoder.

        :param path: The file to write; None: take() returns the bytes.
        :param sample_rate: Hertz: 7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000.
        :param channels: 1 to 6, or 8, in WAV channel order.
        :param format: "adts", "loas", "m4a", "fragmented-m4a", "caf", "ts"; None: from the extension of the path, ADTS without a path.
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
        :param no_noise_substitution: True: no noise substitution (PNS), as MPEG-2 AAC requires, and no noise filling; false: where it is better.
        :param dab_bit_rate: Bits per second of a DAB+ sub-channel, 8000 to 192000; 0: not for DAB+.
        :param dab_pad: Bytes reserved for PAD in each DAB+ access unit: 0, 2 to 198.
        :param low_delay_sbr: SBR of AAC-ELD; default "auto", which chooses by bit rate.
        :param stated_loudness: XHE-AAC: integrated loudness to state, 1 to 577 tenths of LUFS below 0, as 160 for -16 LUFS; 0: none.
        :param access_point_interval: XHE-AAC: longest time between units where decoding can start, in milliseconds; 0: 2000.
        :raises Error: If the settings are not supported.
        :raises OSError: If the file cannot be written.
        :raises ValueError: If a name is unknown, a number has more than 32 bits, or both bit rate and quality are given.
        """
    # End of the generated part
        given = dict(locals())
        given["format"] = format or ("adts" if path is None else _format_of(path))
        given["rate_control"] = rate_control or ("average" if quality is None else "variable")
        for name, values in NAMES.items():
            if given[name] not in values:
                raise ValueError(f"{name} is {given[name]!r}, not one of {', '.join(values)}")
        for field in FIELDS[1:]:
            if field not in NAMES and given[field] is not None:
                unsigned(field, given[field])
        if bit_rate is not None and quality is not None:
            raise ValueError("there is a bit rate or a quality, not both")
        self.sample_rate, self.channels = sample_rate, channels
        self._encoder, self._writer = c_void_p(), c_void_p()
        self._path = None if path is None else os.fspath(path)
        self._unit, self._taken = Unit(), c_size_t()
        settings = Settings()
        library.linnet_encoder_settings_init_sized(byref(settings), ctypes.sizeof(settings), sample_rate, channels)
        for field in FIELDS[3:]:
            if given[field] is not None:
                setattr(settings, field, NAMES[field][given[field]] if field in NAMES else int(given[field]))
        data, size, trim, format_number = POINTER(c_uint8)(), c_size_t(), Trim(), NAMES["format"][given["format"]]
        library.linnet_encoder_create(byref(settings), byref(self._encoder))
        try:
            library.linnet_encoder_configuration(self._encoder, byref(data), byref(size))
            library.linnet_encoder_trim(self._encoder, byref(trim))
            # For a file this only checks the settings.
            library.linnet_writer_create(format_number, data, size, trim.priming, byref(self._writer))
            if self._path is not None:
                library.linnet_writer_destroy(self._writer)
                self._writer = c_void_p()
                library.linnet_writer_open_file(
                    os.fsencode(self._path), format_number, data, size, trim.priming, byref(self._writer))
        except BaseException as error:
            code = ctypes.get_errno()
            self._destroy()
            if isinstance(error, Error) and error.code == FILE_ERROR:
                raise OSError(code, os.strerror(code), self._path) from None
            raise

    def write(self, samples: Samples) -> None:
        """Encodes samples.

        :param samples: float32 or float64 from -1 to 1, or int16, of shape (frames,) for one channel or (frames, channels): an array, or
            any buffer of interleaved float32 or int16 values.
        :raises ValueError: If the type or shape does not fit, or the encoder is closed.
        :raises Error: If a sample is infinite or NaN.
        """
        self._write(Input(samples, self.channels))

    def _write(self, samples: Input) -> None:
        if not self._encoder:
            raise ValueError("the encoder is closed")
        function = library.linnet_encoder_write_float if samples.is_float else library.linnet_encoder_write_int16
        done = 0
        while done < samples.frames:
            function(self._encoder, samples.address + done * samples.frame_size, samples.frames - done, byref(self._taken))
            done += self._taken.value
            self._drain()

    def _drain(self) -> None:
        """Moves all complete access units to the writer."""
        while library.linnet_encoder_next(self._encoder, byref(self._unit)) == 0 and self._unit.size > 0:
            library.linnet_writer_append(self._writer, byref(self._unit))

    def take(self) -> bytes:
        """Returns the bytes completed since the last call, if there is no path.

        M4A and CAF are complete only after close().
        """
        data, size = POINTER(c_uint8)(), c_size_t()
        library.linnet_writer_bytes(self._writer, byref(data), byref(size))
        return ctypes.string_at(data, size.value)

    def close(self) -> None:
        """Encodes the remaining samples and finishes the file. Further calls do nothing."""
        if not self._encoder:
            return
        trim = Trim()
        try:
            library.linnet_encoder_finish(self._encoder)
            self._drain()
            library.linnet_encoder_trim(self._encoder, byref(trim))
            library.linnet_writer_finish(self._writer, byref(trim))
        except BaseException:
            self.discard()
            raise
        library.linnet_encoder_destroy(self._encoder)
        self._encoder = c_void_p()
        if self._path is not None:
            self._destroy()

    def discard(self) -> None:
        """Closes the encoder and removes its file. An existing file remains unless the new one is complete."""
        self._destroy()

    def _destroy(self) -> None:
        encoder, writer = self._encoder, self._writer
        self._encoder, self._writer = c_void_p(), c_void_p()
        library.linnet_encoder_destroy(encoder)
        library.linnet_writer_destroy(writer)

    def __enter__(self) -> Encoder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def __del__(self) -> None:
        if getattr(self, "_writer", None) is not None:
            self._destroy()


def save(path: Path, samples: Samples, sample_rate: int, *, encoding: str | None = None, **settings: Any) -> None:
    """Writes a file, in the format of its extension: .m4a, .m4b, .mp4, .aac, .caf, .loas, .ts, .wav.

        linnet.save("song.m4a", samples, 44_100, bit_rate=128_000)

    :param samples: float32 or float64 from -1 to 1, or int16, of shape (frames,) or (frames, channels).
    :param sample_rate: Hertz.
    :param encoding: The samples of a WAV file: "int16" (default), "int24", "int32", "float32".
    :param settings: The settings of Encoder, for AAC.
    :raises Error: If the settings are not supported.
    :raises OSError: If the file cannot be written; an incomplete one is removed.
    :raises ValueError: If a name is unknown, the type or shape of the samples does not fit, or AAC has an encoding.
    """
    data = Input(samples)
    if "format" not in settings and _format_of(path) == "wav":
        if settings:
            raise ValueError(f"a WAV file has no {', '.join(settings)}")
        write_wave(path, data, sample_rate, "int16" if encoding is None else encoding)
        return
    if encoding is not None:
        raise ValueError("only WAV files have an encoding")
    with Encoder(path, sample_rate, data.channels, **settings) as encoder:
        encoder._write(data)


def encode(samples: Samples, sample_rate: int, channels: int, *, format: str = "m4a", **settings: Any) -> bytes:
    """Encodes samples and returns the bytes of the file.

    :param samples: As in Encoder.write, or bytes with interleaved int16 values.
    :param sample_rate: Hertz.
    :param channels: 1 to 6, or 8, in WAV channel order.
    :param format: "adts", "loas", "m4a", "fragmented-m4a", "caf", "ts".
    :param settings: The settings of Encoder.
    :raises Error: If the settings are not supported.
    :raises ValueError: If a name is unknown, both bit rate and quality are given, or the last frame is incomplete.
    """
    with Encoder(None, sample_rate, channels, format=format, **settings) as encoder:
        encoder._write(Input(integers(samples), channels))
        encoder.close()
        return encoder.take()


def integers(samples: Samples) -> Samples:
    """Returns bytes as int16 values, and other samples unchanged."""
    if not isinstance(samples, (bytes, bytearray)):
        return samples
    if len(samples) % 2 != 0:
        raise ValueError(f"{len(samples)} bytes are not whole int16 values")
    return memoryview(samples).cast("h")
