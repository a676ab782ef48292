// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import TransformCoding

/// The tools shared by two frequency-domain channels (`StereoCoreToolInfo`, ISO/IEC 23003-3, 5.3).
package struct StereoCoreToolInfo: ~Copyable {
    /// The stereo coding of a pair (`ms_mask_present`).
    package enum Mode: UInt8 {
        case separate = 0
        /// M/S stereo in some bands.
        case midSideBands
        /// M/S stereo in all bands.
        case midSide
        case prediction
    }

    /// Whether any channel uses TNS (`tns_active`).
    var hasTNS = false
    /// Whether both channels have the same windows (`common_window`).
    package var hasCommonWindow = false
    package var mode = Mode.separate
    /// Whether both channels send the same number of bands (`common_max_sfb`).
    var hasCommonMaxSFB = true
    /// Whether prediction is used in all bands (`cplx_pred_all`).
    var predictsAll = false
    /// The larger band count of the two channels.
    package var bandCount = 0
    /// 1 for bands with M/S stereo or prediction, otherwise 0, at `group * 16 + sfb`.
    package var used = FixedArray<UInt8>(repeating: 0, count: WindowDivision.bandCapacity)
    /// Whether both channels share TNS data (`common_tns`).
    var hasCommonTNS = false
    /// Whether TNS filters left and right, after stereo decoding (`tns_on_lr`).
    var isTNSAfterStereo = true
    /// Whether the first channel has its own TNS data.
    var firstHasTNS = false
    /// Whether the second channel has its own TNS data.
    var secondHasTNS = false

    /// Whether the first channel is predicted from the second (`pred_dir`).
    package var isReversed = false
    /// Whether the coefficients have imaginary parts (`complex_coef`).
    package var isComplex = false
    /// Whether prediction uses the previous frame's spectrum (`use_prev_frame`).
    package var usesPreviousFrame = false
    /// Whether the coefficients are coded as time differences (`delta_code_time`).
    package var isDeltaInTime = false
    /// The coded differences of the real parts, at `group * 16 + sfb` for even bands.
    package var realDifferences = FixedArray<Int8>(repeating: 0, count: WindowDivision.bandCapacity)
    /// The coded differences of the imaginary parts, at `group * 16 + sfb` for even bands.
    package var imaginaryDifferences = FixedArray<Int8>(repeating: 0, count: WindowDivision.bandCapacity)

    /// Creates the information for a pair without tools.
    package init() {}

    /// Disables all tools.
    package mutating func clear() {
        hasTNS = false
        hasCommonWindow = false
        mode = .separate
        bandCount = 0
        hasCommonTNS = false
        isTNSAfterStereo = true
        firstHasTNS = false
        secondHasTNS = false
    }

    /// Reads the structure up to `common_tns`.
    ///
    /// If both channels share `tns_data`, it follows.
    ///
    /// - Parameters:
    ///   - first: Receives the windows of the first channel, if they are common.
    ///   - second: Receives the windows of the second channel, if they are common.
    mutating func read(
        from reader: inout BitReader, bands: ScaleFactorBands, isIndependent: Bool, permitsPrediction: Bool,
        first: inout WindowDivision, second: inout WindowDivision
    ) throws(CodecError) {
        clear()
        hasTNS = reader.readFlag()
        hasCommonWindow = reader.readFlag()
        if hasCommonWindow {
            first = try WindowDivision(reading: &reader, bands: bands)
            second = first
            hasCommonMaxSFB = reader.readFlag()
            if !hasCommonMaxSFB {
                second.maxSFB = Int(reader.read(first.isShort ? 4 : 6))
                let available = bands.count(isShort: first.isShort)
                guard second.maxSFB <= available else { throw .tooManyBands(second.maxSFB, available: available) }
            }
            bandCount = max(first.maxSFB, second.maxSFB)
            mode = Mode(rawValue: UInt8(reader.read(2))) ?? .separate
            switch mode {
            case .separate: break
            case .midSideBands: readUsedBands(from: &reader, groupCount: first.groupCount, step: 1)
            case .midSide: used.fill(1)
            case .prediction:
                guard permitsPrediction else { throw .invalidSpectrum }
                readPrediction(from: &reader, groupCount: first.groupCount, isIndependent: isIndependent)
            }
        }
        guard hasTNS else { return }
        if hasCommonWindow { hasCommonTNS = reader.readFlag() }
        isTNSAfterStereo = reader.readFlag()
        guard !hasCommonTNS else { return }
        if reader.readFlag() {
            (firstHasTNS, secondHasTNS) = (true, true)
        } else {
            secondHasTNS = reader.readFlag()
            firstHasTNS = !secondHasTNS
        }
    }

    /// Writes the structure up to `common_tns`.
    func write(to sink: inout some BitSink, isIndependent: Bool, first: WindowDivision, second: WindowDivision) {
        sink.write(hasTNS)
        sink.write(hasCommonWindow)
        if hasCommonWindow {
            first.write(to: &sink)
            sink.write(hasCommonMaxSFB)
            if !hasCommonMaxSFB { sink.write(UInt32(second.maxSFB), count: first.isShort ? 4 : 6) }
            sink.write(UInt32(mode.rawValue), count: 2)
            switch mode {
            case .separate, .midSide: break
            case .midSideBands: writeUsedBands(to: &sink, groupCount: first.groupCount, step: 1)
            case .prediction: writePrediction(to: &sink, groupCount: first.groupCount, isIndependent: isIndependent)
            }
        }
        guard hasTNS else { return }
        if hasCommonWindow { sink.write(hasCommonTNS) }
        sink.write(isTNSAfterStereo)
        guard !hasCommonTNS else { return }
        sink.write(firstHasTNS && secondHasTNS)
        if !(firstHasTNS && secondHasTNS) { sink.write(secondHasTNS) }
    }

    /// Writes a flag per band, or per pair of bands.
    private func writeUsedBands(to sink: inout some BitSink, groupCount: Int, step: Int) {
        for group in 0..<groupCount {
            for band in stride(from: 0, to: bandCount, by: step) { sink.write(used[group * WindowDivision.bandStride + band] != 0) }
        }
    }

    /// Writes `cplx_pred_data`.
    private func writePrediction(to sink: inout some BitSink, groupCount: Int, isIndependent: Bool) {
        sink.write(predictsAll)
        if !predictsAll { writeUsedBands(to: &sink, groupCount: groupCount, step: 2) }
        sink.write(isReversed)
        sink.write(isComplex)
        if isComplex && !isIndependent { sink.write(usesPreviousFrame) }
        if !isIndependent { sink.write(isDeltaInTime) }
        let coder = ScaleFactorCoder.shared
        let codewords = coder.codewords.span
        for group in 0..<groupCount {
            for band in stride(from: 0, to: bandCount, by: 2) {
                let index = group * WindowDivision.bandStride + band
                guard used[index] != 0 else { continue }
                ScaleFactorCoder.write(Int(realDifferences[index]), to: &sink, codewords: codewords)
                if isComplex { ScaleFactorCoder.write(Int(imaginaryDifferences[index]), to: &sink, codewords: codewords) }
            }
        }
    }

    /// Reads a flag per band, or per pair of bands.
    private mutating func readUsedBands(from reader: inout BitReader, groupCount: Int, step: Int) {
        for group in 0..<groupCount {
            for band in stride(from: 0, to: bandCount, by: step) {
                let flag = UInt8(reader.read(1))
                let index = group * WindowDivision.bandStride + band
                used[index] = flag
                if step == 2 && index + 1 < WindowDivision.bandCapacity { used[index + 1] = flag }
            }
        }
    }

    /// Reads `cplx_pred_data`.
    private mutating func readPrediction(from reader: inout BitReader, groupCount: Int, isIndependent: Bool) {
        predictsAll = reader.readFlag()
        if predictsAll {
            used.fill(1)
        } else {
            readUsedBands(from: &reader, groupCount: groupCount, step: 2)
        }
        isReversed = reader.readFlag()
        isComplex = reader.readFlag()
        usesPreviousFrame = isComplex && !isIndependent && reader.readFlag()
        isDeltaInTime = !isIndependent && reader.readFlag()
        let coder = ScaleFactorCoder.shared
        let entries = coder.decodingEntries.span
        for group in 0..<groupCount {
            for band in stride(from: 0, to: bandCount, by: 2) {
                let index = group * WindowDivision.bandStride + band
                guard used[index] != 0 else { continue }
                realDifferences[index] = Int8(ScaleFactorCoder.read(from: &reader, entries: entries))
                imaginaryDifferences[index] = isComplex ? Int8(ScaleFactorCoder.read(from: &reader, entries: entries)) : 0
            }
        }
    }
}
