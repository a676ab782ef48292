// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding
internal import TransformEncoding

/// The trial encoding state of an element: copies of the state that a trial changes, and the error history.
package final class ElementAnalysisBySynthesis {
    var decoder: AnalysisBySynthesisDecoder

    /// The left channel of a pair, or the only channel.
    var first: ChannelAnalysisBySynthesis

    /// The right channel.
    ///
    /// Unused except in pairs.
    var second: ChannelAnalysisBySynthesis

    /// M/S decisions before the trial.
    var midSide = MidSideStereo()

    /// Intensity stereo decisions before the trial.
    var intensity = IntensityStereo()

    /// Whether the current frame is encoded on trial.
    package private(set) var isRunning = false

    /// The number of next frames that use the last trial if they have long windows.
    private var framesUntilTrial = 0

    package init(_ setup: EncoderSetup) {
        decoder = AnalysisBySynthesisDecoder(setup)
        first = ChannelAnalysisBySynthesis(frameLength: setup.frameLength)
        second = ChannelAnalysisBySynthesis(frameLength: setup.frameLength)
    }

    /// Clears the error history.
    func reset() {
        decoder.reset()
        first.reset()
        second.reset()
        framesUntilTrial = 0
    }

    /// Decides whether to encode a frame on trial: short windows, the long window after them, and others at an interval.
    ///
    /// Measured in Search.md#coding-on-trial.
    ///
    /// - Parameter interval: The interval of long windows on trial, in frames; `nil` for none.
    package func startFrame(isShort: Bool, interval: Int?) {
        isRunning = isShort || interval != nil && framesUntilTrial == 0
        guard let interval else { return }
        framesUntilTrial = isShort ? 0 : isRunning ? interval - 1 : framesUntilTrial - 1
    }
}

/// The trial encoding state of a channel.
package struct ChannelAnalysisBySynthesis: ~Copyable {
    /// The frame's coefficients before the trial, which TNS changes.
    package var coefficients: FixedArray<Float>

    var noiseTargets = FixedArray<Float>(repeating: 1, count: BandLayout.maximumCount)

    /// PNS decisions before the trial.
    var substitution = NoiseSubstitution()

    /// The number of nonzero lines per band of the trial or prediction.
    ///
    /// For M/S bands, the mean of both channels.
    var lineCounts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The correction by the errors of frames on trial.
    var correction: TargetCorrection

    /// The correction of long windows by predicted errors.
    var prediction: TargetCorrection

    package init(frameLength: Int) {
        coefficients = FixedArray(repeating: 0, count: frameLength)
        correction = TargetCorrection(frameLength: frameLength)
        prediction = TargetCorrection(frameLength: frameLength, isPredicted: true)
    }

    /// Clears the error history.
    @inline(never)
    mutating func reset() {
        correction.reset()
        prediction.reset()
    }
}
