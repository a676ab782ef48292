// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Splits access units into packet payloads.
package struct RTPPacketizer: Sendable {
    /// A packet payload and the access unit that determines its timestamp.
    package struct Payload: Hashable, Sendable {
        package var bytes: [UInt8]
        /// The index of the first contained access unit, in the given order.
        package var accessUnit: Int
        package var endsUnit: Bool
    }

    package let format: RTPPayloadFormat
    /// The maximum payload size, in bytes.
    package let limit: Int

    package init(_ format: RTPPayloadFormat, limit: Int) {
        self.format = format
        self.limit = max(64, limit)
    }

    /// Returns the payloads for consecutive access units.
    ///
    /// With RFC 3640 access units share a payload if they fit. A longer one is fragmented.
    ///
    /// - Returns: `nil` if the format cannot contain one of the access units.
    package func payloads(for accessUnits: [[UInt8]]) -> [Payload]? {
        switch format {
        case .headers(_, let layout):
            guard accessUnits.allSatisfy({ !$0.isEmpty && $0.count <= layout.maximumSize }) else { return nil }
            return headerPayloads(accessUnits, layout)
        case .latm:
            return accessUnits.enumerated().flatMap { index, accessUnit in
                parts(of: Self.latmElement(accessUnit), length: limit).map { bytes, isLast in
                    Payload(bytes: bytes, accessUnit: index, endsUnit: isLast)
                }
            }
        case .opus:
            return accessUnits.enumerated().map { Payload(bytes: $1, accessUnit: $0, endsUnit: true) }
        }
    }

    private func headerPayloads(_ accessUnits: [[UInt8]], _ layout: AUHeaderSection.Layout) -> [Payload] {
        var payloads: [Payload] = []
        var next = 0
        while next < accessUnits.count {
            var end = next + 1
            while end < accessUnits.count, length(accessUnits[next...end], layout) <= limit { end += 1 }
            let group = accessUnits[next..<end]
            let section = AUHeaderSection.serialize(sizes: group.map(\.count), layout)
            if group.count == 1, length(group, layout) > limit {
                for (bytes, isLast) in parts(of: accessUnits[next], length: limit - section.count) {
                    payloads.append(Payload(bytes: section + bytes, accessUnit: next, endsUnit: isLast))
                }
            } else {
                payloads.append(Payload(bytes: section + group.flatMap(\.self), accessUnit: next, endsUnit: true))
            }
            next = end
        }
        return payloads
    }

    /// Returns the payload size for some access units, in bytes.
    private func length(_ accessUnits: ArraySlice<[UInt8]>, _ layout: AUHeaderSection.Layout) -> Int {
        let bits = layout.indexLength - layout.indexDeltaLength + accessUnits.count * (layout.sizeLength + layout.indexDeltaLength)
        return 2 + (bits + 7) / 8 + accessUnits.reduce(0) { $0 + $1.count }
    }

    /// Returns an `AudioMuxElement` whose configuration is in the session description.
    private static func latmElement(_ accessUnit: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 255, count: accessUnit.count / 255) + [UInt8(accessUnit.count % 255)] + accessUnit
    }

    /// Splits bytes into fragments.
    ///
    /// The flag marks the last fragment.
    private func parts(of bytes: [UInt8], length: Int) -> [([UInt8], Bool)] {
        stride(from: 0, to: max(1, bytes.count), by: length).map { start in
            let end = min(start + length, bytes.count)
            return (Array(bytes[start..<end]), end == bytes.count)
        }
    }
}
