// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

#if !hasFeature(Embedded)
/// The fields of an MP4 file's index that state a level, in its `tlou` and `alou` boxes (ISO/IEC 14496-12, 12.2.7).
package struct MP4LevelFields {
    /// The file offsets of bytes with a loudness in steps of 0.25 dB.
    package private(set) var loudness: [Int] = []
    /// The file offsets of pairs of peaks, 12 bits each, in steps of -1/32 dB; 0 if unknown.
    package private(set) var peaks: [Int] = []

    private static let containers: Set<FourCharCode> = ["moov", "trak", "udta", "ludt"]
    /// Methods that measure a loudness, not a range or a mixing level.
    private static let methods = 1...5
    private static let maximumDepth = 4

    /// Finds the fields.
    ///
    /// - Throws: ``ContainerError`` if a box is damaged.
    package init(_ bytes: [UInt8]) throws(ContainerError) {
        try read(ByteCursor(bytes), depth: 0)
    }

    private mutating func read(_ cursor: ByteCursor, depth: Int) throws(ContainerError) {
        var cursor = cursor
        while case (let type, let body)? = try cursor.nextBox() {
            if type == "tlou" || type == "alou" {
                try readEntries(body)
            } else if Self.containers.contains(type), depth < Self.maximumDepth {
                try read(body, depth: depth + 1)
            }
        }
    }

    private mutating func readEntries(_ body: ByteCursor) throws(ContainerError) {
        var body = body
        let version = try body.readFullBox().version
        let count = version == 0 ? 1 : try body.readInteger(1) & 0x3F
        for _ in 0..<count {
            try body.skip(version > 0 ? 3 : 2)
            peaks.append(body.position)
            try body.skip(4)
            for _ in 0..<(try body.readInteger(1)) {
                if Self.methods.contains(try body.readInteger(1)) { loudness.append(body.position) }
                try body.skip(2)
            }
        }
    }
}
#endif
