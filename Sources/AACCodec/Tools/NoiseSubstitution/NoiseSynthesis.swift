// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Fills bands with noise of the sent energy (PNS decoding, ISO/IEC 14496-3:2009, 4.6.13).
package struct NoiseSynthesis {
    /// The generator state.
    ///
    /// It changes from channel to channel, so that their noise is independent unless shared.
    private var seed: UInt32 = 0x1F2E_3D4C

    package init() {}

    /// Fills the noise bands of one channel.
    ///
    /// - Parameters:
    ///   - energies: The noise energy of each band, in steps of 1.5 dB.
    ///   - shared: The bands that repeat the previous channel's noise. In the second channel of a pair: bands that are noise in both
    ///     channels and set in the M/S mask.
    ///   - gains: ``DequantizationTables/gains``.
    ///   - spectrum: The lines, in window order.
    package mutating func synthesize(
        codebooks: Span<UInt8>, energies: Span<Int16>, division: FrameDivision, shared: BandFlags, gains: Span<Float>,
        into spectrum: inout MutableSpan<Float>
    ) {
        let lastSeed = seed
        seed = Self.next(seed)
        var ordinal: UInt32 = 0
        BandLines.forEach(division.info, division.bands) { (band, lines) in
            ordinal &+= 1
            guard codebooks[band] == BandCodebook.noise else { return }
            let gain = gains[Int(energies[band]) &+ DequantizationTables.gainOffset]
            let start = Self.mixed((shared[band] ? lastSeed : seed) &+ ordinal &* 0x9E37_79B9)
            Self.fill(into: &spectrum, lines, state: start, gain: gain)
        }
    }

    /// Fills one band of one window, a multiple of four lines, with random values of total energy `gain` squared.
    private static func fill(into spectrum: inout MutableSpan<Float>, _ range: Range<Int>, state: UInt32, gain: Float) {
        var lines = spectrum._mutatingExtracting(range)
        // Bounds of all accesses below.
        precondition(lines.count & 3 == 0)
        var states = SIMD4(repeating: state) &* factors &+ summands
        var energies = SIMD4<Float>(repeating: 0)
        var line = 0
        while line < lines.count {
            // The upper bits of the signed state are the fraction of a number from 2 to 4.
            let values = SIMD4<Float>(bitPatterns: states &>> 9 ^ SIMD4(repeating: 0x4040_0000)) - SIMD4(repeating: 3)
            unsafe lines.store(values, unchecked: line)
            energies += values * values
            states = states &* SIMD4(repeating: factors.w) &+ SIMD4(repeating: summands.w)
            line &+= 4
        }
        let energy = energies.laneSum
        guard energy > 0 else { return }
        let scale = SIMD4<Float>(repeating: gain / energy.squareRoot())
        line = 0
        while line < lines.count {
            unsafe lines.store(lines.vector(unchecked: line) * scale, unchecked: line)
            line &+= 4
        }
    }

    /// The factors and summands from a state to each of the next four.
    private static let factors = SIMD4<UInt32>(0x0019_660D, 0x1738_5CA9, 0xAF49_0A95, 0x0979_E791)
    private static let summands = SIMD4<UInt32>(0x3C6E_F35F, 0x4750_2932, 0xD1CC_F6E9, 0xAAF9_5334)

    /// Returns the next state of a linear congruential generator.
    private static func next(_ state: UInt32) -> UInt32 { state &* factors.x &+ summands.x }

    /// Returns a hash in which each bit depends on all bits of `value`.
    private static func mixed(_ value: UInt32) -> UInt32 {
        var bits = (value ^ value >> 16) &* 0x7FEB_352D
        bits = (bits ^ bits >> 15) &* 0x846C_A68B
        return bits ^ bits >> 16
    }
}
