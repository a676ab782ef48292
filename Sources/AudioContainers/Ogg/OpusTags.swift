// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// The comment header of Opus: the program that made the stream, and tags as `NAME=value` (RFC 7845 5.2).
struct OpusTags: Hashable, Sendable {
    /// The eight bytes at the start of the header.
    static let signature = Array("OpusTags".utf8)

    /// The program that made the stream.
    var vendor = "Linnet"

    /// Title, artist and so on.
    var tags = AudioTags()

    /// The names of comments, in upper case.
    private enum Name {
        static let title = "TITLE"
        static let artist = "ARTIST"
        static let album = "ALBUM"
        static let date = "DATE"
        static let encoder = "ENCODER"
        static let gain = "R128_TRACK_GAIN"
        static let picture = "METADATA_BLOCK_PICTURE"
    }

    /// Creates a header with tags.
    init(tags: AudioTags) { self.tags = tags }

    /// Parses a header; nil if its fields need more bytes than it has, or it is none.
    init?(parsing bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var position = Self.signature.count
        /// Reads a number of four bytes that is no more than the bytes after it, the least significant first.
        func number() -> Int? {
            guard bytes.count - position >= 4 else { return nil }
            let value = bytes[position..<position + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            position += 4
            return value <= bytes.count - position ? value : nil
        }
        guard let vendorLength = number() else { return nil }
        vendor = String(decoding: bytes[position..<position + vendorLength], as: UTF8.self)
        position += vendorLength
        guard let count = number() else { return nil }
        for _ in 0..<count {
            guard let length = number() else { return nil }
            take(bytes[position..<position + length])
            position += length
        }
        // The vendor stands for programs that don't name themselves.
        if tags.encoder == nil, !vendor.isEmpty { tags.encoder = vendor }
    }

    /// Takes a comment; the first of each name counts, of artists all.
    private mutating func take(_ comment: ArraySlice<UInt8>) {
        guard let separator = comment.firstIndex(of: UInt8(ascii: "=")) else { return }
        let name = String(decoding: comment[..<separator], as: UTF8.self).asciiUppercased
        let bytes = comment[(separator + 1)...]
        if name == Name.picture {
            // A front cover replaces a picture of another kind.
            guard let block = Base64.decode(bytes), let found = FLACPicture(parsing: block) else { return }
            if tags.cover == nil || found.isFrontCover { tags.cover = found.picture }
            return
        }
        let value = String(decoding: bytes, as: UTF8.self)
        switch name {
        case Name.title: tags.title = tags.title ?? value
        case Name.artist: tags.artist = tags.artist.map { $0 + ", " + value } ?? value
        case Name.album: tags.album = tags.album ?? value
        case Name.date: tags.date = tags.date ?? value
        case Name.encoder: tags.encoder = tags.encoder ?? value
        case Name.gain: tags.replayGain = tags.replayGain ?? AudioTags.ReplayGain(opusText: value)
        default: break
        }
    }

    /// The bytes of the header.
    var serialized: [UInt8] {
        let texts = [
            (Name.title, tags.title), (Name.artist, tags.artist), (Name.album, tags.album), (Name.date, tags.date),
            (Name.encoder, tags.encoder), (Name.gain, tags.replayGain?.opusText),
        ]
        var comments = texts.compactMap { pair in pair.1.map { Array("\(pair.0)=\($0)".utf8) } }
        if let cover = tags.cover {
            comments.append(Array("\(Name.picture)=".utf8) + Base64.encode(FLACPicture(picture: cover).serialized))
        }
        var bytes = Self.signature + Self.string(Array(vendor.utf8)) + Self.number(comments.count)
        for comment in comments { bytes += Self.string(comment) }
        return bytes
    }

    /// Returns bytes after their number.
    private static func string(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

    /// Returns a number in four bytes, the least significant first.
    private static func number(_ value: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
