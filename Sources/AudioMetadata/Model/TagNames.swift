// SPDX-License-Identifier: Apache-2.0

/// The names of a text in the file formats.
package struct TagNames: Sendable {
    /// The name here, which is that of Vorbis comments.
    package let key: AudioTags.Key
    /// The frame of ID3v2.4; nil for one of the user's (`TXXX`).
    let frame: String?
    /// The name of a frame of the user's, of a free item of M4A and of APE; nil for the name here.
    let free: String?
    /// The item of M4A (`ilst`); nil for a free one.
    package let item: String?
    /// The text of RIFF's `INFO`; nil if it has none.
    let riff: String?
    /// The word of CAF; nil for the name here.
    let caf: String?
    /// The name in APE tags; nil for `free`.
    let ape: String?

    /// Creates a row of the table.
    init(
        _ key: AudioTags.Key, _ frame: String? = nil, item: String? = nil, riff: String? = nil, caf: String? = nil, free: String? = nil,
        ape: String? = nil
    ) {
        self.key = key
        self.frame = frame
        self.free = free
        self.item = item
        self.riff = riff
        self.caf = caf
        self.ape = ape
    }

    /// The name of a free item or frame.
    package var freeName: String { free ?? key.name }

    /// All rows.
    package static let all: [TagNames] = usual + sorting + musicBrainz + further + store

    /// The texts that nearly all formats have.
    private static let usual = [
        TagNames(.title, "TIT2", item: "©nam", riff: "INAM", caf: "title", ape: "Title"),
        TagNames(.artist, "TPE1", item: "©ART", riff: "IART", caf: "artist", ape: "Artist"),
        TagNames(.albumArtist, "TPE2", item: "aART", caf: "album artist", ape: "Album Artist"),
        TagNames(.album, "TALB", item: "©alb", riff: "IPRD", caf: "album", ape: "Album"),
        TagNames(.date, "TDRC", item: "©day", riff: "ICRD", caf: "recorded date", ape: "Year"),
        TagNames(.genre, "TCON", item: "©gen", riff: "IGNR", caf: "genre", ape: "Genre"),
        TagNames(.composer, "TCOM", item: "©wrt", caf: "composer", ape: "Composer"),
        TagNames(.comment, "COMM", item: "©cmt", riff: "ICMT", caf: "comments", ape: "Comment"),
        TagNames(.copyright, "TCOP", item: "cprt", riff: "ICOP", caf: "copyright", ape: "Copyright"),
        TagNames(.lyrics, "USLT", item: "©lyr", caf: "lyrics", ape: "Lyrics"),
        TagNames(.compilation, "TCMP", item: "cpil", ape: "Compilation"),
        TagNames(.isrc, "TSRC", ape: "ISRC"),
        TagNames(.encoder, "TSSE", item: "©too", riff: "ISFT", caf: "encoding application"),
    ]

    /// The forms by which lists are sorted.
    private static let sorting = [
        TagNames(.titleSort, "TSOT", item: "sonm"),
        TagNames(.artistSort, "TSOP", item: "soar"),
        TagNames(.albumSort, "TSOA", item: "soal"),
        TagNames(.albumArtistSort, "TSO2", item: "soaa"),
        TagNames(.composerSort, "TSOC", item: "soco"),
    ]

    /// The identifiers of MusicBrainz, as Picard stores them.
    private static let musicBrainz = [
        TagNames("MUSICBRAINZ_TRACKID", "UFID", free: "MusicBrainz Track Id"),
        TagNames("MUSICBRAINZ_RELEASETRACKID", free: "MusicBrainz Release Track Id"),
        TagNames("MUSICBRAINZ_ALBUMID", free: "MusicBrainz Album Id"),
        TagNames("MUSICBRAINZ_ARTISTID", free: "MusicBrainz Artist Id"),
        TagNames("MUSICBRAINZ_ALBUMARTISTID", free: "MusicBrainz Album Artist Id"),
        TagNames("MUSICBRAINZ_RELEASEGROUPID", free: "MusicBrainz Release Group Id"),
        TagNames("MUSICBRAINZ_WORKID", free: "MusicBrainz Work Id"),
        TagNames("MUSICBRAINZ_DISCID", free: "MusicBrainz Disc Id"),
        TagNames("MUSICBRAINZ_TRMID", free: "MusicBrainz TRM Id"),
        TagNames("RELEASESTATUS", free: "MusicBrainz Album Status"),
        TagNames("RELEASETYPE", free: "MusicBrainz Album Type"),
        TagNames("RELEASECOUNTRY", free: "MusicBrainz Album Release Country"),
        TagNames("ACOUSTID_ID", free: "Acoustid Id"),
        TagNames("ACOUSTID_FINGERPRINT", free: "Acoustid Fingerprint"),
        TagNames("MUSICIP_PUID", free: "MusicIP PUID"),
    ]

    /// Texts that some formats have.
    private static let further = [
        TagNames("SUBTITLE", "TIT3"),
        TagNames("GROUPING", "TIT1", item: "©grp"),
        TagNames("DISCSUBTITLE", "TSST"),
        TagNames("ORIGINALDATE", "TDOR"),
        TagNames("RELEASEDATE", "TDRL"),
        TagNames("LYRICIST", "TEXT", caf: "lyricist"),
        TagNames("CONDUCTOR", "TPE3"),
        TagNames("REMIXER", "TPE4"),
        TagNames("ORIGINALARTIST", "TOPE"),
        TagNames("ORIGINALALBUM", "TOAL"),
        TagNames("BPM", "TBPM", item: "tmpo", caf: "tempo"),
        TagNames("KEY", "TKEY", caf: "key signature", free: "initialkey"),
        TagNames("LANGUAGE", "TLAN"),
        TagNames("MOOD", "TMOO"),
        TagNames("MEDIA", "TMED"),
        TagNames("LABEL", "TPUB"),
        TagNames("ENCODEDBY", "TENC", item: "©enc"),
        TagNames("MOVEMENTNAME", "MVNM", item: "©mvn"),
        TagNames("MOVEMENT", "MVIN", item: "©mvi"),
        TagNames("MOVEMENTTOTAL", item: "©mvc"),
        TagNames("WORK", item: "©wrk"),
        TagNames("NARRATOR", item: "©nrt"),
        TagNames("PUBLISHER", item: "©pub"),
        TagNames("DIRECTOR", item: "©dir"),
        TagNames("DESCRIPTION", item: "desc", caf: "description"),
        TagNames("LONGDESCRIPTION", item: "ldes"),
        TagNames("STOREDESCRIPTION", item: "sdes"),
        TagNames("SHOW", item: "tvsh"),
        TagNames("SHOWSORT", item: "sosn"),
        TagNames("EPISODEID", item: "tven"),
        TagNames("NETWORK", item: "tvnn"),
        TagNames("SEASON", item: "tvsn"),
        TagNames("EPISODE", item: "tves"),
        TagNames("PODCAST", "PCST", item: "pcst"),
        TagNames("PODCASTCATEGORY", "TCAT", item: "catg"),
        TagNames("PODCASTKEYWORDS", "TKWD", item: "keyw"),
        TagNames("PODCASTID", "TGID", item: "egid"),
        TagNames("PODCASTURL", "WFED", item: "purl"),
        TagNames("WEBSITE", "WOAR"),
        TagNames("MEDIAKIND", item: "stik"),
        TagNames("ITUNESADVISORY", item: "rtng"),
        TagNames("ITUNESGAPLESS", item: "pgap"),
        TagNames("SHOWMOVEMENT", item: "shwm"),
        TagNames("ITUNESOWNER", item: "ownr"),
        TagNames("ITUNESPURCHASEDATE", item: "purd"),
    ]

    /// The identifiers of iTunes' store, and what it says about a file.
    private static let store = [
        TagNames("ITUNESACCOUNT", item: "apID"),
        TagNames("ITUNESACCOUNTTYPE", item: "akID"),
        TagNames("ITUNESCATALOGID", item: "cnID"),
        TagNames("ITUNESALBUMID", item: "plID"),
        TagNames("ITUNESARTISTID", item: "atID"),
        TagNames("ITUNESCOMPOSERID", item: "cmID"),
        TagNames("ITUNESGENREID", item: "geID"),
        TagNames("ITUNESCOUNTRYID", item: "sfID"),
        TagNames("ITUNESVENDORID", item: "xid "),
        TagNames("ITUNESHDVIDEO", item: "hdvd"),
    ]
}
