// SPDX-License-Identifier: Apache-2.0

package import SystemFiles

/// Finds the first MPEG audio frame of a file.
///
/// Noise with small amplitudes contains many bytes that look like a header. Only several consecutive frames with the same layer and sample
/// rate are considered valid.
package struct MPEGAudioStart {
    /// The input position of the first frame.
    let position: Int
    /// The header of the first frame.
    ///
    /// Its `frameByteCount` is 0 for free format.
    let header: MPEGAudioHeader
    /// The number of bytes between tags and the first frame.
    ///
    /// 0 if they are zeros, or less than a frame because a recording starts inside one.
    let skippedByteCount: Int

    /// The required number of consecutive frames: at the start of a file or with other evidence, and otherwise.
    static let (leadingCount, searchedCount) = (3, 6)
    /// The maximum number of bytes before the first frame, not counting tags.
    static let searchLimit = 1 << 20
    /// The size of ``searchedCount`` frames of the largest kind: layer 2, 384 kbit/s, 32 kHz.
    private static let maximumRun = searchedCount * 1730

    /// Finds a frame at the start of a file or after its ID3v2 tags, or returns `nil` if not found.
    package init?(leading input: FileInput) throws(SystemFileError) {
        try input.seek(to: 0)
        guard try input.skipID3v2Tags() else { return nil }
        let window = Array(try input.peek(FileInput.peekLimit))
        guard let header = MPEGAudioHeader(window) ?? Self.freeHeader(window) else { return nil }
        if header.frameByteCount > 0 {
            let isWhole = window.count == input.bytesRemaining
            guard Self.isRun(window, at: 0, header, isWhole: isWhole, wantedCount: Self.leadingCount) else { return nil }
        }
        (position, self.header, skippedByteCount) = (input.position, header, 0)
    }

    /// Searches the first MiB after the ID3v2 tags for layers 2 and 3, or returns `nil` if not found or if the file has a format with other
    /// contents.
    ///
    /// Layer 1 is excluded because jump tables of programs look like many of its frames.
    package init?(searching input: FileInput) throws(SystemFileError) {
        try input.seek(to: 0)
        guard try input.skipID3v2Tags() else { return nil }
        let origin = input.position
        let front = Array(try input.peek(12))
        guard !Self.isForeign(front) else { return nil }
        let hasEvidence = origin > 0 || MPEGAudioHeader(front) != nil
        let wantedCount = hasEvidence ? Self.leadingCount : Self.searchedCount
        var isZero = true
        while input.position - origin < Self.searchLimit {
            let window = Array(try input.peek(FileInput.peekLimit))
            let isWhole = window.count == input.bytesRemaining
            let end = isWhole ? window.count : window.count - Self.maximumRun
            guard end > 0 else { return nil }
            for offset in 0..<end where window[offset] == 0xFF {
                guard let header = MPEGAudioHeader(window[offset...]), header.layer > 1,
                    Self.isRun(window, at: offset, header, isWhole: isWhole, wantedCount: wantedCount)
                else { continue }
                isZero = isZero && window[..<offset].allSatisfy { $0 == 0 }
                position = input.position + offset
                self.header = header
                let skipped = position - origin
                skippedByteCount = isZero || skipped <= header.frameByteCount ? 0 : skipped
                return
            }
            isZero = isZero && window[..<end].allSatisfy { $0 == 0 }
            guard !isWhole, try input.skip(end) else { return nil }
        }
        return nil
    }

    /// Whether a frame sync follows the ID3v2 tags, which makes libsndfile assume MPEG audio.
    static func beginsWithSync(_ input: FileInput) throws(SystemFileError) -> Bool {
        try input.seek(to: 0)
        guard try input.skipID3v2Tags() else { return false }
        let front = Array(try input.peek(2))
        return front.count == 2 && front[0] == 0xFF && front[1] & 0xE0 == 0xE0
    }

    /// Whether `wantedCount` consecutive frames follow, or all frames up to the end of the file.
    private static func isRun(_ window: [UInt8], at offset: Int, _ header: MPEGAudioHeader, isWhole: Bool, wantedCount: Int) -> Bool {
        var (next, count) = (offset, 0)
        while count < wantedCount, next < window.count, let frame = MPEGAudioHeader(window[next...]), frame.continues(header) {
            (next, count) = (next + frame.frameByteCount, count + 1)
        }
        if count == wantedCount { return true }
        guard isWhole else { return false }
        // After other bytes, a few frames at the end are not sufficient.
        if wantedCount == searchedCount, count < leadingCount { return false }
        if next == window.count { return offset == 0 || count > 1 }
        return count > 1 && (next > window.count || MPEGAudioLength.isTag(window[next...].prefix(8)))
    }

    /// Returns a free format header at the start if more headers follow at equal distances (ISO/IEC 11172-3, 2.4.2.3).
    private static func freeHeader(_ window: [UInt8]) -> MPEGAudioHeader? {
        guard let first = MPEGAudioHeader(window, allowsFreeBitRate: true), first.frameByteCount == 0 else { return nil }
        let (smallest, largest) = (24, 4096)
        /// Whether a header with the same settings is within `tolerance` bytes of an offset, because frames may be padded.
        func continues(near offset: Int, _ tolerance: Int) -> Bool {
            (offset - tolerance...offset + tolerance).contains { offset in
                offset + 3 <= window.count && window[offset] == 0xFF && window[offset + 1] == window[1]
                    && window[offset + 2] & 0xFC == window[2] & 0xFC
            }
        }
        let isFree = (smallest..<largest).contains { distance in
            continues(near: distance, 0) && continues(near: 2 * distance, 1) && continues(near: 3 * distance, 2)
        }
        return isFree ? first : nil
    }

    /// Offsets and signatures of formats that libsndfile does not support.
    ///
    /// MP4 files describe their contents in an index.
    private static let foreignSignatures: [(offset: Int, texts: [String])] = [
        (0, ["RIFF", "RIFX", "RF64", "BW64", "FORM", "OggS", "fLaC"]),
        (4, ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"]),
    ]

    /// Whether the first bytes of a file belong to a format that must not be searched for a stream.
    static func isForeign(_ front: [UInt8]) -> Bool {
        foreignSignatures.contains { offset, texts in texts.contains { front.dropFirst(offset).starts(with: $0.utf8) } }
    }
}
