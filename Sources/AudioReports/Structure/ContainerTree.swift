// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
internal import SystemFiles

/// The parts of a file: MP4 boxes, or chunks of CAF, WAV and AIFF.
package struct ContainerTree: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// The four-character code.
        package var name: String
        /// The offset of its header in the file.
        package var offset: Int
        /// The size in bytes including the header, limited by the end of the file.
        package var byteCount: Int
        package var parts: [Part] = []
    }

    package private(set) var parts: [Part] = []
    /// Whether there are more parts than listed.
    package private(set) var isCut = false

    /// The maximum number of listed parts.
    package static let limit = 400
    /// The maximum nesting.
    private static let depthLimit = 8
    /// Boxes that contain boxes (ISO/IEC 14496-12).
    private static let nesting: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "udta", "edts", "dinf", "mvex", "moof", "traf", "meta", "ilst", "mfra",
    ]

    private var count = 0

    /// Header formats.
    private enum Form {
        /// Size and name, big-endian. The size includes the header.
        case boxes
        /// Name and an 8-byte size, big-endian.
        case coreAudio
        /// Name and size, padded to an even size.
        case chunks(isLittleEndian: Bool)
    }

    /// Reads the structure of a file.
    ///
    /// - Parameter read: Returns the bytes of a range, or fewer.
    package init?(byteCount: Int, read: (Range<Int>) -> [UInt8]) {
        let head = read(0..<min(16, byteCount))
        guard head.count >= 12 else { return nil }
        let first = Self.name(head[0..<4])
        switch first {
        case "caff": parts = children(8..<byteCount, .coreAudio, depth: 0, read)
        case "RIFF", "RF64", "BW64", "FORM":
            let inner = children(12..<byteCount, .chunks(isLittleEndian: first != "FORM"), depth: 1, read)
            parts = [Part(name: first, offset: 0, byteCount: byteCount, parts: inner)]
        default:
            let outermost = ["ftyp", "moov", "styp", "moof", "wide", "mdat", "free", "skip"]
            guard outermost.contains(Self.name(head[4..<8])) else { return nil }
            parts = children(0..<byteCount, .boxes, depth: 0, read)
        }
    }

    /// Returns the parts of a range, up to the first invalid header.
    private mutating func children(_ range: Range<Int>, _ form: Form, depth: Int, _ read: (Range<Int>) -> [UInt8]) -> [Part] {
        var result: [Part] = []
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            guard count < Self.limit else {
                isCut = true
                break
            }
            let remaining = range.upperBound - offset
            let header = read(offset..<min(range.upperBound, offset + 16))
            guard let found = Self.parse(header, form, remaining: remaining) else { break }
            count += 1
            let end = offset + min(found.total, remaining)
            var part = Part(name: found.name, offset: offset, byteCount: end - offset)
            if case .boxes = form, Self.nesting.contains(found.name), depth < Self.depthLimit {
                let start = min(end, offset + found.header)
                // "meta" has four more bytes in MP4 than in QuickTime.
                let isFull = found.name == "meta" && read(start..<min(end, start + 4)) == [0, 0, 0, 0]
                part.parts = children(min(end, start + (isFull ? 4 : 0))..<end, form, depth: depth + 1, read)
            }
            result.append(part)
            offset = end
        }
        return result
    }

    /// Parses a header; nil if it is invalid.
    private static func parse(_ bytes: [UInt8], _ form: Form, remaining: Int) -> (name: String, header: Int, total: Int)? {
        /// Returns a non-negative number.
        func number(_ range: Range<Int>, isLittleEndian: Bool = false) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            let ordered = isLittleEndian ? Array(bytes[range].reversed()) : Array(bytes[range])
            guard range.count < 8 || ordered[0] < 0x80 else { return nil }
            return ordered.reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 8 else { return nil }
        switch form {
        case .boxes:
            let boxName = name(bytes[4..<8])
            guard let size = number(0..<4) else { return nil }
            if size == 1 { return number(8..<16).flatMap { $0 >= 16 ? (boxName, 16, $0) : nil } }
            return size == 0 ? (boxName, 8, remaining) : size >= 8 ? (boxName, 8, size) : nil
        case .coreAudio:
            // A size of -1 extends to the end of the file.
            let size = number(4..<12) ?? remaining
            return (name(bytes[0..<4]), 12, min(remaining, size) + 12)
        case .chunks(let isLittleEndian):
            guard let size = number(4..<8, isLittleEndian: isLittleEndian) else { return nil }
            return (name(bytes[0..<4]), 8, 8 + size + size % 2)
        }
    }

    /// Returns a four-character code, with dots for other bytes.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            bytes.map { byte in
                // Tag names start with a copyright sign.
                byte == 0xA9 ? "©" : 0x20..<0x7F ~= byte ? Character(Unicode.Scalar(byte)) : "."
            })
    }

    /// Returns the meaning of a part in a word or two; nil if unknown.
    static func meaning(_ name: String) -> String? { meanings[name] }

    private static let meanings = [
        "ftyp": "file type", "styp": "segment type", "moov": "movie", "mvhd": "movie header", "trak": "track", "tkhd": "track header",
        "edts": "edits", "elst": "edit list", "mdia": "media", "mdhd": "media header", "hdlr": "handler", "minf": "media information",
        "smhd": "audio header", "dinf": "data information", "dref": "data references", "stbl": "sample table",
        "stsd": "sample descriptions", "stts": "times of samples", "stsc": "samples of chunks", "stsz": "sizes of samples",
        "stco": "offsets of chunks", "co64": "offsets of chunks", "sgpd": "descriptions of groups", "sbgp": "groups of samples",
        "udta": "user data", "meta": "metadata", "ilst": "tags", "mdat": "audio data", "free": "free space", "skip": "free space",
        "moof": "fragment", "mfhd": "fragment header", "traf": "track fragment", "tfhd": "track fragment header", "tfdt": "decode time",
        "trun": "track run", "mvex": "fragments follow", "trex": "defaults of fragments", "sidx": "segment index", "©nam": "title",
        "©ART": "artist", "©alb": "album", "©day": "date", "©too": "encoder", "covr": "cover", "----": "free tag",
        "desc": "description", "pakt": "packet table", "kuki": "magic cookie", "chan": "channel layout", "data": "audio data",
        "info": "tags", "fmt ": "format", "fact": "length", "LIST": "tags", "COMM": "format", "SSND": "audio data",
    ]
}

extension ContainerTree {
    /// Reads the structure of a file.
    ///
    /// Nil for files without parts, such as ADTS, and for unreadable files.
    package init?(_ input: AudioFileInput) {
        guard let input = try? input.open(), let size = input.fileSize else { return nil }
        self.init(byteCount: size) { range in (try? input.bytes(in: range)) ?? [] }
    }
}
