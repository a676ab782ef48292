// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import OpusCodec

extension CodecDescription {
    /// Returns the bit rates that an encoder supports for a PCM format, in bits per second.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count.
    /// - Returns: Ranges in ascending order; a range of a single value is a fixed rate. Empty for a decoder, and if the format is not
    ///   supported.
    public func applicableBitRates(sampleRate: Int, channelCount: Int) -> [ClosedRange<Int>] {
        guard kind == .encoder, supports(sampleRate: sampleRate, channelCount: channelCount) else { return [] }
        #if canImport(Darwin)
        if maker == .appleSoftware || maker == .appleHardware {
            let converter = try? SystemConverter(formatID, sampleRate: sampleRate, channelCount: channelCount, isHardware: maker.isHardware)
            return (try? converter?.applicableBitRates()) ?? []
        }
        #endif
        switch formatID {
        case .opus: return [OpusEncoderConfiguration.bitRates(channelCount: channelCount)]
        case .iLBC:
            return ILBCMode.allCases.map { $0.bytesPerFrame * 8 * ILBCMode.sampleRate / $0.samplesPerFrame }.sorted().map { $0...$0 }
        default:
            guard let profile = AACProfile(formatID: formatID) else { return [] }
            return [AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile)]
        }
    }

    /// Returns the supported bit rate of an encoder that is nearest to a target.
    ///
    /// - Parameters:
    ///   - bitRate: The target, in bits per second.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count.
    /// - Returns: The nearest bit rate, or `nil` if none is applicable.
    public func nearestBitRate(to bitRate: Int, sampleRate: Int, channelCount: Int) -> Int? {
        applicableBitRates(sampleRate: sampleRate, channelCount: channelCount)
            .map { min(max(bitRate, $0.lowerBound), $0.upperBound) }
            .min { abs($0 - bitRate) < abs($1 - bitRate) }
    }

    package func maximumPacketByteCount(channelCount: Int) -> Int { maximumPacketByteCountPerChannel * channelCount }
}
