// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding
internal import TransformEncoding

/// The state of the coding of an element on trial: copies of what it changes, and the history of its error.
final class ElementTrial {
    /// The decoder of the element.
    var decoder: TrialDecoder

    /// The only channel, or the left one.
    var first: ChannelTrial

    /// The right channel.
    var second: ChannelTrial

    /// Middle/side stereo before the trial.
    var midSide = MidSideStereo()

    /// Intensity stereo before the trial.
    var intensity = IntensityStereo()

    /// Makes the trial of an element before its first frame.
    init(_ setup: EncoderSetup) {
        decoder = TrialDecoder(setup)
        first = ChannelTrial(frameLength: setup.frameLength)
        second = ChannelTrial(frameLength: setup.frameLength)
    }

    /// Discards the frames before.
    func reset() {
        decoder.reset()
        first.reset()
        second.reset()
    }
}

/// The state of the coding of a channel on trial.
package struct ChannelTrial: ~Copyable {
    /// The coefficients of the frame before the trial, which temporal noise shaping changes.
    package var coefficients: FixedArray<Float>

    /// The noise targets before the trial.
    var noiseTargets = FixedArray<Float>(repeating: 1, count: BandLayout.maximumCount)

    /// Noise substitution before the trial.
    var substitution = NoiseSubstitution()

    /// The number of lines of each band that the trial sent; where they were sent as middle and side, the mean of both.
    var lineCounts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The second half of the error of the frame before.
    var overlap: OverlapState

    /// The correction of noise targets.
    var correction: TargetCorrection

    /// Makes the state before the first frame.
    package init(frameLength: Int) {
        coefficients = FixedArray(repeating: 0, count: frameLength)
        overlap = OverlapState(frameLength: frameLength)
        correction = TargetCorrection(frameLength: frameLength)
    }

    /// Returns whether both halves of the frame's window are long and of the sine shape, before ``overlap`` has the frame.
    func isLongSine(_ info: ICSInfo) -> Bool {
        info.windowSequence == .onlyLong && info.windowShape == .sine && overlap.previousShape == .sine
    }

    /// Discards the frames before.
    @inline(never)
    mutating func reset() {
        overlap.reset()
        correction.reset()
    }
}
