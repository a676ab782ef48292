"""Tag sets for files, and tags as mutagen and FFmpeg write and read them."""
import base64
import re

import mutagen
from mutagen import apev2, id3
from mutagen.aiff import AIFF
from mutagen.flac import FLAC, Picture
from mutagen.id3 import ID3, ID3NoHeaderError
from mutagen.mp3 import MP3
from mutagen.mp4 import MP4, MP4Cover
from mutagen.wave import WAVE

PLAIN = {
    "title": "Gnossienne", "artist": "Erik Satie", "album": "Pieces", "albumartist": "Various", "date": "2026-11-20", "genre": "Classical",
    "composer": "E. Satie", "comment": "slow", "track": "3/12", "disc": "1/2",
}
SETS = {
    "none": {},
    "plain": PLAIN,
    "unicode": {**PLAIN, "title": "Größe 日本語 🎵 e\u0301", "artist": "Дмитрий", "album": "Ænima – “x”", "comment": "naïve ≠ ½", "genre": "Näöé"},
    "long": {"title": "A long title " * 30, "comment": "0123456789 abcdefghi " * 3500, "artist": "x", "track": "9/10"},
    "odd": {"title": "a; b / c = d \\ e", "artist": "  spaces  around", "album": "1999", "track": "7", "date": "2026", "genre": "Rock/Pop"},
    "picture": {"title": "With a cover", "artist": "Erik Satie", "track": "255/256", "picture": True},
}
NAMES = list(PLAIN)

ID3_FRAMES = {"TIT2": "title", "TPE1": "artist", "TALB": "album", "TPE2": "albumartist", "TDRC": "date", "TCON": "genre", "TCOM": "composer",
              "TRCK": "track", "TPOS": "disc"}
MP4_ATOMS = {"©nam": "title", "©ART": "artist", "©alb": "album", "aART": "albumartist", "©day": "date", "©gen": "genre", "©wrt": "composer",
             "©cmt": "comment"}


def by_mutagen(path):
    """Returns a file's tags as read by mutagen; None if it reads no tags of this format."""
    try:
        file = mutagen.File(path)
    except mutagen.MutagenError:
        file = None
    if isinstance(file, (WAVE, AIFF)) or path.endswith((".mp3", ".mp2", ".aac")):
        try:
            return from_id3(file.tags if file is not None and isinstance(file.tags, ID3) else ID3(path))
        except ID3NoHeaderError:
            return None
    if isinstance(file, MP4):
        return from_mp4(file.tags or {})
    return None if file is None else from_comments(file)


def write_by_mutagen(path, wanted, variant, picture):
    """Writes a tag set to a file. The variant selects the kind of tag where there are several."""
    texts = {key: value for key, value in wanted.items() if key != "picture"}
    pictures = [picture] if "picture" in wanted else []
    if variant == "ape":
        tag = apev2.APEv2()
        names = {"track": "Track", "disc": "Disc", "date": "Year", "albumartist": "Album Artist"}
        for key, value in texts.items():
            tag[names.get(key, key.capitalize())] = value
        return tag.save(path)
    file = mutagen.File(path)
    if isinstance(file, MP4):
        if file.tags is None:
            file.add_tags()
        for atom, key in MP4_ATOMS.items():
            if key in texts:
                file[atom] = [texts[key]]
        for atom, key in (("trkn", "track"), ("disk", "disc")):
            if key in texts:
                number, _, count = texts[key].partition("/")
                file[atom] = [(int(number), int(count or 0))]
        if pictures:
            file["covr"] = [MP4Cover(picture, MP4Cover.FORMAT_PNG)]
    elif isinstance(file, (MP3, AIFF, WAVE)):
        return write_id3(file, texts, pictures, variant)
    else:
        for key, value in texts.items():
            file[{"track": "tracknumber", "disc": "discnumber"}.get(key, key)] = [value]
        for data in pictures:
            block = Picture()
            block.data, block.mime, block.type = data, "image/png", 3
            if isinstance(file, FLAC):
                file.add_picture(block)
            else:
                file["metadata_block_picture"] = [base64.b64encode(block.write()).decode()]
    return file.save()


def write_id3(file, texts, pictures, variant):
    """Writes an ID3v2 tag: 2.3 in UTF-16 or Latin-1, 2.4 in UTF-8, also with unsynchronisation."""
    if file.tags is None:
        file.add_tags()
    encoding = {"v24": 3, "v23": 1}.get(variant, 3)
    for name, key in ID3_FRAMES.items():
        if key in texts:
            file.tags.add(getattr(id3, name)(encoding=encoding, text=[texts[key]]))
    if "comment" in texts:
        file.tags.add(id3.COMM(encoding=encoding, lang="eng", desc="", text=[texts["comment"]]))
    for data in pictures:
        file.tags.add(id3.APIC(encoding=encoding, mime="image/png", type=3, desc="cover", data=data))
    if variant == "v23":
        file.tags.update_to_v23()
    file.save(v2_version=3 if variant == "v23" else 4)


def from_id3(tag):
    """Returns the tags of an ID3v2 tag."""
    found = {}
    for name, key in ID3_FRAMES.items():
        if name in tag:
            values = tag[name].genres if name == "TCON" else [str(value) for value in tag[name].text]
            found[key] = "; ".join(values)
    comments = [str(frame) for frame in tag.getall("COMM") if frame.desc == ""]
    comments += [str(frame) for frame in tag.getall("TXXX") if frame.desc.lower() == "comment"]
    if comments:
        found["comment"] = comments[0]
    pictures = [len(frame.data) for frame in tag.getall("APIC")]
    return {**found, **({"picture": pictures} if pictures else {})}


def from_mp4(tag):
    """Returns the tags of an MP4 file."""
    found = {key: "; ".join(tag[name]) for name, key in MP4_ATOMS.items() if name in tag}
    for name, key in (("trkn", "track"), ("disk", "disc")):
        if tag.get(name):
            number, count = tag[name][0]
            found[key] = f"{number}/{count}" if count else str(number)
    if tag.get("covr"):
        found["picture"] = [len(data) for data in tag["covr"]]
    return found


def from_comments(file):
    """Returns the tags of FLAC and Ogg files."""
    tags = file.tags or {}
    lowered = {}
    for key in tags.keys():
        lowered.setdefault(key.lower().replace("album_artist", "albumartist"), []).extend(tags[key])
    pictures = [len(picture.data) for picture in getattr(file, "pictures", [])]
    for text in lowered.get("metadata_block_picture", []):
        pictures.append(len(Picture(base64.b64decode(text)).data))
    found = {name: "; ".join(lowered[name]) for name in NAMES if name in lowered}
    for key, name in (("track", "tracknumber"), ("disc", "discnumber")):
        number = (lowered.get(name) or lowered.get(key) or [None])[0]
        count = (lowered.get(key + "total") or lowered.get("total" + key + "s") or [None])[0]
        if number is not None:
            found[key] = f"{number}/{count}" if count and "/" not in number else number
    return {**found, **({"picture": pictures} if pictures else {})}


def from_ffmetadata(text):
    """Returns the tags that FFmpeg wrote as text."""
    found = {}
    for match in re.finditer(r"^((?:\\[\s\S]|[^=\\\n;#])+)=((?:\\[\s\S]|[^\\\n])*)$", text, re.M):
        key, value = (re.sub(r"\\([\s\S])", r"\1", part) for part in match.groups())
        key = key.lower().replace(" ", "_").replace("album_artist", "albumartist")
        key = {"tracknumber": "track", "discnumber": "disc", "track_number": "track", "comments": "comment", "recorded_date": "date"}.get(key, key)
        found[key] = value
    for key in ("track", "disc"):
        if key in found and key + "total" in found:
            found[key] += "/" + found[key + "total"]
    return {key: found[key] for key in NAMES if key in found}


def by_linnet(probe):
    """Returns the tags that `linnet probe --json` printed."""
    tags = {key.lower(): value if isinstance(value, str) else "; ".join(value) for key, value in probe.get("tags", {}).items()}
    pictures = [picture["bytes"] for picture in probe.get("pictures", [])]
    return {**{key: tags[key] for key in NAMES if key in tags}, **({"picture": pictures} if pictures else {})}
