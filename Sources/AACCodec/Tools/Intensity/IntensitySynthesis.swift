// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Intensity stereo decoding (ISO/IEC 14496-3:2009, 4.6.8.2.3).
package enum IntensitySynthesis {
    /// Fills the right channel's intensity bands with the left lines, scaled by 2^(-position/4).
    ///
    /// - Parameters:
    ///   - right: The codebooks and intensity positions of the right channel's bands.
    ///   - gains: ``DequantizationTables/gains``.
    ///   - offsets: The indices of both channels' first lines in `spectrum`.
    /// - Returns: Whether a right line may be larger than its left one.
    @discardableResult
    package static func synthesize(
        _ right: (codebooks: Span<UInt8>, positions: Span<Int16>), mask: MidSideMask, division: FrameDivision, gains: Span<Float>,
        offsets: (left: Int, right: Int), in spectrum: inout MutableSpan<Float>
    ) -> Bool {
        var amplifies = false
        BandLines.forEach(division.info, division.bands) { (band, lines) in
            let codebook = right.codebooks[band]
            guard codebook >= BandCodebook.intensityOutOfPhase else { return }
            let isNegative = (codebook == BandCodebook.intensityOutOfPhase) != mask.hasFlag(band)
            if right.positions[band] < 0 { amplifies = true }
            let scale = gains[DequantizationTables.gainOffset &- Int(right.positions[band])]
            let factor = isNegative ? -scale : scale
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                spectrum.store(spectrum.vector(at: offsets.left &+ line) * factor, at: offsets.right &+ line)
            }
        }
        return amplifies
    }
}
