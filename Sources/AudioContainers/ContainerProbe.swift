// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Identifies formats by content, never by file name.
package enum ContainerProbe {
    /// The number of leading bytes that is always sufficient, even for damaged files.
    package static let byteCount = 32_768

    /// Returns the format of a file, or `nil` if it is unknown.
    ///
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    package static func format(of source: some ByteSource) throws(ContainerError) -> AudioFileFormat? {
        var offset = 0
        // Two tags before a stream are rare, and three have not been seen.
        for _ in 0..<4 {
            let front = try source.bytes(in: offset..<min(source.byteCount, offset + byteCount))
            guard let length = tagByteCount(front) else {
                return format(of: front, isWhole: offset + front.count == source.byteCount)
            }
            guard length < source.byteCount - offset else { return nil }
            offset += length
        }
        return nil
    }

    /// Enough bytes for most signatures.
    package static let signatureByteCount = 12

    /// Returns the format of a file that starts with a signature, or `nil` if more bytes are needed to decide.
    ///
    /// - Parameter front: The first ``signatureByteCount`` bytes, or the whole file if it is shorter.
    package static func format(ofSignature front: [UInt8]) -> AudioFileFormat? {
        front.starts(with: "OggS".utf8) || tagByteCount(front) != nil ? nil : named(front)
    }

    /// Returns the format of a stream, or `nil` if it is unknown.
    ///
    /// - Parameters:
    ///   - front: The first bytes, including tags.
    ///   - isWhole: Whether `front` is the whole stream.
    package static func format(of front: [UInt8], isWhole: Bool) -> AudioFileFormat? { format(of: front, isWhole: isWhole) { _ in nil } }

    /// Returns the format of a stream, possibly a format of another module.
    ///
    /// - Parameter identify: Identifies a format of another module. It is called before the less distinctive syncword of ADTS is searched.
    package static func format(
        of front: [UInt8], isWhole: Bool, identify: (_ front: [UInt8]) -> AudioFileFormat?
    ) -> AudioFileFormat? {
        if let length = tagByteCount(front) {
            guard length < front.count else { return nil }
            return format(of: Array(front[length...]), isWhole: isWhole, identify: identify)
        }
        return named(front) ?? streamed(front, isWhole: isWhole, identify)
    }

    /// Returns the length of the ID3v2 tag at the start, if any.
    package static func tagByteCount(_ front: [UInt8]) -> Int? {
        var window = StreamWindow()
        window.append(front)
        window.finish()
        guard case .found(let tag) = StreamTag.search(in: window, at: 0), tag.reason == .id3v2Tag else { return nil }
        return tag.byteCount
    }

    /// Returns the format identified by a signature.
    private static func named(_ front: [UInt8]) -> AudioFileFormat? {
        func has(_ text: String, at offset: Int = 0) -> Bool { front.dropFirst(offset).starts(with: text.utf8) }
        if has("RIFF") || has("RF64") || has("BW64") || has("RIFX") { return has("WAVE", at: 8) ? .wav : nil }
        if has("FORM") { return has("AIF", at: 8) ? .aiff : nil }
        if has("fLaC") { return .flac }
        if has("OggS") { return isOpus(front) ? .oggOpus : .ogg }
        if has(".snd") { return .au }
        if front.starts(with: [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91]) { return .wave64 }
        if has("caff") { return .caf }
        if has("ADIF") { return .adif }
        if has("#!iLBC20\n") || has("#!iLBC30\n") { return .ilbc }
        if front.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
        if has("ftyp", at: 4) {
            guard front.count >= 12 else { return .mp4 }
            return AudioFileFormat(majorBrand: FourCharCode(rawValue: front[8..<12].reduce(0) { $0 << 8 | UInt32($1) }))
        }
        // Old QuickTime files have no brand, and neither have fragments.
        let boxes = ["moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"]
        return boxes.contains { has($0, at: 4) } ? .mp4 : nil
    }

    /// Whether one of the logical streams that start an Ogg stream is Opus.
    private static func isOpus(_ front: [UInt8]) -> Bool {
        var parser = OggPageParser()
        parser.append(front)
        parser.finish()
        while case .page(let page, _)? = parser.nextEvent(), page.isFirst {
            if page.body.starts(with: OpusConfiguration.signature) { return true }
        }
        return false
    }

    /// Returns the format identified by syncwords only.
    private static func streamed(
        _ front: [UInt8], isWhole: Bool, _ identify: (_ front: [UInt8]) -> AudioFileFormat?
    ) -> AudioFileFormat? {
        if TransportPacket.strides.contains(where: { arePackets(front, isWhole: isWhole, stride: $0) }) { return .transportStream }
        if LOASSync.begins(front[...]) { return .loas }
        if let found = identify(front) { return found }
        var adts = ADTSParser()
        adts.append(front)
        if isWhole { adts.finish() }
        while let event = adts.nextEvent() {
            if case .accessUnit = event { return .adts }
        }
        if LOASSync.isInside(front) { return .loas }
        return isMPEGAudio(front) ? .mpegAudio : nil
    }

    /// Whether `front` is a sequence of transport packets with the given stride.
    ///
    /// An arrival time may precede the first packet. A stream that starts inside a packet needs more consecutive packets. A short file may
    /// have only three: two tables and a PES packet.
    private static func arePackets(_ front: [UInt8], isWhole: Bool, stride: Int) -> Bool {
        /// Whether `count` consecutive packets start at an offset.
        func begin(_ count: Int, at first: Int) -> Bool {
            front.count > first + (count - 1) * stride && (0..<count).allSatisfy { front[first + $0 * stride] == TransportPacket.syncByte }
        }
        let count = isWhole && front.count == 3 * stride ? 3 : 4
        return begin(count, at: stride == 192 ? 4 : 0) || (1..<stride).contains { begin(8, at: $0) }
    }

    /// Whether the bytes can be an MPEG audio frame header of layer I, II or III.
    private static func isMPEGAudio(_ front: [UInt8]) -> Bool {
        guard front.count > 4, front[0] == 0xFF, front[1] & 0xE0 == 0xE0 else { return false }
        return front[1] & 0x06 != 0 && front[1] & 0x18 != 0x08 && front[2] & 0xF0 != 0xF0 && front[2] & 0x0C != 0x0C
    }
}

extension AudioFileFormat {
    /// Creates the format that matches the content of a file or stream, or `nil` if it is unknown.
    ///
    /// - Parameter front: The first 32 KiB, including tags, or the whole file if it is shorter.
    public init?(probing front: [UInt8]) {
        guard let format = ContainerProbe.format(of: front, isWhole: front.count < ContainerProbe.byteCount) else { return nil }
        self = format
    }
}
