"""Decodes xHE-AAC with fdk-aac's decoder, a library with a C interface, to verify it with a decoder of other authors.

    fdk.py IN.m4a OUT.wav       all frames, with the encoder delay; without limiter, loudness and dynamic range control

LINNET_FDK_AAC is the path of fdk-aac's libfdk-aac.so.2 from version 2 on, such as that of Debian's package libfdk-aac2 (section non-free),
which need not be installed.
"""
import ctypes
import os
import struct
import sys

import numpy as np

import signals

LIBRARY = os.environ.get("LINNET_FDK_AAC")
RAW_ACCESS_UNITS = 0
# AAC_PCM_LIMITER_ENABLE, AAC_DRC_REFERENCE_LEVEL and AAC_UNIDRC_SET_EFFECT: off.
SETTINGS = {0x0004: 0, 0x0202: -1, 0x0206: -1}
CAPACITY = 8 * 4096


class StreamInfo(ctypes.Structure):
    """The first fields of CStreamInfo."""

    _fields_ = [("rate", ctypes.c_int), ("frames", ctypes.c_int), ("channels", ctypes.c_int)]


def buffer_of(data):
    """Returns the arguments that pass bytes: an array of one pointer, and an array of one length."""
    data = ctypes.create_string_buffer(bytes(data), len(data))
    return (ctypes.c_void_p * 1)(ctypes.addressof(data)), (ctypes.c_uint * 1)(len(data)), data


def check(name, status):
    """Ends the program after an error."""
    if status:
        sys.exit(f"{name}: error {status:#x}")


def decoded(configuration, units):
    """Decodes access units. Returns the samples, one row of 16-bit integers per frame, and the sample rate."""
    library = ctypes.CDLL(LIBRARY)
    library.aacDecoder_Open.restype = ctypes.c_void_p
    library.aacDecoder_GetStreamInfo.restype = ctypes.POINTER(StreamInfo)
    decoder = ctypes.c_void_p(library.aacDecoder_Open(RAW_ACCESS_UNITS, 1))
    for parameter, value in SETTINGS.items():
        check("aacDecoder_SetParam", library.aacDecoder_SetParam(decoder, parameter, value))
    pointers, lengths, _ = buffer_of(configuration)
    check("aacDecoder_ConfigRaw", library.aacDecoder_ConfigRaw(decoder, pointers, lengths))
    output, parts = (ctypes.c_int16 * CAPACITY)(), []
    for index, unit in enumerate(units):
        pointers, lengths, _ = buffer_of(unit)
        left = ctypes.c_uint(len(unit))
        check("aacDecoder_Fill", library.aacDecoder_Fill(decoder, pointers, lengths, ctypes.byref(left)))
        check(f"access unit {index}", library.aacDecoder_DecodeFrame(decoder, output, CAPACITY, 0) or left.value)
        info = library.aacDecoder_GetStreamInfo(decoder).contents
        rate = info.rate
        parts.append(np.array(output[: info.frames * info.channels], np.int16).reshape(-1, info.channels))
    library.aacDecoder_Close(decoder)
    return np.concatenate(parts), rate


def access_units(data):
    """Returns the AudioSpecificConfig and the access units of an M4A file of Linnet, which stores them in one piece."""
    at = data.index(b"esds") + 8
    # ES_Descriptor, DecoderConfigDescriptor and DecoderSpecificInfo, with the bytes of the fields before the next one.
    for fields in (3, 13, 0):
        at, length = at + 1, 0
        while data[at] & 0x80:
            at, length = at + 1, length << 7 | data[at] & 0x7F
        length, at = length << 7 | data[at], at + 1 + fields
    sizes = data.index(b"stsz") + 8
    same, count = struct.unpack_from(">II", data, sizes)
    begin, units = struct.unpack_from(">I", data, data.index(b"stco") + 12)[0], []
    for size in [same] * count if same else struct.unpack_from(f">{count}I", data, sizes + 8):
        units.append(data[begin : begin + size])
        begin += size
    return data[at : at + length], units


def is_access_point(unit):
    """Returns whether an access unit is an immediate playout frame: independent, with an audio pre-roll."""
    return unit[0] & 0xC0 == 0xC0


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        samples, rate = decoded(*access_units(file.read()))
    signals.write_wav(sys.argv[2], samples / 32768, rate, "s16", 0)
