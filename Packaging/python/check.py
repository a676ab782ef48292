#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Checks the installed package: check.py WAV M4A LOSSLESS [PATH...].

M4A is the command's encoding of WAV at 128 kbit/s, and LOSSLESS the command's Apple Lossless. Other files, of any format, must have the
length of WAV. Run it with and without NumPy and libsndfile. The guide's recipes run if librosa and soundfile are installed.
"""

import contextlib
import math
import os
import resource
import struct
import sys
import tempfile
import threading
import tracemalloc
import warnings
import wave
from array import array

import linnet


def refuses(error, *arguments, function=linnet.encode, **settings):
    """Checks that a function raises an error."""
    try:
        function(*arguments, **settings)
    except error:
        return
    raise AssertionError(f"{arguments[1:]}, {settings} are accepted")


def sine(rate, amplitude, channels=2):
    """Returns 0.3 s of a tone of 997 Hz."""
    values = [round(amplitude * math.sin(2 * math.pi * 997 * frame / rate)) for frame in range(rate * 3 // 10)]
    return array("h", [value for each in values for value in (each, -each if each > -32768 else 32767)[:channels]])


def flat(samples):
    """Returns samples as an array of float32 values."""
    return array("f", memoryview(samples).cast("B").tobytes() if len(samples) > 0 else b"")


def difference(first, second):
    """Returns the largest difference of two sequences of the same length."""
    first, second = flat(first), flat(second)
    assert len(first) == len(second), (len(first), len(second))
    return max(map(abs, map(float.__sub__, first, second)), default=0)


def check_rates():
    """Checks the conversion of sample rates."""
    for from_rate, to_rate in ((44_100, 48_000), (48_000, 16_000), (48_000, 48_000)):
        found = array("h", linnet.resample(sine(from_rate, 20_000), from_rate, to_rate, 2))
        expected = sine(to_rate, 20_000)
        assert len(found) == len(expected), to_rate
        # Both are rounded to integers. Omits the ends, where the tone starts abruptly.
        middle = range(len(found) // 6, len(found) * 5 // 6)
        assert max(abs(found[index] - expected[index]) for index in middle) <= 2, to_rate
    # Values beyond the integer range are clipped.
    steps = array("h", ([32767] * 100 + [-32768] * 100) * 50)
    assert max(array("h", linnet.resample(steps, 8000, 48_000, 1, quality="maximum"))) == 32767
    assert linnet.resample(b"", 8000, 48_000, 1) == b""
    tone = sine(44_100, 9000)
    refuses(linnet.Error, tone, 999, 48_000, 2, function=linnet.resample)
    refuses(linnet.Error, tone, 1000, 257_000, 2, function=linnet.resample)
    refuses(linnet.Error, b"", 44_100, 48_000, 65, function=linnet.resample)
    refuses(ValueError, tone, 44_100, 48_000, 2, function=linnet.resample, quality="best")
    refuses(ValueError, tone[:-1], 44_100, 48_000, 2, function=linnet.resample)


def check_bytes(samples, rate, channels, coded):
    """Checks encoding and decoding of 16-bit integers in memory."""
    for format in ("m4a", "fragmented-m4a", "caf", "adts", "loas", "ts"):
        audio = linnet.decode(linnet.encode(samples, rate, channels, format=format, bit_rate=128_000))
        assert (audio.sample_rate, audio.channels, audio.damaged) == (rate, channels, 0), format
        # ADTS, LOAS and MPEG-TS do not store the length.
        stores_length = format in ("m4a", "fragmented-m4a", "caf")
        assert len(audio.samples) == len(samples) if stores_length else len(audio.samples) > len(samples), format
    audio, slow = linnet.decode(coded), linnet.decode(coded, sample_rate=16_000)
    assert (audio.sample_rate, audio.channels, len(audio.samples)) == (rate, channels, len(samples))
    # Rounded once instead of twice.
    expected = array("h", linnet.resample(audio.samples, rate, 16_000, channels))
    assert max(abs(a - b) for a, b in zip(array("h", slow.samples), expected)) <= 1
    assert len(slow.samples) == 2 * len(expected)
    for format in ("m4a", "caf"):
        assert linnet.decode(linnet.encode(b"", rate, channels, format=format)).samples == b"", format
    for profile in ("he", "he-v2", "auto", "xhe"):
        assert linnet.decode(linnet.encode(samples, rate, channels, bit_rate=32_000, profile=profile)).sample_rate == rate, profile
    refuses(linnet.Error, samples, 12_345, channels)
    refuses(linnet.Error, samples, rate, channels, profile="xhe", format="adts")
    refuses(ValueError, samples, rate, channels, format="mp3")
    refuses(ValueError, samples, rate, channels, bit_rate=128_000, quality=50)
    for settings in ({"bit_rate": (1 << 32) + 128_000}, {"bandwidth": -1}, {"quality": 1 << 32}):
        refuses(ValueError, samples, rate, channels, **settings)
    refuses(ValueError, samples, rate + (1 << 32), channels)
    refuses(ValueError, samples, rate, rate - (1 << 32), channels, function=linnet.resample)
    refuses(ValueError, samples[:-1], rate, channels)
    refuses(ValueError, samples[:-2], rate, channels)
    try:
        linnet.decode(b"no audio")
    except linnet.Error as error:
        assert error.code == -8
    else:
        raise AssertionError("bytes without audio are decoded")


def matroska(rate, channels, frames):
    """Returns a Matroska file with ADTS frames as AAC-LC."""
    def element(identifier, *contents):
        body = b"".join(contents)
        return bytes.fromhex(identifier) + struct.pack(">Q", 1 << 56 | len(body)) + body

    def number(identifier, value):
        return element(identifier, value.to_bytes(4, "big"))

    rates = (96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000)
    config = (2 << 11 | rates.index(rate) << 7 | channels << 3).to_bytes(2, "big")
    audio = element("E1", element("B5", struct.pack(">d", rate)), number("9F", channels))
    track = element("AE", number("D7", 1), number("73C5", 1), number("83", 2), element("86", b"A_AAC"), element("63A2", config), audio)
    blocks, offset = [], 0
    while offset < len(frames):
        length = (frames[offset + 3] & 3) << 11 | frames[offset + 4] << 3 | frames[offset + 5] >> 5
        blocks.append(element("A3", b"\x81\0\0\x80", frames[offset + 7:offset + length]))
        offset += length
    tag = element("7373", element("63C0"), element("67C8", element("45A3", b"TITLE"), element("4487", "Größe".encode())))
    header = element("1A45DFA3", element("4282", b"matroska"))
    return header + element(
        "18538067", element("1549A966", number("2AD7B1", 1_000_000)), element("1654AE6B", track), element("1254C367", tag),
        element("1F43B675", number("E7", 0), *blocks))


def check_files(path, samples, coded, lossless):
    """Checks load, probe and tags of files, and that all readers return the same samples."""
    expected, rate = linnet.load(path)
    assert rate == 44_100 and expected.shape == (len(samples) // 4, 2)
    assert difference(expected, array("f", (value / 32768 for value in array("h", samples)))) == 0
    assert difference(linnet.load(lossless)[0], expected) == 0
    information = linnet.probe(lossless)
    assert information[:5] == ("m4a", "ALAC", 44_100, 2, len(expected)) and information.bit_depth == 16
    assert linnet.probe(path).codec == "PCM int16" and abs(linnet.probe(coded).duration - len(expected) / rate) < 1e-9
    decoded, _ = linnet.load(coded)
    with open(coded, "rb") as file:
        data = file.read()
    assert difference(linnet.load(data)[0], decoded) == 0
    assert linnet.tags(coded).texts["ENCODER"][0].startswith("Linnet")
    frames = linnet.encode(samples, 44_100, 2, format="adts", bit_rate=64_000)
    film = matroska(44_100, 2, frames)
    assert difference(linnet.load(film)[0], linnet.load(frames)[0]) == 0
    assert linnet.probe(film)[:2] == ("matroska", "AAC LC") and linnet.tags(film).texts["TITLE"] == ["Größe"]
    # The signal differs by the coding noise only, whose mean is at least 20 dB below the signal's.
    noise, signal = (sum(map(abs, values)) for values in (map(float.__sub__, flat(decoded), flat(expected)), flat(expected)))
    assert 0 < noise < 0.1 * signal, noise / signal


def check_parts(coded):
    """Checks parts of files, mono, rates, and that blocks are the whole file."""
    whole, rate = linnet.load(coded)
    values = flat(whole)
    part, _ = linnet.load(coded, start=3, stop=4.5)
    assert part.shape == (66_150, 2) and difference(part, values[2 * 132_300:2 * 198_450]) < 1e-6
    assert len(linnet.load(coded, start=1e6)[0]) == 0
    mono, _ = linnet.load(coded, mono=True)
    assert mono.shape == (len(whole),)
    assert difference(mono, array("f", ((values[2 * i] + values[2 * i + 1]) / 2 for i in range(len(whole))))) < 1e-6
    slow, rate = linnet.load(coded, 16_000, mono=True)
    assert rate == 16_000 and len(slow) == round(len(whole) * 16_000 / 44_100)
    with linnet.Decoder(coded, sample_rate=16_000, mono=True, block_frames=777) as decoder:
        assert decoder.frames == len(slow)
        blocks = list(decoder)
    assert {len(block) for block in blocks[:-1]} == {777}
    joined = array("f")
    for block in blocks:
        joined.extend(flat(block))
    assert difference(joined, slow) == 0
    refuses(ValueError, coded, function=linnet.load, start=2, stop=1)
    refuses(ValueError, coded, function=linnet.load, quality="best")
    refuses(ValueError, coded, 0, function=linnet.load)
    refuses(FileNotFoundError, "missing.m4a", function=linnet.load)
    found = []
    threads = [threading.Thread(target=lambda: found.append(difference(linnet.load(coded)[0], values))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [0] * 4


def check_saving(folder, path):
    """Checks save and Encoder."""
    samples, rate = linnet.load(path)
    for name in ("a.m4a", "a.aac", "a.caf", "a.loas", "a.ts", "a.mp4"):
        target = os.path.join(folder, name)
        linnet.save(target, samples, rate, bit_rate=128_000)
        assert len(linnet.load(target)[0]) >= len(samples), name
    with linnet.Encoder(os.path.join(folder, "b.m4a"), rate, 2, bit_rate=128_000) as encoder:
        for first in range(0, len(samples), 1000):
            encoder.write(memoryview(samples)[first:first + 1000])
    with open(os.path.join(folder, "a.m4a"), "rb") as one, open(os.path.join(folder, "b.m4a"), "rb") as other:
        assert one.read() == other.read()
    with linnet.Encoder(None, rate, 2, format="adts") as encoder:
        encoder.write(samples)
        stream = encoder.take()
        encoder.close()
        stream += encoder.take()
    assert stream == linnet.encode(samples, rate, 2, format="adts")
    target = os.path.join(folder, "c.wav")
    for encoding, error in (("int16", 0), ("int24", 0), ("int32", 0), ("float32", 0)):
        linnet.save(target, samples, rate, encoding=encoding)
        assert difference(linnet.load(target)[0], samples) <= error, encoding
    linnet.save(target, samples, rate)
    with open(target, "rb") as one, open(path, "rb") as other:
        assert one.read() == other.read()
    target = os.path.join(folder, "d.m4a")
    with contextlib.suppress(KeyError), linnet.Encoder(target, rate, 2) as encoder:
        encoder.write(samples)
        raise KeyError
    assert not os.path.exists(target)
    # The file replaces an existing one when it is complete.
    linnet.save(target, samples, rate)
    with open(target, "rb") as file:
        existing = file.read()
    with contextlib.suppress(KeyError), linnet.Encoder(target, rate, 2) as encoder:
        encoder.write(samples[:1000])
        raise KeyError
    with open(target, "rb") as file:
        assert file.read() == existing
    assert not any(name.startswith(".linnet-") for name in os.listdir(folder))
    refuses(ValueError, "a.xyz", samples, rate, function=linnet.save)
    # A refused argument leaves an existing file unchanged.
    kept = os.path.join(folder, "kept.wav")
    linnet.save(kept, samples, rate)
    refuses(ValueError, kept, samples, rate, function=linnet.save, encoding="int8")
    refuses(ValueError, kept, samples, float(rate), function=linnet.save)
    refuses(ValueError, target, samples, rate, function=linnet.save, encoding="int24")
    refuses(linnet.Error, kept, samples, rate, function=linnet.save, format="adts", profile="xhe")
    assert len(linnet.load(kept)[0]) == len(samples)
    refuses(ValueError, target, [1, 2, 3], rate, function=linnet.save)
    refuses(ValueError, target, memoryview(samples).cast("B").cast("f", (1, 2, len(samples))), rate, function=linnet.save)
    refuses(ValueError, target, memoryview(samples).cast("B").cast("f", (2, len(samples))), rate, function=linnet.save)
    refuses(OSError, os.path.join(folder, "missing", "a.m4a"), samples, rate, function=linnet.save)
    check_full_disk(folder, samples, rate)
    refuses(linnet.Error, array("f", [math.nan]), 44_100, 1)


def check_full_disk(folder, samples, rate):
    """Checks that a failed save leaves no incomplete file, and keeps devices."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        for name in ("full.wav", "full.m4a", "full.aac"):
            refuses((OSError, linnet.Error), os.path.join(folder, name), samples, rate, function=linnet.save)
            assert not os.path.exists(os.path.join(folder, name)), name
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    link = os.path.join(folder, "full.ts")
    os.symlink("/dev/full", link)
    refuses((OSError, linnet.Error), link, samples, rate, function=linnet.save)
    assert os.path.exists("/dev/full")


def check_streamed():
    """Checks that a WAV file without a data size has samples up to its end, unless the size of the file is stated."""
    head = b"WAVE" + struct.pack("<4sIHHIIHHI", b"fmt ", 16, 1, 1, 8000, 16_000, 2, 16, 0x61746164) + bytes(4)
    tail = struct.pack("<4sI", b"LIST", 4) + b"INFO"
    for total, frames in ((0, 6), (0xFFFFFFFF, 6), (len(head), 6), (len(head + tail), 0)):
        data = b"RIFF" + struct.pack("<I", total) + head + tail
        assert (len(linnet.load(data)[0]), linnet.probe(data).frames) == (frames, frames), total
    count = 6_000_000_000
    for size in (0xFFFFFFFF, count % (1 << 32)):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"RIFF\xff\xff\xff\xff" + head[:-4] + struct.pack("<I", size))
            # No blocks on disk.
            file.truncate(file.tell() + count)
            assert linnet.probe(file.name).frames == count // 2, size


def check_lengths():
    """Checks that memory is reserved for the audio of a file, not for the length that it states."""
    head = b"RIFF\0\0\0\0WAVE" + struct.pack("<4sIHHIIHHI", b"fmt ", 16, 1, 1, 8000, 16_000, 2, 16, 0x61746164)
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(linnet.load(head + struct.pack("<I", 1_000_000_000) + bytes(200))[0]) == 100
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()
    count = linnet._decoding._MOST_UNREAD * 3
    data = head + struct.pack("<I", count) + bytes(range(256)) * (count // 256)
    with linnet.Decoder(data) as decoder:
        blocks = b"".join(memoryview(block).cast("B") for block in decoder)
    assert memoryview(linnet.load(data)[0]).cast("B") == blocks and len(blocks) == 2 * count


def check_damage(path, coded):
    """Checks that damage is reported, and that no bytes make functions fail in another way."""
    with open(coded, "rb") as file:
        data = bytearray(file.read())
    with open(path, "rb") as file:
        samples = file.read()
    frames = bytearray(linnet.encode(samples[44:], 44_100, 2, format="adts"))
    frames[len(frames) // 2:len(frames) // 2 + 900] = bytes(900)
    # RF64 that states 5 GB of samples.
    long = b"RF64\xff\xff\xff\xffWAVE" + struct.pack("<4sIQQQI", b"ds64", 28, 5_000_000_072, 5_000_000_000, 1_250_000_000, 0) \
        + samples[12:36] + b"data\xff\xff\xff\xff" + samples[44:10_044]
    for damaged in (samples[:len(samples) // 2], frames, long):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            linnet.load(damaged)
        assert [(each.category, each.filename) for each in found] == [(linnet.DamageWarning, __file__)]
    film = bytearray(matroska(44_100, 2, linnet.encode(samples[44:100_044], 44_100, 2, format="adts")))
    state = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in (data[:60_000] + data[-4000:], film, bytearray(samples[:10_000])):
            for _ in range(30):
                changed = bytearray(source)
                for _ in range(10):
                    state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
                    changed[(state >> 33) % min(len(changed), 1500)] = state >> 56
                for function in (linnet.load, linnet.probe, linnet.tags):
                    with contextlib.suppress(linnet.Error):
                        function(changed)


def check_system_library():
    """Checks other formats by libsndfile, or the error without it."""
    flac = b"fLaC" + bytes(100)
    if linnet._sndfile._library is None:
        try:
            linnet.load(flac)
        except linnet.MissingLibrary as error:
            assert error.package == "libsndfile1" and "libsndfile1" in str(error)
        else:
            raise AssertionError("FLAC is read without libsndfile")
        return "without libsndfile"
    refuses(linnet.Error, flac, function=linnet.load)
    # mu-law, which only libsndfile reads, from memory.
    coded = b"RIFF\0\0\0\0WAVE" + struct.pack("<4sIHHIIHH", b"fmt ", 16, 7, 1, 8000, 8000, 1, 8) + struct.pack("<4sI", b"data", 800) + bytes(800)
    samples, rate = linnet.load(coded)
    assert (len(samples), rate) == (800, 8000) and linnet.probe(coded).codec == "mu-law"
    return "with libsndfile"


def check_recipes(folder, coded):
    """Runs the recipes of the guide, and returns the names of the packages that are installed."""
    found = []
    with contextlib.suppress(ImportError):
        import librosa
        samples, rate = linnet.load(coded, sample_rate=22_050, mono=True)
        assert librosa.feature.mfcc(y=samples, sr=rate).shape == (20, 1 + len(samples) // 512)
        found.append("librosa")
    with contextlib.suppress(ImportError):
        import soundfile
        samples, rate = linnet.load(coded)
        soundfile.write(os.path.join(folder, "song.flac"), samples, rate, subtype="PCM_24")
        assert difference(linnet.load(os.path.join(folder, "song.flac"))[0], samples) < 2 ** -23
        found.append("soundfile")
    return found


def main(path, coded, lossless, *others):
    """Runs the checks."""
    with wave.open(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        samples = file.readframes(file.getnframes())
    check_rates()
    check_bytes(samples, rate, channels, coded)
    check_files(path, samples, coded, lossless)
    check_parts(coded)
    with tempfile.TemporaryDirectory() as folder:
        check_saving(folder, path)
        recipes = check_recipes(folder, coded)
    check_streamed()
    check_lengths()
    check_damage(path, coded)
    for other in others:
        found, other_rate = linnet.load(other)
        assert (len(found), other_rate) == (len(samples) // 4, rate), (other, len(found), other_rate)
    has_numpy = linnet._samples.numpy is not None
    print(f"the wheel: {'with' if has_numpy else 'without'} NumPy, {check_system_library()}; recipes: {', '.join(recipes) or 'none'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
