// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

/// Prediction of a frame from previously decoded samples (LTP object type; ISO/IEC 14496-3:2009, 4.6.7).
///
/// A segment of the decoded signal, delayed by the lag, passes through an encoder's filter bank. Its lines are added in the bands that use
/// prediction.
struct LongTermPrediction: ~Copyable {
    /// The history of each channel: two decoded frames, then the aliased half that still needs its overlap.
    private var history: FixedArray<Float>

    /// The segment, two frames long.
    private var segment: FixedArray<Float>

    private var lines: FixedArray<Float>

    /// The frame length in samples, 1024 or 960.
    private let frameLength: Int

    /// The gains by index (`ltp_coef`, ISO/IEC 14496-3:2009, 4.6.7.3).
    private static let gains = SIMD8<Float>(0.570829, 0.696616, 0.813004, 0.911304, 0.984900, 1.067894, 1.194601, 1.369533)

    init(channelCount: Int, frameLength: Int) {
        self.frameLength = frameLength
        history = FixedArray(repeating: 0, count: channelCount * 3 * frameLength)
        segment = FixedArray(repeating: 0, count: 2 * frameLength)
        lines = FixedArray(repeating: 0, count: frameLength)
    }

    /// Computes the predicted lines of a long frame.
    mutating func predict(
        _ data: LongTermPredictionData, info: ICSInfo, previousShape: WindowShape, channel: Int, filterBank: inout FilterBank
    ) {
        let gain = Self.gains[Int(data.gainIndex & 7)]
        let lag = min(Int(data.lag), 2 * frameLength)
        let first = channel * 3 * frameLength + 2 * frameLength - lag
        // No samples exist after the aliased half.
        let known = min(2 * frameLength, frameLength + lag)
        do {
            let past = history.span
            var samples = segment.mutableSpan
            for index in 0..<2 * frameLength {
                samples[index] = index < known ? past[first + index] * gain : 0
            }
        }
        var target = lines.mutableSpan
        filterBank.analyze(
            segment.span, sequence: info.windowSequence, previousShape: previousShape, shape: info.windowShape, into: &target)
    }

    /// Applies the frame's TNS analysis filters to the predicted lines, as the encoder did to its lines.
    mutating func shape(_ data: TNSData, info: ICSInfo, by shaping: inout TNSSynthesis, bands: ScaleFactorBands) {
        var target = lines.mutableSpan
        shaping.analyze(data, sequence: info.windowSequence, bandCount: info.maxSFB, bands: bands, in: &target)
    }

    /// Adds the predicted lines in the bands that use them.
    func add(_ data: LongTermPredictionData, maxSFB: Int, bands: ScaleFactorBands, to spectrum: inout MutableSpan<Float>) {
        let predicted = lines.span
        for band in 0..<min(maxSFB, LongTermPredictionData.bandLimit) where data.usedBands >> UInt64(band) & 1 != 0 {
            for line in Int(bands.longOffsets[band])..<Int(bands.longOffsets[band + 1]) {
                spectrum[line] += predicted[line]
            }
        }
    }

    /// Appends a decoded frame and the aliased half after it to the history.
    mutating func advance(channel: Int, samples: Span<Float>, overlap: borrowing OverlapState, filterBank: borrowing FilterBank) {
        let first = channel * 3 * frameLength
        history.copy(first + frameLength..<first + 2 * frameLength, to: first)
        history.copy(samples.extracting(0..<frameLength), to: first + frameLength)
        var allHistory = history.mutableSpan
        var aliased = allHistory._mutatingExtracting(first + 2 * frameLength..<first + 3 * frameLength)
        filterBank.copyOverlap(of: overlap, into: &aliased)
    }
}
