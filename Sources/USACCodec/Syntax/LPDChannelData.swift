// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The linear prediction domain data of one channel and frame (`lpd_channel_stream`, ISO/IEC 23003-3, 5.3).
package struct LPDChannelData: ~Copyable {
    /// The coding of each quarter (`mod`): 0 for ACELP; 1, 2 and 3 for TCX of one, two and four quarters.
    package var modes = SIMD4<UInt8>()
    /// The innovation's bit allocation (`acelp_core_mode`).
    package var coreMode = 0
    /// Whether the bass post filter is used (`bpf_control_info`).
    package var hasPostFilter = false
    /// Whether the previous frame was also in the linear prediction domain (`core_mode_last`).
    package var continuesPrediction = false
    /// `fac_data_present`.
    package var hasAliasingData = false
    /// The ACELP data of each subframe, four per quarter.
    package var subframes = FixedArray<ACELPSubframe>(count: 16) { _ in ACELPSubframe() }
    /// The mean energy code of each quarter, 0 to 3.
    package var meanEnergies = SIMD4<UInt8>()
    /// The noise factor of the TCX block that starts in each quarter.
    package var noiseFactors = SIMD4<UInt8>()
    /// The gain of the TCX block that starts in each quarter.
    package var globalGains = SIMD4<UInt8>()
    /// Whether the arithmetic coder's context is reset at the first TCX block (`arith_reset_flag`).
    package var resetsContext = false
    /// The number of coded line pairs of the TCX block that starts in each quarter.
    package var codedPairs = SIMD4<UInt16>()
    /// The quantized lines, starting at each quarter's offset.
    package var lines: FixedArray<Int16>
    /// Forward aliasing cancellation at the start of each quarter.
    ///
    /// The first has a gain after a frequency-domain frame.
    package var aliasing: FixedArray<AliasingData>
    /// The encoded sets of line spectral frequencies at the quarter boundaries.
    package var sets = FixedArray<LineSpectralData>(count: 5) { _ in LineSpectralData() }

    /// The coding of the quarters for `lpd_mode` from 16.
    ///
    /// Lower values have one bit per quarter, first quarter lowest.
    package static let combinedModes: [SIMD4<UInt8>] = [
        SIMD4(2, 2, 0, 0), SIMD4(2, 2, 1, 0), SIMD4(2, 2, 0, 1), SIMD4(2, 2, 1, 1), SIMD4(0, 0, 2, 2), SIMD4(1, 0, 2, 2),
        SIMD4(0, 1, 2, 2), SIMD4(1, 1, 2, 2), SIMD4(2, 2, 2, 2), SIMD4(3, 3, 3, 3),
    ]

    /// Creates the data of a silent frame.
    package init(frameLength: Int) {
        lines = FixedArray(repeating: 0, count: frameLength)
        aliasing = FixedArray(count: 4) { _ in AliasingData(frameLength: frameLength) }
    }

    /// Reads `lpd_channel_stream`.
    mutating func read(from reader: inout BitReader, isIndependent: Bool, context: inout SpectralContext) throws(CodecError) {
        coreMode = Int(reader.read(3))
        let mode = Int(reader.read(5))
        guard mode <= 25 else { throw .reservedMode(mode) }
        let bits = SIMD4<Int>(mode, mode >> 1, mode >> 2, mode >> 3) & SIMD4(repeating: 1)
        modes = mode < 16 ? SIMD4(truncatingIfNeeded: bits) : Self.combinedModes[mode - 16]
        hasPostFilter = reader.readFlag()
        continuesPrediction = reader.readFlag()
        hasAliasingData = reader.readFlag()
        for quarter in 0..<4 { aliasing[quarter].isPresent = false }
        try readQuarters(from: &reader, isIndependent: isIndependent, context: &context)
        try readSets(from: &reader)
        if !continuesPrediction && hasAliasingData {
            let isShort = reader.readFlag()
            aliasing[0].isPresent = true
            aliasing[0].count = lines.count / (isShort ? 16 : 8)
            aliasing[0].gain = Int(reader.read(7))
            try aliasing[0].readCoefficients(from: &reader)
        }
        guard !reader.hasOverrun else { throw .truncated(byteCount: reader.bitCount / 8) }
    }

    private mutating func readQuarters(
        from reader: inout BitReader, isIndependent: Bool, context: inout SpectralContext
    ) throws(CodecError) {
        var quarter = 0
        var isFirstTCX = true
        var wasACELP = false
        while quarter < 4 {
            let isACELP = modes[quarter] == 0
            if quarter == 0 ? continuesPrediction && hasAliasingData : isACELP != wasACELP {
                aliasing[quarter].isPresent = true
                aliasing[quarter].count = lines.count / 8
                try aliasing[quarter].readCoefficients(from: &reader)
            }
            wasACELP = isACELP
            guard !isACELP else {
                readACELP(quarter, from: &reader)
                quarter += 1
                continue
            }
            noiseFactors[quarter] = UInt8(reader.read(3))
            globalGains[quarter] = UInt8(reader.read(7))
            let length = (lines.count / 4) << Int(modes[quarter] - 1)
            if isFirstTCX { resetsContext = isIndependent || reader.readFlag() }
            let isReset = isFirstTCX && resetsContext
            isFirstTCX = false
            guard isReset || context.isKnown else { throw .missingReference }
            if isReset { context.reset(lineCount: length) } else { context.resize(lineCount: length) }
            let first = quarter * (lines.count / 4)
            var all = lines.mutableSpan
            var part = all._mutatingExtracting(first..<first + length)
            let pairs = SpectralArithmeticDecoder.decode(lineCount: length, into: &part, context: &context, from: &reader)
            guard let pairs else { throw .invalidSpectrum }
            codedPairs[quarter] = UInt16(truncatingIfNeeded: pairs)
            quarter += 1 << Int(modes[quarter] - 1)
        }
    }

    /// Reads `acelp_coding`.
    private mutating func readACELP(_ quarter: Int, from reader: inout BitReader) {
        meanEnergies[quarter] = UInt8(reader.read(2))
        let count = lines.count / 256
        for index in 0..<count {
            // With three subframes only the first has a whole lag, with four the first and the third.
            let isWhole = index == 0 || count == 4 && index == 2
            subframes[4 * quarter + index] = ACELPSubframe(reading: &reader, hasWholeLag: isWhole, coreMode: coreMode)
        }
    }

    /// Reads `lpc_data`.
    private mutating func readSets(from reader: inout BitReader) throws(CodecError) {
        for set in 0..<5 { sets[set].isPresent = false }
        try sets[4].read(.absolute, form: 0, from: &reader)
        if !continuesPrediction {
            let isRelative = reader.readFlag()
            try sets[0].read(isRelative ? .relative(4) : .absolute, form: isRelative ? 3 : 0, from: &reader)
        }
        if modes[0] < 3 {
            let isRelative = reader.readFlag()
            try sets[2].read(isRelative ? .relative(4) : .absolute, form: isRelative ? 3 : 0, from: &reader)
        }
        if modes[0] < 2 {
            if !reader.readFlag() {
                try sets[1].read(.relative(2), form: 2, from: &reader)
            } else if !reader.readFlag() {
                try sets[1].read(.absolute, form: 0, from: &reader)
            } else {
                sets[1].setMean(0, 2)
            }
        }
        guard modes[2] < 2 else { return }
        if !reader.readFlag() {
            try sets[3].read(.mean(2, 4), form: 1, from: &reader)
        } else if !reader.readFlag() {
            try sets[3].read(.absolute, form: 0, from: &reader)
        } else {
            try sets[3].read(.relative(reader.readFlag() ? 4 : 2), form: 2, from: &reader)
        }
    }
}

/// The ACELP data of 64 samples (ISO/IEC 23003-3, 5.3).
package struct ACELPSubframe: BitwiseCopyable {
    /// The lag code, with 9 or 6 bits (`acb_index`).
    package var lagIndex = 0
    /// Whether the lag code has 9 bits.
    package var hasWholeLag = false
    /// Whether the adaptive codebook is used unfiltered (`ltp_filtering_flag`).
    package var isUnfiltered = false
    /// The innovation fields (`icb_index`).
    package var innovation = SIMD8<UInt16>()
    /// The gain index, 0 to 127.
    package var gainIndex = 0

    /// Creates the data of a silent subframe.
    package init() {}

    /// The field widths of the innovation for each `acelp_core_mode`, in bits.
    package static let widths: [SIMD8<UInt8>] = [
        SIMD8(5, 5, 5, 5, 0, 0, 0, 0), SIMD8(9, 9, 5, 5, 0, 0, 0, 0), SIMD8(9, 9, 9, 9, 0, 0, 0, 0), SIMD8(13, 13, 9, 9, 0, 0, 0, 0),
        SIMD8(13, 13, 13, 13, 0, 0, 0, 0), SIMD8(2, 2, 2, 2, 14, 14, 14, 14), SIMD8(1, 5, 1, 5, 0, 0, 0, 0), SIMD8(1, 5, 5, 5, 0, 0, 0, 0),
    ]

    package init(reading reader: inout BitReader, hasWholeLag: Bool, coreMode: Int) {
        self.hasWholeLag = hasWholeLag
        lagIndex = Int(reader.read(hasWholeLag ? 9 : 6))
        isUnfiltered = reader.readFlag()
        for field in 0..<8 { innovation[field] = UInt16(reader.read(Int(Self.widths[coreMode][field]))) }
        gainIndex = Int(reader.read(7))
    }
}

/// An encoded set of line spectral frequencies (ISO/IEC 23003-3, 7.13).
package struct LineSpectralData: BitwiseCopyable {
    package enum Prediction: BitwiseCopyable {
        /// An entry of the first codebook.
        case absolute
        /// Another set of the frame.
        case relative(Int)
        /// The mean of two sets.
        case mean(Int, Int)
    }

    /// Whether the set was sent.
    package var isPresent = false
    package var prediction = Prediction.absolute
    /// The index in the first codebook.
    package var index = 0
    /// The form of the codebook numbers, which also selects the weights (`nk_mode`).
    package var form = 0
    package var hasResidual = false
    /// The lower half of the residual.
    package var lower = LatticeCode()
    /// The upper half of the residual.
    package var upper = LatticeCode()

    /// Creates a set that was not sent.
    package init() {}

    /// Reads a set, after its mode code.
    mutating func read(_ prediction: Prediction, form: Int, from reader: inout BitReader) throws(CodecError) {
        isPresent = true
        self.prediction = prediction
        self.form = form
        hasResidual = true
        if case .absolute = prediction { index = Int(reader.read(8)) }
        let numbers = try LatticeQuantizer.readNumbers(mode: form, from: &reader)
        lower = LatticeCode(number: numbers.0, reading: &reader)
        upper = LatticeCode(number: numbers.1, reading: &reader)
    }

    /// Sets the prediction to the mean of two other sets, without a residual.
    mutating func setMean(_ first: Int, _ second: Int) {
        isPresent = true
        prediction = .mean(first, second)
        hasResidual = false
    }
}
