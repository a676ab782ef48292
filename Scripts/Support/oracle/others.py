"""Files created by other programs: FFmpeg's formats and codecs, sox, flac, oggenc, lame, opusenc, twolame and libsndfile."""
from cases import Case, grid
from tags import NAMES, SETS

PCM_RATES = [8000, 11025, 16000, 22050, 44100, 48000, 7999, 32000, 96000, 192000]
VOC_RATES = [8000, 10000, 12500, 20000]
AAC_RATES = [7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000]
MPEG_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
ALL = ["mono", "stereo", "2.1", "3.0", "3.0(back)", "4.0", "quad", "3.1", "5.0", "5.0(side)", "5.1", "5.1(side)", "6.1", "7.0", "7.1"]
USUAL = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
FEW = ["mono", "stereo", "5.1"]
TWO = ["mono", "stereo"]
SCATTERED = ["2.1", "3.1", "6.0", "7.0", "5.1(side)"]
# An eighth of a 16-bit step.
CLOSE = 0.125 / 32768
# The error of rounding to 16 bits, for decoders without other output.
NEAR = 1.001 / 32768
INFO = ("title", "artist", "album", "date", "genre", "comment", "track")
EVERY = tuple(NAMES)
PICTURED = EVERY + ("picture",)

# PCM by FFmpeg name: the source's sample format, and whether the file stores exactly that.
PCM = {"u8": "u8", "s8": "u8", "s16le": "s16", "s16be": "s16", "s24le": "s24", "s24be": "s24", "s32le": "s32", "s32be": "s32", "f32le": "f32",
       "f32be": "f32", "f64le": "f64", "f64be": "f64", "alaw": None, "mulaw": None}


def pcm(names):
    """Returns the codecs for FFmpeg names."""
    return [("pcm_" + name, {"source": PCM[name] or "s16", "lossless": PCM[name] is not None}) for name in names.split()]


# Without noise substitution, because each decoder generates its own noise.
AAC = ("aac", {"bound": CLOSE, "aligned": True, "options": ["-aac_pns", "0"]})
ALAC = [("alac", {"lossless": True, "variant": "16", "options": ["-sample_fmt", "s16p"]}),
        ("alac", {"lossless": True, "variant": "24", "options": ["-sample_fmt", "s32p"], "source": "s24"})]
FLAC = [("flac", {"lossless": True, "variant": "16"}), ("flac", {"lossless": True, "variant": "24", "source": "s24"})]
MP3 = ("libmp3lame", {"bound": CLOSE, "aligned": True})
MP2 = ("mp2", {"bound": CLOSE})
OPUS = ("libopus", {"bound": CLOSE, "aligned": True})
VORBIS = ("libvorbis", {"bound": CLOSE, "aligned": True})
# ADPCM blocks are complete.
ADPCM = [("adpcm_ms", {"exact": False}), ("adpcm_ima_wav", {"bound": 0.02, "exact": False})]

# Layouts and rates of codecs that differ from the format's.
LIMITS = {
    "aac": (["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1", *SCATTERED], AAC_RATES),
    "alac": (["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1(wide)"], PCM_RATES),
    "flac": (ALL, PCM_RATES),
    "libmp3lame": (TWO, MPEG_RATES),
    "mp2": (TWO, MPEG_RATES[3:]),
    "libopus": (["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"], [8000, 12000, 16000, 24000, 48000]),
    "libvorbis": (["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"], [8000, 11025, 16000, 22050, 32000, 44100, 48000, 96000, 192000]),
    "adpcm_ms": (TWO, [8000, 22050, 44100]), "adpcm_ima_wav": (TWO, [8000, 22050, 44100]), "adpcm_ima_qt": (TWO, [8000, 22050, 44100]),
    "ilbc": (["mono"], [8000]),
}

FRAGMENTED = {"variant": "fragmented", "options": ["-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "100000"]}

# FFmpeg's muxers: extension, muxer name, codecs, layouts, rates, rules. This is the table of formats that Linnet claims to read.
FFMPEG = [
    ("wav", "wav", pcm("u8 s16le s24le s32le f32le f64le alaw mulaw") + ADPCM, ALL, PCM_RATES, {"keys": INFO}),
    ("wav", "wav", [("libmp3lame", {"bound": CLOSE, "exact": False, "variant": "in"})], TWO, MPEG_RATES, {}),
    ("wav", "wav", pcm("s16le s24le"), TWO, PCM_RATES, {"variant": "rf64", "options": ["-rf64", "always"]}),
    ("wav", "wav", pcm("s16le f32le"), TWO, PCM_RATES, {"variant": "bext", "options": ["-write_bext", "1"]}),
    # FFmpeg counts the padding to eight bytes as data.
    ("w64", "w64", pcm("u8 s16le s24le s32le f32le f64le alaw mulaw"), FEW, PCM_RATES, {"whole": True}),
    ("aiff", "aiff", pcm("s8 s16be s24be s32be f32be f64be alaw mulaw s16le"), FEW, PCM_RATES,
     {"keys": PICTURED, "options": ["-write_id3v2", "1"]}),
    ("aiff", "aiff", [("adpcm_ima_qt", {"bound": 0.02, "exact": False})], TWO, PCM_RATES, {}),
    ("au", "au", pcm("s8 s16be s24be s32be f32be f64be alaw mulaw"), FEW, PCM_RATES, {}),
    ("caf", "caf", pcm("s8 s16le s16be s24le s24be s32le s32be f32le f32be f64le f64be alaw mulaw"), USUAL, PCM_RATES, {"keys": EVERY}),
    ("caf", "caf", ALAC, USUAL, PCM_RATES, {"exact": False}),
    ("caf", "caf", [OPUS], TWO, PCM_RATES, {"exact": False}),
    ("flac", "flac", FLAC, ALL, PCM_RATES, {"keys": PICTURED}),
    ("opus", "opus", [("opus", {**OPUS[1], "options": ["-strict", "-2"]})], TWO, [48000], {}),
    ("oga", "oga", FLAC, ALL, PCM_RATES, {"keys": EVERY}),
    ("ogg", "ogg", [VORBIS], USUAL, PCM_RATES, {"keys": EVERY}),
    ("opus", "opus", [OPUS], USUAL, PCM_RATES, {"keys": EVERY}),
    ("mp3", "mp3", [MP3], TWO, MPEG_RATES, {"keys": PICTURED}),
    ("mp3", "mp3", [MP3], TWO, MPEG_RATES, {"keys": PICTURED, "variant": "id3v23", "options": ["-id3v2_version", "3", "-write_id3v1", "1"]}),
    ("mp3", "mp3", [MP3], TWO, MPEG_RATES, {"variant": "noxing", "options": ["-write_xing", "0"], "exact": False}),
    ("mp3", "mp3", [MP3], TWO, MPEG_RATES, {"variant": "vbr", "options": ["-q:a", "4"]}),
    ("mp3", "mp3", [("libshine", MP3[1])], TWO, MPEG_RATES[6:], {"exact": False}),
    ("mp2", "mp2", [MP2, ("libtwolame", MP2[1])], TWO, MPEG_RATES, {"exact": False}),
    ("m4a", "ipod", [AAC], ALL, AAC_RATES, {"keys": PICTURED}),
    ("m4a", "ipod", ALAC, ALL, PCM_RATES, {"keys": PICTURED}),
    ("m4a", "ipod", [AAC], ALL, AAC_RATES, {"variant": "faststart", "options": ["-movflags", "+faststart"], "keys": EVERY}),
    ("mp4", "mp4", [AAC], ALL, AAC_RATES, {"keys": PICTURED}),
    ("mp4", "mp4", [AAC], FEW, AAC_RATES, {**FRAGMENTED, "aligned": False, "priming": 1024}),
    ("mp4", "mp4", [*ALAC[:1], OPUS], FEW, PCM_RATES, FRAGMENTED),
    ("mp4", "mp4", FLAC[:1], FEW, PCM_RATES, {**FRAGMENTED, "options": [*FRAGMENTED["options"], "-strict", "-2"]}),
    ("mp4", "mp4", ALAC + [OPUS], ALL, PCM_RATES, {"keys": EVERY}),
    ("mp4", "mp4", FLAC, ALL, PCM_RATES, {"keys": EVERY, "options": ["-strict", "-2"]}),
    ("mp4", "mp4", [MP3], TWO, MPEG_RATES[3:], {}),
    ("mov", "mov", [AAC] + ALAC, USUAL, AAC_RATES, {}),
    ("mov", "mov", pcm("u8 s8 s16le s16be s24le s24be s32le s32be f32le f32be f64le f64be alaw mulaw"), FEW, PCM_RATES[:9], {}),
    ("mov", "mov", [MP3], TWO, MPEG_RATES[3:], {}),
    ("3gp", "3gp", [AAC], TWO, AAC_RATES, {}),
    ("aac", "adts", [AAC], ALL, AAC_RATES, {"exact": False, "aligned": False}),
    ("aac", "adts", [AAC], FEW, AAC_RATES, {"exact": False, "aligned": False, "variant": "id3", "options": ["-write_id3v2", "1"], "keys": EVERY}),
    ("aac", "adts", [AAC], TWO, AAC_RATES, {"exact": False, "aligned": False, "variant": "ltp", "options": ["-profile:a", "aac_ltp", "-strict", "-2"]}),
    ("aac", "adts", [AAC], TWO, AAC_RATES, {"exact": False, "aligned": False, "variant": "pns", "options": ["-aac_pns", "1"], "bound": None}),
    ("aac", "adts", [AAC], TWO, AAC_RATES, {"exact": False, "aligned": False, "variant": "main", "options": ["-profile:a", "aac_main"]}),
    ("latm", "latm", [AAC], ALL, AAC_RATES, {"exact": False, "aligned": False}),
    ("ts", "mpegts", [AAC], ALL, AAC_RATES, {"exact": False, "aligned": False}),
    ("ts", "mpegts", [AAC], FEW, AAC_RATES, {"exact": False, "aligned": False, "variant": "latm", "options": ["-mpegts_flags", "latm"]}),
    ("aac", "adts", [AAC], TWO, AAC_RATES, {"exact": False, "aligned": False, "variant": "mpeg2", "options": ["-profile:a", "mpeg2_aac_low"]}),
    ("aac", "adts", [AAC], FEW, AAC_RATES[5:], {"exact": False, "aligned": False, "variant": "low", "options": ["-b:a", "24k"], "ordered": False}),
    ("aac", "adts", [AAC], FEW, AAC_RATES[7:], {"exact": False, "aligned": False, "variant": "high", "options": ["-b:a", "400k"]}),
    ("aac", "adts", [AAC], FEW, AAC_RATES, {"exact": False, "aligned": False, "variant": "fast", "options": ["-aac_coder", "fast"]}),
    # With video, hint tracks, segments.
    ("mp4", "mp4", [AAC, *ALAC[:1], OPUS], FEW, PCM_RATES, {"variant": "video", "video": "mpeg4"}),
    ("mov", "mov", [AAC, *pcm("s16le s24be")], FEW, PCM_RATES[:9], {"variant": "video", "video": "mpeg4"}),
    ("ts", "mpegts", [AAC], FEW, AAC_RATES, {"exact": False, "aligned": False, "variant": "video", "video": "mpeg2video"}),
    ("mp4", "mp4", [AAC], FEW, AAC_RATES, {"variant": "hint", "options": ["-movflags", "+rtphint"]}),
    ("mp4", "mp4", [AAC], FEW, AAC_RATES, {"variant": "cmaf", "options": ["-movflags", "+cmaf"], "aligned": False, "priming": 1024}),
    ("mp4", "mp4", [AAC], FEW, AAC_RATES, {"variant": "noeditlist", "options": ["-use_editlist", "0"], "aligned": False, "priming": 1024}),
    ("ogg", "ogg", [VORBIS, FLAC[0], OPUS], TWO, PCM_RATES, {"variant": "video", "video": "libtheora"}),
    ("opus", "opus", [OPUS], TWO, PCM_RATES, {"variant": "60ms", "options": ["-frame_duration", "60", "-application", "voip"], "aligned": False}),
    ("opus", "opus", [OPUS], TWO, PCM_RATES, {"variant": "2.5ms", "options": ["-frame_duration", "2.5", "-application", "lowdelay"], "ordered": False}),
    ("ts", "mpegts", [MP3, MP2], TWO, MPEG_RATES[3:], {"exact": False, "aligned": False}),
    ("ts", "mpegts", [OPUS], FEW + ["quad", "7.1"], PCM_RATES, {"aligned": False, "untrimmed": True}),
    # 8-bit VOC has a time constant, which represents these rates exactly.
    ("voc", "voc", pcm("u8"), TWO, VOC_RATES, {}),
    ("voc", "voc", pcm("s16le"), TWO, PCM_RATES[:8], {}),
    ("ircam", "ircam", pcm("s16le s32le f32le alaw mulaw"), FEW, PCM_RATES, {}),
    # Formats that Linnet does not claim to read.
    ("voc", "voc", pcm("alaw mulaw"), TWO, [8000, 22050], {"claimed": False}),
    ("opus", "opus", [OPUS], ["stereo", "5.1"], PCM_RATES[5:6], {"variant": "discrete", "options": ["-mapping_family", "255"], "claimed": False}),
    ("mp4", "mp4", [("libvorbis", {}), ("mp2", {})], TWO, [44100, 48000], {"claimed": False}),
    ("ac3", "ac3", [("ac3", {})], FEW, [32000, 44100, 48000], {"claimed": False}),
    ("eac3", "eac3", [("eac3", {})], FEW, [32000, 44100, 48000], {"claimed": False}),
    ("mp4", "mp4", [("ac3", {})], FEW, [32000, 44100, 48000], {"claimed": False}),
    ("ts", "mpegts", [("ac3", {})], FEW, [32000, 44100, 48000], {"claimed": False}),
    ("dts", "dts", [("dca", {"options": ["-strict", "-2"]})], ["stereo", "5.1(side)"], [44100, 48000], {"claimed": False}),
    ("wv", "wv", [("wavpack", {})], FEW, [44100, 96000], {"claimed": False}),
    ("tta", "tta", [("tta", {})], FEW, [44100, 96000], {"claimed": False}),
    ("spx", "spx", [("libspeex", {})], TWO, [8000, 16000, 32000], {"claimed": False}),
    ("wma", "asf", [("wmav2", {})], TWO, [22050, 44100, 48000], {"claimed": False}),
    ("caf", "caf", [("adpcm_ima_qt", {})], TWO, [22050, 44100], {"claimed": False}),
    ("mov", "mov", [("adpcm_ima_qt", {})], TWO, [22050, 44100], {"claimed": False}),
    ("amr", "amr", [("libopencore_amrnb", {})], [], [8000], {"claimed": False}),
    ("wav", "wav", [("adpcm_yamaha", {}), ("g726", {})], ["mono"], [8000], {"claimed": False}),
    ("oga", "oga", [("libspeex", {})], TWO, [8000, 16000], {"claimed": False}),
    ("mp4", "mp4", [("eac3", {}), ("dca", {"options": ["-strict", "-2"]})], ["stereo"], [48000], {"claimed": False}),
    ("ts", "mpegts", [("eac3", {}), ("s302m", {"options": ["-strict", "-2"]})], ["stereo"], [48000], {"claimed": False}),
    ("au", "au", [("g722", {})], ["mono"], [16000], {"claimed": False}),
    ("wav", "wav", [("ac3", {}), ("aac", {"variant": "in"})], ["stereo"], [44100, 48000], {"claimed": False}),
    ("ra", "rm", [("real_144", {})], ["mono"], [8000], {"claimed": False}),
]


def by_ffmpeg():
    """Returns FFmpeg's files."""
    cases = []
    for extension, muxer, codecs, layouts, rates, rules in FFMPEG:
        for codec, codec_rules in codecs:
            own_layouts, own_rates = LIMITS.get(codec, (layouts, rates))
            merged = {**codec_rules, **rules, "options": [*codec_rules.get("options", []), *rules.get("options", [])]}
            merged["variant"] = "-".join(filter(None, [codec_rules.get("variant"), rules.get("variant")]))
            for field in ("exact", "aligned"):
                merged[field] = codec_rules.get(field, field == "exact") and rules.get(field, True)
            merged |= {"extension": extension, "aligned": merged["aligned"] and merged["exact"], "muxer": muxer}
            if codec == "libopus" and extension == "mp4":
                # FFmpeg keeps the padding.
                merged |= {"exact": True, "untrimmed": True}
            merged["through"] = "decode" if codec in ("aac", "alac", "libopus") else "convert"
            variant = merged.pop("variant")
            pairs = grid([layout for layout in layouts if layout in own_layouts] + [each for each in SCATTERED if codec == "aac" and layouts is ALL],
                         [rate for rate in rates if rate in own_rates], 3 if len(layouts) > 2 else 5)
            cases += [Case("ffmpeg", muxer, codec, layout, rate, variant, **merged) for layout, rate in dict.fromkeys(pairs)]
            middle = 44100 if 44100 in own_rates else own_rates[-1]
            if merged.get("claimed", True) and "stereo" in layouts:
                # FFmpeg does not read single-frame Apple Lossless.
                whole = [8 if merged.get("whole") or codec == "alac" else 1, 104, middle * 3]
                cases += [Case("ffmpeg", muxer, codec, "stereo", middle, variant, **merged, length=length)
                          for length in (whole if merged.get("lossless") else whole[2:])]
            if rules.get("keys"):
                rate = 48000 if 48000 in own_rates else own_rates[-1]
                sets = [name for name in SETS if name != "none" and (name != "picture" or "picture" in rules["keys"])]
                cases += [Case("ffmpeg", muxer, codec, "stereo", rate, variant, **merged, tags=name) for name in sets]
    return cases


def by_mutagen():
    """Returns FFmpeg's files with tags from mutagen."""
    kinds = [("mp3", "mp3", MP3, ["v24", "v23", "ape"]), ("m4a", "ipod", AAC, [""]), ("flac", "flac", FLAC[0], [""]), ("ogg", "ogg", VORBIS, [""]),
             ("opus", "opus", OPUS, [""]), ("oga", "oga", FLAC[0], [""]), ("aiff", "aiff", pcm("s16be")[0], ["v24", "v23"]),
             ("wav", "wav", pcm("s16le")[0], ["v24", "v23"])]
    cases = []
    for extension, muxer, (codec, rules), variants in kinds:
        merged = {**rules, "extension": extension, "muxer": muxer, "keys": PICTURED}
        merged.pop("variant", None)
        cases += [Case("mutagen", muxer, codec, "stereo", 48000, variant, **merged, tags=name)
                  for variant in variants for name in SETS if name != "none" and not (name == "picture" and variant == "ape")]
    return cases


def by_lame():
    """Returns lame's MP3 files: MPEG versions, channel modes, rate controls, tags."""
    ways = {"cbr": ["-b", "64"], "abr": ["--abr", "80"], "vbr": ["-V", "5"], "vbr0": ["-V", "0"], "free": ["--freeformat", "-b", "100"],
            "crc": ["-p", "-b", "96"], "notag": ["-t", "-b", "48"],
            "strict": ["--strictly-enforce-ISO", "-b", "64"]}
    cases = []
    for way, options in ways.items():
        for mode, layout in (("m", "mono"), ("s", "stereo"), ("j", "stereo"), ("d", "stereo")):
            for rate in MPEG_RATES:
                rules = {"exact": way != "notag", "aligned": way != "notag", "bound": NEAR, "peer": "mpg123" if way in ("notag", "free") else "lame", "options": [*options, "-m", mode, "--resample", str(rate / 1000)]}
                cases.append(Case("lame", "mp3", "mp3", layout, rate, f"{way}-{mode}", **rules))
    for name in SETS:
        for version in ("v2", "v1-only", "both", "utf16"):
            options = {"v2": ["--id3v2-only"], "v1-only": ["--id3v1-only"], "both": ["--add-id3v2"], "utf16": ["--id3v2-only", "--id3v2-utf16"]}[version]
            if name != "none" and not (version == "v1-only" and name in ("picture", "unicode")):
                cases.append(Case("lame", "mp3", "mp3", "stereo", 44100, version, bound=NEAR, peer="lame", aligned=True, tags=name, options=options, keys=PICTURED))
    return cases


def by_others():
    """Returns the files of flac, oggenc, opusenc, twolame and sox."""
    cases = []
    for level in ("0", "5", "8"):
        for ogg in (False, True):
            for bits in ("s16", "s24", "u8"):
                rules = {"lossless": True, "source": bits, "extension": "oga" if ogg else "flac", "options": ["-" + level, *(["--ogg"] if ogg else [])]}
                for layout, rate in grid(USUAL + ["5.0(side)", "5.1(side)"], PCM_RATES, 1):
                    cases.append(Case("flac", "ogg" if ogg else "flac", "flac", layout, rate, f"{level}-{bits}", peer="flac", **rules))
        for name in SETS:
            cases.append(Case("flac", "flac", "flac", "stereo", 44100, level, tags=name, options=["-" + level], lossless=True, keys=PICTURED, peer="flac"))
    for quality in ("-1", "3", "8"):
        rules = {"bound": CLOSE, "aligned": True, "extension": "ogg", "options": ["-q", quality]}
        cases += [Case("oggenc", "ogg", "vorbis", layout, rate, "q" + quality, **rules)
                  for layout, rate in grid(USUAL, [8000, 16000, 22050, 32000, 44100, 48000, 96000], 4)]
        cases += [Case("oggenc", "ogg", "vorbis", "stereo", 44100, "q" + quality, **rules, tags=name, keys=EVERY)
                  for name in SETS if name not in ("none", "picture", "long")]
    for way, options in {"vbr": ["--bitrate", "64"], "cbr": ["--hard-cbr", "--bitrate", "96"], "20": [], "60": ["--framesize", "60"], "2.5": ["--framesize", "2.5"],
                         "phase": ["--no-phase-inv"], "speech": ["--speech"], "music": ["--music"]}.items():
        rules = {"bound": CLOSE, "aligned": True, "peer": "opusdec", "extension": "opus", "options": options, "exact": True, "through": "decode"}
        # 2.5 ms packets are too small for all channels.
        rules["ordered"] = way != "2.5"
        cases += [Case("opusenc", "opus", "opus", layout, rate, way, **rules) for layout, rate in grid(USUAL, [8000, 16000, 24000, 44100, 48000, 96000], 3)]
        if way in ("vbr", "60"):
            cases += [Case("opusenc", "opus", "opus", "stereo", 48000, way, **rules, tags=name, keys=PICTURED) for name in SETS if name not in ("none", "long")]
    for mode, layout in (("mono", "mono"), ("stereo", "stereo"), ("joint", "stereo"), ("dual", "stereo")):
        # FFmpeg omits frames where the mode changes.
        rules = {"bound": CLOSE, "exact": False, "peer": "mpg123", "options": ["--mode", mode]}
        cases += [Case("twolame", "mp2", "mp2", layout, rate, mode, **rules) for rate in MPEG_RATES[3:]]
    return cases + by_sndfile() + by_sox()


def by_sndfile():
    """Returns libsndfile's Apple Lossless in CAF, of all bit depths."""
    cases = []
    for bits, source in ((16, "s16"), (20, "s16"), (24, "s24"), (32, "s32")):
        cases += [Case("sndfile", "caf", "alac", layout, rate, str(bits), source=source, lossless=True, through="decode" if bits <= 24 else "convert",
                       options=[f"-alac{bits}"])
                  for layout, rate in grid(TWO, PCM_RATES, 5)]
    return cases


# sox's formats: extension, type, encodings as (name, bits, source sample format), layouts, rates, rules.
SIGNED = [("signed-integer", 16, "s16"), ("signed-integer", 24, "s24"), ("signed-integer", 32, "s32")]
# sox has 32-bit samples; floating point represents source samples of fewer bits.
FLOATS = [("floating-point", 32, "s24"), ("floating-point", 64, "s32")]
BYTE = [("signed-integer", 8, "u8")]
LAWS = [("a-law", 8, None), ("mu-law", 8, None)]
SOX = [
    ("wav", [("unsigned-integer", 8, "u8"), *SIGNED, *FLOATS, *LAWS, ("ima-adpcm", 4, None), ("ms-adpcm", 4, None), ("gsm-full-rate", 0, None)], USUAL),
    ("aiff", BYTE + SIGNED, USUAL), ("aifc", BYTE + SIGNED + FLOATS + LAWS, FEW), ("au", BYTE + SIGNED + FLOATS + LAWS, FEW),
    ("caf", SIGNED + FLOATS + LAWS, FEW), ("w64", SIGNED + FLOATS + LAWS, FEW), ("flac", BYTE + SIGNED[:2], USUAL),
    ("8svx", BYTE, TWO), ("voc", [("unsigned-integer", 8, "u8"), SIGNED[0], *LAWS], TWO), ("ircam", SIGNED[:1] + SIGNED[2:] + FLOATS[:1] + LAWS, FEW),
    ("sph", SIGNED[:1] + LAWS, TWO), ("paf", SIGNED[:2], FEW), ("mat4", [SIGNED[0], SIGNED[2], *FLOATS], TWO), ("mat5", [SIGNED[0], SIGNED[2], *FLOATS], TWO),
    ("pvf", BYTE + [SIGNED[0], SIGNED[2]], TWO), ("sd2", BYTE + SIGNED[:2], TWO), ("avr", BYTE + SIGNED[:1], TWO), ("fap", SIGNED[:1], TWO),
    ("xi", BYTE[:0], TWO), ("vorbis", [("vorbis", 0, None)], USUAL),
]
UNCLAIMED = ("sph", "paf", "mat4", "mat5", "pvf", "sd2", "avr", "fap", "xi")


def by_sox():
    """Returns sox's files."""
    cases = []
    for form, encodings, layouts in SOX:
        for encoding, bits, source in encodings:
            rates = [8000] if "gsm" in encoding else VOC_RATES if form == "voc" and bits == 8 else PCM_RATES[:8] if form in ("voc", "8svx") else PCM_RATES
            rules = {"peer": "sox", "source": source or "s16", "lossless": source is not None, "claimed": form not in UNCLAIMED and (form != "voc" or source is not None),
                     "options": ["-e", encoding, *(["-b", str(bits)] if bits else [])]}
            if form in ("caf", "w64") and "floating" in encoding:
                # sox writes such samples without scaling them down.
                rules |= {"lossless": False, "peer": "ffmpeg", "ordered": False}
            if source is None:
                rules |= {"exact": encoding in ("a-law", "mu-law", "vorbis"), "bound": {"ima-adpcm": 2 / 32768, "gsm-full-rate": 2 / 32768}.get(encoding, 0.0)}
            if form == "vorbis":
                rules |= {"bound": CLOSE, "peer": "ffmpeg", "options": [], "aligned": True, "ordered": False, "extension": "ogg"}
            own = ["mono"] if "gsm" in encoding else TWO if "adpcm" in encoding else layouts
            cases += [Case("sox", form, encoding + (str(bits) if bits else ""), layout, rate, **rules) for layout, rate in grid(own, rates, 3)]
    return cases


def all_of():
    """Returns all cases of other programs."""
    return by_ffmpeg() + by_mutagen() + by_lame() + by_others()
