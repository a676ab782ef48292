// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding

extension CoreElement {
    /// The gain per consecutive lost frame: -3 dB.
    private static let fade: Float = 0.70710678
    /// The maximum number of consecutive losses with audible output.
    private static let fadeLength = 6

    /// Synthesizes a frame that replaces a lost one: the last lines with random signs, faded out.
    ///
    /// After the linear prediction domain the lines are silent.
    ///
    /// - Parameter lossCount: The number of consecutive losses, including this one.
    mutating func conceal(lossCount: Int, filterBank: inout CoreFilterBank, into output: inout MutableSpan<Float>, at first: Int) {
        let length = filterBank.frameLength
        let factor = lossCount > Self.fadeLength ? 0 : Self.fade
        for channel in 0..<channelCount {
            let isSilent = channels[channel].wasLinearPrediction
            for line in channel * length..<(channel + 1) * length {
                concealmentSeed = concealmentSeed &* 1_664_525 &+ 1_013_904_223
                spectra[line] *= isSilent ? 0 : concealmentSeed >> 31 == 0 ? factor : -factor
            }
            var windows = WindowDivision()
            windows.shape = channels[channel].previousShape
            if channels[channel].previousWindows?.isShort == true {
                windows.sequence = .eightShort
            } else if channels[channel].fallsShort {
                windows.sequence = .longStop
            }
            var samples = output._mutatingExtracting(first + channel * length..<first + (channel + 1) * length)
            channels[channel].synthesize(
                spectra.span.extracting(channel * length..<(channel + 1) * length), windows, aliasing: noAliasing,
                filterBank: &filterBank, into: &samples)
        }
    }

    /// Writes the overlap that the previous frame contributes to the next, without adding a frame.
    mutating func drain(filterBank: borrowing CoreFilterBank, into output: inout MutableSpan<Float>, at first: Int) {
        let length = filterBank.frameLength
        for channel in 0..<channelCount {
            var samples = output._mutatingExtracting(first + channel * length..<first + (channel + 1) * length)
            channels[channel].drain(filterBank: filterBank, into: &samples)
        }
    }
}
