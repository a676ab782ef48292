// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// The quantized lines, section by section (`spectral_data`, ISO/IEC 14496-3:2009, 4.5.2.3.5).
///
/// Lines are in bitstream order: by group, then band, then window.
enum SpectralData {
    /// Reads the lines of all bands with codebooks 1 to 11, and sets all others to zero.
    static func read<Value: SpectralValue>(
        into lines: inout MutableSpan<Value>, zero: Value, codebooks: Span<UInt8>, info: ICSInfo, bands: ScaleFactorBands,
        from reader: inout BitReader
    ) throws(CodecError) {
        let tables = SpectralDecodingTables.shared
        var written = 0
        try forEachSection(codebooks, info: info, bands: bands) { (codebook, range) throws(CodecError) in
            guard codebook >= 1 && codebook <= SpectralCodebook.escapeNumber else { return }
            clear(&lines, written..<range.lowerBound, zero)
            written = range.upperBound
            try SpectralDecoder.read(into: &lines, in: range, codebook: codebook, tables: tables, from: &reader)
        }
        clear(&lines, written..<lines.count, zero)
    }

    @inline(__always)
    private static func clear<Value: SpectralValue>(_ lines: inout MutableSpan<Value>, _ range: Range<Int>, _ zero: Value) {
        var lines = lines._mutatingExtracting(range)
        lines.update(repeating: zero)
    }

    /// Writes the lines of all bands with codebooks 1 to 11.
    static func write(
        _ quantized: Span<Int16>, codebooks: Span<UInt8>, info: ICSInfo, bands: ScaleFactorBands,
        to sink: inout some BitSink
    ) {
        let tables = SpectralEncodingTables.shared
        var encoder = SpectralEncoder()
        forEachSection(codebooks, info: info, bands: bands) { (codebook, range) in
            guard codebook >= 1 && codebook <= SpectralCodebook.escapeNumber else { return }
            encoder.write(quantized, in: range, codebook: codebook, tables: tables, to: &sink)
        }
        encoder.finish(&sink)
    }

    /// Calls `body` with the codebook and the lines of each section.
    @inline(__always)
    private static func forEachSection<Failure: Error>(
        _ codebooks: Span<UInt8>, info: ICSInfo, bands: ScaleFactorBands,
        _ body: (_ codebook: Int, _ range: Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        let (longOffsets, shortOffsets) = (bands.longOffsets.span, bands.shortOffsets.span)
        var groupStart = 0
        for group in 0..<info.groupCount {
            let windows = info.isShort ? Int(info.groupLengths[group]) : 1
            let first = group * ICSInfo.bandStride
            var band = 0
            while band < info.maxSFB {
                let end = SectionData.endOfSection(codebooks, from: first + band, to: first + info.maxSFB) - first
                let lower = info.isShort ? shortOffsets[band] : longOffsets[band]
                let upper = info.isShort ? shortOffsets[end] : longOffsets[end]
                try body(Int(codebooks[first + band]), groupStart + Int(lower) * windows..<groupStart + Int(upper) * windows)
                band = end
            }
            groupStart += windows * bands.shortLength
        }
    }
}
