// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles

extension FileConverter {
    /// Measures the output signal if its loudness is to be changed or stored; otherwise returns `nil`.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(configuration.loudnessTarget) { setting in
            var samples = try EncoderInputReader(open().reader, plan, gain: setting)
            let meter = LoudnessMeter(
                sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount, layout: plan.mixedLayout)
            while let buffer = try samples.next() { meter.add(buffer) }
            return meter.summary()
        }
    }
}
