// SPDX-License-Identifier: Apache-2.0

/// The names of one text in all file formats.
package struct TagNames: Sendable {
    /// The key, which is the Vorbis comment name.
    package let key: AudioTags.Key
    /// The ID3v2.4 frame, or `nil` for a user-defined frame (`TXXX`).
    var frame: String?
    /// The M4A item (`ilst`), or `nil` for a free-form item.
    package var item: String?
    /// The RIFF `INFO` chunk, if any.
    var riff: String?
    /// The CAF name, or `nil` for the key.
    var caf: String?
    /// The name of user-defined frames, free-form M4A items and APE items, or `nil` for the key.
    var free: String?
    /// The APE name, or `nil` for `free`.
    var ape: String?

    /// The name of a free-form item or user-defined frame.
    package var freeName: String { free ?? key.name }

    package static let all: [TagNames] = usual + sorting + musicBrainz + further + store

    /// Texts that nearly all formats support.
    private static let usual = [
        TagNames(key: .title, frame: "TIT2", item: "©nam", riff: "INAM", caf: "title", ape: "Title"),
        TagNames(key: .artist, frame: "TPE1", item: "©ART", riff: "IART", caf: "artist", ape: "Artist"),
        TagNames(key: .albumArtist, frame: "TPE2", item: "aART", caf: "album artist", ape: "Album Artist"),
        TagNames(key: .album, frame: "TALB", item: "©alb", riff: "IPRD", caf: "album", ape: "Album"),
        TagNames(key: .date, frame: "TDRC", item: "©day", riff: "ICRD", caf: "recorded date", ape: "Year"),
        TagNames(key: .genre, frame: "TCON", item: "©gen", riff: "IGNR", caf: "genre", ape: "Genre"),
        TagNames(key: .composer, frame: "TCOM", item: "©wrt", caf: "composer", ape: "Composer"),
        TagNames(key: .comment, frame: "COMM", item: "©cmt", riff: "ICMT", caf: "comments", ape: "Comment"),
        TagNames(key: .copyright, frame: "TCOP", item: "cprt", riff: "ICOP", caf: "copyright", ape: "Copyright"),
        TagNames(key: .lyrics, frame: "USLT", item: "©lyr", caf: "lyrics", ape: "Lyrics"),
        TagNames(key: .compilation, frame: "TCMP", item: "cpil", ape: "Compilation"),
        TagNames(key: .isrc, frame: "TSRC", ape: "ISRC"),
        TagNames(key: .encoder, frame: "TSSE", item: "©too", riff: "ISFT", caf: "encoding application"),
    ]

    private static let sorting = [
        TagNames(key: .titleSort, frame: "TSOT", item: "sonm"),
        TagNames(key: .artistSort, frame: "TSOP", item: "soar"),
        TagNames(key: .albumSort, frame: "TSOA", item: "soal"),
        TagNames(key: .albumArtistSort, frame: "TSO2", item: "soaa"),
        TagNames(key: .composerSort, frame: "TSOC", item: "soco"),
    ]

    /// MusicBrainz identifiers, as Picard stores them.
    private static let musicBrainz = [
        TagNames(key: "MUSICBRAINZ_TRACKID", frame: "UFID", free: "MusicBrainz Track Id"),
        TagNames(key: "MUSICBRAINZ_RELEASETRACKID", free: "MusicBrainz Release Track Id"),
        TagNames(key: "MUSICBRAINZ_ALBUMID", free: "MusicBrainz Album Id"),
        TagNames(key: "MUSICBRAINZ_ARTISTID", free: "MusicBrainz Artist Id"),
        TagNames(key: "MUSICBRAINZ_ALBUMARTISTID", free: "MusicBrainz Album Artist Id"),
        TagNames(key: "MUSICBRAINZ_RELEASEGROUPID", free: "MusicBrainz Release Group Id"),
        TagNames(key: "MUSICBRAINZ_WORKID", free: "MusicBrainz Work Id"),
        TagNames(key: "MUSICBRAINZ_DISCID", free: "MusicBrainz Disc Id"),
        TagNames(key: "MUSICBRAINZ_TRMID", free: "MusicBrainz TRM Id"),
        TagNames(key: "RELEASESTATUS", free: "MusicBrainz Album Status"),
        TagNames(key: "RELEASETYPE", free: "MusicBrainz Album Type"),
        TagNames(key: "RELEASECOUNTRY", free: "MusicBrainz Album Release Country"),
        TagNames(key: "ACOUSTID_ID", free: "Acoustid Id"),
        TagNames(key: "ACOUSTID_FINGERPRINT", free: "Acoustid Fingerprint"),
        TagNames(key: "MUSICIP_PUID", free: "MusicIP PUID"),
    ]

    /// Texts that some formats support.
    private static let further = [
        TagNames(key: "SUBTITLE", frame: "TIT3"),
        TagNames(key: "GROUPING", frame: "TIT1", item: "©grp"),
        TagNames(key: "DISCSUBTITLE", frame: "TSST"),
        TagNames(key: "ORIGINALDATE", frame: "TDOR"),
        TagNames(key: "RELEASEDATE", frame: "TDRL"),
        TagNames(key: "LYRICIST", frame: "TEXT", caf: "lyricist"),
        TagNames(key: "CONDUCTOR", frame: "TPE3"),
        TagNames(key: "REMIXER", frame: "TPE4"),
        TagNames(key: "ORIGINALARTIST", frame: "TOPE"),
        TagNames(key: "ORIGINALALBUM", frame: "TOAL"),
        TagNames(key: "BPM", frame: "TBPM", item: "tmpo", caf: "tempo"),
        TagNames(key: "KEY", frame: "TKEY", caf: "key signature", free: "initialkey"),
        TagNames(key: "LANGUAGE", frame: "TLAN"),
        TagNames(key: "MOOD", frame: "TMOO"),
        TagNames(key: "MEDIA", frame: "TMED"),
        TagNames(key: "LABEL", frame: "TPUB"),
        TagNames(key: "ENCODEDBY", frame: "TENC", item: "©enc"),
        TagNames(key: "MOVEMENTNAME", frame: "MVNM", item: "©mvn"),
        TagNames(key: "MOVEMENT", frame: "MVIN", item: "©mvi"),
        TagNames(key: "MOVEMENTTOTAL", item: "©mvc"),
        TagNames(key: "WORK", item: "©wrk"),
        TagNames(key: "NARRATOR", item: "©nrt"),
        TagNames(key: "PUBLISHER", item: "©pub"),
        TagNames(key: "DIRECTOR", item: "©dir"),
        TagNames(key: "DESCRIPTION", item: "desc", caf: "description"),
        TagNames(key: "LONGDESCRIPTION", item: "ldes"),
        TagNames(key: "STOREDESCRIPTION", item: "sdes"),
        TagNames(key: "SHOW", item: "tvsh"),
        TagNames(key: "SHOWSORT", item: "sosn"),
        TagNames(key: "EPISODEID", item: "tven"),
        TagNames(key: "NETWORK", item: "tvnn"),
        TagNames(key: "SEASON", item: "tvsn"),
        TagNames(key: "EPISODE", item: "tves"),
        TagNames(key: "PODCAST", frame: "PCST", item: "pcst"),
        TagNames(key: "PODCASTCATEGORY", frame: "TCAT", item: "catg"),
        TagNames(key: "PODCASTKEYWORDS", frame: "TKWD", item: "keyw"),
        TagNames(key: "PODCASTID", frame: "TGID", item: "egid"),
        TagNames(key: "PODCASTURL", frame: "WFED", item: "purl"),
        TagNames(key: "WEBSITE", frame: "WOAR"),
        TagNames(key: "MEDIAKIND", item: "stik"),
        TagNames(key: "ITUNESADVISORY", item: "rtng"),
        TagNames(key: "ITUNESGAPLESS", item: "pgap"),
        TagNames(key: "SHOWMOVEMENT", item: "shwm"),
        TagNames(key: "ITUNESOWNER", item: "ownr"),
        TagNames(key: "ITUNESPURCHASEDATE", item: "purd"),
    ]

    /// Identifiers and other data of the iTunes Store.
    private static let store = [
        TagNames(key: "ITUNESACCOUNT", item: "apID"),
        TagNames(key: "ITUNESACCOUNTTYPE", item: "akID"),
        TagNames(key: "ITUNESCATALOGID", item: "cnID"),
        TagNames(key: "ITUNESALBUMID", item: "plID"),
        TagNames(key: "ITUNESARTISTID", item: "atID"),
        TagNames(key: "ITUNESCOMPOSERID", item: "cmID"),
        TagNames(key: "ITUNESGENREID", item: "geID"),
        TagNames(key: "ITUNESCOUNTRYID", item: "sfID"),
        TagNames(key: "ITUNESVENDORID", item: "xid "),
        TagNames(key: "ITUNESHDVIDEO", item: "hdvd"),
    ]
}
