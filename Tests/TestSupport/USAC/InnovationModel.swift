// SPDX-License-Identifier: Apache-2.0

/// The algebraic codebook of ACELP, following the standard's text (ISO/IEC 23003-3, 7.14).
///
/// Planted faults: the second of two pulses in descending order has the sign of the first (sign). The tracks are interleaved in the other
/// direction (index). Two pulses at the same position count as descending (boundary).
package struct InnovationModel {
    private var code = [Int](repeating: 0, count: 64)
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns the pulses at 64 positions.
    ///
    /// - Parameters:
    ///   - fields: The fields in reading order.
    ///   - coreMode: `acelp_core_mode`.
    package mutating func pulses(_ fields: [Int], coreMode: Int) -> [Int] {
        code = [Int](repeating: 0, count: 64)
        switch coreMode {
        case 6:
            onePulse(fields[1], 4, 0, 2 * fields[0])
            onePulse(fields[3], 4, 0, 2 * fields[2] + 1)
        case 7:
            for (field, track) in zip(1...3, fields[0] == 0 ? [0, 2, 3] : [0, 1, 2]) { onePulse(fields[field], 4, 0, track) }
        case 5: for track in 0..<4 { fourPulses(fields[track] << 14 + fields[4 + track], track) }
        default:
            let counts = [[1, 1, 1, 1], [2, 2, 1, 1], [2, 2, 2, 2], [3, 3, 2, 2], [3, 3, 3, 3]][coreMode]
            for (track, count) in counts.enumerated() {
                switch count {
                case 1: onePulse(fields[track], 4, 0, track)
                case 2: twoPulses(fields[track], 4, 0, track)
                default: threePulses(fields[track], 4, 0, track)
                }
            }
        }
        return code
    }

    private mutating func add(_ place: Int, _ isNegative: Bool, _ track: Int) {
        code[4 * place + (fault == .index ? 3 - track : track)] += isNegative ? -1 : 1
    }

    private mutating func onePulse(_ x: Int, _ bits: Int, _ offset: Int, _ track: Int) {
        add(x & (1 << bits - 1) + offset, x >> bits & 1 == 1, track)
    }

    private mutating func twoPulses(_ x: Int, _ bits: Int, _ offset: Int, _ track: Int) {
        let mask = 1 << bits - 1
        let (first, second) = (x >> bits & mask, x & mask)
        let isNegative = x >> (2 * bits) & 1 == 1
        let falls = fault == .boundary ? second <= first : second < first
        add(first + offset, isNegative, track)
        add(second + offset, falls && fault != .sign ? !isNegative : isNegative, track)
    }

    private mutating func threePulses(_ x: Int, _ bits: Int, _ offset: Int, _ track: Int) {
        let half = x >> (2 * bits - 1) & 1
        twoPulses(x & (1 << (2 * bits - 1) - 1), bits - 1, offset + half << (bits - 1), track)
        onePulse(x >> (2 * bits), bits, offset, track)
    }

    private mutating func fourPulsesAnywhere(_ x: Int, _ bits: Int, _ offset: Int, _ track: Int) {
        let half = x >> (2 * bits - 1) & 1
        twoPulses(x & (1 << (2 * bits - 1) - 1), bits - 1, offset + half << (bits - 1), track)
        twoPulses(x >> (2 * bits), bits, offset, track)
    }

    private mutating func fourPulses(_ x: Int, _ track: Int) {
        switch x >> 14 {
        case 0: fourPulsesAnywhere(x, 3, 8 * (x >> 13 & 1), track)
        case 1:
            onePulse(x >> 10, 3, 0, track)
            threePulses(x, 3, 8, track)
        case 2:
            twoPulses(x >> 7, 3, 0, track)
            twoPulses(x, 3, 8, track)
        default:
            threePulses(x >> 4, 3, 0, track)
            onePulse(x, 3, 8, track)
        }
    }
}
