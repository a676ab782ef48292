// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import TransformCoding

/// The encoded parametric stereo data of one frame: `ps_data()` (ISO/IEC 14496-3:2009, 8.4.2 and 8.5.2).
package struct ParametricStereoData: ~Copyable {
    static let maximumEnvelopeCount = 4
    static let maximumBandCount = 34

    package var header = ParametricStereoHeader()
    /// `enable_ps_header`: whether the data include the header.
    package var hasHeader = true
    /// `frame_class`: whether the data include envelope boundaries.
    package var hasVariableBoundaries = false
    /// `num_env`: 0, 1, 2 or 4 envelopes with fixed boundaries, 1 to 4 with variable ones.
    package var envelopeCount = 0
    /// `border_position`: the last time slot of each envelope, 0 to 31.
    package var boundaryPositions = SIMD4<UInt8>(repeating: 0)
    /// `iid_data()`: intensity differences.
    package var levels = Differences()
    /// `icc_data()`: coherence.
    package var coherence = Differences()
    /// `enable_ipdopd`: whether the data include phase differences.
    package var hasPhases = false
    /// `ipd_data()`: inter-channel phase differences.
    package var channelPhases = Differences()
    /// `opd_data()`: overall phase differences.
    package var overallPhases = Differences()

    /// The values of one kind of parameter, as time or frequency differences.
    package struct Differences: ~Copyable {
        /// Bit e: whether envelope e has time differences instead of frequency differences.
        package var inTime: UInt8 = 0
        /// The differences.
        ///
        /// Envelope e, band b is at 34 e + b.
        package var values = FixedArray<Int8>(repeating: 0, count: maximumEnvelopeCount * maximumBandCount)

        /// Creates frequency differences of 0.
        init() {}

        package func isInTime(_ envelope: Int) -> Bool { inTime >> UInt8(truncatingIfNeeded: envelope) & 1 != 0 }

        fileprivate mutating func read(from reader: inout BitReader, envelope: Int, bandCount: Int, _ codebooks: Codebooks) {
            if reader.readFlag() { inTime |= 1 << UInt8(envelope) }
            let codebook = isInTime(envelope) ? codebooks.time : codebooks.frequency
            for band in 0..<bandCount {
                values[envelope * maximumBandCount + band] = Int8(truncatingIfNeeded: codebook.read(from: &reader))
            }
        }

        fileprivate func write(to sink: inout some BitSink, envelope: Int, bandCount: Int, _ codebooks: Codebooks) {
            sink.write(isInTime(envelope))
            let codebook = isInTime(envelope) ? codebooks.time : codebooks.frequency
            let all = values.span
            for band in 0..<bandCount { codebook.write(Int(all[envelope * maximumBandCount + band]), to: &sink) }
        }
    }

    /// The codebooks of one kind of parameter.
    fileprivate struct Codebooks {
        let frequency: DeltaCodebook
        let time: DeltaCodebook

        static func levels(isFine: Bool) -> Codebooks {
            isFine
                ? Codebooks(frequency: .iidFrequencyFine, time: .iidTimeFine)
                : Codebooks(frequency: .iidFrequencyCoarse, time: .iidTimeCoarse)
        }
        static var coherence: Codebooks { Codebooks(frequency: .iccFrequency, time: .iccTime) }
        static var channelPhases: Codebooks { Codebooks(frequency: .ipdFrequency, time: .ipdTime) }
        static var overallPhases: Codebooks { Codebooks(frequency: .opdFrequency, time: .opdTime) }
    }

    /// `ps_extension_id` of phase differences.
    private static let phaseExtensionID: UInt32 = 0

    package init() {}
}

extension ParametricStereoData {
    /// Reads `ps_data()`.
    ///
    /// The caller must check the reader for an overrun.
    ///
    /// - Parameter previous: The header in use, for data without a header.
    /// - Returns: Whether the data are valid. They are not before the first header or with reserved modes, and are then unspecified.
    package mutating func read(from reader: inout BitReader, after previous: ParametricStereoHeader?) -> Bool {
        clear()
        hasHeader = reader.readFlag()
        guard var header = hasHeader ? previous ?? ParametricStereoHeader() : previous else { return false }
        if hasHeader {
            guard header.read(from: &reader) else { return false }
        }
        self.header = header
        readEnvelopes(from: &reader)
        if header.hasExtension { readExtensions(from: &reader) }
        return true
    }

    /// Clears everything that a frame may leave unset: boundaries, difference directions and phase differences.
    mutating func clear() {
        boundaryPositions = SIMD4(repeating: 0)
        levels.inTime = 0
        coherence.inTime = 0
        hasPhases = false
        channelPhases.inTime = 0
        overallPhases.inTime = 0
    }

    /// Reads the envelope boundaries, the intensity differences and the coherence.
    private mutating func readEnvelopes(from reader: inout BitReader) {
        hasVariableBoundaries = reader.readFlag()
        let index = Int(reader.read(2))
        envelopeCount = hasVariableBoundaries ? index + 1 : index == 3 ? 4 : index
        if hasVariableBoundaries {
            for envelope in 0..<envelopeCount { boundaryPositions[envelope] = UInt8(reader.read(5)) }
        }
        if header.hasLevelDifferences {
            let codebooks = Codebooks.levels(isFine: header.hasFineLevels)
            for envelope in 0..<envelopeCount {
                levels.read(from: &reader, envelope: envelope, bandCount: header.levelBandCount, codebooks)
            }
        }
        if header.hasCoherence {
            for envelope in 0..<envelopeCount {
                coherence.read(from: &reader, envelope: envelope, bandCount: header.coherenceBandCount, .coherence)
            }
        }
    }

    /// Reads `ps_extension()`, and skips extensions other than phase differences.
    private mutating func readExtensions(from reader: inout BitReader) {
        var byteCount = Int(reader.read(4))
        if byteCount == 15 { byteCount += Int(reader.read(8)) }
        let end = reader.bitPosition + 8 * byteCount
        if byteCount > 0, reader.read(2) == Self.phaseExtensionID {
            hasPhases = reader.readFlag()
            if hasPhases { readPhases(from: &reader) }
            // Phase differences that extend past their extension are damaged.
            if reader.bitPosition > end { hasPhases = false }
        }
        reader.skip(end - reader.bitPosition)
    }

    private mutating func readPhases(from reader: inout BitReader) {
        for envelope in 0..<envelopeCount {
            channelPhases.read(from: &reader, envelope: envelope, bandCount: header.phaseBandCount, .channelPhases)
            overallPhases.read(from: &reader, envelope: envelope, bandCount: header.phaseBandCount, .overallPhases)
        }
    }
}

extension ParametricStereoData {
    /// Writes `ps_data()`.
    package func write(to sink: inout some BitSink) {
        sink.write(hasHeader)
        if hasHeader { header.write(to: &sink) }
        sink.write(hasVariableBoundaries)
        let index = hasVariableBoundaries ? envelopeCount - 1 : envelopeCount == 4 ? 3 : envelopeCount
        sink.write(UInt32(index), count: 2)
        if hasVariableBoundaries {
            for envelope in 0..<envelopeCount { sink.write(UInt32(boundaryPositions[envelope]), count: 5) }
        }
        if header.hasLevelDifferences {
            let codebooks = Codebooks.levels(isFine: header.hasFineLevels)
            for envelope in 0..<envelopeCount {
                levels.write(to: &sink, envelope: envelope, bandCount: header.levelBandCount, codebooks)
            }
        }
        if header.hasCoherence {
            for envelope in 0..<envelopeCount {
                coherence.write(to: &sink, envelope: envelope, bandCount: header.coherenceBandCount, .coherence)
            }
        }
        if header.hasExtension { writeExtension(to: &sink) }
    }

    /// Writes `ps_extension()` with phase differences.
    private func writeExtension(to sink: inout some BitSink) {
        var counter = BitCounter()
        writePhases(to: &counter)
        let byteCount = (2 + counter.bitCount + 7) / 8
        sink.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { sink.write(UInt32(byteCount - 15), count: 8) }
        sink.write(Self.phaseExtensionID, count: 2)
        writePhases(to: &sink)
        sink.write(0, count: 8 * byteCount - 2 - counter.bitCount)
    }

    /// Writes `enable_ipdopd`, the phase differences of all envelopes, and a reserved bit.
    private func writePhases(to sink: inout some BitSink) {
        sink.write(hasPhases)
        if hasPhases {
            for envelope in 0..<envelopeCount {
                channelPhases.write(to: &sink, envelope: envelope, bandCount: header.phaseBandCount, .channelPhases)
                overallPhases.write(to: &sink, envelope: envelope, bandCount: header.phaseBandCount, .overallPhases)
            }
        }
        sink.write(false)
    }
}

extension ParametricStereoHeader {
    /// Reads the fields of the header.
    ///
    /// Modes that are not sent keep their values.
    ///
    /// - Returns: Whether the modes are valid, that is, not reserved.
    fileprivate mutating func read(from reader: inout BitReader) -> Bool {
        hasLevelDifferences = reader.readFlag()
        if hasLevelDifferences { levelMode = Int(reader.read(3)) }
        hasCoherence = reader.readFlag()
        if hasCoherence { coherenceMode = Int(reader.read(3)) }
        hasExtension = reader.readFlag()
        return levelMode <= 5 && coherenceMode <= 5
    }

    fileprivate func write(to sink: inout some BitSink) {
        sink.write(hasLevelDifferences)
        if hasLevelDifferences { sink.write(UInt32(levelMode), count: 3) }
        sink.write(hasCoherence)
        if hasCoherence { sink.write(UInt32(coherenceMode), count: 3) }
        sink.write(hasExtension)
    }
}
