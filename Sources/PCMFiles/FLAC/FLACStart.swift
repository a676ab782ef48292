// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// Finds the start of FLAC in a file that does not begin with a signature: after other bytes, or at a frame without metadata.
struct FLACStart {
    let input: FileInput
    let skippedByteCount: Int

    /// The signature, and the size of the STREAMINFO block (RFC 9639, 8).
    private static let (signature, blockHead) = (Array("fLaC".utf8), [0, 0, 34] as [UInt8])
    /// The maximum number of bytes before the start, not counting tags.
    private static let searchLimit = 1 << 20
    /// The number of bytes to search for the next header.
    private static let frameLimit = 1 << 17
    /// The maximum number of headers to check for a successor.
    private static let trialLimit = 32

    /// Searches a file after its ID3v2 tags, or returns `nil` if it has no FLAC.
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

    /// Whether the header of a consecutive frame follows within `frameLimit`.
    private static func isFollowed(_ header: FLACFrameHeader, in file: FileInput, after position: Int) throws(SystemFileError) -> Bool {
        let window = try file.bytes(at: position + 1..<position + frameLimit)
        return window.indices.contains { window[$0] == 0xFF && FLACFrameHeader(window[$0...])?.follows(header) == true }
    }

    /// Returns the signature and STREAMINFO of a stream of unknown length that starts with a frame, or `nil` if the frame refers to
    /// STREAMINFO.
    private static func metadata(_ header: FLACFrameHeader) -> [UInt8]? {
        guard let sampleRate = header.sampleRate, let bits = header.bitsPerSample else { return nil }
        let (least, most) = header.isVariable ? (16, 65_535) : (header.blockSize, header.blockSize)
        let format = UInt64(sampleRate) << 44 | UInt64(header.channelCount - 1) << 41 | UInt64(bits - 1) << 36
        var bytes = signature + [0x80] + blockHead
        for size in [least, most] { bytes += [UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size)] }
        // Frame sizes and checksum are unknown.
        bytes += [UInt8](repeating: 0, count: 6)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: format >> (56 - 8 * $0)) }
        return bytes + [UInt8](repeating: 0, count: 16)
    }
}
