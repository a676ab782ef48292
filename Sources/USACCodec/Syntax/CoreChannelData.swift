// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import TransformCoding

/// The core data of one channel in one frame: `fd_channel_stream` or `lpd_channel_stream` (ISO/IEC 23003-3, 5.3).
struct CoreChannelData: ~Copyable {
    /// Whether the frame is in the linear prediction domain (`core_mode`).
    var isLinearPrediction = false
    /// The windows.
    var windows = WindowDivision()
    /// The level of the noise that fills lines of 0, 0 to 7 (`noise_level`).
    var noiseLevel = 0
    /// The level of bands that are noise alone, against their scale factor plus 16 (`noise_offset`).
    var noiseOffset = 0
    /// The scale factor of each band, at `group * 16 + sfb`.
    var scaleFactors = FixedArray<UInt8>(repeating: 0, count: WindowDivision.bandCapacity)
    /// Whether there is TNS.
    var hasTNS = false
    /// The filters of TNS.
    var tns = TNSData()
    /// The quantised lines, window after window.
    var lines: FixedArray<Int16>
    /// Forward aliasing cancellation at the start of the frame.
    var aliasing: AliasingData
    /// The frame in the linear prediction domain.
    var prediction: LPDChannelData

    /// Makes the data of a silent frame.
    init(frameLength: Int) {
        lines = FixedArray(repeating: 0, count: frameLength)
        aliasing = AliasingData(frameLength: frameLength)
        prediction = LPDChannelData(frameLength: frameLength)
    }

    /// The parameters that the syntax of a channel depends on.
    struct Conditions {
        /// Whether the frame refers to no other (`usacIndependencyFlag`).
        var isIndependent: Bool
        /// Whether the windows were read before (`common_window`).
        var hasCommonWindow = false
        /// Whether there is noise filling.
        var hasNoiseFilling: Bool
    }

    /// Reads `fd_channel_stream`; ``hasTNS`` says whether it has `tns_data`, unless they were read before.
    ///
    /// - Parameter readsTNS: Whether `tns_data` is part of it.
    mutating func readFrequencyDomain(
        from reader: inout BitReader, bands: ScaleFactorBands, _ conditions: Conditions, readsTNS: Bool,
        context: inout SpectralContext
    ) throws(USACError) {
        let globalGain = Int(reader.read(8))
        noiseLevel = conditions.hasNoiseFilling ? Int(reader.read(3)) : 0
        noiseOffset = conditions.hasNoiseFilling ? Int(reader.read(5)) : 0
        if !conditions.hasCommonWindow { windows = try WindowDivision(reading: &reader, bands: bands) }
        try readScaleFactors(from: &reader, globalGain: globalGain)
        if readsTNS { tns = TNSData(readingUSAC: &reader, isShort: windows.isShort) }
        let isReset = conditions.isIndependent || reader.readFlag()
        try readSpectrum(from: &reader, bands: bands, isReset: isReset, context: &context)
        aliasing.isPresent = reader.readFlag()
        if aliasing.isPresent {
            aliasing.gain = Int(reader.read(7))
            aliasing.count = windows.isShort ? bands.frameLength / 16 : bands.frameLength / 8
            try aliasing.readCoefficients(from: &reader)
        }
    }

    /// Reads the differences of scale factors; the first band has the global gain without one.
    private mutating func readScaleFactors(from reader: inout BitReader, globalGain: Int) throws(USACError) {
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

    /// Reads the arithmetic code of all windows.
    private mutating func readSpectrum(
        from reader: inout BitReader, bands: ScaleFactorBands, isReset: Bool, context: inout SpectralContext
    ) throws(USACError) {
        let length = bands.lineCount(isShort: windows.isShort)
        guard isReset || context.isKnown else { throw .missingReference }
        if isReset { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
        let lineCount = bands.offset(windows.maxSFB, isShort: windows.isShort)
        var all = lines.mutableSpan
        for window in 0..<windows.windowCount {
            var part = all._mutatingExtracting(window &* length..<(window &+ 1) &* length)
            guard SpectralArithmeticDecoder.decode(lineCount: lineCount, into: &part, context: &context, from: &reader) else {
                throw .invalidSpectrum
            }
        }
    }
}

/// Forward aliasing cancellation at a border between ACELP and a transform (`fac_data`, ISO/IEC 23003-3, 7.16).
struct AliasingData: ~Copyable {
    /// Whether it was sent.
    var isPresent = false
    /// The gain, 0 to 127, where it is sent.
    var gain = 0
    /// The number of coefficients.
    var count: Int
    /// The coefficients in the order of frequency.
    var coefficients: FixedArray<Int32>

    /// Makes data without coefficients.
    init(frameLength: Int) {
        count = frameLength / 8
        coefficients = FixedArray(repeating: 0, count: frameLength / 8)
    }

    /// Reads ``count`` coefficients, eight at a time.
    mutating func readCoefficients(from reader: inout BitReader) throws(USACError) {
        for first in stride(from: 0, to: count, by: 8) {
            let number = try LatticeQuantizer.readUnaryNumber(from: &reader)
            let vector = try LatticeQuantizer.readVector(number, from: &reader)
            for index in 0..<8 { coefficients[first + index] = vector[index] }
        }
    }
}
