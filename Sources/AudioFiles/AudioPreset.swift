// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec

/// Settings under a name that people know.
///
/// The first four are the quality levels of LFLiveKit, the next two the bit rates of common examples for Apple's encoder, and
/// the others are for low rates, with the profile that suits them.
public struct AudioPreset: Hashable, Sendable {
    /// The name on the command line.
    public let name: String
    /// What it is, in a few words.
    public let summary: String
    /// The sample rate in hertz to record at; nil for the source's own.
    public let sampleRate: Int?
    /// The channels to record; nil for the source's own.
    public let channelCount: Int?
    /// Which profile is encoded.
    public let profile: AACProfile

    private let monoBitRate: Int
    private let stereoBitRate: Int
    /// Takes the place of both below ``lowRateLimit``.
    private let lowRateBitRate: Int?

    /// Sample rates from here on get the full bit rate.
    private static let lowRateLimit = 22_050

    /// The bit rate in bits a second for a sample rate in hertz and a number of channels; more than two count as pairs.
    public func bitRate(sampleRate: Int, channelCount: Int) -> Int {
        if let lowRateBitRate, sampleRate < Self.lowRateLimit { return lowRateBitRate }
        return channelCount == 1 ? monoBitRate : stereoBitRate * channelCount / 2
    }

    /// For speech over bad networks.
    public static let low = AudioPreset(
        "low", "16 kHz, 64 kb/s stereo, 32 kb/s mono", sampleRate: 16_000, mono: 32_000, stereo: 64_000)
    /// For talk with music.
    public static let medium = AudioPreset("medium", "44.1 kHz, 96 kb/s", sampleRate: 44_100, mono: 96_000, stereo: 96_000)
    /// The default of LFLiveKit.
    public static let high = AudioPreset("high", "44.1 kHz, 128 kb/s", sampleRate: 44_100, mono: 128_000, stereo: 128_000)
    /// The highest level.
    public static let veryHigh = AudioPreset("very-high", "48 kHz, 128 kb/s", sampleRate: 48_000, mono: 128_000, stereo: 128_000)
    /// What an example for live capture sets, whatever the rate.
    public static let live = AudioPreset("live", "96 kb/s at any rate", sampleRate: nil, mono: 96_000, stereo: 96_000)
    /// What notes on Apple's converter set by sample rate.
    public static let voice = AudioPreset(
        "voice", "64 kb/s, below 22.05 kHz 32 kb/s", sampleRate: nil, mono: 64_000, stereo: 64_000, lowRate: 32_000)

    /// Speech and music where every kilobit counts; the number is the bit rate of mono or stereo in kb/s.
    public static let lowRates = [
        AudioPreset("voice-16", lowRate: 16_000), AudioPreset("voice-24", lowRate: 24_000),
        AudioPreset("voice-32", lowRate: 32_000), AudioPreset("music-32", lowRate: 32_000),
        AudioPreset("music-48", lowRate: 48_000), AudioPreset("music-64", lowRate: 64_000),
    ]

    /// All presets.
    public static let all = [low, medium, high, veryHigh, live, voice] + lowRates

    /// A preset whose profile follows from the rate, and whose more than two channels get as much each as two.
    private init(_ name: String, lowRate: Int) {
        self.init(
            name, "\(lowRate / 1000) kb/s mono or stereo, profile auto", sampleRate: nil, mono: lowRate, stereo: lowRate,
            profile: .automatic)
    }

    private init(
        _ name: String, _ summary: String, sampleRate: Int?, mono: Int, stereo: Int, lowRate: Int? = nil,
        profile: AACProfile = .lowComplexity
    ) {
        self.profile = profile
        self.name = name
        self.summary = summary
        self.sampleRate = sampleRate
        channelCount = sampleRate == nil ? nil : 2
        monoBitRate = mono
        stereoBitRate = stereo
        lowRateBitRate = lowRate
    }
}
