// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// The division of a channel's frame in time and frequency (`ics_info`, ISO/IEC 14496-3:2009, 4.4.2.1 and 4.5.2.3).
package struct ICSInfo {
    /// The window sequence: one long window or eight short ones.
    package var windowSequence = WindowSequence.onlyLong

    /// The shape of the falling half of the window.
    package var windowShape = WindowShape.sine

    /// The number of bands sent in each group, 0 to 51 (`max_sfb`).
    package var maxSFB = 0

    /// The number of window groups, 1 to 8; 1 for long windows.
    package var groupCount = 1

    /// The number of windows in each group; their sum is 8 for short windows, else 1.
    package var groupLengths = SIMD8<UInt8>()

    /// Main prediction, in that object type and long windows only.
    package var mainPrediction: MainPredictionData?

    /// Long-term prediction of the channel, or of the first one of a pair with common windows.
    package var longTermPrediction: LongTermPredictionData?

    /// Long-term prediction of the second channel of a pair with common windows.
    package var secondLongTermPrediction: LongTermPredictionData?

    /// The distance of groups in arrays of bands: the index is `group * bandStride + sfb`.
    package static let bandStride = 16

    /// The length of arrays of bands.
    package static let bandCapacity = 128

    /// Creates the division of one long window without bands.
    package init() { groupLengths[0] = 1 }

    /// Whether there are eight short windows.
    package var isShort: Bool { windowSequence == .eightShort }

    /// The number of windows in the frame: 8 or 1.
    package var windowCount: Int { isShort ? 8 : 1 }

    /// Sets the groups of eight short windows from `scale_factor_grouping`: a bit for each window but the first, that of the second
    /// window as the highest of seven; 1 joins the window to the group of the one before.
    package mutating func setGrouping(_ bits: UInt32) {
        groupLengths = SIMD8()
        groupLengths[0] = 1
        groupCount = 1
        for window in 1..<8 {
            if bits >> UInt32(7 - window) & 1 == 0 { groupCount += 1 }
            groupLengths[groupCount - 1] += 1
        }
    }

    /// The groups as `scale_factor_grouping`, the inverse of ``setGrouping(_:)``.
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
    /// - Parameter isCommon: Whether it is that of both channels of a pair.
    package init(reading reader: inout BitReader, bands: ScaleFactorBands, syntax: Syntax, isCommon: Bool) throws(CodecError) {
        self.init()
        // AAC-ELD sends nothing but the number of bands.
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

    /// Reads the prediction that `predictor_data_present` announces.
    private mutating func readPrediction(
        _ syntax: Syntax, isCommon: Bool, from reader: inout BitReader, samplingFrequencyIndex: Int
    ) throws(CodecError) {
        switch syntax {
        case .generalAudio(.lowComplexity): throw .unsupportedTool(.mainPrediction)
        case .lowDelay, .enhancedLowDelay:
            // Announced without data it predicts nothing.
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

    /// Returns the number of bands with a flag of Main prediction.
    private func mainPredictionBandCount(samplingFrequencyIndex: Int) -> Int {
        min(maxSFB, Int(MainPredictionData.bandLimits[samplingFrequencyIndex]))
    }

    /// Writes the structure.
    ///
    /// - Parameter isCommon: Whether it is that of both channels of a pair.
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
