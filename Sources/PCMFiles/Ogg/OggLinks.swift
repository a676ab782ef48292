// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import SystemFiles

/// The logical streams of an Ogg file, which has chained links with multiplexed streams (RFC 3533, 4).
struct OggLinks {
    enum Codec {
        case vorbis
        case flac
    }

    /// Pages of Vorbis that are missing or damaged, and which its decoder does not replace.
    struct Loss {
        /// The number of sample frames before them.
        let position: Int64
        /// The number of lost sample frames, estimated by the positions of the pages around them.
        let frameCount: Int64
    }

    struct Stream {
        /// The codec, or `nil` if unsupported.
        let codec: Codec?
        fileprivate let isAudio: Bool
        /// The positions of its pages in the file.
        fileprivate(set) var ranges: [Range<Int>]
        fileprivate let serial: ArraySlice<UInt8>
        /// Whether its last page is marked as the last.
        fileprivate(set) var isFinished: Bool
        /// Empty for FLAC, whose decoder finds them.
        private(set) var losses: [Loss] = []
        /// The latest intact page.
        private var latest: (number: Int64, position: Int64)?

        fileprivate init(_ page: Page) {
            (codec, isAudio, serial) = (page.codec, page.isAudio, page.serial)
            (ranges, isFinished) = ([page.range], page.isLast)
        }

        /// Adds an intact page and the loss before it, if any.
        fileprivate mutating func add(_ page: OggPage) {
            let number = Int64(page.sequenceNumber)
            let start = latest?.position ?? 0
            // Pages that only continue a packet have no position. The limit prevents overflow.
            let position = page.granulePosition < 0 ? start : min(page.granulePosition, 1 << 40)
            // A recording of a running stream has a gap between the headers and its first page.
            if let latest, start > 0, number > latest.number + 1 {
                let lostCount = number - latest.number - 1
                losses.append(Loss(position: start, frameCount: max(1, max(0, position - start) / (lostCount + 1) * lostCount)))
            }
            latest = (number, position)
        }
    }

    private(set) var links: [[Stream]] = []
    /// Whether the file ends inside a page.
    private var isCutOff = false
    private let path: String

    /// The first bytes of a page: signature and version.
    private static let signature = Array("OggS\0".utf8)
    private static let streamLimit = 64
    private static let pageHeaderByteCount = 27
    /// The number of the stream to read among the audio streams of each link, from 1, or `nil` for the first supported one.
    private let audioTrack: Int?

    /// Finds the streams of a file, or returns `nil` if it is not Ogg.
    init?(_ input: FileInput, audioTrack number: Int? = nil) throws(SystemFileError) {
        audioTrack = number
        path = input.path
        try input.seek(to: 0)
        guard try input.skipID3v2Tags(), try input.peek(Self.signature.count).elementsEqual(Self.signature) else { return nil }
        var position = input.position
        var isLinkOpen = false
        while let page = try Self.nextPage(input, from: position) {
            position = page.range.upperBound
            if page.isFirst {
                if !isLinkOpen { links.append([]) }
                isLinkOpen = true
                guard links[links.count - 1].count < Self.streamLimit else { continue }
                links[links.count - 1].append(Stream(page))
                continue
            }
            isLinkOpen = false
            guard let link = links.indices.last, let index = links[link].firstIndex(where: { $0.serial == page.serial }) else { continue }
            links[link][index].isFinished = page.isLast
            if links[link][index].codec == .vorbis, let intact = OggPage(intact: try input.bytes(at: page.range)) {
                links[link][index].add(intact)
            }
            if links[link][index].ranges.last?.upperBound == page.range.lowerBound {
                let start = links[link][index].ranges.removeLast().lowerBound
                links[link][index].ranges.append(start..<page.range.upperBound)
            } else {
                links[link][index].ranges.append(page.range)
            }
        }
        let rest = try input.bytes(at: position..<position + Self.signature.count)
        let isPartial = position > 0 ? try input.bytes(at: position - 1..<position).isEmpty : false
        isCutOff = isPartial || !rest.isEmpty && Self.signature.starts(with: rest)
    }

    /// A warning if the last stream to read ends without its last page.
    var unfinished: PCMFileWarning? {
        guard let last = readableStreams.last, let last, !last.isFinished || isCutOff else { return nil }
        return .unfinished(path: path, isCutOff: isCutOff)
    }

    /// Whether pages are missing or damaged in the streams to read.
    var hasLosses: Bool { readableStreams.contains { $0?.losses.isEmpty == false } }

    /// Whether the file has more than one stream or link.
    var isComposed: Bool { links.count > 1 || links.first?.count ?? 0 > 1 }

    var readableStreams: [Stream?] {
        links.map { link in
            guard let audioTrack else { return link.first { $0.codec != nil } }
            return link.lazy.filter(\.isAudio).dropFirst(audioTrack - 1).first
        }
    }

    fileprivate struct Page {
        let range: Range<Int>
        let isFirst: Bool
        let isLast: Bool
        let serial: ArraySlice<UInt8>
        let codec: Codec?
        let isAudio: Bool
    }

    /// Returns the page at a position, the next one after damage, or `nil` at the end.
    private static func nextPage(_ input: FileInput, from start: Int) throws(SystemFileError) -> Page? {
        var position = start
        while true {
            let bytes = try input.bytes(at: position..<position + pageHeaderByteCount + 255 + OggAudioHeader.signatureByteCount)
            if let page = page(bytes, at: position) { return page }
            guard let next = try nextSignature(input, from: position + 1) else { return nil }
            position = next
        }
    }

    /// Parses a page, or returns `nil` if the bytes are not one.
    private static func page(_ bytes: [UInt8], at position: Int) -> Page? {
        guard bytes.count >= pageHeaderByteCount, bytes.starts(with: signature) else { return nil }
        let lacing = bytes.dropFirst(pageHeaderByteCount).prefix(Int(bytes[26]))
        guard lacing.count == Int(bytes[26]) else { return nil }
        let body = bytes.dropFirst(pageHeaderByteCount + lacing.count)
        let isFirst = bytes[5] & 2 != 0
        let header = isFirst ? OggAudioHeader(body) : nil
        let codec: Codec? = header?.codec == .vorbis ? .vorbis : header?.codec == .flac ? .flac : nil
        let byteCount = pageHeaderByteCount + lacing.reduce(lacing.count) { $0 + Int($1) }
        return Page(
            range: position..<position + byteCount, isFirst: isFirst, isLast: bytes[5] & 4 != 0, serial: bytes[14..<18], codec: codec,
            isAudio: header != nil)
    }

    /// Returns the position of the next page signature, if any.
    private static func nextSignature(_ input: FileInput, from start: Int) throws(SystemFileError) -> Int? {
        var position = start
        while true {
            let window = try input.bytes(at: position..<position + FileInput.peekLimit)
            if let found = window.firstRange(of: signature) { return position + found.lowerBound }
            guard window.count == FileInput.peekLimit else { return nil }
            position += window.count - signature.count + 1
        }
    }
}
