# Writes tags with mutagen, and prints the tags that it finds, for the tag tests. Has its own name table and no code of Linnet.
#
#     tags.py write FILE [3|4]    writes all tags and pictures to a file; 3: ID3v2.3
#     tags.py dump FILE           prints a file's tags as JSON
#     tags.py expected            prints all tags as JSON
import json, sys
from mutagen import File
from mutagen import id3
from mutagen.aiff import AIFF
from mutagen.flac import FLAC, Picture
from mutagen.mp3 import MP3
from mutagen.mp4 import MP4, MP4Cover, MP4FreeForm
from mutagen.wave import WAVE
import base64

JPEG = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 3
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 2
PICTURES = [(3, "image/jpeg", "vorn", JPEG), (4, "image/png", "hinten", PNG)]
# Name: ID3 frame, M4A item, values
FIELDS = {
    "title": ("TIT2", "\xa9nam", ["Lied \u00fc \u266b"]), "artist": ("TPE1", "\xa9ART", ["A", "B"]),
    "albumartist": ("TPE2", "aART", ["AA"]), "album": ("TALB", "\xa9alb", ["Album"]), "date": ("TDRC", "\xa9day", ["2026-11-20"]),
    "genre": ("TCON", "\xa9gen", ["Jazz", "Speech"]), "composer": ("TCOM", "\xa9wrt", ["C"]), "comment": ("COMM", "\xa9cmt", ["Com: ment"]),
    "copyright": ("TCOP", "cprt", ["(c) 2026"]), "lyrics": ("USLT", "\xa9lyr", ["line 1\nline 2"]),
    "titlesort": ("TSOT", "sonm", ["ts"]), "artistsort": ("TSOP", "soar", ["as"]), "albumsort": ("TSOA", "soal", ["bs"]),
    "albumartistsort": ("TSO2", "soaa", ["cs"]), "composersort": ("TSOC", "soco", ["ds"]), "isrc": ("TSRC", "ISRC", ["DEA450700001"]),
    "bpm": ("TBPM", "tmpo", ["120"]), "label": ("TPUB", "LABEL", ["L"]), "grouping": ("TIT1", "\xa9grp", ["G"]),
    "compilation": ("TCMP", "cpil", ["1"]),
    "musicbrainz_trackid": ("UFID", "MusicBrainz Track Id", ["2f1a6a4a-0000-4000-8000-000000000001"]),
    "musicbrainz_albumid": ("TXXX:MusicBrainz Album Id", "MusicBrainz Album Id", ["2f1a6a4a-0000-4000-8000-000000000002"]),
    "musicbrainz_artistid": ("TXXX:MusicBrainz Artist Id", "MusicBrainz Artist Id", ["a1", "a2"]),
    "replaygain_track_gain": ("TXXX:REPLAYGAIN_TRACK_GAIN", "replaygain_track_gain", ["-6.50 dB"]),
    "replaygain_track_peak": ("TXXX:REPLAYGAIN_TRACK_PEAK", "replaygain_track_peak", ["0.987654"]),
    "replaygain_album_gain": ("TXXX:REPLAYGAIN_ALBUM_GAIN", "replaygain_album_gain", ["+1.25 dB"]),
    "my field": ("TXXX:My Field", "My Field", ["x", "y"]),
}
NUMBERS = {"tracknumber": "3", "tracktotal": "12", "discnumber": "1", "disctotal": "2"}


def write_id3(tags, version):
    for name, (frame, _, values) in FIELDS.items():
        if version == 3 and name in ("artist", "genre", "musicbrainz_artistid", "my field"):
            values = values[:1]
        if frame.startswith("TXXX:"):
            tags.add(id3.TXXX(encoding=1, desc=frame[5:], text=values))
        elif frame == "COMM":
            tags.add(id3.COMM(encoding=1, lang="eng", desc="", text=values))
        elif frame == "USLT":
            tags.add(id3.USLT(encoding=1, lang="eng", desc="", text=values[0]))
        elif frame == "UFID":
            tags.add(id3.UFID(owner="http://musicbrainz.org", data=values[0].encode()))
        else:
            tags.add(getattr(id3, frame)(encoding=1, text=values))
    tags.add(id3.TRCK(encoding=0, text="3/12"))
    tags.add(id3.TPOS(encoding=0, text="1/2"))
    for kind, mime, text, data in PICTURES:
        tags.add(id3.APIC(encoding=3, mime=mime, type=kind, desc=text, data=data))


def picture_block(kind, mime, text, data):
    block = Picture()
    block.type, block.mime, block.desc, block.data = kind, mime, text, data
    return block


def write(path, version=4):
    f = File(path)
    if isinstance(f, (MP3, WAVE, AIFF)):
        if f.tags is None:
            f.add_tags()
        write_id3(f.tags, version)
        if version == 3:
            f.tags.update_to_v23()
        f.save(v2_version=version)
    elif isinstance(f, MP4):
        for name, (_, item, values) in FIELDS.items():
            if item == "tmpo":
                f[item] = [int(values[0])]
            elif item == "cpil":
                f[item] = True
            elif len(item) == 4 and name != "isrc":
                f[item] = values
            else:
                f["----:com.apple.iTunes:" + item] = [MP4FreeForm(v.encode()) for v in values]
        f["trkn"], f["disk"] = [(3, 12)], [(1, 2)]
        f["covr"] = [MP4Cover(d, MP4Cover.FORMAT_JPEG if m == "image/jpeg" else MP4Cover.FORMAT_PNG) for _, m, _, d in PICTURES]
        f.save()
    else:
        if f.tags is None:
            f.add_tags()
        for name, (_, _, values) in FIELDS.items():
            if "opus" not in path or not name.startswith("replaygain"):
                f[name.upper()] = values
        if "opus" in path:
            f["R128_TRACK_GAIN"], f["R128_ALBUM_GAIN"] = [str(int((-6.5 - 5) * 256))], [str(int((1.25 - 5) * 256))]
        for name, value in NUMBERS.items():
            f[name.upper()] = [value]
        if isinstance(f, FLAC):
            for picture in PICTURES:
                f.add_picture(picture_block(*picture))
        else:
            f["METADATA_BLOCK_PICTURE"] = [base64.b64encode(picture_block(*p).write()).decode() for p in PICTURES]
        f.save()


def dump(path):
    f = File(path)
    found, pictures = {}, []
    tags = f.tags or {}
    if isinstance(f, (MP3, WAVE, AIFF)):
        names = {frame: name for name, (frame, _, _) in FIELDS.items()}
        for frame in tags.values():
            if frame.FrameID == "APIC":
                pictures.append([int(frame.type), frame.mime, frame.desc, len(frame.data)])
            elif frame.FrameID == "TXXX":
                found[names.get("TXXX:" + frame.desc, frame.desc.lower())] = list(frame.text)
            elif frame.FrameID == "UFID":
                found["musicbrainz_trackid"] = [frame.data.decode()]
            elif frame.FrameID in ("TRCK", "TPOS"):
                base = "track" if frame.FrameID == "TRCK" else "disc"
                parts = str(frame).split("/")
                found[base + "number"] = [parts[0]]
                if len(parts) > 1:
                    found[base + "total"] = [parts[1]]
            elif frame.FrameID == "USLT":
                found["lyrics"] = [frame.text]
            elif frame.FrameID == "TCON":
                found["genre"] = frame.genres
            else:
                found[names.get(frame.FrameID, frame.FrameID)] = [str(t) for t in frame.text]
    elif isinstance(f, MP4):
        names = {item: name for name, (_, item, _) in FIELDS.items()}
        for key, values in tags.items():
            if key == "covr":
                pictures = [[3 if i == 0 else 0, "image/jpeg" if p.imageformat == MP4Cover.FORMAT_JPEG else "image/png", "", len(p)] for i, p in enumerate(values)]
            elif key in ("trkn", "disk"):
                base = "track" if key == "trkn" else "disc"
                found[base + "number"], found[base + "total"] = [str(values[0][0])], [str(values[0][1])]
            elif key == "cpil":
                found["compilation"] = ["1" if values else "0"]
            elif key.startswith("----"):
                name = key.split(":", 2)[2]
                found[names.get(name, name.lower())] = [bytes(v).decode() for v in values]
            else:
                found[names.get(key, key)] = [str(v) for v in values]
    else:
        for key, values in dict(tags).items():
            if key.lower() == "metadata_block_picture":
                blocks = [Picture(base64.b64decode(v)) for v in values]
                pictures += [[int(p.type), p.mime, p.desc, len(p.data)] for p in blocks]
            else:
                found[key.lower()] = values
        if isinstance(f, FLAC):
            pictures += [[int(p.type), p.mime, p.desc, len(p.data)] for p in f.pictures]
    for name in ("encoder", "\xa9too", "TSSE", "iTunSMPB".lower()):
        found.pop(name, None)
    print(json.dumps({"tags": found, "pictures": sorted(pictures)}, sort_keys=True))


def expected():
    found = {name: values for name, (_, _, values) in FIELDS.items()}
    found.update({name: [value] for name, value in NUMBERS.items()})
    print(json.dumps({"tags": found, "pictures": sorted([k, m, t, len(d)] for k, m, t, d in PICTURES)}, sort_keys=True))


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 4)
elif sys.argv[1] == "dump":
    for name in sys.argv[2:]:
        dump(name)
else:
    expected()
