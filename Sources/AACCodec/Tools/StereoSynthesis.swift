// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Left and right from middle and side, and right from left by intensity (ISO/IEC 14496-3:2009, 4.6.8.1 and 4.6.8.2).
enum StereoSynthesis {
    /// Where the lines of both channels begin.
    struct Places {
        var left: Int
        var right: Int
    }

    /// Undoes middle and side coding in the bands that use it: l = m + s, r = m - s.
    static func undoMidSide(
        _ pair: ChannelPairElement, bands: ScaleFactorBands, in spectrum: inout MutableSpan<Float>, at places: Places
    ) {
        guard pair.msMask != .none else { return }
        BandLines.forEach(pair.first.info, bands) { (band, lines) in
            guard pair.usesMidSide(inBand: band), pair.first.codebooks[band] != BandCodebook.noise,
                pair.second.codebooks[band] < BandCodebook.noise
            else { return }
            // Bands are multiples of four lines.
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let middle = spectrum.vector(at: places.left &+ line)
                let side = spectrum.vector(at: places.right &+ line)
                spectrum.store(middle + side, at: places.left &+ line)
                spectrum.store(middle - side, at: places.right &+ line)
            }
        }
    }

    /// Fills the right channel's intensity bands from the left channel.
    static func applyIntensity(
        _ pair: ChannelPairElement, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        in spectrum: inout MutableSpan<Float>, at places: Places
    ) {
        guard pair.hasCommonWindow else { return }
        BandLines.forEach(pair.second.info, bands) { (band, lines) in
            let codebook = pair.second.codebooks[band]
            guard codebook >= BandCodebook.intensityOutOfPhase else { return }
            let isInverted = pair.msMask == .perBand && pair.msUsed[band]
            let isNegative = (codebook == BandCodebook.intensityOutOfPhase) != isInverted
            let scale = tables.gains[DequantizationTables.gainOffset &- Int(pair.second.scaleFactors[band])]
            let factor = isNegative ? -scale : scale
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                spectrum.store(spectrum.vector(at: places.left &+ line) * factor, at: places.right &+ line)
            }
        }
    }
}

extension ChannelPairElement {
    /// Whether the mask marks a band: as middle and side, or as noise that both channels share.
    @inline(__always)
    func usesMidSide(inBand band: Int) -> Bool { msMask == .all || msMask == .perBand && msUsed[band] }
}
