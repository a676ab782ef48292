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
    private(set) var columns = SubbandColumns()
    /// The parameters of the frame at hand.
    private(set) var data = ParametricStereoData()

    private var leftBank = QMFAnalysis64()
    private var rightBank = QMFAnalysis64()
    private var left = SubbandColumns()
    private var right = SubbandColumns()
    private var mono = SubbandColumns()
    private var downmix = StereoDownmix()
    private var statistics = StereoStatistics()
    private var synthesis = QMFSynthesis()
    private var parameters: StereoParameterEncoder

    /// Columns from one in the core to the same in a decoder's grid: nine for the banks, and the six that it keeps back.
    private static let columnDelay = 15

    /// Blocks of the core that are taken in before a frame is encoded, and which it doesn't hold.
    private static let lookAhead = 2

    /// The first column of the frame at hand among those of the statistics.
    private static let firstColumn = StereoStatistics.columnCount - (lookAhead + 1) * SubbandColumns.columnCount - columnDelay

    /// Makes an encoder with a silent past.
    init(_ settings: StereoCodingSettings) { parameters = StereoParameterEncoder(settings) }

    /// Takes 2048 samples of each channel.
    func append(left leftSamples: Span<Float>, right rightSamples: Span<Float>) {
        leftBank.analyze(leftSamples, into: &left, tables: QMFTables.shared)
        rightBank.analyze(rightSamples, into: &right, tables: QMFTables.shared)
        keepLastColumns()
        statistics.advance()
        var samples = core.mutableSpan
        downmix.mix(left: left, right: right, statistics: &statistics, into: &mono, synthesis: &synthesis, core: &samples)
        let kept = SubbandColumns.rowCount * Self.columnDelay
        for row in 0..<SubbandColumns.rowCount * SubbandColumns.columnCount - kept {
            columns.real[kept + row] = mono.real[row]
            columns.imaginary[kept + row] = mono.imaginary[row]
        }
    }

    /// Puts the last columns of the frame before in front.
    private func keepLastColumns() {
        let kept = SubbandColumns.rowCount * Self.columnDelay
        let first = SubbandColumns.rowCount * SubbandColumns.columnCount - kept
        for row in 0..<kept {
            columns.real[row] = mono.real[first + row]
            columns.imaginary[row] = mono.imaginary[first + row]
        }
    }

    /// Makes the parameters of the frame at hand.
    func planFrame() { data = parameters.encode(statistics, from: Self.firstColumn) }
}
