// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles

extension FileConverter {
    /// Measures the signal as it will be written, if its loudness is to be changed or stored; nil else.
    ///
    /// - Parameter measure: Measures the signal with a gain and a limit.
    /// - Throws: ``AudioFileError/Code/notSeekable`` for a pipe, which can't be read again.
    func loudnessAdjustment(
        _ measure: (TruePeakLimiter.Setting?) throws -> LoudnessSummary
    ) throws -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(configuration.loudnessTarget, measure: measure)
    }

    /// Reads the whole input as its encoder gets it, and measures it.
    func measureEncoded(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessSummary {
        let reader = try PCMFileReader.opening(input, raw: configuration.raw)
        var samples = try EncoderInputReader(
            reader, frames: plan.frames, mixedTo: plan.mixedChannelCount, sampleRate: plan.target.sampleRate, gain: setting)
        let layout = plan.mixedChannelCount == nil ? reader.properties.channelLayout : nil
        let meter = try LoudnessMeter(sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount, layout: layout)
        while let buffer = try samples.next() { try meter.add(buffer) }
        return try meter.summary()
    }

    /// Reads the whole input as it is converted, and measures it.
    func measure(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessSummary {
        let stage = try LoudnessStage(plan, setting)
        let meter = try LoudnessMeter(
            sampleRate: stage.format.sampleRate, channelCount: stage.format.channelCount, layout: stage.format.channelLayout)
        try forEachRead(of: open(), plan) { try meter.add(stage.process($0)) }
        for buffer in try stage.finish() { try meter.add(buffer) }
        return try meter.summary()
    }
}
