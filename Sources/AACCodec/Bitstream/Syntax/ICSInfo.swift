// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The time and frequency structure of a channel's frame (`ics_info`, ISO/IEC 14496-3:2009, 4.4.2.1 and 4.5.2.3).
package struct ICSInfo {
    /// The window sequence: one long window or eight short ones.
    package var windowSequence = WindowSequence.onlyLong

    /// The shape of the window's falling half.
    package var windowShape = WindowShape.sine

    /// The number of sent bands per group, 0 to 51 (`max_sfb`).
    package var maxSFB = 0

    /// The number of window groups, 1 to 8; 1 for long windows.
    package var groupCount = 1

    /// The number of windows in each group.
    ///
    /// Their sum is 8 for short windows, otherwise 1.
    package var groupLengths = SIMD8<UInt8>()

    /// Main prediction.
    ///
    /// Only in the Main object type and in long windows.
    package var mainPrediction: MainPredictionData?

    /// Long-term prediction of the channel, or of a pair's first channel with a common window.
    package var longTermPrediction: LongTermPredictionData?

    /// Long-term prediction of a pair's second channel with a common window.
    package var secondLongTermPrediction: LongTermPredictionData?

    /// The stride of groups in band arrays: the index is `group * bandStride + sfb`.
    package static let bandStride = 16

    /// The length of band arrays.
    package static let bandCapacity = 128

    /// Creates one long window without bands.
    package init() { groupLengths[0] = 1 }

    package var isShort: Bool { windowSequence == .eightShort }

    package var windowCount: Int { isShort ? 8 : 1 }

    /// Sets the groups of eight short windows from `scale_factor_grouping`.
    ///
    /// The highest of the seven bits is for the second window. 1 adds the window to the previous window's group.
    package mutating func setGrouping(_ bits: UInt32) {
        groupLengths = SIMD8()
        groupLengths[0] = 1
        groupCount = 1
        for window in 1..<8 {
            if bits >> UInt32(7 - window) & 1 == 0 { groupCount += 1 }
            groupLengths[groupCount - 1] += 1
        }
    }

    /// The groups as `scale_factor_grouping`; the inverse of ``setGrouping(_:)``.
    package var grouping: UInt32 {
        var bits: UInt32 = 0
        var window = 0
        for group in 0..<groupCount {
            for offset in 0..<Int(groupLengths[group]) {
                if offset > 0 { bits |= 1 << UInt32(7 - window) }
                window += 1
            }
        }
        return bits
    }

    /// Reads the structure.
    ///
    /// - Parameter isCommon: Whether it applies to both channels of a pair.
    package init(reading reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax, isCommon: Bool) throws(CodecError) {
        self.init()
        // AAC-ELD sends only the number of bands.
        if syntax != .enhancedLowDelay {
            guard !reader.readFlag() else { throw .reservedBitSet }
            windowSequence = WindowSequence(rawValue: UInt8(reader.read(2))) ?? .onlyLong
            guard windowSequence == .onlyLong || syntax != .lowDelay else {
                throw .blockSwitching(sequence: Int(windowSequence.rawValue))
            }
            windowShape = reader.readFlag() ? .kaiserBesselDerived : .sine
        }
        maxSFB = Int(reader.read(isShort ? 4 : 6))
        let available = bands.count(for: windowSequence)
        guard maxSFB <= available else { throw .tooManyBands(maxSFB, available: available) }
        if isShort {
            setGrouping(reader.read(7))
        } else if syntax != .enhancedLowDelay, reader.readFlag() {
            try readPrediction(syntax, isCommon: isCommon, from: &reader, samplingFrequencyIndex: bands.samplingFrequencyIndex)
        }
    }

    /// Reads the prediction data signalled by `predictor_data_present`.
    private mutating func readPrediction(
        _ syntax: Syntax, isCommon: Bool, from reader: inout BitReader, samplingFrequencyIndex: Int
    ) throws(CodecError) {
        switch syntax {
        case .generalAudio(.lowComplexity): throw .unsupportedTool(.mainPrediction)
        case .lowDelay, .enhancedLowDelay:
            // The signal without data is valid and predicts nothing.
            if reader.readFlag() || isCommon && reader.readFlag() { throw .unsupportedTool(.longTermPrediction) }
        case .generalAudio(.main):
            mainPrediction = try MainPredictionData(
                reading: &reader, bandCount: mainPredictionBandCount(samplingFrequencyIndex: samplingFrequencyIndex))
        case .generalAudio(.longTermPrediction):
            let bandCount = min(maxSFB, LongTermPredictionData.bandLimit)
            if reader.readFlag() { longTermPrediction = LongTermPredictionData(reading: &reader, bandCount: bandCount) }
            if isCommon && reader.readFlag() {
                secondLongTermPrediction = LongTermPredictionData(reading: &reader, bandCount: bandCount)
            }
        }
    }

    private func mainPredictionBandCount(samplingFrequencyIndex: Int) -> Int {
        min(maxSFB, Int(MainPredictionData.bandLimits[samplingFrequencyIndex]))
    }

    /// Writes the structure.
    ///
    /// - Parameter isCommon: Whether it applies to both channels of a pair.
    package func write(to sink: inout some BitSink, bands: ScaleFactorBands, syntax: Syntax, isCommon: Bool) {
        guard syntax != .enhancedLowDelay else { return sink.write(UInt32(maxSFB), count: 6) }
        sink.write(false)
        sink.write(UInt32(windowSequence.rawValue), count: 2)
        sink.write(UInt32(windowShape.rawValue), count: 1)
        sink.write(UInt32(maxSFB), count: isShort ? 4 : 6)
        if isShort {
            sink.write(grouping, count: 7)
            return
        }
        switch syntax {
        case .generalAudio(.lowComplexity), .lowDelay, .enhancedLowDelay: sink.write(false)
        case .generalAudio(.main):
            sink.write(mainPrediction != nil)
            mainPrediction?.write(to: &sink, bandCount: mainPredictionBandCount(samplingFrequencyIndex: bands.samplingFrequencyIndex))
        case .generalAudio(.longTermPrediction):
            let bandCount = min(maxSFB, LongTermPredictionData.bandLimit)
            let isPresent = longTermPrediction != nil || isCommon && secondLongTermPrediction != nil
            sink.write(isPresent)
            guard isPresent else { return }
            sink.write(longTermPrediction != nil)
            longTermPrediction?.write(to: &sink, bandCount: bandCount)
            guard isCommon else { return }
            sink.write(secondLongTermPrediction != nil)
            secondLongTermPrediction?.write(to: &sink, bandCount: bandCount)
        }
    }
}
