// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Data stream elements that come before all others of an access unit (ISO/IEC 14496-3:2009, 4.4.2.7); in DAB+ the programme-associated data.
struct DataStreamElements {
    /// The elements, which end with a whole byte.
    private(set) var bytes: [UInt8] = []
    private var spans: [ElementSpan] = []

    /// The most bytes that one element can hold.
    private static let capacity = 510

    /// Makes elements of some bytes: none, one, or more if they are many.
    init(_ data: [UInt8]) {
        var rest = data[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.capacity)
            rest = rest.dropFirst(Self.capacity)
            // The identifier 4 in three bits, the tag 0 in four, and no alignment.
            let start = 8 * bytes.count + 3
            bytes += [0x80, UInt8(min(part.count, 255))]
            if part.count >= 255 { bytes.append(UInt8(part.count - 255)) }
            bytes += part
            spans.append(ElementSpan(coverage: .whole, bits: start..<8 * bytes.count))
        }
    }

    /// Puts the elements before those of a unit.
    func prepend(to unit: inout AccessUnit) {
        guard !bytes.isEmpty else { return }
        let distance = 8 * bytes.count
        unit.payload = bytes + unit.payload
        unit.elementSpans =
            spans
            + unit.elementSpans.map { span in
                var moved = span
                moved.bits = span.bits.lowerBound + distance..<span.bits.upperBound + distance
                if case .channelPair(let second) = span.coverage { moved.coverage = .channelPair(secondChannelBit: second + distance) }
                return moved
            }
    }
}
