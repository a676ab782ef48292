// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Fills bands with noise of the energy sent (perceptual noise substitution, ISO/IEC 14496-3:2009, 4.6.13).
struct NoiseSynthesis {
    /// Changes from channel to channel, so that no two have the same noise unless they have to.
    private var seed: UInt32 = 0x1F2E_3D4C

    /// Makes a generator at its first state.
    init() {}

    /// Fills the noise bands of a channel alone, or of the first one of a pair.
    mutating func synthesize(
        _ stream: IndividualChannelStream, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int
    ) {
        seed = Self.next(seed)
        Self.fill(stream, bands: bands, tables: tables, into: &spectrum, at: first) { [seed] _ in seed }
    }

    /// Fills the noise bands of the second channel of a pair; bands that are noise in both and marked by the mask get the same noise.
    mutating func synthesizeSecond(
        of pair: ChannelPairElement, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int
    ) {
        let firstSeed = seed
        seed = Self.next(seed)
        Self.fill(pair.second, bands: bands, tables: tables, into: &spectrum, at: first) { [seed] band in
            pair.first.codebooks[band] == BandCodebook.noise && pair.usesMidSide(inBand: band) ? firstSeed : seed
        }
    }

    @inline(__always)
    private static func fill(
        _ stream: IndividualChannelStream, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int, seedOfBand: (Int) -> UInt32
    ) {
        var ordinal: UInt32 = 0
        BandLines.forEach(stream.info, bands) { (band, lines) in
            ordinal &+= 1
            guard stream.codebooks[band] == BandCodebook.noise else { return }
            let gain = tables.gains[Int(stream.scaleFactors[band]) &+ DequantizationTables.gainOffset]
            let range = first &+ lines.lowerBound..<first &+ lines.upperBound
            draw(into: &spectrum, range, state: mixed(seedOfBand(band) &+ ordinal &* 0x9E37_79B9), gain: gain)
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
