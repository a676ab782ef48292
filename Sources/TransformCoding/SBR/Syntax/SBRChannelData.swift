// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The encoded SBR data of one channel and frame (ISO/IEC 14496-3:2009, 4.5.2.8).
package struct SBRChannelData: ~Copyable {
    package static var maximumBandCount: Int { 48 }
    package static var maximumNoiseBandCount: Int { 5 }
    /// The number of envelope values per frame (envelopes × bands).
    package static var envelopeCapacity: Int { SBRGrid.maximumEnvelopeCount * maximumBandCount }
    /// The number of noise floor values per frame (noise floors × bands).
    package static var noiseCapacity: Int { 2 * maximumNoiseBandCount }

    /// `sbr_grid()`.
    package var grid = SBRGrid()
    /// `t_E`: the envelope boundaries derived from the grid.
    package var boundaries: EnvelopeBoundaries
    /// `bs_df_env`: bit l is set if envelope l is coded as time differences.
    package var envelopesInTime: UInt8 = 0
    /// `bs_df_noise`: bit l is set if noise floor l is coded as time differences.
    package var noiseFloorsInTime: UInt8 = 0
    /// `bs_invf_mode` of each noise band, 0 (off) to 3 (strong).
    package var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// `bs_data_env`, 48 values per envelope: differences, and the start value of an envelope coded in frequency direction.
    package var envelopeDifferences = FixedArray<Int8>(repeating: 0, count: envelopeCapacity)
    /// The reader position of each start value of an envelope coded in frequency direction, in bits.
    ///
    /// Set after reading.
    package var envelopeStartBits = SIMD8<Int32>(repeating: 0)
    /// `bs_data_noise`, 5 values per noise floor: differences, and the start value of a noise floor coded in frequency direction.
    package var noiseDifferences = FixedArray<Int8>(repeating: 0, count: noiseCapacity)
    /// `bs_inter_temp_shape_mode` of each envelope; 0 for none, as always in AAC.
    package var temporalShapes = SIMD8<UInt8>(repeating: 0)
    /// Whether the harmonic transposer generates the high band (`sbrPatchingMode` = 0).
    ///
    /// Never in AAC.
    package var isTransposed = false
    /// `sbrOversamplingFlag` of the harmonic transposer.
    package var isOversampled = false
    /// `sbrPitchInBins` of the harmonic transposer.
    package var pitch = 0
    /// `bs_add_harmonic`: bit i is set if band i with high frequency resolution has a sinusoid.
    package var harmonics: UInt64 = 0

    /// Creates the data of a silent frame.
    package init(slotCount: Int) { boundaries = EnvelopeBoundaries(from: 0, to: slotCount) }

    /// Copies grid, inverse filtering and sinusoids.
    package mutating func copySideData(of other: borrowing SBRChannelData) {
        grid = other.grid
        boundaries = other.boundaries
        inverseFiltering = other.inverseFiltering
        harmonics = other.harmonics
    }

    /// Clears the fields that reading only adds to: directions, inverse filtering and sinusoids, and enhanced SBR data.
    package mutating func clear() {
        envelopesInTime = 0
        noiseFloorsInTime = 0
        inverseFiltering = SIMD8(repeating: 0)
        harmonics = 0
        temporalShapes = SIMD8(repeating: 0)
        isTransposed = false
        isOversampled = false
        pitch = 0
    }

    func isEnvelopeInTime(_ index: Int) -> Bool { envelopesInTime >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    func isNoiseFloorInTime(_ index: Int) -> Bool { noiseFloorsInTime >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Returns whether the envelopes have steps of 3 dB: `bs_amp_res` of the header, but false in FIXFIX frames with one envelope.
    ///
    /// In low delay SBR such a frame has its own flag.
    package func usesCoarseAmplitudes(_ header: SBRHeader) -> Bool {
        if let own = grid.usesCoarseAmplitudes { return own }
        return header.usesCoarseAmplitudes && !(grid.frameClass == .fixFix && grid.envelopeCount == 1)
    }
}

extension SBRChannelData {
    /// Reads `sbr_grid()`.
    ///
    /// - Returns: Whether the grid is valid.
    mutating func readGrid(from reader: inout BitReader, slotCount: Int, syntax: SBRPayload.Syntax) -> Bool {
        let grid =
            syntax.isLowDelay
            ? SBRGrid(readingLowDelay: &reader, slotCount: slotCount) : SBRGrid(reading: &reader, variant: syntax.variant)
        guard let grid, let boundaries = EnvelopeBoundaries(grid, slotCount: slotCount) else {
            return false
        }
        self.grid = grid
        self.boundaries = boundaries
        return true
    }

    /// Reads `sbr_dtdf()`: the difference direction of each envelope and noise floor.
    ///
    /// - Parameter isIndependent: Whether the frame refers to no other. Its first envelope and noise floor then have no direction flag.
    mutating func readDirections(from reader: inout BitReader, isIndependent: Bool = false) {
        let first = isIndependent ? 1 : 0
        for index in first..<boundaries.count where reader.readFlag() { envelopesInTime |= 1 << UInt8(index) }
        for index in first..<boundaries.noiseCount where reader.readFlag() { noiseFloorsInTime |= 1 << UInt8(index) }
    }

    /// Writes `sbr_dtdf()`.
    ///
    /// - Parameter isIndependent: Whether the first envelope and noise floor have no direction flag.
    func writeDirections(to sink: inout some BitSink, isIndependent: Bool) {
        let first = isIndependent ? 1 : 0
        for index in first..<boundaries.count { sink.write(isEnvelopeInTime(index)) }
        for index in first..<boundaries.noiseCount { sink.write(isNoiseFloorInTime(index)) }
    }

    /// Reads `sbr_invf()`, one mode per noise band.
    mutating func readInverseFiltering(from reader: inout BitReader, bandCount: Int) {
        for band in 0..<bandCount { inverseFiltering[band] = UInt8(reader.read(2)) }
    }

    /// Writes `sbr_invf()`.
    func writeInverseFiltering(to sink: inout some BitSink, bandCount: Int) {
        for band in 0..<bandCount { sink.write(UInt32(inverseFiltering[band]), count: 2) }
    }

    /// Reads `bs_add_harmonic_flag` and the flags after it.
    package mutating func readHarmonics(from reader: inout BitReader, bandCount: Int) {
        guard reader.readFlag() else { return }
        for band in 0..<bandCount where reader.readFlag() { harmonics |= 1 << UInt64(band) }
    }

    /// Writes `bs_add_harmonic_flag` and, if any flag is set, the flags.
    func writeHarmonics(to sink: inout some BitSink, bandCount: Int) {
        sink.write(harmonics != 0)
        guard harmonics != 0 else { return }
        for band in 0..<bandCount { sink.write(harmonics >> UInt64(band) & 1 != 0) }
    }
}

extension SBRChannelData {
    /// Reads `sbr_envelope()`.
    ///
    /// - Parameters:
    ///   - isBalance: Whether the channel is the second of a coupled pair.
    ///   - hasTemporalShapes: Whether a temporal shape follows each envelope, in enhanced SBR.
    package mutating func readEnvelopes(
        from reader: inout BitReader, tables: borrowing FrequencyBandTables, isCoarse: Bool, isBalance: Bool,
        hasTemporalShapes: Bool = false
    ) {
        let coding = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance)
        for index in 0..<boundaries.count {
            let bandCount = tables.bandCount(isHighResolution: grid.isHighResolution(index))
            let isInTime = isEnvelopeInTime(index)
            let codebook = isInTime ? coding.time : coding.frequency
            let offset = index * Self.maximumBandCount
            if !isInTime {
                envelopeStartBits[index] = Int32(truncatingIfNeeded: reader.bitPosition)
                envelopeDifferences[offset] = Int8(truncatingIfNeeded: reader.read(coding.startBitCount))
            }
            for band in (isInTime ? 0 : 1)..<bandCount {
                envelopeDifferences[offset + band] = Int8(truncatingIfNeeded: codebook.read(from: &reader))
            }
            if hasTemporalShapes && reader.readFlag() { temporalShapes[index] = UInt8(reader.read(2)) }
        }
    }

    /// Writes `sbr_envelope()`.
    func writeEnvelopes(
        to sink: inout some BitSink, tables: borrowing FrequencyBandTables, isCoarse: Bool, isBalance: Bool, hasTemporalShapes: Bool
    ) {
        let coding = DeltaCoding.envelope(isCoarse: isCoarse, isBalance: isBalance)
        for index in 0..<boundaries.count {
            let bandCount = tables.bandCount(isHighResolution: grid.isHighResolution(index))
            let isInTime = isEnvelopeInTime(index)
            let codebook = isInTime ? coding.time : coding.frequency
            let offset = index * Self.maximumBandCount
            if !isInTime { sink.write(UInt32(envelopeDifferences[offset]), count: coding.startBitCount) }
            for band in (isInTime ? 0 : 1)..<bandCount { codebook.write(Int(envelopeDifferences[offset + band]), to: &sink) }
            guard hasTemporalShapes else { continue }
            sink.write(temporalShapes[index] != 0)
            if temporalShapes[index] != 0 { sink.write(UInt32(temporalShapes[index]), count: 2) }
        }
    }

    /// Reads `sbr_noise()`.
    package mutating func readNoiseFloors(from reader: inout BitReader, bandCount: Int, isBalance: Bool) {
        let coding = DeltaCoding.noise(isBalance: isBalance)
        for index in 0..<boundaries.noiseCount {
            let isInTime = isNoiseFloorInTime(index)
            let codebook = isInTime ? coding.time : coding.frequency
            let offset = index * Self.maximumNoiseBandCount
            if !isInTime { noiseDifferences[offset] = Int8(truncatingIfNeeded: reader.read(coding.startBitCount)) }
            for band in (isInTime ? 0 : 1)..<bandCount {
                noiseDifferences[offset + band] = Int8(truncatingIfNeeded: codebook.read(from: &reader))
            }
        }
    }

    /// Writes `sbr_noise()` of an uncoupled channel.
    package func writeNoiseFloors(into writer: inout BitWriter, bandCount: Int) {
        writeNoiseFloors(to: &writer, bandCount: bandCount, isBalance: false)
    }

    /// Writes `sbr_noise()`.
    func writeNoiseFloors(to sink: inout some BitSink, bandCount: Int, isBalance: Bool) {
        let coding = DeltaCoding.noise(isBalance: isBalance)
        for index in 0..<boundaries.noiseCount {
            let isInTime = isNoiseFloorInTime(index)
            let codebook = isInTime ? coding.time : coding.frequency
            let offset = index * Self.maximumNoiseBandCount
            if !isInTime { sink.write(UInt32(noiseDifferences[offset]), count: coding.startBitCount) }
            for band in (isInTime ? 0 : 1)..<bandCount { codebook.write(Int(noiseDifferences[offset + band]), to: &sink) }
        }
    }
}
