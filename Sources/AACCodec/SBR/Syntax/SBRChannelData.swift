// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// What a frame of SBR says about one channel, as coded (ISO/IEC 14496-3:2009, 4.5.2.8).
struct SBRChannelData: Sendable {
    /// The most bands of an envelope.
    static let maximumBandCount = 48
    /// The most bands of a noise floor.
    static let maximumNoiseBandCount = 5

    /// `sbr_grid()`.
    var grid = SBRGrid()
    /// The envelopes in time that the grid stands for.
    var boundaries = EnvelopeBoundaries(from: 0, to: 16)
    /// `bs_df_env`: bit l is set when envelope l is coded as differences in time.
    var envelopesInTime: UInt8 = 0
    /// `bs_df_noise`: bit l is set when noise floor l is coded as differences in time.
    var noiseFloorsInTime: UInt8 = 0
    /// `bs_invf_mode` of each noise band, 0 (off) to 3 (strong).
    var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// Coded values of the envelopes, 48 places each: the start value of one coded in frequency, else differences.
    var envelopeDifferences: [240 of Int8] = .init(repeating: 0)
    /// Coded values of the noise floors, 5 places each.
    var noiseDifferences: [10 of Int8] = .init(repeating: 0)
    /// `bs_add_harmonic`: bit i is set when band i of the high resolution has a sine.
    var harmonics: UInt64 = 0

    /// Makes the data of a silent frame.
    init() {}

    /// Whether envelope `index` is coded as differences in time.
    func isEnvelopeInTime(_ index: Int) -> Bool { envelopesInTime >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Whether noise floor `index` is coded as differences in time.
    func isNoiseFloorInTime(_ index: Int) -> Bool { noiseFloorsInTime >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Whether the envelopes are in steps of 3 dB: as the header says, but never in a fixFix frame of one envelope.
    func usesCoarseAmplitudes(_ header: SBRHeader) -> Bool {
        header.usesCoarseAmplitudes && !(grid.frameClass == .fixFix && grid.envelopeCount == 1)
    }
}

extension SBRChannelData {
    /// Reads the grid; false when it breaks a rule.
    mutating func readGrid(from reader: inout BitReader, slotCount: Int) -> Bool {
        guard let grid = SBRGrid(reading: &reader), let boundaries = EnvelopeBoundaries(grid, slotCount: slotCount) else {
            return false
        }
        self.grid = grid
        self.boundaries = boundaries
        return true
    }

    /// Reads `sbr_dtdf()`, the directions of the differences.
    mutating func readDirections(from reader: inout BitReader) {
        for index in 0..<boundaries.count where reader.readFlag() { envelopesInTime |= 1 << UInt8(index) }
        for index in 0..<boundaries.noiseCount where reader.readFlag() { noiseFloorsInTime |= 1 << UInt8(index) }
    }

    /// Writes `sbr_dtdf()`.
    func writeDirections(to sink: inout some BitSink) {
        for index in 0..<boundaries.count { sink.write(isEnvelopeInTime(index)) }
        for index in 0..<boundaries.noiseCount { sink.write(isNoiseFloorInTime(index)) }
    }

    /// Reads `sbr_invf()`, one mode for each noise band.
    mutating func readInverseFiltering(from reader: inout BitReader, bandCount: Int) {
        for band in 0..<bandCount { inverseFiltering[band] = UInt8(reader.read(2)) }
    }

    /// Writes `sbr_invf()`.
    func writeInverseFiltering(to sink: inout some BitSink, bandCount: Int) {
        for band in 0..<bandCount { sink.write(UInt32(inverseFiltering[band]), count: 2) }
    }

    /// Reads `bs_add_harmonic_flag` and the flags behind it.
    mutating func readHarmonics(from reader: inout BitReader, bandCount: Int) {
        guard reader.readFlag() else { return }
        for band in 0..<bandCount where reader.readFlag() { harmonics |= 1 << UInt64(band) }
    }

    /// Writes `bs_add_harmonic_flag` and, if any is set, the flags.
    func writeHarmonics(to sink: inout some BitSink, bandCount: Int) {
        sink.write(harmonics != 0)
        guard harmonics != 0 else { return }
        for band in 0..<bandCount { sink.write(harmonics >> UInt64(band) & 1 != 0) }
    }
}

extension SBRChannelData {
    /// Reads `sbr_envelope()`.
    ///
    /// - Parameter isBalance: The second channel of a coupled pair.
    mutating func readEnvelopes(
        from reader: inout BitReader, tables: borrowing FrequencyBandTables, isCoarse: Bool, isBalance: Bool
    ) {
        let coding = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance)
        for index in 0..<boundaries.count {
            let bandCount = tables.bandCount(isHighResolution: grid.isHighResolution(index))
            let isInTime = isEnvelopeInTime(index)
            let book = isInTime ? coding.time : coding.frequency
            let place = index * Self.maximumBandCount
            if !isInTime { envelopeDifferences[place] = Int8(truncatingIfNeeded: reader.read(coding.startBitCount)) }
            for band in (isInTime ? 0 : 1)..<bandCount {
                envelopeDifferences[place + band] = Int8(truncatingIfNeeded: book.read(from: &reader))
            }
        }
    }

    /// Writes `sbr_envelope()`.
    func writeEnvelopes(
        to sink: inout some BitSink, tables: borrowing FrequencyBandTables, isCoarse: Bool, isBalance: Bool
    ) {
        let coding = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance)
        for index in 0..<boundaries.count {
            let bandCount = tables.bandCount(isHighResolution: grid.isHighResolution(index))
            let isInTime = isEnvelopeInTime(index)
            let book = isInTime ? coding.time : coding.frequency
            let place = index * Self.maximumBandCount
            if !isInTime { sink.write(UInt32(envelopeDifferences[place]), count: coding.startBitCount) }
            for band in (isInTime ? 0 : 1)..<bandCount { book.write(Int(envelopeDifferences[place + band]), to: &sink) }
        }
    }

    /// Reads `sbr_noise()`.
    mutating func readNoiseFloors(from reader: inout BitReader, bandCount: Int, isBalance: Bool) {
        let coding = DeltaCoding.noise(isBalance: isBalance)
        for index in 0..<boundaries.noiseCount {
            let isInTime = isNoiseFloorInTime(index)
            let book = isInTime ? coding.time : coding.frequency
            let place = index * Self.maximumNoiseBandCount
            if !isInTime { noiseDifferences[place] = Int8(truncatingIfNeeded: reader.read(coding.startBitCount)) }
            for band in (isInTime ? 0 : 1)..<bandCount {
                noiseDifferences[place + band] = Int8(truncatingIfNeeded: book.read(from: &reader))
            }
        }
    }

    /// Writes `sbr_noise()`.
    func writeNoiseFloors(to sink: inout some BitSink, bandCount: Int, isBalance: Bool) {
        let coding = DeltaCoding.noise(isBalance: isBalance)
        for index in 0..<boundaries.noiseCount {
            let isInTime = isNoiseFloorInTime(index)
            let book = isInTime ? coding.time : coding.frequency
            let place = index * Self.maximumNoiseBandCount
            if !isInTime { sink.write(UInt32(noiseDifferences[place]), count: coding.startBitCount) }
            for band in (isInTime ? 0 : 1)..<bandCount { book.write(Int(noiseDifferences[place + band]), to: &sink) }
        }
    }
}

/// The codebooks of envelopes or noise floors, the size of a start value, and the levels that one step stands for.
struct DeltaCoding {
    let time: DeltaCodebook
    let frequency: DeltaCodebook
    let startBitCount: Int
    var step = 1

    static func envelope(isCoarse: Bool, isBalance: Bool) -> DeltaCoding {
        switch (isCoarse, isBalance) {
        case (false, false):
            DeltaCoding(time: .envelopeTimeFine, frequency: .envelopeFrequencyFine, startBitCount: 7)
        case (true, false):
            DeltaCoding(time: .envelopeTimeCoarse, frequency: .envelopeFrequencyCoarse, startBitCount: 6)
        case (false, true):
            DeltaCoding(time: .balanceTimeFine, frequency: .balanceFrequencyFine, startBitCount: 6, step: 2)
        case (true, true):
            DeltaCoding(time: .balanceTimeCoarse, frequency: .balanceFrequencyCoarse, startBitCount: 5, step: 2)
        }
    }

    static func noise(isBalance: Bool) -> DeltaCoding {
        isBalance
            ? DeltaCoding(time: .noiseBalanceTime, frequency: .balanceFrequencyCoarse, startBitCount: 5, step: 2)
            : DeltaCoding(time: .noiseTime, frequency: .envelopeFrequencyCoarse, startBitCount: 5)
    }
}
