// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioLoudness
internal import AudioPrimitives

/// The first half of a conversion that changes the loudness: the samples at the rate and with the channels of the output, with a gain and a
/// limit of true peaks.
///
/// The second half rounds or encodes them.
final class LoudnessStage {
    /// The format of the samples.
    let format: AudioFormat

    private let converter: AudioConverter
    private let limiter: TruePeakLimiter?

    /// Begins a conversion.
    ///
    /// - Parameters:
    ///   - plan: The formats of input and output.
    ///   - setting: The gain and the limit; nil for the loudness of the input.
    init(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws(AudioConversionError) {
        let target = plan.target
        format = AudioFormat(
            .float32, sampleRate: target.sampleRate, channelCount: target.channelCount, channelLayout: target.channelLayout)
        var options = plan.options
        options.dither = .none
        converter = try AudioConverter(from: .pcm(plan.source), to: .pcm(format), options: options)
        limiter = setting.map { TruePeakLimiter($0, sampleRate: target.sampleRate, channelCount: target.channelCount) }
    }

    /// Returns the frames that are complete after some of the input; there may be none.
    ///
    /// - Parameter bytes: Whole sample frames of the input.
    func process(_ bytes: [UInt8]) throws(AudioConversionError) -> PCMBuffer {
        try bytes.withSpan { (span) throws(AudioConversionError) in try converter.append(span.bytes) }
        let buffer = available()
        return limiter?.process(buffer) ?? buffer
    }

    /// Returns the frames that remain, in order; the input ends.
    func finish() throws(AudioConversionError) -> [PCMBuffer] {
        try converter.finish()
        let buffer = available()
        guard let limiter else { return [buffer] }
        return [limiter.process(buffer), limiter.finish()]
    }

    /// Returns what the converter has made.
    private func available() -> PCMBuffer {
        var buffer = PCMBuffer(
            sampleRate: format.sampleRate, channelCount: format.channelCount, frameCapacity: converter.availableFrameCount)
        converter.read(into: &buffer)
        return buffer
    }
}
