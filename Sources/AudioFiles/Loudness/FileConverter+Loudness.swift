// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioPrimitives
package import PCMFiles

extension FileConverter {
    /// Measures the output signal if its loudness is to be changed or stored; otherwise returns `nil`.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard configuration.loudnessTarget != nil || configuration.storesLoudness else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(configuration.loudnessTarget, album: configuration.album) { setting in
            try meter(plan, setting ?? gainSetting).summary()
        }
    }

    /// The requested gain, without a limit.
    var gainSetting: TruePeakLimiter.Setting? { configuration.gain.map { TruePeakLimiter.Setting(gain: $0, limit: nil) } }

    /// Measures the output signal with a gain and limit.
    private func meter(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessMeter {
        var samples = try EncoderInputReader(open().reader, plan, gain: setting)
        let meter = LoudnessMeter(sampleRate: plan.target.sampleRate, channelCount: plan.target.channelCount, layout: plan.mixedLayout)
        while let buffer = try samples.next() { meter.add(buffer) }
        return meter
    }

    /// Measures the output signal before a loudness target applies, for ``AlbumLoudness``.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/notSeekable`` for a pipe, which cannot be read twice.
    package func measuredTrack() throws(AudioFileError) -> AlbumLoudness.Track {
        try attempt {
            try LoudnessAdjustment.requireRereadable(input)
            let meter = try meter(ConversionPlan(configuration, try open(), paths: (input, output)), gainSetting)
            return AlbumLoudness.Track(series: meter.series, peak: meter.summary().truePeaks.max() ?? 0)
        }
    }
}
