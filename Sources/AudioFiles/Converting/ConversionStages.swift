// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles

/// The way of samples from the input of a conversion to its output.
struct ConversionStages {
    /// The converter that makes the output.
    let converter: AudioConverter
    /// The stage before it; nil if the loudness stays.
    private let loudness: LoudnessStage?

    /// Begins a conversion.
    ///
    /// - Parameters:
    ///   - plan: The formats of input and output.
    ///   - setting: The gain and the limit of true peaks; nil for the loudness of the input.
    init(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws(AudioConversionError) {
        loudness = try setting.map { setting throws(AudioConversionError) in try LoudnessStage(plan, setting) }
        var options = plan.options
        // The stage before has mixed the channels.
        if loudness != nil { options.channels = .automatic }
        converter = try AudioConverter(
            from: .pcm(loudness?.format ?? plan.source), to: plan.encoder.map { .packets($0) } ?? .pcm(plan.target), options: options)
    }

    /// Adds sample frames of the input.
    func append(_ bytes: [UInt8]) throws(AudioConversionError) {
        guard let loudness else {
            return try bytes.withSpan { (span) throws(AudioConversionError) in try converter.append(span.bytes) }
        }
        try converter.append(loudness.process(bytes))
    }

    /// Ends the input.
    func finish() throws(AudioConversionError) {
        for buffer in try loudness?.finish() ?? [] { try converter.append(buffer) }
        try converter.finish()
    }

    /// Goes on after the work that a join has kept, if there is any, and keeps what follows.
    ///
    /// A change of the loudness or of the sample rate has a history, which it gets from the whole input; the encoder does without what it
    /// has coded already.
    ///
    /// - Parameters:
    ///   - journal: The kept work; nil for none.
    ///   - source: The inputs; nil for one file.
    ///   - output: The output, at its first packet.
    /// - Returns: The frame of the input to begin with.
    func keep(in journal: JoinJournal?, _ source: JoinedPCMSource?, _ output: ConversionOutput) throws -> Int {
        guard let journal, let source, let encoder = converter.encoder as? AACEncoder else { return 0 }
        let frame = try output.keep(in: journal, encoder, source)
        guard loudness != nil || encoder.sampleRate != source.properties.sampleRate else { return frame }
        converter.framesBeforeEncoder = frame
        return 0
    }
}
