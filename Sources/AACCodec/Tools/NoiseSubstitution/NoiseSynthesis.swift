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
    ///   - codebooks: The codebook of each band.
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

    /// Fills one band of one window with random values of total energy `gain` squared.
    private static func fill(into spectrum: inout MutableSpan<Float>, _ range: Range<Int>, state: UInt32, gain: Float) {
        var state = state
        var energy: Float = 0
        for line in range {
            state = next(state)
            let value = Float(Int32(bitPattern: state)) * 0x1p-31
            spectrum[line] = value
            energy += value * value
        }
        guard energy > 0 else { return }
        let scale = gain / energy.squareRoot()
        for line in range {
            spectrum[line] *= scale
        }
    }

    /// Returns the next state of a linear congruential generator.
    private static func next(_ state: UInt32) -> UInt32 { state &* 1_664_525 &+ 1_013_904_223 }

    /// Returns a hash in which each bit depends on all bits of `value`.
    private static func mixed(_ value: UInt32) -> UInt32 {
        var bits = (value ^ value >> 16) &* 0x7FEB_352D
        bits = (bits ^ bits >> 15) &* 0x846C_A68B
        return bits ^ bits >> 16
    }
}
