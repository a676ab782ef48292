// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The syncwords of LOAS (`AudioSyncStream`, ISO/IEC 14496-3:2009, 1.7.2).
enum LOASSync {
    /// Bytes of syncword and length.
    static let byteCount = 3

    /// The length of the `AudioMuxElement` behind a syncword at `offset`; nil if there is none.
    static func elementByteCount(_ bytes: some RandomAccessCollection<UInt8>) -> Int? {
        guard bytes.count >= byteCount else { return nil }
        let word = bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        return word >> 13 == 0x2B7 ? word & 0x1FFF : nil
    }

    /// Whether three frames in a row, or all there are, begin at the front.
    static func begins(_ bytes: [UInt8]) -> Bool { begins(bytes[...]) }

    /// Whether three frames in a row begin somewhere.
    static func isInside(_ bytes: [UInt8]) -> Bool { bytes.indices.contains { bytes[$0] == 0x56 && begins(bytes[$0...]) } }

    private static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        for index in 0..<3 {
            if rest.isEmpty && index > 0 { return true }
            guard let length = elementByteCount(rest), length > 0 else { return false }
            guard rest.count >= byteCount + length else { return index > 0 }
            rest = rest.dropFirst(byteCount + length)
        }
        return true
    }
}
