"""Source signals with a different sweep per channel, and WAV files of samples."""
import struct
import zlib

import numpy as np

# Speakers in WAV order, with the start frequency of each sweep. A sweep rises by 15 %; the next one starts 30 % higher.
SPEAKERS = "FL FR FC LFE BL BR FLC FRC BC SL SR".split()
SWEEPS = dict(zip(SPEAKERS, [300, 390, 507, 30, 659, 857, 2447, 230, 1114, 1448, 1882]))
RISE = 1.15

# Channel layouts by FFmpeg name.
LAYOUTS = {
    "mono": "FC", "stereo": "FL FR", "2.1": "FL FR LFE", "3.0": "FL FR FC", "3.0(back)": "FL FR BC", "4.0": "FL FR FC BC",
    "quad": "FL FR BL BR", "3.1": "FL FR FC LFE", "5.0": "FL FR FC BL BR", "5.0(side)": "FL FR FC SL SR", "4.1": "FL FR FC LFE BC",
    "5.1": "FL FR FC LFE BL BR", "5.1(side)": "FL FR FC LFE SL SR", "6.0": "FL FR FC BC SL SR", "6.1": "FL FR FC LFE BC SL SR",
    "7.0": "FL FR FC BL BR SL SR", "7.1": "FL FR FC LFE BL BR SL SR", "7.1(wide)": "FL FR FC LFE BL BR FLC FRC",
}
LAYOUTS = {name: speakers.split() for name, speakers in LAYOUTS.items()}
DEFAULT_LAYOUT = {1: "mono", 2: "stereo", 3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}

# Sample formats: bits, and whether they are floating point.
FORMATS = {"u8": (8, False), "s16": (16, False), "s24": (24, False), "s32": (32, False), "f32": (32, True), "f64": (64, True)}


def mask_of(layout):
    """Returns the channel mask of a layout."""
    return sum(1 << SPEAKERS.index(speaker) for speaker in LAYOUTS[layout])


def source(layout, rate, frames, form):
    """Returns a signal as an array of doubles, one row per frame, that the sample format represents exactly."""
    time = np.arange(frames) / rate
    length = max(frames / rate, 1e-3)
    noise = np.random.default_rng(zlib.crc32(f"{layout} {rate} {frames}".encode()))
    columns = []
    for speaker in LAYOUTS[layout]:
        start = SWEEPS[speaker]
        phase = 2 * np.pi * start * (time + (RISE - 1) * time * time / (2 * length))
        columns.append(0.4 * np.sin(phase) + 0.002 * noise.uniform(-1, 1, frames))
    return rounded(np.stack(columns, axis=1), form)


def rounded(samples, form):
    """Returns samples rounded to a sample format, as doubles."""
    bits, is_float = FORMATS[form]
    if is_float:
        return samples.astype(np.float32 if bits == 32 else np.float64).astype(np.float64)
    scale = 2.0 ** (bits - 1)
    return np.clip(np.rint(samples * scale), -scale, scale - 1) / scale


def encoded(samples, form):
    """Returns the bytes of samples in a sample format, little-endian."""
    bits, is_float = FORMATS[form]
    if is_float:
        return samples.astype("<f4" if bits == 32 else "<f8").tobytes()
    values = np.rint(samples * 2.0 ** (bits - 1))
    if bits == 8:
        return (values + 128).astype(np.uint8).tobytes()
    if bits == 24:
        return values.astype("<i4").reshape(-1, 1).view(np.uint8)[:, :3].tobytes()
    return values.astype(f"<i{bits // 8}").tobytes()


def write_wav(path, samples, rate, form, mask):
    """Writes a WAV file, with a channel mask for more than two channels."""
    bits, is_float = FORMATS[form]
    channels = samples.shape[1]
    code = 3 if is_float else 1
    block = channels * bits // 8
    head = struct.pack("<HHIIHH", 0xFFFE if channels > 2 else code, channels, rate, rate * block, block, bits)
    if channels > 2:
        head += struct.pack("<HHIH", 22, bits, mask, code) + bytes.fromhex("000000001000800000aa00389b71")
    data = encoded(samples, form)
    pad = b"\0" * (len(data) % 2)
    body = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", len(data)) + data + pad
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(body)) + body)


class Audio:
    """Samples as doubles, one row per frame, with sample rate and channel mask (0 if unknown)."""

    def __init__(self, samples, rate, mask=0):
        """Keeps samples, rate and mask."""
        self.samples, self.rate, self.mask = samples, rate, mask


def read_wav(data):
    """Returns the audio of a WAV file in memory, whatever length its header has; None if it is not a WAV file."""
    if len(data) < 12 or data[:4] not in (b"RIFF", b"RF64") or data[8:12] != b"WAVE":
        return None
    at, head = 12, None
    while at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        body = at + 8
        if name == b"fmt ":
            head = struct.unpack_from("<HHIIHH", data, body)
            mask = int.from_bytes(data[body + 20 : body + 24], "little") if head[0] == 0xFFFE else 0
            code = int.from_bytes(data[body + 24 : body + 26], "little") if head[0] == 0xFFFE else head[0]
        elif name == b"data":
            return Audio(decoded(data[body : body + size] if size != 0xFFFFFFFF else data[body:], code, head[5], head[1]), head[2], mask)
        at = body + size + size % 2
    return None


def decoded(data, code, bits, channels):
    """Returns little-endian PCM samples as doubles."""
    data = data[: len(data) // (channels * bits // 8) * (channels * bits // 8)]
    if code == 3:
        values = np.frombuffer(data, "<f4" if bits == 32 else "<f8").astype(np.float64)
    elif bits == 8:
        values = (np.frombuffer(data, np.uint8).astype(np.float64) - 128) / 128
    elif bits == 24:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        values = wide.view("<i4").reshape(-1).astype(np.float64) / 2.0**31
    else:
        values = np.frombuffer(data, f"<i{bits // 8}").astype(np.float64) / 2.0 ** (bits - 1)
    return values.reshape(-1, channels)


def png():
    """Returns a 90 kB picture, whose size needs more than 16 bits."""
    noise = np.random.default_rng(1).integers(0, 256, (173, 173 * 3), np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in noise)

    def chunk(name, body):
        """Returns a chunk with its checksum."""
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", 173, 173, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
