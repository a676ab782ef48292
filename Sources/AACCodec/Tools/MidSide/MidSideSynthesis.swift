// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// M/S decoding (ISO/IEC 14496-3:2009, 4.6.8.1.3).
package enum MidSideSynthesis {
    /// Converts M/S bands to L/R: l = m + s, r = m - s.
    ///
    /// - Parameters:
    ///   - codebooks: The codebooks of both channels' bands. Noise and intensity bands do not change.
    ///   - offsets: The indices of both channels' first lines in `spectrum`.
    package static func synthesize(
        _ mask: MidSideMask, codebooks: (first: Span<UInt8>, second: Span<UInt8>), division: FrameDivision,
        offsets: (left: Int, right: Int), in spectrum: inout MutableSpan<Float>
    ) {
        guard mask.kind != .none else { return }
        let (left, right) = offsets
        BandLines.forEach(division.info, division.bands) { (band, lines) in
            guard mask.contains(band), codebooks.first[band] != BandCodebook.noise, codebooks.second[band] < BandCodebook.noise
            else { return }
            // Bands are multiples of four lines.
            precondition(lines.lowerBound & 3 == 0 && lines.upperBound & 3 == 0 && left >= 0 && right >= 0)
            precondition(lines.lowerBound >= 0 && lines.upperBound <= spectrum.count &- max(left, right))
            for line in stride(from: lines.lowerBound, to: lines.upperBound, by: 4) {
                let mid = unsafe spectrum.vector(unchecked: left &+ line)
                let side = unsafe spectrum.vector(unchecked: right &+ line)
                unsafe spectrum.store(mid + side, unchecked: left &+ line)
                unsafe spectrum.store(mid - side, unchecked: right &+ line)
            }
        }
    }
}
