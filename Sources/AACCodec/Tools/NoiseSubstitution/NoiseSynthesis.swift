// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Fills bands with noise of the energy sent (perceptual noise substitution, ISO/IEC 14496-3:2009, 4.6.13).
struct NoiseSynthesis {
    /// Changes from channel to channel, so that no two have the same noise unless they have to.
    private var seed: UInt32 = 0x1F2E_3D4C

    /// Makes a generator at its first state.
    init() {}

    /// Fills the noise bands of one channel whose lines are `spectrum`.
    ///
    /// Bands in `shared` get the same noise as the same band of the channel before: those of a pair's second channel that are noise in
    /// both channels and marked.
    mutating func synthesize(
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
            Self.draw(into: &spectrum, lines, state: start, gain: gain)
        }
    }

    /// Draws the vector of one band and window and brings it to the energy `gain` squared.
    private static func draw(into spectrum: inout MutableSpan<Float>, _ range: Range<Int>, state: UInt32, gain: Float) {
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

    @inline(__always)
    private static func next(_ state: UInt32) -> UInt32 { state &* 1_664_525 &+ 1_013_904_223 }

    /// Spreads a difference in any bit over all bits.
    @inline(__always)
    private static func mixed(_ value: UInt32) -> UInt32 {
        var bits = (value ^ value >> 16) &* 0x7FEB_352D
        bits = (bits ^ bits >> 15) &* 0x846C_A68B
        return bits ^ bits >> 16
    }
}
