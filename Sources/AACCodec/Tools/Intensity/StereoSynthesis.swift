// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Left and right from middle and side, and right from left by intensity (ISO/IEC 14496-3:2009, 4.6.8.1 and 4.6.8.2).
struct StereoSynthesis {
    /// How the pair is divided; both channels alike.
    var info: ICSInfo
    /// Which bands are marked.
    var mask: MSMask
    /// The marks, if there is one a band.
    var marks: BandFlags
    /// Where the lines of the left and the right channel begin.
    var left: Int
    var right: Int

    /// Whether the mask marks a band: as middle and side, or as noise that both channels share.
    @inline(__always)
    func isMarked(_ band: Int) -> Bool { mask == .all || mask == .perBand && marks[band] }

    /// Undoes middle and side coding in the bands that use it: l = m + s, r = m - s.
    func undoMidSide(
        first: Span<UInt8>, second: Span<UInt8>, bands: ScaleFactorBands, in spectrum: inout MutableSpan<Float>
    ) {
        guard mask != .none else { return }
        BandLines.forEach(info, bands) { (band, lines) in
            guard isMarked(band), first[band] != BandCodebook.noise, second[band] < BandCodebook.noise else { return }
            // Bands are multiples of four lines.
            precondition(lines.lowerBound & 3 == 0 && lines.upperBound & 3 == 0 && left >= 0 && right >= 0)
            precondition(lines.lowerBound >= 0 && lines.upperBound <= spectrum.count &- max(left, right))
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let middle = unsafe spectrum.vector(unchecked: left &+ line)
                let side = unsafe spectrum.vector(unchecked: right &+ line)
                unsafe spectrum.store(middle + side, unchecked: left &+ line)
                unsafe spectrum.store(middle - side, unchecked: right &+ line)
            }
        }
    }

    /// Fills the right channel's intensity bands from the left channel.
    func applyIntensity(
        second: Span<UInt8>, positions: Span<Int16>, bands: ScaleFactorBands, gains: Span<Float>,
        in spectrum: inout MutableSpan<Float>
    ) {
        BandLines.forEach(info, bands) { (band, lines) in
            let codebook = second[band]
            guard codebook >= BandCodebook.intensityOutOfPhase else { return }
            let isInverted = mask == .perBand && marks[band]
            let isNegative = (codebook == BandCodebook.intensityOutOfPhase) != isInverted
            let scale = gains[DequantizationTables.gainOffset &- Int(positions[band])]
            let factor = isNegative ? -scale : scale
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                spectrum.store(spectrum.vector(at: left &+ line) * factor, at: right &+ line)
            }
        }
    }
}
