// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Parameters of stereo as coded, `ps_data()` (ISO/IEC 14496-3:2009, 8.4.2 and 8.5.2).
struct ParametricStereoData: SBRExtendedData, Sendable {
    /// The most envelopes that are sent.
    static let maximumEnvelopeCount = 4
    /// The most bands.
    static let maximumBandCount = 34
    /// The most bands of phases.
    static let maximumPhaseBandCount = 17

    /// Which parameters there are.
    var header = ParametricStereoHeader()
    /// `enable_ps_header`: whether the header is sent with these data.
    var hasHeader = true
    /// `frame_class`: whether the boundaries are sent.
    var hasVariableBoundaries = false
    /// `num_env`: 0, 1, 2 or 4 with fixed boundaries, 1 to 4 with variable ones.
    var envelopeCount = 0
    /// `border_position`: the last column of each envelope, 0 to 31.
    var boundaryPositions = SIMD4<UInt8>(repeating: 0)
    /// Level differences: envelope e, band b at 34 e + b.
    var levels = Differences()
    /// Coherence, in the same order.
    var coherence = Differences()
    /// `enable_ipdopd`: whether phases are sent.
    var hasPhases = false
    /// Phase differences between the channels.
    var channelPhases = Differences()
    /// Overall phase differences.
    var overallPhases = Differences()

    /// The coded values of one kind of parameter.
    struct Differences: Sendable {
        /// Bit e is set when envelope e is coded as differences in time, not in frequency.
        var inTime: UInt8 = 0
        /// Envelope e, band b at 34 e + b.
        var values: [136 of Int8] = .init(repeating: 0)

        /// Whether an envelope is coded as differences in time.
        func isInTime(_ envelope: Int) -> Bool { inTime >> UInt8(truncatingIfNeeded: envelope) & 1 != 0 }

        fileprivate mutating func read(from reader: inout BitReader, envelope: Int, bandCount: Int, _ books: Books) {
            if reader.readFlag() { inTime |= 1 << UInt8(envelope) }
            let book = isInTime(envelope) ? books.time : books.frequency
            for band in 0..<bandCount {
                values[envelope * maximumBandCount + band] = Int8(truncatingIfNeeded: book.read(from: &reader))
            }
        }

        fileprivate func write(to sink: inout some BitSink, envelope: Int, bandCount: Int, _ books: Books) {
            sink.write(isInTime(envelope))
            let book = isInTime(envelope) ? books.time : books.frequency
            let all = values.span
            for band in 0..<bandCount { book.write(Int(all[envelope * maximumBandCount + band]), to: &sink) }
        }
    }

    fileprivate struct Books {
        let frequency: DeltaCodebook
        let time: DeltaCodebook

        static func levels(isFine: Bool) -> Books {
            isFine
                ? Books(frequency: .iidFrequencyFine, time: .iidTimeFine)
                : Books(frequency: .iidFrequencyCoarse, time: .iidTimeCoarse)
        }
        static var coherence: Books { Books(frequency: .iccFrequency, time: .iccTime) }
        static var channelPhases: Books { Books(frequency: .ipdFrequency, time: .ipdTime) }
        static var overallPhases: Books { Books(frequency: .opdFrequency, time: .opdTime) }
    }

    /// `ps_extension_id` of phases.
    private static let phaseExtensionID: UInt32 = 0

    /// Makes data without an envelope.
    init() {}
}

extension ParametricStereoData {
    /// Reads the data; nil before the first header and with reserved modes.
    ///
    /// The caller checks for an overrun.
    ///
    /// - Parameter previous: The header in force, for data without one.
    init?(reading reader: inout BitReader, after previous: ParametricStereoHeader?) {
        hasHeader = reader.readFlag()
        guard var header = hasHeader ? previous ?? ParametricStereoHeader() : previous else { return nil }
        if hasHeader {
            guard header.read(from: &reader) else { return nil }
        }
        self.header = header
        readEnvelopes(from: &reader)
        if header.hasExtension { readExtensions(from: &reader) }
    }

    private mutating func readEnvelopes(from reader: inout BitReader) {
        hasVariableBoundaries = reader.readFlag()
        let index = Int(reader.read(2))
        envelopeCount = hasVariableBoundaries ? index + 1 : index == 3 ? 4 : index
        if hasVariableBoundaries {
            for envelope in 0..<envelopeCount { boundaryPositions[envelope] = UInt8(reader.read(5)) }
        }
        if header.hasLevelDifferences {
            let books = Books.levels(isFine: header.hasFineLevels)
            for envelope in 0..<envelopeCount {
                levels.read(from: &reader, envelope: envelope, bandCount: header.levelBandCount, books)
            }
        }
        if header.hasCoherence {
            for envelope in 0..<envelopeCount {
                coherence.read(from: &reader, envelope: envelope, bandCount: header.coherenceBandCount, .coherence)
            }
        }
    }

    private mutating func readExtensions(from reader: inout BitReader) {
        var byteCount = Int(reader.read(4))
        if byteCount == 15 { byteCount += Int(reader.read(8)) }
        let end = reader.bitPosition + 8 * byteCount
        if byteCount > 0, reader.read(2) == Self.phaseExtensionID {
            hasPhases = reader.readFlag()
            if hasPhases { readPhases(from: &reader) }
            // Phases that reach beyond their extension are damaged.
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
    /// Writes the data.
    func write(to sink: inout some BitSink) {
        sink.write(hasHeader)
        if hasHeader { header.write(to: &sink) }
        sink.write(hasVariableBoundaries)
        let index = hasVariableBoundaries ? envelopeCount - 1 : envelopeCount == 4 ? 3 : envelopeCount
        sink.write(UInt32(index), count: 2)
        if hasVariableBoundaries {
            for envelope in 0..<envelopeCount { sink.write(UInt32(boundaryPositions[envelope]), count: 5) }
        }
        if header.hasLevelDifferences {
            let books = Books.levels(isFine: header.hasFineLevels)
            for envelope in 0..<envelopeCount {
                levels.write(to: &sink, envelope: envelope, bandCount: header.levelBandCount, books)
            }
        }
        if header.hasCoherence {
            for envelope in 0..<envelopeCount {
                coherence.write(to: &sink, envelope: envelope, bandCount: header.coherenceBandCount, .coherence)
            }
        }
        if header.hasExtension { writeExtension(to: &sink) }
    }

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
    /// Reads the header's fields over the ones before: a mode that is not sent stays.
    ///
    /// False for a reserved mode.
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
