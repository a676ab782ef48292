// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import AudioMetadata
internal import AudioPrimitives

extension TrackSampleStream {
    /// Reads the block headers of a Matroska file.
    ///
    /// Returns `nil` if the selected audio track has another codec.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - number: The number of the audio track, or `nil` for the default.
    /// - Throws: ``ContainerError`` for damaged files.
    package init?(matroska source: some ByteSource, audioTrack number: Int? = nil) throws(ContainerError) {
        var index = try MatroskaIndex(source)
        guard let track = index.audioTrack(number, where: { $0.isCoded || $0.sampleCoding != nil }), let coding = track.sampleCoding else {
            return nil
        }
        var walker = MatroskaWalker(source, from: nil, index, track, pieceByteCount: 4096)
        var ranges: [Range<Int>] = []
        var (lostByteCount, lastPadding, startTime) = (0, 0, 0)
        while let item = try walker.next() {
            switch item {
            case .block(let block, let time, let padding):
                if ranges.isEmpty { startTime = (time ?? 0).multipliedReportingOverflow(by: index.timestampScale).partialValue }
                ranges += block.frames.filter { !$0.isEmpty }
                lastPadding = padding
            case .section(let id, let range): try index.take(id, range, source)
            case .skipped(let skipped): lostByteCount += max(skipped.byteRange.count, skipped.unitCountAfterEnd)
            }
        }
        self.coding = coding
        codec = track.codecCode
        sampleRate = track.outputSampleRate ?? track.sampleRate
        channelCount = track.channelCount
        byteRanges = ranges
        tags = index.tags(for: track, startTime: startTime)
        audioTracks = index.audioTracks(reading: track)
        let remainder = track.frames(max(0, lastPadding), atRate: sampleRate)
        switch coding {
        case .mpegAudio:
            let isEncoded = track.encodings.isApplied(to: .frames)
            let front =
                try ranges.first.map { (range) throws(ContainerError) in
                    try source.bytes(in: isEncoded ? range : range.prefix(64))
                } ?? []
            let decoded = isEncoded ? track.encodings.decode(front, .frames) : front
            let (count, overflow) = Self.mpegFrameLength(decoded ?? []).multipliedReportingOverflow(by: ranges.count)
            frameCount = overflow ? 0 : count
            let priming = track.frames(track.codecDelay, atRate: sampleRate)
            let valid = frameCount - min(frameCount, priming) - min(frameCount, remainder)
            gaplessInfo =
                valid > 0 && priming + remainder > 0
                ? GaplessInfo(primingFrames: priming, validFrames: valid, remainderFrames: remainder) : nil
        case .pcm, .companded, .flac, .vorbis:
            frameCount = 0
            gaplessInfo = nil
        }
        encodings = track.encodings
        self.lostByteCount = lostByteCount
        remainderFrames = remainder
    }

    /// Returns the number of sample frames of an MPEG audio frame, or 0 if it has no header (ISO/IEC 11172-3, 2.4.2.3).
    private static func mpegFrameLength(_ frame: [UInt8]) -> Int {
        guard frame.count > 2, frame[0] == 0xFF, frame[1] & 0xE0 == 0xE0 else { return 0 }
        switch frame[1] >> 1 & 3 {
        case 3: return 384
        case 2: return 1152
        default: return frame[1] >> 3 & 3 == 3 ? 1152 : 576
        }
    }

    /// Whether the stream differs from the bytes of the file, so that it must be copied.
    package var needsCopy: Bool {
        if case .vorbis = coding { return true }
        return encodings.isApplied(to: .frames)
    }

    /// Writes the stream, Vorbis as Ogg, with the memory of one packet.
    ///
    /// Omits damaged packets.
    ///
    /// - Returns: The number of bytes of damaged packets.
    /// - Throws: Errors of `source` and `write`.
    package func copy(from source: some ByteSource, to write: ([UInt8]) throws -> Void) throws -> Int {
        var lostByteCount = 0
        var input = ReadAhead(source)
        var ogg: VorbisPages?
        switch coding {
        case .vorbis(let headers):
            guard var pages = VorbisPages(headers) else { throw ContainerError.invalidBox("vorb", offset: 0) }
            try write(pages.headerPages)
            ogg = pages
        case .flac(let blocks): try write(Array("fLaC".utf8) + blocks)
        case .pcm, .companded, .mpegAudio: break
        }
        for (number, range) in byteRanges.enumerated() {
            let stored = try input.bytes(in: range)
            guard let bytes = encodings.isApplied(to: .frames) ? encodings.decode(stored, .frames) : stored else {
                lostByteCount += range.count
                continue
            }
            let isLast = number == byteRanges.count - 1
            try write(ogg?.page(bytes, discarding: isLast ? remainderFrames : 0, isLast: isLast) ?? bytes)
        }
        return lostByteCount
    }
}

extension MatroskaTrack {
    /// The encoding of a stream of samples, or `nil` for other codecs and invalid fields.
    var sampleCoding: TrackSampleStream.Coding? {
        guard encodings.unsupported == nil, (1...64).contains(channelCount) else { return nil }
        switch codecID {
        case "A_MPEG/L3", "A_MPEG/L2", "A_MPEG/L1": return .mpegAudio
        case "A_FLAC":
            guard let codecPrivate else { return nil }
            return .flac(metadataBlocks: Array(codecPrivate.starts(with: "fLaC".utf8) ? codecPrivate[4...] : codecPrivate[...]))
        case "A_VORBIS": return codecPrivate.flatMap { VorbisPages.headers($0) }.map { .vorbis(headers: $0) }
        case "A_PCM/INT/LIT": return pcm(isBigEndian: false)
        case "A_PCM/INT/BIG": return pcm(isBigEndian: true)
        case "A_PCM/FLOAT/IEEE":
            return bitDepth == 64
                ? .pcm(SampleEncoding(.float64, isBigEndian: false))
                : bitDepth ?? 32 == 32 ? .pcm(SampleEncoding(.float32, isBigEndian: false)) : nil
        default: return nil
        }
    }

    private func pcm(isBigEndian: Bool) -> TrackSampleStream.Coding? {
        switch bitDepth {
        case 8: .pcm(.unsigned8)
        case 16: .pcm(SampleEncoding(.int16, isBigEndian: isBigEndian))
        case 24: .pcm(SampleEncoding(.int24, isBigEndian: isBigEndian))
        case 32: .pcm(SampleEncoding(.int32, isBigEndian: isBigEndian))
        default: nil
        }
    }
}
#endif
