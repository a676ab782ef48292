"""The files that Linnet writes."""
import programs
from cases import Case, grid
from others import ALL, CLOSE, EVERY, FEW, PCM_RATES, PICTURED, TWO
from tags import SETS

LC_RATES = [7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000]
HE_RATES = [16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000]
LD_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]
AAC_LAYOUTS = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1"]
# Layouts that an encoder may reject.
OTHERS = ["2.1", "quad", "3.1", "5.0(side)", "5.1(side)", "6.1", "7.0"]

# AAC containers: extension, whether they store the exact length, whether FFmpeg returns it, tag keys.
CONTAINERS = {
    "adts": ("aac", False, ()), "m4a": ("m4a", True, PICTURED), "mp4": ("mp4", True, PICTURED), "m4b": ("m4b", True, PICTURED),
    "caf": ("caf", True, EVERY), "loas": ("loas", False, ()), "ts": ("ts", False, ()),
}
# Profiles: options, containers, layouts, rates, bound.
PROFILES = {
    "lc": (["--profile", "lc"], "adts m4a caf loas ts", AAC_LAYOUTS + OTHERS, LC_RATES),
    "lc-low": (["--profile", "lc", "-b", "24k"], "adts m4a", TWO, LC_RATES),
    "lc-cbr": (["--profile", "lc", "--cbr", "-b", "96k"], "adts m4a ts", TWO, LC_RATES[4:]),
    "lc-high": (["--profile", "lc", "-b", "256k"], "adts m4a", ["stereo"], LC_RATES[7:]),
    "lc-vbr": (["--profile", "lc", "-q", "60"], "adts m4a caf loas", FEW, LC_RATES),
    "lc-noise": (["--profile", "lc", "-b", "20k"], "adts m4a", TWO, LC_RATES),
    "lc-fast": (["--effort", "fast"], "m4a", FEW, LC_RATES),
    "lc-best": (["--effort", "best"], "m4a", FEW, LC_RATES),
    "lc-lowdelay": (["--low-delay"], "m4a adts", FEW, LC_RATES),
    "lc-nodelay": (["--no-delay"], "adts loas ts", FEW, LC_RATES),
    "lc-960": (["--frame-length", "960"], "m4a loas", FEW, LC_RATES[2:]),
    "lc-crc": (["--crc"], "adts", FEW, LC_RATES),
    "lc-mpeg2": (["--mpeg2"], "adts", FEW, LC_RATES),
    "he": (["--profile", "he"], "adts m4a caf loas ts", AAC_LAYOUTS + OTHERS[:2], HE_RATES),
    "he-hierarchical": (["--profile", "he", "--signaling", "hierarchical"], "m4a caf loas", FEW, HE_RATES),
    "he-vbr": (["--profile", "he", "-q", "30"], "adts m4a", TWO, HE_RATES),
    "he-v2": (["--profile", "he-v2"], "adts m4a caf loas ts", ["stereo"], HE_RATES),
    "he-v2-hierarchical": (["--profile", "he-v2", "--signaling", "hierarchical"], "m4a loas", ["stereo"], HE_RATES),
    "ld": (["--profile", "ld"], "m4a caf loas", TWO, LD_RATES),
    "ld-480": (["--profile", "ld", "--frame-length", "480"], "m4a loas", TWO, LD_RATES),
    "eld": (["--profile", "eld", "--sbr", "off"], "m4a caf loas", TWO, LD_RATES),
    "eld-480": (["--profile", "eld", "--sbr", "off", "--frame-length", "480"], "m4a loas", TWO, LD_RATES),
    "eld-sbr": (["--profile", "eld", "--sbr", "dual"], "m4a loas", TWO, LD_RATES[3:]),
}
XHE_RATES = [16000, 22050, 24000, 32000, 44100, 48000]
# xHE-AAC without SBR, which a bandwidth excludes below 100 kbit/s: options and layouts.
XHE = {"64": (["-b", "64k", "--bandwidth", "7k"], TWO), "96-fast": (["-b", "96k", "--effort", "fast", "--bandwidth", "7k"], TWO),
       "160-best": (["-b", "160k", "--effort", "best"], ["stereo"]), "cbr": (["-b", "64k", "--cbr", "--bandwidth", "7k"], TWO), "vbr": (["-q", "50"], TWO)}
# xHE-AAC for fdk-aac's decoder, with noise filling. With SBR only mono and MPEG Surround: the noise of a second channel differs.
XHE_OF_FDK = {"16": (["-b", "16k"], TWO), "24-best": (["-b", "24k", "--effort", "best"], ["mono"]), "32-cbr": (["-b", "32k", "--cbr"], ["mono"]),
              "24-fast": (["-b", "24k", "--effort", "fast"], ["mono"]), "vbr-0": (["-q", "0"], ["mono"]), "64": (["-b", "64k"], TWO),
              "96-cbr": (["-b", "96k", "--cbr"], TWO), "96-best": (["-b", "96k", "--effort", "best"], TWO), "vbr-40": (["-q", "40"], TWO)}
OPUS_RATES = [8000, 12000, 16000, 24000, 48000, 44100]
OPUS = {"": [], "low": ["-b", "16k", "--cbr"], "cbr": ["--cbr", "-b", "96k"], "voice": ["--application", "voice"], "2.5": ["--frame-duration", "2.5"],
        "60": ["--frame-duration", "60"], "low-delay": ["--application", "low-delay"]}
# PCM formats: extension, sample formats, layouts, keys.
PCM = {
    "wav": ("wav", "u8 s16 s24 s32 f32 f64", ALL, PICTURED), "aiff": ("aiff", "u8 s16 s24 s32 f32 f64", ALL, PICTURED),
    "caf": ("caf", "s16 s24 s32 f32 f64", ALL, EVERY), "flac": ("flac", "u8 s16 s24", ALL, PICTURED), "oga": ("oga", "u8 s16 s24", ALL, PICTURED),
    "raw": ("raw", "u8 s16le s16be s24le s24be s32le s32be f32le f32be f64le f64be", FEW, ()),
}
# Copies from one container to another.
REMUXED = {"adts": "m4a caf loas ts", "m4a": "adts caf loas ts", "caf": "m4a adts", "loas": "m4a adts", "ts": "m4a adts loas"}


def tagged(keys):
    """Returns the tag sets that a format supports."""
    return [name for name in SETS if name != "none" and (name != "picture" or "picture" in keys)] if keys else []


def of_aac():
    """Returns AAC files: each profile in its containers, and copies in other containers."""
    cases = []
    for profile, (options, containers, layouts, rates) in PROFILES.items():
        for container in containers.split():
            extension, exact, keys = CONTAINERS[container]
            # Each decoder generates its own noise: without PNS, except for one variant.
            options = [*options, *([] if profile == "lc-noise" or "ld" in profile else ["--no-noise-substitution"])]
            rules = {"extension": extension, "options": options + ["-f", "m4a" if extension in ("m4b", "mp4") else container], "exact": exact, "bound": None if profile == "lc-noise" else 1.0 / 32768, "aligned": exact,
                     "ordered": profile[:5] != "he-v2", "untrimmed": container == "caf", "through": "decode", "command": "encode"}
            for layout, rate in grid(layouts, rates, 4 if len(layouts) > 3 else 5):
                cases.append(Case("linnet", container, profile, layout, rate, **rules, claimed=layout not in OTHERS and (layout != "7.1" or exact or container == "loas")))
            if exact and "stereo" in layouts:
                cases += [Case("linnet", container, profile, "stereo", 44100, **rules, length=length) for length in (1, 1000, 100_000)]
            if profile in ("lc", "he"):
                cases += [Case("linnet", container, profile, "stereo", 44100, **rules, keys=keys, tags=name) for name in tagged(keys)]
            if profile in ("lc", "he", "he-v2"):
                for other in REMUXED.get(container, "").split():
                    later = rules | {"extension": CONTAINERS[other][0], "exact": exact and CONTAINERS[other][1], "aligned": False, "remux": other, "before": extension, "untrimmed": other == "caf"}
                    cases += [Case("linnet", other, profile, layout, rate, f"from-{container}", **later)
                              for layout, rate in grid([each for each in layouts if each in FEW], rates, 3)]
    return cases


def of_xhe():
    """Returns files of xHE-AAC; none without a decoder. FFmpeg's noise differs from ours, fdk-aac's does not."""
    rules = {"extension": "m4a", "bound": 1.0 / 32768, "aligned": True, "through": "decode", "command": "encode"}
    cases = [Case("linnet", "xhe", variant, layout, rate, **rules, options=["--profile", "xhe", "--no-noise-substitution", *options])
             for variant, (options, layouts) in (XHE if programs.NEW_FFMPEG else {}).items() for layout, rate in grid(layouts, XHE_RATES, 6)]
    # High frequency generation amplifies rounding errors of pure tones.
    rules |= {"bound": 64.0 / 32768, "aligned": False, "ordered": False, "peer": "fdk", "untrimmed": True}
    return cases + [Case("linnet", "xhe-fdk", variant, layout, rate, **rules, options=["--profile", "xhe", *options])
                    for variant, (options, layouts) in (XHE_OF_FDK if programs.FDK_AAC else {}).items() for layout, rate in grid(layouts, XHE_RATES, 6)]


def of_opus():
    """Returns Opus files."""
    cases = []
    for variant, options in OPUS.items():
        for container, (extension, layouts, keys) in {"opus": ("opus", AAC_LAYOUTS[:3] + ["quad", "5.0", "5.1", "6.1", "7.1", "2.1", "5.1(side)"], PICTURED),
                                                      "m4a": ("m4a", ["mono", "stereo", "5.1", "7.1"], PICTURED),
                                                      "caf": ("caf", TWO, EVERY), "ts": ("ts", FEW, ())}.items():
            rules = {"extension": extension, "options": ["--codec", "opus", "-f", container, *options], "bound": 1.0 / 32768, "aligned": True, "through": "decode",
                     "command": "encode", "exact": True, "untrimmed": container != "opus"}
            # SILK delays its signal by some frames.
            rules["aligned"] = variant != "voice"
            cases += [Case("linnet", container, "opus", layout, rate, variant, **rules, claimed=layout not in OTHERS)
                      for layout, rate in grid(["mono"] if variant == "low" else layouts, OPUS_RATES, 3)]
            if variant in ("", "60"):
                cases += [Case("linnet", container, "opus", "stereo", 48000, variant, **rules, length=length) for length in (1, 1000, 100_000)]
            if not variant:
                cases += [Case("linnet", container, "opus", "stereo", 48000, variant, **rules, keys=keys, tags=name) for name in tagged(keys)]
    return cases


def of_alac():
    """Returns Apple Lossless files."""
    cases = []
    for container, keys in {"m4a": PICTURED, "caf": EVERY}.items():
        for form in ("s16", "s24", "s32"):
            rules = {"extension": container, "source": form, "lossless": True, "command": "convert", "options": ["-f", container, "--codec", "alac"]}
            cases += [Case("linnet", container, "alac", layout, rate, form, **rules)
                      for layout, rate in grid(["mono", "stereo", "3.0", "4.0", "5.0", "5.1"], PCM_RATES, 3)]
            cases += [Case("linnet", container, "alac", "stereo", 44100, form, **rules, length=length) for length in (1, 4096, 4097, 100_001)]
            if form != "s32":
                cases += [Case("linnet", container, "alac", "stereo", 44100, form, **rules, keys=keys, tags=name) for name in tagged(keys)]
    return cases


def of_pcm():
    """Returns PCM, FLAC and iLBC files."""
    cases = []
    for container, (extension, formats, layouts, keys) in PCM.items():
        for form in formats.split():
            held = form.removesuffix("le").removesuffix("be")
            rules = {"extension": extension, "source": held, "lossless": True, "command": "convert",
                     "options": ["-f", container, "--sample-format", form]}
            for layout, rate in grid(layouts, PCM_RATES, 3):
                raw = {"demuxer": ["-f", form, "-ar", str(rate), "-ac", str(len(layout_speakers(layout)))],
                       "read_options": ["--raw", f"{form},{rate},{len(layout_speakers(layout))}"]} if container == "raw" else {}
                cases.append(Case("linnet", container, "pcm", layout, rate, form, **rules, **raw))
            if container != "raw":
                cases += [Case("linnet", container, "pcm", layout, 44100, form, **rules, length=length)
                          for layout in FEW for length in (1, 2, 3, 100_001)]
            if form in ("s16", "s24"):
                cases += [Case("linnet", container, "pcm", "stereo", 44100, form, **rules, keys=keys, tags=name) for name in tagged(keys)]
    rules = {"extension": "lbc", "bound": None, "exact": False, "options": ["-f", "lbc", "--codec", "ilbc"], "command": "convert"}
    return cases + [Case("linnet", "lbc", "ilbc", "mono", rate, **rules) for rate in (8000, 16000)]


def layout_speakers(layout):
    """Returns the speakers of a layout."""
    from signals import LAYOUTS
    return LAYOUTS[layout]


def all_of():
    """Returns all cases of Linnet's files."""
    return of_aac() + of_xhe() + of_opus() + of_alac() + of_pcm()
