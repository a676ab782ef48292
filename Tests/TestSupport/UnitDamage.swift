// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension SeededRandom {
    /// Returns an access unit with one to six changes: other bits and bytes, missing or repeated bytes, a missing end, or the end of
    /// another access unit.
    public mutating func damaged(_ accessUnit: [UInt8], among accessUnits: [[UInt8]]) -> [UInt8] {
        var bytes = accessUnit
        for _ in 0..<Int.random(in: 1...6, using: &self) where !bytes.isEmpty {
            // Damage at the start changes the meaning of all following bits.
            let reach = Bool.random(using: &self) ? bytes.count : min(bytes.count, 24)
            let place = Int.random(in: 0..<reach, using: &self)
            switch Int.random(in: 0..<8, using: &self) {
            case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 2: bytes[place] = .random(in: 0...255, using: &self)
            case 3: bytes[place] = element(of: [0, 1, 0x7F, 0x80, 0xFF])
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &self)))
            case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 5)], at: place)
            case 6: bytes.removeLast(bytes.count - place)
            default: bytes.replaceSubrange(place..., with: element(of: accessUnits).dropFirst(place))
            }
        }
        return bytes
    }
}

extension PCMBuffer {
    /// Whether all samples are finite: no exponent is all ones.
    public var hasOnlyNumbers: Bool { samples.allSatisfy { $0.bitPattern & 0x7F80_0000 != 0x7F80_0000 } }
}
