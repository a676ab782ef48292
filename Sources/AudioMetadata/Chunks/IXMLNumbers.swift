// SPDX-License-Identifier: Apache-2.0

/// The whole numbers in the description of a field recorder (iXML 3.0).
struct IXMLNumbers {
    private var bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The number in the first element of a name, or `nil` without one; setting `nil` or a missing element has no effect.
    subscript(_ name: String) -> UInt64? {
        get { range(of: name).flatMap { UInt64(String(decoding: bytes[$0], as: UTF8.self)) } }
        set {
            guard let newValue, let range = range(of: name) else { return }
            bytes.replaceSubrange(range, with: Array(String(newValue).utf8))
        }
    }

    /// Sample frames since midnight, as two numbers of 32 bits; without the high one, larger values have no effect.
    subscript(high high: String, low low: String) -> UInt64? {
        get {
            guard let low = self[low], low <= UInt32.max else { return nil }
            guard let high = self[high] else { return low }
            return high <= UInt32.max ? high << 32 | low : nil
        }
        set {
            guard self[high] != nil || newValue ?? 0 <= UInt32.max else { return }
            self[low] = newValue.map { $0 & UInt64(UInt32.max) }
            self[high] = newValue.map { $0 >> 32 }
        }
    }

    /// Returns the range of the digits in the first element of a name.
    private func range(of name: String) -> Range<Int>? {
        let tag = Array("<\(name)>".utf8)
        guard let start = bytes.indices.first(where: { bytes[$0] == tag[0] && bytes[$0...].starts(with: tag) }) else { return nil }
        let first = start + tag.count
        let end = bytes[first...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? bytes.endIndex
        return first..<end
    }

    /// Moves the times to another first frame and sample rate; see ``AudioTags/moveTimeReference(to:rate:newRate:)``.
    mutating func move(to frame: Int, rate: Int, newRate: Int) {
        if self["FILE_SAMPLE_RATE"] == UInt64(rate) { self["FILE_SAMPLE_RATE"] = UInt64(newRate) }
        let (high, low) = ("BWF_TIME_REFERENCE_HIGH", "BWF_TIME_REFERENCE_LOW")
        self[high: high, low: low] = self[high: high, low: low].flatMap {
            BroadcastExtension.moved($0, to: frame, rate: rate, newRate: newRate)
        }
        // Recorders with pulled times state another rate for them.
        guard self["TIMESTAMP_SAMPLE_RATE"] == UInt64(rate) else { return }
        let (stampHigh, stampLow) = ("TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_HI", "TIMESTAMP_SAMPLES_SINCE_MIDNIGHT_LO")
        guard let time = self[high: stampHigh, low: stampLow],
            let moved = BroadcastExtension.moved(time, to: frame, rate: rate, newRate: newRate)
        else { return }
        self[high: stampHigh, low: stampLow] = moved
        self["TIMESTAMP_SAMPLE_RATE"] = UInt64(newRate)
    }
}
