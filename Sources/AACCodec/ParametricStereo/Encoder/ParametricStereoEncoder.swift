// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes of two channels one and the parameters that a decoder makes two of again (ISO/IEC 14496-3:2009, 8.6.4).
///
/// The one channel comes out twice: as samples at half the rate for the core, and as columns of subbands for band replication.
/// Both are in step with the parameters: what a frame describes is what a decoder has when it comes to that frame.
final class ParametricStereoEncoder {
    /// Zeros in front of the first sample, so that a decoder's delay is even.
    static let padding = 1
    /// Frames of output before the first sample that was encoded: the padding, the banks here, the downmix, two blocks of the
    /// core, and the decoder's banks.
    static let priming = padding + 577 + 64 * StereoDownmix.delay + 2 * SBRElementEncoder.frameLength + 962

    /// The core's samples of the last frame.
    private(set) var core: [1024 of Float] = .init(repeating: 0)
    /// The subbands of the one channel, ``columnDelay`` columns later than they are in the core.
    var columns = SubbandColumns()
    /// The parameters of the frame at hand.
    private(set) var data = ParametricStereoData()

    private var leftBank = QMFAnalysis64()
    private var rightBank = QMFAnalysis64()
    private var mono = SubbandColumns()
    private var downmix: StereoDownmix
    /// The downmix that takes over before the next segment, and a bank that it can do without.
    private var successor: StereoDownmix
    private var spareSynthesis = QMFSynthesis()
    /// Whether there is a downmix to be heard while the next one runs in; not at the start of a segment's encoder.
    private var hasPast = true
    private var statistics: StereoStatistics
    private var synthesis = QMFSynthesis()
    private var parameters: StereoParameterEncoder

    /// Columns from one in the core to the same in a decoder's grid: nine for the banks, and the six that it keeps back.
    private static let columnDelay = 15

    /// Blocks of the core that are taken in before a frame is encoded, and which it doesn't hold.
    private static let lookAhead = 2

    /// The first column of the frame at hand among those of the statistics.
    private static let firstColumn = StereoStatistics.columnCount - (lookAhead + 1) * SubbandColumns.columnCount - columnDelay

    /// Frames from a segment at which another downmix takes over: before any block that the segment's first frame is made of.
    private static let takeover = 6
    /// Frames in which it sees the sound, and is not heard: its measurements fade to a thousandth in them.
    private static let runIn = 8
    /// Frames of which the encoder of a segment has to take in the sound before; one for the banks.
    static let leadIn = takeover + runIn + 1

    /// Whether the downmix guesses what twins are like.
    private let isFast: Bool

    /// Makes an encoder with a silent past.
    init(_ settings: StereoCodingSettings) {
        parameters = StereoParameterEncoder(settings)
        isFast = settings.isFast
        statistics = StereoStatistics(keepsFours: settings.isFast)
        downmix = StereoDownmix(isFast: settings.isFast)
        successor = StereoDownmix(isFast: settings.isFast)
    }

    /// Forgets all but the samples.
    func resetHistory() { parameters.resetHistory() }

    /// Goes on at the lead-in of a segment.
    func restart() {
        resetHistory()
        hasPast = false
    }

    /// Takes 2048 samples of each channel, with which the frame at that place is complete.
    func append(left leftSamples: Span<Float>, right rightSamples: Span<Float>, framesToSegment: Int) {
        leftBank.load(leftSamples)
        rightBank.load(rightSamples)
        // The last columns of the frame before come in front.
        let first = SubbandColumns.columnCount - Self.columnDelay
        columns.take(Self.columnDelay, at: 0, from: &mono, at: first)
        statistics.advance()
        mix(framesToSegment: framesToSegment)
        columns.take(first, at: Self.columnDelay, from: &mono, at: 0)
        leftBank.advance()
        rightBank.advance()
    }

    private func mix(framesToSegment: Int) {
        var samples = core.mutableSpan
        if framesToSegment == Self.takeover + Self.runIn { successor = StereoDownmix(isFast: isFast) }
        if framesToSegment == Self.takeover {
            swap(&downmix, &successor)
            hasPast = true
        }
        let runsIn = Self.takeover + 1...Self.takeover + Self.runIn ~= framesToSegment
        if runsIn {
            // What it makes is overwritten.
            successor.mix(
                left: &leftBank, right: &rightBank, statistics: &statistics, into: &mono, synthesis: &spareSynthesis, core: &samples)
        }
        if hasPast || !runsIn {
            downmix.mix(
                left: &leftBank, right: &rightBank, statistics: &statistics, into: &mono, synthesis: &synthesis, core: &samples)
        }
    }

    /// Estimates the parameters of the current frame.
    ///
    /// - Parameter isIndependent: Whether the frame has a header, and is decodable without the frames before it.
    func planFrame(isIndependent: Bool) {
        data = parameters.encode(&statistics, from: Self.firstColumn, hasHeader: isIndependent)
    }
}
