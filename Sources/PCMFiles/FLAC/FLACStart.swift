// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// The start of FLAC in a file that does not begin with its signature: behind other bytes, or at a frame, without metadata.
struct FLACStart {
    /// The file from there on, with metadata.
    let input: FileInput
    /// The bytes before the start.
    let skippedByteCount: Int

    /// The signature, and the head of the block STREAMINFO (RFC 9639, 8).
    private static let (signature, blockHead) = (Array("fLaC".utf8), [0, 0, 34] as [UInt8])
    /// The most bytes before the start, tags excepted.
    private static let searchLimit = 1 << 20
    /// The bytes after a header among which the next one is searched.
    private static let frameLimit = 1 << 17
    /// The headers after which the next one is searched.
    private static let trialLimit = 32

    /// Searches a file after its ID3v2 tags; nil if there is no FLAC.
    init?(searching file: FileInput) throws(SystemFileError) {
        try file.seek(to: 0)
        guard try file.skipID3v2Tags(), let byteCount = file.byteCount else { return nil }
        let origin = file.position
        let window = try file.bytes(at: origin..<origin + Self.searchLimit)
        guard !MPEGAudioStart.isForeign(Array(window.prefix(12))) else { return nil }
        var trialCount = 0
        for offset in window.indices.dropLast(8) {
            var prefix: [UInt8]?
            if window[offset] == Self.signature[0], window[offset...].starts(with: Self.signature) {
                prefix = window[offset + 4] & 0x7F == 0 && window[(offset + 5)...].starts(with: Self.blockHead) ? [] : nil
            } else if window[offset] == 0xFF, trialCount < Self.trialLimit, let header = FLACFrameHeader(window[offset...]) {
                trialCount += 1
                prefix = try Self.isFollowed(header, in: file, after: origin + offset) ? Self.metadata(header) : nil
            }
            guard let prefix else { continue }
            let start = file.startOffset
            input = try file.joining([origin + offset + start..<byteCount + start], prefix: prefix)
            skippedByteCount = offset
            return
        }
        return nil
    }

    /// Returns whether the header of the next frame follows a header.
    private static func isFollowed(_ header: FLACFrameHeader, in file: FileInput, after position: Int) throws(SystemFileError) -> Bool {
        let window = try file.bytes(at: position + 1..<position + frameLimit)
        return window.indices.contains { window[$0] == 0xFF && FLACFrameHeader(window[$0...])?.follows(header) == true }
    }

    /// Returns the signature and STREAMINFO of a stream of unknown length that begins with a frame; nil if the frame refers to them.
    private static func metadata(_ header: FLACFrameHeader) -> [UInt8]? {
        guard let sampleRate = header.sampleRate, let bits = header.bitsPerSample else { return nil }
        let (least, most) = header.isVariable ? (16, 65_535) : (header.blockSize, header.blockSize)
        let format = UInt64(sampleRate) << 44 | UInt64(header.channelCount - 1) << 41 | UInt64(bits - 1) << 36
        var bytes = signature + [0x80] + blockHead
        for size in [least, most] { bytes += [UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)] }
        // Neither the sizes of frames are known nor the checksum.
        bytes += [UInt8](repeating: 0, count: 6)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: format >> (56 - 8 * $0)) }
        return bytes + [UInt8](repeating: 0, count: 16)
    }
}
