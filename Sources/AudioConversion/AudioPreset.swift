// SPDX-License-Identifier: Apache-2.0

package import AACCodec
public import AudioPrimitives

/// Named settings for encoding and recording.
///
/// The first four are the quality levels of LFLiveKit, the next two the bit rates of common examples for Apple's encoder. Those whose name
/// ends in a bit rate are for low rates, with the profile that suits them. Three more also request a format from the device.
public struct AudioPreset: Hashable, Sendable {
    /// A format that a recorder requests from the device.
    package struct DeviceRequest: Hashable, Sendable {
        /// The sample rate in hertz.
        package let sampleRate: Int
        /// The number of channels.
        package let channelCount: Int
        /// The length of the audio that the device delivers at a time; nil for the default.
        package let bufferDuration: Duration?
    }

    /// The bit rates of a preset, in bits per second.
    package struct BitRates: Hashable, Sendable {
        fileprivate let mono: Int
        fileprivate let stereo: Int
        /// Replaces both at sample rates below ``lowRateLimit``.
        fileprivate let lowRate: Int?

        /// Creates bit rates.
        ///
        /// - Parameter lowRate: Replaces both at low sample rates.
        package init(mono: Int, stereo: Int, lowRate: Int? = nil) {
            self.mono = mono
            self.stereo = stereo
            self.lowRate = lowRate
        }

        /// Sample rates in hertz from here on get the full bit rate.
        fileprivate static let lowRateLimit = 22_050
    }

    /// The name on the command line.
    public let name: String
    /// A short description.
    public let summary: String
    /// The sample rate in hertz; nil for the source's own.
    public let sampleRate: Int?
    /// The most channels that are recorded or encoded: more are mixed; nil for the source's own.
    public let channelCount: Int?
    /// The profile.
    public let profile: AACProfile
    /// The sample frames in an access unit; nil for the profile's own.
    public let frameLength: Int?
    /// The format to request from the device; nil to record from the device's own format.
    package let deviceRequest: DeviceRequest?

    private let bitRates: BitRates?

    /// Returns the rate control at the preset's bit rate, constant with low delay; nil for the encoder's default.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels; more than two count as pairs.
    package func rateControl(sampleRate: Int, channelCount: Int) -> AACEncoderConfiguration.RateControl? {
        guard let bitRate = bitRate(sampleRate: sampleRate, channelCount: channelCount) else { return nil }
        return profile.isLowDelay ? .constant(bitRate: bitRate) : .average(bitRate: bitRate)
    }

    /// Returns the settings with those of the preset where they are the default; bit rates are not among them.
    ///
    /// - Parameter settings: The settings, whose profile and frame length prevail.
    package func completing(_ settings: AACEncoderSettings) -> AACEncoderSettings {
        var result = settings
        result.profile = settings.profile ?? profile
        if let frameLength, result.profile == profile, settings.frameLength == AACEncoderSettings.defaultFrameLength {
            result.frameLength = frameLength
        }
        return result
    }

    /// Returns the bit rate in bits per second; nil for the encoder's default.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels; more than two count as pairs.
    public func bitRate(sampleRate: Int, channelCount: Int) -> Int? {
        guard let bitRates else { return nil }
        if let lowRate = bitRates.lowRate, sampleRate < BitRates.lowRateLimit { return lowRate }
        return channelCount == 1 ? bitRates.mono : bitRates.stereo * channelCount / 2
    }

    /// Speech over slow networks.
    public static let low = AudioPreset(
        "low", "16 kHz, 64 kb/s stereo, 32 kb/s mono", sampleRate: 16_000, BitRates(mono: 32_000, stereo: 64_000))
    /// Speech with music.
    public static let medium = AudioPreset("medium", "44.1 kHz, 96 kb/s", sampleRate: 44_100, BitRates(mono: 96_000, stereo: 96_000))
    /// The default of LFLiveKit.
    public static let high = AudioPreset("high", "44.1 kHz, 128 kb/s", sampleRate: 44_100, BitRates(mono: 128_000, stereo: 128_000))
    /// The highest level of LFLiveKit.
    public static let veryHigh = AudioPreset(
        "very-high", "48 kHz, 128 kb/s", sampleRate: 48_000, BitRates(mono: 128_000, stereo: 128_000))
    /// The bit rate of an example for live capture, at any sample rate.
    public static let live = AudioPreset("live", "96 kb/s at any rate", BitRates(mono: 96_000, stereo: 96_000))
    /// Bit rates by sample rate from notes on Apple's converter.
    public static let voice = AudioPreset(
        "voice", "64 kb/s, below 22.05 kHz 32 kb/s", BitRates(mono: 64_000, stereo: 64_000, lowRate: 32_000))

    /// Speech and music at low bit rates; the number is the bit rate of mono or stereo in kb/s.
    public static let lowRates = [
        ("voice-16", 16_000), ("voice-24", 24_000), ("voice-32", 32_000), ("music-32", 32_000), ("music-48", 48_000), ("music-64", 64_000),
    ].map { name, rate in
        AudioPreset(name, "\(rate / 1000) kb/s mono or stereo, profile auto", profile: .automatic, BitRates(mono: rate, stereo: rate))
    }

    /// Speech, captured in its own format.
    public static let speech = AudioPreset(
        "speech", "16 kHz, mono", request: DeviceRequest(sampleRate: 16_000, channelCount: 1, bufferDuration: nil))
    /// Music, captured in its own format.
    public static let music = AudioPreset(
        "music", "48 kHz, stereo", request: DeviceRequest(sampleRate: 48_000, channelCount: 2, bufferDuration: nil))
    /// Audio that is monitored while it is captured.
    public static let lowLatency = AudioPreset(
        "low-latency", "48 kHz, stereo, 5 ms at a time",
        request: DeviceRequest(sampleRate: 48_000, channelCount: 2, bufferDuration: .milliseconds(5)))

    /// All presets of the library; the command has more.
    public static let all = [low, medium, high, veryHigh, live, voice] + lowRates + [speech, music, lowLatency]

    /// Creates a preset.
    ///
    /// - Parameters:
    ///   - name: The name on the command line.
    ///   - summary: A short description.
    ///   - sampleRate: The sample rate in hertz; nil for that of `request`, or the source's own.
    ///   - channelCount: The most channels; nil for those of `request`, or the source's own.
    ///   - profile: The profile.
    ///   - frameLength: The sample frames in an access unit; nil for the profile's own.
    ///   - bitRates: The bit rates; nil for the encoder's default.
    ///   - request: The format to request from the device; nil for none.
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
