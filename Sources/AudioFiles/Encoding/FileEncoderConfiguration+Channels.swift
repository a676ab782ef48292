// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import PCMFiles

/// Settings that follow from the number of channels of an input.
extension FileEncoderConfiguration {
    /// Returns the number of channels that those of an input are mixed to; nil if they stay.
    func mixedChannelCount(from count: Int) -> Int? {
        let limit = mixesToMono ? 1 : mixesToStereo ? 2 : preset?.channelCount
        guard let limit, limit == 1 || count > limit else { return nil }
        return limit
    }

    /// Returns a note if the channels of an input are mixed without knowing their speakers.
    func averageNote(_ properties: PCMFileProperties) -> EncodingNote? {
        let count = properties.channelCount
        guard let mixed = mixedChannelCount(from: count), properties.channelLayout == nil, ChannelLayout.isAveraged(count) else {
            return nil
        }
        return .channelsAveraged(from: count, to: mixed)
    }

    /// Returns a bit rate for a number of channels, in bits per second: the share of that for two, if it is scaled.
    ///
    /// - Parameters:
    ///   - bitRate: The rate that was asked for.
    ///   - channelCount: The number of channels that are encoded.
    ///   - range: The rates that the codec supports for them.
    func scaled(_ bitRate: Int, to channelCount: Int, within range: ClosedRange<Int>) -> Int {
        guard scalesBitRate, channelCount != 2 else { return bitRate }
        let hasLowFrequency = ChannelLayout(usualChannelCount: channelCount)?.speakers.contains(.lowFrequency) ?? false
        let share = bitRate / 2 * (channelCount - (hasLowFrequency ? 1 : 0))
        return min(max(share, range.lowerBound), range.upperBound)
    }

    /// Returns the rate control for a number of channels; nil if none was asked for.
    func scaledRateControl(sampleRate: Int, channelCount: Int) -> AACEncoderConfiguration.RateControl? {
        let rates = AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount)
        return switch settings.rateControl {
        case .average(let rate)?: .average(bitRate: scaled(rate, to: channelCount, within: rates))
        case .constant(let rate)?: .constant(bitRate: scaled(rate, to: channelCount, within: rates))
        case let other: other
        }
    }
}
