// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The algebraic codebook of ACELP: signed pulses on four tracks with 16 positions each (ISO/IEC 23003-3, 7.14).
package struct InnovationDecoder: ~Copyable {
    /// The pulses at 64 positions.
    ///
    /// Index p of track t is position 4 p + t.
    package private(set) var pulses = FixedArray<Float>(repeating: 0, count: 64)

    package init() {}

    package mutating func decode(_ fields: SIMD8<UInt16>, coreMode: Int) {
        pulses.fill(0)
        let field = SIMD8<Int>(truncatingIfNeeded: fields)
        switch coreMode {
        case 0: for track in 0..<4 { onePulse(field[track], bits: 4, offset: 0, track) }
        case 1:
            twoPulses(field[0], bits: 4, offset: 0, 0)
            twoPulses(field[1], bits: 4, offset: 0, 1)
            onePulse(field[2], bits: 4, offset: 0, 2)
            onePulse(field[3], bits: 4, offset: 0, 3)
        case 2: for track in 0..<4 { twoPulses(field[track], bits: 4, offset: 0, track) }
        case 3:
            threePulses(field[0], bits: 4, offset: 0, 0)
            threePulses(field[1], bits: 4, offset: 0, 1)
            twoPulses(field[2], bits: 4, offset: 0, 2)
            twoPulses(field[3], bits: 4, offset: 0, 3)
        case 4: for track in 0..<4 { threePulses(field[track], bits: 4, offset: 0, track) }
        case 5: for track in 0..<4 { fourPulses(field[track] << 14 | field[track + 4], track) }
        case 6:
            onePulse(field[1], bits: 4, offset: 0, 2 * field[0])
            onePulse(field[3], bits: 4, offset: 0, 2 * field[2] + 1)
        default:
            let leftOut = field[0] == 0 ? 1 : 3
            var next = 1
            for track in 0..<4 where track != leftOut {
                onePulse(field[next], bits: 4, offset: 0, track)
                next += 1
            }
        }
    }

    private mutating func add(_ position: Int, isNegative: Bool, _ track: Int) { pulses[4 * position + track] += isNegative ? -1 : 1 }

    /// Adds one pulse, coded in `bits` + 1 bits.
    ///
    /// - Parameters:
    ///   - code: The code. Higher bits are ignored.
    ///   - offset: The track index for code 0.
    private mutating func onePulse(_ code: Int, bits: Int, offset: Int, _ track: Int) {
        add(code & (1 << bits - 1) + offset, isNegative: code >> bits & 1 != 0, track)
    }

    /// Adds two pulses, coded in 2 `bits` + 1 bits.
    ///
    /// The order of their indices signals whether their signs differ.
    private mutating func twoPulses(_ code: Int, bits: Int, offset: Int, _ track: Int) {
        let mask = 1 << bits - 1
        let (first, second) = (code >> bits & mask, code & mask)
        let isNegative = code >> (2 * bits) & 1 != 0
        add(first + offset, isNegative: isNegative, track)
        add(second + offset, isNegative: second < first ? !isNegative : isNegative, track)
    }

    /// Adds three pulses, coded in 3 `bits` + 1 bits: two in one half of the track, one anywhere.
    private mutating func threePulses(_ code: Int, bits: Int, offset: Int, _ track: Int) {
        let half = (code >> (2 * bits - 1) & 1) << (bits - 1)
        twoPulses(code, bits: bits - 1, offset: offset + half, track)
        onePulse(code >> (2 * bits), bits: bits, offset: offset, track)
    }

    /// Adds four pulses, coded in 4 `bits` + 1 bits: two in one half of the track, two anywhere.
    private mutating func fourPulsesAnywhere(_ code: Int, bits: Int, offset: Int, _ track: Int) {
        let half = (code >> (2 * bits - 1) & 1) << (bits - 1)
        twoPulses(code, bits: bits - 1, offset: offset + half, track)
        twoPulses(code >> (2 * bits), bits: bits, offset: offset, track)
    }

    /// Adds four pulses, coded in 16 bits.
    ///
    /// The upper two bits signal how many are in the lower half of the track.
    private mutating func fourPulses(_ code: Int, _ track: Int) {
        switch code >> 14 & 3 {
        case 0: fourPulsesAnywhere(code, bits: 3, offset: (code >> 13 & 1) << 3, track)
        case 1:
            onePulse(code >> 10, bits: 3, offset: 0, track)
            threePulses(code, bits: 3, offset: 8, track)
        case 2:
            twoPulses(code >> 7, bits: 3, offset: 0, track)
            twoPulses(code, bits: 3, offset: 8, track)
        default:
            threePulses(code >> 4, bits: 3, offset: 0, track)
            onePulse(code, bits: 3, offset: 8, track)
        }
    }
}
