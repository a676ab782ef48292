// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioFiles
import AudioPrimitives

extension AudioPreset {
    /// Formats of home cameras and wireless loudspeakers: AAC-ELD at a constant bit rate.
    private static let lowDelay = [
        AudioPreset(
            "homekit-16", "AAC-ELD, 16 kHz, 24 kb/s mono", sampleRate: 16_000, channelCount: 1, profile: .enhancedLowDelay,
            frameLength: 480, BitRates(mono: 24_000, stereo: 48_000)),
        AudioPreset(
            "homekit-24", "AAC-ELD, 24 kHz, 32 kb/s mono", sampleRate: 24_000, channelCount: 1, profile: .enhancedLowDelay,
            frameLength: 480, BitRates(mono: 32_000, stereo: 64_000)),
        AudioPreset(
            "airplay", "AAC-ELD, 44.1 kHz, 480 sample frames in a unit, 128 kb/s stereo", sampleRate: 44_100, channelCount: 2,
            profile: .enhancedLowDelay, frameLength: 480, BitRates(mono: 64_000, stereo: 128_000)),
    ]

    /// xHE-AAC, at rates where it is closer to the original than HE-AAC.
    private static let extended = [
        AudioPreset(
            "voice-message-24", "xHE-AAC, 48 kHz, 24 kb/s mono", sampleRate: 48_000, channelCount: 1, profile: .extendedHighEfficiency,
            BitRates(mono: 24_000, stereo: 24_000)),
        AudioPreset(
            "book-32", "xHE-AAC, 32 kb/s mono", channelCount: 1, profile: .extendedHighEfficiency,
            BitRates(mono: 32_000, stereo: 32_000)),
        AudioPreset(
            "radio-48", "xHE-AAC, 48 kb/s mono or stereo", channelCount: 2, profile: .extendedHighEfficiency,
            BitRates(mono: 48_000, stereo: 48_000)),
    ]

    /// All presets of the command, starting with the library's.
    private static let ofCommand = all + lowDelay + extended

    /// The names and summaries of the presets, one per line.
    static let help = ofCommand.map { "\($0.name): \($0.summary)" }.joined(separator: "\n")

    /// Returns the preset of `--preset`, if given.
    static func chosen(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioPreset? {
        try arguments.choice("preset", ofCommand.map { ($0.name, $0) })
    }
}
