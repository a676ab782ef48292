// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles

/// The option `--raw`, for PCM without a header.
enum RawInputOption {
    static let option = CommandOption(
        "raw", value: "FORMAT[,HZ[,N]]",
        "read PCM without a header: sample format (\(formats)), sample rate (default: 44100) and channel count (default: 2)")

    /// The sample formats in help and messages.
    private static let formats = "u8, s8, s16, s24, s32, f32 or f64, with le or be"

    /// Returns the PCM format of `--raw`, if given.
    static func format(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioFormat? {
        guard let text = arguments.text("raw") else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let encoding = SampleEncoding(name: String(parts[0])) else {
            throw arguments.failure("invalid --raw value '\(text)'; the sample format is one of \(formats)")
        }
        guard parts.count <= 3, let rate = parts.count > 1 ? ParsedArguments.rate(parts[1]) : 44_100,
            let channels = parts.count > 2 ? Int(parts[2]) : 2, (1...256).contains(channels)
        else {
            throw arguments.failure("invalid --raw value '\(text)'; use a sample format, rate and channels like s16le,48000,2")
        }
        return AudioFormat(encoding, sampleRate: rate, channelCount: channels)
    }
}
