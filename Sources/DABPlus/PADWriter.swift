// SPDX-License-Identifier: Apache-2.0

/// Generates programme-associated data that repeat a dynamic label.
package struct PADWriter: Sendable {
    /// The size of the data per access unit.
    private let byteCount: Int
    /// The label segments, each with header and checksum.
    private var segments: [[UInt8]] = []
    /// The current segment and the number of its bytes already sent.
    private var position = (segment: 0, byte: 0)
    /// The toggle bit, which changes with each label.
    private var toggle = false

    /// The minimum data size for labels: fixed part, one contents indicator with end marker, and the shortest subfield.
    static let minimumLabelByteCount = ProgrammeAssociatedData.fixedByteCount + 2 + PADApplication.lengths[0]

    /// Characters per segment.
    private static let segmentLength = 16

    package init(byteCount: Int) { self.byteCount = byteCount }

    /// Replaces the label, or removes it if `nil`.
    package mutating func setLabel(_ label: DynamicLabel?) {
        toggle.toggle()
        position = (0, 0)
        let flag: UInt8 = toggle ? 0x80 : 0
        guard let label, !label.bytes.isEmpty else {
            // The "clear display" command.
            segments = segments.isEmpty ? [] : [Self.checked([flag | 0x71, 0])]
            return
        }
        let starts = Array(stride(from: 0, to: label.bytes.count, by: Self.segmentLength))
        segments = starts.indices.map { index in
            let characters = label.bytes[starts[index]..<min(starts[index] + Self.segmentLength, label.bytes.count)]
            var first = flag | UInt8(characters.count - 1)
            if index == 0 { first |= 0x40 }
            if index == starts.count - 1 { first |= 0x20 }
            let second = index == 0 ? UInt8(label.characterSetNumber) << 4 : UInt8(index) << 4
            return Self.checked([first, second] + characters)
        }
    }

    /// Returns the bytes followed by their checksum.
    private static func checked(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        DABChecksum.accessUnits.append(to: &result, from: 0)
        return result
    }

    package mutating func next() -> ProgrammeAssociatedData {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard !segments.isEmpty, byteCount >= Self.minimumLabelByteCount else { return ProgrammeAssociatedData(bytes: bytes) }
        let segment = segments[position.segment]
        let rest = segment[position.byte...]
        let availableByteCount = byteCount - ProgrammeAssociatedData.fixedByteCount - 2
        // The shortest subfield that holds the remaining bytes, or the longest that fits.
        var number = 0
        while number + 1 < PADApplication.lengths.count, PADApplication.lengths[number] < rest.count,
            PADApplication.lengths[number + 1] <= availableByteCount
        {
            number += 1
        }
        let length = PADApplication.lengths[number]
        let application = position.byte == 0 ? PADApplication.labelStart : PADApplication.labelContinuation
        let logical = [UInt8(number) << 5 | application, 0] + rest.prefix(length)
        for (index, byte) in logical.enumerated() { bytes[byteCount - ProgrammeAssociatedData.fixedByteCount - 1 - index] = byte }
        // Variable-length extension with contents list.
        bytes[byteCount - 2] = 0x20
        bytes[byteCount - 1] = 0x02
        position.byte += length
        if position.byte >= segment.count { position = ((position.segment + 1) % segments.count, 0) }
        return ProgrammeAssociatedData(bytes: bytes)
    }
}
