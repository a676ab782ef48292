"""Runs the programs, with many files at a time if a program allows that."""
import os
import subprocess
import sys
import tempfile

import signals
import tags

TIMEOUT = 600
# One of the programs creates a file `._`, which libsndfile treats as a part of every file that it opens in that folder.
FOLDER = tempfile.TemporaryDirectory()


class Result:
    """The status of a program, its output and its messages."""

    def __init__(self, status, output, messages):
        """Keeps them."""
        self.status, self.output, self.messages = status, output, messages


def run(words, data=None):
    """Runs a program, optionally with standard input. A negative status is a signal; -1000 means a timeout."""
    try:
        done = subprocess.run(words, input=data or b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False, cwd=FOLDER.name)
    except subprocess.TimeoutExpired:
        return Result(-1000, b"", "timeout after ten minutes")
    return Result(done.returncode, done.stdout, done.stderr.decode(errors="replace").strip())


def together(items, command):
    """Runs one command for many items and returns the result for each item. Splits the items in half if the command fails or prints
    messages.

    `command` returns the words for a list of items.
    """
    result = run(command(items))
    if len(items) == 1 or (result.status == 0 and not result.messages):
        return {item: result for item in items}
    half = len(items) // 2
    return together(items[:half], command) | together(items[half:], command)


FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-threads", "1"]
# A version from 8 on, which decodes xHE-AAC, if it is installed.
NEW_FFMPEG = os.environ.get("LINNET_NEW_FFMPEG")
# fdk-aac's decoder, another one, as a library.
FDK_AAC = os.environ.get("LINNET_FDK_AAC")
FDK_AAC_DECODER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fdk.py")


def ffmpeg_tags(wanted):
    """Returns the options that tag a file."""
    names = {"albumartist": "album_artist"}
    return [word for key, value in wanted.items() if key != "picture" for word in ("-metadata", f"{names.get(key, key)}={value}")]


def made_by_ffmpeg(cases, folder):
    """Creates files with FFmpeg. Returns a result for each case."""

    def command(some):
        """Returns the words for some cases."""
        inputs, outputs = [], []
        for index, case in enumerate(some):
            wanted = tags.SETS[case.tags] if case.maker == "ffmpeg" else {}
            inputs += ["-i", source_path(case, folder)]
            outputs += ["-map", f"{index}:a:0"]
            if "picture" in wanted:
                outputs += ["-map", f"{len(some)}:v:0", "-c:v", "copy", "-disposition:v", "attached_pic"]
            if "video" in case.__dict__:
                outputs += ["-map", f"{len(some)}:v:0", "-c:v", case.video, "-pix_fmt", "yuv420p", "-s", "64x64"]
            outputs += ["-c:a", case.codec, "-threads", "1", *case.options, *ffmpeg_tags(wanted), "-f", case.muxer, path_of(case, folder)]
        return FFMPEG + inputs + ["-i", os.path.join(folder, "cover.png")] + outputs

    return together(cases, command)


def read_by_ffmpeg(cases, folder):
    """Decodes files with FFmpeg. Returns a result and the audio for each case."""

    def command(some):
        """Returns the words for some cases."""
        inputs, outputs = [], []
        for index, case in enumerate(some):
            inputs += ["-threads", "1", *input_options(case), "-i", path_of(case, folder)]
            outputs += ["-map", f"{index}:a:0", "-c:a", "pcm_f64le", "-f", "wav", path_of(case, folder) + ".ffmpeg.wav"]
            if case.metadata:
                outputs += ["-map_metadata", str(index), "-f", "ffmetadata", path_of(case, folder) + ".txt"]
        program = [NEW_FFMPEG] if some[0].form == "xhe" else FFMPEG[:1]
        return program + FFMPEG[1:] + inputs + outputs

    groups = [[case for case in cases if (case.form == "xhe") == new] for new in (False, True)]
    return {case: result for group in groups if group for case, result in together(group, command).items()}


def read_by_fdk(cases, folder):
    """Decodes files with fdk-aac. Returns a result for each case."""
    return {case: run([sys.executable, FDK_AAC_DECODER, path_of(case, folder), path_of(case, folder) + ".fdk.wav"]) for case in cases}


def input_options(case):
    """Returns FFmpeg's options for a floating-point decoder, and for formats that it does not detect, or not in short files."""
    decoder = ["-c:a", "libopus", "-request_sample_fmt", "flt"] if "opus" in case.codec else ["-c:a", "mp2float"] if case.codec in ("mp2", "libtwolame") else []
    return decoder + (["-f", "mpegts"] if case.extension == "ts" else case.__dict__.get("demuxer", []))


def read_by_mpv(cases, folder):
    """Plays files with mpv to WAV files. Returns a result for each case."""

    def command(some):
        """Returns the words for some cases."""
        words = ["mpv", "--no-config", "--no-terminal", "--no-video", "--ao=pcm", "--gapless-audio=no", "--load-scripts=no", "--audio-channels=auto", "--ad=libopus,"]
        for case in some:
            words += ["--{", *(["--demuxer-lavf-format=mpegts"] if case.extension == "ts" else []), f"--ao-pcm-file={path_of(case, folder)}.mpv.wav", path_of(case, folder), "--}"]
        return words

    return together(cases, command)


def lame_tags(wanted, folder):
    """Returns lame's tag options."""
    names = {"title": "--tt", "artist": "--ta", "album": "--tl", "date": "--ty", "comment": "--tc", "track": "--tn", "genre": "--tg"}
    words = []
    for key, value in wanted.items():
        if key == "picture":
            words += ["--ti", os.path.join(folder, "cover.png")]
        elif key == "date":
            words += ["--ty", value[:4]]
        elif key in names:
            words += [names[key], value]
        elif key in ("albumartist", "composer", "disc"):
            words += ["--tv", {"albumartist": "TPE2", "composer": "TCOM", "disc": "TPOS"}[key] + "=" + value]
    return words


def comments(wanted, option):
    """Returns the options for Vorbis comments."""
    words = []
    for key, value in wanted.items():
        if key in ("track", "disc"):
            number, _, count = value.partition("/")
            words += [option, f"{key.upper()}NUMBER={number}", *([option, f"{key.upper()}TOTAL={count}"] if count else [])]
        elif key != "picture":
            words += [option, f"{key.upper()}={value}"]
    return words


def made_by_another(case, folder):
    """Creates a file with another program."""
    source, path, wanted = source_path(case, folder), path_of(case, folder), tags.SETS[case.tags]
    cover = os.path.join(folder, "cover.png")
    if case.maker == "lame":
        return run(["lame", "--silent", *case.options, *lame_tags(wanted, folder), source, path])
    if case.maker == "flac":
        picture = ["--picture", cover] if "picture" in wanted else []
        return run(["flac", "--totally-silent", "--force", *case.options, *comments(wanted, "-T"), *picture, source, "-o", path])
    if case.maker == "oggenc":
        return run(["oggenc", "-Q", *case.options, *comments(wanted, "-c"), source, "-o", path])
    if case.maker == "opusenc":
        picture = ["--picture", cover] if "picture" in wanted else []
        return run(["opusenc", "--quiet", *case.options, *comments(wanted, "--comment"), *picture, source, path])
    if case.maker == "twolame":
        return run(["twolame", "-t", "0", *case.options, source, path])
    if case.maker == "sndfile":
        return run(["sndfile-convert", *case.options, source, path])
    return run(["sox", "-D", "-V1", source, *case.options, "-t", case.form, path])


def read_by_maker(case, folder):
    """Decodes a file to a WAV file with its creator's decoder."""
    path = path_of(case, folder)
    output = f"{path}.{case.peer}.wav"
    if case.peer == "flac":
        return run(["flac", "--totally-silent", "--force", "-d", path, "-o", output])
    if case.peer == "mpg123":
        return run(["mpg123", "-q", "-e", "f32", "-w", output, path])
    if case.peer == "lame":
        return run(["lame", "--silent", "--decode", path, output])
    if case.peer == "opusdec":
        return run(["opusdec", "--quiet", "--float", "--rate", "48000", path, output])
    return run(["sox", "-D", "-V1", "-t", case.form, path, "-t", "wav", "-e", "floating-point", "-b", "64", output])


def path_of(case, folder):
    """Returns the path of a case's file."""
    return os.path.join(folder, case.name)


def source_path(case, folder):
    """Returns the path of a case's source, which is written if it is missing."""
    path = os.path.join(folder, f"source_{case.layout}_{case.rate}_{case.frames}_{case.source}.wav")
    if not os.path.exists(path):
        samples = signals.source(case.layout, case.rate, case.frames, case.source)
        signals.write_wav(path, samples, case.rate, case.source, signals.mask_of(case.layout))
    return path


def audio_at(path):
    """Returns the audio of a WAV file, or None."""
    try:
        with open(path, "rb") as file:
            return signals.read_wav(file.read())
    except OSError:
        return None
