// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The core data of one channel and frame: `fd_channel_stream` or `lpd_channel_stream` (ISO/IEC 23003-3, 5.3).
package struct CoreChannelData: ~Copyable {
    /// Whether the frame is in the linear prediction domain (`core_mode`).
    package var isLinearPrediction = false
    package var windows = WindowDivision()
    /// The level of noise in zero lines, 0 to 7 (`noise_level`).
    package var noiseLevel = 0
    /// The scale factor offset, plus 16, of bands that contain only noise (`noise_offset`).
    package var noiseOffset = 0
    /// The scale factor of the first band (`global_gain`).
    var globalGain = 0
    /// The reader position of `global_gain`, in bits.
    ///
    /// Set after reading.
    var globalGainBit = 0
    /// Whether the context of the arithmetic coder is reset (`arith_reset_flag`).
    var resetsContext = false
    /// The number of coded line pairs in each window.
    var codedPairs = SIMD8<UInt16>()
    /// The scale factor of each band, at `group * 16 + sfb`.
    package var scaleFactors = FixedArray<UInt8>(repeating: 0, count: WindowDivision.bandCapacity)
    package var hasTNS = false
    package var tns = TNSData()
    /// The quantized lines, in window order.
    package var lines: FixedArray<Int16>
    /// Forward aliasing cancellation at the start of the frame.
    var aliasing: AliasingData
    /// The data of a frame in the linear prediction domain.
    package var prediction: LPDChannelData

    /// Creates the data of a silent frame.
    package init(frameLength: Int) {
        lines = FixedArray(repeating: 0, count: frameLength)
        aliasing = AliasingData(frameLength: frameLength)
        prediction = LPDChannelData(frameLength: frameLength)
    }

    /// The parameters that determine the syntax of a channel.
    package struct Conditions {
        /// Whether the frame refers to no other (`usacIndependencyFlag`).
        var isIndependent: Bool
        /// Whether the windows were already read (`common_window`).
        var hasCommonWindow = false
        var hasNoiseFilling: Bool
    }

    /// Reads `fd_channel_stream`.
    ///
    /// - Parameter readsTNS: Whether it contains `tns_data`. False if both channels share it or ``hasTNS`` is false.
    mutating func readFrequencyDomain(
        from reader: inout BitReader, bands: ScaleFactorBands, _ conditions: Conditions, readsTNS: Bool,
        context: inout SpectralContext
    ) throws(CodecError) {
        globalGainBit = reader.bitPosition
        globalGain = Int(reader.read(8))
        noiseLevel = conditions.hasNoiseFilling ? Int(reader.read(3)) : 0
        noiseOffset = conditions.hasNoiseFilling ? Int(reader.read(5)) : 0
        if !conditions.hasCommonWindow { windows = try WindowDivision(reading: &reader, bands: bands) }
        try readScaleFactors(from: &reader)
        if readsTNS { tns = TNSData(reading: &reader, isShort: windows.isShort, orderBitCount: 4) { _ in } }
        resetsContext = conditions.isIndependent || reader.readFlag()
        try readSpectrum(from: &reader, bands: bands, context: &context)
        aliasing.isPresent = reader.readFlag()
        if aliasing.isPresent {
            aliasing.gain = Int(reader.read(7))
            aliasing.count = windows.isShort ? bands.frameLength / 16 : bands.frameLength / 8
            try aliasing.readCoefficients(from: &reader)
        }
    }

    /// Writes `fd_channel_stream`.
    ///
    /// - Parameters:
    ///   - writesTNS: Whether it contains `tns_data`.
    ///   - context: The arithmetic coder's context after the previous frame.
    package func writeFrequencyDomain(
        to sink: inout some BitSink, bands: ScaleFactorBands, _ conditions: Conditions, writesTNS: Bool, context: inout SpectralContext
    ) {
        sink.write(UInt32(globalGain), count: 8)
        if conditions.hasNoiseFilling {
            sink.write(UInt32(noiseLevel), count: 3)
            sink.write(UInt32(noiseOffset), count: 5)
        }
        if !conditions.hasCommonWindow { windows.write(to: &sink) }
        writeScaleFactors(to: &sink)
        if writesTNS { tns.write(to: &sink, isShort: windows.isShort, orderBitCount: 4) }
        if !conditions.isIndependent { sink.write(resetsContext) }
        let length = bands.lineCount(isShort: windows.isShort)
        if resetsContext { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
        for window in 0..<windows.windowCount {
            SpectralArithmeticEncoder.encode(
                lines.span.extracting(window * length..<(window + 1) * length),
                lineCount: bands.offset(windows.maxSFB, isShort: windows.isShort), pairCount: Int(codedPairs[window]), context: &context,
                to: &sink)
        }
        sink.write(aliasing.isPresent)
        guard aliasing.isPresent else { return }
        sink.write(UInt32(aliasing.gain), count: 7)
        aliasing.writeCoefficients(to: &sink)
    }

    private func writeScaleFactors(to sink: inout some BitSink) {
        let coder = ScaleFactorCoder.shared
        var last = globalGain
        for group in 0..<windows.groupCount {
            for sfb in 0..<windows.maxSFB {
                let value = Int(scaleFactors[group * WindowDivision.bandStride + sfb])
                if group + sfb > 0 { ScaleFactorCoder.write(value - last, to: &sink, codewords: coder.codewords.span) }
                last = value
            }
        }
    }

    /// Reads the scale factor differences.
    ///
    /// The first band uses the global gain.
    private mutating func readScaleFactors(from reader: inout BitReader) throws(CodecError) {
        let coder = ScaleFactorCoder.shared
        let entries = coder.decodingEntries.span
        var value = globalGain
        for group in 0..<windows.groupCount {
            for sfb in 0..<windows.maxSFB {
                if group + sfb > 0 { value += ScaleFactorCoder.read(from: &reader, entries: entries) }
                guard value >= 0 && value <= 255 else { throw .scaleFactorOutOfRange(value) }
                scaleFactors[group * WindowDivision.bandStride + sfb] = UInt8(value)
            }
        }
    }

    /// Reads the arithmetic codes of all windows.
    private mutating func readSpectrum(
        from reader: inout BitReader, bands: ScaleFactorBands, context: inout SpectralContext
    ) throws(CodecError) {
        let length = bands.lineCount(isShort: windows.isShort)
        guard resetsContext || context.isKnown else { throw .missingReference }
        if resetsContext { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
        let lineCount = bands.offset(windows.maxSFB, isShort: windows.isShort)
        var all = lines.mutableSpan
        for window in 0..<windows.windowCount {
            var part = all._mutatingExtracting(window &* length..<(window &+ 1) &* length)
            let pairs = SpectralArithmeticDecoder.decode(lineCount: lineCount, into: &part, context: &context, from: &reader)
            guard let pairs else { throw .invalidSpectrum }
            codedPairs[window] = UInt16(truncatingIfNeeded: pairs)
        }
    }
}

/// Forward aliasing cancellation at a boundary between ACELP and a transform (`fac_data`, ISO/IEC 23003-3, 7.16).
package struct AliasingData: ~Copyable {
    /// Whether the data was sent.
    var isPresent = false
    /// The gain, 0 to 127, if it is sent.
    package var gain = 0
    /// The number of coefficients.
    package var count: Int
    /// The coefficients in frequency order, eight per code.
    package var codes: FixedArray<LatticeCode>

    package init(frameLength: Int) {
        count = frameLength / 8
        codes = FixedArray(repeating: LatticeCode(), count: frameLength / 64)
    }

    /// Reads ``count`` coefficients, eight at a time.
    mutating func readCoefficients(from reader: inout BitReader) throws(CodecError) {
        for index in 0..<count / 8 {
            let number = try LatticeQuantizer.readUnaryNumber(from: &reader)
            codes[index] = LatticeCode(number: number, reading: &reader)
        }
    }

    /// Writes ``count`` coefficients.
    package func writeCoefficients(to sink: inout some BitSink) {
        for index in 0..<count / 8 {
            LatticeQuantizer.writeUnaryNumber(codes[index].number, to: &sink)
            codes[index].write(to: &sink)
        }
    }
}
