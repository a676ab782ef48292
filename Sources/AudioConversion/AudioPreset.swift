// SPDX-License-Identifier: Apache-2.0

package import AACCodec
public import AudioPrimitives

/// Named settings for encoding and recording.
///
/// The first four are the quality levels of LFLiveKit, the next two use common bit rates from Apple's examples. Presets whose name ends in
/// a bit rate are for low rates, with a suitable profile. Three more also request a format from the device.
public struct AudioPreset: Hashable, Sendable {
    /// A format that a recorder requests from the device.
    package struct DeviceRequest: Hashable, Sendable {
        package let sampleRate: Int
        package let channelCount: Int
        /// The duration of the device's buffers, or `nil` for the default.
        package let bufferDuration: Duration?
    }

    package struct BitRates: Hashable, Sendable {
        fileprivate let mono: Int
        fileprivate let stereo: Int
        /// Replaces both at sample rates below ``lowRateLimit``.
        fileprivate let lowRate: Int?

        /// Creates bit rates.
        ///
        /// - Parameter lowRate: Replaces both at sample rates below 22.05 kHz.
        package init(mono: Int, stereo: Int, lowRate: Int? = nil) {
            self.mono = mono
            self.stereo = stereo
            self.lowRate = lowRate
        }

        /// The minimum sample rate for the full bit rate, in hertz.
        fileprivate static let lowRateLimit = 22_050
    }

    /// The name on the command line.
    public let name: String
    /// A short description.
    public let summary: String
    /// The sample rate, in hertz, or `nil` for the source's.
    public let sampleRate: Int?
    /// The maximum channel count for recording and encoding, to which more channels are mixed, or `nil` for the source's.
    public let channelCount: Int?
    /// The AAC profile.
    public let profile: AACProfile
    /// The number of sample frames per access unit, or `nil` for the profile's default.
    public let frameLength: Int?
    /// The format to request from the device, or `nil` for the device's default.
    package let deviceRequest: DeviceRequest?

    private let bitRates: BitRates?

    /// Returns the rate control for the preset's bit rate, constant for low delay profiles, or `nil` for the encoder's default.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count. More than two channels count as pairs.
    package func rateControl(sampleRate: Int, channelCount: Int) -> AACEncoderConfiguration.RateControl? {
        guard let bitRate = bitRate(sampleRate: sampleRate, channelCount: channelCount) else { return nil }
        return profile.isLowDelay ? .constant(bitRate: bitRate) : .average(bitRate: bitRate)
    }

    /// Returns settings with defaults replaced by the preset's values, except bit rates.
    ///
    /// - Parameter settings: The settings, whose profile and frame length take precedence.
    package func completing(_ settings: AACEncoderSettings) -> AACEncoderSettings {
        var result = settings
        result.profile = settings.profile ?? profile
        if let frameLength, result.profile == profile, settings.frameLength == AACEncoderSettings.defaultFrameLength {
            result.frameLength = frameLength
        }
        return result
    }

    /// Returns the bit rate, in bits per second, or `nil` for the encoder's default.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count. More than two channels count as pairs.
    public func bitRate(sampleRate: Int, channelCount: Int) -> Int? {
        guard let bitRates else { return nil }
        if let lowRate = bitRates.lowRate, sampleRate < BitRates.lowRateLimit { return lowRate }
        return channelCount == 1 ? bitRates.mono : bitRates.stereo * channelCount / 2
    }

    /// For speech over slow networks.
    public static let low = AudioPreset(
        "low", "16 kHz, 64 kb/s stereo, 32 kb/s mono", sampleRate: 16_000, BitRates(mono: 32_000, stereo: 64_000))
    /// For speech with music.
    public static let medium = AudioPreset("medium", "44.1 kHz, 96 kb/s", sampleRate: 44_100, BitRates(mono: 96_000, stereo: 96_000))
    /// The default level of LFLiveKit.
    public static let high = AudioPreset("high", "44.1 kHz, 128 kb/s", sampleRate: 44_100, BitRates(mono: 128_000, stereo: 128_000))
    /// The highest level of LFLiveKit.
    public static let veryHigh = AudioPreset(
        "very-high", "48 kHz, 128 kb/s", sampleRate: 48_000, BitRates(mono: 128_000, stereo: 128_000))
    /// The bit rate of a live capture example, at any sample rate.
    public static let live = AudioPreset("live", "96 kb/s at any rate", BitRates(mono: 96_000, stereo: 96_000))
    /// Bit rates by sample rate, from notes on Apple's converter.
    public static let voice = AudioPreset(
        "voice", "64 kb/s, below 22.05 kHz 32 kb/s", BitRates(mono: 64_000, stereo: 64_000, lowRate: 32_000))

    /// For speech and music at low bit rates.
    ///
    /// The number is the bit rate in kbit/s, for mono or stereo.
    public static let lowRates = [
        ("voice-16", 16_000), ("voice-24", 24_000), ("voice-32", 32_000), ("music-32", 32_000), ("music-48", 48_000), ("music-64", 64_000),
    ].map { name, rate in
        AudioPreset(name, "\(rate / 1000) kb/s mono or stereo, profile auto", profile: .automatic, BitRates(mono: rate, stereo: rate))
    }

    /// For speech, captured at 16 kHz in mono.
    public static let speech = AudioPreset(
        "speech", "16 kHz, mono", request: DeviceRequest(sampleRate: 16_000, channelCount: 1, bufferDuration: nil))
    /// For music, captured at 48 kHz in stereo.
    public static let music = AudioPreset(
        "music", "48 kHz, stereo", request: DeviceRequest(sampleRate: 48_000, channelCount: 2, bufferDuration: nil))
    /// For audio that is monitored during capture.
    public static let lowLatency = AudioPreset(
        "low-latency", "48 kHz, stereo, 5 ms at a time",
        request: DeviceRequest(sampleRate: 48_000, channelCount: 2, bufferDuration: .milliseconds(5)))

    /// All presets of the library.
    ///
    /// The command line has more.
    public static let all = [low, medium, high, veryHigh, live, voice] + lowRates + [speech, music, lowLatency]

    /// Creates a preset.
    ///
    /// - Parameters:
    ///   - name: The name on the command line.
    ///   - summary: A short description.
    ///   - sampleRate: The sample rate, in hertz, or `nil` to use the requested one, otherwise the source's.
    ///   - channelCount: The maximum channel count, or `nil` to use the requested one, otherwise the source's.
    ///   - frameLength: The number of sample frames per access unit, or `nil` for the profile's default.
    ///   - bitRates: The bit rates, or `nil` for the encoder's default.
    ///   - request: The format to request from the device, or `nil` for none.
    package init(
        _ name: String, _ summary: String, sampleRate: Int? = nil, channelCount: Int? = nil, profile: AACProfile = .lowComplexity,
        frameLength: Int? = nil, _ bitRates: BitRates? = nil, request: DeviceRequest? = nil
    ) {
        self.name = name
        self.summary = summary
        self.sampleRate = sampleRate ?? request?.sampleRate
        self.channelCount = channelCount ?? request?.channelCount
        self.profile = profile
        self.frameLength = frameLength
        self.bitRates = bitRates
        deviceRequest = request
    }
}
