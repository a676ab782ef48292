// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The generator of noise signs in zero lines (ISO/IEC 23003-3, 7.2).
enum NoiseGenerator {
    private static let factor: UInt32 = 69_069
    private static let summand: UInt32 = 5
    /// Returns the state after `count` steps, with a factor and an increment that fold to constants.
    @inline(__always)
    private static func step(_ seed: UInt32, count: Int) -> UInt32 {
        var (factor, summand): (UInt32, UInt32) = (1, 0)
        for _ in 0..<count { (factor, summand) = (factor &* Self.factor, step(summand)) }
        return seed &* factor &+ summand
    }

    /// Returns the next state.
    static func step(_ seed: UInt32) -> UInt32 { seed &* factor &+ summand }

    @inline(__always)
    static func signed(_ level: Float, _ seed: UInt32) -> Float {
        // Bit 16 becomes the sign.
        Float(bitPattern: level.bitPattern ^ (seed & 0x10000) << 15)
    }

    /// The factors for one to four steps.
    private static var factors: SIMD4<UInt32> {
        SIMD4(factor, factor &* factor, factor &* factor &* factor, factor &* factor &* factor &* factor)
    }

    /// The increments for one to four steps.
    private static var summands: SIMD4<UInt32> { SIMD4(step(0), step(step(0)), step(step(step(0))), step(step(step(step(0))))) }

    static func states(after seed: UInt32) -> SIMD4<UInt32> { SIMD4(repeating: seed) &* factors &+ summands }

    /// Returns the signs of the next four states: bit i is set if the sign from state i is minus.
    static func signs(after seed: UInt32) -> Int { SIMD4<Int32>(truncatingIfNeeded: states(after: seed) &<< 15).signBits }

    /// Fills lines with noise.
    ///
    /// - Parameters:
    ///   - lines: The lines. Their count is a multiple of four.
    ///   - level: The noise magnitude.
    ///   - seed: The state, which advances for each line.
    @inline(__always)
    static func fill(_ lines: inout MutableSpan<Float>, level: Float, seed: inout UInt32) {
        precondition(lines.count & 3 == 0)
        let bits = SIMD4<UInt32>(repeating: level.bitPattern)
        for line in stride(from: 0, to: lines.count, by: 4) {
            // All from the same state, so that none waits for another.
            let states = states(after: seed)
            lines.store(SIMD4(bitPatterns: bits ^ (states & 0x10000) &<< 15), at: line)
            seed = step(seed, count: 4)
        }
    }
}
