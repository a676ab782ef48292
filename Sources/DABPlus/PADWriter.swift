// SPDX-License-Identifier: Apache-2.0

/// Makes the programme-associated data of access units: a dynamic label, again and again.
package struct PADWriter: Sendable {
    /// The bytes of the data of each unit.
    private let byteCount: Int
    /// The segments of the label, each with its header and checksum.
    private var segments: [[UInt8]] = []
    /// The segment in progress, and the bytes of it that were sent.
    private var position = (segment: 0, byte: 0)
    /// The bit that changes with each label.
    private var toggle = false

    /// The fewest bytes of data that have room for a label: the fixed part, an indicator of contents with its end, and a subfield.
    static let leastLabelByteCount = ProgrammeAssociatedData.fixedByteCount + 2 + PADApplication.lengths[0]

    /// The characters of a segment.
    private static let segmentLength = 16

    /// Creates a writer without a label.
    package init(byteCount: Int) { self.byteCount = byteCount }

    /// Replaces the label; nil removes it.
    package mutating func setLabel(_ label: DynamicLabel?) {
        toggle.toggle()
        position = (0, 0)
        let flag: UInt8 = toggle ? 0x80 : 0
        guard let label, !label.bytes.isEmpty else {
            // The command to clear the display.
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

    /// Returns bytes with their checksum.
    private static func checked(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        DABChecksum.units.append(to: &result, from: 0)
        return result
    }

    /// Returns the data of the next unit.
    package mutating func next() -> ProgrammeAssociatedData {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard !segments.isEmpty, byteCount >= Self.leastLabelByteCount else { return ProgrammeAssociatedData(bytes: bytes) }
        let segment = segments[position.segment]
        let rest = segment[position.byte...]
        let room = byteCount - ProgrammeAssociatedData.fixedByteCount - 2
        // The shortest subfield for all of the rest, or the longest that there is room for.
        var number = 0
        while number + 1 < PADApplication.lengths.count, PADApplication.lengths[number] < rest.count,
            PADApplication.lengths[number + 1] <= room
        {
            number += 1
        }
        let length = PADApplication.lengths[number]
        let application = position.byte == 0 ? PADApplication.labelStart : PADApplication.labelContinuation
        let logical = [UInt8(number) << 5 | application, 0] + rest.prefix(length)
        for (index, byte) in logical.enumerated() { bytes[byteCount - ProgrammeAssociatedData.fixedByteCount - 1 - index] = byte }
        // An extension of variable length, with a list of its contents.
        bytes[byteCount - 2] = 0x20
        bytes[byteCount - 1] = 0x02
        position.byte += length
        if position.byte >= segment.count { position = ((position.segment + 1) % segments.count, 0) }
        return ProgrammeAssociatedData(bytes: bytes)
    }
}
