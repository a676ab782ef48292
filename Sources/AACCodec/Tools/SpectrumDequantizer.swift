// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes lines of quantised values: inverse quantisation, scale factors, and the order of windows
/// (ISO/IEC 14496-3:2009, 4.6.1.3, 4.6.2.3.3 and 4.6.11.3.1).
enum SpectrumDequantizer {
    /// Fills the lines of one channel, window after window, from `first` on; bands without lines of their own become zero.
    static func synthesize(
        _ stream: IndividualChannelStream, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int
    ) {
        if stream.info.isShort {
            clear(&spectrum, first..<first &+ bands.frameLength)
            synthesizeShort(stream, bands: bands, tables: tables, into: &spectrum, at: first)
        } else {
            synthesizeLong(stream, bands: bands, tables: tables, into: &spectrum, at: first)
        }
    }

    private static func synthesizeLong(
        _ stream: IndividualChannelStream, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int
    ) {
        let quantized = stream.quantized.span
        let powers = tables.powers.span
        let offsets = bands.longOffsets.span
        for band in 0..<stream.info.maxSFB {
            let (lower, upper) = (Int(offsets[band]), Int(offsets[band &+ 1]))
            let codebook = stream.codebooks[band]
            guard codebook >= 1 && codebook <= BandCodebook.escape else {
                clear(&spectrum, first &+ lower..<first &+ upper)
                continue
            }
            let gain = gain(of: stream.scaleFactors[band], tables: tables)
            for line in lower..<upper {
                spectrum[first &+ line] = value(quantized[line], powers: powers) * gain
            }
        }
        clear(&spectrum, first &+ Int(offsets[stream.info.maxSFB])..<first &+ bands.frameLength)
    }

    private static func synthesizeShort(
        _ stream: IndividualChannelStream, bands: ScaleFactorBands, tables: borrowing DequantizationTables,
        into spectrum: inout MutableSpan<Float>, at first: Int
    ) {
        let quantized = stream.quantized.span
        let powers = tables.powers.span
        let offsets = bands.shortOffsets.span
        var window = 0
        for group in 0..<stream.info.groupCount {
            let windows = Int(stream.info.groupLengths[group])
            var source = window &* bands.shortLength
            for sfb in 0..<stream.info.maxSFB {
                let band = group &* ICSInfo.bandStride &+ sfb
                let (lower, upper) = (Int(offsets[sfb]), Int(offsets[sfb &+ 1]))
                let codebook = stream.codebooks[band]
                guard codebook >= 1 && codebook <= BandCodebook.escape else {
                    source &+= windows &* (upper &- lower)
                    continue
                }
                let gain = gain(of: stream.scaleFactors[band], tables: tables)
                for place in 0..<windows {
                    let start = first &+ (window &+ place) &* bands.shortLength
                    for line in lower..<upper {
                        spectrum[start &+ line] = value(quantized[source], powers: powers) * gain
                        source &+= 1
                    }
                }
            }
            window &+= windows
        }
    }

    @inline(__always)
    private static func gain(of scaleFactor: Int16, tables: borrowing DequantizationTables) -> Float {
        tables.gains[Int(scaleFactor) &- DequantizationTables.scaleFactorOffset &+ DequantizationTables.gainOffset]
    }

    @inline(__always)
    private static func value(_ quantized: Int16, powers: Span<Float>) -> Float {
        let magnitude = Int(quantized.magnitude)
        let power = magnitude < powers.count ? powers[magnitude] : DequantizationTables.power(magnitude)
        return quantized < 0 ? -power : power
    }

    @inline(__always)
    private static func clear(_ spectrum: inout MutableSpan<Float>, _ range: Range<Int>) {
        for line in range {
            spectrum[line] = 0
        }
    }
}
