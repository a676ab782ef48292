// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// Reads an Ogg file with several logical streams, or without some of its pages.
///
/// It reads one of multiplexed streams, and all links of a chain that have the first one's format.
final class OggChainSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    /// The encoding that represents the samples of all links without loss.
    let encoding: SampleEncoding
    /// Whether samples do not depend on previous ones.
    let seeksExactly: Bool

    private struct Link {
        let input: FileInput
        let codec: OggLinks.Codec
        let frameCount: Int?
        let losses: [OggLinks.Loss]
    }

    private let path: String
    private let open: (FileInput, OggLinks.Codec) throws -> any PCMFileSource
    private let links: [Link]
    /// A warning about links that are unreadable or have a different format.
    private let omitted: PCMFileWarning?
    /// A warning about the end of the file.
    private let unfinished: PCMFileWarning?
    /// Whether all links have ``encoding``.
    private let isUniform: Bool
    /// The current link, its source, and its first sample frame in the file.
    private var current: (index: Int, source: any PCMFileSource, start: Int)
    /// The warnings of each link when it was left last.
    private var linkWarnings: [[PCMFileWarning]]
    private var position = 0
    private var isAtEnd = false
    private var buffer: PCMBuffer?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - input: A seekable file.
    ///   - open: Opens a single stream.
    init(_ input: FileInput, _ found: OggLinks, open: @escaping (FileInput, OggLinks.Codec) throws -> any PCMFileSource) throws {
        path = input.path
        self.open = open
        var links: [Link] = []
        var encodings: [SampleEncoding] = []
        var first: (any PCMFileSource)?
        var otherFormats: [PCMFileProperties?] = []
        for stream in found.readableStreams {
            guard let stream, let codec = stream.codec else {
                otherFormats.append(nil)
                continue
            }
            let part = try input.joining(stream.ranges.map { $0.lowerBound + input.startOffset..<$0.upperBound + input.startOffset })
            let source: any PCMFileSource
            do { source = try open(part, codec) } catch let error as AudioFileError {
                // The error of the first stream explains why the file is unreadable.
                if first == nil { throw error }
                otherFormats.append(nil)
                continue
            }
            if let format = first?.properties,
                format.sampleRate != source.properties.sampleRate || format.channelCount != source.properties.channelCount
            {
                otherFormats.append(source.properties)
                continue
            }
            first = first ?? source
            encodings.append(source.encoding)
            links.append(Link(input: part, codec: codec, frameCount: source.properties.frameCount, losses: stream.losses))
        }
        guard let first else { throw AudioFileError(.unrecognizedFormat(reason: "it has no Vorbis or FLAC stream"), path: path) }
        self.links = links
        linkWarnings = links.map { _ in [] }
        encoding = encodings.max { $0.byteCount < $1.byteCount } ?? first.encoding
        isUniform = encodings.allSatisfy { $0 == first.encoding }
        seeksExactly = first.seeksExactly && links.count == 1
        omitted = otherFormats.first.map { format in
            .formatChange(
                path: input.path, partCount: otherFormats.count, sampleRate: format?.sampleRate ?? 0,
                channelCount: format?.channelCount ?? 0)
        }
        current = (0, first, 0)
        properties = first.properties
        let counts = links.compactMap(\.frameCount)
        properties.frameCount = counts.count == links.count ? counts.reduce(0, +) : nil
        properties.streamDescription = encoding.streamDescription(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount)
        // libFLAC does not mark the last page of a stream without audio.
        let isEmpty = properties.frameCount == 0 && links.last?.codec == .flac && found.unfinished?.isDamage == false
        unfinished = isEmpty ? nil : found.unfinished
        properties.tags = AudioTags(reading: links[0].input)
    }

    var warnings: [PCMFileWarning] {
        var all = linkWarnings
        all[current.index] = currentWarnings
        return all.flatMap { $0 } + [omitted, unfinished].compactMap { $0 }
    }

    /// A warning about lost pages before the position, until the decoder counts the missing sample frames at the end.
    private var loss: PCMFileWarning? {
        let end = Int64(position - current.start)
        let frameCount = links[current.index].losses.reduce(0) { $1.position < end ? $0 + $1.frameCount : $0 }
        return isAtEnd || frameCount == 0 ? nil : .missing(path: path, frameCount: Int(clamping: frameCount))
    }

    /// The current link's warnings with frames counted from the start of the file.
    private var currentWarnings: [PCMFileWarning] {
        var new = current.source.warnings.map { warning in
            guard case .silenced(let path, let loss, let sampleRate) = warning else { return warning }
            return .silenced(path: path, loss: loss.counted(from: -current.start), sampleRate: sampleRate)
        }
        if let loss, !new.contains(where: \.isDamage) { new.append(loss) }
        // A link that is read again may not have been read up to its damage.
        let old = linkWarnings[current.index]
        return new.contains { $0.isDamage } || !old.contains { $0.isDamage } ? new : old
    }

    /// Opens a link, whose first sample frame in the file is `start`.
    private func open(link index: Int, start: Int) throws {
        linkWarnings[current.index] = currentWarnings
        current = (index, try open(links[index].input, links[index].codec), start)
    }

    /// Opens the next link.
    ///
    /// Returns false at the end.
    private func advance() throws -> Bool {
        let next = current.index + 1
        isAtEnd = true
        guard next < links.count else { return false }
        try open(link: next, start: position)
        return true
    }

    func read(into buffer: inout PCMBuffer) throws {
        repeat { try current.source.read(into: &buffer) } while try buffer.frameCount == 0 && advance()
        position += buffer.frameCount
        isAtEnd = buffer.frameCount == 0
    }

    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        guard isUniform else { return try readFloats(frameCount, by: &buffer, into: &bytes) }
        repeat { try current.source.read(frameCount, into: &bytes) } while try bytes.isEmpty && advance()
        position += bytes.count / (encoding.byteCount * properties.channelCount)
        isAtEnd = bytes.isEmpty
    }

    func seek(toFrame frame: Int) throws {
        var (index, start) = (0, 0)
        while index + 1 < links.count, let count = links[index].frameCount, start + count <= frame {
            start += count
            index += 1
        }
        if index != current.index { try open(link: index, start: start) }
        try current.source.seek(toFrame: frame - start)
        position = frame
        isAtEnd = false
    }
}
