// SPDX-License-Identifier: Apache-2.0

/// A linear PCM format with a sample rate, for memory or headerless files.
///
/// If the sample rate is known separately, as with an encoder, use ``PCMFormat``.
public struct AudioFormat: Hashable, Sendable {
    /// The sample rate in hertz, positive.
    public var sampleRate: Int
    /// The sample encoding: type, bits and byte order.
    public var encoding: SampleEncoding
    /// The channel count, at least 1.
    public var channelCount: Int
    /// Whether samples are stored frame by frame (`LRLR…`) instead of channel by channel (`LL…RR…`).
    public var isInterleaved: Bool
    /// The speakers in channel order, if known.
    public var channelLayout: ChannelLayout?

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - encoding: The sample encoding.
    ///   - sampleRate: The sample rate in hertz, positive.
    ///   - channelCount: The channel count, at least 1.
    ///   - isInterleaved: Whether samples are stored frame by frame.
    ///   - channelLayout: The speakers in channel order, if known.
    public init(
        _ encoding: SampleEncoding, sampleRate: Int, channelCount: Int, isInterleaved: Bool = true, channelLayout: ChannelLayout? = nil
    ) {
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.isInterleaved = isInterleaved
        self.channelLayout = channelLayout
    }

    /// Creates a format from a stream description, or returns `nil` unless it is linear PCM with a supported encoding in whole bytes.
    public init?(_ description: StreamDescription) {
        let flags = description.formatFlags
        let rate = description.sampleRate
        guard description.formatID == .linearPCM, flags.fractionBitCount == 0, rate >= 1, rate <= 1e9, rate == rate.rounded(),
            description.channelsPerFrame > 0
        else { return nil }
        let isBigEndian = flags.contains(.isBigEndian)
        let isSigned = flags.contains(.isSignedInteger)
        switch (flags.contains(.isFloat), description.bitsPerChannel) {
        case (true, 32): encoding = isBigEndian ? .float32BigEndian : .float32
        case (true, 64): encoding = isBigEndian ? .float64BigEndian : .float64
        case (false, 8): encoding = isSigned ? .signed8 : .unsigned8
        case (false, 16) where isSigned: encoding = isBigEndian ? .int16BigEndian : .int16
        case (false, 24) where isSigned: encoding = isBigEndian ? .int24BigEndian : .int24
        case (false, 32) where isSigned: encoding = isBigEndian ? .int32BigEndian : .int32
        default: return nil
        }
        sampleRate = Int(rate)
        channelCount = description.channelsPerFrame
        isInterleaved = !flags.contains(.isNonInterleaved)
        channelLayout = nil
        let stored = encoding.byteCount * (isInterleaved ? channelCount : 1)
        guard description.bytesPerFrame == 0 || description.bytesPerFrame == stored else { return nil }
    }

    /// Throws unless the sample rate is 1 Hz to 1 GHz, and the channel count 1 to 1024.
    package func validate() throws(CodecError) {
        let (rates, counts) = (1...1_000_000_000, 1...1024)
        guard rates.contains(sampleRate) else { throw .invalidSampleRate(sampleRate, allowed: rates) }
        guard counts.contains(channelCount) else { throw .unsupportedChannelCount(channelCount, allowed: Array(counts)) }
    }

    /// The number of bytes per frame, for all channels.
    public var bytesPerFrame: Int { encoding.byteCount * channelCount }

    /// The equivalent stream description.
    public var streamDescription: StreamDescription {
        var description = encoding.streamDescription(sampleRate: sampleRate, channelCount: channelCount)
        if !isInterleaved { description.formatFlags.insert(.isNonInterleaved) }
        description.fillOut()
        return description
    }
}
