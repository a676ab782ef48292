// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Data stream elements at the start of an access unit (ISO/IEC 14496-3:2009, 4.4.2.7).
///
/// In DAB+ they carry the PAD.
struct DataStreamElements {
    /// The elements.
    ///
    /// Their length is a whole number of bytes.
    private(set) var bytes: [UInt8] = []
    private var spans: [ElementSpan] = []

    /// The maximum number of data bytes per element.
    private static let capacity = 510

    /// Splits data into as many elements as it needs, possibly none.
    init(_ data: [UInt8]) {
        var rest = data[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.capacity)
            rest = rest.dropFirst(Self.capacity)
            // Element identifier 4 (3 bits), tag 0 (4 bits), no byte alignment.
            let start = 8 * bytes.count + 3
            bytes += [0x80, UInt8(min(part.count, 255))]
            if part.count >= 255 { bytes.append(UInt8(part.count - 255)) }
            bytes += part
            spans.append(ElementSpan(coverage: .whole, bits: start..<8 * bytes.count))
        }
    }

    /// Inserts the elements at the start of an access unit.
    func prepend(to accessUnit: inout AccessUnit) {
        guard !bytes.isEmpty else { return }
        let distance = 8 * bytes.count
        accessUnit.payload = bytes + accessUnit.payload
        accessUnit.elementSpans =
            spans
            + accessUnit.elementSpans.map { span in
                var moved = span
                moved.bits = span.bits.lowerBound + distance..<span.bits.upperBound + distance
                if case .channelPair(let second) = span.coverage { moved.coverage = .channelPair(secondChannelBit: second + distance) }
                return moved
            }
    }
}
