// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives

/// All parts of a file except its clusters.
struct MatroskaIndex {
    /// The unit of absolute times.
    static let ticksPerSecond = 1_000_000_000
    private static let maximumPartByteCount = 1 << 28

    /// The duration of a tick of a cluster, in nanoseconds.
    private(set) var timestampScale = 1_000_000
    private(set) var tracks: [MatroskaTrack] = []
    /// The end of the parts that are read already.
    private var readByteCount = 0
    private var title: String?
    private var application: String?
    private var chapters = MatroskaChapters()
    private var tagged = MatroskaTags()
    private var pictures: [AudioTags.Picture] = []
    private var otherAttachments: [String] = []

    /// Reads all parts before the first cluster.
    ///
    /// - Throws: ``ContainerError`` if the file is not Matroska or has no tracks.
    init(_ source: some ByteSource) throws(ContainerError) {
        try Self.checkHeader(source)
        var walker = MatroskaWalker(source, pieceByteCount: 4096)
        walker.endsAtCluster = true
        while let item = try walker.next() {
            if case .section(let id, let range) = item { try take(id, range, source) }
        }
        readByteCount = walker.offset
        guard !tracks.isEmpty else { throw .missingPart("Trks") }
    }

    /// Throws unless the file starts with an EBML header that this reader understands (RFC 8794, 11.2).
    private static func checkHeader(_ source: some ByteSource) throws(ContainerError) {
        var cursor = ByteCursor(try source.bytes(in: 0..<min(source.byteCount, 4096)))
        guard let (id, head) = cursor.nextElement(), id == MatroskaID.ebml else { throw .noSyncword(offset: 0) }
        var body = head
        while let (id, field) = body.nextElement() {
            let isValid =
                switch id {
                case MatroskaID.readVersion: field.unsigned.map { $0 <= 1 } ?? false
                case MatroskaID.maximumIDLength: field.unsigned.map { $0 <= 4 } ?? false
                case MatroskaID.maximumSizeLength: field.unsigned.map { $0 <= 8 } ?? false
                case MatroskaID.docTypeReadVersion: field.unsigned.map { $0 <= 4 } ?? false
                case MatroskaID.docType: ["matroska", "webm"].contains(field.text)
                default: true
                }
            guard isValid else { throw .invalidBox("EBML", offset: 0) }
        }
    }

    /// Parses a part unless it is read already.
    mutating func take(_ id: UInt32, _ range: Range<Int>, _ source: some ByteSource) throws(ContainerError) {
        // Later segments don't replace the tracks.
        guard range.lowerBound >= readByteCount, range.count <= Self.maximumPartByteCount, id != MatroskaID.tracks || tracks.isEmpty else {
            return
        }
        var body = ByteCursor(try source.bytes(in: range), fileOffset: range.lowerBound)
        switch id {
        case MatroskaID.info: readInfo(body)
        case MatroskaID.chapters: chapters.read(body)
        case MatroskaID.tags: tagged.read(body)
        default:
            while let (id, field) = body.nextElement() {
                if id == MatroskaID.trackEntry { tracks.append(MatroskaTrack(parsing: field)) }
                if id == MatroskaID.attachedFile { readAttachment(field) }
            }
        }
    }

    private mutating func readInfo(_ body: ByteCursor) {
        var body = body
        while let (id, field) = body.nextElement() {
            switch id {
            case MatroskaID.timestampScale: timestampScale = max(1, min(field.unsigned ?? 0, Self.ticksPerSecond))
            case MatroskaID.title: title = field.text
            case MatroskaID.writingApplication: application = field.text
            default: break
            }
        }
    }

    private mutating func readAttachment(_ body: ByteCursor) {
        var body = body
        var (name, description, mediaType, data) = ("", "", "", [UInt8]())
        while let (id, field) = body.nextElement() {
            switch id {
            case MatroskaID.fileName: name = field.text
            case MatroskaID.fileDescription: description = field.text
            case MatroskaID.fileMediaType: mediaType = field.text
            case MatroskaID.fileData: data = field.contents
            default: break
            }
        }
        guard mediaType.utf8.starts(with: "image/".utf8), !data.isEmpty else {
            otherAttachments.append("attachments")
            return
        }
        let isCover = name.asciiLowercased.utf8.starts(with: "cover".utf8)
        pictures.append(AudioTags.Picture(kind: isCover ? .frontCover : .other, mediaType: mediaType, text: description, bytes: data))
    }

    /// Returns the track to read: the first suitable one that is enabled and a default, or else the first suitable one.
    ///
    /// - Parameter number: The number among the audio tracks, from 1, or `nil` for any.
    func audioTrack(_ number: Int?, where isSuitable: (MatroskaTrack) -> Bool) -> MatroskaTrack? {
        let audio = tracks.filter { $0.isAudio }
        let suitable = audio.indices.filter { (number ?? $0 + 1) == $0 + 1 && isSuitable(audio[$0]) }.map { audio[$0] }
        return suitable.first { $0.isEnabled && $0.isDefault } ?? suitable.first { $0.isEnabled } ?? suitable.first
    }

    /// Returns the error for a file without a suitable track.
    func unsupportedCodec(_ number: Int?) -> ContainerError { .unsupportedCodec(audioTrack(number) { _ in true }?.codecCode) }

    func audioTracks(reading track: MatroskaTrack? = nil) -> [AudioTrack] {
        tracks.filter { $0.isAudio }.enumerated().map { $1.summary(number: $0 + 1, isRead: $1.number == track?.number) }
    }

    /// Returns the tags for a track whose first block has a time in nanoseconds.
    func tags(for track: MatroskaTrack, startTime: Int) -> AudioTags {
        var tags = tagged.tags(trackUID: track.uid)
        if let title, !title.isEmpty {
            if tags.title == nil { tags.title = title }
        }
        if let application, !application.isEmpty { tags.add(application, named: .encoder) }
        tags.extractGains()
        tags.pictures = pictures
        otherAttachments.forEach { tags.addUnread($0) }
        tags.setChapters(chapters.flattened(startTime: startTime))
        return tags
    }
}
#endif
