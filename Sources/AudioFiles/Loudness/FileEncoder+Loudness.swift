// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

extension FileEncoder {
    /// The format in which the encoder gets the signal.
    struct EncodedSignal {
        /// The sample frames of the input.
        var frames: Range<Int>
        /// The sample rate in hertz.
        var sampleRate: Int
        /// The number of channels.
        var channelCount: Int
    }

    /// Measures the signal as it will be encoded, if its loudness is to be changed or stored; nil else.
    ///
    /// - Throws: ``AudioFileError/Code/notSeekable`` for a pipe, which can't be read again.
    func loudnessAdjustment(_ signal: EncodedSignal) throws(AudioFileError) -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try attempt { try LoudnessAdjustment(configuration.loudnessTarget) { try measure(signal, $0) } }
    }

    /// Returns the tags of the output: those requested, with the loudness if it is to be stored, and those of the input.
    func outputTags(
        _ input: PCMFileProperties, _ container: ContainerFormat, storing adjustment: LoudnessAdjustment?
    ) -> OutputTags {
        var requested = configuration.tags
        if configuration.storesLoudness { requested.replayGain = adjustment.flatMap { AudioTags.ReplayGain($0.loudness) } }
        return OutputTags(
            requested, input: configuration.inheritsTags ? input.tags : nil, storage: container.tagStorage,
            keepsLoudness: configuration.loudnessTarget == nil && !configuration.storesLoudness, range: configuration.range)
    }

    /// Returns the note about tags of the input that the container can't hold.
    func notes(_ tags: OutputTags, _ container: ContainerFormat) -> [EncodingNote] {
        tags.namesLost.isEmpty ? [] : [.tagsLeftOut(tags.namesLost, container: container)]
    }

    /// Returns the differences between the requested and the actual loudness.
    func notes(_ adjustment: LoudnessAdjustment?) -> [EncodingNote] {
        adjustment?.note(for: configuration.loudnessTarget).map { [$0] } ?? []
    }

    /// Measures the complete output, decoded, if it was given a loudness: coding moves the true peak.
    ///
    /// - Returns: The loudness and the true peak; nil without a target, and of a pipe.
    func decodedLoudness(of file: OutputFile) throws(AudioFileError) -> LoudnessSummary? {
        guard configuration.loudnessTarget != nil, let path = file.partialPath else { return nil }
        return try FileLoudness(of: .file(path)).run()
    }

    /// Reads the whole input and measures it.
    private func measure(_ signal: EncodedSignal, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessSummary {
        let reader = try PCMFileReader.opening(input, raw: configuration.raw)
        var samples = try EncoderInputReader(
            reader, frames: signal.frames, mixedTo: configuration.mixedChannelCount(from: reader.properties.channelCount),
            sampleRate: signal.sampleRate, gain: setting)
        let isMixed = configuration.mixedChannelCount(from: reader.properties.channelCount) != nil
        let layout = isMixed ? nil : reader.properties.channelLayout
        let meter = try LoudnessMeter(sampleRate: signal.sampleRate, channelCount: signal.channelCount, layout: layout)
        while let buffer = try samples.next() { try meter.add(buffer) }
        return try meter.summary()
    }
}
